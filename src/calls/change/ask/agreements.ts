/**
 * What comes of an answer: a question is used up once, kept on record until a change is sent for it, and its page says
 * how it ended. For a day an agreement that nothing came of is told of when the same is asked again.
 */
import type { AskRoute, ConfirmedBy } from '../../../definition/asking.ts';
import { CONFIRMATION_TTL_MS } from '../../../definition/asking.ts';
import { type OwnError, refuse } from '../../../definition/failure.ts';
import type { WriteCall, WriteOutcome } from '../../../definition/write-call.ts';
import { membersOf } from '../../../lib/json.ts';
import { namesOf, recordAgreed } from '../audit/receipt.ts';
import type { WriteParts } from '../parts.ts';
import type { ChangeEnd } from '../set.ts';
import { editsIn, sentValues } from './edits.ts';
import * as signing from './signed-state.ts';
import { editMark, provenBy, ways } from './ways-of-asking.ts';
import type { Approval, Approvals, Carried, PageDecision, Standing, WriteEnd } from './write-stores.ts';

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
  shown?: signing.Facts;
}

/** How long an agreement that nothing came of is told of. */
const agreementMs = 24 * 60 * 60_000;

/** Null when this call uses the question up; else why it cannot be used. */
export async function useUp(
  { stores: { spent } }: WriteParts,
  write: WriteCall,
  { id, store, expires }: Pick<signing.VerifiedConfirmation, 'id' | 'store' | 'expires'>,
): Promise<OwnError | null> {
  const facts = signing.ofConfirmation(write);
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
 * The write ended before its answer counted, for a reason that is not about the answer: an approval on a page is used
 * up, so that its page says so.
 */
export async function giveUp(parts: WriteParts, write: WriteCall, { kind }: { kind: string }): Promise<void> {
  if (kind !== 'dry_run') await useUpApproval(parts, write);
  if (kind === 'idle') await parts.stores.agreements.drop(signing.bindingOf(write, parts)).catch(() => {});
}

async function useUpApproval(parts: WriteParts, write: WriteCall): Promise<void> {
  const came = signing.cameBack(write, parts);
  if (came === undefined || !signing.isOnPage(came.route)) return;
  const { route } = came;
  const verified = signing.verify(came, write, parts);
  if (!verified.ok || (await ways[route].read(write, verified.id, parts)).said !== 'yes') return;
  if ((await useUp(parts, write, verified)) === null) await noteOnPage(parts, { id: verified.id, route }, 'refused');
}

/** What came of an agreement, where the question has a page that says so. Never rejects. */
export async function noteOnPage(parts: WriteParts, answered: Answered, carried: Carried): Promise<void> {
  if (signing.isOnPage(answered.route))
    await parts.stores.approvals.carried(signing.pageIdOf(answered, parts), carried).catch(() => {});
}

/** What is approved on a page is on record since then, and a token shows no one's agreement. */
export async function keepAnswer(parts: WriteParts, write: WriteCall, { id, route }: Answered): Promise<void> {
  if (route === 'token') return;
  await parts.stores.agreements.keep(signing.bindingOf(write, parts), { at: Date.now() }, agreementMs).catch(() => {});
  if (!signing.isOnPage(route)) await recordAgreed(parts, id, namesOf(parts, write), provenBy(route, write));
}

/** An approval on a page, with nothing sent so far: on record, and told when the same is asked again. Never rejects. */
async function keepApproval(
  parts: WriteParts,
  id: string,
  { expires, write: { binding, store, by, ...named }, link }: Approval,
): Promise<void> {
  const question = link?.question ?? id;
  // First of all, because the call that waits for it may take it up at once.
  await parts.stores.agreements
    .keep(binding, { at: Date.now(), page: { id, question, store, expires } }, agreementMs)
    .catch(() => {});
  await recordAgreed(parts, question, named, by);
}

/** The note that an earlier approval was not carried out. It is used up first, so it cannot send the write too. */
export async function agreedBefore(parts: WriteParts, write: WriteCall): Promise<string | undefined> {
  const { agreements, approvals } = parts.stores;
  const binding = signing.bindingOf(write, parts);
  const agreement = await agreements.find(binding).catch(() => undefined);
  if (agreement === undefined) return undefined;
  const { at, page } = agreement;
  if (page !== undefined && page.expires > write.now.getTime()) {
    // Another call is carrying it out now.
    if ((await useUp(parts, write, { ...page, id: page.question })) !== null) return undefined;
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
    await parts.stores.agreements.drop(signing.bindingOf(write, parts));
  } catch {
    const facts = { ...signing.ofConfirmation(write), cannotBe: 'used', store: 'approvals' } as const;
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

/** The prompt on a page, with its id: after a correction the one with the new values, which has another id. */
export type PagePrompt = Omit<Standing, 'carried'> & { id: string; carried?: WriteEnd };

const isMoved = (carried: Carried | undefined): carried is Exclude<Carried, WriteEnd> =>
  carried?.startsWith('moved:') === true;

/**
 * What the pages of questions show and take. `fields`: of the page's form. Nothing is decided where the user did not
 * type the text that the question names, or where a changed value is none.
 */
export interface Pages extends Pick<Approvals, 'close'> {
  /** What this page shows. */
  look(id: string): Promise<PagePrompt | undefined>;
  decide(
    id: string,
    decision: 'approve' | 'decline',
    fields?: object,
  ): Promise<PageDecision | 'typed_differs' | 'value_invalid' | undefined>;
}

/** An approval counts from here on: on record, and remembered until a call carries it out. */
export function pagesOf(parts: WriteParts): Pages {
  const { approvals } = parts.stores;
  const look: Pages['look'] = async id => {
    const standing = await approvals.look(id);
    if (standing === undefined) return undefined;
    const { carried, ...prompt } = standing;
    return isMoved(carried) ? look(carried.slice('moved:'.length)) : { ...prompt, id, ...(carried && { carried }) };
  };
  return {
    look,
    close: async id => approvals.close((await look(id))?.id ?? id),
    async decide(id, decision, fields = {}) {
      const standing = await approvals.look(id);
      const { typed: text, values = [] } = standing?.approval ?? {};
      const edits = decision === 'approve' ? editsIn(values, fields, { known: null }) : [];
      if ('problem' in edits) return 'value_invalid';
      // The text is for the second look.
      if (edits.length > 0) return approvals.decide(id, `${editMark}${JSON.stringify(sentValues(values, fields))}`);
      const { typed = '' } = membersOf<'typed'>(fields);
      if (decision === 'approve' && text !== undefined && String(typed).trim() !== text) return 'typed_differs';
      const first = await approvals.decide(id, decision);
      if (first === 'approve' && standing !== undefined && standing.decision === undefined)
        await keepApproval(parts, id, standing.approval);
      return first;
    },
  };
}
