/**
 * The steps of one call, from its arguments to its result, in their order. Each step is a function with a type of its own,
 * in a module of its own; `dispatch.ts` has asked before whether the caller may use the tool.
 *
 *     every call  check the arguments → find the account
 *     a read      run → present
 *     a file      make the reads of its list → sign the link to it → present (`exports/`)
 *     a write     wait for its page → look at its record → carry out → suggest what was meant → present (`change/`)
 *     a set       its lines as calls → each change what a write does, with one question for all
 *
 * The steps of a write are in `change/steps/carry-out.ts`.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { readForChatPage } from '../../tools/chat-pages/chat-page-reads.ts';
import { loadTool, rehearsedRead } from '../../tools/load.ts';
import type { Body } from '../contract/answers.ts';
import { type Api, longWalkPages, type ReadAnswer } from '../definition/api.ts';
import type { ClientAbilities } from '../definition/asking.ts';
import type { Access, Rights } from '../definition/caller.ts';
import { checkArguments } from '../definition/check.ts';
import { type AnyTool, changesAccount, isLookup } from '../definition/define.ts';
import { type OwnError, refusalText, refuse, wordsOf } from '../definition/failure.ts';
import type { WriteCall } from '../definition/write-call.ts';
import { watched } from '../server/logs/observers.ts';
import { presentRecord } from '../words/present-record.ts';
import { createDoor, type Door, mostReads } from './api/api.ts';
import { compileEndpoint } from './api/http/request.ts';
import { withIdSuggestion, withSvcId } from './api/meant.ts';
import {
  beginCall,
  beginReading,
  type Call,
  type CallContext,
  type ChangingCall,
  done,
  failed,
  isChanging,
  type Outcome,
  type PipelineParts,
  type Received,
  refused,
  showsPage,
  targetOf,
  unchecked,
  withOnPage,
} from './call/call.ts';
import { noteOnPage, type Pages, pagesOf } from './change/ask/agreements.ts';
import { type ApprovalWaits, createApprovalWaits } from './change/ask/approval-wait.ts';
import { afterEdits, withEdits } from './change/ask/edits.ts';
import { awaitedOnPage, cameBack, signedEdits } from './change/ask/signed-state.ts';
import { writePartsOf } from './change/parts.ts';
import type { Line } from './change/set.ts';
import { linesOf } from './change/steps/lines.ts';
import { runLines, type WriteNeeds } from './change/write.ts';
import { Exports, type LinkedFile } from './exports/exports.ts';

/** How long hosts wait for an answer if progress does not extend it. */
const hostLimitMs = 60_000;
/** How long closing waits for writes that are under way. */
const endingWritesMs = 2000;

type AccessOfCaller = (caller: Rights) => Access;

export class Operations {
  /** The questions on pages of this server. */
  readonly pages: Pages;
  readonly #parts: PipelineParts;
  readonly #accessOf: AccessOfCaller;
  readonly #door: Door;
  readonly #exports: Exports;
  /** By name, each since its first call. */
  readonly #tools = new Map<string, AnyTool>();
  readonly #writing: WriteNeeds;
  /** Calls whose question is open on its page. */
  readonly #waits: ApprovalWaits;
  /** The longest that a call waits for the decision on a page that its first answer linked to. */
  readonly #linkHoldMs: number;
  /** Closing waits for these. */
  readonly #writesUnderWay = new Set<Promise<Outcome>>();

  constructor(parts: PipelineParts, accessOf: AccessOfCaller) {
    const { config, durations } = parts;
    const { progressMs, lookMs } = durations;
    this.#parts = parts;
    this.#accessOf = accessOf;
    this.#door = createDoor(config, durations);
    this.#exports = new Exports({ ...parts, accessOf, door: this.#door });
    const writes = writePartsOf(parts);
    this.pages = pagesOf(writes);
    this.#linkHoldMs = Math.max(0, Math.min(durations.linkHoldMs, hostLimitMs - lookMs - config.timeoutMs));
    this.#waits = createApprovalWaits(this.pages, writes, { progressMs, linkHoldMs: this.#linkHoldMs });
    this.#writing = {
      parts: writes,
      door: this.#door,
      lookMs,
      searchMs: durations.searchMs,
    };
  }

  /** Runs a tool of the catalogue. Rejects only because of a bug in this program. */
  async run(name: string, received: Received): Promise<Outcome> {
    const tool = this.#tools.get(name) ?? (await this.#load(name));
    const checked = checkArguments(tool, received.sentArguments);
    if (!checked.ok)
      return this.#refuse(
        tool,
        received,
        refuse('invalid_arguments', { case: 'arguments', tool: name, problems: checked.problems }),
      );
    const { args, control } = checked;
    const request = tool.change?.request(args) ?? {};
    const target = changesAccount(tool.effect) ? targetOf(tool, request) : '';
    if (typeof target !== 'string') return refused(tool, target);
    const account = this.#parts.account.current() ?? (await this.#parts.account.ready());
    if ('code' in account) {
      const error = wordsOf(account);
      return refused(tool, { ...error, message: `${tool.name}: ${error.message}` });
    }
    const call = beginCall(this.#parts, tool, account, received, { args, control, request, target });
    if (control.format !== undefined) return this.#export(call);
    if (tool.run) {
      const api = this.#door.of(call, { signal: call.context.signal, counted: true });
      return this.#read(call, await tool.run(args, api));
    }
    if (isChanging(call)) return this.#write(call, [{ at: 0, call }]);
    const lines = await linesOf({ parts: this.#parts, account }, call);
    return Array.isArray(lines) ? this.#write(call, lines) : refused(tool, lines);
  }

  async #read(call: Call, answer: ReadAnswer): Promise<Outcome> {
    if (!answer.ok) {
      // Lookups search by themselves.
      return failed(
        call,
        isLookup(call.tool) ? answer.error : await withIdSuggestion(this.#door, call, answer.error),
        'error',
      );
    }
    const { body, notice, beside } = answer;
    const { tool, args, odd, control } = call;
    const { config } = this.#parts;
    const { detail } = control;
    const page = showsPage(call);
    // The bodies were cleaned when they were read.
    const shown = presentRecord(tool, body, { args, odd, detail, page, config, plain: true, notice, beside });
    if (shown.page === undefined) return done(call, shown, 'ok');
    const fields = {};
    const draw = (api: Api) => readForChatPage(tool.name, body, { args, api, fields });
    await this.#door.beside(call, draw, this.#parts.durations.chatPageReadsMs);
    return done(call, withOnPage(shown, fields), 'ok');
  }

  async #export(call: Call): Promise<Outcome> {
    const answer = await this.#exports.answer(call);
    return 'error' in answer
      ? failed(call, await withIdSuggestion(this.#door, call, answer.error), 'error')
      : done(call, answer, 'ok');
  }

  /**
   * What resources and completion read with, in the place of a tool: under its rules, each read logged, counted, limited and
   * traced like a call of it. Or why this caller may not read.
   */
  async apiAs(tool: string, context: CallContext): Promise<Api | { problem: string }> {
    const { caller, rpcId, meta, signal } = context;
    const access = this.#accessOf(caller);
    const { unbound } = access;
    if (unbound !== undefined)
      return { problem: refusalText(refuse('binding_needed', { what: 'The account', unbound })) };
    if (access.allows(tool) !== true) return { problem: `${tool} and its data are not available to this caller.` };
    const requestId = context.requestId ?? randomUUID();
    const received = { sentArguments: {}, context, requestId, access };
    const call = await beginReading(this.#parts, tool, received);
    if ('code' in call) return { problem: refusalText(wordsOf(call)) };
    const { observer, config } = this.#parts;
    const each = (read: () => Promise<ReadAnswer<Body>>) => {
      const attemptsBefore = call.attempts;
      // Each has the time of a call.
      call.deadline = performance.now() + config.timeoutMs;
      return watched(observer, { tool, caller: caller.id, requestId, rpcId, meta }, read, answer => ({
        ...(answer.ok ? { outcome: 'ok', code: null } : { outcome: 'error', code: answer.error.code }),
        attempts: call.attempts - attemptsBefore,
      }));
    };
    return this.#door.of(call, { signal, counted: true, keeps: true, most: longWalkPages + mostReads, each });
  }

  /** The file that such an address gives to the caller; or why it gives none. */
  readFile(uri: string, context: CallContext): Promise<LinkedFile | { problem: string }> {
    return this.#exports.linked(uri, context);
  }

  async #write(call: Call, lines: readonly Line[]): Promise<Outcome> {
    const { client } = call.context;
    const start = performance.now();
    // Before the records are read, because they may change meanwhile.
    const awaited = call.control.dry_run ? undefined : awaitedOnPage(call, this.#writing.parts);
    if (awaited) await this.#waits.untilDecided(awaited, client.holdMs, call.context);
    const write = runWrite(this.#writing, call, lines);
    this.#writesUnderWay.add(write);
    const outcome = await write.finally(() => this.#writesUnderWay.delete(write));
    if (outcome.corrected === undefined || !isChanging(call)) return outcome;
    // The user's page shows the new values by itself: the call waits on, and no other page is opened.
    const mostMs = outcome.kind === 'ask' ? client.holdMs : Math.min(client.holdMs, this.#linkHoldMs);
    const answered: Partial<ClientAbilities> =
      outcome.kind === 'ask' ? { reply: { action: 'accept' }, state: outcome.state } : {};
    const holdMs = Math.max(0, mostMs - (performance.now() - start));
    const waiting = {
      ...call,
      context: { ...call.context, client: { ...client, holdMs, ...answered } },
      control: { ...call.control, ...(outcome.kind === 'result' && { confirmation: outcome.corrected }) },
    };
    return this.#write(waiting, [{ at: 0, call: waiting }]);
  }

  /** Refuses arguments, where an account is known with the id of the record that was meant. */
  async #refuse(tool: AnyTool, received: Received, error: OwnError): Promise<Outcome> {
    const account = this.#parts.account.current();
    if (account === undefined || 'code' in account) return refused(tool, error);
    const call = beginCall(this.#parts, tool, account, received, unchecked);
    return refused(tool, await withSvcId(this.#door, call, error));
  }

  async #load(name: string): Promise<AnyTool> {
    const tool = await loadTool(name);
    this.#tools.set(name, tool);
    return tool;
  }

  /** Runs a made-up read without sending it, so that the code is compiled before the first call. */
  async rehearse(): Promise<void> {
    const tool = await this.#load(rehearsedRead.tool);
    const checked = checkArguments(tool, rehearsedRead.args);
    if (!checked.ok) throw new Error(`${tool.name} refused made-up arguments`);
    compileEndpoint(tool.endpoint).target({ path: rehearsedRead.args });
    const { config } = this.#parts;
    presentRecord(tool, rehearsedRead.body, { args: checked.args, config });
  }

  /** Ends the wait of calls whose question is open on a page. */
  endWaits(): void {
    this.#waits.end();
  }

  async close(): Promise<void> {
    // Even writes that were cancelled still have to record their outcome.
    const ended = Promise.allSettled(this.#writesUnderWay);
    await Promise.race([ended, setTimeout(endingWritesMs, undefined, { ref: false })]);
    await this.#writing.parts.close();
  }
}

/** `lines`: the changes of the call; of a write by itself the call is its one change. */
async function runWrite(needs: WriteNeeds, call: Call, lines: readonly Line[]): Promise<Outcome> {
  if (!isChanging(call)) return ended(await runLines(needs, call, lines));
  // The client repeats the arguments that it sent first.
  const { context, control } = call;
  const earlier = signedEdits(cameBack(call, needs.parts));
  const outcome =
    earlier.length === 0 ? await runLines(needs, call, lines) : await runEdited(needs, call, { edits: earlier });
  if (outcome.kind !== 'edited') return outcome;
  // The prompt was answered; the next one has no answer yet.
  const client = { ...context.client, reply: undefined, state: undefined };
  const unanswered = { context: { ...context, client }, control: { ...control, confirmation: undefined } };
  const edits = afterEdits(earlier, outcome.edits);
  const { prompt } = outcome;
  const again = ended(await runEdited(needs, { ...call, ...unanswered }, { edits, prompt }));
  // Where the new values cannot be, the page says that nothing was changed.
  if (again.kind === 'result' && again.record.outcome !== 'needs_token')
    await noteOnPage(needs.parts, prompt, 'refused');
  return again;
}

type Edited = NonNullable<WriteCall['edited']>;

async function runEdited(needs: WriteNeeds, call: ChangingCall, edited: Edited): ReturnType<typeof runLines> {
  const changed = withEdits(call, edited.edits);
  if ('code' in changed) return failed(call, changed, 'refused');
  const again = { ...changed, edited };
  return runLines(needs, again, [{ at: 0, call: again }]);
}

/** Only the answer to a prompt can change values. */
function ended(outcome: Awaited<ReturnType<typeof runLines>>): Outcome {
  if (outcome.kind === 'edited') throw new Error('values were changed without a prompt');
  return outcome;
}
