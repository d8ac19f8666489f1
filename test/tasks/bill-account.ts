/**
 * An account whose February bills have one mistake each: what a customer comes with who says that a bill is wrong. All have
 * the plan Team: $50.00 in arrears, routes at $0.0045 for the first 10,000 and $0.004 after, storage by its peak.
 */

type Entry = Record<string, unknown>;
interface Bill {
  name: string;
  number: string;
  /** Fees that are not as they should be, by charge; null is left out. */
  fees?: Record<string, Entry | null>;
  invoice?: Entry;
  customer?: Entry;
  subscription?: Entry;
  events?: Entry[];
}

const month = { from: '2026-02-01T00:00:00Z', to: '2026-02-28T23:59:59Z' };
const issued = '2026-03-01T06:00:00Z';
const tenPercent = { code: 'ten', created_at: '2026-01-05T00:00:00Z' };

const bills: Bill[] = [
  { name: 'Alpine Maps', number: 'ALP-2026-02' },
  {
    ...{ name: 'Birch Freight', number: 'BIR-2026-02' },
    fees: { routes: { amount: '111', unit_amount: '0.004625' } },
  },
  { name: 'Cedar Labs', number: 'CED-2026-02', fees: { plan: { tax_codes: ['old'] } } },
  { name: 'Dune Travel', number: 'DUN-2026-02', customer: { applied_coupons: [tenPercent] } },
  {
    ...{ name: 'Elm Courier', number: 'ELM-2026-02' },
    fees: { routes: { units: '30000', amount: '125' } },
    // The sender repeated its second report under another ID.
    events: [
      {
        ...{ code: 'routes', transaction_id: 'elm-again', properties: { count: '6000' } },
        ...{ timestamp: '2026-02-10T12:00:00Z', created_at: '2026-02-10T13:00:00Z' },
      },
    ],
  },
  { name: 'Fjord Cruises', number: 'FJO-2026-02', fees: { storage: null } },
  {
    name: 'Grove Studio',
    number: 'GRO-2026-02',
    subscription: { plan_code: 'seated' },
    fees: { seats: { units: '2', amount: '24' } },
  },
  {
    ...{ name: 'Heath Energy', number: 'HEA-2026-02' },
    events: [
      {
        ...{ code: 'routes', transaction_id: 'hea-late', properties: { count: '1000' } },
        ...{ timestamp: '2026-02-27T12:00:00Z', created_at: '2026-03-04T08:00:00Z' },
      },
    ],
  },
  {
    ...{ name: 'Iris Optics', number: 'IRI-2026-02', fees: { plan: { amount: '55', unit_amount: '55' } } },
    invoice: { payment_status: 'succeeded', total_paid_amount_cents: 17287 },
  },
  { ...{ name: 'Juniper Bank', number: 'JUN-2026-02', fees: { storage: { units: '150', amount: '15' } } } },
];

const idOf = ({ name }: Bill) => name.toLowerCase().replace(' ', '-');

function feesOf(bill: Bill): Entry[] {
  const of = { external_subscription_id: `${idOf(bill)}-main`, from_date: month.from, to_date: month.to };
  const right: Record<string, Entry> = {
    plan: { type: 'subscription', amount: '50', amount_details: { plan_amount_cents: 5000 } },
    routes: { type: 'charge', charge_code: 'routes', units: '24000', amount: '101', events_count: 4 },
    storage: { type: 'charge', charge_code: 'storage', units: '120', amount: '12', events_count: 2 },
    ...(bill.subscription && { seats: { type: 'charge', charge_code: 'seats', events_count: 2 } }),
  };
  return Object.entries(right).flatMap(([code, fee]) => {
    const other = bill.fees?.[code];
    return other === null ? [] : [{ ...of, ...fee, ...other }];
  });
}

function eventsOf(bill: Bill): Entry[] {
  const of = { external_subscription_id: `${idOf(bill)}-main` };
  const event = (code: string, i: number, day: string, properties: Entry): Entry => {
    const timestamp = `2026-${day}T12:00:00Z`;
    return { ...of, code, transaction_id: `${idOf(bill)}-${code}-${i}`, timestamp, created_at: timestamp, properties };
  };
  const days = ['02-03', '02-10', '02-17', '02-24'];
  return [
    ...days.map((day, i) => event('routes', i, day, { count: '6000' })),
    ...['80', '120'].map((gb, i) => event('storage', i, days[i] ?? '', { gb })),
    ...(bill.subscription ? ['01-10', '02-15'].map((day, i) => event('seats', i, day, { user_id: `user-${i}` })) : []),
    ...(bill.events ?? []).map(each => ({ ...of, created_at: each.timestamp, ...each })),
  ];
}

const charge = (code: string, more: Entry) => ({
  ...{ code, billable_metric_code: code, invoice_display_name: code.charAt(0).toUpperCase() + code.slice(1) },
  ...more,
});
const tiers = [
  { from_value: 0, to_value: 10_000, per_unit_amount: '0.0045', flat_amount: '0' },
  { from_value: 10_001, to_value: null, per_unit_amount: '0.004', flat_amount: '0' },
];
const charges = [
  charge('routes', { charge_model: 'graduated', properties: { graduated_ranges: tiers } }),
  charge('storage', { charge_model: 'standard', properties: { amount: '0.10' } }),
];
const seats = charge('seats', { charge_model: 'standard', prorated: true, properties: { amount: '12' } });
const plan = { interval: 'monthly', amount_cents: 5000, amount_currency: 'USD' };

export const billAccount = {
  organization: { name: 'Waypoint' },
  billing_entities: [{ code: 'main', name: 'Waypoint Inc.' }],
  taxes: [
    { code: 'state', name: 'State tax', rate: '2.9' },
    { code: 'old', name: 'Former tax', rate: '7.25' },
  ],
  billable_metrics: [
    { code: 'routes', name: 'Routes', aggregation_type: 'sum_agg', field_name: 'count' },
    { code: 'storage', name: 'Storage', aggregation_type: 'max_agg', field_name: 'gb' },
    { code: 'seats', name: 'Seats', aggregation_type: 'unique_count_agg', field_name: 'user_id', recurring: true },
  ],
  coupons: [
    { code: 'ten', name: 'Ten percent', coupon_type: 'percentage', percentage_rate: '10', frequency: 'forever' },
  ],
  plans: [
    { code: 'team', name: 'Team', ...plan, charges },
    { code: 'seated', name: 'Team with seats', ...plan, charges: [...charges, seats] },
  ],
  customers: bills.map(bill => ({
    ...{ external_id: idOf(bill), name: bill.name, currency: 'USD', tax_codes: ['state'] },
    ...bill.customer,
  })),
  subscriptions: bills.map(bill => ({
    ...{ external_id: `${idOf(bill)}-main`, external_customer_id: idOf(bill), plan_code: 'team' },
    ...{ subscription_at: '2026-01-01T00:00:00Z' },
    ...bill.subscription,
  })),
  invoices: bills.map(bill => ({
    ...{ external_customer_id: idOf(bill), number: bill.number, issuing_date: '2026-03-01', created_at: issued },
    fees: feesOf(bill),
    billing_periods: [{ external_subscription_id: `${idOf(bill)}-main`, ...month }],
    ...bill.invoice,
  })),
  events: bills.flatMap(eventsOf),
};
