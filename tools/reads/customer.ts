/**
 * Which customer a lookup is about. A person says a name; the API wants the external id. Only lookups accept names:
 * customers choose their names themselves, so that a name must never decide what is changed, or who gets a portal link.
 */
import { asRead } from '../../src/lib/case-folding.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import type { Reads } from '../../src/tool/define.ts';
import type { ToolError } from '../../src/tool/failure.ts';
import { asRecord, asText, asTexts, listed, named, quoted } from '../../src/words/summary.ts';
import { customerFields, mostSearched, searchCustomers } from './search.ts';

/** A customer that was found by a part of the name. */
export interface NamedCustomer {
  external_id: string;
  name: string;
}

/** What was read, and the customer where a name led to it; null where the argument was an external id. */
export type OfCustomer<T> = (T & { customer: NamedCustomer | null }) | { ok: false; error: ToolError };

const mostNamed = 5;
/** Of the customers that an error names: other scripts cost more tokens, and more bytes. */
const mostBytes = 200;

/**
 * Reads with the given text as an external id. When no customer has this id and exactly one customer's name or legal
 * name contains the text, reads that one. Several are listed in the error to choose from: an exact match does not win
 * over a longer name that contains it. `listed` is the customer as the search has it, where a name led to it.
 */
export async function ofCustomer<T extends { ok: true }>(
  reads: Reads,
  given: string,
  read: (external_customer_id: string, listed?: JsonRecord) => Promise<T | { ok: false; error: ToolError }>,
): Promise<OfCustomer<T>> {
  const answer = await read(given);
  if (answer.ok) return { ...answer, customer: null };
  if (answer.error.code !== 'customer_not_found' || !reads.mayUse('find_customers')) return answer;
  const found = await customersNamed(reads, given);
  // If the search fails too, the answer is that there is no customer with this id.
  if (found === null) return answer;
  const [only, ...others] = found.customers;
  if (others.length > 0 || found.more || found.shared !== undefined)
    return { ok: false, error: severalCustomers(reads, given, found) };
  if (only === undefined) return { ok: false, error: withoutName(reads, answer.error, given, found) };
  const again = await read(only.external_id, found.records[0]);
  return again.ok ? { ...again, customer: only } : again;
}

/** The keys that an answer about a customer found by name begins with; none where an id was given. */
export function customerField(customer: NamedCustomer | null): JsonRecord {
  return customer === null ? {} : { customer };
}

/** `This is “Northwind Logistics” (northwind-logistics)`; null where an id was given. */
export function customerNote(customer: unknown): string | null {
  const { name, external_id } = asRecord(customer);
  const found = named(name, external_id);
  return found === null ? null : `Found by name: ${found}`;
}

/**
 * ` of “Acme” (acme)` for a list of one customer, ` of “Acme”` where the name led to it (customerNote has the id); empty
 * without a customer. `rows` may hold the customer nested.
 */
export function ofWhom(
  given: string | undefined,
  customer: NamedCustomer | null,
  rows: readonly JsonRecord[],
  word = 'of',
): string {
  if (given === undefined) return '';
  const { name } = asRecord(rows[0]?.customer);
  const whom = customer === null ? named(name, given) : quoted(customer.name);
  return ` ${word} ${whom ?? 'this customer'}`;
}

/** The customer's own record, for reads to which an unknown id is no error. */
export async function knownCustomer(
  reads: Reads,
  given: string,
): Promise<OfCustomer<{ ok: true; id: string; record: JsonRecord }>> {
  return ofCustomer(reads, given, async external_customer_id => {
    const path = { external_customer_id };
    const answer = await reads.get('/customers/{external_customer_id}', { key: 'customer', path });
    return answer.ok ? { ok: true, id: external_customer_id, record: asRecord(answer.body.customer) } : answer;
  });
}

/** The list of a customer by id or name, or of the account where none is given. */
export async function readOfCustomer<T extends { ok: true }>(
  reads: Reads,
  given: string | undefined,
  read: (external_customer_id?: string) => Promise<T | { ok: false; error: ToolError }>,
): Promise<OfCustomer<T>> {
  if (given !== undefined) return ofCustomer(reads, given, read);
  const answer = await read();
  return answer.ok ? { ...answer, customer: null } : answer;
}

interface Found {
  customers: NamedCustomer[];
  /** The same customers as they are listed. */
  records: JsonRecord[];
  /** Customers that the search found by another field: first or last name, e-mail, a part of the id. */
  others: NamedCustomer[];
  /** The search has more pages than were read. */
  more: boolean;
  /** As that of a search. */
  shared: string | undefined;
}

async function customersNamed(reads: Reads, given: string): Promise<Found | null> {
  const wanted = asRead(given);
  if (wanted === '') return null;
  const found = await searchCustomers(reads, given, {}, { per_page: mostSearched });
  if (!found.ok) return null;
  const listed = new Map(found.rows.map(record => [asText(record.external_id), record]));
  const matches = [...listed].flatMap(([id, record]) => {
    const { name, legal_name, firstname, lastname } = record;
    const has = (field: string) => asRead(field).includes(wanted);
    const byName = asTexts([name, legal_name]).some(has);
    if (id === null || (!byName && !customerFields(reads, record).some(has))) return [];
    const called = asText(name) ?? asText(legal_name) ?? asTexts([firstname, lastname]).join(' ');
    return [{ record, byName, customer: { external_id: id, name: called } }];
  });
  const named = matches.filter(({ byName }) => byName);
  return {
    records: named.map(({ record }) => record),
    customers: named.map(({ customer }) => customer),
    others: matches.filter(({ byName }) => !byName).map(({ customer }) => customer),
    more: found.nextPage !== null,
    shared: found.shared,
  };
}

function withoutName(reads: Reads, error: ToolError, given: string, { others }: Found): ToolError {
  const none = `No customer has ${quoted(given)} as id or in its name`;
  const near = choicesOf(others);
  const hint =
    near === null
      ? `${none}. ${reads.hides('email') ? 'E-mail addresses are hidden here, and not searched.' : 'find_customers also searches e-mail addresses, by any part.'}`
      : `${none} or legal name. Found by other fields: ${near}. Ask whether that is meant, then call again with the external id.`;
  return { ...error, hint };
}

/** Of more matches than were read, the names of the others are not known: none of them is chosen. */
function severalCustomers({ tool, hides }: Reads, given: string, { customers, more, shared }: Found): ToolError {
  const choices = choicesOf(customers);
  const part = shared ?? given;
  const partial = more || shared !== undefined;
  const matching = partial
    ? `more than ${mostSearched} customers have ${quoted(part)} in a name${hides('email') ? ' or id' : ', id or e-mail address'}`
    : `the names of ${customers.length} customers contain ${quoted(given)}`;
  const next =
    choices === null ? 'Call again with a longer part of the name' : `Call again with one external id: ${choices}`;
  const rest =
    choices === null ? '' : shared === undefined ? ' or others not read, which find_customers lists' : othersRead;
  return {
    status: null,
    code: 'several_customers',
    message: `${tool}: ${matching}`,
    hint: `${next}${partial ? rest : ''}. Ask the person which is meant.`,
    changed: false,
  };
}

const othersRead = ', or with more of the name where another is meant, whose blanks or letters are written otherwise';

/** `“Acme Corp” (acme) and 3 more`; null for none. */
function choicesOf(customers: readonly NamedCustomer[]): string | null {
  const choices = customers.map(({ external_id, name }) => named(name, external_id) ?? '');
  return listed(choices, roomFor(choices));
}

/** How many of them an error has room for; at least one. */
function roomFor(choices: readonly string[]): number {
  const fitting = choices.filter((_, index) => Buffer.byteLength(choices.slice(0, index + 1).join(', ')) <= mostBytes);
  return Math.min(mostNamed, Math.max(1, fitting.length));
}
