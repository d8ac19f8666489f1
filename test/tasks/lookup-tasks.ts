/**
 * Questions as people ask them: names, no ids. An assistant finds the customer, reads the overview or a list, then one
 * record. The ids in the calls are those that an answer before showed. Replayed like the tasks of tasks.ts; the write is
 * the last.
 */
import { demoIds } from '../../src/contract/demo-ids.ts';
import { call, type Task } from './tasks.ts';

const acme = demoIds.external_customer_id;
const studio = demoIds.external_subscription_id;
const find = (search_term: string) => call('find_customers', { search_term });

export const lookupTasks: Task[] = [
  {
    question: 'How much has Acme used this month?',
    calls: [find('Acme'), call('get_usage', { external_customer_id: acme })],
    facts: ['Exactly one customer', '$154.01', '“Seats” 8 = $95.61', 'estimate', '$222.11'],
  },
  {
    question: 'Will the next bill of Acme be right?',
    calls: [call('check_invoice', { running: true, external_subscription_id: studio })],
    facts: ['is right: $106.75', '8 of 8 lines agree'],
  },
  {
    question: 'And last month?',
    calls: [call('get_usage', { external_customer_id: acme, period: 'past' })],
    facts: ['used $173.46 in 1 – 28 Feb (America/New_York)', '"name":"Transcription","units":"6100.0"', 'before taxes'],
  },
  {
    question: 'What should I know before I call Acme?',
    calls: [find('Acme'), call('get_customer_overview', { external_customer_id: acme })],
    facts: ['$305.81 is owed', 'with $118.67 overdue', '31 Jan', '$312.50 left', '(2 set)', '$157.75'],
  },
  {
    question: 'Which invoices are overdue?',
    calls: [call('list_invoices', { payment_overdue: true })],
    facts: ['2 of 2', 'SKY-US-003-001', '¥77,132', 'sakura-games', 'SKY-US-001-002', '$118.67', acme, '31 Jan'],
  },
  {
    question: 'Who owes us money, and who is late by how long?',
    calls: [
      call('list_invoices', { status: ['finalized'], payment_status: ['pending', 'failed'] }),
      call('get_revenue', { report: 'overdue' }),
    ],
    facts: [
      '€34.80, ¥77,132 and $305.81 owed on 4',
      'boulangerie-martin',
      '“Sakura Games”',
      '¥77,132 for 1–30 days',
      '“Acme Podcasts”',
      '$118.67 for 31–60 days',
    ],
  },
  {
    question: 'Can you send Acme a statement of account for this year?',
    calls: [find('Acme'), call('get_statement', { external_customer_id: acme, from_date: '2026-01-01' })],
    facts: [
      '1 Jan – 15 Mar: opening balance $0.00, closing balance $305.81',
      '$60.00 of credit notes applied',
      'matches the closing balance to the cent',
    ],
  },
  {
    question: "Why did Acme's card payment fail?",
    calls: [
      call('list_payments', { external_customer_id: 'Acme', payment_status: ['failed'] }),
      call('get_payment', { svc_id: '6646a7ca-5e38-51c5-9fe6-282d6db15b61' }),
    ],
    facts: [
      '6646a7ca-5e38-51c5-9fe6-282d6db15b61',
      '$118.67',
      'SKY-US-001-002',
      'the card was declined',
      'card_declined',
      '2 Jan',
    ],
  },
  {
    question: "Why was Acme's last invoice higher than the one before?",
    calls: [
      call('list_invoices', { external_customer_id: 'Acme' }),
      call('get_invoice', { svc_id: demoIds.invoice_svc_id }),
      call('get_invoice', { svc_id: 'SKY-US-001-002' }),
    ],
    facts: [
      '(acme-podcasts): $187.14, due on 31 Mar',
      '(acme-podcasts): $118.67, overdue, due on 31 Jan',
      '“Priority support”: $150.00',
      '200 × $0.01 = $117.00',
      '500 × $0.06 + 400 × $0.045 = $48.00',
      '423,000 × $0.00002 = $8.46',
      '“API calls”: $2.50 added to reach the $10.00 minimum',
      '− coupons $23.25',
      'credit note −$60.00',
      'prepaid −$187.50',
    ],
  },
  {
    question: "What's the balance of Acme's wallet?",
    calls: [call('list_wallets', { external_customer_id: 'Acme' })],
    facts: [
      'has $312.50 (312.5 credits)',
      '$142.19 is left',
      '28 Feb 2027, 19:00 in America/New_York',
      'credits to reach 400',
    ],
  },
  {
    question: 'Did a top-up of it go wrong?',
    calls: [
      call('list_wallets', { external_customer_id: acme }),
      call('list_wallet_transactions', { svc_id: demoIds.wallet_svc_id }),
    ],
    facts: [
      '$400.00 bought',
      '1 failed and moved nothing',
      '"amount":"50.0","remaining_amount_cents":5000,"failed_at":"2025-12-31T19:00:00-05:00',
      '1 is pending',
    ],
  },
  {
    question: "Do any customers' credits expire soon?",
    calls: [call('list_wallets', {})],
    facts: ['3 active wallets', 'Next to expire: “Prepaid”', 'acme-podcasts, on 1 Mar 2027', '1 ended wallet'],
  },
  {
    question: 'Who is on Starter?',
    calls: [call('list_subscriptions', { plan_code: 'Starter' }), call('list_subscriptions', { plan_code: 'starter' })],
    facts: ['“Starter” (starter)', '1 active', 'boulangerie-martin', '€29.00'],
  },
  {
    question: 'Who has left us, and when?',
    calls: [
      call('list_subscriptions', { status: ['terminated', 'canceled'] }),
      call('get_customer_overview', { external_customer_id: 'nora-lund' }),
    ],
    facts: ['“Nora Lund”', 'nora-studio', '"terminated_at":"2026-02-12', 'Nothing is owed', 'None is active'],
  },
  {
    question: 'What did Sakura pay last?',
    calls: [call('list_payments', { external_customer_id: 'Sakura' })],
    facts: ['1 of 1', '¥77,132 pending', 'SKY-US-003-001', '2026-01-02'],
  },
  {
    question: 'Which coupons does the bakery have?',
    calls: [
      find('bakery'),
      call('find_customers', {}),
      call('list_catalogue', { kind: 'applied_coupons', external_customer_id: 'boulangerie-martin' }),
    ],
    facts: [
      'No customer has “bakery”',
      '"external_id":"boulangerie-martin","name":"Boulangerie Martin"',
      '“Welcome 10 %” (welcome10) 10% on 3 invoices',
      '€6.08',
      '"frequency_duration_remaining":2',
    ],
  },
  {
    question: 'Have they paid, and how?',
    calls: [
      call('list_invoices', { external_customer_id: 'boulangerie-martin' }),
      call('list_payments', { external_customer_id: 'boulangerie-martin' }),
    ],
    facts: ['€34.80 owed on 1', 'nothing overdue', '€65.66 paid', 'VIR-20881', '2026-02-01'],
  },
  {
    question: 'Did the bakery send us minutes yesterday?',
    calls: [
      call('list_subscriptions', { external_customer_id: 'Boulangerie' }),
      call('list_events', {
        external_subscription_id: 'martin-starter',
        code: 'audio_minutes',
        timestamp_from: '2026-03-14',
        timestamp_to: '2026-03-14',
      }),
    ],
    facts: ['martin-starter', '2 events', '14 Mar, 19:00 in Europe/Paris', '"minutes":"3"', '"minutes":"4"'],
  },
  {
    question: 'Use the wallet of Acme first from now on. And who changed it, and when?',
    calls: [
      call('update_wallet', { svc_id: demoIds.wallet_svc_id, priority: 3 }),
      call('list_activity', { external_customer_id: 'acme-podcasts', resource_types: ['Wallet'] }),
    ],
    facts: ['priority', '→ 3', 'by an API key'],
  },
  {
    question: 'What does Gulf Radio pay, and for what?',
    calls: [
      call('get_customer_overview', { external_customer_id: 'Gulf Radio' }, 'several_customers'),
      call('get_customer_overview', { external_customer_id: 'gulf-radio' }),
      call('get_subscription', { external_id: 'gulf-broadcast' }),
    ],
    facts: ['“Gulf Radio Kids”', 'gulf-broadcast', 'KD 1,200.000 a year', 'languages KD 4.250 each', 'Nothing is owed'],
  },
  {
    question: 'How much credit has Acme left, the wallet aside?',
    calls: [call('list_credit_notes', { external_customer_id: 'Acme' })],
    facts: ['SKY-US-001-001-CN001', '$217.75', '$157.75 still available'],
  },
  {
    question: 'Which refunds have not gone out yet?',
    calls: [call('list_credit_notes', { refund_status: 'pending' })],
    facts: ['1 credit note', 'refunds of €5.18 not paid out yet', 'boulangerie-martin', 'SKY-EU-002-001-CN001'],
  },
  {
    question: 'What have we billed in the last year?',
    calls: [call('get_revenue', { report: 'gross_revenue' })],
    facts: [
      '€95.28, ¥77,132 and $1,522.37',
      'last 12 months',
      'not what was paid',
      '$400.00 of this is for wallet top-ups',
    ],
  },
  {
    question: 'What is our MRR?',
    calls: [call('get_revenue', { report: 'mrr' })],
    facts: ['Mar 2026', '$103.88', '€34.80', 'usage, add-ons, top-ups'],
  },
  {
    question: 'Which customers do we have in France and Japan?',
    calls: [call('find_customers', { countries: ['FR', 'JP'] })],
    facts: ['2 customers', '“Boulangerie Martin”', '“Sakura Games”', '2 of 2'],
  },
  {
    question: 'Which invoices of this month are still drafts?',
    calls: [
      call('list_invoices', { status: ['draft'], issuing_date_from: '2026-03-01' }),
      call('get_invoice', { svc_id: '29f2295e-28a4-51f0-9679-c57482277e50' }),
    ],
    facts: [
      '1 draft of $5.44',
      '29f2295e-28a4-51f0-9679-c57482277e50',
      acme,
      '2 packages of 1,000 at $2.50 after 500 free = $5.00',
    ],
  },
  {
    question: 'Would Acme have paid less on Enterprise last month?',
    calls: [
      call('list_subscriptions', { external_customer_id: 'Acme' }),
      call('compare_plans', {
        plan_codes: [demoIds.plan_code, 'enterprise'],
        customer: { external_id: acme },
        external_subscription_id: studio,
        usage: 'last_period',
      }),
    ],
    facts: [studio, 'Studio $459.95, Enterprise $612.10', 'Studio is cheapest', 'last invoiced period'],
  },
  {
    question: "Sakura's bank transfer is here. Mark their invoice as paid.",
    calls: [
      call('list_invoices', { external_customer_id: 'Sakura', payment_overdue: true }),
      call('update_invoice', { svc_id: '36b5b853-5187-5e40-952c-1769ce417870', payment_status: 'succeeded' }),
    ],
    facts: [
      '36b5b853-5187-5e40-952c-1769ce417870',
      'SKY-US-003-001',
      '¥77,132',
      'marked as paid, with no payment recorded',
      '"confirmed_by":"person"',
    ],
  },
];
