import type { Config } from './settings.ts';

/** The time that answers speak of: with `--now`, that of the embedded service's pinned clock. */
export function accountTime({ demo, now }: Pick<Config, 'demo'> & Partial<Pick<Config, 'now'>>): Date {
  return demo && now !== undefined ? new Date(now) : new Date();
}
