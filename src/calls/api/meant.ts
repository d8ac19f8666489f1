/**
 * Suggestions for ids that were not found: what a user calls a record is often almost its id, or its number. A
 * suggestion only stands in the error; nothing is ever sent with it.
 */

import { codeLister, listers } from '../../../tools/listers.ts';
import type { Api, Get } from '../../definition/api.ts';
import { type AnyTool, changesAccount, type NamedCodes } from '../../definition/define.ts';
import { type OwnError, refuse, type ToolError } from '../../definition/failure.ts';
import { asRead, steadyPart } from '../../lib/case-folding.ts';
import { only } from '../../lib/collections.ts';
import { isGiven, isText, membersOf } from '../../lib/json.ts';
import { closest, nearest } from '../../lib/nearest-word.ts';
import { plainCode, planMeant } from '../../words/plan-meant.ts';
import { asText } from '../../words/summary.ts';
import type { Call } from '../call/call.ts';
import type { Door } from './api.ts';

/** One search, in the place of the tool that lists the same. */
interface Search extends Omit<Get, 'key'> {
  key: keyof typeof listers;
  from: `/${string}`;
  /** What the hint begins with; null when nothing is near. */
  hint(rows: readonly NamedRow[]): string | null;
}

type CatalogueKey = 'add_ons' | 'billable_metrics' | 'billing_entities' | 'coupons' | 'taxes';
/** What a row of any of these lists is known by. */
type NamedRow = Texts<'svc_id' | 'external_id' | 'code' | 'number' | 'name' | 'legal_name' | 'status'>;

type Texts<Name extends string> = { readonly [Field in Name]?: string | null | undefined };

/** The arguments of any tool that name a record. */
interface IdArguments
  extends Texts<
    | 'external_customer_id'
    | 'external_id'
    | 'external_subscription_id'
    | 'wallet_code'
    | 'code'
    | 'billable_metric_code'
    | 'billing_entity_code'
    | 'subscription_status'
    | 'plan_code'
  > {
  readonly tax_codes?: readonly string[];
  readonly customer?: Texts<'external_id'>;
  readonly subscriptions?: { readonly external_ids?: readonly string[]; readonly plan_code?: string };
  readonly coupons?: readonly Texts<'code'>[];
}

/** Most rows that are read for a suggestion, and most ids that it names. */
const mostRows = 100;
const mostNamed = 3;
const plainNumber = /^[\p{L}\p{N}_./:#-]{1,60}$/u;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const everyStatus = ['active', 'pending', 'incomplete', 'terminated', 'canceled'];

/**
 * The error with `Did you mean "northwind-logistics"?` as its hint, where a record was not found and one search finds ids
 * that are near. Makes no search that the caller's own tools could not make. Never rejects.
 */
export async function withIdSuggestion(door: Door, call: Call, error: ToolError): Promise<ToolError> {
  const { tool, args } = call;
  if (error.status !== 404 || !error.code.endsWith('_not_found')) return error;
  const named: IdArguments = args;
  const search = searches[error.code]?.(named, tool);
  const hint = search ? await hintOf(search, door, call) : null;
  if (hint === null) return error;
  // Whoever holds a portal link sees the customer's data.
  const decides = changesAccount(tool.effect) || tool.endpoint.endsWith('/portal_url');
  const ask = decides && hint.endsWith('?') ? ' Ask the user before you use it.' : '';
  // Where it is there in another state, the message says in which it is not.
  const status = named.subscription_status ?? 'active';
  const message = hint.startsWith(thisOne)
    ? error.message.replace('no subscription', `no ${status} subscription`)
    : error.message;
  return { ...error, message, hint: `${hint}${ask}` };
}

/**
 * A refusal of the arguments with the svc_id of the invoice or credit note whose number was given in its place. The
 * write stays refused: a number must not decide what is changed.
 */
export async function withSvcId(door: Door, call: Call, error: OwnError): Promise<OwnError> {
  const { tool, sentArguments } = call;
  const kind = changesAccount(tool.effect) ? numbered[tool.result] : undefined;
  const number = asText(membersOf<'svc_id'>(sentArguments).svc_id)?.trim();
  if (kind === undefined || !number || !plainNumber.test(number) || uuid.test(number)) return error;
  const { one, ...place } = kind;
  const search: Search = {
    ...place,
    query: { search_term: number, per_page: mostRows },
    hint: rows => {
      const id = only(rows.filter(row => row.number === number))?.svc_id ?? '';
      return uuid.test(id) ? `${one} ${number} has the svc_id ${id}. Call again with it if this one is meant.` : null;
    },
  };
  const hint = await hintOf(search, door, call);
  return hint === null ? error : { ...error, hint: `${hint} Nothing was changed.` };
}

/** Records whose svc_id is at times given as the number that people read on the document. */
const numbered: Record<string, Pick<Search, 'from' | 'key'> & { one: string }> = {
  invoice: { from: '/invoices', key: 'invoices', one: 'Invoice' },
  credit_note: { from: '/credit_notes', key: 'credit_notes', one: 'Credit note' },
};

async function hintOf({ from, hint, ...get }: Search, door: Door, call: Call): Promise<string | null> {
  return door.beside(call, async api => {
    if (!api.mayUse(listers[get.key])) return null;
    const answer = await api.get(from, get);
    return answer.ok ? hint(answer.body[get.key] ?? []) : null;
  });
}

/** By the code of the error, from the arguments of the call. */
const searches: Record<string, (args: IdArguments, tool: AnyTool) => Search | null> = {
  customer_not_found: args => {
    const customer = customerOf(args);
    // A UUID is the service's own id, which no search finds.
    if (customer === null || uuid.test(customer)) return null;
    return {
      from: '/customers',
      key: 'customers',
      query: { search_term: longestWord(customer), per_page: mostRows },
      hint: rows => {
        const ids = nearCustomers(customer, rows);
        return ids.length > mostNamed ? `Several customers match: ${listers.customers} lists them.` : didYouMean(ids);
      },
    };
  },
  subscription_not_found: (args, tool) => {
    const external_id = args.external_id ?? args.external_subscription_id ?? null;
    const query = { status: everyStatus, per_page: mostRows };
    if (external_id !== null) {
      const hint = (rows: readonly NamedRow[]) => otherStatus(rows, [external_id], tool);
      return { key: 'subscriptions', from: '/subscriptions', query: { external_id, ...query }, hint };
    }
    const customer = customerOf(args);
    if (customer === null) return null;
    const ids = args.subscriptions?.external_ids ?? [];
    return {
      key: 'subscriptions',
      from: '/customers/{external_customer_id}/subscriptions',
      query,
      path: { external_customer_id: customer },
      hint: rows => otherStatus(rows, ids, tool) ?? didYouMean(idsOf(rows.filter(isLive), 'external_id')),
    };
  },
  wallet_not_found: ({ external_customer_id: customer, wallet_code: code }) => {
    if (!isGiven(customer) || !isGiven(code)) return null;
    return {
      from: '/customers/{external_customer_id}/wallets',
      key: 'wallets',
      path: { external_customer_id: customer },
      query: { per_page: mostRows },
      hint: rows => {
        const codes = idsOf(rows.filter(isLive), 'code');
        const near = closest(code, codes);
        return didYouMean(near === null ? codes : [near]);
      },
    };
  },
  plan_not_found: ({ subscriptions, plan_code }) => {
    const wanted = subscriptions?.plan_code ?? plan_code;
    // A comparison of several plans has looked for them by itself.
    if (!isText(wanted)) return null;
    return {
      from: '/plans',
      key: 'plans',
      query: { page: 1, per_page: mostRows },
      hint: rows => planMeant(wanted, rows),
    };
  },
  add_on_not_found: args => catalogue('add_ons', [args.code]),
  billable_metric_not_found: args => catalogue('billable_metrics', [args.billable_metric_code ?? args.code]),
  billing_entity_not_found: args => catalogue('billing_entities', [args.billing_entity_code]),
  coupon_not_found: args =>
    catalogue(
      'coupons',
      (args.coupons ?? []).map(coupon => coupon.code),
    ),
  tax_not_found: args => catalogue('taxes', args.tax_codes ?? []),
};

/** The nearest code of the account's list for the first text that is not in it. */
function catalogue(key: CatalogueKey, requested: readonly (string | null | undefined)[]): Search | null {
  const requestedCodes = requested.filter(isText);
  if (requestedCodes.length === 0) return null;
  return {
    from: `/${key}`,
    key,
    query: { per_page: mostRows },
    hint: rows => {
      const codes = idsOf(rows, 'code');
      const missing = requestedCodes.find(text => !codes.includes(text));
      const near = missing === undefined ? null : closest(missing, codes);
      return didYouMean(near === null ? [] : [near]);
    },
  };
}

function customerOf(args: IdArguments): string | null {
  const { external_customer_id, customer } = args;
  return external_customer_id ?? customer?.external_id ?? null;
}

/** Those whose id, name or legal name contains the text; else the one with the nearest id or name. */
function nearCustomers(customer: string, rows: readonly NamedRow[]): string[] {
  const wanted = asRead(customer);
  const textsOf = ({ external_id, name, legal_name }: NamedRow) => [external_id, name, legal_name].filter(isText);
  const containing = rows.filter(row => textsOf(row).some(text => asRead(text).includes(wanted)));
  if (containing.length > 0) return idsOf(containing, 'external_id');
  const near = closest(customer.trim(), rows.flatMap(textsOf));
  return near === null
    ? []
    : idsOf(
        rows.filter(row => textsOf(row).includes(near)),
        'external_id',
      );
}

/** A part of the text that a search is likely to find although the rest is misspelt. */
function longestWord(text: string): string {
  const words = (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map(steadyPart);
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
  return longest.length >= 3 ? longest : text.trim();
}

const thisOne = 'This subscription ';
const states: Readonly<Record<string, string>> = {
  active: 'is active',
  pending: 'has not started (pending)',
  incomplete: 'is waiting for its first payment (incomplete)',
  terminated: 'has ended (terminated)',
  canceled: 'was canceled before its start (canceled)',
};

/** `This subscription has ended (terminated).`, and how to ask for it where the tool can be asked. */
function otherStatus(rows: readonly NamedRow[], ids: readonly string[], tool: AnyTool): string | null {
  const statuses = rows.filter(row => ids.includes(row.external_id ?? '')).map(row => row.status ?? '');
  const [first = ''] = everyStatus.filter(status => statuses.includes(status));
  if (states[first] === undefined) return null;
  const chosen = 'subscription_status' in tool.input.shape && first !== 'incomplete';
  const next = chosen
    ? ` Send subscription_status: "${first}" if that one is meant.`
    : ' Ask the user which one is meant.';
  return `${thisOne}${states[first]}.${next}`;
}

function isLive({ status }: NamedRow): boolean {
  return status !== 'terminated' && status !== 'canceled';
}

/** The ids that can be said: they stand in the error as our own words, so that none may be a sentence. */
function idsOf(rows: readonly NamedRow[], field: 'external_id' | 'code'): string[] {
  const ids = rows.map(row => row[field] ?? '').filter(id => plainCode.test(id));
  return [...new Set(ids)];
}

/** `Did you mean "a" or "b"?`; null for none and for more than three. */
function didYouMean(ids: readonly string[]): string | null {
  if (ids.length === 0 || ids.length > mostNamed) return null;
  return `Did you mean ${ids.map(id => `"${id}"`).join(' or ')}?`;
}

type Catalogue = keyof NamedCodes;

/** The error for the first code that its list does not have; null where all are known, or the lists cannot be read. */
export async function unknownCode(named: NamedCodes, api: Api): Promise<OwnError | null> {
  for (const catalogue of Object.keys(named) as Catalogue[]) {
    const wanted = named[catalogue] ?? [];
    const known = wanted.length === 0 ? null : await api.kept(catalogue, () => codesOf(api, catalogue));
    const unknown = known && wanted.find(({ code }) => !known.includes(code));
    if (!known || !unknown) continue;
    return refuse('invalid_arguments', {
      case: 'code',
      tool: api.tool,
      ...unknown,
      near: nearest(unknown.code, known),
      what: what[catalogue],
      list: catalogue.replaceAll('_', ' '),
      listedBy: codeLister,
    });
  }
  return null;
}

const what: Record<Catalogue, string> = {
  billable_metrics: 'billable metric',
  taxes: 'tax',
  plans: 'plan',
  billing_entities: 'billing entity',
};

/** The codes of a list; null where it cannot be read whole. */
async function codesOf(api: Api, catalogue: Catalogue): Promise<readonly string[] | null> {
  const list = await api.list(`/${catalogue}`, { key: catalogue }, { all: true });
  return list.ok && !list.stopped ? list.rows.map(({ code }) => String(code)) : null;
}
