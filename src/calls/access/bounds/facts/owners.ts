/** Whose a record is. What cannot be proved to be an own record is none. */

import { customerKeys } from '../../../../contract/shown.ts';
import { fieldOf, isGiven, isObject, membersOf } from '../../../../lib/json.ts';

/**
 * What proves the owner: a field of the record, or one of its links to records that are known to be own ones. The service
 * names no customer in events (`event`), nor in the fees of add-ons and credits (`fee`): the subscription or the invoice
 * then proves it (lookups §9, §11).
 */
export type Owner = 'external_id' | 'external_customer_id' | 'customer' | 'svc_wallet_id' | 'event' | 'fee';

export interface Owners {
  /** External ids of the customers in question. */
  customers: ReadonlySet<string>;
  /** The `svc_id`s of themselves, of their wallets or of their invoices, where the kind of record needs them. */
  svcIds?: ReadonlySet<string>;
  /** For events: external ids of subscriptions that no other customer has. */
  subscriptions?: ReadonlySet<string>;
}

/** Is the record one of these customers, or theirs, and nothing in it another's? */
export function isOwn(record: unknown, owner: Owner, owners: Owners): record is object {
  if (!isObject(record) || namesOthers(record, owners.customers)) return false;
  switch (owner) {
    case 'customer':
      return holds(owners.customers, membersOf<'external_id'>(membersOf<typeof owner>(record).customer).external_id);
    case 'external_id':
    case 'external_customer_id':
      return holds(owners.customers, membersOf<typeof owner>(record)[owner]);
    case 'svc_wallet_id':
      return holdsSvcId(owners, membersOf<typeof owner>(record)[owner]);
    case 'event': {
      const { svc_customer_id, external_subscription_id: id } = membersOf<EventLink>(record);
      if (isGiven(svc_customer_id)) return holdsSvcId(owners, svc_customer_id);
      return owners.subscriptions !== undefined && holds(owners.subscriptions, id);
    }
    case 'fee':
      if (!isUnnamed(record)) return isOwn(record, 'external_customer_id', owners);
      return holdsSvcId(owners, membersOf<FeeLink>(record).svc_invoice_id);
  }
}

type EventLink = 'svc_customer_id' | 'external_subscription_id';
type FeeLink = 'external_customer_id' | 'svc_customer_id' | 'svc_invoice_id';

/** Does the record name no customer at all? */
export function isUnnamed(record: object): boolean {
  const { external_customer_id, svc_customer_id } = membersOf<FeeLink>(record);
  return !isGiven(external_customer_id) && !isGiven(svc_customer_id);
}

function holdsSvcId({ svcIds }: Owners, id: unknown): boolean {
  return typeof id === 'string' && svcIds?.has(id.toLowerCase()) === true;
}

function holds(ids: ReadonlySet<string>, id: unknown): boolean {
  return typeof id === 'string' && ids.has(id);
}

/** Keys of what customers write themselves, and of their ids in other systems: these name no one here. */
const ignoredKeys: ReadonlySet<string> = new Set([...customerKeys, 'integration_customers']);

/** Does any part of the value name a customer other than these, however deep? */
export function namesOthers(value: unknown, customers: ReadonlySet<string>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(item => namesOthers(item, customers));
  // Without a list of entries: every record of every answer is walked. What was parsed from JSON inherits no keys.
  for (const key in value) {
    const inner = fieldOf(value, key);
    const check = checksByKey.get(key);
    if (check === undefined ? typeof inner === 'object' && namesOthers(inner, customers) : check(inner, customers))
      return true;
  }
  return false;
}

type NamesOthers = (value: unknown, customers: ReadonlySet<string>) => boolean;

const idNamesOthers: NamesOthers = (id, customers) => id !== null && !holds(customers, id);

/** For the keys whose values are not simply walked: does the value name another customer? */
const checksByKey: ReadonlyMap<string, NamesOthers> = new Map<string, NamesOthers>([
  ...[...ignoredKeys].map((key): [string, NamesOthers] => [key, () => false]),
  ['external_customer_id', idNamesOthers],
  ['customer_external_id', idNamesOthers],
  ['customer', customerNamesOthers],
]);

function customerNamesOthers(customer: unknown, customers: ReadonlySet<string>): boolean {
  if (!isObject(customer)) return customer !== null;
  const { external_id } = membersOf<'external_id'>(customer);
  const named = external_id !== undefined && external_id !== null;
  return (named && !holds(customers, external_id)) || namesOthers(customer, customers);
}

/** Does any part of the value belong to another wallet or subscription than the path names, however deep? */
export function namesOtherThan(value: unknown, path: { wallet?: string; subscription?: string }): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => {
    if (ignoredKeys.has(key)) return false;
    const link = linkTo.get(key);
    const id = link && path[link];
    if (id === undefined || !isGiven(inner)) return namesOtherThan(inner, path);
    return typeof inner !== 'string' || inner.toLowerCase() !== id.toLowerCase();
  });
}

/** The fields of a record that say which wallet or subscription it belongs to. */
const linkTo: ReadonlyMap<string, 'wallet' | 'subscription'> = new Map([
  ['svc_wallet_id', 'wallet'],
  ['external_subscription_id', 'subscription'],
  ['subscription_external_id', 'subscription'],
]);

/**
 * Is the entry of the log of changes theirs? It holds records of any age, in part as texts, and which record it is about: a
 * record that has come from another customer, and one that cannot be read, may tell of another.
 */
export function isOwnChange(entry: unknown, owners: Owners): entry is object {
  if (!isOwn(entry, 'external_customer_id', owners) || isUnclear(entry, owners.customers)) return false;
  const { resource_type, activity_object } = membersOf<'resource_type' | 'activity_object'>(entry);
  const { external_id } = membersOf<'external_id'>(activity_object);
  return resource_type !== 'Customer' || !isGiven(external_id) || holds(owners.customers, external_id);
}

/** The word for a customer's id in any notation: as a key, and in a text that is no JSON. */
const customerId = /customer[_ ]?(?:external[_ ]?)?id|external[_ ]?customer/i;

function isUnclear(value: unknown, customers: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return customerId.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => {
    if (ignoredKeys.has(key)) return false;
    if (isUnclear(inner, customers)) return true;
    if (!customerId.test(key) || inner === null) return false;
    // The service's ids of customers: which are theirs is not known here, but two of them are never one customer's.
    return /^(?:svc_)?customer_id$/.test(key) ? typeof inner !== 'string' : !holds(customers, inner);
  });
}

/** Counters of plans and metrics, which count what others have. */
const counters: ReadonlySet<string> = new Set([
  'active_subscriptions_count',
  'customers_count',
  'draft_invoices_count',
  'plans_count',
  'subscriptions_count',
]);

/** The value without these counters: in a copy where there are any, else itself. */
export function withoutCounters<Value>(value: Value): Value {
  return hasCounters(value) ? (copyWithoutCounters(value) as Value) : value;
}

function copyWithoutCounters(value: object): unknown {
  if (Array.isArray(value)) return value.map(withoutCounters);
  const kept = Object.entries(value).filter(([key]) => !counters.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, ignoredKeys.has(key) ? inner : withoutCounters(inner)]));
}

/** Most records have none, and a copy costs several times as much as looking. */
function hasCounters(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasCounters);
  for (const key in value) {
    if (counters.has(key)) return true;
    const inner = fieldOf(value, key);
    if (typeof inner === 'object' && inner !== null && !ignoredKeys.has(key) && hasCounters(inner)) return true;
  }
  return false;
}
