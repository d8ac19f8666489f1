/** An account with much of everything, for pages: long lists, large and negative amounts, long names, other scripts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const full = {
  /** Has thirty subscriptions. */
  many: 'many',
  /** Has one with forty charges, and a wallet that they overdraw. */
  overdrawn: 'overdrawn',
  zeroInvoice: 'SAK-ZERO-001',
  /** Has a wallet in yen, and usage that it pays. */
  yen: 'sakura',
  /** Has a wallet in dinars with more transactions than are drawn, and invoices in some of twelve months. */
  dinars: 'nakheel',
} as const;

/** Fifty-four characters, most of them in one word. */
const longName = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerke';
const arabic = 'شركة الصوت الذهبي للإنتاج';
const japanese = '株式会社サクラゲームス東京本社';
const charges = Array.from({ length: 40 }, (_, index) => ({
  code: `m${index + 1}`,
  name: index === 0 ? longName : index === 1 ? arabic : index === 2 ? japanese : `Metric number ${index + 1}`,
  // In euros; in all €383,480.87, of which a wallet holds €100.00.
  used: index === 0 ? '305480.87' : String(index * 100),
}));
const debt = (number: string, due: string, amount: string, overdue: boolean) => ({
  ...{ external_customer_id: full.many, payment_status: 'pending', number },
  ...{ issuing_date: due, payment_due_date: due, payment_overdue: overdue },
  fees: [{ type: 'add_on', add_on_code: 'setup', amount }],
});

/** In dinars: of the last twelve months, those with an invoice. */
const billed: readonly (readonly [string, string])[] = [
  ['2026-01-15', '1200.5'],
  ['2026-03-15', '800'],
  ['2026-04-15', '1000.125'],
  ['2026-09-15', '640'],
  ['2026-10-15', '512'],
  ['2026-11-15', '20.005'],
];
const movements = Array.from({ length: 60 }, (_, index) => ({
  transaction_status: index % 6 === 0 ? 'purchased' : 'invoiced',
  credit_amount: index % 6 === 0 ? '100' : '12.345',
  created_at: new Date(Date.UTC(2026, 0, 5 + index * 5)).toISOString(),
}));

const atOne = (code: string) => ({ billable_metric_code: code, charge_model: 'standard', properties: { amount: '1' } });

const account = {
  organization: { name: 'Everything' },
  billing_entities: [{ code: 'all', name: 'Everything Ltd', default_currency: 'EUR', net_payment_term: 14 }],
  billable_metrics: charges.map(({ code, name }) => ({ code, name, aggregation_type: 'sum_agg', field_name: 'count' })),
  add_ons: [{ code: 'setup', name: 'Setup', amount_cents: 4900, amount_currency: 'EUR' }],
  plans: [
    { code: 'basic', name: 'Basic', interval: 'monthly', amount_cents: 2900, amount_currency: 'EUR' },
    {
      ...{ code: 'forty', name: 'Forty', interval: 'monthly', amount_cents: 0, amount_currency: 'EUR' },
      charges: charges.map(({ code }) => atOne(code)),
    },
    {
      ...{ code: 'yen', name: 'Yen', interval: 'monthly', amount_cents: 0, amount_currency: 'JPY' },
      charges: [atOne('m3')],
    },
  ],
  customers: [
    { external_id: full.many, name: longName, currency: 'EUR', country: 'AT', timezone: 'Europe/Vienna' },
    { external_id: full.overdrawn, name: arabic, currency: 'EUR', country: 'AE', timezone: 'Asia/Kuwait' },
    { external_id: full.yen, name: japanese, currency: 'JPY', country: 'JP', timezone: 'Asia/Tokyo' },
    { external_id: full.dinars, name: arabic, currency: 'KWD', country: 'KW', timezone: 'Asia/Kuwait' },
  ],
  subscriptions: [
    ...Array.from({ length: 30 }, (_, index) => ({
      ...{ external_id: `many-${index + 1}`, external_customer_id: full.many, plan_code: 'basic' },
      name: index === 0 ? `${longName} ${longName}` : `Site ${index + 1}`,
    })),
    { external_id: 'forty-charges', external_customer_id: full.overdrawn, name: arabic, plan_code: 'forty' },
    { external_id: 'yen-live', external_customer_id: full.yen, name: japanese, plan_code: 'yen' },
  ].map(each => ({ ...each, subscription_at: '2026-01-01' })),
  alerts: [
    {
      ...{ external_subscription_id: 'forty-charges', code: 'spend', alert_type: 'current_usage_amount' },
      thresholds: [{ code: 'much', value: '50000000' }],
    },
  ],
  wallets: [
    {
      ...{ external_customer_id: full.overdrawn, name: arabic, credits_balance: '100' },
      transactions: [{ transaction_status: 'granted', credit_amount: '100', created_at: '2026-05-01T00:00:00Z' }],
    },
    {
      ...{ external_customer_id: full.yen, name: japanese, credits_balance: '50000' },
      transactions: [
        { transaction_status: 'purchased', credit_amount: '80000', created_at: '2026-07-01T00:00:00Z' },
        { transaction_status: 'invoiced', credit_amount: '30000', created_at: '2026-10-01T00:00:00Z' },
      ],
    },
    // Ten times 100 bought, fifty times 12.345 used.
    {
      ...{ external_customer_id: full.dinars, name: arabic, credits_balance: '382.75', created_at: '2026-01-01' },
      transactions: movements,
    },
  ],
  invoices: [
    debt('ALL-001', '2026-05-01', '1234567.89', true),
    debt('ALL-002', '2026-11-01', '12.50', true),
    debt('ALL-003', '2026-12-15', '50', false),
    ...billed.map(([day, amount], index) => ({
      ...debt(`NAK-${index + 1}`, index === 5 ? '2026-12-15' : day, amount, index < 5 && index > 2),
      ...{ external_customer_id: full.dinars, issuing_date: day },
      payment_status: index > 2 ? 'pending' : 'succeeded',
    })),
    {
      ...{ external_customer_id: full.yen, number: full.zeroInvoice, issuing_date: '2026-11-01' },
      ...{ payment_status: 'succeeded', fees: [{ type: 'add_on', add_on_code: 'setup', amount: '0' }] },
    },
    {
      ...{ external_customer_id: full.overdrawn, number: 'OVE-001', issuing_date: '2026-11-01' },
      payment_status: 'succeeded',
      billing_periods: [
        {
          ...{ external_subscription_id: 'forty-charges', from: '2026-10-31T21:00:00Z', to: '2026-11-30T20:59:59Z' },
          ...{ charges_from: '2026-09-30T21:00:00Z', charges_to: '2026-10-31T20:59:59Z' },
        },
      ],
      fees: charges.map(({ code }) => ({
        ...{ type: 'charge', external_subscription_id: 'forty-charges', charge_code: code },
        ...{ units: '900', unit_amount: '1' },
      })),
    },
  ],
  credit_notes: [
    {
      ...{ invoice_number: 'ALL-001', issuing_date: '2026-11-05', reason: 'order_change', description: japanese },
      items: [{ fee: 0, amount_cents: 38_338_087 }],
    },
    {
      ...{ invoice_number: 'OVE-001', issuing_date: '2026-11-06', reason: 'duplicated_charge' },
      ...{ items: [{ fee: 0, amount_cents: 90_000 }], refund_amount_cents: 90_000, refund_status: 'pending' },
    },
  ],
  payments: [
    { invoice_numbers: ['OVE-001'], payment_status: 'succeeded', created_at: '2026-11-02T08:00:00Z' },
    {
      ...{ invoice_numbers: ['ALL-001'], payment_status: 'failed', status: 'insufficient_funds' },
      created_at: '2026-11-03T08:00:00Z',
    },
  ],
  events: [
    ...charges.map(({ code, used }) => ({
      ...{ transaction_id: `now-${code}`, code, external_subscription_id: 'forty-charges' },
      ...{ timestamp: '2026-11-20T08:00:00Z', properties: { count: used } },
    })),
    {
      ...{ transaction_id: 'yen', code: 'm3', external_subscription_id: 'yen-live' },
      ...{ timestamp: '2026-11-10T08:00:00Z', properties: { count: '21000' } },
    },
  ],
};

/** What `use` gives of a file with it. */
export async function withFullAccount<Given>(use: (path: string) => Promise<Given>): Promise<Given> {
  const folder = mkdtempSync(join(tmpdir(), 'full-account-'));
  try {
    const path = join(folder, 'account.json');
    writeFileSync(path, JSON.stringify(account));
    return await use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
