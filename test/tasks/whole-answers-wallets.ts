/**
 * Questions about wallets and subscriptions that took a second read once: each is answered from default answers, in at most
 * three calls.
 */
import { demoIds } from '../../src/contract/demo-ids.ts';
import { call, type Task } from './tasks.ts';

const studio = demoIds.external_subscription_id;

export const walletTasks: Task[] = [
  {
    question: "When will Acme's wallet run empty?",
    calls: [call('list_wallets', { external_customer_id: 'Acme', runway: true })],
    facts: [
      '$142.19 left, $4.45 used a day, empty about 1 Apr',
      'topped up to 400 when 100 credits are left, about 25 Mar',
      'Plan fees, fixed charges and coupons are not included',
      'drafts of $5.44',
    ],
  },
  {
    question: 'Whose money will not last until the end of March?',
    calls: [call('list_wallets', { runway: true })],
    facts: [
      'Soonest first: boulangerie-martin (credits): €2.18 left, empty about 21 Mar',
      'acme-podcasts (prepaid): $142.19 left, empty about 1 Apr',
      'it lasts over two years',
    ],
  },
  {
    question: 'When is the next top-up of Boulangerie Martin, and how much is it?',
    calls: [call('list_wallets', { external_customer_id: 'Martin' })],
    facts: ['next on 1 Apr, buy 20 credits and grant 2 credits', '"next_run":"2026-04-01"'],
  },
  {
    question: "Is a top-up of Acme not paid yet, and which rule tops the wallet up? I'd like to change it.",
    calls: [
      call('list_wallets', { external_customer_id: 'Acme' }),
      call(
        'update_wallet',
        {
          svc_id: demoIds.wallet_svc_id,
          recurring_transaction_rules: [{ svc_id: demoIds.wallet_svc_id, threshold_credits: '50' }],
        },
        'invalid_arguments',
      ),
    ],
    facts: [
      'Unpaid top-up: $200.00 from 15 Mar',
      'labeled “Automatic top-up”',
      '"svc_id":"24e1666f-6532-5534-b517-d43b424c3f58"',
      'is not a rule of this wallet: its rule is 24e1666f-6532-5534-b517-d43b424c3f58',
    ],
  },
  {
    question: 'Which wallets have ended?',
    calls: [call('list_wallets', { status: 'terminated' })],
    facts: ['“Trial credits” (trial_credits) has ended (on 12 Feb, 00:00 UTC)', 'nora-lund'],
  },
  {
    question: 'Which subscriptions end this half-year, and which trials?',
    calls: [
      call('list_subscriptions', { ending_before: '2026-07-01' }),
      call('list_subscriptions', { trial_ends_before: '2026-07-01' }),
    ],
    facts: ['No subscription ends before 1 Jul', 'No trial ends before 1 Jul'],
  },
  {
    question: 'Does this subscription have prices or units of its own, and which taxes?',
    calls: [
      call('get_subscription', { external_id: studio }),
      call('get_subscription', { external_id: 'martin-starter' }),
    ],
    facts: [
      'Its 6 prices (from the plan) are listed in plan',
      'Minimum commitment $200.00',
      'Usage thresholds: $500.00 “Busy month”',
      'Units set for this subscription: glossary 3 (2 in the plan)',
      'Taxes: vat_fr (20%)',
    ],
  },
  {
    question: 'When is Acme invoiced next?',
    calls: [call('list_subscriptions', { external_customer_id: 'Acme' })],
    facts: ['“Acme Studio” (acme-studio) on plan studio at $99.00 a month, next invoice on 1 Apr'],
  },
];
