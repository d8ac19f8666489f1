/**
 * What the writes of a process have in common: limits, the question and its stores, the audit log. `steps.ts` calls the steps
 * that are made here.
 */

import { accountTime } from '../../server/settings/clock.ts';
import { usualDurations } from '../../server/settings/durations.ts';
import type { AskRoute, Heard } from '../../tool/asking.ts';
import type { OwnError } from '../../tool/failure.ts';
import type { WriteCall, WriteOutcome } from '../../tool/write-call.ts';
import { type ApprovalWait, createApprovalWaits } from './approval-wait.ts';
import { type AuditLog, openAuditLog } from './audit-log.ts';
import { createRecorder, type WriteRecorder } from './audit-recorder.ts';
import { type BeforeAsking, createBeforeAsking } from './before-asking.ts';
import { daysInAuditLog } from './day-in-audit-log.ts';
import { createDayLimit } from './day-limit.ts';
import { type Plan, planOf, questionText, type Spoken, steadyText } from './plan.ts';
import { type Confirmed, type ConfirmMode, type QuestionOptions, Questions, questionShown } from './question.ts';
import { earlierFields } from './receipt.ts';
import { createSendOnRecord, type SendOnRecord } from './send-on-record.ts';
import { bindingOf, digestsOf, signedIn } from './signed-state.ts';
import type { Question } from './ways-of-asking.ts';
import { type Approvals, lazyStores, memoryStores, type WriteStores } from './write-stores.ts';

/** The settings of the same names; a `Config` is one. */
export interface WriteSettings {
  confirm: ConfirmMode;
  ask: readonly AskRoute[];
  maxWritesPerMinute: number;
  auditLog?: string | undefined;
  auditKey?: string | undefined;
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
  /** The digest of the settings in force, for the audit log. */
  settingsDigest?: string;
}

/** The steps of a write between the look at its record and the words of its answer; `steps.ts` has their order. */
export interface WritePolicy extends BeforeAsking, SendOnRecord {
  /** Waits while this call's question is open on its page. At once for every other call; never rejects. */
  untilDecided(client: WriteCall['client'], wait: Omit<ApprovalWait, 'forMs'>): Promise<void>;
  /** Is this the answer of somebody who does not want the write? It is taken without a look at the record. */
  saysNo(call: Pick<WriteCall, 'client' | 'decided'>): boolean;
  /** The write as it would be sent, with its question. Throws PathValueError for an id that cannot be part of a path. */
  plan(call: WriteCall): Plan;
  /** Puts a no on record. */
  takeNo(call: WriteCall): Promise<WriteOutcome>;
  /** The write ended before its answer counted: an approval on a page is used up, so that the page says so. */
  giveUp(call: WriteCall, ending: WriteOutcome): Promise<void>;
  /** Asks; or judges the answer that came back. What is refused or declined stands on the audit log. */
  ask(call: WriteCall, plan: Plan): Promise<Confirmed | WriteOutcome>;
  /** The same of a set, whose changes have these facts, by name: what changed since falls out. */
  askSet(set: WriteCall, question: Spoken, facts: object): Promise<Confirmed | WriteOutcome>;
  /** Does an answer bring something that was asked before? */
  isAnswering(call: WriteCall): boolean;
  /** The digest of the question that the call answers; null where it answers none. */
  shownTo(call: WriteCall): string | null;
  /** What the person decides about, as it is now. */
  facts(call: WriteCall): object;
  /** Did the question that was agreed to show these facts under this name? True where nobody was asked. */
  wasShown(confirmed: Confirmed, name: string, facts: object): boolean;
  /** Puts on record that a change which was agreed to was not sent, and why. */
  noteUnsent(call: WriteCall, error: OwnError): Promise<void>;
  /** Ends every wait, also later ones: the server stops. */
  endWaits(): void;
  /** The questions on pages. */
  readonly pages: Pages;
  /** Closes Redis if a write used it. */
  close(): Promise<void>;
}

/** What the pages of questions show and take. */
export type Pages = Pick<Approvals, 'look' | 'decide' | 'close'>;

/** Opens nothing: the first write opens log and Redis. */
export function createWritePolicy(settings: WriteSettings, deps: WriteDeps): WritePolicy {
  const shared = deps.stores === undefined && settings.redisUrl ? sharedStores(settings.redisUrl) : null;
  const stores = deps.stores ?? shared ?? memoryStores();
  const audit = deps.audit === undefined ? openAuditLog(settings.auditLog, settings.auditKey) : deps.audit;
  const secretsOf = (call: WriteCall) => [deps.accountOf(call).apiKey, call.caller.apiKey];
  const shownTo = (call: WriteCall) => (call.shown === undefined ? questionShown(call, deps.stateKey) : call.shown);
  const recorder = createRecorder(audit, {
    secretsOf,
    shownTo,
    settings: deps.settingsDigest ?? '',
    pinned: settings.now === undefined ? undefined : accountTime(settings),
  });
  const inFile = shared === null && deps.stores === undefined ? fileOf(settings) : undefined;
  const days = inFile === undefined ? stores.days : daysInAuditLog(inFile);
  const dayLimit = createDayLimit(days, call => recorder.namesOf(call).caller);
  const options = questionOptions(settings, deps, stores, recorder);
  const questions = new Questions(options);
  const pages = pagesOf(stores, questions);
  const waits = createApprovalWaits(pages, deps.progressMs ?? usualDurations.progressMs);
  const { agreements } = stores;
  const ask = async (call: WriteCall, spoken: Spoken, shown: Pick<Question, 'facts' | 'partly'>) => {
    const { question, warnings } = spoken;
    const decision = await questions.decide(call, { ...shown, question, warnings, message: questionText(spoken) });
    if (decision.kind === 'refused' || decision.kind === 'declined') await recorder.refused(call, decision.error);
    return decision.kind === 'needs_token' ? { ...decision, question, warnings } : decision;
  };
  return {
    ...createBeforeAsking({
      isAsked: call => questions.isAsked(call),
      maxWritesPerMinute: settings.maxWritesPerMinute,
      window: stores.window,
      dayLimit,
      recorder,
    }),
    ...createSendOnRecord({
      recorder,
      agreements,
      questions,
      dayLimit,
      bindingOf: options.bindingOf,
      secretsOf,
      clock: settings,
    }),
    async untilDecided({ reply, state, holdMs }, wait) {
      if (reply?.action !== 'accept') return;
      const signed = signedIn(state, deps.stateKey);
      const left = signed?.u === 'url' ? signed.e - Date.now() : 0;
      if (left > 0) await waits.untilDecided(signed.i, { ...wait, forMs: Math.min(holdMs, left + 1) });
    },
    saysNo: call => questions.saysNo(call),
    plan: call => planOf(call, deps.accountOf(call).baseUrl, deps.outgoing),
    async takeNo(call) {
      const decision = await questions.decide(call, { message: '', question: '', warnings: [], facts: {} });
      if (decision.kind !== 'declined' && decision.kind !== 'refused')
        throw new Error('a no was taken for something else');
      await recorder.refused(call, decision.error);
      return decision;
    },
    async giveUp(call, { kind }) {
      if (kind !== 'dry_run') await questions.giveUp(call);
      if (kind === 'idle') await agreements.drop(options.bindingOf(call)).catch(() => {});
    },
    ask: (call, plan) => ask(call, plan, { facts: factsOf(call) }),
    askSet: (set, question, facts) => ask(set, question, { facts, partly: true }),
    isAnswering: call => questions.isAnswering(call),
    shownTo,
    facts: factsOf,
    wasShown: ({ shown }, name, facts) =>
      shown === undefined || shown[name] === digestsOf({ [name]: facts }, options)[name],
    noteUnsent: (call, error) => recorder.refused(call, error),
    endWaits: () => waits.end(),
    pages,
    close: async () => shared?.close(),
  };
}

function questionOptions(
  settings: WriteSettings,
  { stateKey, accountOf, heard }: WriteDeps,
  stores: WriteStores,
  recorder: WriteRecorder,
): QuestionOptions {
  if (stateKey.byteLength < 32) throw new RangeError('The key that signs questions needs at least 32 bytes.');
  const signing = {
    key: stateKey,
    accountOf: (call: WriteCall) => {
      const { baseUrl, apiKey, name } = accountOf(call);
      return name ?? JSON.stringify([baseUrl, apiKey]);
    },
  };
  return {
    ...signing,
    ...stores,
    recorder,
    heard,
    mode: settings.confirm,
    routes: settings.ask,
    accountNameOf: call => accountName(accountOf(call)),
    bindingOf: call => bindingOf(call, signing),
  };
}

/** An approval counts from here on: on record, and remembered until a call carries it out. */
function pagesOf({ approvals }: WriteStores, questions: Questions): Pages {
  return {
    look: id => approvals.look(id),
    close: id => approvals.close(id),
    async decide(id, decision) {
      const standing = await approvals.look(id);
      const first = await approvals.decide(id, decision);
      if (first === 'approve' && standing !== undefined && standing.decision === undefined)
        await questions.keepApproval(id, standing.approval);
      return first;
    },
  };
}

/** The file of the audit log, which survives this process. */
function fileOf({ auditLog }: WriteSettings): string | undefined {
  return auditLog === 'stderr' ? undefined : auditLog;
}

/** The account as the person may know it. */
function accountName({ baseUrl, name }: ReturnType<WriteDeps['accountOf']>): string {
  if (name !== undefined) return `the ${name} account`;
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

/** What the person decides about, as it is now: compared again before the write is sent. */
function factsOf(call: WriteCall): object {
  if (call.sight !== 'seen' || call.known === null) return {};
  return { ...earlierFields(call.tool, call.request, call.known), question: steadyText(call) };
}

/** Redis is loaded and connected by the first write that needs it. */
function sharedStores(url: string): WriteStores & { close(): Promise<void> } {
  let loaded: Promise<typeof import('./redis.ts')> | undefined;
  const stores = lazyStores(async () => {
    loaded ??= import('./redis.ts');
    return (await loaded).redisStores(url);
  });
  return { ...stores, close: async () => (await loaded)?.closeRedis() };
}
