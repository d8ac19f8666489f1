/**
 * The demo account: Skylark Speech turns audio into text for a podcast studio in New York, a bakery in Lyon, a games company
 * in Tokyo, a radio station in Kuwait and its new channel, and a former customer. It is the account file demo.json; only the
 * usage events are rules, because 512 entries would be longer. The channel's name contains the station's, so that a part of
 * a name can mean several.
 */
import type { AccountFile } from './schema.ts';

/** Ids are derived from codes and numbers, so every load gives the same ids. Times are relative to the load. */
export async function demoAccount(): Promise<AccountFile> {
  const { default: file } = await import('./demo.json', { with: { type: 'json' } });
  return { ...(file as unknown as AccountFile), events };
}

type Event = NonNullable<AccountFile['events']>[number];
type Properties = (i: number) => NonNullable<Event['properties']>;
/** `hours` between two events, and between the newest event and the load. */
type Series = [subscription: string, code: string, prefix: string, count: number, hours: number, of: Properties];

const project = (i: number, name: string) => (i % 2 ? 'daily-show' : name);
const series: Series[] = [
  [
    ...(['acme-studio', 'audio_minutes', 'acme-audio', 120, 9] as const),
    i => ({
      minutes: `${12 + ((i * 7) % 49)}.${(i * 3) % 10}`,
      model: i % 5 === 0 ? 'accurate' : 'fast',
      region: i % 3 === 0 ? 'eu' : 'us',
      show: project(i, 'long-reads'),
    }),
  ],
  ['acme-studio', 'api_calls', 'acme-call', 80, 12, i => ({ route: i % 2 ? '/search' : '/upload' })],
  [
    ...(['acme-studio', 'tokens', 'acme-tokens', 40, 20] as const),
    i => ({ tokens: 4_000 + ((i * 911) % 9_000), project: project(i, 'archive') }),
  ],
  [
    ...(['acme-studio', 'seats', 'acme-seat', 12, 60] as const),
    i => ({ user_id: `user-${(i * 5) % 9}`, operation_type: i === 3 ? 'remove' : 'add' }),
  ],
  ['acme-studio', 'payouts', 'acme-payout', 24, 30, i => ({ amount: `${20 + ((i * 17) % 180)}.50` })],
  [
    ...(['martin-starter', 'audio_minutes', 'martin-audio', 40, 18] as const),
    i => ({ minutes: String(3 + (i % 8)), ...(i % 4 ? { project: 'radio' } : {}) }),
  ],
  ['martin-starter', 'tokens', 'martin-tokens', 20, 36, i => ({ tokens: 1_500 + i * 120 })],
  ['sakura-arcade', 'peak_streams', 'sakura-peak', 40, 24, i => ({ streams: 60 + ((i * 13) % 140) })],
  ['sakura-arcade', 'voice_market', 'sakura-voice', 30, 26, () => ({ uses: 1 })],
  ['sakura-arcade', 'storage_gb', 'sakura-gb', 10, 90, i => ({ gb: i % 3 === 2 ? '-15' : '40.25' })],
  ['sakura-arcade', 'gpu_seconds', 'sakura-gpu', 30, 28, i => ({ milliseconds: 800 + i * 333 })],
  ['gulf-broadcast', 'payouts', 'gulf-payout', 30, 22, i => ({ amount: `${40 + ((i * 29) % 260)}.125` })],
  ['gulf-broadcast', 'languages', 'gulf-lang', 6, 100, i => ({ languages: 6 + (i % 4) })],
  ['gulf-broadcast', 'api_calls', 'gulf-call', 30, 21, () => ({})],
];

const events: Event[] = series.flatMap(([subscription, code, prefix, count, hours, properties]) =>
  Array.from({ length: count }, (_, i) => ({
    transaction_id: `${prefix}-${String(i + 1).padStart(3, '0')}`,
    code,
    external_subscription_id: subscription,
    timestamp: `now-PT${(i + 1) * hours}H`,
    properties: properties(i),
    // Only the voice market prices each event.
    ...(code === 'voice_market' && { precise_total_amount_cents: `${100 + (i % 4) * 20}.5` }),
  })),
);
