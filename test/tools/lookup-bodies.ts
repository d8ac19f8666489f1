/** The reads of docs/lookups.md: the key of each answer, and bodies for a billing API that knows every path. */
import type { JsonRecord } from '../../src/lib/json.ts';
import { meta } from './lookup-upstream.ts';

/** By path below /api/v1, a page of a list unless `single`, or `whole` for lists without `meta`. */
const reads: readonly { path: RegExp; key: string; single?: true; whole?: true }[] = [
  ...[
    ['customers', 'customer'],
    ['subscriptions', 'subscription'],
    ['invoices', 'invoice'],
    ['wallets', 'wallet'],
    ['credit_notes', 'credit_note'],
    ['payments', 'payment'],
    ['events', 'event'],
    ['add_ons', 'add_on'],
    ['coupons', 'coupon'],
    ['billable_metrics', 'billable_metric'],
    ['taxes', 'tax'],
    ['fees', 'fee'],
    ['plans', 'plan'],
  ].flatMap(([key = '', one = '']) => [
    { path: new RegExp(`^/(customers/[^/]+/)?${key}$`), key },
    { path: new RegExp(`^/${key}/[^/]+$`), key: one, single: true as const },
  ]),
  { path: /^\/billing_entities$/, key: 'billing_entities', whole: true },
  { path: /^\/webhook_endpoints$/, key: 'webhook_endpoints' },
  { path: /^\/activity_logs$/, key: 'activity_logs' },
  { path: /^\/(customers\/[^/]+\/)?applied_coupons$/, key: 'applied_coupons' },
  { path: /^\/wallets\/[^/]+\/wallet_transactions$/, key: 'wallet_transactions' },
  { path: /^\/subscriptions\/[^/]+\/alerts$/, key: 'alerts' },
  { path: /^\/customers\/[^/]+\/current_usage$/, key: 'customer_usage', single: true },
  { path: /^\/customers\/[^/]+\/past_usage$/, key: 'usage_periods' },
  { path: /^\/analytics\/gross_revenue$/, key: 'gross_revenues', whole: true },
  { path: /^\/analytics\/mrr$/, key: 'mrrs', whole: true },
  { path: /^\/analytics\/overdue_balance$/, key: 'overdue_balances', whole: true },
  { path: /^\/analytics\/invoiced_usage$/, key: 'invoiced_usages', whole: true },
  { path: /^\/analytics\/invoice_collection$/, key: 'invoice_collections', whole: true },
];

/** The body of a GET: a page of one record or the record alone; undefined for a path that is none of these. */
export function lookupBody(address: string, record: object): object | undefined {
  const [path = ''] = address.replace(/^\/api\/v1/, '').split('?');
  const read = reads.find(candidate => candidate.path.test(path));
  if (read === undefined) return undefined;
  if (read.single) return { [read.key]: asAskedFor(address, record) };
  return { [read.key]: [record], ...(!read.whole && { meta: meta(1) }) };
}

/** What the id at the end of a path is called in the record that it leads to. */
const ownIds: Readonly<Record<string, string>> = {
  customers: 'external_id',
  subscriptions: 'external_id',
  events: 'transaction_id',
  add_ons: 'code',
  plans: 'code',
  alerts: 'code',
};

/** A service answers with the record that it was asked for: the ids that the record has become those of path and body. */
export function asAskedFor(address: string, record: object, body: JsonRecord | null = null): object {
  const [path = ''] = address.replace(/^\/api\/v1/, '').split('?');
  const [, kind = '', id] = /(\w+)\/([^/]+)$/.exec(path) ?? [];
  const own = ownIds[kind] ?? 'svc_id';
  const [, customer] = /^\/customers\/([^/]+)\/./.exec(path) ?? [];
  const [, wallet] = /\/wallets\/([^/]+)\/alerts/.exec(path) ?? [];
  const [, subscription] = /^\/subscriptions\/([^/]+)\/./.exec(path) ?? [];
  const [made] = Object.values(body ?? {}) as JsonRecord[];
  const asked = {
    ...(id !== undefined && { [own]: id }),
    ...{ external_customer_id: customer, wallet_code: wallet, external_subscription_id: subscription },
    ...(typeof made?.code === 'string' && { code: made.code }),
  };
  const ids = Object.entries(asked).filter(([field, value]) => value !== undefined && field in record);
  return {
    ...record,
    ...Object.fromEntries(ids.map(([field, value]) => [field, decodeURIComponent(value as string)])),
  };
}
