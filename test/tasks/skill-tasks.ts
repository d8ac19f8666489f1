/** What people come with to each skill, done as the skill says: its tools in its order. Replayed like the tasks of tasks.ts. */
import { demoIds, demoRefundId } from '../../src/contract/demo-ids.ts';
import { call, type Task } from './tasks.ts';

interface SkillTask extends Task {
  skill:
    | 'answer-bill-question'
    | 'chase-overdue-invoices'
    | 'close-the-month'
    | 'quote-plan-change'
    | 'reconcile-payments';
}

const acme = demoIds.external_customer_id;
const studio = demoIds.external_subscription_id;
const february = { issuing_date_from: '2026-02-01', issuing_date_to: '2026-02-28', all: true };
const march = { issuing_date_from: '2026-03-01', issuing_date_to: '2026-03-31', all: true };
const ofAcme = { customer: { external_id: acme } };
const twoPlans = { plan_codes: ['studio', 'enterprise'], external_subscription_id: studio, ...ofAcme };

export const skillTasks: SkillTask[] = [
  {
    skill: 'answer-bill-question',
    question: 'Acme asks: why do we pay $117.00 for transcription, when a minute costs three cents?',
    calls: [
      call('list_invoices', { external_customer_id: 'Acme' }),
      call('check_invoice', { svc_id: 'SKY-US-001-004', explain: 'Transcription' }),
      call('get_invoice', { svc_id: 'SKY-US-001-004' }),
      call('list_plans', {}),
    ],
    facts: [
      '“Transcription”: $117.00, should be',
      'SKY-US-001-004: $187.14, due on 31 Mar, not paid yet',
      '“Transcription”: 1,000 × $0.03 + 4,000 × $0.02 + $5.00 flat + 200 × $0.01 = $117.00',
    ],
  },
  {
    skill: 'answer-bill-question',
    question: 'Acme asks: did you get our payment for SKY-US-001-002?',
    calls: [
      call('list_invoices', { external_customer_id: 'Acme' }),
      call('list_payments', { invoice_id: 'SKY-US-001-002' }),
    ],
    facts: [
      '$118.67 on 1 Jan, failed: the card was declined',
      'SKY-US-001-002 and SKY-US-001-004 of acme-podcasts: $305.81 on 14 Mar, pending',
    ],
  },
  {
    skill: 'answer-bill-question',
    question: 'The bakery asks: why is SKY-EU-002-002 so much lower, and what will the next one be?',
    calls: [
      call('list_invoices', { external_customer_id: 'martin' }),
      call('get_invoice', { svc_id: 'SKY-EU-002-002', compared_to: 'previous' }),
      call('preview_invoice', {
        customer: { external_id: 'boulangerie-martin' },
        subscriptions: { external_ids: ['martin-starter'] },
      }),
    ],
    facts: [
      '€30.86 lower than SKY-EU-002-001: €65.66 on 10 Jan → €34.80 on 10 Feb',
      '“Custom glossary” −€27.00',
      'Preview only',
    ],
  },
  {
    skill: 'chase-overdue-invoices',
    question: 'Whom do we remind this week, and of how much?',
    calls: [
      call('get_revenue', { report: 'overdue' }),
      call('list_invoices', { payment_overdue: true, all: true, detail: 'pending_payment' }),
      call('list_credit_notes', { credit_status: ['available'] }),
    ],
    facts: [
      '“Sakura Games” (sakura-games) owes ¥77,132 on 1 invoice, due on 15 Feb',
      'SKY-US-001-002 of “Acme Podcasts” (acme-podcasts): $118.67, overdue, due on 31 Jan, payment failed',
      '¥77,132 for SKY-US-003-001 since 2 Jan',
      '$305.81 for SKY-US-001-002 and SKY-US-001-004 since 14 Mar',
      '$157.75 still available as credit on 1',
    ],
  },
  {
    skill: 'chase-overdue-invoices',
    question: 'Why has Sakura not paid, and what else do they owe that is not due yet?',
    calls: [call('list_invoices', { external_customer_id: 'Sakura', detail: 'pending_payment' })],
    facts: ['¥77,132 owed', 'overdue, due on 15 Feb, not paid yet', '¥77,132 for SKY-US-003-001 since 2 Jan'],
  },
  {
    skill: 'chase-overdue-invoices',
    question: 'The bank says that the ¥77,132 of Sakura came in. Take them off the list.',
    calls: [
      call('list_invoices', { payment_overdue: true, all: true, currency: 'JPY' }),
      call('update_invoice', { svc_id: '36b5b853-5187-5e40-952c-1769ce417870', payment_status: 'succeeded' }),
      call('list_invoices', { payment_overdue: true, all: true }),
    ],
    facts: [
      '36b5b853-5187-5e40-952c-1769ce417870',
      'marked as paid (was: not paid yet)',
      'marked as paid, with no payment recorded',
      '1 overdue invoice',
    ],
  },
  {
    skill: 'close-the-month',
    question: 'Can we close February?',
    calls: [
      call('get_revenue', { report: 'open_items' }),
      call('list_invoices', february),
      call('get_revenue', { report: 'changes', to_month: '2026-02' }),
    ],
    facts: [
      'SKY-EU-004-001 could not be issued: the tax could not be computed',
      '4 invoices: €34.80 invoiced; €34.80 owed on 1, nothing overdue',
      'Not counted: 1 voided and 1 not issued yet. Not counted as invoiced: 1 with a lost payment dispute.',
      'Refunds not paid out yet (1): €5.18',
      'Payments that failed in the last 90 days (1): $118.67',
      'In EUR: €65.66 → €34.80, −€30.86',
    ],
  },
  {
    skill: 'close-the-month',
    question: 'What did March come to so far, and what of it is still open?',
    calls: [
      call('list_invoices', march),
      call('get_revenue', { report: 'gross_revenue', months: 1 }),
      call('get_revenue', { report: 'receivables' }),
    ],
    facts: [
      '$187.14 invoiced; $187.14 owed on 1',
      'Not counted: 1 draft of $5.44',
      '$187.14 billed this month so far, as of today',
      '$187.14 not yet due',
    ],
  },
  {
    skill: 'close-the-month',
    question: 'Which refunds do we still owe? The one to the bakery went out today: note it.',
    calls: [
      call('get_revenue', { report: 'open_items' }),
      call('update_credit_note', { svc_id: demoRefundId, refund_status: 'succeeded' }),
    ],
    facts: [
      'Refunds not paid out yet (1): €5.18',
      '"external_id":"boulangerie-martin","item":"refund_pending","number":"SKY-EU-002-001-CN001"',
      'Changed: ',
    ],
  },
  {
    skill: 'quote-plan-change',
    question: 'Would Enterprise be cheaper for Acme at what they use?',
    calls: [
      call('list_subscriptions', { external_customer_id: 'Acme', detail: 'minimum_commitment,own_prices' }),
      call('compare_plans', { ...twoPlans, usage: 'last_period' }),
    ],
    facts: [
      '“Acme Studio” (acme-studio) on plan studio at $99.00',
      '"minimum_commitment":{"amount_cents":20000},"own_prices":[]',
      'Studio $459.95, Enterprise $612.10, $152.15 more',
      'Enterprise is cheaper from 5,135 audio_minutes (accurate) a month on',
    ],
  },
  {
    skill: 'quote-plan-change',
    question: 'What would Acme pay if they moved to Enterprise today?',
    calls: [
      call('get_subscription', { external_id: studio }),
      call('preview_invoice', { ...ofAcme, subscriptions: { external_ids: [studio] } }),
      call('preview_invoice', { ...ofAcme, subscriptions: { external_ids: [studio], plan_code: 'enterprise' } }),
    ],
    facts: ['Minimum commitment $200.00', '$106.75, due on 1 May', '$343.30, due on 14 Apr'],
  },
  {
    skill: 'quote-plan-change',
    question: 'Could we give Acme Studio for $79.00, and what would they lose by it?',
    calls: [
      call('get_subscription', { external_id: studio }),
      call('update_subscription', { external_id: studio, plan_overrides: { amount_cents: 7_900 }, dry_run: true }),
    ],
    facts: [
      'plan price: $99.00 → $79.00',
      'cannot return to the plan itself. This removes: minimum commitment of $200.00',
      'have no end date',
    ],
  },
  {
    skill: 'reconcile-payments',
    question: '€65.66 came in on 1 February. Which invoice is it for?',
    calls: [call('list_payments', { from_date: '2026-02-01', to_date: '2026-02-01', all: true })],
    facts: ['SKY-EU-002-001 of boulangerie-martin: €65.66 on 1 Feb, paid'],
  },
  {
    skill: 'reconcile-payments',
    question: 'What is still open, and which payments failed?',
    calls: [
      call('list_payments', { all: true }),
      call('list_invoices', { payment_status: ['pending', 'failed'], status: ['finalized'], all: true }),
    ],
    facts: [
      '€34.80 and $305.81 owed on 3',
      'Failed: SKY-US-001-002, the card was declined',
      '$187.14 being processed (1)',
    ],
  },
  {
    skill: 'reconcile-payments',
    question: 'The bakery says it paid everything. Do our books agree?',
    calls: [
      call('find_customers', { search_term: 'Martin' }),
      call('get_statement', { external_customer_id: 'boulangerie-martin' }),
    ],
    facts: ['€34.80 is owed now, which matches the closing balance to the cent', '€65.66 paid in 1 payment'],
  },
];
