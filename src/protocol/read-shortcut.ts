/**
 * The short way for what is called most: a plain `tools/call` of a tool that reads, by a client of the older protocol.
 * It asks nothing and reports nothing on the way, so that of the protocol only one message in and one out is left.
 * Everything else (writes, questions, progress, traces, the newer protocol, anything malformed) goes through the SDK.
 */

import type { CallContext } from '../call/context.ts';
import type { Pipeline } from '../call/dispatch.ts';
import { type Answer, writeResult } from '../call/result.ts';
import type { Caller, ClientAbilities } from '../call/types.ts';
import { isRecord } from '../lib/json.ts';
import type { JsonWriter } from '../lib/json-writer.ts';

export interface DirectCall {
  id: string | number;
  name: string;
  args: unknown;
}

/** What a request consists of. */
const known: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);

/** A read puts no questions. */
const unasked: ClientAbilities = { canAsk: false, answer: () => undefined, state: undefined };

/** The call in a message, when it is one that can go the short way. */
export function directCall(message: unknown, pipeline: Pick<Pipeline, 'reads'>): DirectCall | undefined {
  if (!isRecord(message) || message.method !== 'tools/call' || message.jsonrpc !== '2.0') return undefined;
  const { id, params } = message;
  for (const key in message) if (!known.has(key)) return undefined;
  if ((typeof id !== 'string' && !Number.isSafeInteger(id)) || !isRecord(params)) return undefined;
  const { name, arguments: args, ...others } = params;
  if (typeof name !== 'string' || !pipeline.reads(name) || (args !== undefined && !isRecord(args))) return undefined;
  for (const _ in others) return undefined;
  return { id: id as string | number, name, args };
}

/** Runs the call. */
export async function answerDirectly(
  { id, name, args }: DirectCall,
  pipeline: Pipeline,
  caller: Caller,
  own: Pick<CallContext, 'signal' | 'requestId'>,
): Promise<Answer> {
  const outcome = await pipeline.call(name, args, { caller, client: unasked, rpcId: id, ...own });
  if (outcome.kind !== 'result') throw new Error(`${name} reads, and yet it has a question`);
  return outcome.answer;
}

/** Writes the message that answers the call. */
export function writeAnswer(out: JsonWriter, { id }: DirectCall, answer: Answer): void {
  out.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`);
  writeResult(out, answer);
  out.write('}');
}
