/** The demo account's invoices. */
import { demoIds } from '../../contract/demo-ids.ts';
import type { AccountFile } from './schema.ts';

type Part<Section extends keyof AccountFile> = NonNullable<AccountFile[Section]>;

/** Bounds of the previous month, in a customer's time zone. */
const lastMonth = (zone: string) => ({ from: `now/month-P1M@${zone}`, to: `now/month-PT1S@${zone}` });

const acmePeriod = lastMonth('America/New_York');

const acmeInvoices: Part<'invoices'> = [
  {
    external_customer_id: 'acme-podcasts',
    number: 'SKY-US-001-001',
    issuing_date: 'now/month-P4M',
    invoice_type: 'one_off',
    payment_status: 'succeeded',
    fees: [{ type: 'add_on', add_on_code: 'onboarding', unit_amount: '750', description: 'Two engineers, one day' }],
    total_paid_amount_cents: 81_656,
    metadata: [{ key: 'project', value: 'launch' }],
  },
  {
    external_customer_id: 'acme-podcasts',
    number: 'SKY-US-001-002',
    issuing_date: 'now/month-P2M',
    payment_status: 'failed',
    payment_overdue: true,
    fees: [
      {
        type: 'subscription',
        external_subscription_id: 'acme-studio',
        amount: '99',
        amount_details: { plan_amount_cents: 9900 },
      },
      {
        type: 'charge',
        external_subscription_id: 'acme-studio',
        charge_code: 'calls',
        amount: '7.5',
        units: '3240',
        events_count: 3240,
      },
      { type: 'charge', external_subscription_id: 'acme-studio', charge_code: 'calls', amount: '2.5', true_up_of: 1 },
    ],
    billing_periods: [
      {
        external_subscription_id: 'acme-studio',
        from: 'now/month-P3M@America/New_York',
        to: 'now/month-P2M-PT1S@America/New_York',
      },
    ],
  },
  {
    external_customer_id: 'acme-podcasts',
    number: 'SKY-US-001-003',
    issuing_date: 'now/month-P3M+P4D',
    invoice_type: 'credit',
    payment_status: 'succeeded',
    fees: [{ type: 'credit', units: '400', unit_amount: '1' }],
    total_paid_amount_cents: 40_000,
  },
  {
    id: demoIds.invoice_svc_id,
    external_customer_id: 'acme-podcasts',
    number: 'SKY-US-001-004',
    issuing_date: 'now/month',
    fees: [
      {
        type: 'subscription',
        external_subscription_id: 'acme-studio',
        amount: '99',
        from_date: acmePeriod.from,
        to_date: acmePeriod.to,
        amount_details: { plan_amount_cents: 9900 },
      },
      {
        type: 'charge',
        external_subscription_id: 'acme-studio',
        charge_code: 'minutes',
        amount: '117',
        units: '5200',
        events_count: 214,
        from_date: acmePeriod.from,
        to_date: acmePeriod.to,
        amount_details: {
          graduated_ranges: [
            {
              units: '1000.0',
              from_value: 0,
              to_value: 1000,
              flat_unit_amount: '0.0',
              per_unit_amount: '0.03',
              per_unit_total_amount: '30.0',
              total_with_flat_amount: '30.0',
            },
            {
              units: '4000.0',
              from_value: 1001,
              to_value: 5000,
              flat_unit_amount: '5.0',
              per_unit_amount: '0.02',
              per_unit_total_amount: '80.0',
              total_with_flat_amount: '85.0',
            },
            {
              units: '200.0',
              from_value: 5001,
              to_value: null,
              flat_unit_amount: '0.0',
              per_unit_amount: '0.01',
              per_unit_total_amount: '2.0',
              total_with_flat_amount: '2.0',
            },
          ],
        },
      },
      {
        type: 'charge',
        external_subscription_id: 'acme-studio',
        charge_code: 'minutes',
        filter: { model: ['accurate'] },
        amount: '48',
        units: '900',
        events_count: 37,
        from_date: acmePeriod.from,
        to_date: acmePeriod.to,
      },
      {
        type: 'charge',
        external_subscription_id: 'acme-studio',
        charge_code: 'tokens',
        grouped_by: { project: 'daily-show' },
        amount: '8.46',
        units: '423000',
        events_count: 61,
        pay_in_advance: true,
        event_transaction_id: 'acme-tokens-last-month',
        from_date: acmePeriod.from,
        to_date: acmePeriod.to,
      },
      {
        type: 'fixed_charge',
        external_subscription_id: 'acme-studio',
        fixed_charge_code: 'priority_support',
        unit_amount: '150',
        from_date: acmePeriod.from,
        to_date: acmePeriod.to,
      },
    ],
    billing_periods: [{ external_subscription_id: 'acme-studio', ...acmePeriod }],
    coupons: [
      { code: 'minutes5', amount_cents: 825 },
      { code: 'loyal25', amount_cents: 1_500 },
    ],
    credit_notes: [{ number: 'SKY-US-001-001-CN001', amount_cents: 6_000 }],
    prepaid_credit_amount_cents: 18_750,
    metadata: [{ key: 'cost_center', value: 'audio-7' }],
  },
  {
    external_customer_id: 'acme-podcasts',
    number: 'SKY-US-DRAFT',
    issuing_date: 'now',
    status: 'draft',
    fees: [
      {
        type: 'charge',
        external_subscription_id: 'acme-studio',
        charge_code: 'calls',
        amount: '5',
        units: '1800',
        events_count: 1800,
      },
    ],
  },
];

const otherInvoices: Part<'invoices'> = [
  {
    external_customer_id: 'boulangerie-martin',
    number: 'SKY-EU-002-001',
    issuing_date: 'now/month-P2M+P9D',
    payment_status: 'succeeded',
    fees: [
      {
        type: 'subscription',
        external_subscription_id: 'martin-starter',
        amount: '29',
        pay_in_advance: true,
        amount_details: { plan_amount_cents: 2900 },
      },
      {
        type: 'charge',
        external_subscription_id: 'martin-starter',
        charge_code: 'minutes',
        grouped_by: { project: 'radio' },
        amount: '4.8',
        units: '120',
        events_count: 9,
      },
      {
        type: 'fixed_charge',
        external_subscription_id: 'martin-starter',
        fixed_charge_code: 'glossary',
        units: '3',
        unit_amount: '9',
        pay_in_advance: true,
      },
    ],
    billing_periods: [
      {
        external_subscription_id: 'martin-starter',
        from: 'now/month-P2M+P9D@Europe/Paris',
        to: 'now/month-P1M+P9D-PT1S@Europe/Paris',
      },
    ],
    coupons: [{ code: 'welcome10', amount_cents: 608 }],
    total_paid_amount_cents: 6_566,
    invoice_custom_section_codes: ['bank_details'],
  },
  {
    external_customer_id: 'boulangerie-martin',
    number: 'SKY-EU-002-002',
    issuing_date: 'now/month-P1M+P9D',
    payment_due_date: 'now+P7D',
    fees: [
      {
        type: 'subscription',
        external_subscription_id: 'martin-starter',
        amount: '29',
        pay_in_advance: true,
        amount_details: { plan_amount_cents: 2900 },
      },
    ],
  },
  {
    external_customer_id: 'sakura-games',
    number: 'SKY-US-003-001',
    issuing_date: 'now/quarter',
    fees: [
      { type: 'subscription', external_subscription_id: 'sakura-arcade', amount: '45000' },
      {
        type: 'charge',
        external_subscription_id: 'sakura-arcade',
        charge_code: 'streams',
        amount: '19000',
        units: '180',
        events_count: 92,
      },
      {
        type: 'charge',
        external_subscription_id: 'sakura-arcade',
        charge_code: 'voices',
        amount: '6120',
        units: '51',
        events_count: 51,
      },
    ],
    billing_periods: [
      {
        external_subscription_id: 'sakura-arcade',
        from: 'now/quarter-P3M@Asia/Tokyo',
        to: 'now/quarter-PT1S@Asia/Tokyo',
      },
    ],
  },
  {
    external_customer_id: 'gulf-radio',
    number: 'SKY-EU-004-001',
    issuing_date: 'now/month-P3M+P4D',
    status: 'failed',
    fees: [
      {
        type: 'charge',
        external_subscription_id: 'gulf-broadcast',
        charge_code: 'payouts',
        amount: '31.255',
        units: '1625.5',
        events_count: 14,
      },
    ],
    error_details: [{ error_code: 'tax_error', details: { tax_error: 'taxDateTooFarInFuture' } }],
  },
  {
    external_customer_id: 'gulf-radio',
    number: 'SKY-EU-004-002',
    issuing_date: 'now/month-P1M+P4D',
    status: 'pending',
    fees: [
      {
        type: 'charge',
        external_subscription_id: 'gulf-broadcast',
        charge_code: 'languages',
        amount: '34',
        units: '8',
        events_count: 5,
      },
    ],
  },
  {
    external_customer_id: 'nora-lund',
    number: 'SKY-US-005-001',
    issuing_date: 'now/month-P1M+P11D',
    status: 'voided',
    voided_at: 'now/month-P1M+P12D',
    fees: [{ type: 'subscription', external_subscription_id: 'nora-studio', amount: '36.3' }],
  },
  {
    external_customer_id: 'nora-lund',
    number: 'SKY-US-005-002',
    issuing_date: 'now/month-P1M+P12D',
    payment_status: 'succeeded',
    payment_dispute_lost_at: 'now-P3D',
    fees: [{ type: 'subscription', external_subscription_id: 'nora-studio', amount: '33' }],
  },
];

export const invoices: Part<'invoices'> = [...acmeInvoices, ...otherInvoices];
