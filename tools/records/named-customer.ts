/**
 * Which customer a lookup is about. A user says a name; the API wants the external id. Only lookups accept names:
 * customers choose their names themselves, so that a name must never decide what is changed, or who gets a portal link.
 */

import type { Customer, Odd } from '../../src/contract/shown.ts';
import type { Api, NoAnswer } from '../../src/definition/api.ts';
import { refuse, type ToolError } from '../../src/definition/failure.ts';
import { asRead } from '../../src/lib/case-folding.ts';
import { isText } from '../../src/lib/json.ts';
import { customerName, listed, named, quoted, say, sentences } from '../../src/words/summary.ts';
import { readOne } from './one-record.ts';
import { customerFields, mostSearched, searchCustomers } from './record-search.ts';

/** A customer that was found by a part of the name. */
export interface NamedCustomer {
  external_id: string;
  name: string;
}

/** What the answer of a list or report tells its summary: its sentences. */
export interface ForSummary {
  readonly customer?: NamedCustomer;
  readonly for_summary: readonly (string | null | false | undefined)[];
}

/** The sentences that a list or report made with its answer. */
export function sayMade({ for_summary }: ForSummary): string {
  return sentences(...for_summary);
}

/** The answer, with the customer if it was found by name; null if the argument was an external id. */
export type OfCustomer<T> = (T & { customer: NamedCustomer | null }) | NoAnswer;

const mostNamed = 5;
/** Bytes of the customers that an error names: other scripts cost more tokens, and have more bytes. */
const mostBytes = 200;

/**
 * Reads with the text as an external id. If no customer has this id, and exactly one customer's name or legal name
 * contains the text, reads that customer. If several contain it, the error lists them: an exact match does not win over
 * a longer name that contains it. `listed`: the customer as the search shows it, if it was found by name.
 */
export async function ofCustomer<T extends { ok: true }>(
  api: Api,
  idOrName: string,
  read: (external_customer_id: string, listed?: Customer) => Promise<T | NoAnswer>,
): Promise<OfCustomer<T>> {
  const answer = await read(idOrName);
  if (answer.ok) return { ...answer, customer: null };
  if (answer.error.code !== 'customer_not_found' || !api.mayUse('find_customers')) return answer;
  const matches = await customersNamed(api, idOrName);
  // If the search fails too, the answer is that there is no customer with this id.
  if (matches === null) return answer;
  const [only, ...others] = matches.customers;
  if (others.length > 0 || matches.more || matches.shared !== undefined)
    return { ok: false, error: severalCustomers(api, idOrName, matches) };
  if (only === undefined) return { ok: false, error: noneNamed(api, answer.error, idOrName, matches) };
  const again = await read(only.external_id, matches.records[0]);
  return again.ok ? { ...again, customer: only } : again;
}

/** The key with which an answer begins if the customer was found by name; nothing if an id was given. */
export function customerField(customer: NamedCustomer | null): { customer?: NamedCustomer } {
  return customer === null ? {} : { customer };
}

/** `Found by name: “Northwind Logistics” (northwind-logistics)`; null if an id was given. */
export function customerNote(customer: NamedCustomer | Odd): string | null {
  return say`Found by name: ${customer ? named(customer.name, customer.external_id) : null}`;
}

/**
 * ` of “Acme” (acme)` for a list of one customer, ` of “Acme”` if it was found by name (customerNote has the id); empty
 * without a customer. `rows` may hold the customer nested.
 */
export function ofWhom(
  idOrName: string | undefined,
  customer: NamedCustomer | null,
  rows: readonly { readonly customer?: Customer | Odd }[],
  word = 'of',
): string {
  if (idOrName === undefined) return '';
  const whom = customer === null ? named(rows[0]?.customer?.name, idOrName) : quoted(customer.name);
  return ` ${word} ${whom ?? 'this customer'}`;
}

type KnownCustomer = { ok: true; id: string | undefined; record: Customer };

/** The customer's own record, for lists and reports that do not refuse an unknown id; an empty one where none is given. */
export async function knownCustomer(api: Api, idOrName: string | undefined): Promise<OfCustomer<KnownCustomer>> {
  if (idOrName === undefined) return { ok: true, id: undefined, record: {}, customer: null };
  return ofCustomer<KnownCustomer>(api, idOrName, async external_customer_id => {
    const answer = await readOne(api, 'customer', external_customer_id);
    return answer.ok ? { ok: true, id: external_customer_id, record: answer.body } : answer;
  });
}

/** The list of a customer by id or name, or of the account where none is given. */
export async function readOfCustomer<T extends { ok: true }>(
  api: Api,
  idOrName: string | undefined,
  read: (external_customer_id?: string) => Promise<T | NoAnswer>,
): Promise<OfCustomer<T>> {
  if (idOrName !== undefined) return ofCustomer(api, idOrName, read);
  const answer = await read();
  return answer.ok ? { ...answer, customer: null } : answer;
}

interface NameMatches {
  customers: NamedCustomer[];
  /** The same customers as they are listed. */
  records: Customer[];
  /** Customers that the search found by another field: first or last name, email, a part of the id. */
  others: NamedCustomer[];
  /** The search has more list pages than were read. */
  more: boolean;
  /** As `shared` of a search. */
  shared: string | undefined;
}

async function customersNamed(api: Api, idOrName: string): Promise<NameMatches | null> {
  const wanted = asRead(idOrName);
  if (wanted === '') return null;
  const list = await searchCustomers(api, { search_term: idOrName }, { per_page: mostSearched });
  if (!list.ok) return null;
  const listed = new Map(list.rows.map(record => [record.external_id, record]));
  const matches = [...listed].flatMap(([id, record]) => {
    const { name, legal_name } = record;
    const has = (field: string) => asRead(field).includes(wanted);
    const byName = [name, legal_name].filter(isText).some(has);
    if (!id || (!byName && !customerFields(api, record).some(has))) return [];
    return [{ record, byName, customer: { external_id: id, name: customerName(record) ?? '' } }];
  });
  const namedMatches = matches.filter(({ byName }) => byName);
  return {
    records: namedMatches.map(({ record }) => record),
    customers: namedMatches.map(({ customer }) => customer),
    others: matches.filter(({ byName }) => !byName).map(({ customer }) => customer),
    more: list.nextPage !== null,
    shared: list.shared,
  };
}

function noneNamed(api: Api, error: ToolError, idOrName: string, { others }: NameMatches): ToolError {
  const none = `No customer has ${quoted(idOrName)} as its ID or in its name`;
  const near = choicesOf(others);
  const hint =
    near === null
      ? `${none}. ${api.hides('email') ? 'Email addresses are hidden and not searched.' : 'find_customers also searches email addresses, by any part.'}`
      : `${none} or legal name. Found by other fields: ${near}. Ask whether that is meant, then call again with the external id.`;
  return { ...error, hint };
}

/** If more customers match than were read, the names of the rest are unknown: none is chosen. */
function severalCustomers({ tool, hides }: Api, idOrName: string, { customers, more, shared }: NameMatches): ToolError {
  const choices = choicesOf(customers);
  return refuse('several_customers', {
    tool,
    choices,
    lister: 'find_customers',
    count: customers.length,
    text: quoted(shared ?? idOrName),
    partial:
      more || shared !== undefined
        ? { searched: mostSearched, byEmail: !hides('email'), cut: shared !== undefined }
        : null,
  });
}

/** `“Acme Corp” (acme) and 3 more`; null for none. */
function choicesOf(customers: readonly NamedCustomer[]): string | null {
  const choices = customers.map(({ external_id, name }) => named(name, external_id) ?? '');
  const fitting = choices.filter((_, index) => Buffer.byteLength(choices.slice(0, index + 1).join(', ')) <= mostBytes);
  return listed(choices, Math.min(mostNamed, Math.max(1, fitting.length)));
}
