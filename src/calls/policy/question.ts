/**
 * One question about one write:
 *
 *     asked ──▶ answered (by url, form, buttons or token) ──▶ judged ──▶ carried out
 *
 * `ways-of-asking.ts` shows a question and brings its answer. Everything else is here, once for all ways: a question is signed and
 * bound to the tool, the exact arguments, the account and the caller, lasts ten minutes, works once, and only for the
 * record that it was asked about. It names the store that remembers used ones: another store, or one that lost its
 * memory, does not accept it.
 */
import { randomBytes } from 'node:crypto';
import type { AskRoute, ConfirmedBy, Heard, WriteCall } from '../../tool/call.ts';
import type { ErrorCode } from '../../tool/error-codes.ts';
import type { OwnError } from '../../tool/failure.ts';
import type { WriteRecorder } from './audit-recorder.ts';
import {
  agreedInVainError,
  cannotAskError,
  confirmationError,
  declinedError,
  hostDeclinedError,
  lostSightError,
  restlessError,
  unansweredError,
} from './question-errors.ts';
import { CONFIRMATION_TTL_MS } from './question-lifetime.ts';
import { changedSince, digestsOf, isLost, type Signing, sign, signedIn, type Usable, verify } from './signed-state.ts';
import { type Answer, type Asked, type Question, type WayParts, ways } from './ways-of-asking.ts';
import type { Agreements, Approval, Carried, SpentTokens } from './write-stores.ts';

export type ConfirmMode = 'auto' | 'always' | 'never';

/** A question that got its yes. */
export interface Answered {
  id: string;
  route: AskRoute;
}

export type Decision =
  /** `asked`: where somebody was. */
  | { kind: 'confirmed'; by: ConfirmedBy; asked?: Answered }
  | Asked
  | { kind: 'declined'; error: OwnError }
  | { kind: 'refused'; error: OwnError };

export interface QuestionOptions extends Signing, WayParts {
  mode: ConfirmMode;
  /** The ways in force, in their order. */
  routes: readonly AskRoute[];
  spent: SpentTokens;
  agreements: Agreements;
  recorder: Pick<WriteRecorder, 'named' | 'agreed'>;
  heard?: ((route: AskRoute, heard: Heard) => void) | undefined;
}

/** A question may be asked anew so often because the record changed meanwhile. */
const mostRounds = 2;
/** Faster than a person reads. */
const atOnceMs = 1000;
/** How long an agreement that nothing came of is told of. */
const agreementMs = 24 * 60 * 60_000;

/** Asks; or judges the answer that came back, and says whether the write may be carried out now. */
export async function decide(call: WriteCall, question: Question, options: QuestionOptions): Promise<Decision> {
  const came = cameBack(call, options);
  if (came !== undefined) return judge(call, question, came, options);
  if (options.mode === 'never') return { kind: 'confirmed', by: 'policy' };
  const [route] = open(call, options);
  if (route !== undefined) return ask(route, call, question, 0, await agreedBefore(call, options), options);
  if (options.mode === 'auto') return { kind: 'confirmed', by: 'host' };
  return { kind: 'refused', error: cannotAskError(call, options.routes) };
}

/** Will somebody be shown our question? Else the host asks in its own way, or nobody is asked. */
export function isAsked(call: WriteCall, options: Pick<QuestionOptions, 'mode' | 'routes'>): boolean {
  return options.mode === 'always' || (options.mode === 'auto' && open(call, options).length > 0);
}

/** The ways in which this client can be asked; those that brought no answer before only where there is no other. */
function open(call: WriteCall, { mode, routes }: Pick<QuestionOptions, 'mode' | 'routes'>): AskRoute[] {
  const fitting = inForce({ mode, routes }).filter(route => ways[route].fits(call));
  const untried = fitting.filter(route => !call.client.failed?.has(route));
  return untried.length > 0 ? untried : fitting;
}

/** In `auto`, a host that asks by itself takes the place of the weaker ways. */
function inForce({ mode, routes }: Pick<QuestionOptions, 'mode' | 'routes'>): readonly AskRoute[] {
  if (mode === 'never') return [];
  return mode === 'auto' ? routes.filter(route => ways[route].by === 'person') : routes;
}

interface CameBack {
  route: AskRoute;
  signed: string | undefined;
}

/** The way of the answer is that of the question, which its signed text names. */
function cameBack(
  { decided, client, confirmation }: Pick<WriteCall, 'client'> & Partial<Pick<WriteCall, 'decided' | 'confirmation'>>,
  { key }: Pick<QuestionOptions, 'key'>,
): CameBack | undefined {
  if (decided) return { route: 'buttons', signed: decided.confirmation };
  if (client.reply !== undefined)
    return { route: signedIn(client.state, key)?.u === 'url' ? 'url' : 'form', signed: client.state };
  return confirmation === undefined ? undefined : { route: 'token', signed: confirmation };
}

/** A no that needs no reasons, and no look at the record: of a person, or of the host. What a page says is not known yet. */
export function saysNo(call: Pick<WriteCall, 'decided' | 'client'>, options: Pick<QuestionOptions, 'key'>): boolean {
  const { decided, client } = call;
  if (decided) return decided.decision === 'decline';
  const { reply } = client;
  if (reply?.action !== 'accept') return reply?.action === 'decline' || reply?.action === 'cancel';
  return reply.content?.answer === 'no' && cameBack({ client }, options)?.route === 'form';
}

async function ask(
  route: AskRoute,
  call: WriteCall,
  question: Question,
  round: number,
  lead: string | undefined,
  options: QuestionOptions,
): Promise<Decision> {
  const unavailable = (store: string): Decision => {
    const reason = `cannot be asked for, because the store of ${store} does not answer`;
    return { kind: 'refused', error: confirmationError(call, 'confirmation_unavailable', reason) };
  };
  let store: string;
  try {
    store = await options.spent.mark();
  } catch {
    return unavailable('used confirmations');
  }
  const id = randomBytes(16).toString('base64url');
  const signed = sign(route, store, { call, facts: digestsOf(question.facts, options), round, id }, options);
  return ways[route].show({ call, question, signed, id, store, lead }, options).catch(() => unavailable('questions'));
}

async function judge(
  call: WriteCall,
  question: Question,
  { route, signed }: CameBack,
  options: QuestionOptions,
): Promise<Decision> {
  const refuse = (error: OwnError): Decision => ({ kind: 'refused', error });
  const verified = verify(route, signed, call, options);
  const answer = await ways[route].read(call, verified.ok ? verified.id : undefined, options);
  // Without an answer, its state may be missing too, or be too old by now.
  const bringsNothing = answer.said === 'silence' && !answer.empty;
  if (!verified.ok) {
    if (bringsNothing) return unanswered(call, question, route, answer, options);
    if (verified.expired !== undefined && answer.said === 'yes')
      await keepAnswer(verified.expired, route, call, options);
    return refuse(verified.error);
  }
  if (!inForce(options).includes(route))
    return refuse(confirmationError(call, 'confirmation_invalid', 'is of a way of asking that is not in force'));
  if (answer.said === 'gone') return refuse(confirmationError(call, answer.code, answer.reason));
  if (answer.said === 'waiting') return askedAlready(call, question, verified.id);
  const problem = await useUp(verified, call, options);
  if (problem?.code === 'confirmation_used') return refuse(problem);
  if (answer.said !== 'yes') {
    // A no on the page stands there as it was said.
    if (route === 'url' && answer.said !== 'no') await options.approvals.close(verified.id).catch(() => {});
    return answer.said === 'silence'
      ? unanswered(call, question, route, answer, options)
      : declined(call, route, answer.said, verified, options);
  }
  if (problem !== null) return refuse(problem);
  options.heard?.(route, 'yes');
  const facts = digestsOf(question.facts, options);
  const changed = changedSince(verified.facts, facts);
  const inVain = inVainError(call, isLost(verified.facts, facts));
  // This yes is used up, and its page says that nothing came of it.
  if (changed !== null || inVain !== null) await noteOnPage({ id: verified.id, route }, 'refused', options);
  if (changed !== null) {
    if (verified.round >= mostRounds) return refuse(restlessError(call, changed));
    return ask(route, call, question, verified.round + 1, changed, options);
  }
  if (inVain !== null) {
    await keepAnswer(verified.id, route, call, options);
    return refuse(inVain);
  }
  return { kind: 'confirmed', by: ways[route].by, asked: { id: verified.id, route } };
}

/** Why nothing comes of a yes; null where nothing speaks against it. */
function inVainError(call: WriteCall, lost: boolean): OwnError | null {
  if (call.signal?.aborted) return agreedInVainError(call);
  return lost ? lostSightError(call) : null;
}

/** Nothing is decided on the page yet: the same question, with the same state. */
function askedAlready(call: WriteCall, { message, question }: Question, page: string): Decision {
  return { kind: 'ask', message, title: question, state: call.client.state ?? '', page };
}

function declined(
  call: WriteCall,
  route: AskRoute,
  said: 'no' | 'declined' | 'cancelled',
  { expires }: Usable,
  options: QuestionOptions,
): Decision {
  const askedFor = call.now.getTime() - (expires - CONFIRMATION_TTL_MS);
  options.heard?.(route, said === 'declined' && askedFor < atOnceMs ? 'declined_at_once' : said);
  if (said === 'no') return { kind: 'declined', error: declinedError(call) };
  const action = said === 'declined' ? 'decline' : 'cancel';
  return { kind: 'declined', error: hostDeclinedError(call, action, another(route, options)) };
}

/** Neither yes nor no. Whoever accepted without an answer gets the question for the assistant, where that is in force. */
async function unanswered(
  call: WriteCall,
  question: Question,
  route: AskRoute,
  { reason, empty, late }: Extract<Answer, { said: 'silence' }>,
  options: QuestionOptions,
): Promise<Decision> {
  options.heard?.(route, empty ? 'empty' : 'unanswered');
  if (!late) call.client.failed?.add(route);
  const [next] = call.client.failed === undefined ? [] : open(call, options);
  const byToken = empty && options.mode === 'always' && options.routes.includes('token');
  const asked = byToken ? await ask('token', call, question, 0, undefined, options) : undefined;
  const token =
    asked?.kind === 'needs_token' ? { confirmation: asked.confirmation, expires_at: asked.expires_at } : undefined;
  const told = { token, route: next === route ? undefined : next, another: another(route, options) };
  return { kind: 'refused', error: unansweredError(call, question.message, reason, told) };
}

/** The settings that ask in the ways after this one; undefined where there is none. Under `auto`, some would be left out. */
function another(route: AskRoute, { mode, routes }: QuestionOptions): string | undefined {
  const others = routes.slice(routes.indexOf(route) + 1);
  if (others.length === 0) return undefined;
  return `${mode === 'auto' ? 'BILLING_CONFIRM=always with ' : ''}BILLING_ASK=${others.join(',')}`;
}

/** Null when this call uses the question up; else why it cannot be used. */
async function useUp(
  { id, store, expires }: Usable,
  call: WriteCall,
  options: QuestionOptions,
): Promise<OwnError | null> {
  const refuse = (code: ErrorCode, reason: string) => confirmationError(call, code, reason);
  try {
    // Kept longer than the question lasts, for a machine whose clock is behind this one's.
    const ttlMs = expires - call.now.getTime() + CONFIRMATION_TTL_MS;
    const spending = await options.spent.spend(id, ttlMs, store);
    if (spending === 'spent') return null;
    if (spending === 'used') return refuse('confirmation_used', 'has been used already');
    const where = 'on another server, or before the store of used confirmations was started anew';
    return refuse('confirmation_unknown', `was issued ${where}, so that it may have been used already`);
  } catch {
    const reason = 'cannot be checked, because the store of used confirmations does not answer';
    return refuse('confirmation_unavailable', reason);
  }
}

/**
 * Nothing comes of the answer that this call brought, for a reason that is not about it: an approval on a page is used up,
 * so that its page says so.
 */
export async function giveUp(call: WriteCall, options: QuestionOptions): Promise<void> {
  const came = cameBack(call, options);
  if (came?.route !== 'url') return;
  const verified = verify('url', came.signed, call, options);
  if (!verified.ok || (await ways.url.read(call, verified.id, options)).said !== 'yes') return;
  if ((await useUp(verified, call, options)) === null)
    await noteOnPage({ id: verified.id, route: 'url' }, 'refused', options);
}

/** What came of an agreement, where the question has a page that says so. Never rejects. */
export async function noteOnPage(
  { id, route }: Answered,
  carried: Carried,
  { approvals }: Pick<QuestionOptions, 'approvals'>,
): Promise<void> {
  if (route === 'url') await approvals.carried(id, carried).catch(() => {});
}

/** What is approved on a page is on record since then, and a token shows nobody's agreement. */
export async function keepAnswer(
  id: string,
  route: AskRoute,
  call: WriteCall,
  options: QuestionOptions,
): Promise<void> {
  if (route === 'token') return;
  await options.agreements.keep(options.bindingOf(call), { at: Date.now() }, agreementMs).catch(() => {});
  if (route !== 'url') await options.recorder.agreed(id, options.recorder.named(call), ways[route].by);
}

/** Somebody agreed on a page, and nothing was sent so far: on record, and told when the same is asked again. Never rejects. */
export async function keepApproval(
  id: string,
  { expires, write: { binding, store, ...named } }: Approval,
  { agreements, recorder }: Pick<QuestionOptions, 'agreements' | 'recorder'>,
): Promise<void> {
  // First of all, because the call that waits for it may take it up at once.
  await agreements.keep(binding, { at: Date.now(), page: { id, store, expires } }, agreementMs).catch(() => {});
  await recorder.agreed(id, named, ways.url.by);
}

/** Told once the earlier yes cannot be used any more: nobody shall agree twice to what could then be sent twice. */
async function agreedBefore(call: WriteCall, options: QuestionOptions): Promise<string | undefined> {
  const binding = options.bindingOf(call);
  const found = await options.agreements.find(binding).catch(() => undefined);
  if (found === undefined) return undefined;
  const { at, page } = found;
  if (page !== undefined && page.expires > call.now.getTime()) {
    // Another call is carrying it out now.
    if ((await useUp({ ...page, facts: {}, round: 0 }, call, options)) !== null) return undefined;
    await options.approvals.close(page.id).catch(() => {});
    await options.agreements.keep(binding, { at }, agreementMs).catch(() => {});
  }
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  const when = new Intl.DateTimeFormat('en-GB', format).format(at);
  return `This was agreed to already (${when} UTC), and was not carried out. Please decide anew.`;
}
