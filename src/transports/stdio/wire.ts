/**
 * stdin and stdout, a message a line. What is sent within one turn of the event loop leaves in one piece, and plain reads
 * of a client of the older protocol are answered directly; everything else is the SDK's to check and to answer.
 */
import {
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  parseJSONRPCMessage,
  type Transport,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import type { Caller } from '../../call/types.ts';
import { Cancel } from '../../lib/cancel.ts';
import { JsonWriter } from '../../lib/json-writer.ts';
import { type Listed, Roster } from '../../lib/roster.ts';
import { withReadableReply } from '../../protocol/ask.ts';
import { answerDirectly, type DirectCall, directCall, writeAnswer } from '../../protocol/read-shortcut.ts';
import type { Runtime } from '../../runtime.ts';

/** No message comes near this; without a bound a client that never ends its line fills the memory. */
const maxLineBytes = 10 * 1024 * 1024;

/** The revision of the newer protocol, of which every request says which one it is in. */
const newer = '2026-07-28';

interface RunningCall extends Listed {
  id: string | number;
  signal: Cancel;
}

export class StdioWire implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;

  readonly #pipeline: Runtime['pipeline'];
  readonly #caller: Caller;
  readonly #running = new Roster<RunningCall>();
  #initializing: string | number | undefined;
  /** The handshake of the older protocol has succeeded. */
  #initialized = false;
  /** The beginning of a line whose end has not come yet. */
  #begun: Buffer[] = [];
  /** What leaves at the end of this turn. */
  #out = new JsonWriter();
  /** The room of what has left. */
  #spare: JsonWriter | undefined;
  #flushing = false;
  #closed = false;
  #tellClosed = (): void => {};
  /** Resolves when the connection is over, whoever ended it. */
  readonly closed = new Promise<void>(resolve => {
    this.#tellClosed = resolve;
  });

  constructor(runtime: Runtime, caller: Caller) {
    this.#pipeline = runtime.pipeline;
    this.#caller = caller;
  }

  async start(): Promise<void> {
    const { stdin, stdout } = process;
    const close = (): void => void this.close();
    stdin.on('data', this.#read);
    stdin.on('error', error => this.onerror?.(error));
    stdin.on('end', close);
    stdin.on('close', close);
    stdout.on('error', error => {
      if (this.#closed) return;
      this.onerror?.(error);
      close();
    });
    if (stdin.readableEnded || stdin.destroyed) setImmediate(close);
  }

  /** Resolves at once: a stdout that fails says so by its `error` event, which ends the connection. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) throw new Error('The connection is closed');
    if ('result' in message && message.id === this.#initializing) this.#initialized = true;
    this.#out.write(JSON.stringify(message));
    this.#endLine();
    // Progress ahead of the answer that it belongs to: clients forget what they waited for once that is there.
    if ('method' in message) this.#flush();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    process.stdin.off('data', this.#read);
    process.stdin.pause();
    for (const call of this.#running.all()) this.#cancel(call);
    this.#begun = [];
    this.#flush();
    this.onclose?.();
    this.#tellClosed();
  }

  readonly #read = (chunk: Buffer): void => {
    const end = chunk.lastIndexOf(0x0a);
    if (end < 0) {
      this.#hold(chunk);
      return;
    }
    const whole = chunk.subarray(0, end);
    const text = (this.#begun.length === 0 ? whole : Buffer.concat([...this.#begun, whole])).toString('utf8');
    this.#begun = [];
    if (end + 1 < chunk.length) this.#hold(chunk.subarray(end + 1));
    for (const line of text.split('\n')) this.#receive(line);
  };

  #hold(part: Buffer): void {
    this.#begun.push(part);
    if (this.#begun.reduce((size, { length }) => size + length, 0) <= maxLineBytes) return;
    this.onerror?.(new Error(`A message of more than ${maxLineBytes} bytes came in`));
    void this.close();
  }

  #receive(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return; // Not a message: some clients send empty lines.
    }
    try {
      if (!this.#take(message)) this.onmessage?.(parseJSONRPCMessage(withReadableReply(message)));
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  /** True when the message is dealt with here. */
  #take(message: unknown): boolean {
    if (!this.#initialized) {
      if (!namesInitialize(message) || !isInitializeRequest(message)) return this.#refuseRevision(message);
      this.#initializing = (message as { id?: string | number }).id;
      return false;
    }
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) return this.#cancel(this.#runningCall(cancelled));
    const call = directCall(message, this.#pipeline);
    if (!call || this.#runningCall(call.id)) return false;
    void this.#answer(call);
    return true;
  }

  /** The SDK looks at the revision of the first request only, and answers the others whatever theirs is. */
  #refuseRevision(message: unknown): boolean {
    const requested = revisionOf(message);
    if (typeof requested !== 'string' || requested === newer || !isJSONRPCRequest(message)) return false;
    const { code, message: text, data } = new UnsupportedProtocolVersionError({ supported: [newer], requested });
    this.#out.write(JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code, message: text, data } }));
    this.#endLine();
    return true;
  }

  async #answer(call: DirectCall): Promise<void> {
    const signal = new Cancel();
    const running = { id: call.id, signal, place: -1 };
    this.#running.add(running);
    const answer = await answerDirectly(call, this.#pipeline, this.#caller, { signal });
    // Who cancelled a call gets no answer to it.
    if (signal.aborted) return;
    this.#running.remove(running);
    writeAnswer(this.#out, call, answer);
    this.#endLine();
  }

  #runningCall(id: string | number): RunningCall | undefined {
    return this.#running.find(call => call.id === id);
  }

  #cancel(call: RunningCall | undefined): boolean {
    if (!call) return false;
    this.#running.remove(call);
    call.signal.abort();
    return true;
  }

  #endLine(): void {
    this.#out.write('\n');
    // With nothing else under way there is nothing to wait for.
    if (this.#running.size === 0) this.#flush();
    else if (!this.#flushing) {
      this.#flushing = true;
      setImmediate(() => this.#flush());
    }
  }

  #flush(): void {
    this.#flushing = false;
    const out = this.#out;
    if (out.length === 0) return;
    this.#out = this.#spare ?? new JsonWriter();
    this.#spare = undefined;
    // A stdout that is no file may take the bytes later.
    process.stdout.write(out.written, () => {
      out.clear();
      this.#spare = out;
    });
  }
}

/** Tells the rest, of which the newer protocol has nothing else, from what is worth a closer look. */
function namesInitialize(message: unknown): boolean {
  return (message as { method?: unknown } | null)?.method === 'initialize';
}

/** The revision that a request of the newer protocol says it is in. */
function revisionOf(message: unknown): unknown {
  const { params } = (message ?? {}) as { params?: { _meta?: Record<string, unknown> } | null };
  return params?._meta?.[PROTOCOL_VERSION_META_KEY];
}

/** The request that a notification cancels. */
function cancelledId(message: unknown): string | number | undefined {
  const { jsonrpc, id, method, params } = (message ?? {}) as Record<string, unknown>;
  if (method !== 'notifications/cancelled' || jsonrpc !== '2.0' || id !== undefined) return undefined;
  return (params as { requestId?: string | number } | null | undefined)?.requestId;
}
