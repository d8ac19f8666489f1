/**
 * "Is this bill right?": questions about the bills of bill-account.ts, each answered in at most three calls. A value in a call
 * is in the question or in an answer before. Replayed like the tasks of tasks.ts.
 */
import { call, type Task } from './tasks.ts';

const check = (svc_id: string, more: Record<string, unknown> = {}) => call('check_invoice', { svc_id, ...more });
const invoicesOf = (external_customer_id: string) => call('list_invoices', { external_customer_id });

export const billTasks: Task[] = [
  {
    question: 'Is the last bill of Alpine Maps right?',
    calls: [invoicesOf('Alpine Maps'), check('ALP-2026-02')],
    facts: ['ALP-2026-02 is right: $167.73', '3 of 3 lines agree'],
  },
  {
    question: 'Birch Freight says that 24,000 routes cost $101.00 and not $111.00. Are they right?',
    calls: [invoicesOf('Birch Freight'), check('BIR-2026-02')],
    facts: ['“Routes”: $111.00, should be $101.00', '$10.29 too much: $178.02, not $167.73'],
  },
  {
    question: 'Did CED-2026-02 have the right tax?',
    calls: [check('CED-2026-02')],
    facts: ['2.9%, not 7.25%', '$2.17 too much: $169.90, not $167.73'],
  },
  {
    question: 'Dune Travel asks where its discount is.',
    calls: [invoicesOf('Dune Travel'), check('DUN-2026-02')],
    facts: ['“Coupons”: $0.00, should be $16.30', 'Ten percent was not applied', '$150.95'],
  },
  {
    question: 'Why was Elm Courier billed for more routes than it reported?',
    calls: [invoicesOf('Elm Courier'), check('ELM-2026-02')],
    facts: ['1 event of routes arrived twice (elm-again)', 'without them, the total is $167.73'],
  },
  {
    question: 'Was anything left out of FJO-2026-02?',
    calls: [check('FJO-2026-02')],
    facts: ['“Storage”: $0.00, should be $12.00', '$12.35 too little'],
  },
  {
    question: 'Why does Grove Studio pay $24.00 for two seats, when one came in the middle of the month?',
    calls: [invoicesOf('Grove Studio'), check('GRO-2026-02'), check('GRO-2026-02', { explain: 'Seats' })],
    facts: ['“Seats”: $24.00, should be $18.00', '$6.17 too much', '"from":"2026-02-15","to":"2026-02-28","days":14'],
  },
  {
    question: 'Which usage of Heath Energy came too late for its bill?',
    calls: [invoicesOf('Heath Energy'), check('HEA-2026-02')],
    facts: ['1 event of routes arrived after the invoice was issued (hea-late)', '25000.0 units, not 24000.0'],
  },
  {
    question: 'Iris Optics has paid already. Do we owe them something?',
    calls: [invoicesOf('Iris Optics'), check('IRI-2026-02')],
    facts: ['“Team”: $55.00, should be $50.00', 'It is paid: $5.14 must be given back'],
  },
  {
    question: 'Is the Storage on JUN-2026-02 right? Only that line.',
    calls: [check('JUN-2026-02', { lines: ['Storage'] })],
    facts: ['“Storage”: $15.00, should be $12.00', '120.0 units, not 150.0', 'The total was not checked'],
  },
  {
    question: 'How do the Routes on ALP-2026-02 come to $101.00, tier by tier?',
    calls: [check('ALP-2026-02', { explain: 'Routes' })],
    facts: ['10,000 × $0.0045 + 14,000 × $0.004 = $101.00', '"total":"45.0"', '"total":"56.0"'],
  },
  {
    question: 'Will the next bill of Dune Travel have its discount?',
    calls: [
      call('list_subscriptions', { external_customer_id: 'Dune Travel' }),
      call('check_invoice', { running: true, external_subscription_id: 'dune-travel-main' }),
    ],
    facts: ['is right: $46.31', '1 of 1 line agrees'],
  },
];
