/** Completion of plan codes, of customers' and subscriptions' ids by name, and of resource names, in prompts and in resource addresses. */
import type { CompleteRequestParams } from '@modelcontextprotocol/server';
import { listers } from '../../../tools/listers.ts';
import type { ListKey, RowOf } from '../../contract/answers.ts';
import { subscriptionStatuses } from '../../contract/enums.ts';
import type { Customer } from '../../contract/shown.ts';
import { type Get, longWalkPages, walkFrom } from '../../definition/api.ts';
import { asRead, steadyPart, writtenForms } from '../../lib/case-folding.ts';
import { isText } from '../../lib/json.ts';
import type { Reading } from './resources.ts';

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
  apiAs: Reading['apiAs'],
): Promise<Completion> {
  const typed = asRead(argument.value);
  const { external_customer_id } = context?.arguments ?? {};
  const candidates = await candidatesFor(ref, argument.name, { typed, external_customer_id }, apiAs);
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
  apiAs: Reading['apiAs'],
): Promise<Candidate[]> {
  const address = ref.type === 'ref/resource' ? ref.uri : '';
  if (address === 'billing://schema/{resource}' && argument === 'resource') {
    return plain(Object.keys((await import('../../contract/resources.ts')).resourceSchemas).sort());
  }
  if (argument === 'external_customer_id') return customersLike(fields.typed, apiAs);
  if (argument === 'external_subscription_id') return subscriptionsOf(fields.external_customer_id, apiAs);
  const namesPlan =
    address === 'billing://plans/{code}'
      ? argument === 'code'
      : argument === 'plan_code' || argument === 'compare_with';
  return namesPlan ? plain(await planCodes(apiAs)) : [];
}

function plain(values: readonly string[]): Candidate[] {
  return values.map(value => ({ value, texts: [] }));
}

/**
 * Customers with the letters in their id or in one of their names, as people read them: the service compares them as they
 * are stored, so that it is asked for a part that is written in one way only; where many have it, for the whole, too.
 */
async function customersLike(typed: string, apiAs: Reading['apiAs']): Promise<Candidate[]> {
  const search = (search_term: string): Promise<readonly Customer[]> => {
    const query = { ...(search_term !== '' && { search_term }), per_page: most };
    return keptRows(apiAs, 'customers', '/customers', { query });
  };
  const part = steadyPart(typed);
  const some = part === '' && typed !== '' ? [] : await search(part);
  const whole = part === typed || (some.length > 0 && some.length < most) ? [] : writtenForms(typed).map(search);
  const rows = [...some, ...(await Promise.all(whole)).flat()];
  return candidatesOf(rows, row => [row.name, row.legal_name, row.firstname, row.lastname, row.email]);
}

/** Those of the customer in every state, else the account's newest: there is no search by letters. */
async function subscriptionsOf(
  external_customer_id: string | undefined,
  apiAs: Reading['apiAs'],
): Promise<Candidate[]> {
  const query = { status: subscriptionStatuses, per_page: most };
  const rows = await (external_customer_id
    ? keptRows(apiAs, 'subscriptions', '/customers/{external_customer_id}/subscriptions', {
        path: { external_customer_id },
        query,
      })
    : keptRows(apiAs, 'subscriptions', '/subscriptions', { query }));
  return candidatesOf(rows, row => [row.name, row.plan_code]);
}

/** One list page, kept because a user types letter by letter. Empty where it cannot be read. */
async function keptRows<Key extends ListKey & keyof typeof listers>(
  apiAs: Reading['apiAs'],
  key: Key,
  from: `/${string}`,
  get: Pick<Get, 'path' | 'query'>,
): Promise<readonly RowOf<Key>[]> {
  const api = await apiAs(listers[key]);
  if ('problem' in api) return [];
  const rows = await api.kept(JSON.stringify([from, get]), async () => {
    const answer = await api.get(from, { key, ...get });
    return answer.ok ? ((answer.body[key] ?? []) as readonly RowOf<Key>[]) : null;
  });
  return rows ?? [];
}

async function planCodes(apiAs: Reading['apiAs']): Promise<readonly string[]> {
  const api = await apiAs(listers.plans);
  if ('problem' in api) return [];
  const codes = await api.kept('completed plan codes', async () => {
    const list = await api.list('/plans', { key: 'plans' }, { all: walkFrom(1, longWalkPages) });
    return list.ok ? list.rows.map(({ code }) => String(code)).sort() : null;
  });
  return codes ?? [];
}

function candidatesOf<Row extends Pick<Customer, 'external_id'>>(
  rows: readonly Row[],
  textsOf: (row: Row) => readonly Customer['name'][],
): Candidate[] {
  return rows.flatMap(row => {
    const { external_id: value } = row;
    return value ? [{ value, texts: textsOf(row).filter(isText) }] : [];
  });
}
