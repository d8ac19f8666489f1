/**
 * The one door of a call to the billing API: here every request of a call is put together, sent, judged and cleaned, and what
 * this installation lacks is remembered. `judge.ts` compares an answer with its request, `list.ts` walks through lists.
 */

import { setMaxListeners } from 'node:events';
import type { Body, ListKey } from '../../contract/answers.ts';
import { demoIdsByResource } from '../../contract/demo-id-list.ts';
import { oddIn, parseBody } from '../../contract/parse.ts';
import type { Api, ApiRequest, Get, ListGet, ListWalk, ReadAnswer, UpstreamAnswer } from '../../definition/api.ts';
import { isLookup, type KnownRecord } from '../../definition/define.ts';
import { refuse, type ToolError } from '../../definition/failure.ts';
import type { CancelSignal } from '../../lib/cancel-signal.ts';
import { Kept, only } from '../../lib/collections.ts';
import { isRecord, isText, type JsonRecord } from '../../lib/json.ts';
import type { Config } from '../../server/settings/settings.ts';
import type { Durations } from '../../server/settings/usual.ts';
import { accountTime } from '../../words/present-record.ts';
import { cleanDeep } from '../../words/safe-text.ts';
import { alteredFields } from '../../words/summary.ts';
import { type Call, type CallContext, timeFor, withinTime } from '../call/call.ts';
import { createAvailability, isMissingPath } from './availability.ts';
import type { UpstreamCall, Wait } from './http/client.ts';
import type { CallFacts } from './http/hints.ts';
import { saidBy, withoutRecord } from './http/read-answer.ts';
import { compileEndpoint, PathValueError } from './http/request.ts';
import { problemOfAnswer, problemOfRead } from './judge.ts';
import { listRows } from './list.ts';

/** Of one call, so that no question about a whole account takes up the limits of the API. */
export const mostReads = 20;

/** How some reads of a call are made. */
interface Manner {
  /** Ends these reads. */
  signal: CancelSignal | undefined;
  /** Do they count as attempts of the call? */
  counted?: boolean;
  /** When their time is over, where it is not that of the call. */
  deadline?: number;
  /** How many reads there may be, where it is not the usual number. */
  most?: number;
  /** A look at the record of a write: which tools it may use has other rules, and its records name their altered fields. */
  look?: true;
  /** What `kept` of the Api reads is kept for a minute. */
  keeps?: true;
  /** The tool's own list is read by this walk, instead of one page of it; nothing is read next to it. */
  walk?: ListWalk;
  /** Passes each read on. */
  each?(read: () => Promise<ReadAnswer<Body>>, get: Get): Promise<ReadAnswer<Body>>;
}

export interface Door {
  /** The reads of a call. What a caller may not use is not read for it either. */
  of(call: Call, manner: Manner): Api;
  /** Reads next to the call's own request, for as long as an answer may wait for it. They are not its attempts, and end with it. */
  beside<T>(call: Call, work: (api: Api) => Promise<T>, mostMs?: number): Promise<T>;
  /**
   * Sends the request of a write, once (see Upstream.send). Never rejects. `seen` is the record that was read before it: an
   * answer about another one is an error.
   */
  send(call: Call, seen: KnownRecord): Promise<UpstreamAnswer>;
}

/** A read as it is sent. */
type SentRead = Get & { body?: object | undefined };

/** One request on its way: what is sent, and what its answer is judged by. */
interface Exchange {
  sent: UpstreamCall;
  signal: CancelSignal | undefined;
  deadline: number;
  counted: boolean;
  onWait?: ((wait: Wait) => void) | undefined;
  /** Why the body cannot be passed on, in words; null where it can. */
  problemOf(body: unknown): string | null;
}

export function createDoor(config: Config, { searchMs }: Pick<Durations, 'searchMs'>): Door {
  const availability = createAvailability();
  const keep = createKept();
  // For the hints of the demo's errors; undefined for any other account.
  const demoIds = config.demo && config.account === undefined ? demoIdsByResource : undefined;

  /** The one place where a request is sent, counted and judged. */
  const exchange = async (call: Call, one: Exchange): Promise<UpstreamAnswer> => {
    const { sent, signal, deadline, counted, onWait } = one;
    const options = { requestId: call.requestId, signal, deadline, onWait };
    const answer = await call.upstream.send(sent, options);
    if (counted) call.attempts += answer.attempts;
    const problem = answer.ok ? one.problemOf(answer.body) : null;
    if (!answer.ok || problem === null) return answer;
    const { status, requestId, attempts } = answer;
    return { ok: false, error: withoutRecord(sent, status, problem), requestId, attempts };
  };

  const read = async (call: Call, manner: Manner, endpoint: string, get: SentRead): Promise<ReadAnswer<Body>> => {
    const { tool, args } = call;
    const { signal, deadline = call.deadline, counted = false } = manner;
    // What the tool itself is, is there; what it reads besides may be missing.
    const isOwn = endpoint === tool.endpoint && !isLookup(tool) && manner.walk === undefined;
    const place = isOwn
      ? null
      : { baseUrl: call.baseUrl, apiKey: call.caller.apiKey, path: endpoint.replace('GET ', '') };
    const known = place && availability.recall(place);
    if (known !== null) return { ok: false, error: asSaidBy(tool.name, endpoint, known) };
    const { method, target } = compileEndpoint(endpoint);
    const effect = method === 'GET' ? 'read' : 'compute';
    const ids = isOwn ? idsIn(args, get) : get.path;
    const sent: UpstreamCall = { tool: tool.name, effect, method, target: '', body: get.body, ids, demoIds };
    try {
      sent.target = target(get);
    } catch (error) {
      if (!(error instanceof PathValueError)) throw error;
      const facts = { case: 'arguments', tool: tool.name, problems: [error] } as const;
      return { ok: false, error: refuse('invalid_arguments', facts) };
    }
    const list = tool.answer === 'list' && get.key === tool.result;
    const subject = { key: get.key, list, endpoint, rejectReason: get.rejectReason };
    const problemOf = (body: unknown) =>
      isOwn ? problemOfAnswer(subject, get, null, body) : problemOfRead(endpoint, get, body);
    const onWait = isOwn && counted ? waitTeller(call.context) : undefined;
    const answer = await exchange(call, { sent, signal, deadline, counted, onWait, problemOf });
    if (answer.ok) {
      const clean = cleaned(answer, get.key, manner.look);
      // The answer of a lookup is made of others, so that the odd fields of these are its own.
      const odd = isLookup(tool) && clean.ok ? oddIn(clean.body) : [];
      if (odd.length > 0) call.odd = [...new Set([...(call.odd ?? []), ...odd])];
      return clean;
    }
    if (place === null) return { ok: false, error: answer.error };
    availability.learn(place, answer.error);
    return { ok: false, error: asSaidBy(tool.name, endpoint, answer.error) };
  };

  const of = (call: Call, manner: Manner): Api => {
    const { tool, caller, access, baseUrl, context } = call;
    const { walk, each = one => one() } = manner;
    // Node would warn on stderr of a signal with more than ten listeners; each request has one.
    if (manner.signal instanceof AbortSignal) setMaxListeners(0, manner.signal);
    let made = 0;
    const counting = (endpoint: string, get: SentRead) => {
      made += 1;
      return read(call, manner, endpoint, get);
    };
    const source: Pick<Api, 'get' | 'left'> = {
      get: (path, get) => each(() => counting(`GET ${path}`, get), get),
      left: () => (manner.most ?? mostReads) - made,
    };
    const isWalk = walk !== undefined && !isLookup(tool);
    return {
      left: source.left,
      timeLeft: () => (manner.deadline ?? call.deadline) - performance.now(),
      get: (path, get) => (isWalk ? walkThrough(source, path, get, walk) : source.get(path, get)),
      list: (path, get, pages, isLast) => listRows(source, path, get, pages, isLast),
      preview: body => counting('POST /invoices/preview', { key: 'invoice', body }),
      send: request => counting(tool.endpoint, { ...request, key: tool.result as Get['key'] }),
      beside: async work => (isWalk ? null : beside(call, work)),
      tell: message => context.progress?.(message),
      mayUse: name => (manner.look ? access.mayRead(name) : access.allows(name) === true),
      bound: access.customers !== undefined,
      hides: field => access.hidden?.has(field) === true,
      asks: field => call.control.detail === 'full' || call.control.detail?.includes(field) === true,
      tool: tool.name,
      now: accountTime(config),
      kept: (name, work) =>
        manner.keeps ? keep(`${baseUrl}\0${caller.apiKey}\0${access.view}\0${name}`, work) : work(),
    };
  };

  const beside: Door['beside'] = (call, work, mostMs = searchMs) =>
    withinTime(timeFor(mostMs, call), call.context.signal, signal => work(of(call, { signal })));

  return {
    of,
    beside,
    async send(call, seen) {
      const { tool, request, target, args, context, deadline } = call;
      const ids = idsIn(args, request);
      const { method } = compileEndpoint(tool.endpoint);
      const sent = { tool: tool.name, effect: tool.effect, method, target, body: request.body, ids, demoIds };
      const subject = { key: tool.result, list: tool.answer === 'list', endpoint: tool.endpoint };
      const problemOf = (body: unknown) => problemOfAnswer(subject, request, seen, body);
      const manner = { signal: context.signal, deadline, counted: true, onWait: waitTeller(context) };
      const answer = await exchange(call, { ...manner, sent, problemOf });
      return answer.ok ? { ...answer, body: parsed(answer.body, tool.result) } : answer;
    },
  };
}

/** All rows of the walk, as one page of the list. */
async function walkThrough(
  source: Pick<Api, 'get' | 'left'>,
  path: `/${string}`,
  get: Get,
  walk: ListWalk,
): Promise<ReadAnswer<Body>> {
  const list = await listRows(source, path, get as ListGet<ListKey>, { all: walk });
  return list.ok ? { ok: true, body: { [get.key]: list.rows } } : list;
}

/** A list may come without its wrapper; it gets one, next to which its odd fields are listed. */
function parsed(body: unknown, key: string): Body {
  return parseBody(Array.isArray(body) ? { [key]: body } : (body as object), key);
}

interface IdsInBody {
  readonly customer?: { readonly external_id?: string };
  readonly subscriptions?: { readonly external_ids?: readonly string[]; readonly plan_code?: string };
  readonly plan_code?: string;
}

/** Of the path, and of what the body names: a customer, a subscription, a plan. */
function idsIn(args: Call['args'], request: ApiRequest): CallFacts['ids'] {
  const { customer, subscriptions, plan_code: plan }: IdsInBody = request.body ?? {};
  const subscription: unknown = args.external_subscription_id;
  return {
    external_customer_id: customer?.external_id,
    external_id: isText(subscription) ? subscription : only(subscriptions?.external_ids ?? []),
    plan_code: subscriptions?.plan_code ?? plan,
    ...request.path,
  };
}

/** Tells the client what a long call is waiting for. */
function waitTeller({ progress }: CallContext): ((wait: Wait) => void) | undefined {
  return (
    progress &&
    (({ reason, ms }) => {
      if (reason === 'queue') progress('Waiting for other calls to finish');
      else if (reason === 'rate_limit') progress(`Waiting ${Math.ceil(ms / 1000)} s for the account's rate limit`);
      else progress('The billing API returned an error; retrying');
    })
  );
}

/** The answer without hidden characters; `look`: a record that cannot be sent back as it is says which fields had some. */
function cleaned(
  { body: stored, plain, notice }: Extract<UpstreamAnswer, { ok: true }>,
  key: Get['key'],
  look = false,
): ReadAnswer<Body> {
  const body = parsed(plain ? stored : cleanDeep(stored), key) as JsonRecord;
  const altered = alteredIn(body[key], (stored as JsonRecord)[key]);
  if (altered.length === 0) return notice === undefined ? { ok: true, body } : { ok: true, body, notice };
  const noted = { [key]: { ...(body[key] as object), [alteredFields]: altered } };
  return {
    ok: true,
    body: look ? { ...body, ...noted } : body,
    ...(notice !== undefined && { notice }),
    altered,
  };
}

/** The fields of a single record that are not read as they are stored. */
function alteredIn(read: unknown, stored: unknown): string[] {
  if (read === stored || !isRecord(read) || !isRecord(stored)) return [];
  return Object.keys(read).filter(field => read[field] !== stored[field]);
}

/** The error as the tool that reads now says it: a remembered one may name the tool that read first. */
function asSaidBy(tool: string, endpoint: string, error: ToolError): ToolError {
  if (!isMissingPath(error)) return saidBy(tool, error);
  return refuse('lookup_unavailable', { tool, endpoint, status: error.status });
}

const keptForMs = 60_000;
const mostKept = 300;

/** Keeps for a minute what was read, but no null: what could not be read is asked for again. */
function createKept() {
  const values = new Kept<Promise<unknown>>(mostKept);
  return <T>(key: string, read: () => Promise<T | null>): Promise<T | null> => {
    const earlier = values.get(key) as Promise<T | null> | undefined;
    if (earlier !== undefined) return earlier;
    const value = read();
    values.set(key, value, keptForMs);
    void value.then(one => one === null && values.delete(key));
    return value;
  };
}
