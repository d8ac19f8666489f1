/** The demo account's usage events: some weeks of usage, the same on every load. */
import type { AccountFile } from './schema.ts';

type Events = NonNullable<AccountFile['events']>;

interface Series {
  subscription: string;
  code: string;
  prefix: string;
  count: number;
  /** Hours between two events, and between the newest event and the load. */
  everyHours: number;
  properties: (i: number) => Events[number]['properties'];
  cents?: (i: number) => string;
}

const series: Series[] = [
  {
    subscription: 'acme-studio',
    code: 'audio_minutes',
    prefix: 'acme-audio',
    count: 120,
    everyHours: 9,
    properties: i => ({
      minutes: `${12 + ((i * 7) % 49)}.${(i * 3) % 10}`,
      model: i % 5 === 0 ? 'accurate' : 'fast',
      region: i % 3 === 0 ? 'eu' : 'us',
      show: i % 2 ? 'daily-show' : 'long-reads',
    }),
  },
  {
    subscription: 'acme-studio',
    code: 'api_calls',
    prefix: 'acme-call',
    count: 80,
    everyHours: 12,
    properties: i => ({ route: i % 2 ? '/search' : '/upload' }),
  },
  {
    subscription: 'acme-studio',
    code: 'tokens',
    prefix: 'acme-tokens',
    count: 40,
    everyHours: 20,
    properties: i => ({ tokens: 4_000 + ((i * 911) % 9_000), project: i % 2 ? 'daily-show' : 'archive' }),
  },
  {
    subscription: 'acme-studio',
    code: 'seats',
    prefix: 'acme-seat',
    count: 12,
    everyHours: 60,
    properties: i => ({ user_id: `user-${(i * 5) % 9}`, operation_type: i === 3 ? 'remove' : 'add' }),
  },
  {
    subscription: 'acme-studio',
    code: 'payouts',
    prefix: 'acme-payout',
    count: 24,
    everyHours: 30,
    properties: i => ({ amount: `${20 + ((i * 17) % 180)}.50` }),
  },
  {
    subscription: 'martin-starter',
    code: 'audio_minutes',
    prefix: 'martin-audio',
    count: 40,
    everyHours: 18,
    properties: i => ({ minutes: String(3 + (i % 8)), ...(i % 4 ? { project: 'radio' } : {}) }),
  },
  {
    subscription: 'martin-starter',
    code: 'tokens',
    prefix: 'martin-tokens',
    count: 20,
    everyHours: 36,
    properties: i => ({ tokens: 1_500 + i * 120 }),
  },
  {
    subscription: 'sakura-arcade',
    code: 'peak_streams',
    prefix: 'sakura-peak',
    count: 40,
    everyHours: 24,
    properties: i => ({ streams: 60 + ((i * 13) % 140) }),
  },
  {
    subscription: 'sakura-arcade',
    code: 'voice_market',
    prefix: 'sakura-voice',
    count: 30,
    everyHours: 26,
    properties: () => ({ uses: 1 }),
    cents: i => `${100 + (i % 4) * 20}.5`,
  },
  {
    subscription: 'sakura-arcade',
    code: 'storage_gb',
    prefix: 'sakura-gb',
    count: 10,
    everyHours: 90,
    properties: i => ({ gb: i % 3 === 2 ? '-15' : '40.25' }),
  },
  {
    subscription: 'sakura-arcade',
    code: 'gpu_seconds',
    prefix: 'sakura-gpu',
    count: 30,
    everyHours: 28,
    properties: i => ({ milliseconds: 800 + i * 333 }),
  },
  {
    subscription: 'gulf-broadcast',
    code: 'payouts',
    prefix: 'gulf-payout',
    count: 30,
    everyHours: 22,
    properties: i => ({ amount: `${40 + ((i * 29) % 260)}.125` }),
  },
  {
    subscription: 'gulf-broadcast',
    code: 'languages',
    prefix: 'gulf-lang',
    count: 6,
    everyHours: 100,
    properties: i => ({ languages: 6 + (i % 4) }),
  },
  {
    subscription: 'gulf-broadcast',
    code: 'api_calls',
    prefix: 'gulf-call',
    count: 30,
    everyHours: 21,
    properties: () => ({}),
  },
];

export const events: Events = series.flatMap(({ subscription, code, prefix, count, everyHours, properties, cents }) =>
  Array.from({ length: count }, (_, i) => ({
    transaction_id: `${prefix}-${String(i + 1).padStart(3, '0')}`,
    code,
    external_subscription_id: subscription,
    timestamp: `now-PT${(i + 1) * everyHours}H`,
    properties: properties(i),
    ...(cents ? { precise_total_amount_cents: cents(i) } : {}),
  })),
);
