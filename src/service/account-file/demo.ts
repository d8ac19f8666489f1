/**
 * The demo account: Skylark Speech turns audio into text for a podcast studio in New York, a bakery in Lyon, a games company
 * in Tokyo, a radio station in Kuwait and its new channel, and a former customer. It is the account file demo.json; only the
 * usage events are rules, because 512 entries would be longer. The channel's name contains the station's, so that a part of
 * a name can mean several.
 */
import { events } from './demo-events.ts';
import type { AccountFile } from './schema.ts';

/** Ids are derived from codes and numbers, so every load gives the same ids. Times are relative to the load. */
export async function demoAccount(): Promise<AccountFile> {
  const { default: file } = await import('./demo.json', { with: { type: 'json' } });
  return { ...(file as unknown as AccountFile), events };
}
