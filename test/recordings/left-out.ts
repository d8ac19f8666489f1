/** Fields that the contract states, and that the real service leaves out, gives as null or writes in another form. */
import { pattern, type Value } from './compare.ts';

/** How a field comes; undefined: not at all. */
type Comes = (value: Value, record: Value) => Value;

const absent: Comes = () => undefined;
const isNull: Comes = () => null;
const nullForAbsent: Comes = value => value ?? null;
const zero: Comes = () => 0;
const nullForZero: Comes = value => (value === 0 ? null : value);
const decimalText: Comes = value => (typeof value === 'number' ? value.toFixed(1) : value);
const withOffset: Comes = value => (typeof value === 'string' ? value.replace(/Z$/, '+00:00') : value);
const nullWithoutUnits: Comes = (value, { units }) => (Number(units) === 0 ? null : value);
/** Fees of add-ons and credits name no customer: the service finds it through the subscription. */
const nullWithoutSubscription: Comes = (value, { item }) => (/^(add_on|credit)$/.test(item?.type) ? null : value);

const event = /^events?(\[\])?$/;
const alert = /(^|\.)alerts?(\[\])?$/;
const plan = /(^|\.)plans?(\[\])?$/;
const invoice = /^invoices?(\[\])?$/;
const customer = /^invoices?(\[\])?\.customer$/;
const invoiceFee = /^invoice\.fees\[\]$/;
const fee = /(^|\.)fees?(\[\])?$/;

/** Place, field, how it comes. */
const leftOut: readonly (readonly [place: RegExp, field: string, comes: Comes])[] = [
  [event, 'svc_customer_id', isNull],
  [event, 'svc_subscription_id', isNull],
  [alert, 'external_customer_id', absent],
  [alert, 'previous_value', decimalText],
  [/^plans\[\]$/, 'fixed_charges', absent],
  [plan, 'trial_period', nullForZero],
  [/^billing_entities\[\]$/, 'invoice_footer', nullForAbsent],
  ...['add_ons', 'customers', 'plans', 'charges', 'commitments'].map(
    each => [/\.taxes\[\]$/, `${each}_count`, zero] as const,
  ),
  [invoice, 'applied_usage_thresholds', absent],
  [invoice, 'applied_invoice_custom_sections', absent],
  [invoice, 'prepaid_granted_credit_amount_cents', nullForZero],
  [invoice, 'prepaid_purchased_credit_amount_cents', nullForZero],
  [customer, 'taxes', absent],
  [customer, 'applicable_invoice_custom_sections', absent],
  [customer, 'error_details', absent],
  [invoiceFee, 'applied_taxes', absent],
  [invoiceFee, 'event_transaction_id', absent],
  [fee, 'svc_customer_id', nullWithoutSubscription],
  [fee, 'external_customer_id', nullWithoutSubscription],
  [fee, 'from_date', withOffset],
  [fee, 'to_date', withOffset],
  [/^fees\[\]$/, 'precise_unit_amount', nullWithoutUnits],
];

/** An answer of the embedded service in the form in which the real service gives it. */
export function asReal(value: Value, path = ''): Value {
  if (Array.isArray(value)) return value.map(each => asReal(each, `${path}[]`));
  if (value === null || typeof value !== 'object') return value;
  const place = pattern(path);
  const copy: Record<string, Value> = {};
  for (const [key, each] of Object.entries(value)) copy[key] = asReal(each, path === '' ? key : `${path}.${key}`);
  for (const [where, field, comes] of leftOut) {
    if (!where.test(place)) continue;
    const real = comes(copy[field], value);
    if (real === undefined) delete copy[field];
    else copy[field] = real;
  }
  return copy;
}
