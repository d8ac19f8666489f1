/**
 * The four ways of asking: how each shows a question, what its answer says, and what comes of a yes. It is used up once, kept on
 * record until a change is sent for it, and its page says how it ended. For a day an agreement that nothing came of is told of
 * when the same is asked again. All else about a question is the same.
 */
import type { Ask, AskRoute, ConfirmedBy } from '../../../definition/asking.ts';
import { CONFIRMATION_TTL_MS } from '../../../definition/asking.ts';
import { type OwnError, refuse } from '../../../definition/failure.ts';
import type { WriteCall, WriteOutcome } from '../../../definition/write-call.ts';
import { membersOf } from '../../../lib/json.ts';
import { cutText } from '../../../lib/text.ts';
import { credentialOf } from '../../access/intersect-customers.ts';
import { namesOf, recordAgreed } from '../audit/receipt.ts';
import type { WriteParts } from '../parts.ts';
import type { ChangeEnd, Prompt } from '../set.ts';
import {
  type AccountName,
  bindingOf,
  cameBack,
  digestOf,
  type Facts,
  ofConfirmation,
  type VerifiedConfirmation,
  verify,
} from './signed-state.ts';
import type { Approval, Approvals, Carried, PageDecision } from './write-stores.ts';

/** `message`: the question with its warnings, shown unchanged. */
export type Question = Prompt & { message: string };

/** The question, on its way to the person. `onPage`: the token is for the buttons alone. */
export type Asked =
  | Ask
  | { kind: 'needs_token'; onPage: boolean; confirmation: string; expires_at: string; changed?: string };

/**
 * What came back. `typed`: in the field of a form; a page compares it itself. `declined` and `cancelled` come from the host, and `silence` is neither yes nor no, with the reason;
 * `empty`: the question was accepted without an answer; `late`: it was shown, and the time ran out. `waiting`: the page is open, and nothing is decided there yet.
 */
export type Answer =
  | { said: 'yes' | 'no' | 'declined' | 'cancelled' | 'waiting'; typed?: unknown }
  | { said: 'silence'; reason: string; empty?: true; late?: true }
  /** No one can decide there any more: why. */
  | { said: 'gone'; error: OwnError };

/** A question that is about to be shown, with its signed text and id. `lead`: why it is asked again. */
interface Showing {
  call: WriteCall;
  question: Question;
  signed: string;
  id: string;
  /** The mark of the store that remembers used questions. */
  store: string;
  lead: string | undefined;
}

interface Way {
  /** What an answer in this way proves. */
  by: ConfirmedBy;
  /** Can the client of this call be asked in this way? */
  fits(call: WriteCall): boolean;
  /** Rejects when the question cannot be kept for its page. */
  show(showing: Showing, parts: WriteParts): Promise<Asked>;
  /** `id`: of the question that was asked; undefined where the signed text is not valid. */
  read(call: WriteCall, id: string | undefined, parts: WriteParts): Promise<Answer>;
}

export const ways: Readonly<Record<AskRoute, Way>> = {
  url: {
    by: 'person',
    fits: ({ client }) => client.shows('url'),
    async show(showing, parts) {
      const { call, question, id, store, lead } = showing;
      const approval = {
        caller: credentialOf(call.caller),
        question: question.question,
        account: inWords(parts.accountOf(call)),
        warnings: lead === undefined ? question.warnings : [lead, ...question.warnings],
        expires: call.now.getTime() + CONFIRMATION_TTL_MS,
        ...(question.typed !== undefined && { typed: question.typed }),
        write: {
          binding: bindingOf(call, parts),
          store,
          ...namesOf(parts, call),
          question: digestOf(shownText(question, lead)),
        },
      };
      // Kept longer than it can be decided, so that its page can say how it ended.
      await parts.stores.approvals.open(id, approval, 2 * CONFIRMATION_TTL_MS);
      return { ...asForm(showing), page: id };
    },
    // Accepting only says that the user agreed to open the page.
    async read(call, id, { stores: { approvals } }) {
      const { reply } = call.client;
      const facts = ofConfirmation(call);
      if (reply?.action !== 'accept') return ofHost(reply);
      if (id === undefined) return { said: 'waiting' };
      const standing = await approvals.look(id).catch(() => 'unavailable' as const);
      if (standing === 'unavailable')
        return gone(refuse('confirmation_unavailable', { ...facts, cannotBe: 'checked', store: 'prompts' }));
      if (standing === undefined) return gone(refuse('confirmation_unknown', { ...facts, why: 'asked' }));
      switch (standing.decision) {
        case undefined:
          return { said: 'waiting' };
        case 'closed':
          return gone(refuse('confirmation_used', facts));
        default:
          return { said: standing.decision === 'approve' ? 'yes' : 'no' };
      }
    },
  },
  form: {
    by: 'person',
    fits: ({ client }) => client.shows('form'),
    show: async showing => asForm(showing),
    async read({ client: { reply } }) {
      if (reply?.action !== 'accept') return ofHost(reply);
      const { answer, typed } = membersOf<'answer' | 'typed'>(reply.content);
      if (answer === 'yes' || answer === 'no') return { said: answer, typed };
      return { said: 'silence', reason: 'it accepted the prompt without an answer', empty: true };
    },
  },
  buttons: {
    by: 'page',
    fits: ({ client }) => client.shows('buttons'),
    show: async showing => asToken(showing, true),
    read: async ({ decided }) => ({ said: decided?.decision === 'approve' ? 'yes' : 'no' }),
  },
  token: {
    by: 'token',
    fits: () => true,
    show: async showing => asToken(showing, false),
    read: async () => ({ said: 'yes' }),
  },
};

/** The account as the user may know it. */
function inWords({ baseUrl, name }: AccountName): string {
  if (name !== undefined) return `the ${name} account`;
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

/** A reply that is no acceptance. */
function ofHost(reply: WriteCall['client']['reply']): Answer {
  switch (reply?.action) {
    case 'decline':
      return { said: 'declined' };
    case 'cancel':
      return { said: 'cancelled' };
    default: {
      if (reply?.action !== 'unanswered') return { said: 'silence', reason: 'it returned no answer' };
      const { reason, late } = reply;
      return { said: 'silence', reason, ...(late && { late }) };
    }
  }
}

const gone = (error: OwnError): Answer => ({ said: 'gone', error });

/** The question with its warnings as a form shows it, and why it is asked again. */
export function shownText({ message, typed }: Pick<Question, 'message' | 'typed'>, lead: string | undefined): string {
  return [lead, message, typed && `To approve, type: ${typed}`].filter(Boolean).join('\n\n');
}

function asForm({ question, signed, lead }: Showing): Asked {
  const title = shortened(question.question);
  const typed = question.typed !== undefined;
  return { kind: 'ask', message: shownText(question, lead), title, state: signed, ...(typed && { typed }) };
}

function asToken({ call, signed, lead }: Showing, onPage: boolean): Asked {
  const expires_at = new Date(call.now.getTime() + CONFIRMATION_TTL_MS).toISOString();
  return {
    kind: 'needs_token',
    onPage,
    confirmation: signed,
    expires_at,
    ...(lead !== undefined && { changed: lead }),
  };
}

const longestTitle = 120;

/** The first line, whole words of it: hosts show it next to the field. */
function shortened(question: string): string {
  const [line = ''] = question.split('\n');
  return line.length <= longestTitle ? line : `${cutText(line, longestTitle).replace(/\s+\S*$/, '')} …`;
}

/** A question that got its yes. */
export interface Answered {
  id: string;
  route: AskRoute;
}

/** The write may be carried out. */
export interface Confirmed {
  kind: 'confirmed';
  by: ConfirmedBy;
  /** The question that was agreed to; absent where no one was asked. */
  answered?: Answered;
  /** What it showed, where each part of it is judged for itself. */
  shown?: Facts;
}

/** How long an agreement that nothing came of is told of. */
const agreementMs = 24 * 60 * 60_000;

/** Null when this call uses the question up; else why it cannot be used. */
export async function useUp(
  { stores: { spent } }: WriteParts,
  write: WriteCall,
  { id, store, expires }: Pick<VerifiedConfirmation, 'id' | 'store' | 'expires'>,
): Promise<OwnError | null> {
  const facts = ofConfirmation(write);
  try {
    // Kept longer than the question lasts, for a machine whose clock is behind this one's.
    const ttlMs = expires - write.now.getTime() + CONFIRMATION_TTL_MS;
    const spending = await spent.spend(id, ttlMs, store);
    if (spending === 'spent') return null;
    return spending === 'used'
      ? refuse('confirmation_used', facts)
      : refuse('confirmation_unknown', { ...facts, why: 'used' });
  } catch {
    return refuse('confirmation_unavailable', { ...facts, cannotBe: 'checked', store: 'used confirmations' });
  }
}

/**
 * The write ended before its answer counted, for a reason that is not about the answer: an approval on a page is used up, so
 * that its page says so.
 */
export async function giveUp(parts: WriteParts, write: WriteCall, { kind }: { kind: string }): Promise<void> {
  if (kind !== 'dry_run') await useUpApproval(parts, write);
  if (kind === 'idle') await parts.stores.agreements.drop(bindingOf(write, parts)).catch(() => {});
}

async function useUpApproval(parts: WriteParts, write: WriteCall): Promise<void> {
  const came = cameBack(write, parts);
  if (came?.route !== 'url') return;
  const verified = verify('url', came.signed, write, parts);
  if (!verified.ok || (await ways.url.read(write, verified.id, parts)).said !== 'yes') return;
  if ((await useUp(parts, write, verified)) === null)
    await noteOnPage(parts, { id: verified.id, route: 'url' }, 'refused');
}

/** What came of an agreement, where the question has a page that says so. Never rejects. */
export async function noteOnPage({ stores }: WriteParts, { id, route }: Answered, carried: Carried): Promise<void> {
  if (route === 'url') await stores.approvals.carried(id, carried).catch(() => {});
}

/** What is approved on a page is on record since then, and a token shows no one's agreement. */
export async function keepAnswer(parts: WriteParts, write: WriteCall, { id, route }: Answered): Promise<void> {
  if (route === 'token') return;
  await parts.stores.agreements.keep(bindingOf(write, parts), { at: Date.now() }, agreementMs).catch(() => {});
  if (route !== 'url') await recordAgreed(parts, id, namesOf(parts, write), ways[route].by);
}

/** Someone agreed on a page, and nothing was sent so far: on record, and told when the same is asked again. Never rejects. */
async function keepApproval(
  parts: WriteParts,
  id: string,
  { expires, write: { binding, store, ...named } }: Approval,
): Promise<void> {
  // First of all, because the call that waits for it may take it up at once.
  await parts.stores.agreements
    .keep(binding, { at: Date.now(), page: { id, store, expires } }, agreementMs)
    .catch(() => {});
  await recordAgreed(parts, id, named, ways.url.by);
}

/** Told once the earlier yes cannot be used any more: no one shall agree twice to what could then be sent twice. */
export async function agreedBefore(parts: WriteParts, write: WriteCall): Promise<string | undefined> {
  const { agreements, approvals } = parts.stores;
  const binding = bindingOf(write, parts);
  const agreement = await agreements.find(binding).catch(() => undefined);
  if (agreement === undefined) return undefined;
  const { at, page } = agreement;
  if (page !== undefined && page.expires > write.now.getTime()) {
    // Another call is carrying it out now.
    if ((await useUp(parts, write, page)) !== null) return undefined;
    await approvals.close(page.id).catch(() => {});
    await agreements.keep(binding, { at }, agreementMs).catch(() => {});
  }
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  const when = new Intl.DateTimeFormat('en-GB', format).format(at);
  return `This was already approved (${when} UTC), but it was not carried out. Decide again.`;
}

/** An agreement is taken up: from here on no one is told that nothing came of it. Null, or why it cannot be. */
export async function takeUp(
  parts: WriteParts,
  write: WriteCall,
  { answered }: Confirmed,
): Promise<Extract<WriteOutcome, { kind: 'refused' }> | null> {
  if (answered === undefined) return null;
  try {
    await parts.stores.agreements.drop(bindingOf(write, parts));
  } catch {
    const facts = { ...ofConfirmation(write), cannotBe: 'used', store: 'approvals' } as const;
    return { kind: 'refused', error: refuse('confirmation_unavailable', facts) };
  }
  await noteOnPage(parts, answered, 'sending');
  return null;
}

/** Says what came of an agreement: on its page, and in the next question about the same. */
export async function noteEnd(
  parts: WriteParts,
  write: WriteCall,
  { answered }: Confirmed,
  ends: readonly ChangeEnd[],
): Promise<void> {
  if (answered === undefined) return;
  const end = carriedOf(ends);
  await noteOnPage(parts, answered, end);
  if (end === 'refused' && ends.some(({ kind }) => kind !== 'idle')) await keepAnswer(parts, write, answered);
}

function carriedOf(ends: readonly ChangeEnd[]): Carried {
  const failures = ends.flatMap(end => (end.kind === 'failed' ? [end.error] : []));
  if (failures.some(({ changed }) => changed === 'unknown')) return 'unknown';
  if (ends.some(({ kind }) => kind === 'done'))
    return ends.every(({ kind }) => kind === 'done' || kind === 'idle') ? 'done' : 'partly';
  const [failure] = failures;
  return failure === undefined || failure.code === 'cancelled' ? 'refused' : 'failed';
}

/** What the pages of questions show and take. `differs`: the user did not type the text that the question names. */
export interface Pages extends Pick<Approvals, 'look' | 'close'> {
  decide(id: string, decision: 'approve' | 'decline', typed?: unknown): Promise<PageDecision | 'differs' | undefined>;
}

/** An approval counts from here on: on record, and remembered until a call carries it out. */
export function pagesOf(parts: WriteParts): Pages {
  const { approvals } = parts.stores;
  return {
    look: id => approvals.look(id),
    close: id => approvals.close(id),
    async decide(id, decision, typed) {
      const standing = await approvals.look(id);
      const { typed: text = typed } = standing?.approval ?? {};
      if (decision === 'approve' && String(typed).trim() !== String(text).trim()) return 'differs';
      const first = await approvals.decide(id, decision);
      if (first === 'approve' && standing !== undefined && standing.decision === undefined)
        await keepApproval(parts, id, standing.approval);
      return first;
    },
  };
}
