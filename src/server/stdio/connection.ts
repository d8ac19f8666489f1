/**
 * The connection with the one client, over stdin and stdout. Plain messages are answered by the fast way. The SDK gets all
 * others, and is loaded by the first of them.
 */

import type { Caller } from '../../definition/caller.ts';
import { membersOf } from '../../lib/json.ts';
import type { Core } from '../core.ts';
import { fast } from '../fast/entry.ts';
import type { PlainInitialize } from '../fast/handshake.ts';
import type { StdioAnswers } from '../fast/stdio-answers.ts';
import { asMeant, messagesIn } from '../protocol/messages.ts';
import { type Pipe, StdioLines } from './lines.ts';

/** The SDK's side of the connection. */
export interface SdkSide {
  /** Lets the SDK know of an `initialize` that was answered without it. Its own answer goes nowhere. */
  repeat(initialize: PlainInitialize): Promise<void>;
  receive(message: unknown): void;
  /** Ends what the SDK has running. */
  close(): Promise<void>;
}

/** What is said of a line on stdin that is none. */
export const noMessage = 'a line on stdin is not a JSON-RPC 2.0 message and was ignored.';

export interface ConnectionParts {
  core: Pick<Core, 'config' | 'pipeline'>;
  caller: Caller;
  pipe: Pipe;
  loadSdk(connection: StdioConnection): Promise<SdkSide>;
  /** Called when the first message has been answered. */
  answered(): void;
  failed(error: Error): void;
}

export class StdioConnection {
  readonly #parts: ConnectionParts;
  readonly #plain: StdioAnswers | undefined;
  readonly #lines: StdioLines;
  #sdk: SdkSide | undefined;
  /** As the client opened the connection. */
  #revision: string | undefined;
  #loading: Promise<void> | undefined;
  /** What arrived while the SDK was being loaded. */
  #waiting: unknown[] = [];
  #answeredAny = false;
  #isClosed = false;
  #tellClosed = (): void => {};
  /** Resolves when either side has ended the connection. */
  readonly closed = new Promise<void>(resolve => {
    this.#tellClosed = resolve;
  });

  constructor(parts: ConnectionParts) {
    const { core, caller, pipe } = parts;
    this.#parts = parts;
    const listener = { line: (text: string) => this.#receive(text), error: parts.failed, end: () => void this.#end() };
    this.#lines = new StdioLines(listener, pipe);
    this.#plain = fast.way?.overStdio({
      core,
      caller,
      write: message => this.write(message),
    });
  }

  open(): void {
    this.#lines.open();
  }

  /** The client has opened the connection in an older revision. */
  initialized(): void {
    this.#plain?.initialized();
  }

  /** Sends a message to the client, a text as the JSON that it is. Throws when closed; a failing stdout ends the connection. */
  write(message: object | string): void {
    if (this.#isClosed) throw new Error('The connection is closed');
    const line = `${typeof message === 'string' ? message : JSON.stringify(message)}\n`;
    // While other reads are running, their answers may be ready soon and are then sent with this line.
    this.#lines.write(line, this.#plain?.busy === true);
    if (this.#answeredAny) return;
    this.#answeredAny = true;
    this.#parts.answered();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#plain?.cancelAll();
    this.#lines.close();
    await this.#sdk?.close();
    this.#tellClosed();
  }

  /** The client sends nothing more. What it sent before is not dropped because the SDK takes a moment to load. */
  async #end(): Promise<void> {
    if (this.#loading) {
      await this.#loading;
      await new Promise(setImmediate);
    }
    await this.close();
  }

  #receive(line: string): void {
    let message: unknown;
    try {
      // Some clients begin their output with a byte order mark.
      message = JSON.parse(line.startsWith('\uFEFF') ? line.slice(1) : line);
    } catch {
      // Some clients send empty lines.
      if (line.trim() !== '') this.#parts.failed(new Error(noMessage));
      return;
    }
    if (Array.isArray(message) && message.length > 0) this.#receiveBatch(message);
    else this.#handle(asMeant(message));
  }

  /** Each message is answered for itself, which clients of the revision with batches read as well. */
  #receiveBatch(batch: readonly unknown[]): void {
    const messages = messagesIn(batch, this.#revision);
    if (typeof messages !== 'string') for (const message of messages) this.#handle(message);
    else this.write({ jsonrpc: '2.0', id: null, error: { code: -32600, message: messages } });
  }

  #handle(message: unknown): void {
    const { method, params } = membersOf<'method' | 'params'>(message);
    if (method === 'initialize') this.#revision = String(membersOf<'protocolVersion'>(params).protocolVersion);
    if (this.#plain?.answers(message, this.#sdk ? 'there' : this.#loading ? 'loading' : 'absent')) return;
    if (this.#sdk) {
      this.#sdk.receive(message);
      return;
    }
    this.#waiting.push(message);
    this.#loading ??= this.#load().catch(error => {
      this.#parts.failed(error);
      return this.close();
    });
  }

  async #load(): Promise<void> {
    const sdk = await this.#parts.loadSdk(this);
    if (this.#isClosed) return sdk.close();
    const opened = this.#plain?.opened;
    if (opened) await sdk.repeat(opened);
    this.#sdk = sdk;
    for (const message of this.#waiting.splice(0)) sdk.receive(message);
  }
}
