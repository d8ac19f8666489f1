/** The kinds of records in a catalogue: their fields, and each of them in a few words. */
import type { AppliedCoupon, Coupon, ListKey, RowOf } from '../../src/contract/answers.ts';
import type { AddOn, BillableMetric } from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import { ownValue } from '../../src/lib/json.ts';
import { wordsOf } from '../../src/words/code-words.ts';
import { endOf, limitsOf, worthOf } from '../../src/words/coupon.ts';
import { isPast } from '../../src/words/dates.ts';
import * as w from '../../src/words/summary.ts';
import { totalsOf, totalsText } from '../quotes/totals.ts';
import { readCoupons } from '../records/invoice-reads.ts';

export interface Kind<Row> {
  /** What one of them is called, and several. */
  words: readonly [one: string, many: string];
  /** The fields of a row. */
  fields: readonly (keyof Row & string)[];
  /** The record before its fields are taken, where it is not that of the API. */
  row?(record: Row): Row;
  /** One of them in a few words; null where it cannot be said. */
  line(row: Row, now: Date): string | null;
  /** The rows with what their own list does not say. */
  complete?(rows: readonly Row[], api: Api): Promise<Row[]>;
  /** What a reader has to know about the rows. */
  note?(rows: readonly Row[], now: Date): string | null;
}

// biome-ignore format: names
export const kindNames = [
  'add_ons', 'coupons', 'applied_coupons', 'billable_metrics', 'billing_entities', 'taxes', 'webhook_endpoints',
  'fees',
] as const satisfies ListKey[];
export type KindName = (typeof kindNames)[number];

const amount = ['amount_cents', 'amount_currency'] as const;

export const kinds: { readonly [Name in KindName]: Kind<RowOf<Name>> } = {
  add_ons: {
    words: ['add-on', 'add-ons'],
    fields: ['code', 'name', 'invoice_display_name', ...amount, 'taxes'],
    line: row => w.say`${labelOf(row)} ${w.money(row.amount_cents, row.amount_currency)}${onInvoices(row)}`,
  },
  coupons: {
    words: ['coupon', 'coupons'],
    fields: [
      'code',
      'name',
      ...amount,
      'percentage_rate',
      'frequency',
      'frequency_duration',
      'plan_codes',
      'billable_metric_codes',
      'expiration_at',
      'terminated_at',
    ],
    line: (row, now) => {
      const until = endOf(row, now) === null ? w.say`until ${w.day(row.expiration_at, now)}` : null;
      const terms = [limitsOf(row), until].filter(term => term !== null);
      return w.say`${labelOf(row)} ${worthOf(row)}${terms.map(term => `, ${term}`).join('')}`;
    },
    note: endedCoupons,
  },
  applied_coupons: {
    words: ['applied coupon', 'applied coupons'],
    fields: [
      'external_customer_id',
      'coupon_code',
      'status',
      ...amount,
      'amount_cents_remaining',
      'percentage_rate',
      'frequency',
      'frequency_duration_remaining',
      'plan_codes',
      'billable_metric_codes',
      'expiration_at',
      'terminated_at',
    ],
    line: (row, now) => {
      const of = w.phrase`${w.say` for ${w.code(row.external_customer_id)}`}${w.say`, ${limitsOf(row)}`}`;
      const state = row.status === 'active' ? comingUse(row, now) : wordsOf('life', row.status);
      return w.say`${w.named(row.coupon_name, row.coupon_code)} ${worthOf(row)}${of}${w.opt`, ${state}`}`;
    },
    complete: withLimits,
    note: couponUse,
  },
  billable_metrics: {
    words: ['billable metric', 'billable metrics'],
    fields: ['code', 'name', 'aggregation_type', 'field_name', 'recurring', 'expression', 'filters'],
    line: row => w.say`${labelOf(row)}: ${metricWords(row)}`,
  },
  billing_entities: {
    words: ['active billing entity', 'active billing entities'],
    fields: ['code', 'name', 'is_default', 'default_currency', 'country', 'timezone', 'email', 'net_payment_term'],
    line: row => w.say`${labelOf(row)}${row.is_default === true ? ' (the default)' : ''}`,
  },
  taxes: {
    words: ['tax', 'taxes'],
    fields: ['code', 'name', 'rate', 'applied_to_organization', 'applied_to_billing_entities_codes'],
    line: row => w.say`${labelOf(row)} ${w.quantity(row.rate)}%`,
  },
  webhook_endpoints: {
    words: ['webhook endpoint', 'webhook endpoints'],
    fields: ['svc_id', 'name', 'webhook_url', 'signature_algo', 'event_types'],
    line: row => w.code(row.webhook_url),
  },
  fees: {
    words: ['fee', 'fees'],
    fields: [
      'created_at',
      'item',
      'external_customer_id',
      'external_subscription_id',
      'units',
      ...amount,
      'payment_status',
      'svc_invoice_id',
    ],
    row: ({ external_customer_id: customer, ...fee }) => ({
      ...fee,
      // The subscription leads to the customer.
      ...(!fee.external_subscription_id && { external_customer_id: customer }),
    }),
    line: ({ item, amount_cents, amount_currency }) =>
      w.say`${labelOf(item ?? {})} ${w.money(amount_cents, amount_currency)}`,
    note: () => 'Fees of drafts and voided invoices are included, so this is not a revenue report and has no totals',
  },
};

function labelOf({
  name,
  invoice_display_name,
  code: key,
}: Pick<AddOn, 'name' | 'invoice_display_name' | 'code'>): string | null {
  return w.named(name ?? invoice_display_name, key);
}

const roundings: Readonly<Record<string, string>> = { round: 'rounded', ceil: 'rounded up', floor: 'rounded down' };

/** `sum, rounded up to whole units, carried into the next period`. */
function metricWords(metric: BillableMetric): string | null {
  const { aggregation_type, rounding_function, rounding_precision, recurring } = metric;
  const digits = rounding_precision ?? 0;
  const to = digits === 0 ? 'whole units' : w.count(digits, 'decimal');
  const parts = [
    wordsOf('aggregation', aggregation_type),
    w.say`${ownValue(roundings, rounding_function ?? '') ?? null} to ${to}`,
    recurring === true ? 'carried into the next period' : null,
  ];
  return parts.filter(part => part !== null).join(', ') || null;
}

/** `, on invoices “Setup”`, where that is another name. */
function onInvoices({ name, invoice_display_name }: AddOn): string {
  return invoice_display_name === name ? '' : w.opt`, on invoices ${w.quoted(invoice_display_name)}`;
}

/**
 * Whether the next invoice is among the uses that are left of an active coupon: what is left of one for once goes to it, and
 * a recurring one counts down by invoice (service-behaviour §11.1). Null where each invoice is one. Short: what is left.
 */
export function comingUse(coupon: AppliedCoupon, now: Date, isShort = false): string | null {
  const { frequency, frequency_duration_remaining, amount_cents_remaining, amount_currency, percentage_rate } = coupon;
  if (isPast(coupon.expiration_at, now)) return 'expired before the next invoice';
  const unless = w.opt` unless it expires first, on ${w.day(coupon.expiration_at, now)}`;
  const uses = frequency_duration_remaining ?? null;
  const rest = w.sign(amount_cents_remaining);
  if (frequency === 'recurring' && uses !== null)
    return uses < 1
      ? 'used up before the next invoice'
      : `${w.count(uses, 'use')} left${isShort ? '' : `, ${uses === 1 ? 'for' : 'including'} the next invoice`}${unless}`;
  if (frequency !== 'once') return w.say`until ${w.day(coupon.expiration_at, now)}`;
  if (w.quantity(percentage_rate) !== null) return `for the next invoice only${unless}`;
  if (rest === 0) return 'used up before the next invoice';
  return w.say`${w.money(amount_cents_remaining, amount_currency)} left${isShort ? '' : ' for the next invoice'}${unless}`;
}

/** Terminated and expired coupons are listed too, without a status. */
function endedCoupons(coupons: readonly Coupon[], now: Date): string | null {
  const ended = coupons.flatMap(coupon => w.say`${w.code(coupon.code)} ${endOf(coupon, now)}` ?? []);
  return w.say`No longer usable: ${w.listed(ended, 5)}`;
}

/** What a coupon is limited to is in the account's coupons alone. */
async function withLimits(applied: readonly AppliedCoupon[], api: Api): Promise<AppliedCoupon[]> {
  const coupons = applied.length === 0 ? null : await readCoupons(api);
  return applied.map(row => {
    if (coupons === null) return row;
    const { plan_codes = null, billable_metric_codes = null } = coupons.get(row.coupon_code ?? '') ?? {};
    return { ...row, plan_codes, billable_metric_codes };
  });
}

function couponUse(applied: readonly AppliedCoupon[]): string | null {
  const unread = applied.some(({ plan_codes }) => plan_codes === undefined);
  // A use may have taken nothing off.
  const credits = applied.flatMap(coupon => coupon.credits ?? []).filter(({ amount_cents }) => amount_cents !== 0);
  const totals = totalsOf(credits, ['amount_cents'], 'amount_currency');
  const times = credits.length === 0 ? null : credits.length === 1 ? 'once' : `${credits.length} times`;
  return (
    w.sentences(
      w.say`Used ${times} so far, taking off ${totalsText(totals, 'amount_cents')} in total`,
      unread && 'Their limits could not be read',
    ) || null
  );
}
