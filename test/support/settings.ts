/** Shared by tests that start a server, in a module that loads no client. */

import { fileURLToPath } from 'node:url';
import { confirmText, missingPages } from '../../src/server/settings/confirm-text.ts';
import { loadConfig } from '../../src/server/settings/load.ts';

/** The built program; in the run without the fast way, the one that is built for it. */
export const main =
  process.env.PROGRAM_WITHOUT_FAST_WAY ?? fileURLToPath(new URL('../../dist/main.js', import.meta.url));
export const key = 'key-of-the-tests-0123456789';
export const stateKeyText = 'state-key-of-the-tests-0123456789-abcdef';
export const eras = ['2026-07-28', '2025-11-25'] as const;
export type Era = (typeof eras)[number];

/** The environment of a program that uses the account at `baseUrl`. */
export function environment(baseUrl: string, settings: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', BILLING_BASE_URL: baseUrl, BILLING_API_KEY: key, container: '', ...settings };
}

/** What a start over stdio says on stderr, with these settings. */
export function startLine(settings: NodeJS.ProcessEnv = {}): string {
  return `${confirmText(loadConfig([], settings).config, missingPages({ container: '', ...settings }))}\n`;
}
