/** The SDK's transport over stdin and stdout, one message per line. Plain reads take the shortcut past the SDK. */
import {
  isInitializeRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import type { Caller } from '../../call/types.ts';
import { withReadableReply } from '../../protocol/ask.ts';
import { answerBytes, type PlainRead, type ReadShortcut } from '../../protocol/read-shortcut.ts';
import { revisionRefusal } from '../../protocol/revisions.ts';
import { StdioLines } from './lines.ts';

export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;

  readonly #shortcut: ReadShortcut;
  readonly #caller: Caller;
  readonly #lines = new StdioLines({
    line: text => this.#receive(text),
    error: error => this.onerror?.(error),
    end: () => void this.close(),
  });
  #initializeId: string | number | undefined;
  /** The client has opened the connection in an older revision. */
  #initialized = false;
  #isClosed = false;
  #tellClosed = (): void => {};
  /** Resolves when either side has ended the connection. */
  readonly closed = new Promise<void>(resolve => {
    this.#tellClosed = resolve;
  });

  /** `shortcut` must serve this connection only: a client cancels its reads by their ids. */
  constructor(shortcut: ReadShortcut, caller: Caller) {
    this.#shortcut = shortcut;
    this.#caller = caller;
  }

  async start(): Promise<void> {
    this.#lines.open();
  }

  /** Resolves at once; a failing stdout ends the connection. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error('The connection is closed');
    if ('result' in message && message.id === this.#initializeId) this.#initialized = true;
    this.#write(message);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#shortcut.cancelAll();
    this.#lines.close();
    this.onclose?.();
    this.#tellClosed();
  }

  #receive(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return; // Not a message: some clients send empty lines.
    }
    try {
      const done = this.#initialized ? this.#takeShortcut(message) : this.#open(message);
      if (!done) this.onmessage?.(parseJSONRPCMessage(withReadableReply(message)));
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  /** Before `initialize`, the client may use the newer revision. True when the message is answered here. */
  #open(message: unknown): boolean {
    // Clients of the newer revision never initialize, so the SDK's full check is not made for each of their messages.
    if ((message as { method?: unknown } | null)?.method === 'initialize' && isInitializeRequest(message)) {
      this.#initializeId = (message as { id?: string | number }).id;
      return false;
    }
    // The SDK checks the revision of the first request only.
    const refusal = revisionRefusal(message);
    if (refusal) this.#write(refusal);
    return refusal !== undefined;
  }

  /** True when the message does not need the SDK. */
  #takeShortcut(message: unknown): boolean {
    if (this.#shortcut.cancelNamedBy(message)) return true;
    const read = this.#shortcut.decide(message);
    if (!read || this.#shortcut.has(read.id)) return false;
    void this.#answer(read);
    return true;
  }

  async #answer(read: PlainRead): Promise<void> {
    const answer = await this.#shortcut.run(read, this.#caller);
    if (answer) this.#send(answerBytes(read, answer, '\n'));
  }

  #write(message: JSONRPCMessage): void {
    this.#send(Buffer.from(`${JSON.stringify(message)}\n`));
  }

  /** While other reads are running, their answers may be ready soon and are then sent with this line. */
  #send(line: Buffer): void {
    this.#lines.write(line, this.#shortcut.size > 0);
  }
}
