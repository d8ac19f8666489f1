/**
 * Questions about invoices, debts, payments, credit notes and what is set up, each answered from default answers in at
 * most three calls. Replayed like the tasks of tasks.ts; none of them changes anything.
 */
import { demoIds } from '../../src/contract/demo-ids.ts';
import { call, type Task } from './tasks.ts';

const acme = demoIds.external_customer_id;

export const invoiceTasks: Task[] = [
  {
    question: 'Why did this invoice of Gulf Radio fail?',
    calls: [call('get_invoice', { svc_id: 'SKY-EU-004-001' })],
    facts: ['could not be issued', 'the tax could not be computed', 'the tax date is too far in the future'],
  },
  {
    question: 'Which invoices failed, which payments did, and why?',
    calls: [call('list_invoices', { status: ['failed'] }), call('list_invoices', { payment_status: ['failed'] })],
    facts: [
      'SKY-EU-004-001 could not be issued: the tax could not be computed (the tax date is too far in the future)',
      'SKY-US-001-002 payment failed: the card was declined',
      '"total_due_amount_cents":11867',
    ],
  },
  {
    question: 'When did Nora Lund pay, and does she owe anything?',
    calls: [call('get_statement', { external_customer_id: 'nora-lund' })],
    facts: ['$35.93 marked as paid', '$39.52 voided', 'Nothing is owed now', 'SKY-US-005-002 by 13 Feb'],
  },
  {
    question: 'What did Boulangerie Martin owe on 31 January, and what came after?',
    calls: [call('get_statement', { external_customer_id: 'Boulangerie Martin', to_date: '2026-01-31' })],
    facts: ['through 31 Jan: closing balance €65.66', 'Entries after 31 Jan lower it by €30.86; €34.80 is owed now'],
  },
  {
    question: 'Who owes us what, not yet due included?',
    calls: [call('get_revenue', { report: 'receivables' })],
    facts: [
      '€34.80, ¥77,132 and $305.81 owed in all',
      'Owed in USD: $187.14 not yet due and $118.67 overdue for 31–60 days',
      '“Boulangerie Martin” (boulangerie-martin) owes €34.80 on 1 invoice, due on 22 Mar',
      '"external_id":"acme-podcasts"',
      '"not_yet_due_cents":18714,"days_31_60_cents":11867',
    ],
  },
  {
    question: 'How did the $48.00 for the accurate model come about, and the cost centre?',
    calls: [call('get_invoice', { svc_id: 'SKY-US-001-004' })],
    facts: ['“Accurate model”: 500 × $0.06 + 400 × $0.045 = $48.00', 'cost_center “audio-7”'],
  },
  {
    question: 'What are our API calls of December, and what do our seats cost this month?',
    calls: [
      call('get_invoice', { svc_id: 'SKY-US-001-002' }),
      call('preview_invoice', {
        customer: { external_id: acme },
        subscriptions: { external_ids: [demoIds.external_subscription_id] },
      }),
    ],
    facts: [
      '“API calls”: 3 packages of 1,000 at $2.50 after 500 free = $7.50',
      '“Seats”: 8 units at $12.00, prorated = $95.61',
    ],
  },
  {
    question: 'How much was refunded to the bakery, and is it paid out?',
    calls: [call('list_credit_notes', { external_customer_id: 'Boulangerie' })],
    facts: ['refunds of €5.18 not paid out yet', '"refund_amount_cents":518', '"refund_status":"pending"'],
  },
  {
    question: 'What was the credit note of Acme for, and which ticket?',
    calls: [call('list_credit_notes', { external_customer_id: acme })],
    facts: ['The second engineer fell ill', '"ticket":"SUP-1182"', '$157.75 still available'],
  },
  {
    question: 'May I mark the credit note of Acme as paid out?',
    calls: [
      call('update_credit_note', { svc_id: demoIds.credit_note_svc_id, refund_status: 'succeeded', dry_run: true }),
    ],
    facts: ['This credit note has no refund, and the change moves no money'],
  },
  {
    question: 'Is the coupon of the bakery used up after the coming bill?',
    calls: [call('list_catalogue', { kind: 'applied_coupons', external_customer_id: 'Boulangerie Martin' })],
    facts: ['“Welcome 10 %” (welcome10)', '2 uses left, including the next invoice'],
  },
  {
    question: 'How much of the first top-up is left, in credits and money?',
    calls: [call('get_wallet_transaction', { svc_id: demoIds.wallet_transaction_svc_id })],
    facts: ['212.5 credits ($212.50) are unused', 'Name on the invoice: “First top-up”'],
  },
  {
    question: 'Which plans use priority support, and what is onboarding called on invoices?',
    calls: [
      call('delete_add_on', { code: 'priority_support', dry_run: true }),
      call('list_catalogue', { kind: 'add_ons' }),
    ],
    facts: ['The plan “Studio” charges it', '“Onboarding” (onboarding) $750.00, on invoices “Onboarding day”'],
  },
];
