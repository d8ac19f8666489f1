/** Answers of a billing API whose records are as large as wanted. */
import type { JsonRecord } from '../../src/lib/json.ts';
import { asAskedFor, lookupBody } from './lookup-bodies.ts';
import { meta } from './lookup-upstream.ts';

export interface Size {
  /** Records on a page. */
  rows: number;
  /** Fees, charges, thresholds and the like in a record. */
  lines: number;
  /** Characters of a name or description. */
  text: number;
}

export const uuid = (n: number) =>
  `5eb0${String(n).padStart(4, '0')}-a71e-4ea2-bcf9-f07d8719${String(n % 10_000).padStart(4, '0')}`;
export const range = (n: number) => Array.from({ length: n }, (_, index) => index);
const at = '2026-02-01T00:00:00Z';

/** One line of anything: a fee, a charge, a used charge, a threshold, an item. */
function line(n: number, text: number): JsonRecord {
  const name = `Line ${n} ${'x y '.repeat(text / 4)}`;
  const ids = {
    svc_id: uuid(n),
    svc_invoice_id: uuid(n + 1),
    svc_charge_id: uuid(n + 2),
    svc_subscription_id: uuid(n + 3),
  };
  const amounts = {
    amount_cents: 1234,
    amount_currency: 'USD',
    taxes_amount_cents: 12,
    total_amount_cents: 1246,
    total_amount_currency: 'USD',
  };
  return {
    ...ids,
    ...amounts,
    code: `metric_${n}`,
    billable_metric_code: `metric_${n}`,
    invoice_display_name: name,
    description: name,
    ...{ item: { type: 'charge', code: `metric_${n}`, name, svc_item_id: uuid(n), item_type: 'BillableMetric' } },
    ...{ billable_metric: { svc_id: uuid(n), name, code: `metric_${n}`, aggregation_type: 'sum_agg' } },
    ...{ charge: { svc_id: uuid(n), charge_model: 'standard', invoice_display_name: null } },
    charge_model: 'standard',
    properties: { amount: '0.12' },
    units: '10.0',
    events_count: 3,
    value: '100',
    recurring: false,
    from_date: at,
    to_date: at,
    from_datetime: at,
    to_datetime: at,
    filters: [],
    grouped_usage: [],
    applied_taxes: [],
    precise_amount: '12.34',
    precise_total_amount: '12.46',
    payment_status: 'pending',
    currency: 'USD',
    created_at: at,
  };
}

/** A record that can stand for any: it has the fields of all, and the long list of its kind. */
function record(n: number, { lines, text }: Size, kind: string): JsonRecord {
  const name = `Record ${n} ${'ä bc '.repeat(text / 5)}`;
  const long = longLists[kind.replace(/s$/, '')] ?? 'applied_taxes';
  const list = range(lines).map(index => (long === 'invoice_ids' ? uuid(index) : line(index, text)));
  const ids = { svc_id: uuid(n), external_id: `id-${n}`, external_customer_id: 'acme', svc_customer_id: uuid(n) };
  const plan = { svc_id: uuid(n), code: 'pro', name, interval: 'monthly', amount_cents: 100, amount_currency: 'USD' };
  const number = `ACM-0001-001-${n}`;
  return {
    ...{ ...ids, code: `code_${n}`, name, description: name, number, invoice_number: number, transaction_id: `t-${n}` },
    ...{ customer: { svc_id: uuid(n), external_id: 'acme', name, email: 'a@example.com', address_line1: name } },
    ...{ external_subscription_id: 'main', plan_code: 'pro', plan: { ...plan, charges: long === 'plan' ? list : [] } },
    ...{ status: 'active', payment_status: 'pending', currency: 'USD', amount_currency: 'USD', amount_cents: 100 },
    ...{ total_amount_cents: 100, fees_amount_cents: 100, taxes_amount_cents: 0, total_due_amount_cents: 100 },
    ...{ balance_cents: 100, credits_balance: '1.0', rate_amount: '1.0', amount: '1.0', credit_amount: '1.0' },
    ...{ alert_type: 'current_usage_amount', webhook_url: 'https://example.com/hook', signature_algo: 'hmac' },
    portal_url: 'https://example.com/p',
    from_datetime: at,
    to_datetime: at,
    issuing_date: '2026-02-01',
    month: at,
    ...{ timestamp: at, created_at: at, started_at: at, invoices_count: 1, invoice_type: 'subscription' },
    properties: Object.fromEntries(range(20).map(index => [`key_${index}`, name])),
    metadata: [],
    subscriptions: [],
    ...{ credit_status: 'available', transaction_type: 'inbound', transaction_status: 'purchased' },
    ...{ fees: [], charges: [], charges_usage: [], thresholds: [], items: [], invoice_ids: [], invoice_numbers: [] },
    ...(long !== 'plan' && { [long]: list }),
  };
}

/** Which list of a record may be long; of others, the taxes. */
const longLists: Record<string, string> = {
  ...{ invoice: 'fees', credit_note: 'items', plan: 'charges', subscription: 'plan', customer_usage: 'charges_usage' },
  ...{ usage_period: 'charges_usage', alert: 'thresholds', payment: 'invoice_ids' },
};

/** Texts of answers that were asked for: building one takes longer than answering it. */
const written = new Map<string, string | undefined>();
const mostWritten = 30;

/** The JSON of an answer: every list has as many records as were asked for; everything else is one record. */
export function textOf({ pathname, searchParams }: URL, method: string | undefined, size: Size): string | undefined {
  const key = JSON.stringify([method, pathname, searchParams.get('per_page'), size]);
  if (!written.has(key)) {
    if (written.size >= mostWritten) written.clear();
    const body = bodyOf(pathname, searchParams.get('per_page'), method, size);
    written.set(key, body && JSON.stringify(body));
  }
  return written.get(key);
}

function bodyOf(pathname: string, perPage: string | null, method: string | undefined, size: Size): object | undefined {
  const one = (key: string) => ({ [key]: asAskedFor(pathname, record(0, size, key)) });
  if (pathname.endsWith('/invoices/preview')) return one('invoice');
  if (pathname.endsWith('/estimate_fees')) return { fees: range(size.lines).map(n => line(n, size.text)) };
  if (pathname.endsWith('/portal_url')) return one('customer');
  const made = method === 'POST' ? /\/(alerts|billing_entities)$/.exec(pathname)?.[1] : undefined;
  if (made === 'alerts') return { alert: { ...one('alert').alert, code: 'new' } };
  if (made !== undefined) return { billing_entity: { ...one('billing_entity').billing_entity, code: 'new' } };
  if (/\/alerts\/[^/]+$/.test(pathname)) return one('alert');
  const single = /\/(webhook_endpoint|wallet_transaction)s\/[^/]+$/.exec(pathname)?.[1];
  if (single !== undefined) return one(single);
  const body = lookupBody(pathname, {}) as JsonRecord | undefined;
  const [key = ''] = Object.keys(body ?? {}).filter(name => name !== 'meta');
  if (body === undefined) return undefined;
  if (!Array.isArray(body[key])) return one(key);
  const asked = Number(perPage ?? size.rows);
  const rows = range(Math.min(asked, size.rows)).map(index => record(index, size, key));
  return { [key]: rows, ...('meta' in body && { meta: meta(rows.length * 3, { pages: 3 }) }) };
}
