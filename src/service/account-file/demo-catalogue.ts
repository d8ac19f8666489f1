/** The demo account's metrics, add-ons and plans: every charge model, aggregation and way of billing is used. */
import type { AccountFile } from './schema.ts';

type Part<Section extends keyof AccountFile> = NonNullable<AccountFile[Section]>;

export const organization: AccountFile['organization'] = {
  name: 'Skylark Speech',
  slug_prefix: 'SKY-7A31',
  created_at: 'now/month-P2Y',
};

export const billingEntities: Part<'billing_entities'> = [
  {
    code: 'skylark-us',
    name: 'Skylark Inc.',
    default_currency: 'USD',
    timezone: 'America/New_York',
    document_number_prefix: 'SKY-US',
    net_payment_term: 30,
    invoice_footer: 'Thank you for listening with Skylark.',
    address_line1: '500 Seventh Avenue',
    city: 'New York',
    state: 'NY',
    country: 'US',
    zipcode: '10018',
    email: 'billing@skylark.example',
    legal_name: 'Skylark Incorporated',
    email_settings: ['invoice.finalized', 'credit_note.created'],
    tax_codes: ['us_sales'],
  },
  {
    code: 'skylark-eu',
    name: 'Skylark Europe SAS',
    default_currency: 'EUR',
    document_locale: 'fr',
    timezone: 'Europe/Paris',
    document_number_prefix: 'SKY-EU',
    net_payment_term: 15,
    invoice_grace_period: 3,
    address_line1: '18 rue du Sentier',
    city: 'Paris',
    country: 'FR',
    zipcode: '75002',
    email: 'facturation@skylark.example',
    legal_name: 'Skylark Europe SAS',
    tax_identification_number: 'FR32123456789',
    eu_tax_management: true,
    tax_codes: ['vat_fr'],
  },
];

export const taxes: Part<'taxes'> = [
  { code: 'us_sales', name: 'Sales tax (NY)', rate: '8.875', description: 'New York City sales tax' },
  { code: 'vat_fr', name: 'TVA', rate: '20', description: 'French value-added tax' },
  { code: 'jct', name: 'Consumption tax', rate: '10', description: 'Japanese consumption tax' },
  { code: 'exempt', name: 'Exempt', rate: '0', description: 'Outside the scope of tax' },
];

export const sections: Part<'invoice_custom_sections'> = [
  {
    code: 'bank_details',
    name: 'Bank details',
    display_name: 'How to pay',
    details: 'Please quote the invoice number with your transfer.',
    description: 'For customers who pay by transfer',
  },
];

export const metrics: Part<'billable_metrics'> = [
  {
    code: 'audio_minutes',
    name: 'Audio minutes',
    description: 'Minutes of speech turned into text',
    aggregation_type: 'sum_agg',
    field_name: 'minutes',
    filters: [
      { key: 'model', values: ['fast', 'accurate'] },
      { key: 'region', values: ['us', 'eu'] },
    ],
  },
  { code: 'api_calls', name: 'API calls', aggregation_type: 'count_agg' },
  { code: 'tokens', name: 'Summary tokens', aggregation_type: 'sum_agg', field_name: 'tokens' },
  { code: 'seats', name: 'Seats', aggregation_type: 'unique_count_agg', field_name: 'user_id', recurring: true },
  { code: 'storage_gb', name: 'Archive', aggregation_type: 'weighted_sum_agg', field_name: 'gb', recurring: true },
  { code: 'peak_streams', name: 'Peak streams', aggregation_type: 'max_agg', field_name: 'streams' },
  { code: 'payouts', name: 'Creator payouts', aggregation_type: 'sum_agg', field_name: 'amount' },
  { code: 'voice_market', name: 'Voice marketplace', aggregation_type: 'sum_agg', field_name: 'uses' },
  { code: 'languages', name: 'Languages kept ready', aggregation_type: 'latest_agg', field_name: 'languages' },
  {
    code: 'gpu_seconds',
    name: 'GPU seconds',
    aggregation_type: 'sum_agg',
    field_name: 'seconds',
    expression: 'event.properties.milliseconds / 1000',
    rounding_function: 'ceil',
  },
];

export const addOns: Part<'add_ons'> = [
  {
    code: 'onboarding',
    name: 'Onboarding',
    invoice_display_name: 'Onboarding day',
    description: 'One day with an engineer',
    amount_cents: 75_000,
    amount_currency: 'USD',
    tax_codes: ['us_sales'],
  },
  { code: 'priority_support', name: 'Priority support', amount_cents: 15_000, amount_currency: 'USD' },
  { code: 'glossary', name: 'Custom glossary', amount_cents: 9_000, amount_currency: 'EUR', tax_codes: ['vat_fr'] },
];

export const coupons: Part<'coupons'> = [
  {
    code: 'welcome10',
    name: 'Welcome 10 %',
    coupon_type: 'percentage',
    percentage_rate: '10',
    frequency: 'recurring',
    frequency_duration: 3,
  },
  { code: 'loyal25', name: 'Loyalty $25', amount_cents: 2_500, amount_currency: 'USD' },
  {
    code: 'minutes5',
    name: '5 % off minutes',
    coupon_type: 'percentage',
    percentage_rate: '5',
    frequency: 'forever',
    billable_metric_codes: ['audio_minutes'],
  },
  {
    code: 'studio_only',
    name: 'Studio €15',
    amount_cents: 1_500,
    amount_currency: 'EUR',
    frequency: 'forever',
    plan_codes: ['starter'],
  },
];

const studio: Part<'plans'>[number] = {
  code: 'studio',
  name: 'Studio',
  invoice_display_name: 'Skylark Studio',
  description: 'For teams that publish every day',
  interval: 'monthly',
  amount_cents: 9_900,
  amount_currency: 'USD',
  charges: [
    {
      code: 'minutes',
      billable_metric_code: 'audio_minutes',
      charge_model: 'graduated',
      invoice_display_name: 'Transcription',
      properties: {
        graduated_ranges: [
          { from_value: 0, to_value: 1000, per_unit_amount: '0.03', flat_amount: '0' },
          { from_value: 1001, to_value: 5000, per_unit_amount: '0.02', flat_amount: '5' },
          { from_value: 5001, to_value: null, per_unit_amount: '0.01', flat_amount: '0' },
        ],
      },
      filters: [
        {
          invoice_display_name: 'Accurate model',
          values: { model: ['accurate'] },
          properties: {
            graduated_ranges: [
              { from_value: 0, to_value: 500, per_unit_amount: '0.06', flat_amount: '0' },
              { from_value: 501, to_value: null, per_unit_amount: '0.045', flat_amount: '0' },
            ],
          },
        },
      ],
    },
    {
      code: 'calls',
      billable_metric_code: 'api_calls',
      charge_model: 'package',
      min_amount_cents: 1_000,
      properties: { amount: '2.50', package_size: 1000, free_units: 500 },
    },
    {
      code: 'seats',
      billable_metric_code: 'seats',
      charge_model: 'standard',
      prorated: true,
      properties: { amount: '12' },
    },
    {
      code: 'tokens',
      billable_metric_code: 'tokens',
      charge_model: 'standard',
      pay_in_advance: true,
      properties: { amount: '0.00002', pricing_group_keys: ['project'] },
    },
    {
      code: 'payouts',
      billable_metric_code: 'payouts',
      charge_model: 'percentage',
      properties: { rate: '1.5', fixed_amount: '0.25', free_units_per_events: 3 },
    },
  ],
  fixed_charges: [{ add_on_code: 'priority_support', units: '1', properties: { amount: '150' } }],
  minimum_commitment: { amount_cents: 20_000, invoice_display_name: 'Studio minimum' },
  usage_thresholds: [{ threshold_display_name: 'Busy month', amount_cents: 50_000 }],
  entitlements: [
    {
      code: 'speech',
      name: 'Speech features',
      description: null,
      privileges: [
        { code: 'speakers', name: 'Speakers told apart', value_type: 'integer', value: 12 },
        {
          code: 'model',
          name: 'Best model',
          value_type: 'select',
          value: 'accurate',
          config: { select_options: ['fast', 'accurate'] },
        },
        { code: 'webhooks', name: 'Webhooks', value_type: 'boolean', value: true },
      ],
    },
  ],
  metadata: { sales_channel: 'self-service' },
};

const starter: Part<'plans'>[number] = {
  code: 'starter',
  name: 'Starter',
  description: 'For one voice and one language',
  interval: 'monthly',
  amount_cents: 2_900,
  amount_currency: 'EUR',
  pay_in_advance: true,
  trial_period: '14',
  charges: [
    {
      code: 'minutes',
      billable_metric_code: 'audio_minutes',
      charge_model: 'standard',
      properties: { amount: '0.04', pricing_group_keys: ['project'] },
    },
    {
      code: 'tokens',
      billable_metric_code: 'tokens',
      charge_model: 'graduated',
      pay_in_advance: true,
      properties: {
        graduated_ranges: [
          { from_value: 0, to_value: 100000, per_unit_amount: '0.00003', flat_amount: '0.5' },
          { from_value: 100001, to_value: null, per_unit_amount: '0.00002', flat_amount: '0' },
        ],
      },
    },
  ],
  fixed_charges: [
    { add_on_code: 'glossary', units: '2', pay_in_advance: true, prorated: true, properties: { amount: '9' } },
  ],
  tax_codes: ['vat_fr'],
};

const arcade: Part<'plans'>[number] = {
  code: 'arcade',
  name: 'Arcade',
  description: 'For games that talk back',
  interval: 'quarterly',
  amount_cents: 45_000,
  amount_currency: 'JPY',
  charges: [
    {
      code: 'streams',
      billable_metric_code: 'peak_streams',
      charge_model: 'volume',
      properties: {
        volume_ranges: [
          { from_value: 0, to_value: 50, per_unit_amount: '120', flat_amount: '0' },
          { from_value: 51, to_value: 200, per_unit_amount: '100', flat_amount: '1000' },
          { from_value: 201, to_value: null, per_unit_amount: '80', flat_amount: '2000' },
        ],
      },
    },
    { code: 'voices', billable_metric_code: 'voice_market', charge_model: 'dynamic' },
    { code: 'archive', billable_metric_code: 'storage_gb', charge_model: 'standard', properties: { amount: '3.5' } },
    { code: 'gpu', billable_metric_code: 'gpu_seconds', charge_model: 'standard', properties: { amount: '0.8' } },
  ],
  tax_codes: ['jct'],
};

const broadcast: Part<'plans'>[number] = {
  code: 'broadcast',
  name: 'Broadcast',
  description: 'For stations, billed by the year',
  interval: 'yearly',
  amount_cents: 1_200_000,
  amount_currency: 'KWD',
  bill_charges_monthly: true,
  charges: [
    {
      code: 'payouts',
      billable_metric_code: 'payouts',
      charge_model: 'graduated_percentage',
      properties: {
        graduated_percentage_ranges: [
          { from_value: 0, to_value: 1000, rate: '2', flat_amount: '0' },
          { from_value: 1001, to_value: null, rate: '1', flat_amount: '5' },
        ],
      },
    },
    { code: 'languages', billable_metric_code: 'languages', charge_model: 'standard', properties: { amount: '4.250' } },
    {
      code: 'calls',
      billable_metric_code: 'api_calls',
      charge_model: 'standard',
      pay_in_advance: true,
      invoiceable: false,
      regroup_paid_fees: 'invoice',
      properties: { amount: '0.001' },
    },
  ],
};

const enterprise: Part<'plans'>[number] = {
  code: 'enterprise',
  name: 'Enterprise',
  description: 'Studio for the whole company, paid in advance',
  interval: 'monthly',
  amount_cents: 49_900,
  amount_currency: 'USD',
  pay_in_advance: true,
  charges: [
    {
      code: 'minutes',
      billable_metric_code: 'audio_minutes',
      charge_model: 'standard',
      properties: { amount: '0.012' },
    },
    { code: 'seats', billable_metric_code: 'seats', charge_model: 'standard', properties: { amount: '8' } },
  ],
};

export const plans: Part<'plans'> = [studio, starter, arcade, broadcast, enterprise];
