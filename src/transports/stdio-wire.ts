/**
 * stdin and stdout as the SDK reads them. What is sent within one turn of the event loop leaves in one piece, and plain
 * reads of a client of the older protocol are answered directly.
 */
import { isInitializeRequest, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Caller } from '../call.ts';
import { Cancel } from '../cancel.ts';
import { answerDirectly, type DirectCall, directCall } from '../direct.ts';
import type { Runtime } from '../runtime.ts';

export class StdioWire extends StdioServerTransport {
  readonly #pipeline: Runtime['pipeline'];
  readonly #caller: Caller;
  readonly #running = new Map<string | number, Cancel>();
  #initializing: string | number | undefined;
  /** The handshake of the older protocol has succeeded. */
  #initialized = false;
  #pending = '';

  constructor(runtime: Runtime, caller: Caller) {
    super();
    this.#pipeline = runtime.pipeline;
    this.#caller = caller;
  }

  /** The SDK sets `onmessage` before it starts the transport. */
  override async start(): Promise<void> {
    const deliver = this.onmessage;
    this.onmessage = message => {
      if (!this.#take(message)) deliver?.(message);
    };
    await super.start();
  }

  /** Resolves at once: a stdout that fails says so by its `error` event, which ends the connection. */
  override send(message: JSONRPCMessage): Promise<void> {
    if ('result' in message && message.id === this.#initializing) this.#initialized = true;
    this.#write(JSON.stringify(message));
    // Progress ahead of the answer that it belongs to: clients forget what they waited for once that is there.
    if ('method' in message) this.#flush();
    return Promise.resolve();
  }

  override async close(): Promise<void> {
    for (const running of this.#running.values()) running.abort();
    this.#running.clear();
    this.#flush();
    await super.close();
  }

  /** True when the message is dealt with here. */
  #take(message: JSONRPCMessage): boolean {
    if (!this.#initialized) {
      if (isInitializeRequest(message)) this.#initializing = (message as { id?: string | number }).id;
      return false;
    }
    if ('method' in message && message.method === 'notifications/cancelled') return this.#cancel(message.params);
    const call = directCall(message, this.#pipeline);
    if (!call || this.#running.has(call.id)) return false;
    void this.#answer(call);
    return true;
  }

  async #answer(call: DirectCall): Promise<void> {
    const signal = new Cancel();
    this.#running.set(call.id, signal);
    const answer = await answerDirectly(call, this.#pipeline, this.#caller, { signal });
    // Who cancelled a call gets no answer to it.
    if (signal.aborted) return;
    this.#running.delete(call.id);
    this.#write(answer);
    // With nothing else under way there is nothing to wait for.
    if (this.#running.size === 0) this.#flush();
  }

  #cancel(params: object | undefined): boolean {
    const id = (params as { requestId?: unknown } | undefined)?.requestId as string | number;
    const running = this.#running.get(id);
    this.#running.delete(id);
    running?.abort();
    return running !== undefined;
  }

  #write(json: string): void {
    if (this.#pending === '') setImmediate(() => this.#flush());
    this.#pending += `${json}\n`;
  }

  #flush(): void {
    if (this.#pending === '') return;
    process.stdout.write(this.#pending);
    this.#pending = '';
  }
}
