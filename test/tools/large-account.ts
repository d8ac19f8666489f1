/** Account files that are larger than the demo: more plans, longer charges, fuller records. Everything in them is made up. */
import { createHash } from 'node:crypto';
import type { AccountFile } from '../../src/service/account-file/schema.ts';

type Entry<Section extends Exclude<keyof AccountFile, 'organization'>> = NonNullable<AccountFile[Section]>[number];
type Charge = NonNullable<Entry<'plans'>['charges']>[number];

export interface Size {
  plans: number;
  /** Of each plan. */
  charges: number;
  fixedCharges: number;
  currency: string;
  /** Fees of the invoice, and events of each metric. */
  fees: number;
}

/** Ids as services make them: they cost twice the tokens of the demo's. */
export const idOf = (name: string): string => {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const range = (n: number) => Array.from({ length: n }, (_, i) => i);

const models: Omit<Charge, 'billable_metric_code'>[] = [
  { charge_model: 'standard', properties: { amount: '0.12' } },
  {
    charge_model: 'package',
    properties: { amount: '25', package_size: 1000, free_units: 500 },
    min_amount_cents: 5000,
  },
  {
    charge_model: 'graduated',
    properties: {
      graduated_ranges: [
        { from_value: 0, to_value: 10_000, per_unit_amount: '0.02', flat_amount: '0' },
        { from_value: 10_001, to_value: null, per_unit_amount: '0.015', flat_amount: '20' },
      ],
    },
  },
  { charge_model: 'percentage', properties: { rate: '2.5', fixed_amount: '0.3', free_units_per_events: 5 } },
];

/** Billed at each event, so that a fee can be estimated. */
const atOnce = { charge_model: 'standard', pay_in_advance: true, properties: { amount: '0.5' } } as const;

export function largeAccount(size: Size): AccountFile {
  const { currency } = size;
  const taxes = ['state', 'county', 'city'].map(code => ({ code, name: `${code} sales tax`, rate: '2.125' }));
  const metrics = range(size.charges).map(n => ({ code: `metric_${n}`, name: `Metric ${n}`, field_name: 'amount' }));
  return {
    organization: { name: 'Northwind Metering' },
    billing_entities: [
      { code: 'northwind', name: 'Northwind', tax_codes: taxes.map(tax => tax.code), net_payment_term: 30 },
    ],
    taxes,
    billable_metrics: metrics.map(metric => ({ ...metric, aggregation_type: 'sum_agg' as const })),
    add_ons: range(size.fixedCharges).map(n => ({
      ...{ code: `service_${n}`, name: `Managed service ${n}`, description: 'A person who looks after it' },
      ...{ amount_cents: 40_000, amount_currency: currency, tax_codes: ['state', 'county'] },
    })),
    plans: range(size.plans).map(n => plan(n, size)),
    customers: [customer(currency)],
    subscriptions: [
      {
        ...{ external_id: 'fabrikam-production', external_customer_id: 'fabrikam-industries', plan_code: 'plan_0' },
        ...{ name: 'Fabrikam production', subscription_at: '2025-06-01', purchase_order_number: 'PO-2026-00231' },
        usage_thresholds: [{ amount_cents: 900_000, recurring: true }],
      },
    ],
    wallets: [wallet()],
    alerts: [
      {
        ...{ external_subscription_id: 'fabrikam-production', code: 'monthly_spend', name: 'Spend of the month' },
        alert_type: 'current_usage_amount',
        thresholds: [{ value: 100_000, code: 'notice' }, { value: 250_000, code: 'warning' }, { value: 500_000 }],
      },
      {
        external_customer_id: 'fabrikam-industries',
        wallet_code: 'prepaid',
        code: 'low_balance',
        name: 'Low balance',
        alert_type: 'wallet_balance_amount',
        thresholds: [
          { value: 50_000, code: 'low' },
          { value: 10_000, code: 'very_low' },
        ],
      },
    ],
    invoices: [invoice(size)],
    credit_notes: [
      {
        id: idOf('credit note'),
        invoice_number: 'NW-2026-0001',
        issuing_date: '2026-03-03',
        reason: 'other' as const,
        items: [
          { fee: 0, amount_cents: 5 },
          { fee: 1, amount_cents: 5 },
        ],
        ...{ description: 'Two days without service', metadata: { ticket: 'T-20260303-7', approved_by: 'finance' } },
      },
    ],
    payments: [
      {
        id: idOf('payment'),
        invoice_numbers: ['NW-2026-0001'],
        status: 'requires_action',
        payment_status: 'processing',
        ...{ payment_provider_code: 'card_processor_main', payment_provider_type: 'card_processor' },
        ...{ provider_payment_id: 'pi_3NXb2eKZ1', provider_customer_id: 'cus_0001' },
        next_action: { type: 'redirect_to_url', redirect_to_url: { url: 'https://pay.example/confirm/pi_3NXb2eKZ1' } },
      },
    ],
    webhook_endpoints: [
      {
        id: idOf('webhook'),
        webhook_url: 'https://hooks.northwind.example/billing/production',
        name: 'Production',
        event_types: ['invoice.created', 'invoice.paid', 'credit_note.created', 'alert.triggered', 'customer.updated'],
      },
    ],
    events: metrics.flatMap(({ code }, n) => range(size.fees).map(i => event(code, n, i))),
  };
}

function plan(n: number, { charges, fixedCharges, currency }: Size): Entry<'plans'> {
  return {
    ...{ code: `plan_${n}`, name: `Metered tier number ${n}`, description: 'For factories that measure everything' },
    ...{ interval: 'monthly', amount_cents: 19_900 + n, amount_currency: currency, metadata: { channel: 'partner' } },
    charges: range(charges).map(i => ({
      ...{ code: `charge_${i}`, billable_metric_code: `metric_${i}`, invoice_display_name: `Measured value ${i}` },
      ...(i === charges - 1 ? atOnce : (models[i % models.length] ?? atOnce)),
    })),
    fixed_charges: range(fixedCharges).map(i => ({
      add_on_code: `service_${i}`,
      properties: { amount: '400' },
      units: '2',
    })),
    ...(n % 2 === 1 && { minimum_commitment: { amount_cents: 50_000 } }),
    entitlements: [{ code: 'support', name: 'Support' }],
    tax_codes: ['state', 'county', 'city'],
  };
}

function customer(currency: string): Entry<'customers'> {
  return {
    external_id: 'fabrikam-industries',
    name: 'Fabrikam Industries',
    legal_name: 'Fabrikam Industries Holding, Inc.',
    firstname: 'Maria',
    lastname: 'Alvarez',
    email: 'accounts-payable@fabrikam-industries.example',
    phone: '+1 555 0100',
    url: 'https://fabrikam-industries.example',
    legal_number: '55-1234567',
    tax_identification_number: 'US551234567',
    currency,
    timezone: 'America/Los_Angeles',
    net_payment_term: 45,
    customer_type: 'company',
    tax_codes: ['state', 'city'],
    address_line1: '1200 Harbor Boulevard',
    address_line2: 'Building 7, floor 3',
    city: 'Long Beach',
    state: 'CA',
    country: 'US',
    zipcode: '90802',
    payment_provider: 'card_processor',
    payment_provider_code: 'card_processor_main',
    shipping_address: { address_line1: '9 Dock Road', city: 'Oakland', country: 'US', zipcode: '94607' },
    metadata: range(5).map(n => ({ key: `account_field_${n}`, value: `value of the account field ${n}` })),
  };
}

function wallet(): Entry<'wallets'> {
  return {
    ...{ id: idOf('wallet'), external_customer_id: 'fabrikam-industries', code: 'prepaid', name: 'Prepaid usage' },
    ...{ credits_balance: '12500.5', consumed_credits: '7499.5', expiration_at: '2028-01-01T00:00:00Z', priority: 5 },
    applies_to: { fee_types: ['charge'], billable_metric_codes: [] },
    recurring_transaction_rules: [
      { trigger: 'interval', interval: 'monthly', paid_credits: '2000', granted_credits: '100' },
    ],
    transactions: [
      {
        id: idOf('transaction'),
        transaction_status: 'purchased',
        credit_amount: '20000',
        name: 'Yearly prepayment',
        ...{ remaining_credit_amount: '12500.5', invoice_number: 'NW-2026-0001', settled_at: '2026-01-05T00:00:00Z' },
      },
    ],
    metadata: { owner: 'finance', contract: 'C-2025-118' },
  };
}

function invoice({ fees, charges }: Size): Entry<'invoices'> {
  return {
    id: idOf('invoice'),
    external_customer_id: 'fabrikam-industries',
    number: 'NW-2026-0001',
    issuing_date: '2026-03-01',
    fees: range(fees).map(n => ({
      ...{ type: 'charge', external_subscription_id: 'fabrikam-production', charge_code: `charge_${n % charges}` },
      ...{ amount: `${12 + n}.5`, units: '1250', events_count: 40 },
    })),
    metadata: range(5).map(n => ({ key: `field_${n}`, value: `value ${n}` })),
  };
}

function event(code: string, metric: number, i: number): Entry<'events'> {
  const day = String(1 + (i % 14)).padStart(2, '0');
  return {
    ...{ transaction_id: `${code}-${i}`, code, external_subscription_id: 'fabrikam-production' },
    timestamp: `2026-03-${day}T08:00:00Z`,
    properties: { amount: `${100 * (metric + 1) + i}`, plant: 'long-beach', line: `line-${i % 7}`, unit: 'kWh' },
  };
}
