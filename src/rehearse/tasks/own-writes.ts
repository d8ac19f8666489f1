/** Changes with a trap: a unit, a second candidate, a time zone, what is lost when it is left out. */
import type { Task } from '../types.ts';
import { demo, goAhead } from './own-account.ts';
import { claims } from './own-refusals.ts';

const bakeryWallet = '5be677bc-00a7-541d-87a1-9d51deeca1ae';
const bakeryRule = 'f9bc1b06-1505-5fec-ae2f-08014351d730';
const gpuWallet = '015e5efd-04b7-58a3-acac-7720e7ce727b';

/** 40 credits of €0.50; the granted ones stay. */
const twentyEuros = { trigger: 'interval', interval: 'monthly', paid_credits: '40', granted_credits: '2' };

/** The end of 2026 in Tokyo is nine hours before that in UTC. */
const ends = [
  '2026-12-31T23:59:59+09:00',
  '2026-12-31T23:59:59.999+09:00',
  '2027-01-01T00:00:00+09:00',
  '2026-12-31T23:59:00+09:00',
];
const gpuWalletEnds = ends.map(expiration_at => [
  {
    tool: 'update_wallet',
    arguments: { svc_id: gpuWallet, expiration_at, applies_to: { billable_metric_codes: ['gpu_seconds'] } },
  },
]);

export const writeTasks: readonly Task[] = [
  {
    id: 'write-alert-in-euros',
    kind: 'write',
    says: 'Warn us when the usage of Boulangerie Martin passes €50 within a period. Code of the alert: usage_50, and of its only threshold: limit.',
    ...demo,
    person: { replies: [goAhead] },
    expect: {
      writes: [
        {
          tool: 'create_subscription_alert',
          arguments: {
            external_id: 'martin-starter',
            code: 'usage_50',
            alert_type: 'current_usage_amount',
            thresholds: [{ code: 'limit', value: '5000' }],
          },
        },
      ],
      free: ['alerts.name'],
    },
  },
  {
    id: 'write-top-up-in-credits',
    kind: 'write',
    says: 'Every month €10 worth of prepaid credits are bought for Boulangerie Martin. Make it €20 worth from the next time on. The credits that we give them on top stay as they are, and so does the wallet with their vouchers.',
    ...demo,
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
      writes: [
        {
          tool: 'update_wallet',
          arguments: { svc_id: bakeryWallet, recurring_transaction_rules: [twentyEuros] },
        },
      ],
      // The rule may keep its start, and its id.
      or_writes: [
        { started_at: '2025-12-01T00:00:00Z' },
        { svc_id: bakeryRule },
        { svc_id: bakeryRule, started_at: '2025-12-01T00:00:00Z' },
      ].map(kept => [
        {
          tool: 'update_wallet',
          arguments: { svc_id: bakeryWallet, recurring_transaction_rules: [{ ...kept, ...twentyEuros }] },
        },
      ]),
    },
  },
  {
    id: 'write-wallet-until',
    kind: 'write',
    says: 'The prepaid credits of Sakura Games may be used until the end of 2026, their time. Please set that. Nothing else about the wallet may change.',
    ...demo,
    person: { replies: [goAhead] },
    expect: { writes: gpuWalletEnds[0] ?? [], or_writes: gpuWalletEnds.slice(1) },
  },
  {
    id: 'write-same-as-last-time',
    kind: 'write',
    says: 'The bakery in Lyon has paid SKY-EU-002-002 by bank transfer. Mark it as paid, and note the project in its metadata the way we did it on SKY-US-001-001. Here the project is opening.',
    ...demo,
    person: { replies: [goAhead] },
    expect: {
      writes: [
        {
          tool: 'update_invoice',
          arguments: {
            svc_id: '35466a7c-b6e3-5ae3-8731-2e65db593664',
            payment_status: 'succeeded',
            metadata: [{ key: 'project', value: 'opening' }],
          },
        },
      ],
    },
  },
  {
    id: 'write-already-done',
    kind: 'write',
    says: 'The $816.56 for SKY-US-001-001 are on our bank account. Mark that invoice as paid.',
    ...demo,
    expect: {
      writes: [],
      says: [
        { any: ['already', 'was paid', 'nothing to', 'nothing was', 'no change', 'no update', 'no need', "n't need"] },
      ],
      says_none: claims('have marked', 'is now marked', "I've marked", "I've now marked", 'have now marked'),
    },
  },
];
