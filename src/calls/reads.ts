/** The reads that a call makes beside its own request: each is sent, limited and retried like a call of its tool. */

import { parseBody } from '../contract/parse.ts';
import type { CancelSignal } from '../lib/cancel-signal.ts';
import type { JsonRecord } from '../lib/json.ts';
import { isRecord } from '../lib/json.ts';
import { accountTime } from '../server/settings/clock.ts';
import type { Config } from '../server/settings/settings.ts';
import type { ToolError } from '../tool/failure.ts';
import type { Get, ReadAnswer, Reads } from '../tool/reads.ts';
import { cleanDeep } from '../words/hidden-characters.ts';
import { problemOfRead } from './answer-problems.ts';
import { type Availability, isMissingPath } from './availability.ts';
import type { Call } from './context.ts';
import { demoIdsOf } from './send.ts';
import { withoutRecord } from './upstream/errors.ts';
import { compileEndpoint, type Endpoint, PathValueError } from './upstream/path.ts';

/** Of one call, so that no question about a whole account takes up the limits of the API. */
export const mostReads = 20;

/** How some reads of a call are made. */
interface ReadsManner {
  /** Ends these reads. */
  signal: CancelSignal | undefined;
  /** Do they count as attempts of the call? */
  counted?: boolean;
  /** When their time is over, where it is not that of the call. */
  deadline?: number;
  /** How many reads there may be, where it is not the usual number. */
  most?: number;
  /** The look before a write: which tools it may use has other rules. */
  look?: true;
}

export type ReadsOf = (call: Call, manner: ReadsManner) => Reads;

/** What a caller may not use is not read for it either. */
export function createReads(config: Config, availability: Availability): ReadsOf {
  const demoIds = demoIdsOf(config);
  return (call, manner) => {
    const { tool, caller, access, baseUrl } = call;
    let made = 0;
    return {
      tool: tool.name,
      now: accountTime(config),
      mayUse: name => (manner.look ? access.mayRead(name) : access.allows(name) === true),
      left: () => (manner.most ?? mostReads) - made,
      bound: access.customers !== undefined,
      hides: field => access.hidden?.has(field) === true,
      get: (path, get) => read(`GET ${path}`, get),
      preview: body => read('POST /invoices/preview', { key: 'invoice', body }),
    };

    async function read(endpoint: ReadEndpoint, get: SentRead) {
      made += 1;
      const place = { baseUrl, apiKey: caller.apiKey, path: endpoint.replace('GET ', '') };
      const known = availability.recall(place);
      if (known !== null) return { ok: false as const, error: asSaidBy(tool.name, endpoint, known) };
      const answer = await sendRead(call, manner, endpoint, get, demoIds);
      if (answer.ok) return answer;
      availability.learn(place, answer.error);
      return { ok: false as const, error: asSaidBy(tool.name, endpoint, answer.error) };
    }
  };
}

type ReadEndpoint = `GET /${string}` | 'POST /invoices/preview';
type SentRead = Get & { body?: object };

async function sendRead(
  call: Call,
  { signal, counted = false, deadline = call.deadline }: ReadsManner,
  endpoint: ReadEndpoint,
  get: SentRead,
  demoIds: ReturnType<typeof demoIdsOf>,
): Promise<ReadAnswer> {
  const { method, target } = endpointOf(endpoint);
  const upstreamCall = {
    tool: call.tool.name,
    effect: method === 'GET' ? ('read' as const) : ('compute' as const),
    method,
    target: '',
    body: get.body,
    ids: get.path,
    demoIds,
  };
  try {
    upstreamCall.target = target(get);
  } catch (error) {
    if (!(error instanceof PathValueError)) throw error;
    return { ok: false, error: unsendable(call.tool.name, error) };
  }
  const answer = await call.upstream.send(upstreamCall, { requestId: call.requestId, signal, deadline });
  if (counted) call.attempts += answer.attempts;
  if (!answer.ok) return { ok: false, error: answer.error };
  const problem = problemOfRead(endpoint.replace(`${method} `, ''), get, answer.body);
  if (problem !== null) return { ok: false, error: withoutRecord(upstreamCall, answer.status, problem) };
  const body = parseBody((answer.plain ? answer.body : cleanDeep(answer.body)) as object) as JsonRecord;
  const altered = alteredIn(body[get.key], (answer.body as JsonRecord)[get.key]);
  return {
    ok: true,
    body,
    ...(answer.notice !== undefined && { notice: answer.notice }),
    ...(altered.length > 0 && { altered }),
  };
}

/** The fields of a single record that are not read as they are stored. */
function alteredIn(read: unknown, stored: unknown): string[] {
  if (read === stored || !isRecord(read) || !isRecord(stored)) return [];
  return Object.keys(read).filter(field => read[field] !== stored[field]);
}

const endpoints = new Map<string, Endpoint>();

/** They are written in tools, so that their number is bounded. */
function endpointOf(text: ReadEndpoint): Endpoint {
  const endpoint = endpoints.get(text) ?? compileEndpoint(text);
  endpoints.set(text, endpoint);
  return endpoint;
}

function unsendable(tool: string, { argument, message }: PathValueError): ToolError {
  return {
    status: null,
    code: 'invalid_arguments',
    message: `${tool}: ${message}`,
    details: [argument],
    hint: 'Correct the arguments, then call again. Nothing was sent.',
    changed: false,
  };
}

/** The error as the tool that reads now says it: a remembered one may name the tool that read first. */
function asSaidBy(tool: string, endpoint: ReadEndpoint, error: ToolError): ToolError {
  if (!isMissingPath(error)) return { ...error, message: error.message.replace(/^\w+:/, `${tool}:`) };
  return {
    status: error.status,
    code: 'lookup_unavailable',
    message: `${tool}: this installation of the billing service has no ${endpoint}`,
    hint: 'Do not try again. The tools that take ids still work: ask the person for the id.',
    changed: false,
  };
}
