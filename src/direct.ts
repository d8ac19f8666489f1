/**
 * The short way for what is called most: a plain `tools/call` of a tool that reads, by a client of the older protocol.
 * It asks nothing and reports nothing on the way, so that of the protocol only one message in and one out is left.
 * Everything else (writes, questions, progress, traces, the newer protocol, anything malformed) goes through the SDK.
 */
import type { Caller, ClientAbilities } from './call.ts';
import type { CallContext, Pipeline } from './pipeline.ts';
import { resultJson } from './results.ts';

export interface DirectCall {
  id: string | number;
  name: string;
  args: unknown;
}

/** A read puts no questions. */
const unasked: ClientAbilities = { canAsk: false, answer: () => undefined, state: undefined };

/** The call in a message, when it is one that can go the short way. */
export function directCall(message: unknown, pipeline: Pick<Pipeline, 'reads'>): DirectCall | undefined {
  if (!isObject(message) || message.method !== 'tools/call' || message.jsonrpc !== '2.0') return undefined;
  const { id, params } = message;
  if ((typeof id !== 'string' && !Number.isSafeInteger(id)) || !isObject(params)) return undefined;
  const { name, arguments: args, ...others } = params;
  if (typeof name !== 'string' || !pipeline.reads(name) || (args !== undefined && !isObject(args))) return undefined;
  for (const _ in others) return undefined;
  return { id: id as string | number, name, args };
}

/** Runs the call; the message that answers it, as JSON. */
export async function answerDirectly(
  { id, name, args }: DirectCall,
  pipeline: Pipeline,
  caller: Caller,
  own: Pick<CallContext, 'signal' | 'requestId'>,
): Promise<string> {
  const outcome = await pipeline.call(name, args, { caller, client: unasked, rpcId: id, ...own });
  if (outcome.kind !== 'result') throw new Error(`${name} reads, and yet it has a question`);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultJson(outcome.answer)}}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
