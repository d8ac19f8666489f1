import type { Config } from './settings.ts';

/** The time that answers are based on: the pinned one of the billing service (`now`), else this machine's. */
export function accountTime({ now }: Partial<Pick<Config, 'now'>>): Date {
  return now === undefined ? new Date() : new Date(now);
}
