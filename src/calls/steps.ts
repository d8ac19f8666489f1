/**
 * The steps of one call, from its arguments to its result, in their order. Each step is a function with a type of its own,
 * in a module of its own; `dispatch.ts` has asked before whether the caller may use the tool.
 *
 *     every call  check the arguments → find the account
 *     a read      send → suggest what was meant → read what the sentence needs → present
 *     a lookup    make its reads → present
 *     a file      make the reads of its list → sign the link to it → present (`exports/`)
 *     a set       of each change what a write does, with one question for all (`several/`)
 *     a write     wait for its page → look at its record → carry out → suggest what was meant → present
 *
 * A write is carried out in `carryOut`, below.
 */
import { setTimeout } from 'node:timers/promises';
import { readForChatPage } from '../../tools/reads/chat-page-reads.ts';
import type { ReadAnswer } from '../tool/api.ts';
import { checkArguments } from '../tool/check.ts';
import type { AnyTool } from '../tool/define.ts';
import type { OwnError, ToolError } from '../tool/failure.ts';
import type { UpstreamAnswer } from '../tool/upstream-answer.ts';
import type { Look, Send, Sight, WriteCall, WriteOutcome } from '../tool/write-call.ts';
import { presentRecord, unwrap } from '../words/present-record.ts';
import { createDoor, type Door } from './api/api.ts';
import { type Reading, withIdSuggestion, withSvcId } from './api/meant.ts';
import { beginCall, type LoadedTool, LoadedTools, type Received, targetOf, unchecked, writeOf } from './begin-call.ts';
import { withOnPage } from './chat-page.ts';
import {
  type Call,
  type CallContext,
  type ChangingCall,
  isChanging,
  type Outcome,
  type PipelineParts,
  timeFor,
  withinTime,
} from './context.ts';
import { Exports, type LinkedFile } from './exports/exports.ts';
import { sendSeveral } from './fan-out.ts';
import { type LookNeeds, lookAfter, lookBefore } from './look-at-record.ts';
import { done, failed, presented, refused } from './outcome.ts';
import { suggestPlans } from './plan-suggestions.ts';
import type { Pages, WritePolicy } from './policy/write.ts';
import { presentWrite } from './present-write.ts';
import { invalid } from './refused-arguments.ts';
import type { ToolAnswer } from './result.ts';
import { changeSeveral, type SetNeeds } from './several/several.ts';
import { type AccountReaders, createAccountReaders, type ReaderParts } from './upstream/account-reader.ts';
import { policyOf } from './write-policy.ts';

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
  readonly #policy: WritePolicy;
  readonly #door: Door;
  readonly #looks: LookNeeds;
  readonly #exports: Exports;
  readonly #tools = new LoadedTools();
  readonly #setNeeds: SetNeeds;
  readonly #writesUnderWay = new Set<Promise<Outcome>>();

  constructor(parts: PipelineParts, accessOf: ReaderParts['accessOf']) {
    const { config, durations, account, upstreams, observer } = parts;
    this.#parts = parts;
    this.#policy = policyOf(parts);
    this.#door = createDoor(config);
    this.#looks = { door: this.#door, lookMs: durations.lookMs };
    this.#exports = new Exports({ ...parts, accessOf, door: this.#door, tools: this.#tools });
    this.#setNeeds = {
      parts,
      config,
      tools: this.#tools,
      policy: this.#policy,
      looks: this.#looks,
      door: this.#door,
      suggest: (call, error) => this.#suggest(call, error),
    };
    this.readers = createAccountReaders({ account, upstreams, observer, accessOf });
    this.pages = this.#policy.pages;
  }

  async run(name: string, received: Received): Promise<Outcome> {
    const loaded = this.#tools.get(name) ?? (await this.#tools.load(name));
    const { tool } = loaded;
    const checked = checkArguments(tool, received.sentArguments);
    if (!checked.ok) return this.#refuse(loaded, received, invalid(tool, checked.problems));
    const { args, control } = checked;
    const request = tool.request(args);
    const target = targetOf(loaded, request);
    if (typeof target !== 'string') return refused(tool, target);
    const account = this.#parts.account.current() ?? (await this.#parts.account.ready());
    if ('code' in account) return refused(tool, { ...account, message: `${tool.name}: ${account.message}` });
    const call = beginCall(this.#parts, loaded, account, received, { args, control, request, target });
    if (control.format !== undefined) return this.#export(call);
    if (tool.lookup) return this.#lookUp(call, tool.lookup);
    if (tool.set) return this.#untilEnded(changeSeveral(this.#setNeeds, call, account));
    return isChanging(call) ? this.#write(call) : this.#read(call);
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

  async #write(call: ChangingCall): Promise<Outcome> {
    const { client, signal, progress } = call.context;
    // Before the record is read, because it may change meanwhile.
    await this.#policy.untilDecided(client, { signal, progress });
    // The person's time is not the call's.
    call.deadline = performance.now() + this.#parts.config.timeoutMs;
    return this.#untilEnded(this.#lookAndCarryOut(call));
  }

  async #lookAndCarryOut(call: ChangingCall): Promise<Outcome> {
    const { context, control } = call;
    const looked: Sight = this.#policy.saysNo(context) ? { kind: 'off' } : await lookBefore(this.#looks, call);
    // A yes whose call was cancelled meanwhile is still put on record; nothing is sent for it.
    const answering = context.client.reply !== undefined || control.confirmation !== undefined || context.decided;
    const sight: Sight = answering && context.signal?.aborted && looked.kind === 'refused' ? { kind: 'off' } : looked;
    // A look that failed leaves the account as it was, whatever the tool does.
    if (sight.kind === 'refused')
      return failed(call, { ...(await this.#suggest(call, sight.error)), changed: false }, 'refused');
    if (sight.kind === 'seen') call.request = call.tool.request(call.args, sight.record);
    const write = writeOf(call, sight, this.#parts.config);
    let before: ReadAnswer | null = null;
    const send: Send = async () => {
      before = await this.#readAround(call, sight);
      return this.#door.send(call, undefined, write.known);
    };
    const outcome = await carryOut(this.#policy, write, send, () => lookAfter(this.#looks, call));
    // On record as the service said it; the ids are for the next call.
    const suggested =
      outcome.kind === 'failed' ? { ...outcome, error: await this.#suggest(call, outcome.error) } : outcome;
    const beside = suggested.kind === 'done' ? await this.#besideWrite(call, sight, before) : undefined;
    return presentWrite(this.#parts.config, call, write, suggested, beside);
  }

  /**
   * What is read right before and right after a write, to tell its effect. The write waits for it no longer than for a
   * suggestion, goes on without it, and is never repeated for it.
   */
  async #readAround(call: ChangingCall, sight: Exclude<Sight, { kind: 'refused' }>): Promise<ReadAnswer | null> {
    const { around: read } = call.tool.change;
    if (read === undefined || sight.kind !== 'seen') return null;
    // Half of the time is left for the write itself.
    const mostMs = Math.min(this.#parts.durations.searchMs, timeFor(Number.POSITIVE_INFINITY, call) / 2);
    const reading = this.#readingFor(call, mostMs);
    // A fault of these reads must not become one of the write.
    return reading(async api => (await read(call.args, sight.record, api)) ?? null).catch(() => null);
  }

  /** Both answers; undefined where there was nothing to read before the write. */
  async #besideWrite(call: ChangingCall, sight: Exclude<Sight, { kind: 'refused' }>, before: ReadAnswer | null) {
    if (before === null) return undefined;
    return { aroundBefore: before, aroundAfter: before.ok ? await this.#readAround(call, sight) : before };
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
    this.#policy.endWaits();
  }

  async close(): Promise<void> {
    // Even writes that were cancelled still have to record their outcome.
    const ended = Promise.allSettled(this.#writesUnderWay);
    await Promise.race([ended, setTimeout(endingWritesMs, undefined, { ref: false })]);
    await this.#policy.close();
  }
}

/**
 * A write whose record was looked at: nothing before `sendOnRecord` changes the account, and that sends once, and nothing else.
 * Throws PathValueError, before anything happened, for an id that cannot be part of a path.
 */
export async function carryOut(policy: WritePolicy, write: WriteCall, send: Send, look?: Look): Promise<WriteOutcome> {
  const plan = policy.plan(write);
  // A person may decline whatever the record shows now, so the record is not read; the question cannot be answered again.
  if (policy.saysNo(write)) return policy.takeNo(write);
  const ending =
    (await policy.refuseValues(write)) ??
    policy.endIdle(write) ??
    (await policy.limitAmounts(write)) ??
    (await policy.limitQuestion(write, plan)) ??
    policy.endDryRun(write, plan) ??
    (await policy.checkBudget(write));
  if (ending !== null) {
    await policy.giveUp(write, ending);
    return ending;
  }
  const decision = await policy.ask(write, plan);
  if (decision.kind !== 'confirmed') return decision;
  const outcome = (await policy.takeBudget(write)) ?? (await policy.sendOnRecord(write, plan, decision, send, look));
  await policy.noteEnd(write, decision, outcome);
  return outcome;
}
