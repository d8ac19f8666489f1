/**
 * The shortcut for the most frequent calls: a plain `tools/call` of a tool that changes nothing, by a client of an
 * older revision. Such a call asks no question and reports no progress: one message comes in and one goes out, so that
 * the SDK is not needed. The SDK handles everything else: writes, questions, progress, traces, the newer revision, tools
 * with a page (what they answer depends on the client), files (`format`), and malformed messages.
 */

import type { ToolAnswer } from '../../calls/call/result.ts';
import { type Pipeline, resultOf } from '../../calls/dispatch.ts';
import { nobody } from '../../definition/asking.ts';
import type { Caller } from '../../definition/caller.ts';
import { type Listed, Roster } from '../../lib/collections.ts';
import { isObject, membersOf } from '../../lib/json.ts';
import { Cancel } from './cancel.ts';
import { isPlainRequest } from './plain-request.ts';

/** A call that the shortcut answers. */
export interface PlainRead extends Listed {
  readonly id: string | number;
  readonly name: string;
  readonly args: unknown;
  readonly signal: Cancel;
}

/** Decides which messages take the shortcut, runs their calls, and cancels them. Independent of the transport. */
export class ReadShortcut {
  readonly #pipeline: Pick<Pipeline, 'plain' | 'call'>;
  readonly #running = new Roster<PlainRead>();

  constructor(pipeline: Pick<Pipeline, 'plain' | 'call'>) {
    this.#pipeline = pipeline;
  }

  /** Number of reads that are running. */
  get size(): number {
    return this.#running.size;
  }

  /** The call in a message when it can take the shortcut. */
  decide(message: unknown): PlainRead | undefined {
    if (!isPlainRequest(message, 'tools/call') || !isObject(message.params)) return undefined;
    const { id, params } = message;
    const { name, arguments: args, ...others } = membersOf<'name' | 'arguments'>(params);
    if (typeof name !== 'string' || !this.#pipeline.plain(name)) return undefined;
    if (args !== undefined && (!isObject(args) || 'format' in args)) return undefined;
    for (const _ in others) return undefined;
    return { id, name, args, signal: new Cancel(), place: -1 };
  }

  /** Runs a call. Resolves with undefined when it was cancelled: nothing must be answered then. */
  async run(read: PlainRead, caller: Caller, requestId?: string): Promise<ToolAnswer | undefined> {
    const { id, name, args, signal } = read;
    this.#running.add(read);
    const outcome = await this.#pipeline.call(name, args, { caller, client: nobody, rpcId: id, signal, requestId });
    if (signal.aborted) return undefined;
    this.#running.remove(read);
    if (outcome.kind !== 'result') throw new Error(`${name} reads, and yet it has a question`);
    return outcome.answer;
  }

  /** True when a read with this id is running. Only for one client: several may use the same ids. */
  has(id: string | number): boolean {
    return this.#find(id) !== undefined;
  }

  /** Cancels a read. Does nothing when it has ended. */
  cancel(read: PlainRead): void {
    this.#running.remove(read);
    read.signal.abort();
  }

  /** Cancels the running read that a notification of its client names; false when the message names none. */
  cancelNamedBy(message: unknown): boolean {
    const id = cancelledId(message);
    const read = id === undefined ? undefined : this.#find(id);
    if (read) this.cancel(read);
    return read !== undefined;
  }

  cancelAll(): void {
    for (const read of this.#running.all()) this.cancel(read);
  }

  #find(id: string | number): PlainRead | undefined {
    return this.#running.find(read => read.id === id);
  }
}

/** The message that answers a call, as JSON. The text of a result is its structured content as JSON: it is made once. */
export function answerJson({ id }: PlainRead, answer: ToolAnswer): string {
  const result = resultOf(answer);
  const [content, link] = result.content;
  if (content?.type !== 'text' || link !== undefined || result.isError || result._meta)
    return JSON.stringify({ jsonrpc: '2.0', id, result });
  const { text } = content;
  const contents = `[{"type":"text","text":${JSON.stringify(text)}}]`;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":${contents},"structuredContent":${text}}}`;
}

function cancelledId(message: unknown): string | number | undefined {
  const { jsonrpc, id, method, params } = membersOf<'jsonrpc' | 'id' | 'method' | 'params'>(message);
  if (method !== 'notifications/cancelled' || jsonrpc !== '2.0' || id !== undefined) return undefined;
  return (params as { requestId?: string | number } | null | undefined)?.requestId;
}
