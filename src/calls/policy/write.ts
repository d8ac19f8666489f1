/**
 * One write, from the checked call to its receipt: amount and rate limits, dry run, confirmation, audit, the request
 * itself (sent once, and no other), and its outcome. Nothing before the request changes the account.
 */

import type { JsonRecord } from '../../lib/json.ts';
import { accountTime } from '../../server/settings/clock.ts';
import { usualDurations } from '../../server/settings/durations.ts';
import type { AskRoute, Heard, Look, Send, UpstreamAnswer, WriteCall, WriteOutcome } from '../../tool/call.ts';
import { dateTimesIn } from '../../tool/date-times.ts';
import type { OwnError } from '../../tool/failure.ts';
import { redactText } from '../../words/redact.ts';
import { withoutOffset, zoneOf } from '../../words/zoned-times.ts';
import { type AmountLimits, checkAmounts, readAmountLimits } from './amounts.ts';
import { createHolds, type Holding } from './approval-wait.ts';
import { type AuditLog, openAuditLog } from './audit-log.ts';
import { type Completion, createRecorder, type WriteRecorder } from './audit-recorder.ts';
import { idleFields } from './idle-write.ts';
import { type Finding, findingOf, inWords } from './lost-answer.ts';
import { beyondReading, type Plan, planOf, questionText, steadyText } from './plan.ts';
import {
  type Answered,
  type ConfirmMode,
  type Decision,
  decide,
  giveUp,
  isAsked,
  keepAnswer,
  keepApproval,
  noteOnPage,
  type QuestionOptions,
  saysNo,
} from './question.ts';
import { confirmationError } from './question-errors.ts';
import { earlierFields, unwrap, writeReceipt } from './receipt.ts';
import { auditError, budgetError, budgetStoreError, unexpectedAnswer, valueError } from './refusals.ts';
import { revertOf } from './revert.ts';
import { bindingOf, signedIn } from './signed-state.ts';
import { type Approvals, type Carried, laterStores, memoryStores, type WriteStores } from './write-stores.ts';

/** The settings of the same names; a `Config` is one. */
export interface WriteSettings {
  confirm: ConfirmMode;
  ask: readonly AskRoute[];
  maxWritesPerMinute: number;
  maxAmount?: string | undefined;
  auditLog?: string | undefined;
  now?: string | undefined;
  redisUrl?: string | undefined;
}

export interface WriteDeps {
  /** Signs questions and tokens; 32 bytes or more, the same on every machine that shares callers and Redis. */
  stateKey: Uint8Array;
  /**
   * Address and key of this caller's requests: confirmations hold for this account only. The embedded service has
   * another address and key in each process; `name` says that they lead to the same account.
   */
  accountOf(call: WriteCall): { baseUrl: string; apiKey: string; name?: string };
  /** Their amount limits hold besides that of the setting: the smaller one decides. */
  roles?: ReadonlyMap<string, { limits: AmountLimits | null }> | undefined;
  /** The body with the field names of this installation of the API, for the dry run. */
  outgoing?(body: unknown): unknown;
  /** Used confirmations and counted writes; by default in Redis where it is configured, else in this process. */
  stores?: WriteStores;
  /** How often a client is told that its call still waits for the decision on a page. */
  progressMs?: number;
  /** Told of each answer to a question. */
  heard?: ((route: AskRoute, heard: Heard) => void) | undefined;
  /** By default opened from the setting. */
  audit?: AuditLog | null;
}

export interface WritePolicy {
  /**
   * Throws PathValueError, before anything happened, for an id that cannot be part of a path. Under an amount limit,
   * what neither the arguments nor the record as seen name counts as unknown.
   */
  carryOut(call: WriteCall, send: Send, look?: Look): Promise<WriteOutcome>;
  /** Waits while this call's question is open on its page. At once for every other call; never rejects. */
  untilDecided(client: WriteCall['client'], holding: Omit<Holding, 'forMs'>): Promise<void>;
  /** Is this the answer of somebody who does not want the write? It is taken without a look at the record. */
  saysNo(call: Pick<WriteCall, 'client' | 'decided'>): boolean;
  /** Ends every such wait, also later ones: the server stops. */
  endWaits(): void;
  /** The questions on pages. */
  readonly pages: Pages;
  /** Closes Redis if a write used it. */
  close(): Promise<void>;
}

/** What the pages of questions show and take. */
export type Pages = Pick<Approvals, 'look' | 'decide' | 'close'>;

interface Parts {
  settings: WriteSettings;
  deps: WriteDeps;
  stores: WriteStores;
  limits: AmountLimits | null;
  recorder: WriteRecorder;
  asking: QuestionOptions;
  secretsOf(call: WriteCall): string[];
}

interface Service {
  send: Send;
  look: Look | undefined;
}

/** Throws ConfigError for a limit that cannot be read. Opens nothing: the first write opens log and Redis. */
export function createWritePolicy(settings: WriteSettings, deps: WriteDeps): WritePolicy {
  const shared = deps.stores === undefined && settings.redisUrl ? sharedStores(settings.redisUrl) : null;
  const stores = deps.stores ?? shared ?? memoryStores();
  const audit = deps.audit === undefined ? openAuditLog(settings.auditLog) : deps.audit;
  const secretsOf = (call: WriteCall) => [deps.accountOf(call).apiKey, call.caller.apiKey];
  const recorder = createRecorder(audit, secretsOf, settings.now === undefined ? undefined : accountTime(settings));
  const signing = {
    key: deps.stateKey,
    accountOf: (call: WriteCall) => {
      const { baseUrl, apiKey, name } = deps.accountOf(call);
      return name ?? JSON.stringify([baseUrl, apiKey]);
    },
  };
  if (signing.key.byteLength < 32) throw new RangeError('The key that signs questions needs at least 32 bytes.');
  const parts: Parts = {
    settings,
    deps,
    stores,
    secretsOf,
    limits: settings.maxAmount === undefined ? null : readAmountLimits(settings.maxAmount),
    recorder,
    asking: {
      ...{ ...signing, ...stores, recorder, heard: deps.heard },
      ...{ mode: settings.confirm, routes: settings.ask },
      accountNameOf: call => accountName(deps.accountOf(call)),
      bindingOf: call => bindingOf(call, signing),
    },
  };
  const pages = pagesOf(parts);
  const holds = createHolds(pages, deps.progressMs ?? usualDurations.progressMs);
  return {
    carryOut: (call, send, look) => carryOut(call, { send, look }, parts),
    async untilDecided({ reply, state, holdMs }, holding) {
      if (reply?.action !== 'accept') return;
      const signed = signedIn(state, deps.stateKey);
      const left = signed?.u === 'url' ? signed.e - Date.now() : 0;
      if (left > 0) await holds.untilDecided(signed.i, { ...holding, forMs: Math.min(holdMs, left + 1) });
    },
    saysNo: call => saysNo(call, parts.asking),
    endWaits: () => holds.end(),
    pages,
    close: async () => shared?.close(),
  };
}

/** An approval counts from here on: on record, and remembered until a call carries it out. */
function pagesOf({ stores: { approvals }, asking }: Parts): Pages {
  return {
    look: id => approvals.look(id),
    close: id => approvals.close(id),
    async decide(id, decision) {
      const standing = await approvals.look(id);
      const first = await approvals.decide(id, decision);
      if (first === 'approve' && standing !== undefined && standing.decision === undefined)
        await keepApproval(id, standing.approval, asking);
      return first;
    },
  };
}

/** The account as the person may know it. */
function accountName({ baseUrl, name }: ReturnType<WriteDeps['accountOf']>): string {
  if (name !== undefined) return `the ${name} account`;
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

async function carryOut(call: WriteCall, service: Service, parts: Parts): Promise<WriteOutcome> {
  const plan = planOf(call, parts.deps.accountOf(call).baseUrl, parts.deps.outgoing);
  // A person may decline whatever the record shows now, so the record is not read; the question cannot be answered again.
  if (saysNo(call, parts.asking)) return takeNo(call, parts);
  const early = await beforeAsking(call, plan, parts);
  if (early !== null) {
    if (early.kind !== 'dry_run') await giveUp(call, parts.asking);
    if (early.kind === 'idle') await parts.stores.agreements.drop(parts.asking.bindingOf(call)).catch(() => {});
    return early;
  }
  const question = { ...plan, message: questionText(plan), facts: factsOf(call) };
  const decision = await decide(call, question, parts.asking);
  if (decision.kind === 'ask') return decision;
  if (decision.kind === 'needs_token') return { ...decision, question: plan.question, warnings: plan.warnings };
  if (decision.kind === 'refused') return refuse(call, decision.error, parts);
  if (decision.kind === 'declined') {
    await parts.recorder.refused(call, decision.error);
    return decision;
  }
  const overtaken = await overBudget(call, 'take', parts);
  const outcome =
    overtaken === null
      ? await sendOnRecord(call, service, plan, decision, parts)
      : await refuse(call, overtaken, parts);
  if (decision.asked !== undefined) await settle(call, decision.asked, outcome, parts);
  return outcome;
}

/** What ends a write before anybody is asked, or before the answer counts; null: nothing does. */
async function beforeAsking(call: WriteCall, plan: Plan, parts: Parts): Promise<WriteOutcome | null> {
  const hopeless = vagueTime(call) ?? call.tool.refuses?.(call.args, seen(call), call.accountNow ?? call.now) ?? null;
  if (hopeless !== null) return refuse(call, valueError(call, hopeless), parts);
  const idle = idleFields(call);
  if (idle !== null) return { kind: 'idle', fields: idle };
  const beyond = overAmount(call, parts);
  if (beyond !== null) return refuse(call, beyond, parts);
  const tooLong = isAsked(call, parts.asking) ? beyondReading(call, plan) : null;
  if (tooLong !== null) return refuse(call, tooLong, parts);
  if (call.dryRun) return { kind: 'dry_run', plan };
  // Checked before the question, so that nobody is asked about a write that the limit would refuse.
  const full = await overBudget(call, 'wait', parts);
  return full === null ? null : refuse(call, full, parts);
}

/** What came of an agreement: for its page, and for the next question about the same. */
async function settle(call: WriteCall, asked: Answered, outcome: WriteOutcome, { asking }: Parts): Promise<void> {
  const { changed, code } = outcome.kind === 'failed' ? outcome.error : { changed: false, code: undefined };
  const unsent = outcome.kind === 'refused' || (code === 'cancelled' && changed === false);
  const end = unsent ? 'refused' : changed === 'unknown' ? 'unknown' : outcome.kind;
  await noteOnPage(asked, end as Carried, asking);
  if (unsent) await keepAnswer(asked.id, asked.route, call, asking);
}

async function takeNo(call: WriteCall, parts: Parts): Promise<WriteOutcome> {
  const decision = await decide(call, { message: '', question: '', warnings: [], facts: {} }, parts.asking);
  if (decision.kind !== 'declined' && decision.kind !== 'refused') throw new Error('a no was taken for something else');
  await parts.recorder.refused(call, decision.error);
  return decision;
}

/** The record as it was read for this call, or what else was. */
function seen({ sight, known, room = null }: WriteCall): JsonRecord | null {
  return sight === 'seen' ? known : room;
}

/** A date-time without an offset: nobody knows which instant it is. */
function vagueTime({ tool, args, known }: WriteCall): { argument: string; message: string } | null {
  for (const { argument, value } of dateTimesIn(tool, args)) {
    const message = withoutOffset(value, zoneOf(known));
    if (message !== null) return { argument, message };
  }
  return null;
}

/** What the person decides about, as it is now: compared again before the write is sent. */
function factsOf(call: WriteCall): JsonRecord {
  if (call.sight !== 'seen' || call.known === null) return {};
  return { ...earlierFields(call.tool, call.request, call.known), question: steadyText(call) };
}

/** The write itself: `begun` on record, sent once, `completed` on record. */
async function sendOnRecord(
  call: WriteCall,
  service: Service,
  plan: Plan,
  { by, asked }: Extract<Decision, { kind: 'confirmed' }>,
  parts: Parts,
): Promise<WriteOutcome> {
  if (asked !== undefined) {
    // From here on nobody is told that nothing came of the agreement.
    try {
      await parts.stores.agreements.drop(parts.asking.bindingOf(call));
    } catch {
      const reason = 'cannot be taken up, because the store of agreements does not answer';
      return { kind: 'refused', error: confirmationError(call, 'confirmation_unavailable', reason) };
    }
    await noteOnPage(asked, 'sending', parts.asking);
  }
  let complete: Completion;
  try {
    complete = await parts.recorder.begin(call, plan, by, asked?.id);
  } catch (error) {
    return { kind: 'refused', error: auditError(call, error) };
  }
  const answer = await (async () => service.send())().catch((error: unknown) =>
    unexpectedAnswer(call, redactText(error instanceof Error ? error.message : String(error), parts.secretsOf(call))),
  );
  const finding = await lookFor(call, answer, service);
  const recorded = await complete(answer, finding?.kind);
  const found = finding?.kind === 'found' ? { [call.tool.result]: finding.record } : undefined;
  if (!answer.ok && finding?.kind !== 'found') {
    const told = [finding && inWords(finding, call), answer.error.hint, !recorded && incompleteLog];
    return { kind: 'failed', error: { ...answer.error, hint: told.filter(Boolean).join(' ') } };
  }
  const body = answer.ok ? answer.body : found;
  const receipt = writeReceipt({
    ...call,
    body,
    revert: revertOf(call, unwrap(body, call.tool.result)),
    ...(!answer.ok && { found: `found by looking, after the answer was lost (${answer.error.code})` }),
    confirmedBy: by,
    // What was warned of has happened: the summary says what it is now.
    warnings: recorded ? [] : [incompleteLog],
    requestId: answer.requestId,
    at: accountTime(parts.settings),
  });
  return { kind: 'done', body, receipt, question: plan.question };
}

/** One look at the record, where nobody knows whether the write was carried out. Never rejects. */
async function lookFor(call: WriteCall, answer: UpstreamAnswer, { look }: Service): Promise<Finding | undefined> {
  if (look === undefined || answer.ok || answer.error.changed !== 'unknown') return undefined;
  // A fault of the look must not hide what the write's own answer says.
  const sight = await (async () => look())().catch(() => ({ kind: 'unseen' as const }));
  return findingOf(call, sight, new Date());
}

const incompleteLog = 'The audit log could not be completed: it shows this write as begun, without its outcome.';

/** The limit of the setting and that of the caller's role, each for itself: so the smaller one decides. */
function overAmount(call: WriteCall, { limits, deps }: Parts): OwnError | null {
  const { role = '' } = call.caller;
  const ofRole = deps.roles?.get(role)?.limits ?? null;
  const verdict = limits === null || checkAmounts(call, limits);
  if (verdict !== true) return verdict;
  const inRole = ofRole === null || checkAmounts(call, ofRole, `the role ${role}`);
  return inRole === true ? null : inRole;
}

async function overBudget(call: WriteCall, step: 'wait' | 'take', parts: Parts): Promise<OwnError | null> {
  const limit = parts.settings.maxWritesPerMinute;
  try {
    const waitMs = await parts.stores.window[step](call.caller.id, limit);
    return waitMs > 0 ? budgetError(call, limit, waitMs) : null;
  } catch {
    return budgetStoreError(call);
  }
}

async function refuse(call: WriteCall, error: OwnError, parts: Parts): Promise<WriteOutcome> {
  await parts.recorder.refused(call, error);
  return { kind: 'refused', error };
}

/** Redis is loaded and connected by the first write that needs it. */
function sharedStores(url: string): WriteStores & { close(): Promise<void> } {
  let loaded: Promise<typeof import('./redis.ts')> | undefined;
  const stores = laterStores(async () => {
    loaded ??= import('./redis.ts');
    return (await loaded).redisStores(url);
  });
  return { ...stores, close: async () => (await loaded)?.closeRedis() };
}
