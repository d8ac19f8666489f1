/**
 * Plain messages over stdio, answered without the SDK: the opening of the connection in an older revision, the list of tools,
 * reads.
 */
import type { Pipeline } from '../../calls/dispatch.ts';
import type { Caller } from '../../definition/caller.ts';
import { membersOf } from '../../lib/json.ts';
import { identityFor, pagesExtension } from '../protocol/identity.ts';
import type { Config } from '../settings/settings.ts';
import { initializeResult, isPlainInitialize, type PlainInitialize } from './handshake.ts';
import { isPlainList } from './plain-request.ts';
import { answerJson, type PlainRead, ReadShortcut } from './read-shortcut.ts';

export interface StdioAnswersNeeds {
  core: { config: Config; pipeline: Pipeline };
  caller: Caller;
  /** Sends a message to the client, a text as the JSON that it is. Throws when the connection is closed. */
  write(message: object | string): void;
}

export class StdioAnswers {
  readonly #needs: StdioAnswersNeeds;
  /** Serves this connection only: a client cancels its reads by their ids. */
  readonly #shortcut: ReadShortcut;
  #initialized = false;
  /** The `initialize` that was answered here. */
  opened: PlainInitialize | undefined;

  constructor(needs: StdioAnswersNeeds) {
    this.#needs = needs;
    this.#shortcut = new ReadShortcut(needs.core.pipeline);
  }

  /** Are reads running, so that more lines are sent soon? */
  get busy(): boolean {
    return this.#shortcut.size > 0;
  }

  /** The client has opened the connection in an older revision, so that plain messages can be answered here. */
  initialized(): void {
    this.#initialized = true;
  }

  /** Answers a message that does not need the SDK; false for every other. `sdk`: is it there, or about to be? */
  answers(message: unknown, sdk: 'absent' | 'loading' | 'there'): boolean {
    if (!this.#initialized) return sdk === 'absent' && this.#open(message);
    if (this.#shortcut.cancelNamedBy(message)) return true;
    const read = this.#shortcut.decide(message);
    if (read && !this.#shortcut.has(read.id)) {
      void this.#read(read);
      return true;
    }
    if (this.opened && isPlainList(message)) {
      const { core, caller } = this.#needs;
      this.#needs.write({ jsonrpc: '2.0', id: message.id, result: core.pipeline.list(caller, this.#showsPages()) });
      return true;
    }
    // Every client sends it, and the SDK does nothing with it.
    return sdk !== 'there' && (message as { method?: unknown } | null)?.method === 'notifications/initialized';
  }

  cancelAll(): void {
    this.#shortcut.cancelAll();
  }

  #open(message: unknown): boolean {
    if (!isPlainInitialize(message)) return false;
    const { core, caller } = this.#needs;
    this.opened = message;
    this.#initialized = true;
    this.#needs.write({ jsonrpc: '2.0', id: message.id, result: initializeResult(message, identityFor(core, caller)) });
    return true;
  }

  /** The client as it opened the connection. */
  #showsPages(): boolean {
    const { extensions } = membersOf<'extensions'>(this.opened?.params.capabilities);
    return membersOf<typeof pagesExtension>(extensions)[pagesExtension] !== undefined;
  }

  async #read(read: PlainRead): Promise<void> {
    const answer = await this.#shortcut.run(read, this.#needs.caller);
    if (answer) this.#needs.write(answerJson(read, answer));
  }
}
