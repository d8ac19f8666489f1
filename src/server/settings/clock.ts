import type { Config } from './settings.ts';

/** The time that answers speak of: where the clock of the billing service is pinned (`now`), that one's. */
export function accountTime({ now }: Partial<Pick<Config, 'now'>>): Date {
  return now === undefined ? new Date() : new Date(now);
}
