/** Completion of plan codes, of customers' and subscriptions' ids by name, and of resource names, in prompts and in resource addresses. */
import type { CompleteRequestParams } from '@modelcontextprotocol/server';
import type { AccountReader } from '../../calls/api/account/account-reader.ts';
import { compileEndpoint, PathValueError } from '../../calls/api/http/path.ts';
import { subscriptionStatuses } from '../../contract/enums.ts';
import type { Customer } from '../../contract/shown.ts';
import { asRead, steadyPart, writtenForms } from '../../lib/case-folding.ts';
import { isText } from '../../lib/json.ts';

const most = 100;

type Completion = { values: string[]; total: number; hasMore: boolean };

/** Something to complete to; `texts` are what is typed of it besides the value. */
interface Candidate {
  value: string;
  texts: string[];
}

/** Where the account cannot be read, returns no completion instead of an error. */
export async function complete(
  { ref, argument, context }: CompleteRequestParams,
  reader: AccountReader,
): Promise<Completion> {
  const typed = asRead(argument.value);
  const { external_customer_id } = context?.arguments ?? {};
  const candidates = await candidatesFor(ref, argument.name, { typed, external_customer_id }, reader);
  const matching = candidates.filter(({ value, texts }) =>
    [value, ...texts].some(text => asRead(text).includes(typed)),
  );
  const values = [...new Set(matching.map(({ value }) => value))];
  const starting = values.filter(value => asRead(value).startsWith(typed));
  const matches = [...starting, ...values.filter(value => !starting.includes(value))];
  return { values: matches.slice(0, most), total: matches.length, hasMore: matches.length > most };
}

interface Typed {
  typed: string;
  /** The customer that was chosen before. */
  external_customer_id: string | undefined;
}

async function candidatesFor(
  ref: CompleteRequestParams['ref'],
  argument: string,
  fields: Typed,
  reader: AccountReader,
): Promise<Candidate[]> {
  const address = ref.type === 'ref/resource' ? ref.uri : '';
  if (address === 'billing://schema/{resource}' && argument === 'resource') {
    return plain(Object.keys((await import('../../contract/resources.ts')).resourceSchemas).sort());
  }
  if (argument === 'external_customer_id') return customersLike(fields.typed, reader);
  if (argument === 'external_subscription_id') return subscriptionsOf(fields.external_customer_id, reader);
  const namesPlan =
    address === 'billing://plans/{code}'
      ? argument === 'code'
      : argument === 'plan_code' || argument === 'compare_with';
  return namesPlan ? plain(await reader.planCodes()) : [];
}

function plain(values: readonly string[]): Candidate[] {
  return values.map(value => ({ value, texts: [] }));
}

/**
 * Customers with the letters in their id or in one of their names, as people read them: the service compares them as they
 * are stored, so that it is asked for a part that is written in one way only; where many have it, for the whole, too.
 */
async function customersLike(typed: string, reader: AccountReader): Promise<Candidate[]> {
  const search = (search_term: string): Promise<Customer[]> => {
    const query = { ...(search_term !== '' && { search_term }), per_page: most };
    return reader.keptRows('find_customers', customers.target({ query }), 'customers');
  };
  const part = steadyPart(typed);
  const some = part === '' && typed !== '' ? [] : await search(part);
  const whole = part === typed || (some.length > 0 && some.length < most) ? [] : writtenForms(typed).map(search);
  const rows = [...some, ...(await Promise.all(whole)).flat()];
  return candidatesOf(rows, row => [row.name, row.legal_name, row.firstname, row.lastname, row.email]);
}

/** Those of the customer in every state, else the account's newest: there is no search by letters. */
async function subscriptionsOf(customer: string | undefined, reader: AccountReader): Promise<Candidate[]> {
  const query = { status: subscriptionStatuses, per_page: most };
  try {
    const target = customer
      ? subscriptionsOfCustomer.target({ path: { external_customer_id: customer }, query })
      : subscriptions.target({ query });
    const rows = await reader.keptRows('list_subscriptions', target, 'subscriptions');
    return candidatesOf(rows, row => [row.name, row.plan_code]);
  } catch (error) {
    if (error instanceof PathValueError) return [];
    throw error;
  }
}

const customers = compileEndpoint('GET /customers');
const subscriptions = compileEndpoint('GET /subscriptions');
const subscriptionsOfCustomer = compileEndpoint('GET /customers/{external_customer_id}/subscriptions');

function candidatesOf<Row extends Pick<Customer, 'external_id'>>(
  rows: readonly Row[],
  textsOf: (row: Row) => readonly Customer['name'][],
): Candidate[] {
  return rows.flatMap(row => {
    const { external_id: value } = row;
    return value ? [{ value, texts: textsOf(row).filter(isText) }] : [];
  });
}
