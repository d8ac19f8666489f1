/**
 * Did the person agree? A question carries a signed state; a client that cannot be asked gets a signed token. Both are
 * bound to the tool, the exact arguments, the account and the caller, last ten minutes, and work once. They name the
 * store that remembers used ones: another store, or one that lost its memory, does not accept them.
 */
import { randomBytes } from 'node:crypto';
import type { Ask, ConfirmedBy, WriteCall } from '../call/types.ts';
import type { JsonRecord } from '../lib/json.ts';
import type { ErrorCode } from '../tool/error-codes.ts';
import type { OwnError } from '../tool/failure.ts';
import { credentialOf } from './bound.ts';
import { confirmationError, declinedError, restlessError, unansweredError } from './confirm-errors.ts';
import { CONFIRMATION_TTL_MS } from './lifetime.ts';
import {
  type Asking,
  changedSince,
  digestsOf,
  type Purpose,
  type Signing,
  sign,
  signedIn,
  type Usable,
  verify,
} from './signed-state.ts';
import type { Approvals, PageDecision, SpentTokens } from './write-stores.ts';

export type ConfirmMode = 'auto' | 'always' | 'never';

/** The key under which the question is asked and answered. */
export const QUESTION_KEY = 'confirm';

type Decision =
  | { kind: 'confirmed'; by: ConfirmedBy }
  | Ask
  | { kind: 'needs_token'; onPage: boolean; confirmation: string; expires_at: string; changed?: string }
  | { kind: 'declined'; error: OwnError }
  | { kind: 'refused'; error: OwnError };

interface Question {
  /** The question with its warnings, shown unchanged. */
  message: string;
  /** Its two parts, for a page. */
  question: string;
  warnings: readonly string[];
  /** What the write sets, shows or replaces, as it is now, by field; empty where the record was not seen. */
  facts: JsonRecord;
}

export interface Confirmer {
  /** Asks anew, at most twice, where the record changed between the question and its answer. */
  decide(call: WriteCall, question: Question): Promise<Decision>;
  /** The page in a state of ours that can still be answered, and until when (ms since the epoch). */
  pageIn(state: string | undefined, now: Date): { id: string; expires: number } | undefined;
}

/** A question may be asked anew so often because the record changed meanwhile. */
const mostRounds = 2;

export interface ConfirmerOptions extends Signing {
  mode: ConfirmMode;
  spent: SpentTokens;
  approvals: Approvals;
  /** The account in words, for the page. */
  accountNameOf(call: WriteCall): string;
}

export function createConfirmer(options: ConfirmerOptions): Confirmer {
  if (options.key.byteLength < 32) throw new RangeError('The key that signs confirmations needs at least 32 bytes.');
  return {
    async decide(call, question) {
      if (call.decided) return decideByToken(call, question, options);
      if (options.mode === 'never') return { kind: 'confirmed', by: 'policy' };
      if (call.client.canAsk) return decideByQuestion(call, question, options);
      if (options.mode === 'auto') return { kind: 'confirmed', by: 'host' };
      return decideByToken(call, question, options);
    },
    pageIn(state, now) {
      const signed = signedIn(state, options.key);
      return signed?.u === 'opened' && signed.e > now.getTime() ? { id: signed.i, expires: signed.e } : undefined;
    },
  };
}

async function decideByQuestion(call: WriteCall, question: Question, options: ConfirmerOptions): Promise<Decision> {
  const answer = call.client.answer(QUESTION_KEY);
  const facts = digestsOf(question.facts, options);
  const byPage = call.client.page !== undefined;
  const purpose = byPage ? 'opened' : 'question';
  const ask = async (round: number, changed?: string): Promise<Decision> => {
    const message = changed === undefined ? question.message : `${changed}\n\n${question.message}`;
    const id = newId();
    const refusal = byPage ? await openPage(id, call, question, changed, options) : null;
    if (refusal !== null) return { kind: 'refused', error: refusal };
    return issue(purpose, { call, facts, round, id }, options, state => ({
      ...{ kind: 'ask', key: QUESTION_KEY, message, state },
      ...(byPage && { page: id }),
    }));
  };
  if (answer === undefined) return ask(0);
  const verified = verify(purpose, call.client.state, call, options);
  if (answer.action === 'unanswered') {
    // Used up, because it could still be accepted otherwise; the same for a declined one below.
    if (verified.ok) await end(byPage, verified, call, options);
    return { kind: 'refused', error: unansweredError(call, question.message, answer.reason) };
  }
  const agreed = answer.action === 'accept' && !saysNo(answer.content?.confirm);
  if (!agreed) {
    if (verified.ok) await end(byPage, verified, call, options);
    return { kind: 'declined', error: declinedError(call, answer.action === 'cancel' ? 'cancelled' : 'declined') };
  }
  if (!verified.ok) return { kind: 'refused', error: verified.error };
  // By page, the client only says that the person agreed to open it.
  const undecided = byPage ? await otherThanApproved(verified, call, question, options) : null;
  if (undecided !== null) return undecided;
  const spent = await spend('person', verified, call, options);
  const changed = spent.kind === 'confirmed' ? changedSince(verified.facts, facts) : null;
  if (changed === null) return spent;
  if (verified.round >= mostRounds) return { kind: 'refused', error: restlessError(call, changed) };
  return ask(verified.round + 1, changed);
}

/** By a token that came back: as the argument `confirmation`, or through a button on the page, where it was given to that. */
async function decideByToken(call: WriteCall, question: Question, options: ConfirmerOptions): Promise<Decision> {
  const { decided } = call;
  const purpose = decided || call.client.showsPages ? 'page' : 'token';
  const facts = digestsOf(question.facts, options);
  const needed = (round: number, changed?: string): Promise<Decision> =>
    issue(purpose, { call, facts, round, id: newId() }, options, confirmation => ({
      kind: 'needs_token',
      onPage: purpose === 'page',
      confirmation,
      expires_at: new Date(call.now.getTime() + CONFIRMATION_TTL_MS).toISOString(),
      ...(changed !== undefined && { changed }),
    }));
  if (!decided && call.confirmation === undefined) return needed(0);
  const verified = decided
    ? verify('page', decided.confirmation, call, options)
    : verify('token', call.confirmation, call, options);
  if (!verified.ok) return { kind: 'refused', error: verified.error };
  const spent = await spend(decided ? 'page' : 'token', verified, call, options);
  if (decided?.decision === 'decline' && spent.kind === 'confirmed')
    return { kind: 'declined', error: declinedError(call, 'declined') };
  const changed = spent.kind === 'confirmed' ? changedSince(verified.facts, facts) : null;
  if (changed === null) return spent;
  if (verified.round >= mostRounds) return { kind: 'refused', error: restlessError(call, changed) };
  return needed(verified.round + 1, changed);
}

/** Puts the question on its page; gives the error where it cannot be kept. Kept longer than it can be decided. */
async function openPage(
  id: string,
  call: WriteCall,
  { question, warnings }: Question,
  changed: string | undefined,
  { approvals, accountNameOf }: ConfirmerOptions,
): Promise<OwnError | null> {
  const approval = {
    ...{ caller: credentialOf(call.caller), question, account: accountNameOf(call) },
    warnings: changed === undefined ? warnings : [changed, ...warnings],
    expires: call.now.getTime() + CONFIRMATION_TTL_MS,
  };
  try {
    await approvals.open(id, approval, 2 * CONFIRMATION_TTL_MS);
    return null;
  } catch {
    const reason = 'cannot be asked for, because the store of questions does not answer';
    return confirmationError(call, 'confirmation_unavailable', reason);
  }
}

/** Null when the person approved on the page; while nothing is decided, the same question with the same page. */
async function otherThanApproved(
  verified: Usable,
  call: WriteCall,
  { message }: Question,
  options: ConfirmerOptions,
): Promise<Decision | null> {
  const { id } = verified;
  const refuse = (code: ErrorCode, reason: string): Decision => ({
    kind: 'refused',
    error: confirmationError(call, code, reason),
  });
  let decision: PageDecision | 'missing' | undefined;
  try {
    decision = await options.approvals.decision(id);
  } catch {
    return refuse('confirmation_unavailable', 'cannot be checked, because the store of questions does not answer');
  }
  switch (decision) {
    case 'approve':
      return null;
    case undefined:
      return { kind: 'ask', key: QUESTION_KEY, message, state: call.client.state ?? '', page: id };
    case 'decline':
      await spend('person', verified, call, options);
      return { kind: 'declined', error: declinedError(call, 'declined') };
    case 'closed':
      return refuse('confirmation_used', 'has been used already');
    case 'missing': {
      const where = 'on another server, or before the store of questions was started anew';
      return refuse('confirmation_unknown', `was asked for ${where}, so that nobody can decide`);
    }
  }
}

/** The client ended the question: its state is used up, and its page says so, unless the write was carried out before. */
async function end(byPage: boolean, verified: Usable, call: WriteCall, options: ConfirmerOptions): Promise<void> {
  const spent = await spend('person', verified, call, options);
  if (byPage && spent.kind === 'confirmed') await options.approvals.close(verified.id).catch(() => {});
}

/** The signed text names the store by its present mark; a store that loses its memory gets another mark. */
async function issue(
  purpose: Purpose,
  asking: Asking,
  options: ConfirmerOptions,
  decide: (signed: string) => Decision,
): Promise<Decision> {
  let store: string;
  try {
    store = await options.spent.mark();
  } catch {
    const reason = 'cannot be asked for, because the store of used confirmations does not answer';
    return { kind: 'refused', error: confirmationError(asking.call, 'confirmation_unavailable', reason) };
  }
  return decide(sign(purpose, store, asking, options));
}

async function spend(
  by: ConfirmedBy,
  { id, store, expires }: Usable,
  call: WriteCall,
  options: ConfirmerOptions,
): Promise<Decision> {
  const refuse = (code: ErrorCode, reason: string): Decision => ({
    kind: 'refused',
    error: confirmationError(call, code, reason),
  });
  try {
    // Kept longer than the confirmation lasts, for a machine whose clock is behind this one's.
    const ttlMs = expires - call.now.getTime() + CONFIRMATION_TTL_MS;
    const spending = await options.spent.spend(id, ttlMs, store);
    if (spending === 'spent') return { kind: 'confirmed', by };
    if (spending === 'used') return refuse('confirmation_used', 'has been used already');
    const where = 'on another server, or before the store of used confirmations was started anew';
    return refuse('confirmation_unknown', `was issued ${where}, so that it may have been used already`);
  } catch {
    const reason = 'cannot be checked, because the store of used confirmations does not answer';
    return refuse('confirmation_unavailable', reason);
  }
}

function newId(): string {
  return randomBytes(16).toString('base64url');
}

/** Some hosts put a tick box into every form; a box left unticked is a no. */
function saysNo(value: unknown): boolean {
  return value === false || (typeof value === 'string' && /^(no|false|0)$/i.test(value.trim()));
}
