/** Reads single records, each by its own path, with their customers. `readShown` also checks that the caller may see the record. */
import type { Body, RecordOf, RecordUnder } from '../../src/contract/answers.ts';
import type { Customer, Subscription, Wallet } from '../../src/contract/shown.ts';
import type { Api, Get, ReadAnswer } from '../../src/definition/api.ts';
import { unwrap } from '../../src/words/present-record.ts';
import { zoneOf } from '../../src/words/zoned-times.ts';

const records = {
  add_on: ['/add_ons/{code}', 'list_catalogue'],
  billable_metric: ['/billable_metrics/{code}', 'list_catalogue'],
  billing_entity: ['/billing_entities/{code}', 'list_catalogue'],
  credit_note: ['/credit_notes/{svc_id}', 'list_credit_notes'],
  customer: ['/customers/{external_customer_id}', 'get_customer'],
  customer_usage: ['/customers/{external_customer_id}/current_usage', 'get_usage'],
  invoice: ['/invoices/{svc_id}', 'get_invoice'],
  lifetime_usage: ['/subscriptions/{external_id}/lifetime_usage', 'get_subscription'],
  plan: ['/plans/{code}', 'list_plans'],
  subscription: ['/subscriptions/{external_id}', 'get_subscription'],
  wallet: ['/wallets/{svc_id}', 'list_wallets'],
} as const;
type OneKey = keyof typeof records;

/** The record itself as the body; `id` is the value in its path. */
export async function readOne<Key extends OneKey>(
  api: Api,
  key: Key,
  id: string,
  others: Pick<Get, 'query' | 'is'> = {},
): Promise<ReadAnswer<RecordOf<Key>>> {
  const [path] = records[key];
  const [name = ''] = /(?<=\{)\w+/.exec(path) ?? [];
  const answer = await api.get(path, { key, path: { [name]: id }, ...others });
  return answer.ok ? { ok: true, body: (answer.body[key] ?? {}) as RecordOf<Key> } : answer;
}

/** Null where it cannot be read. */
export async function readOrNull<Key extends OneKey>(
  api: Api,
  key: Key,
  id: string,
  query: Get['query'] = {},
): Promise<RecordOf<Key> | null> {
  const answer = await readOne(api, key, id, { query });
  return answer.ok ? answer.body : null;
}

/** Null also for a caller without the tool that shows it, and without an id. */
export async function readShown<Key extends OneKey>(
  api: Api,
  key: Key,
  id: string | null | undefined,
  query: Get['query'] = {},
): Promise<RecordOf<Key> | null> {
  return id && api.mayUse(records[key][1]) ? readOrNull(api, key, id, query) : null;
}

/** The answer with what `read` gives; as it is where that could not be read in time. `key`: of the record or the list in it. */
export async function withBeside<Key extends string>(
  api: Api,
  key: Key,
  answering: Promise<ReadAnswer<Body>>,
  read: (record: RecordUnder<Key>, api: Api) => Promise<object | null>,
): Promise<ReadAnswer> {
  const answer = await answering;
  if (!answer.ok) return answer;
  const record = unwrap(key, answer.body) as RecordUnder<Key>;
  const beside = await api.beside(aside => read(record, aside));
  return beside === null ? answer : { ...answer, beside };
}

/** A record with its whole customer, where that was read. */
export type WithCustomer<Of> = Of & { readonly customer?: Customer };

/** The time zone in which a customer is billed; null where it may not or cannot be read. */
export async function zoneOfCustomer(api: Api, external_customer_id: string): Promise<string | null> {
  return zoneOf({ customer: await readShown(api, 'customer', external_customer_id) });
}

/** With the whole `customer`, for its name and time zone in the question; without it if it cannot be read. */
export async function withCustomer<Of extends Subscription | Wallet>(api: Api, record: Of): Promise<WithCustomer<Of>> {
  const { external_customer_id } = record;
  if (!external_customer_id || !api.mayUse('get_customer')) return record;
  const read = () => readOrNull(api, 'customer', external_customer_id);
  // Kept: before the write is sent, the record is read again, but its customer is not.
  const customer = await api.kept(`customer\0${external_customer_id}`, read);
  return customer === null ? record : { ...record, customer };
}

/** The service stores a purchase order number of blanks as none (§3.1). */
export function withoutBlankNumber<Sent extends { purchase_order_number?: unknown }>(fields: Sent): Sent {
  return fields.purchase_order_number === '' ? { ...fields, purchase_order_number: null } : fields;
}
