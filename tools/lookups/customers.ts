/** Customers by any part of their name, id or email (docs/lookups.md §2): the way from what a user says to an id. */

import * as z from 'zod';
import { customerFilters } from '../../src/contract/list-filters.ts';
import type { Customer } from '../../src/contract/shown.ts';
import type { Api, Rows } from '../../src/definition/api.ts';
import { idText, paging } from '../../src/definition/args.ts';
import { defineLookup } from '../../src/definition/define.ts';
import { filterArguments } from '../../src/definition/field-arguments.ts';
import { customerName, firstOf, listed, named, phrase, quoted, say } from '../../src/words/summary.ts';
import { keysAndValues } from '../records/common-fields.ts';
import { readList, shownFields, shownNote } from '../records/list-pages.ts';
import { type ForSummary, sayMade } from '../records/named-customer.ts';
import { searchCustomers } from '../records/record-search.ts';

/** Customers that the summary names. */
const mostNamed = 5;

export const findCustomers = defineLookup({
  name: 'find_customers',
  title: 'Find customers',
  toolset: 'customers',
  endpoint: 'GET /customers',
  description:
    'Finds customers by any part of a name, external ID or email. Returns one row each with the external_customer_id that other tools take. Once you know the customer, use get_customer_overview.',
  input: z
    .strictObject({
      search_term: idText().describe('Part of a name, external ID or email').optional(),
      ...filterArguments(customerFilters),
      ...paging,
    })
    .refine(({ has_customer_type, customer_type }) => has_customer_type !== false || customer_type === undefined, {
      path: ['customer_type'],
      error: 'goes without has_customer_type: false',
    }),
  async run({ page, per_page, all, ...query }, api) {
    const list = await searchCustomers(api, query, { page, per_page, all });
    if (!list.ok) return list;
    const customers = await withAsked(api, list.rows);
    const for_summary = describeFound(list, query, api.hides('email'));
    return { ok: true, body: { customers, ...shownFields(list), for_summary } };
  },
  result: 'customers',
  answer: 'made list',
  brief: 'external_id name legal_name?=name firstname lastname email currency country billing_entity_code',
  more: 'city metadata subscriptions',
  say: sayMade,
});

function describeFound(list: Rows<Customer>, filters: Filters, hidden: boolean): ForSummary['for_summary'] {
  const { rows, total } = list;
  const matching = shownNote(list, 'customer');
  const [first] = rows;
  const note = hidden && 'Email addresses are hidden and not searched';
  if (matching === null) return [`No customer has ${filtersInWords(filters, hidden)}`, note, ...whyNone(filters)];
  if (first !== undefined && matching === '1 customer') return [`Exactly one customer: ${oneLine(first)}`, note];
  // If a search finds more, naming the first ones would make them look like the likeliest.
  const isSearch = filters.search_term !== undefined;
  const names = rows.map(oneLine);
  const few = rows.length <= mostNamed ? listed(names, mostNamed) : isSearch ? null : firstOf(names, total);
  return [phrase`${matching}${say`: ${few}`}`, note];
}

/** So many customers of a list are looked up, each by a read. */
const mostLookedUp = 10;

type Subscribed = Customer & { readonly subscriptions?: readonly object[] | undefined };

async function withAsked(api: Api, customers: readonly Customer[]): Promise<readonly Subscribed[]> {
  const rows = api.asks('subscriptions') ? await withSubscriptions(api, customers) : customers;
  return api.asks('metadata') ? rows.map(row => ({ ...row, metadata: keysAndValues(row.metadata) })) : rows;
}

/** The first customers with their active subscriptions; of the others, and where these cannot be read, without the field. */
async function withSubscriptions(api: Api, customers: readonly Customer[]): Promise<Subscribed[]> {
  const room = api.mayUse('list_subscriptions') ? Math.min(mostLookedUp, Math.max(api.left(), 0)) : 0;
  return Promise.all(
    customers.map(async (customer, index) => {
      if (index >= room || !customer.external_id) return customer;
      const list = await readList(api, 'subscriptions', customer.external_id, { status: ['active'] }, {});
      if (!list.ok) return customer;
      const subscriptions = list.rows.map(({ external_id, name, plan_code }) => ({
        external_id,
        ...(name && name !== external_id && { name }),
        plan_code,
      }));
      return { ...customer, subscriptions };
    }),
  );
}

/** `“Northwind Logistics” (northwind-logistics)`. */
export function oneLine(customer: Customer): string {
  return named(customerName(customer), customer.external_id) ?? 'one without an id';
}

/** What the search cannot do (docs/lookups.md §0), where that may be why it found no one. */
function whyNone({ search_term }: { search_term?: string | undefined }): (string | null)[] {
  const term = search_term?.trim() ?? '';
  const words = term.split(/\s+/);
  return [
    words.length > 1 ? 'The words are searched as one phrase: try one of them' : null,
    /[^\x20-\x7e]/.test(term) ? 'Accents matter: try a part of the name without them' : null,
  ];
}

interface Filters {
  readonly search_term?: string | undefined;
  readonly countries?: readonly string[] | undefined;
  readonly currencies?: readonly string[] | undefined;
  readonly metadata?: unknown;
}

/** What was asked for, with the fields that the search reads (docs/lookups.md §2). */
function filtersInWords(
  { search_term, countries = [], currencies = [], metadata, ...others }: Filters,
  hidden: boolean,
): string {
  const ids = hidden ? ' or external ID' : ', external ID or email';
  const names = Object.keys(others).filter(name => name in customerFilters);
  const parts = [
    say`${quoted(search_term)} in its name, first, last or legal name${ids}`,
    say`the country ${listed(countries)}`,
    say`the currency ${listed(currencies)}`,
    metadata === undefined ? null : 'this metadata',
    say`what ${listed(names)} ${names.length === 1 ? 'asks' : 'ask'} for`,
  ].filter(part => part !== null);
  return parts.length === 0 ? 'been created yet' : parts.join(', and ');
}
