/**
 * Billing questions as people ask them, the calls that answer them, and the facts that the final answer needs. Replayed
 * on the demo account at a fixed instant: every fact must be in what the calls return by default.
 */
import { demoIds, demoRefundId } from '../../src/contract/demo-ids.ts';

export const askedAt = '2026-03-15T12:00:00Z';

interface Call {
  tool: string;
  args: Record<string, unknown>;
  /** The code of the error that this call is expected to get. */
  error?: string;
}

export interface Task {
  question: string;
  calls: Call[];
  /** Texts that the answers must contain, so that the question can be answered. */
  facts: string[];
}

export const call = (tool: string, args: Call['args'], error?: string): Call => ({
  ...{ tool, args },
  ...(error && { error }),
});

const customer = (external_id: string) => ({ customer: { external_id } });
const acme = demoIds.external_customer_id;
const studio = demoIds.external_subscription_id;

export const tasks: Task[] = [
  {
    question: 'How much will our next invoice be, and when is it due?',
    calls: [call('preview_invoice', { ...customer(acme), subscriptions: { external_ids: [studio] } })],
    facts: ['$106.75, due on 1 May', 'Issue date: 1 Apr'],
  },
  {
    question: 'Why is there $150 of priority support on it?',
    calls: [call('preview_invoice', { ...customer(acme), subscriptions: { external_ids: [studio] } })],
    facts: ['Priority support', '“Priority support”: $150.00', 'fixed_charge'],
  },
  {
    question: 'How are our transcription minutes priced this month?',
    calls: [call('preview_invoice', { ...customer(acme), subscriptions: { external_ids: [studio] } })],
    facts: ['“Transcription”: 983.9 × $0.03', '“Accurate model”: 245 × $0.06'],
  },
  {
    question: 'What do I pay if I cancel martin-starter on 20 March?',
    calls: [
      call('preview_invoice', {
        ...customer('boulangerie-martin'),
        subscriptions: { external_ids: ['martin-starter'], terminated_at: '2026-03-20T10:00:00Z' },
      }),
    ],
    facts: ['€0.00', 'credit for the unused part of the plan −€1.81'],
  },
  {
    question: 'What would moving Acme to Enterprise today cost?',
    calls: [
      call('preview_invoice', {
        ...customer(acme),
        subscriptions: { external_ids: [studio], plan_code: 'enterprise' },
      }),
    ],
    facts: ['$343.30', 'Enterprise', '$273.65'],
  },
  {
    question: 'Which is cheaper for Acme, Studio or Enterprise?',
    calls: [call('compare_plans', { plan_codes: ['studio', 'enterprise'], ...customer(acme) })],
    facts: ['Full month', 'Studio is cheapest', '"difference_cents"', 'First invoice'],
  },
  {
    question: 'What would Studio and Enterprise cost in a month with 40,000 minutes of audio?',
    calls: [
      call('compare_plans', {
        plan_codes: ['studio', 'enterprise'],
        usage: [{ billable_metric_code: 'audio_minutes', units: 40_000 }],
      }),
    ],
    facts: ['with 40,000 audio_minutes', 'Studio $788.26', 'Enterprise $1,065.89'],
  },
  {
    question: 'Compare Starter with the plan called Gigantic.',
    calls: [call('compare_plans', { plan_codes: ['starter', 'gigantic'] })],
    facts: ['Could not be computed', 'gigantic', 'plan_not_found', 'starter'],
  },
  {
    question: 'Which plans do you offer, and what do they cost?',
    calls: [call('list_plans', {})],
    facts: ['Studio', '$99.00 a month', '€29.00 a month', '¥45,000 a quarter', 'KD 1,200.000 a year'],
  },
  {
    question: 'Is there a plan after the first two on the list?',
    calls: [call('list_plans', { per_page: 2 }), call('list_plans', { per_page: 2, page: 2 })],
    facts: ['Page 1 of 3', 'page: 2', 'Page 2 of 3'],
  },
  {
    question: 'Who is customer Gulf Radio, and is anything wrong with their account?',
    calls: [call('get_customer', { external_customer_id: 'gulf-radio' })],
    facts: ['the tax could not be computed', 'tax_error', 'Asia/Kuwait', 'KWD'],
  },
  {
    question: `Look up the customer ${demoIds.invoice_svc_id}.`,
    calls: [
      call('get_customer', { external_customer_id: demoIds.invoice_svc_id }, 'customer_not_found'),
      call('get_customer', { external_customer_id: acme }),
    ],
    facts: ['external ID', 'Acme Podcasts'],
  },
  {
    question: 'Can I have the link to our billing portal?',
    calls: [call('get_customer_portal_url', { external_customer_id: acme })],
    facts: ['/customer-portal/', '12 hours'],
  },
  {
    question: 'Our card payment is stuck. What do we have to do?',
    calls: [call('get_payment', { svc_id: demoIds.payment_svc_id })],
    facts: ['must act', 'https://pay.example/confirm/pay_0003', '$187.14', 'SKY-US-001-004'],
  },
  {
    question: 'We sent the money for SKY-US-001-004 by bank transfer yesterday; please mark it as paid.',
    calls: [call('update_invoice', { svc_id: demoIds.invoice_svc_id, payment_status: 'succeeded' })],
    facts: [
      'SKY-US-001-004',
      'marked as paid, with no payment recorded',
      '"confirmed_by":"person"',
      '"applied":["payment_status"]',
    ],
  },
  {
    question: 'Mark the draft or whatever invoice "SKY-US-001-004" as paid.',
    calls: [
      call('update_invoice', { svc_id: 'SKY-US-001-004', payment_status: 'succeeded' }, 'invalid_arguments'),
      call('update_invoice', { svc_id: demoIds.invoice_svc_id, payment_status: 'paid' }, 'invalid_arguments'),
    ],
    facts: ['UUID', 'Nothing was changed', 'payment_status', 'send succeeded instead'],
  },
  {
    question: 'The refund to Boulangerie Martin went out. Note it, with ticket SUP-1400.',
    calls: [
      call('update_credit_note', {
        svc_id: demoRefundId,
        refund_status: 'succeeded',
        metadata: { refund_ticket: 'SUP-1400' },
      }),
    ],
    facts: ['SKY-EU-002-001-CN001', '€5.18', 'SUP-1400'],
  },
  {
    question: 'Rename our prepaid wallet to "Prepaid 2026" and let it run until the end of 2027.',
    calls: [
      call('update_wallet', {
        svc_id: demoIds.wallet_svc_id,
        name: 'Prepaid 2026',
        expiration_at: '2027-12-31T23:59:59Z',
        applies_to: { fee_types: ['charge'] },
      }),
    ],
    facts: ['Prepaid 2026', '$312.50', '2027-12-31T23:59:59Z', '"not_applied":[]'],
  },
  {
    question: 'How many credits of the first top-up are left?',
    calls: [call('get_wallet_transaction', { svc_id: demoIds.wallet_transaction_svc_id })],
    facts: ['First top-up', '212.5'],
  },
  {
    question: 'When do we get a warning about the wallet?',
    calls: [
      call('get_wallet_alert', {
        external_customer_id: acme,
        wallet_code: demoIds.wallet_code,
        code: demoIds.wallet_alert_code,
      }),
    ],
    facts: ['next at $100.00', '10000.0', '$142.19 now'],
  },
  {
    question: "Warn us when this month's usage passes $750, and tell me which alerts there are.",
    calls: [
      call('create_subscription_alert', {
        external_id: studio,
        code: 'lifetime_750',
        name: 'Lifetime over $750',
        alert_type: 'lifetime_usage_amount',
        thresholds: [{ value: 75_000 }],
      }),
      call('list_subscription_alerts', { external_id: studio }),
    ],
    facts: ['lifetime_750', '75000.0', '3 alerts', 'Monthly spend', 'Audio minutes'],
  },
  {
    question: 'Create the same spend alert once more.',
    calls: [
      call(
        'create_subscription_alert',
        { external_id: studio, code: 'spend', alert_type: 'current_usage_amount', thresholds: [{ value: 1000 }] },
        'invalid_arguments',
      ),
    ],
    facts: ['Nothing was changed', 'code is already used on this subscription by alert “Monthly spend” (spend)'],
  },
  {
    question: 'What would 1,000 more summary tokens cost right now, and did my event acme-tokens-001 count?',
    calls: [
      call('estimate_fees', {
        external_subscription_id: studio,
        code: demoIds.billable_metric_code,
        properties: { tokens: 1000 },
      }),
      call('get_event', { transaction_id: demoIds.event_transaction_id }),
    ],
    facts: ['$0.02', 'acme-tokens-001', 'tokens', 'acme-studio'],
  },
  {
    question: 'Give Acme Studio for $89 a month. What happens if we do that?',
    calls: [
      call('update_subscription', { external_id: studio, plan_overrides: { amount_cents: 8900 }, dry_run: true }),
    ],
    facts: ['nothing was changed', 'PUT', '/subscriptions/acme-studio', 'commitment of $200.00', 'cannot return'],
  },
  {
    question: 'Raise the onboarding day to $1,250, and delete the glossary add-on after telling me what that does.',
    calls: [
      call('update_add_on', { code: demoIds.add_on_code, amount_cents: 125_000 }),
      call('delete_add_on', { code: 'glossary', dry_run: true }),
      call('delete_add_on', { code: 'glossary' }),
      call('delete_add_on', { code: 'glossary' }, 'add_on_not_found'),
    ],
    facts: [
      '$1,250.00',
      'The plan “Starter” charges it',
      'The plan “Starter” lost the charge',
      'Deleted: ',
      'Nothing was changed',
    ],
  },
  {
    question: 'Set up our French company as a billing entity, and where do our notifications go?',
    calls: [
      call(
        'create_billing_entity',
        { code: 'skylark-fr', name: 'Skylark France', country: 'FR', timezone: 'Europe/Pariss' },
        'invalid_arguments',
      ),
      call('create_billing_entity', {
        code: 'skylark-fr',
        name: 'Skylark France',
        country: 'FR',
        default_currency: 'EUR',
        timezone: 'Europe/Paris',
      }),
      call('get_webhook_endpoint', { svc_id: demoIds.webhook_endpoint_svc_id }),
    ],
    facts: ['did you mean Europe/Paris', 'skylark-fr', 'https://hooks.skylark.example/billing'],
  },
  {
    question: 'Month-end: rename the onboarding fee to “Onboarding 2026”, and note ticket SUP-1500 on the credit note.',
    calls: [
      call('change_several', {
        changes: [
          {
            tool: 'update_add_on',
            arguments: JSON.stringify({ code: demoIds.add_on_code, invoice_display_name: 'Onboarding 2026' }),
          },
          {
            tool: 'update_credit_note',
            arguments: JSON.stringify({ svc_id: demoIds.credit_note_svc_id, metadata: { ticket: 'SUP-1500' } }),
          },
        ],
      }),
    ],
    facts: ['Both changes were carried out'],
  },
];
