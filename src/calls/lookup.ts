/** The reads of a lookup: each is sent, limited, retried and counted like a call of its tool. */

import { demoIdsByResource } from '../contract/demo-id-list.ts';
import { hiddenFrom } from '../contract/masked-fields.ts';
import type { JsonRecord } from '../lib/json.ts';
import { isRecord } from '../lib/json.ts';
import { accountTime } from '../server/settings/clock.ts';
import type { UpstreamAnswer } from '../tool/call.ts';
import type { AnyTool, Get, ReadAnswer, Reads } from '../tool/define.ts';
import type { ToolError } from '../tool/failure.ts';
import { cleanDeep } from '../words/hidden-characters.ts';
import { type Availability, isMissingPath } from './availability.ts';
import type { PipelineParts } from './context.ts';
import type { CallUnderWay } from './request.ts';
import { otherThanAsked } from './right-record.ts';
import type { MayUse } from './upstream/account-reader.ts';
import { withoutRecord } from './upstream/errors.ts';
import { compileEndpoint, type Endpoint, PathValueError } from './upstream/path.ts';

/** Of one call, so that no question about a whole account takes up the limits of the API. */
const mostReads = 20;

export interface LookupParts {
  parts: PipelineParts;
  mayUse: MayUse;
  availability: Availability;
  /** The address of the billing API that the call's account has. */
  baseUrl: string;
}

/** Runs a lookup. Never rejects but for a bug of the tool. */
export async function lookUp(
  around: LookupParts,
  running: CallUnderWay,
  lookup: NonNullable<AnyTool['lookup']>,
): Promise<UpstreamAnswer> {
  const answer = await lookup(running.args, readsOf(around, running));
  const { attempts, requestId } = running;
  // The bodies were cleaned when they were read.
  return answer.ok ? { ...answer, status: 200, plain: true, attempts, requestId } : { ...answer, attempts, requestId };
}

/** `running` is the call that reads, and its attempts count these reads. */
export function readsOf({ parts, mayUse, availability, baseUrl }: LookupParts, running: CallUnderWay): Reads {
  const { tool, caller } = running;
  const now = accountTime(parts.config);
  let made = 0;
  return {
    tool: tool.name,
    now,
    mayUse: name => mayUse(name, caller),
    left: () => mostReads - made,
    hides: field => hiddenFrom(parts.config.mask, caller)?.has(field) === true,
    async get(path, get) {
      made += 1;
      const asked = { baseUrl, apiKey: caller.apiKey, path };
      const known = availability.recall(asked);
      if (known !== null) return { ok: false, error: saidBy(tool.name, path, known) };
      const answer = await send(parts, running, path, get);
      if (answer.ok) return answer;
      availability.learn(asked, answer.error);
      return { ok: false, error: saidBy(tool.name, path, answer.error) };
    },
  };
}

async function send(parts: PipelineParts, running: CallUnderWay, path: string, get: Get): Promise<ReadAnswer> {
  const { tool, requestId, context, upstream } = running;
  const call = {
    tool: tool.name,
    effect: 'read' as const,
    method: 'GET' as const,
    target: '',
    body: undefined,
    ids: get.path,
    demoIds: parts.config.demo && parts.config.account === undefined ? demoIdsByResource : undefined,
  };
  try {
    call.target = endpointOf(path).target(get);
  } catch (error) {
    if (!(error instanceof PathValueError)) throw error;
    return { ok: false, error: unsendable(tool.name, error) };
  }
  const answer = await upstream.send(call, { requestId, signal: context.signal, deadline: running.deadline });
  running.attempts += answer.attempts;
  if (!answer.ok) return { ok: false, error: answer.error };
  const found = isRecord(answer.body) ? answer.body[get.key] : undefined;
  if (typeof found !== 'object' || found === null) {
    const what = `a body that holds no ${get.key.replaceAll('_', ' ')}`;
    return { ok: false, error: withoutRecord(call, answer.status, what) };
  }
  const other = otherThanAsked(path, get.path, get.is ?? {}, found);
  if (other !== null) return { ok: false, error: withoutRecord(call, answer.status, other) };
  const body = (answer.plain ? answer.body : cleanDeep(answer.body)) as JsonRecord;
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

/** Paths are written in tools, so that their number is bounded. */
function endpointOf(path: string): Endpoint {
  const endpoint = endpoints.get(path) ?? compileEndpoint(`GET ${path}`);
  endpoints.set(path, endpoint);
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

/** The error as the tool that asks now says it: a remembered one may name the tool that asked first. */
function saidBy(tool: string, path: string, error: ToolError): ToolError {
  if (!isMissingPath(error)) return { ...error, message: error.message.replace(/^\w+:/, `${tool}:`) };
  return {
    status: error.status,
    code: 'lookup_unavailable',
    message: `${tool}: this installation of the billing service has no GET ${path}`,
    hint: 'Do not try again. The tools that take ids still work: ask the person for the id.',
    changed: false,
  };
}
