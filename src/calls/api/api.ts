/**
 * The one door of a call to the billing API: here every request of a call is put together, sent, judged and cleaned, and what
 * this installation lacks is remembered. `judge.ts` compares an answer with its request, `list.ts` walks through lists.
 */

import type { Body } from '../../contract/answers.ts';
import { demoIdsByResource } from '../../contract/demo-id-list.ts';
import { parseBody } from '../../contract/parse.ts';
import type { CancelSignal } from '../../lib/cancel-signal.ts';
import { only } from '../../lib/collections.ts';
import { isGiven, isRecord, isText, type JsonRecord } from '../../lib/json.ts';
import { accountTime } from '../../server/settings/clock.ts';
import type { Config } from '../../server/settings/settings.ts';
import type { Api, ApiRequest, Get, ReadAnswer } from '../../tool/api.ts';
import { refuse, type ToolError } from '../../tool/failure.ts';
import type { UpstreamAnswer } from '../../tool/upstream-answer.ts';
import type { KnownRecord } from '../../tool/write-definition.ts';
import { cleanDeep } from '../../words/hidden-characters.ts';
import { alteredFields } from '../../words/summary.ts';
import type { Call, CallContext } from '../context.ts';
import type { UpstreamCall, Wait } from '../upstream/client.ts';
import { withoutRecord } from '../upstream/errors.ts';
import { compileEndpoint, type Endpoint, PathValueError } from '../upstream/path.ts';
import { createAvailability, isMissingPath } from './availability.ts';
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
  /** Passes each read on. */
  each?(read: () => Promise<ReadAnswer<Body>>, get: Get): Promise<ReadAnswer<Body>>;
}

export interface Door {
  /** The reads of a call. What a caller may not use is not read for it either. */
  of(call: Call, manner: Manner): Api;
  /**
   * Sends the request of a call; a write is sent once (see Upstream.send). Never rejects. `seen` is the record that was read
   * before a write: an answer about another one is an error.
   */
  send(call: Call, one?: OneRequest, seen?: KnownRecord): Promise<UpstreamAnswer>;
}

/** One request of a call: its own, or one of several. */
interface OneRequest {
  request: ApiRequest;
  /** Percent-encoded path and query. */
  target: string;
  /** Ends the request. */
  signal: CancelSignal | undefined;
}

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

export function createDoor(config: Config): Door {
  const availability = createAvailability();
  const keep = createKept();
  const demoIds = demoIdsOf(config);

  /** The one place where a request is sent, counted and judged. */
  const exchange = async (call: Call, one: Exchange): Promise<UpstreamAnswer> => {
    const { sent, signal, deadline, counted, onWait } = one;
    const answer = await call.upstream.send(
      { ...sent, demoIds },
      { requestId: call.requestId, signal, deadline, onWait },
    );
    if (counted) call.attempts += answer.attempts;
    const problem = answer.ok ? one.problemOf(answer.body) : null;
    if (!answer.ok || problem === null) return answer;
    const { status, requestId, attempts } = answer;
    return { ok: false, error: withoutRecord(sent, status, problem), requestId, attempts };
  };

  const read = async (
    call: Call,
    manner: Manner,
    endpoint: ReadEndpoint,
    get: Get & { body?: object },
  ): Promise<ReadAnswer<Body>> => {
    const { tool, baseUrl, caller } = call;
    const path = endpoint.replace('GET ', '');
    const place = { baseUrl, apiKey: caller.apiKey, path };
    const known = availability.recall(place);
    if (known !== null) return { ok: false, error: asSaidBy(tool.name, endpoint, known) };
    const { method, target } = endpointOf(endpoint);
    const { signal, deadline = call.deadline, counted = false } = manner;
    const effect = method === 'GET' ? 'read' : 'compute';
    const sent: UpstreamCall = { tool: tool.name, effect, method, target: '', body: get.body, ids: get.path };
    try {
      sent.target = target(get);
    } catch (error) {
      if (!(error instanceof PathValueError)) throw error;
      const facts = { case: 'arguments', tool: tool.name, problems: [error] } as const;
      return { ok: false, error: refuse('invalid_arguments', facts) };
    }
    const problemOf = (body: unknown) => problemOfRead(path.replace(`${method} `, ''), get, body);
    const answer = await exchange(call, { sent, signal, deadline, counted, problemOf });
    if (answer.ok) return cleaned(answer, get.key, manner.look);
    availability.learn(place, answer.error);
    return { ok: false, error: asSaidBy(tool.name, endpoint, answer.error) };
  };

  return {
    of(call, manner) {
      const { tool, caller, access, baseUrl } = call;
      const account = `${baseUrl}\0${caller.apiKey}\0${access.view}`;
      let made = 0;
      const counting = (endpoint: ReadEndpoint, get: Get & { body?: object }) => {
        made += 1;
        return read(call, manner, endpoint, get);
      };
      const { each = one => one() } = manner;
      const source: Pick<Api, 'get' | 'left'> = {
        get: (path, get) => each(() => counting(`GET ${path}`, get), get),
        left: () => (manner.most ?? mostReads) - made,
      };
      return {
        ...source,
        list: (path, get, pages, isLast) => listRows(source, path, get, pages, isLast),
        preview: body => counting('POST /invoices/preview', { key: 'invoice', body }),
        mayUse: name => (manner.look ? access.mayRead(name) : access.allows(name) === true),
        bound: access.customers !== undefined,
        hides: field => access.hidden?.has(field) === true,
        tool: tool.name,
        now: accountTime(config),
        kept: (name, work) => (manner.keeps ? keep(`${account}\0${name}`, work) : work()),
      };
    },

    async send(call, { request, target, signal } = ownRequest(call), seen = null) {
      const { tool, endpoint, args, context, deadline } = call;
      const { method } = endpoint;
      const ids = idsIn(args, request);
      const sent = { tool: tool.name, effect: tool.effect, method, target, body: request.body, ids };
      const onWait = context.progress && ((wait: Wait) => tellWait(context, wait));
      const problemOf = (body: unknown) => problemOfAnswer(tool, request, seen, body);
      const answer = await exchange(call, { sent, signal, deadline, counted: true, onWait, problemOf });
      return answer.ok ? { ...answer, body: parsed(answer.body, tool.result) } : answer;
    },
  };
}

/** A list may come without its wrapper; it gets one, beside which its odd fields are listed. */
function parsed(body: unknown, key: string): Body {
  return parseBody(Array.isArray(body) ? { [key]: body } : (body as object), key);
}

/** Ids of the demo account, for the hints of its errors; undefined for any other account. */
function demoIdsOf({ demo, account }: Pick<Config, 'demo' | 'account'>) {
  return demo && account === undefined ? demoIdsByResource : undefined;
}

function ownRequest({ request, target, context }: Call): OneRequest {
  return { request, target, signal: context.signal };
}

interface IdsInBody {
  readonly customer?: { readonly external_id?: string };
  readonly subscriptions?: { readonly external_ids?: readonly string[]; readonly plan_code?: string };
  readonly plan_code?: string;
}

/** Of the path, and of what the body names: a customer, a subscription, a plan. */
function idsIn(args: Call['args'], request: ApiRequest): Record<string, string> {
  const { customer, subscriptions, plan_code: plan }: IdsInBody = request.body ?? {};
  const subscription: unknown = args.external_subscription_id;
  const inBody = {
    external_customer_id: customer?.external_id,
    external_id: isText(subscription) ? subscription : only(subscriptions?.external_ids ?? []),
    plan_code: subscriptions?.plan_code ?? plan,
  };
  const entries = Object.entries(inBody).flatMap(([name, id]) => (isGiven(id) ? [[name, id]] : []));
  return { ...Object.fromEntries(entries), ...request.path };
}

function tellWait(context: CallContext, wait: Wait): void {
  if (!context.progress) return;
  const seconds = Math.ceil(wait.ms / 1000);
  if (wait.reason === 'queue') context.progress('Waiting for other calls to finish');
  else if (wait.reason === 'rate_limit') context.progress(`Waiting ${seconds} s for the rate limit of the account`);
  else context.progress('The billing service did not answer as it should; trying again');
}

/** The answer without hidden characters; `look`: a record that cannot be sent back as it is says which fields had some. */
function cleaned(
  { body: stored, plain, notice }: Extract<UpstreamAnswer, { ok: true }>,
  key: Get['key'],
  look = false,
): ReadAnswer<Body> {
  const body = parseBody((plain ? stored : cleanDeep(stored)) as object) as JsonRecord;
  const altered = alteredIn(body[key], (stored as JsonRecord)[key]);
  const noted = { [key]: { ...(body[key] as object), [alteredFields]: altered } };
  return {
    ok: true,
    body: look && altered.length > 0 ? { ...body, ...noted } : body,
    ...(notice !== undefined && { notice }),
    ...(altered.length > 0 && { altered }),
  };
}

/** The fields of a single record that are not read as they are stored. */
function alteredIn(read: unknown, stored: unknown): string[] {
  if (read === stored || !isRecord(read) || !isRecord(stored)) return [];
  return Object.keys(read).filter(field => read[field] !== stored[field]);
}

type ReadEndpoint = `GET /${string}` | 'POST /invoices/preview';

const endpoints = new Map<string, Endpoint>();

/** They are written in tools, so that their number is bounded. */
function endpointOf(text: ReadEndpoint): Endpoint {
  const endpoint = endpoints.get(text) ?? compileEndpoint(text);
  endpoints.set(text, endpoint);
  return endpoint;
}

/** The error as the tool that reads now says it: a remembered one may name the tool that read first. */
function asSaidBy(tool: string, endpoint: ReadEndpoint, error: ToolError): ToolError {
  if (!isMissingPath(error)) return { ...error, message: error.message.replace(/^\w+:/, `${tool}:`) };
  return refuse('lookup_unavailable', { tool, endpoint, status: error.status });
}

const keptForMs = 60_000;
const mostKept = 300;

/** Keeps for a minute what was read, but no null: what could not be read is asked for again. */
function createKept() {
  const values = new Map<string, { at: number; value: Promise<unknown> }>();
  return <T>(key: string, read: () => Promise<T | null>): Promise<T | null> => {
    const now = performance.now();
    const earlier = values.get(key);
    if (earlier !== undefined && now - earlier.at < keptForMs) return earlier.value as Promise<T | null>;
    if (values.size >= mostKept) values.clear();
    const value = read();
    values.set(key, { at: now, value });
    void value.then(one => one === null && values.delete(key));
    return value;
  };
}
