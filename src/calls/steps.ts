/**
 * The steps of one call, from its arguments to its result, in their order. Each step is a function with a type of its own,
 * in a module of its own; `dispatch.ts` has asked before whether the caller may use the tool.
 *
 *     every call  check the arguments → find the account
 *     a read      send → suggest what was meant → read what the sentence needs → present
 *     a lookup    make its reads → present
 *     a file      make the reads of its list → sign the link to it → present (`exports/`)
 *     a write     wait for its page → look at its record → carry out → suggest what was meant → present (`change/`)
 *     a set       its lines as calls → each change what a write does, with one question for all
 *
 * The steps of a write are in `change/carry-out.ts`.
 */
import { setTimeout } from 'node:timers/promises';
import { readForChatPage } from '../../tools/reads/chat-page-reads.ts';
import { checkArguments } from '../tool/check.ts';
import type { AnyTool } from '../tool/define.ts';
import { type OwnError, refuse, type ToolError, wordsOf } from '../tool/failure.ts';
import type { UpstreamAnswer } from '../tool/upstream-answer.ts';
import { presentRecord, unwrap } from '../words/present-record.ts';
import { createDoor, type Door } from './api/api.ts';
import { type Reading, withIdSuggestion, withSvcId } from './api/meant.ts';
import { beginCall, type LoadedTool, LoadedTools, type Received, targetOf, unchecked } from './begin-call.ts';
import { type Pages, pagesOf } from './change/ask/agreements.ts';
import { untilDecided } from './change/ask/ask.ts';
import { writePartsOf } from './change/parts.ts';
import type { Line } from './change/set.ts';
import { linesOf } from './change/steps/lines.ts';
import { runWrite, type WriteNeeds } from './change/write.ts';
import {
  type Call,
  type CallContext,
  isChanging,
  type Outcome,
  type PipelineParts,
  timeFor,
  withinTime,
} from './context.ts';
import { Exports, type LinkedFile } from './exports/exports.ts';
import { sendSeveral } from './fan-out.ts';
import { done, failed, presented, refused, withOnPage } from './outcome.ts';
import { suggestPlans } from './plan-suggestions.ts';
import type { ToolAnswer } from './result.ts';
import { type AccountReaders, createAccountReaders, type ReaderParts } from './upstream/account-reader.ts';

export interface Operations {
  /** Runs a tool of the catalogue. Rejects only because of a bug in this program. */
  run(name: string, received: Received): Promise<Outcome>;
  /** Runs a made-up read without sending it, so that the code is compiled before the first call. Gives its answer. */
  rehearse(): Promise<ToolAnswer>;
  readonly readers: AccountReaders;
  /** The file that such an address gives to the caller; or why it gives none. */
  readFile(uri: string, context: CallContext): Promise<LinkedFile | { problem: string }>;
  /** The questions on pages of this server. */
  readonly pages: Pages;
  /** Ends the wait of calls whose question is open on a page. */
  endWaits(): void;
  close(): Promise<void>;
}

/** How long closing waits for writes that are under way. */
const endingWritesMs = 2000;

export function createOperations(parts: PipelineParts, accessOf: ReaderParts['accessOf']): Operations {
  return new Steps(parts, accessOf);
}

class Steps implements Operations {
  readonly readers: AccountReaders;
  readonly pages: Pages;
  readonly #parts: PipelineParts;
  readonly #door: Door;
  readonly #exports: Exports;
  readonly #tools = new LoadedTools();
  readonly #writing: WriteNeeds;
  readonly #writesUnderWay = new Set<Promise<Outcome>>();

  constructor(parts: PipelineParts, accessOf: ReaderParts['accessOf']) {
    const { config, durations, account, upstreams, observer } = parts;
    this.#parts = parts;
    this.#door = createDoor(config);
    this.#exports = new Exports({ ...parts, accessOf, door: this.#door, tools: this.#tools });
    this.#writing = {
      parts: writePartsOf(parts),
      config,
      door: this.#door,
      lookMs: durations.lookMs,
      searchMs: durations.searchMs,
      readingFor: (call, mostMs) => this.#readingFor(call, mostMs),
      suggest: (call, error) => this.#suggest(call, error),
    };
    this.readers = createAccountReaders({ account, upstreams, observer, accessOf });
    this.pages = pagesOf(this.#writing.parts);
  }

  async run(name: string, received: Received): Promise<Outcome> {
    const loaded = this.#tools.get(name) ?? (await this.#tools.load(name));
    const { tool } = loaded;
    const checked = checkArguments(tool, received.sentArguments);
    if (!checked.ok)
      return this.#refuse(
        loaded,
        received,
        refuse('invalid_arguments', { case: 'arguments', tool: name, problems: checked.problems }),
      );
    const { args, control } = checked;
    const request = tool.request(args);
    const target = targetOf(loaded, request);
    if (typeof target !== 'string') return refused(tool, target);
    const account = this.#parts.account.current() ?? (await this.#parts.account.ready());
    if ('code' in account) {
      const error = wordsOf(account);
      return refused(tool, { ...error, message: `${tool.name}: ${error.message}` });
    }
    const call = beginCall(this.#parts, loaded, account, received, { args, control, request, target });
    if (control.format !== undefined) return this.#export(call);
    if (tool.lookup) return this.#lookUp(call, tool.lookup);
    if (tool.set) {
      const lines = await linesOf({ parts: this.#parts, tools: this.#tools, account }, call);
      return Array.isArray(lines) ? this.#write(call, lines) : refused(tool, lines);
    }
    return isChanging(call) ? this.#write(call, [{ at: 0, call }]) : this.#read(call);
  }

  async #read(call: Call): Promise<Outcome> {
    let answer = await this.#ask(call);
    if (!answer.ok) answer = { ...answer, error: await this.#suggest(call, answer.error) };
    return this.#present(call, await this.#withBeside(call, answer));
  }

  /** The answer with what was read beside it; as it is where that could not be read in time. Never rejects. */
  async #withBeside(call: Call, answer: UpstreamAnswer): Promise<UpstreamAnswer> {
    const { tool, args } = call;
    const { beside } = tool;
    if (!answer.ok || beside === undefined) return answer;
    const record = unwrap(tool, answer.body);
    const fields = await this.#readingFor(call)(api => beside(record, api, { args }));
    return fields === null ? answer : { ...answer, beside: fields };
  }

  async #lookUp(call: Call, lookup: NonNullable<AnyTool['lookup']>): Promise<Outcome> {
    const answer = await lookup(call.args, this.#door.of(call, { signal: call.context.signal, counted: true }));
    const { attempts, requestId } = call;
    // The bodies were cleaned when they were read.
    return this.#present(
      call,
      answer.ok ? { ...answer, status: 200, plain: true, attempts, requestId } : { ...answer, attempts, requestId },
    );
  }

  async #export(call: Call): Promise<Outcome> {
    const answer = await this.#exports.answer(call);
    return 'error' in answer
      ? failed(call, await this.#suggest(call, answer.error), 'error')
      : done(call, answer, 'ok');
  }

  readFile(uri: string, context: CallContext): Promise<LinkedFile | { problem: string }> {
    return this.#exports.linked(uri, context);
  }

  async #write(call: Call, lines: readonly Line[]): Promise<Outcome> {
    const { client, signal, progress } = call.context;
    // Before the records are read, because they may change meanwhile.
    await untilDecided(this.#writing.parts, client, { signal, progress });
    return this.#untilEnded(runWrite(this.#writing, call, lines));
  }

  /** Refuses arguments, where an account is known with the id of the record that was meant. */
  async #refuse(loaded: LoadedTool, received: Received, error: OwnError): Promise<Outcome> {
    const account = this.#parts.account.current();
    if (account === undefined || 'code' in account) return refused(loaded.tool, error);
    const reading = this.#readingFor(beginCall(this.#parts, loaded, account, received, unchecked));
    return refused(loaded.tool, await withSvcId(loaded.tool, received.sentArguments, reading, error));
  }

  /** Sends the request of a read, or its several requests; a plan that was not found is answered with the nearest. */
  async #ask(call: Call): Promise<UpstreamAnswer> {
    const { durations } = this.#parts;
    const planReader = ({ context: { caller, meta, rpcId } }: Call, signal: CallContext['signal']) =>
      this.readers.of({ caller }, { signal, meta, rpcId });
    const { searchMs } = durations;
    if (call.tool.fanOut) return sendSeveral({ door: this.#door, planReader, searchMs }, call, call.tool.fanOut);
    const answer = await this.#door.send(call);
    if (answer.ok) return answer;
    const exchange = { body: call.request.body, answer };
    const [withHint = answer] = await suggestPlans(
      [exchange],
      signal => planReader(call, signal),
      timeFor(searchMs, call),
      call.context.signal,
    );
    return withHint;
  }

  /** Adds ids that may have been meant to the error of a record that was not found. */
  #suggest(call: Call, error: ToolError): Promise<ToolError> {
    return withIdSuggestion(call, this.#readingFor(call), error);
  }

  /** Reads beside the call's own request. They are not its attempts, and end with it. */
  #readingFor(call: Call, mostMs = this.#parts.durations.searchMs): Reading {
    return work =>
      withinTime(timeFor(mostMs, call), call.context.signal, signal => work(this.#door.of(call, { signal })));
  }

  async #present(call: Call, answer: UpstreamAnswer): Promise<Outcome> {
    if (!answer.ok) return failed(call, answer.error, 'error');
    const { body, plain, notice, beside } = answer;
    const shown = presented(this.#parts.config, call, body, { plain, notice, beside });
    if (shown.page === undefined) return done(call, shown, 'ok');
    const reading = this.#readingFor(call, this.#parts.durations.chatPageReadsMs);
    const fields = {};
    await reading(api => readForChatPage(call.tool.name, body, { args: call.args, api, fields }));
    return done(call, withOnPage(shown, fields), 'ok');
  }

  /** Closing waits for the write. */
  #untilEnded(write: Promise<Outcome>): Promise<Outcome> {
    this.#writesUnderWay.add(write);
    return write.finally(() => this.#writesUnderWay.delete(write));
  }

  async rehearse(): Promise<ToolAnswer> {
    const { tool, endpoint } = await this.#tools.load('get_customer');
    const checked = checkArguments(tool, { external_customer_id: 'nobody' });
    if (!checked.ok) throw new Error('get_customer refused an external id');
    endpoint.target(tool.request(checked.args));
    const customer = { external_id: 'nobody', name: 'Nobody', currency: 'EUR', taxes: [{ code: 'none', rate: 1 }] };
    const { config } = this.#parts;
    return presentRecord(tool, { customer }, { args: checked.args, config });
  }

  endWaits(): void {
    this.#writing.parts.waits.end();
  }

  async close(): Promise<void> {
    // Even writes that were cancelled still have to record their outcome.
    const ended = Promise.allSettled(this.#writesUnderWay);
    await Promise.race([ended, setTimeout(endingWritesMs, undefined, { ref: false })]);
    await this.#writing.parts.close();
  }
}
