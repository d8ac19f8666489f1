/** Records as sentences name them: by the codes and external ids of the interface. */
import type { Fields } from '../../contract/shown.ts';
import { isText, ownValue } from '../../lib/json.ts';
import type { Snapshot } from '../types.ts';

/** The fields of records that their names are made of. */
type Named = Fields<
  | 'id'
  | 'code'
  | 'number'
  | 'status'
  | 'parent_id'
  | 'coupon_id'
  | 'customer_id'
  | 'external_id'
  | 'external_subscription_id'
  | 'transaction_id'
  | 'transaction_type'
  | 'wallet_id'
  | 'webhook_url'
>;
type Name = (record: Named, find: (table: string, id: unknown) => string) => string;

const byCode =
  (kind: string): Name =>
  ({ code }) =>
    `${kind} ${code}`;
const byNumber =
  (kind: string): Name =>
  ({ number, id }) =>
    `${kind} ${isText(number) ? number : id}`;

const names: Readonly<Record<string, Name>> = {
  organizations: () => 'the account',
  billing_entities: byCode('billing entity'),
  taxes: byCode('tax'),
  invoice_custom_sections: byCode('invoice custom section'),
  customers: ({ external_id }) => `customer ${external_id}`,
  billable_metrics: byCode('billable metric'),
  add_ons: byCode('add-on'),
  plans: ({ code, parent_id }) => (parent_id === null ? `plan ${code}` : `a subscription's own copy of plan ${code}`),
  subscriptions: ({ external_id, status }) =>
    status === 'active' ? `subscription ${external_id}` : `${status} subscription ${external_id}`,
  wallets: ({ code, customer_id }, find) => `wallet ${code} of ${find('customers', customer_id)}`,
  wallet_transactions: ({ transaction_type, wallet_id }, find) =>
    `${transaction_type} wallet transaction of ${find('wallets', wallet_id)}`,
  coupons: byCode('coupon'),
  applied_coupons: ({ coupon_id, customer_id }, find) =>
    `${find('coupons', coupon_id)} of ${find('customers', customer_id)}`,
  invoices: byNumber('invoice'),
  credit_notes: byNumber('credit note'),
  payments: ({ id, customer_id }, find) => `payment ${id} of ${find('customers', customer_id)}`,
  payment_requests: ({ id, customer_id }, find) => `payment request ${id} of ${find('customers', customer_id)}`,
  alerts: ({ code, external_subscription_id, wallet_id }, find) =>
    `alert ${code} of ${isText(wallet_id) ? find('wallets', wallet_id) : `subscription ${external_subscription_id}`}`,
  webhook_endpoints: ({ webhook_url }) => `webhook endpoint ${webhook_url}`,
  events: ({ transaction_id }) => `event ${transaction_id}`,
};

export interface RecordNames {
  of(table: string, record: Named): string;
  /** The name of the record that has this id; undefined for any other value. */
  ofId(value: unknown): string | undefined;
}

/** Names the records of these snapshots; of an id that several have, the first snapshot's record. */
export function recordNames(snapshots: readonly Snapshot[]): RecordNames {
  const nameOfId = (table: string, id: unknown): string => {
    const record = isText(id)
      ? snapshots.map(tables => tables[table]?.[id]).find(each => each !== undefined)
      : undefined;
    return record === undefined ? String(id) : of(table, record);
  };
  const of = (table: string, record: Named): string =>
    ownValue(names, table)?.(record, nameOfId) ?? `${table} ${record.id}`;
  const tables = new Set(snapshots.flatMap(snapshot => Object.keys(snapshot)));
  const ofId = (value: unknown) => {
    if (!isText(value)) return undefined;
    const table = [...tables].find(name => snapshots.some(snapshot => snapshot[name]?.[value] !== undefined));
    return table === undefined ? undefined : nameOfId(table, value);
  };
  return { of, ofId };
}
