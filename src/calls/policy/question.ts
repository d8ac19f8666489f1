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
import { membersOf } from '../../lib/json.ts';
import type { AskRoute, ConfirmedBy, Heard } from '../../tool/asking.ts';
import type { ErrorCode } from '../../tool/error-codes.ts';
import type { OwnError } from '../../tool/failure.ts';
import type { WriteCall } from '../../tool/write-call.ts';
import { digestOf } from './audit-chain.ts';
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
import {
  changedSince,
  digestsOf,
  type Facts,
  isLost,
  type SigningOptions,
  shownWith,
  sign,
  signedIn,
  type VerifiedConfirmation,
  verify,
} from './signed-state.ts';
import { type Answer, type Asked, type Question, shownText, type WayParts, ways } from './ways-of-asking.ts';
import type { Agreements, Approval, Carried, SpentTokens } from './write-stores.ts';

export type ConfirmMode = 'auto' | 'always' | 'never';

/** A question that got its yes. */
export interface Answered {
  id: string;
  route: AskRoute;
}

/** The write may be carried out. */
export interface Confirmed {
  kind: 'confirmed';
  by: ConfirmedBy;
  /** The question that was agreed to; absent where nobody was asked. */
  answered?: Answered;
  /** Of one change of a set: its id on the audit log. */
  record?: string;
  /** What it showed, where each part of it is judged for itself. */
  shown?: Facts;
}

export type Decision = Confirmed | Asked | { kind: 'declined'; error: OwnError } | { kind: 'refused'; error: OwnError };

export interface QuestionOptions extends SigningOptions, WayParts {
  mode: ConfirmMode;
  /** The ways in force, in their order. */
  routes: readonly AskRoute[];
  spent: SpentTokens;
  agreements: Agreements;
  recorder: Pick<WriteRecorder, 'namesOf' | 'agreed'>;
  heard?: ((route: AskRoute, heard: Heard) => void) | undefined;
}

/** A question may be asked anew so often because the record changed meanwhile. */
const mostRounds = 2;
/** Faster than a person reads. */
const atOnceMs = 1000;
/** How long an agreement that nothing came of is told of. */
const agreementMs = 24 * 60 * 60_000;

interface CameBack {
  route: AskRoute;
  signed: string | undefined;
}

type Answering = Pick<WriteCall, 'client'> & Partial<Pick<WriteCall, 'decided' | 'confirmation'>>;

/** The way of the answer is that of the question, which its signed text names. */
function cameBack({ decided, client, confirmation }: Answering, key: Uint8Array): CameBack | undefined {
  if (decided) return { route: 'buttons', signed: decided.confirmation };
  if (client.reply !== undefined)
    return { route: signedIn(client.state, key)?.u === 'url' ? 'url' : 'form', signed: client.state };
  return confirmation === undefined ? undefined : { route: 'token', signed: confirmation };
}

/** The digest of the question that the call answers; null where it answers none of ours. */
export function questionShown(call: Answering, key: Uint8Array): string | null {
  return shownWith(cameBack(call, key)?.signed, key);
}

/** The questions about writes: asked, answered, judged. */
export class Questions {
  readonly #options: QuestionOptions;

  constructor(options: QuestionOptions) {
    this.#options = options;
  }

  /** Asks; or judges the answer that came back, and says whether the write may be carried out now. */
  async decide(call: WriteCall, question: Question): Promise<Decision> {
    const came = this.#cameBack(call);
    if (came !== undefined) return this.#judge(call, question, came);
    if (this.#options.mode === 'never') return { kind: 'confirmed', by: 'policy' };
    const [route] = this.#open(call);
    if (route !== undefined) return this.#ask(route, call, question, 0, await this.#agreedBefore(call));
    if (this.#options.mode === 'auto') return { kind: 'confirmed', by: 'host' };
    return { kind: 'refused', error: cannotAskError(call, this.#options.routes) };
  }

  /** Will somebody be shown our question? Else the host asks in its own way, or nobody is asked. */
  isAsked(call: WriteCall): boolean {
    return this.#options.mode === 'always' || (this.#options.mode === 'auto' && this.#open(call).length > 0);
  }

  /** Does the call bring an answer? */
  isAnswering(call: WriteCall): boolean {
    return this.#cameBack(call) !== undefined;
  }

  /** The ways in which this client can be asked; those that brought no answer before only where there is no other. */
  #open(call: WriteCall): AskRoute[] {
    const fitting = this.#inForce().filter(route => ways[route].fits(call));
    const untried = fitting.filter(route => !call.client.failed?.has(route));
    return untried.length > 0 ? untried : fitting;
  }

  /** In `auto`, a host that asks by itself takes the place of the weaker ways. */
  #inForce(): readonly AskRoute[] {
    const { mode, routes } = this.#options;
    if (mode === 'never') return [];
    return mode === 'auto' ? routes.filter(route => ways[route].by === 'person') : routes;
  }

  #cameBack(call: Answering): CameBack | undefined {
    return cameBack(call, this.#options.key);
  }

  /** A no that needs no reasons, and no look at the record: of a person, or of the host. What a page says is not known yet. */
  saysNo(call: Pick<WriteCall, 'decided' | 'client'>): boolean {
    const { decided, client } = call;
    if (decided) return decided.decision === 'decline';
    const { reply } = client;
    if (reply?.action !== 'accept') return reply?.action === 'decline' || reply?.action === 'cancel';
    return membersOf<'answer'>(reply.content).answer === 'no' && this.#cameBack({ client })?.route === 'form';
  }

  async #ask(
    route: AskRoute,
    call: WriteCall,
    question: Question,
    round: number,
    lead: string | undefined,
  ): Promise<Decision> {
    const unavailable = (store: string): Decision => {
      const reason = `cannot be asked for, because the store of ${store} does not answer`;
      return { kind: 'refused', error: confirmationError(call, 'confirmation_unavailable', reason) };
    };
    let store: string;
    try {
      store = await this.#options.spent.mark();
    } catch {
      return unavailable('used confirmations');
    }
    const id = randomBytes(16).toString('base64url');
    const signed = sign(
      route,
      store,
      { call, facts: digestsOf(question.facts, this.#options), round, id, shown: digestOf(shownText(question, lead)) },
      this.#options,
    );
    return ways[route]
      .show({ call, question, signed, id, store, lead }, this.#options)
      .catch(() => unavailable('questions'));
  }

  async #judge(call: WriteCall, question: Question, { route, signed }: CameBack): Promise<Decision> {
    const refuse = (error: OwnError): Decision => ({ kind: 'refused', error });
    const verified = verify(route, signed, call, this.#options);
    const answer = await ways[route].read(call, verified.ok ? verified.id : undefined, this.#options);
    // Without an answer, its state may be missing too, or be too old by now.
    const bringsNothing = answer.said === 'silence' && !answer.empty;
    if (!verified.ok) {
      if (bringsNothing) return this.#unanswered(call, question, route, answer);
      if (verified.expired !== undefined && answer.said === 'yes') await this.keepAnswer(verified.expired, route, call);
      return refuse(verified.error);
    }
    if (!this.#inForce().includes(route))
      return refuse(confirmationError(call, 'confirmation_invalid', 'is of a way of asking that is not in force'));
    if (answer.said === 'gone') return refuse(confirmationError(call, answer.code, answer.reason));
    if (answer.said === 'waiting') return askedAlready(call, question, verified.id);
    const problem = await this.#useUp(verified, call);
    if (problem?.code === 'confirmation_used') return refuse(problem);
    if (answer.said !== 'yes') {
      // A no on the page stands there as it was said.
      if (route === 'url' && answer.said !== 'no') await this.#options.approvals.close(verified.id).catch(() => {});
      return answer.said === 'silence'
        ? this.#unanswered(call, question, route, answer)
        : this.#declined(call, route, answer.said, verified);
    }
    if (problem !== null) return refuse(problem);
    this.#options.heard?.(route, 'yes');
    const facts = digestsOf(question.facts, this.#options);
    const { partly = false } = question;
    const changed = partly ? null : changedSince(verified.facts, facts);
    const inVain = inVainError(call, !partly && isLost(verified.facts, facts));
    // This yes is used up, and its page says that nothing came of it.
    if (changed !== null || inVain !== null) await this.noteOnPage({ id: verified.id, route }, 'refused');
    if (changed !== null) {
      if (verified.round >= mostRounds) return refuse(restlessError(call, changed));
      return this.#ask(route, call, question, verified.round + 1, changed);
    }
    if (inVain !== null) {
      await this.keepAnswer(verified.id, route, call);
      return refuse(inVain);
    }
    const answered = { id: verified.id, route };
    return { kind: 'confirmed', by: ways[route].by, answered, ...(partly && { shown: verified.facts }) };
  }

  #declined(
    call: WriteCall,
    route: AskRoute,
    said: 'no' | 'declined' | 'cancelled',
    { expires }: VerifiedConfirmation,
  ): Decision {
    const askedFor = call.now.getTime() - (expires - CONFIRMATION_TTL_MS);
    this.#options.heard?.(route, said === 'declined' && askedFor < atOnceMs ? 'declined_at_once' : said);
    if (said === 'no') return { kind: 'declined', error: declinedError(call) };
    const action = said === 'declined' ? 'decline' : 'cancel';
    return { kind: 'declined', error: hostDeclinedError(call, action, this.#another(route)) };
  }

  /** Neither yes nor no. Whoever accepted without an answer gets the question for the assistant, where that is in force. */
  async #unanswered(
    call: WriteCall,
    question: Question,
    route: AskRoute,
    { reason, empty, late }: Extract<Answer, { said: 'silence' }>,
  ): Promise<Decision> {
    this.#options.heard?.(route, empty ? 'empty' : 'unanswered');
    if (!late) call.client.failed?.add(route);
    const [next] = call.client.failed === undefined ? [] : this.#open(call);
    const byToken = empty && this.#options.mode === 'always' && this.#options.routes.includes('token');
    const again = byToken ? await this.#ask('token', call, question, 0, undefined) : undefined;
    const token =
      again?.kind === 'needs_token' ? { confirmation: again.confirmation, expires_at: again.expires_at } : undefined;
    const further = { token, route: next === route ? undefined : next, another: this.#another(route) };
    return { kind: 'refused', error: unansweredError(call, question.message, reason, further) };
  }

  /** The settings that ask in the ways after this one; undefined where there is none. Under `auto`, some would be left out. */
  #another(route: AskRoute): string | undefined {
    const { mode, routes } = this.#options;
    const others = routes.slice(routes.indexOf(route) + 1);
    if (others.length === 0) return undefined;
    return `${mode === 'auto' ? 'BILLING_CONFIRM=always with ' : ''}BILLING_ASK=${others.join(',')}`;
  }

  /** Null when this call uses the question up; else why it cannot be used. */
  async #useUp({ id, store, expires }: VerifiedConfirmation, call: WriteCall): Promise<OwnError | null> {
    const refuse = (code: ErrorCode, reason: string) => confirmationError(call, code, reason);
    try {
      // Kept longer than the question lasts, for a machine whose clock is behind this one's.
      const ttlMs = expires - call.now.getTime() + CONFIRMATION_TTL_MS;
      const spending = await this.#options.spent.spend(id, ttlMs, store);
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
  async giveUp(call: WriteCall): Promise<void> {
    const came = this.#cameBack(call);
    if (came?.route !== 'url') return;
    const verified = verify('url', came.signed, call, this.#options);
    if (!verified.ok || (await ways.url.read(call, verified.id, this.#options)).said !== 'yes') return;
    if ((await this.#useUp(verified, call)) === null)
      await this.noteOnPage({ id: verified.id, route: 'url' }, 'refused');
  }

  /** What came of an agreement, where the question has a page that says so. Never rejects. */
  async noteOnPage({ id, route }: Answered, carried: Carried): Promise<void> {
    if (route === 'url') await this.#options.approvals.carried(id, carried).catch(() => {});
  }

  /** What is approved on a page is on record since then, and a token shows nobody's agreement. */
  async keepAnswer(id: string, route: AskRoute, call: WriteCall): Promise<void> {
    if (route === 'token') return;
    await this.#options.agreements.keep(this.#options.bindingOf(call), { at: Date.now() }, agreementMs).catch(() => {});
    if (route !== 'url') await this.#options.recorder.agreed(id, this.#options.recorder.namesOf(call), ways[route].by);
  }

  /** Somebody agreed on a page, and nothing was sent so far: on record, and told when the same is asked again. Never rejects. */
  async keepApproval(id: string, { expires, write: { binding, store, ...named } }: Approval): Promise<void> {
    // First of all, because the call that waits for it may take it up at once.
    await this.#options.agreements
      .keep(binding, { at: Date.now(), page: { id, store, expires } }, agreementMs)
      .catch(() => {});
    await this.#options.recorder.agreed(id, named, ways.url.by);
  }

  /** Told once the earlier yes cannot be used any more: nobody shall agree twice to what could then be sent twice. */
  async #agreedBefore(call: WriteCall): Promise<string | undefined> {
    const binding = this.#options.bindingOf(call);
    const agreement = await this.#options.agreements.find(binding).catch(() => undefined);
    if (agreement === undefined) return undefined;
    const { at, page } = agreement;
    if (page !== undefined && page.expires > call.now.getTime()) {
      // Another call is carrying it out now.
      if ((await this.#useUp({ ...page, facts: {}, round: 0 }, call)) !== null) return undefined;
      await this.#options.approvals.close(page.id).catch(() => {});
      await this.#options.agreements.keep(binding, { at }, agreementMs).catch(() => {});
    }
    const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
    const when = new Intl.DateTimeFormat('en-GB', format).format(at);
    return `This was agreed to already (${when} UTC), and was not carried out. Please decide anew.`;
  }
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
