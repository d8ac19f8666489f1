/**
 * Several changes with one question. Every change passes through the steps of a write:
 *
 *     read the lines → look at all → ask once → of each, in order: look again → count → send on record
 *
 * What is so already falls out, and so does what has changed since the person was asked.
 */
import type { ChangeMade } from '../../tool/change-set.ts';
import type { WriteTool } from '../../tool/define.ts';
import type { OwnError, ToolError } from '../../tool/failure.ts';
import type { WriteCall } from '../../tool/write-call.ts';
import { listed } from '../../words/summary.ts';
import type { Door } from '../api/api.ts';
import { writeOf } from '../begin-call.ts';
import type { Call, Outcome, PipelineParts } from '../context.ts';
import { lookAfter } from '../look-at-record.ts';
import { failed, refused } from '../outcome.ts';
import type { Confirmed } from '../policy/question.ts';
import { targetText } from '../policy/receipt.ts';
import { canonicalJson } from '../policy/signed-state.ts';
import type { WritePolicy } from '../policy/write.ts';
import { presentWrite } from '../present-write.ts';
import type { Account } from '../upstream/account-source.ts';
import { presentDryRunOf, presentSet } from './answer.ts';
import { type Line, type LineNeeds, linesOf, placeOf } from './lines.ts';
import { type Looked, lookAt, lookAtAll, type SetLookNeeds } from './looks.ts';
import type { Made } from './made.ts';
import { beyondReadingOf, type Proposed, questionOf } from './question.ts';
import { cancelledError, changedError, stoppedError, unseenError } from './unsent.ts';

export interface SetNeeds extends Omit<LineNeeds, 'account' | 'parts'>, SetLookNeeds {
  parts: PipelineParts;
  policy: WritePolicy;
  door: Door;
  /** Adds the ids that may have been meant to the error of a record that was not found. */
  suggest(call: Call, error: ToolError): Promise<ToolError>;
}

export async function changeSeveral(needs: SetNeeds, call: Call, account: Account): Promise<Outcome> {
  const { policy, parts } = needs;
  const lines = await linesOf({ ...needs, account }, call);
  if (!Array.isArray(lines)) return refused(call.tool, lines);
  const { client, signal, progress } = call.context;
  await policy.untilDecided(client, { signal, progress });
  const set = setOf(call, lines, parts.config);
  if (policy.saysNo(set)) return presentWrite(parts.config, call, set, await policy.takeNo(set));
  return new ChangeSet(needs, call, set).run(lines);
}

/** The set as the question knows it: bound to its changes as they are understood, however they were written. */
function setOf(call: Call, lines: readonly Line[], config: PipelineParts['config']): WriteCall {
  const changes = lines.map(line => ({ tool: line.call.tool.name, arguments: line.call.args }));
  const args = { changes, on_failure: call.args.on_failure ?? 'stop' };
  // A set is asked about like a write, and sends nothing itself.
  const tool = call.tool as WriteTool;
  return writeOf({ ...call, tool, args, request: { body: { changes } } }, { kind: 'off' }, config);
}

class ChangeSet {
  readonly #needs: SetNeeds;
  readonly #call: Call;
  readonly #set: WriteCall;
  readonly #goesOn: boolean;

  constructor(needs: SetNeeds, call: Call, set: WriteCall) {
    this.#needs = { ...needs, shown: needs.policy.shownTo(set) };
    this.#call = call;
    this.#set = set;
    this.#goesOn = set.args.on_failure === 'continue';
  }

  async run(lines: readonly Line[]): Promise<Outcome> {
    const { policy, parts } = this.#needs;
    const looked = await lookAtAll(this.#needs, lines);
    this.#call.attempts = lines.reduce((sum, line) => sum + line.call.attempts, 0);
    const answering = policy.isAnswering(this.#set);
    const [wrong, ...others] = answering ? [] : looked.filter(({ seen }) => seen.kind === 'refused');
    if (wrong?.seen.kind === 'refused') return this.#refuse(wrong, wrong.seen.error, others);
    const proposed = looked.flatMap(({ at, seen }) => (seen.kind === 'ready' ? [{ at, ...seen }] : []));
    const idle = looked.filter(({ seen }) => seen.kind === 'idle').map(({ at }) => at);
    if (proposed.length === 0 && !answering) return presentSet(parts.config, this.#call, looked.map(fallen));
    const textOf = (part: readonly Proposed[]) => questionOf(part, idle, this.#goesOn);
    const writes = proposed.map(({ write }) => write);
    const ending =
      (await policy.limitSum(this.#set, writes)) ??
      (await policy.limitSet(this.#set, () => beyondReadingOf(this.#call.tool.name, proposed, textOf))) ??
      (this.#set.dryRun ? null : await policy.checkBudget(this.#set, writes));
    if (ending !== null) {
      await policy.giveUp(this.#set, ending);
      return presentWrite(parts.config, this.#call, this.#set, ending);
    }
    const spoken = { question: textOf(proposed), warnings: [] };
    if (this.#set.dryRun) return presentDryRunOf(parts.config, this.#call, spoken.question, proposed);
    const facts = Object.fromEntries(proposed.map(({ at, write }) => [nameOf({ at }), policy.facts(write)]));
    const decision = await policy.askSet(this.#set, spoken, facts);
    if (decision.kind !== 'confirmed') return presentWrite(parts.config, this.#call, this.#set, decision);
    return this.#carryOut(looked, decision);
  }

  /** Nobody is asked about a set of which a part cannot be made. */
  async #refuse({ at, call }: Looked, error: ToolError, others: readonly Looked[]): Promise<Outcome> {
    const suggested = await this.#needs.suggest(call, error);
    const also = listed(
      others.map(each => placeOf(each.at)),
      30,
    );
    const said = also === null ? suggested.message : `${suggested.message.replace(/[.!?]$/, '')}; refused too: ${also}`;
    const message = `${this.#call.tool.name}: ${placeOf(at)}: ${said}`;
    return failed(this.#call, { ...suggested, message, changed: false }, 'refused');
  }

  async #carryOut(looked: readonly Looked[], confirmed: Confirmed): Promise<Outcome> {
    const { policy, parts } = this.#needs;
    const vain = await policy.takeUp(this.#set, confirmed);
    if (vain !== null) return presentWrite(parts.config, this.#call, this.#set, vain);
    const all: Made[] = [];
    for (const each of looked) {
      this.#call.context.progress?.(`Change ${each.at + 1} of ${looked.length}`);
      all.push(await this.#next(each, confirmed, all));
    }
    this.#call.attempts = looked.reduce((sum, { call }) => sum + call.attempts, 0);
    await policy.noteEnd(this.#set, confirmed, endOf(all));
    return presentSet(parts.config, this.#call, all, confirmed);
  }

  async #next(looked: Looked, confirmed: Confirmed, earlier: readonly Made[]): Promise<Made> {
    const { seen } = looked;
    if (seen.kind === 'idle') return fallen(looked);
    if (seen.kind === 'refused') return { ...unsent(looked, seen.error), failed: true };
    const error = this.#objection(looked, seen.write, confirmed, earlier);
    if (error !== null) return this.#putAside(looked, seen.write, error);
    const now = await this.#again(looked, seen.write);
    if (now.seen.kind === 'idle') return fallen(now);
    if (now.seen.kind === 'refused') {
      const { error } = now.seen;
      return { ...unsent(now, error), ...(error !== changedError && { failed: true }) };
    }
    return this.#send(now, now.seen, confirmed);
  }

  /** Why a change that was agreed to is not sent; null where it may be. */
  #objection(looked: Looked, write: WriteCall, confirmed: Confirmed, earlier: readonly Made[]): OwnError | null {
    const { policy } = this.#needs;
    const failure = this.#goesOn ? undefined : earlier.find(({ failed }) => failed);
    if (failure !== undefined) return stoppedError(failure.made.number);
    if (this.#set.signal?.aborted) return cancelledError;
    return policy.wasShown(confirmed, nameOf(looked), policy.facts(write)) ? null : changedError;
  }

  /** The record is compared with what was approved: as it was read, with what the earlier changes of this set give it. */
  async #again(looked: Looked, before: WriteCall): Promise<Looked> {
    const { policy } = this.#needs;
    const seen = await lookAt(this.#needs, looked.call);
    if (seen.kind !== 'ready') return { ...looked, seen };
    const [was, is] = [before, seen.write].map(write => canonicalJson(policy.facts(write)));
    if (was === is) return { ...looked, seen };
    const error = before.sight === 'seen' && seen.write.sight === 'unseen' ? unseenError : changedError;
    await policy.noteUnsent(seen.write, error);
    return { ...looked, seen: { kind: 'refused', error } };
  }

  async #putAside(looked: Looked, write: WriteCall, error: OwnError): Promise<Made> {
    await this.#needs.policy.noteUnsent(write, error);
    return unsent(looked, error);
  }

  async #send(line: Line, { write, plan }: Ready, { by, answered }: Confirmed): Promise<Made> {
    const { policy, looks, door } = this.#needs;
    const record = answered && `${answered.id}.${line.at + 1}`;
    const outcome =
      (await policy.takeBudget(write)) ??
      (await policy.sendOnRecord(
        write,
        plan,
        { kind: 'confirmed', by, ...(record && { record }) },
        () => door.send(line.call, undefined, write.known),
        () => lookAfter(looks, line.call),
      ));
    if (outcome.kind === 'done') {
      const { receipt } = outcome;
      const { not_applied, not_shown } = receipt;
      const made = rowOf(line, 'done', {
        ...(receipt.found !== undefined && { why: receipt.found }),
        ...(not_applied.length > 0 && { not_applied }),
        ...(not_shown.length > 0 && { not_shown }),
      });
      return { line, made, receipt, tried: true };
    }
    if (!('error' in outcome)) throw new Error(`a change of a set ended as ${outcome.kind}`);
    const { error } = outcome;
    const made = rowOf(line, error.changed === 'unknown' ? 'unknown' : 'not_done', reasonOf(error, true));
    return { line, made, tried: outcome.kind === 'failed', failed: true, error };
  }
}

type Ready = Extract<Looked['seen'], { kind: 'ready' }>;

/** The name of a change among the facts of the question. */
const nameOf = ({ at }: { at: number }): string => `change ${at + 1}`;

function rowOf({ at, call }: Line, outcome: ChangeMade['outcome'], more: Partial<ChangeMade> = {}): ChangeMade {
  return { number: at + 1, tool: call.tool.name, target: targetText(call.tool, call.request), outcome, ...more };
}

function reasonOf({ message, hint, code }: ToolError, hinted = false): Pick<ChangeMade, 'why' | 'code'> {
  return { why: hinted ? `${message.replace(/([^.!?])$/, '$1.')} ${hint}` : message, code };
}

/** It is so already. */
function fallen(looked: Looked): Made {
  const why = looked.seen.kind === 'idle' ? looked.seen.why : undefined;
  return { line: looked, made: rowOf(looked, 'idle', why === undefined ? {} : { why }) };
}

function unsent(line: Line, error: ToolError): Made {
  return { line, made: rowOf(line, 'not_done', reasonOf(error)), error };
}

/** For the page of the question, and for who is asked about the same again. */
function endOf(all: readonly Made[]): Parameters<WritePolicy['noteEnd']>[2] {
  const [unclear, done, left] = (['unknown', 'done', 'not_done'] as const).map(outcome =>
    all.find(({ made }) => made.outcome === outcome),
  );
  if (unclear?.error) return { kind: 'failed', error: unclear.error };
  if (left?.error === undefined) return { kind: 'idle', fields: [] };
  if (done !== undefined) return { kind: 'partly' };
  const sent = all.find(({ tried }) => tried);
  return sent?.error ? { kind: 'failed', error: sent.error } : { kind: 'refused', error: left.error as OwnError };
}
