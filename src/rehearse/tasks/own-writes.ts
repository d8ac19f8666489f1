/** Changes with a trap: a unit, a second candidate, a time zone, what is lost when it is left out. */
import { call, goAhead, tasksOf } from './own-account.ts';
import { claims } from './own-refusals.ts';

const bakeryWallet = '5be677bc-00a7-541d-87a1-9d51deeca1ae';
const bakeryRule = 'f9bc1b06-1505-5fec-ae2f-08014351d730';
const gpuWallet = '015e5efd-04b7-58a3-acac-7720e7ce727b';

/** 40 credits of €0.50; the granted ones stay. */
const twentyEuros = { trigger: 'interval', interval: 'monthly', paid_credits: '40', granted_credits: '2' };
const toTwentyEuros = (kept: Record<string, string>) =>
  call('update_wallet', { svc_id: bakeryWallet, recurring_transaction_rules: [{ ...kept, ...twentyEuros }] });

/** The end of 2026 in Tokyo is nine hours before that in UTC. */
const ends = [
  '2026-12-31T23:59:59+09:00',
  '2026-12-31T23:59:59.999+09:00',
  '2027-01-01T00:00:00+09:00',
  '2026-12-31T23:59:00+09:00',
];
const gpuWalletEnds = ends.map(expiration_at =>
  call('update_wallet', {
    svc_id: gpuWallet,
    expiration_at,
    applies_to: { billable_metric_codes: ['gpu_seconds'] },
  }),
);

export const writeTasks = tasksOf('write', [
  {
    id: 'write-alert-in-euros',
    says: 'Warn us when the usage of Boulangerie Martin passes €50 within a period. Code of the alert: usage_50, and of its only threshold: limit.',
    person: { replies: [goAhead] },
    expect: {
      writes: call('create_subscription_alert', {
        external_id: 'martin-starter',
        code: 'usage_50',
        alert_type: 'current_usage_amount',
        thresholds: [{ code: 'limit', value: '5000' }],
      }),
      free: ['alerts.name'],
    },
  },
  {
    id: 'write-top-up-in-credits',
    says: 'Every month €10 worth of prepaid credits are bought for Boulangerie Martin. Make it €20 worth from the next time on. The credits that we give them on top stay as they are, and so does the wallet with their vouchers.',
    person: { replies: [goAhead] },
    add: {
      wallets: [
        {
          external_customer_id: 'boulangerie-martin',
          name: 'Bons',
          code: 'vouchers',
          rate_amount: '1',
          credits_balance: '5',
          recurring_transaction_rules: [{ trigger: 'interval', interval: 'monthly', granted_credits: '1' }],
        },
      ],
    },
    expect: {
      writes: toTwentyEuros({}),
      // The rule may keep its start, and its id.
      or_writes: [
        toTwentyEuros({ started_at: '2025-12-01T00:00:00Z' }),
        toTwentyEuros({ svc_id: bakeryRule }),
        toTwentyEuros({ svc_id: bakeryRule, started_at: '2025-12-01T00:00:00Z' }),
      ],
    },
  },
  {
    id: 'write-wallet-until',
    says: 'The prepaid credits of Sakura Games may be used until the end of 2026, their time. Please set that. Nothing else about the wallet may change.',
    person: { replies: [goAhead] },
    expect: { writes: gpuWalletEnds[0] ?? [], or_writes: gpuWalletEnds.slice(1) },
  },
  {
    id: 'write-same-as-last-time',
    says: 'The bakery in Lyon has paid SKY-EU-002-002 by bank transfer. Mark it as paid, and note the project in its metadata the way we did it on SKY-US-001-001. Here the project is opening.',
    person: { replies: [goAhead] },
    expect: {
      writes: call('update_invoice', {
        svc_id: '35466a7c-b6e3-5ae3-8731-2e65db593664',
        payment_status: 'succeeded',
        metadata: [{ key: 'project', value: 'opening' }],
      }),
    },
  },
  {
    id: 'write-already-done',
    says: 'The $816.56 for SKY-US-001-001 are on our bank account. Mark that invoice as paid.',
    expect: {
      writes: [],
      says: [
        { any: ['already', 'was paid', 'nothing to', 'nothing was', 'no change', 'no update', 'no need', "n't need"] },
      ],
      says_none: claims('have marked', 'is now marked', "I've marked", "I've now marked", 'have now marked'),
    },
  },
]);
