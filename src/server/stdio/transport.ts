/** The SDK's transport over a connection that is open already. */
import {
  isInitializeRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import type { PlainInitialize } from '../fast/handshake.ts';
import { revisionRefusal, withReadableReply } from '../protocol/revisions.ts';
import { noMessage, type StdioConnection } from './connection.ts';

export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;

  readonly #connection: StdioConnection;
  #initializeId: unknown;
  /** The client has opened the connection in an older revision. */
  #initialized = false;
  /** Takes the answer to a repeated `initialize`. */
  #repeated: (() => void) | undefined;

  constructor(connection: StdioConnection) {
    this.#connection = connection;
  }

  async start(): Promise<void> {}

  /** Resolves at once; a failing stdout ends the connection. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#repeated) {
      this.#repeated();
      this.#repeated = undefined;
      return;
    }
    if ('result' in message && message.id === this.#initializeId) {
      this.#initialized = true;
      this.#connection.initialized();
    }
    this.#connection.write(message);
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  /** Resolves when the SDK has answered an `initialize` that the client has the answer to. */
  repeat(initialize: PlainInitialize): Promise<void> {
    this.#initialized = true;
    const answered = new Promise<void>(resolve => {
      this.#repeated = resolve;
    });
    this.onmessage?.(parseJSONRPCMessage(initialize));
    return answered;
  }

  receive(message: unknown): void {
    try {
      if (!this.#initialized && this.#open(message)) return;
      const parsed = messageIn(withReadableReply(message));
      if (parsed === undefined) this.onerror?.(new Error(noMessage));
      else this.onmessage?.(parsed);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  /** Before `initialize`, the client may use the newer revision. True when the message is answered here. */
  #open(message: unknown): boolean {
    // Clients of the newer revision never initialize, so the SDK's full check is not made for each of their messages.
    if ((message as { method?: unknown } | null)?.method === 'initialize' && isInitializeRequest(message)) {
      this.#initializeId = (message as { id?: unknown }).id;
      return false;
    }
    // The SDK checks the revision of the first request only.
    const refusal = revisionRefusal(message);
    if (refusal) this.#connection.write(refusal);
    return refusal !== undefined;
  }
}

/** undefined for what is none: the SDK's error is a page, about every form that a message may have. */
function messageIn(value: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return undefined;
  }
}
