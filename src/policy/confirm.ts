/**
 * Did the person agree? A question carries a signed state; a client that cannot be asked gets a signed token. Both are
 * bound to the tool, the exact arguments, the account and the caller, last ten minutes, and work once. They name the
 * store that remembers used ones: another store, or one that lost its memory, does not accept them.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Ask, ConfirmedBy, WriteCall } from '../call/types.ts';
import { isRecord, type JsonRecord } from '../lib/json.ts';
import { fieldLabel } from '../present/changed.ts';
import type { ErrorCode } from '../tool/error-codes.ts';
import type { OwnError } from '../tool/failure.ts';
import { credentialOf } from './bound.ts';
import { CONFIRMATION_TTL_MS } from './lifetime.ts';
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

/** Digests of what a question shows of the record, by field, so that an answer to a stale question is noticed. */
type Facts = Readonly<Record<string, string>>;

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

export interface ConfirmerOptions {
  mode: ConfirmMode;
  /** At least 32 bytes. */
  key: Uint8Array;
  spent: SpentTokens;
  approvals: Approvals;
  /** The account in words, for the page. */
  accountNameOf(call: WriteCall): string;
  /** What distinguishes one account from another: base URL and API key. Only a digest of it is signed. */
  accountOf(call: WriteCall): string;
}

/**
 * `opened`: a question on a page of this server, which the client may not answer itself. `page`: only the buttons of the
 * write's page in the chat take it; `token`: only the argument `confirmation` does.
 */
type Purpose = 'question' | 'opened' | 'token' | 'page';
type Verified = ({ ok: true } & Usable) | { ok: false; error: OwnError };

/** The id of a confirmation that is used up, and its store. */
interface Usable {
  /** What the question showed when it was asked. */
  facts: Facts;
  /** How often it was asked anew. */
  round: number;
  id: string;
  store: string;
  /** Milliseconds since the epoch. */
  expires: number;
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

/** Keyed, so that nobody can guess values from them; short, because the state travels through the client. */
function digestsOf(facts: JsonRecord, { key }: ConfirmerOptions): Facts {
  const entries = Object.entries(facts).map(([field, value]) => {
    const digest = createHmac('sha256', key).update(
      `usage-billing-mcp fact\0${field}\0${canonicalJson(value ?? null)}`,
    );
    return [field, digest.digest('base64url').slice(0, 12)];
  });
  return Object.fromEntries(entries);
}

/** `The record changed since this was asked (priority).`; null where nothing that the question shows did. */
function changedSince(asked: Facts, now: Facts): string | null {
  // Without facts on either side there is nothing to compare: the record was not seen, then or now.
  if (Object.keys(asked).length === 0 || Object.keys(now).length === 0) return null;
  const fields = Object.keys({ ...asked, ...now }).filter(field => asked[field] !== now[field]);
  if (fields.length === 0) return null;
  const named = fields.filter(field => field !== 'question').map(fieldLabel);
  return `The record changed since this was asked${named.length === 0 ? '' : ` (${named.join(', ')})`}. Please decide anew.`;
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

/** What is being asked: `round` 0 at first, then how often it was asked anew. */
interface Asking {
  call: WriteCall;
  facts: Facts;
  round: number;
  id: string;
}

function newId(): string {
  return randomBytes(16).toString('base64url');
}

/**
 * `v1.<what>.<signature>`; what = base64url of
 * `{"u":purpose,"i":id,"s":store,"e":expiry,"b":binding,"f":facts,"r":round}`.
 */
function sign(purpose: Purpose, store: string, { call, facts, round, id }: Asking, options: ConfirmerOptions): string {
  const body = Buffer.from(
    JSON.stringify({
      u: purpose,
      i: id,
      s: store,
      e: call.now.getTime() + CONFIRMATION_TTL_MS,
      b: bindingOf(call, options),
      f: facts,
      r: round,
    }),
  ).toString('base64url');
  return `v1.${body}.${signatureOf(body, options.key)}`;
}

function verify(purpose: Purpose, text: string | undefined, call: WriteCall, options: ConfirmerOptions): Verified {
  const refuse = (code: ErrorCode, reason: string): Verified => ({
    ok: false,
    error: confirmationError(call, code, reason),
  });
  const signed = signedIn(text, options.key);
  if (signed === undefined) return refuse('confirmation_invalid', 'was not issued by this server, or was altered');
  const { u, i, s, e, b, f, r } = signed;
  if (u !== purpose) return refuse('confirmation_invalid', 'was issued for something else');
  if (e <= call.now.getTime()) return refuse('confirmation_expired', 'is older than ten minutes');
  if (!same(b, bindingOf(call, options))) {
    return refuse('confirmation_mismatch', 'was given for another tool, other arguments, another account or caller');
  }
  return { ok: true, id: i, store: String(s), expires: e, facts: f, round: r };
}

/** The signed text's content; undefined unless the signature is ours. */
// biome-ignore lint/suspicious/noExplicitAny: the content is our own
function signedIn(text: string | undefined, key: Uint8Array): any {
  const [version, body, signature, ...rest] = (text ?? '').slice(0, 8000).split('.');
  const genuine = version === 'v1' && body && signature && rest.length === 0 && same(signature, signatureOf(body, key));
  return genuine ? JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) : undefined;
}

function signatureOf(body: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(`usage-billing-mcp confirmation\0${body}`).digest('base64url');
}

/** A keyed digest, so that the client learns nothing about account or key. */
function bindingOf(call: WriteCall, options: ConfirmerOptions): string {
  const account = createHash('sha256').update(options.accountOf(call)).digest('base64url');
  const parts = [call.tool.name, canonicalJson(call.args), account, call.caller.id];
  return createHmac('sha256', options.key)
    .update(`usage-billing-mcp binding\0${JSON.stringify(parts)}`)
    .digest('base64url');
}

/** The same text for equal values: keys sorted at every depth, absent fields left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, entry: unknown) =>
    isRecord(entry)
      ? Object.fromEntries(Object.entries(entry).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)))
      : entry,
  );
}

function same(left: unknown, right: string): boolean {
  if (typeof left !== 'string') return false;
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Some hosts put a tick box into every form; a box left unticked is a no. */
function saysNo(value: unknown): boolean {
  return value === false || (typeof value === 'string' && /^(no|false|0)$/i.test(value.trim()));
}

/** The record changes faster than a person can decide. */
function restlessError(call: WriteCall, changed: string): OwnError {
  return {
    status: null,
    code: 'record_changed',
    message: `${call.tool.name} was not carried out: ${changed.replace(' Please decide anew.', '')} This was the third time.`,
    hint: 'Nothing was sent. Somebody else is changing this record: tell the person, and try again later if they still want it.',
    changed: false,
  };
}

function declinedError(call: WriteCall, code: 'declined' | 'cancelled'): OwnError {
  return {
    status: null,
    code,
    message: `${call.tool.name} was not carried out: the person ${code === 'declined' ? 'said no' : 'closed the question'}.`,
    hint: 'Nothing was sent. Do not call it again unless the person asks for it.',
    changed: false,
  };
}

function unansweredError(call: WriteCall, question: string, reason: string): OwnError {
  return {
    status: null,
    code: 'question_unanswered',
    message: `Nothing was changed: the person could not be asked about ${call.tool.name}. Their chat host offers to put questions, but ${reason}.`,
    details: { question },
    hint: 'Tell the person so, with what was to be changed, and try once more only if they ask for it. Where the host itself asks before every call, whoever runs this server can set BILLING_CONFIRM=never.',
    changed: false,
  };
}

function confirmationError(call: WriteCall, code: ErrorCode, reason: string): OwnError {
  return {
    status: null,
    code,
    message: `${call.tool.name} was not carried out: the confirmation ${reason}.`,
    hint: call.decided
      ? 'Nothing was sent. Ask the assistant for this change again, to get a new question.'
      : 'Nothing was sent. Call the tool again with the arguments that are wanted and without `confirmation`, to be asked anew.',
    changed: false,
  };
}
