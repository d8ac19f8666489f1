/** A digest of the settings in effect, without the secret ones: audit lines hold it, and `check` prints it. */
import { hash } from 'node:crypto';
import { type Config, type Setting, type SettingKey, settings } from './settings.ts';

/** `roles`: what the file of `BILLING_ROLES` says. */
export function settingsDigest(config: Config, roles: ReadonlyMap<string, unknown> = new Map()): string {
  const values = Object.entries<Setting>(settings).flatMap(([key, { secret }]) =>
    secret ? [] : [[key, config[key as SettingKey] ?? null]],
  );
  return hash('sha256', JSON.stringify([values, [...roles]])).slice(0, 32);
}
