/**
 * Questions about what changed and what it does, each answered from default answers in at most three calls: no `detail`,
 * no dry run for what a read shows. Replayed like the tasks of tasks.ts; the writes are the last.
 */
import { demoIds } from '../../src/contract/demo-ids.ts';
import { call, type Task } from './tasks.ts';

const acme = demoIds.external_customer_id;
const studio = demoIds.external_subscription_id;
const alert = {
  ...{ external_id: studio, code: 'seats-spend', alert_type: 'billable_metric_current_usage_amount' },
  ...{ billable_metric_code: 'seats', thresholds: [{ value: 20_000 }] },
};
const price = { external_id: studio, plan_overrides: { amount_cents: 7_900 } };

export const changeTasks: Task[] = [
  {
    question: 'Why is SKY-US-001-004 higher than the one before?',
    calls: [call('get_invoice', { svc_id: 'SKY-US-001-004', compared_to: 'previous' })],
    facts: [
      'is $68.47 higher than SKY-US-001-002: $118.67 on 1 Jan → $187.14 on 1 Mar',
      'new lines +$323.46, removed lines −$10.00, coupons −$23.25, tax +$25.76, credit notes −$60.00, prepaid credits −$187.50 = +$68.47',
      'New: “Priority support” +$150.00',
    ],
  },
  {
    question: 'Will the next bill of Acme be lower than the last one, and why?',
    calls: [
      call('list_invoices', { external_customer_id: 'Acme' }),
      call('get_invoice', { svc_id: 'SKY-US-001-004', compared_to: 'running' }),
    ],
    facts: [
      '$80.39 lower than SKY-US-001-004: $187.14 on 1 Mar → $106.75 in the preview',
      '“Transcription”: 5,200 → 983.9 units −$87.48',
      'Billed per event, not in the preview: “Summary tokens”',
    ],
  },
  {
    question: 'Is this event billed, and with which period?',
    calls: [call('get_event', { transaction_id: 'acme-tokens-020' })],
    facts: [
      '26 Feb, 15:00 in America/New_York',
      'It falls in the usage period 1 – 28 Feb (America/New_York), invoiced on 1 Mar',
      'No fee is for just this event',
    ],
  },
  {
    question: 'Which of the last tokens events are not invoiced yet, and how many tokens are they?',
    calls: [call('list_events', { external_subscription_id: studio, code: 'tokens' })],
    facts: [
      'Listed: tokens 163,090 in 20 events',
      '17 in 1 – 31 Mar (America/New_York), not invoiced yet',
      '3 in 1 – 28 Feb (America/New_York), invoiced on 1 Mar',
    ],
  },
  {
    question: "Which of Acme's usage is not on the coming invoice?",
    calls: [
      call('get_usage', { external_customer_id: acme }),
      call('preview_invoice', { customer: { external_id: acme }, subscriptions: { external_ids: [studio] } }),
    ],
    facts: ['Billed per event, not at period end: “Summary tokens”', 'Not included: tokens, billed per event'],
  },
  {
    question: 'Who is told when an alert at $200.00 for seats goes off, and does it go off again?',
    calls: [call('create_subscription_alert', { ...alert, dry_run: true })],
    facts: [
      'Amounts count before tax. It triggers at or above a threshold; a threshold that is not recurring triggers once in each period.',
      'When it triggers, alert.triggered is sent to “Alerts only” (hooks.skylark.example) and “Production”',
      'No tool here changes or deletes an alert.',
    ],
  },
  {
    question: 'What stays if we lower their plan price, and from when does it count?',
    calls: [call('update_subscription', { ...price, dry_run: true })],
    facts: [
      'plan price: $99.00 → $79.00',
      'Unchanged: priority_support (1 unit), “Transcription”, api_calls, seats, tokens and payouts; taxes.',
      'The new prices apply to the whole current period and have no end date.',
    ],
  },
  {
    question: 'Lower it. What will the bill be after the price change?',
    calls: [call('update_subscription', price)],
    facts: ['the plan price is $79.00 (was $99.00)', 'The current period’s invoice so far: $106.75 → $85.18'],
  },
];
