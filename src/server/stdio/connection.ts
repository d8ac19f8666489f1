/**
 * The connection with the one client, over stdin and stdout. Plain messages are answered here: the opening in an older
 * revision, the list of tools, reads. The SDK gets all others, and is loaded by the first of them.
 */

import type { JsonRecord } from '../../lib/json.ts';
import type { Caller } from '../../tool/call.ts';
import type { Core } from '../core.ts';
import { initializeResult, isPlainInitialize, type PlainInitialize } from '../protocol/handshake.ts';
import { identityFor, pagesExtension } from '../protocol/identity.ts';
import { isPlainList } from '../protocol/plain.ts';
import { answerBytes, type PlainRead, ReadShortcut } from '../protocol/read-shortcut.ts';
import { StdioLines } from './lines.ts';

/** The SDK's side of the connection. */
export interface SdkSide {
  /** Lets the SDK know of an `initialize` that was answered here. Its own answer goes nowhere. */
  repeat(initialize: PlainInitialize): Promise<void>;
  receive(message: unknown): void;
  /** Ends what the SDK has running. */
  close(): Promise<void>;
}

export interface ConnectionParts {
  core: Pick<Core, 'config' | 'pipeline'>;
  caller: Caller;
  loadSdk(connection: StdioConnection): Promise<SdkSide>;
  /** Called when the first message has been answered. */
  answered(): void;
  failed(error: Error): void;
}

export class StdioConnection {
  readonly #parts: ConnectionParts;
  /** Serves this connection only: a client cancels its reads by their ids. */
  readonly #shortcut: ReadShortcut;
  readonly #lines = new StdioLines({
    line: text => this.#receive(text),
    error: error => this.#parts.failed(error),
    end: () => void this.#end(),
  });
  #sdk: SdkSide | undefined;
  #loading: Promise<void> | undefined;
  /** What arrived while the SDK was being loaded. */
  #held: unknown[] = [];
  /** The `initialize` that was answered here. */
  #greeted: PlainInitialize | undefined;
  #initialized = false;
  #answeredAny = false;
  #isClosed = false;
  #tellClosed = (): void => {};
  /** Resolves when either side has ended the connection. */
  readonly closed = new Promise<void>(resolve => {
    this.#tellClosed = resolve;
  });

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#shortcut = new ReadShortcut(parts.core.pipeline);
  }

  open(): void {
    this.#lines.open();
  }

  /** The client has opened the connection in an older revision, so that plain messages can be answered here. */
  initialized(): void {
    this.#initialized = true;
  }

  /** Sends a message to the client. Throws when the connection is closed; a failing stdout ends it. */
  write(message: object): void {
    if (this.#isClosed) throw new Error('The connection is closed');
    this.#send(Buffer.from(`${JSON.stringify(message)}\n`));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#shortcut.cancelAll();
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
      message = JSON.parse(line);
    } catch {
      return; // Not a message: some clients send empty lines.
    }
    if (this.#initialized ? this.#answerHere(message) : this.#greet(message)) return;
    if (this.#sdk) {
      this.#sdk.receive(message);
      return;
    }
    this.#held.push(message);
    this.#loading ??= this.#load().catch(error => {
      this.#parts.failed(error);
      return this.close();
    });
  }

  async #load(): Promise<void> {
    const sdk = await this.#parts.loadSdk(this);
    if (this.#isClosed) return sdk.close();
    if (this.#greeted) await sdk.repeat(this.#greeted);
    this.#sdk = sdk;
    for (const message of this.#held.splice(0)) sdk.receive(message);
  }

  /** True when the message opens the connection and is answered. */
  #greet(message: unknown): boolean {
    if (this.#loading || !isPlainInitialize(message)) return false;
    const { core, caller } = this.#parts;
    this.#greeted = message;
    this.#initialized = true;
    this.write({ jsonrpc: '2.0', id: message.id, result: initializeResult(message, identityFor(core, caller)) });
    return true;
  }

  /** True when the message does not need the SDK. */
  #answerHere(message: unknown): boolean {
    if (this.#shortcut.cancelNamedBy(message)) return true;
    const read = this.#shortcut.decide(message);
    if (read && !this.#shortcut.has(read.id)) {
      void this.#answer(read);
      return true;
    }
    if (this.#greeted && isPlainList(message)) {
      const { core, caller } = this.#parts;
      this.write({ jsonrpc: '2.0', id: message.id, result: core.pipeline.list(caller, this.#showsPages()) });
      return true;
    }
    // Every client sends it, and the SDK does nothing with it.
    return !this.#sdk && (message as { method?: unknown } | null)?.method === 'notifications/initialized';
  }

  /** The client as it opened the connection. */
  #showsPages(): boolean {
    const extensions = this.#greeted?.params.capabilities.extensions as JsonRecord | undefined;
    return extensions?.[pagesExtension] !== undefined;
  }

  async #answer(read: PlainRead): Promise<void> {
    const answer = await this.#shortcut.run(read, this.#parts.caller);
    if (answer) this.#send(answerBytes(read, answer, '\n'));
  }

  /** While other reads are running, their answers may be ready soon and are then sent with this line. */
  #send(line: Buffer): void {
    this.#lines.write(line, this.#shortcut.size > 0);
    if (this.#answeredAny) return;
    this.#answeredAny = true;
    this.#parts.answered();
  }
}
