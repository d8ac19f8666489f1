/**
 * One question about one write, or about a set of several:
 *
 *     asked ──▶ answered (by url, form, buttons, link or token) ──▶ judged ──▶ carried out
 *
 * `ways-of-asking.ts` shows a question and brings its answer. Everything else is here, once for all ways: a question is
 * signed and bound to the tool, the exact arguments, the account and the caller, lasts ten minutes, works once, and
 * only for the record that it was asked about. It names the store that remembers used ones: another store, or one that
 * lost its memory, does not accept it.
 */

import { randomBytes } from 'node:crypto';
import { strictest } from '../../../contract/confirm-levels.ts';
import type { AskRoute } from '../../../definition/asking.ts';
import { CONFIRMATION_TTL_MS } from '../../../definition/asking.ts';
import { type OwnError, refuse } from '../../../definition/failure.ts';
import type { WriteCall, WriteOutcome } from '../../../definition/write-call.ts';
import { membersOf } from '../../../lib/json.ts';
import { fieldLabel } from '../../../words/changes.ts';
import { accountInWords } from '../../../words/present-record.ts';
import { recordRefused } from '../audit/receipt.ts';
import type { WriteParts } from '../parts.ts';
import type { Prompt } from '../set.ts';
import { promptText } from '../steps/prompt.ts';
import { type Answered, agreedBefore, type Confirmed, keepAnswer, noteOnPage, useUp } from './agreements.ts';
import { editsIn, leadOf } from './edits.ts';
import * as signing from './signed-state.ts';
import { adviseStop } from './stop-advice.ts';
import {
  type Answer,
  type Asked,
  linksOf,
  openWays,
  provenBy,
  type Question,
  settingsAfter,
  shownText,
  usualLevel,
  ways,
  waysInForce,
  whyNoLinks,
} from './ways-of-asking.ts';

type Decision =
  | Confirmed
  | Asked
  | Extract<WriteOutcome, { kind: 'edited' }>
  | { kind: 'declined'; error: OwnError }
  | { kind: 'refused'; error: OwnError };

/** A question may be asked again so often because the record changed meanwhile. */
const mostRounds = 2;
/** Faster than a user reads. */
const atOnceMs = 1000;

/**
 * Is this the no of someone who does not want the write? It needs no reasons, and no look at the record: of a user, or
 * of the host. What a page says is not known yet.
 */
export function saysNo(parts: WriteParts, call: Pick<WriteCall, 'context' | 'control'>): boolean {
  const { decided, client } = call.context;
  if (decided) return decided.decision === 'decline';
  const { reply } = client;
  if (reply?.action !== 'accept') return reply?.action === 'decline' || reply?.action === 'cancel';
  return membersOf<'answer'>(reply.content).answer === 'no' && signing.cameBack(call, parts)?.route === 'form';
}

/** Puts a no on record. */
export async function recordDecline(parts: WriteParts, write: WriteCall): Promise<WriteOutcome> {
  const decision = await ask(parts, write, { question: '', warnings: [], facts: {} });
  if (decision.kind === 'declined' || decision.kind === 'refused') return decision;
  throw new Error('a decline was not handled as one');
}

/** Asks; or judges the answer that came back. What is refused or declined stands on the audit log. */
export async function ask(parts: WriteParts, write: WriteCall, about: Prompt): Promise<Confirmed | WriteOutcome> {
  const account = accountInWords(parts.settings);
  const prompt =
    account === undefined || about.question === ''
      ? about
      : { ...about, question: `${about.question}\n\nAccount: ${account}` };
  const message = promptText(prompt);
  const decided = await decide({ parts, write, question: { ...prompt, message } });
  const counts = 'error' in decided || parts.unapproved.counts.size > 0;
  const decision = counts ? adviseStop(parts.unapproved, write, decided) : decided;
  if (decision.kind === 'refused' || decision.kind === 'declined') await recordRefused(parts, write, decision.error);
  const { question, warnings } = prompt;
  return decision.kind === 'needs_token' ? { ...decision, question, warnings } : decision;
}

/** A question about a write. */
interface Asking {
  parts: WriteParts;
  write: WriteCall;
  question: Question;
}

/** Asks; or judges the answer that came back, and says whether the write may be carried out now. */
async function decide(asking: Asking): Promise<Decision> {
  const { parts, write, question } = asking;
  const { ask: routes } = parts.settings;
  const { level = usualLevel(parts) } = question;
  const came = signing.cameBack(write, parts);
  if (came !== undefined) return judge(asking, came);
  const { edits = [], prompt: edited } = write.edited ?? {};
  if (edited !== undefined) return put(asking, { route: edited.route, round: 0, lead: leadOf(edits) });
  if (level === 'never') return { kind: 'confirmed', by: 'policy' };
  const [route] = openWays(parts, write, level);
  if (route !== undefined) return put(asking, { route, round: 0, lead: await agreedBefore(parts, write) });
  if (level === 'auto') return { kind: 'confirmed', by: 'host' };
  const facts = { tool: write.tool.name, routes, typed: level === 'typed', proof: write.access.proof };
  return refused(refuse('cannot_ask', { ...facts, noLinks: whyNoLinks(write.context.client) }));
}

/** How a question is put: how often before, and why it is asked again. */
interface Putting {
  route: AskRoute;
  round: number;
  lead: string | undefined;
}

async function put({ parts, write, question }: Asking, { route, round, lead }: Putting): Promise<Decision> {
  const unavailable = (store: 'used confirmations' | 'prompts'): Decision =>
    refused(refuse('confirmation_unavailable', { ...signing.ofConfirmation(write), cannotBe: 'requested', store }));
  const store = await parts.stores.spent.mark().catch(() => undefined);
  if (store === undefined) return unavailable('used confirmations');
  const id = randomBytes(16).toString('base64url');
  const facts = signing.digestsOf(question.facts, parts);
  const shownDigest = signing.digestOf(shownText(question, lead));
  const typed = question.typed === undefined ? undefined : signing.typedDigest(question.typed, parts);
  const signed = signing.sign(route, store, { call: write, facts, round, id, shown: shownDigest, typed }, parts);
  const { prompt: edited } = write.edited ?? {};
  try {
    const shown = await ways[route].show({ call: write, question, signed, id, store, lead }, parts);
    if (edited === undefined || !signing.isOnPage(route)) return shown;
    // The page on which the values were changed shows the new ones.
    await noteOnPage(parts, edited, `moved:${signing.pageIdOf({ id, route }, parts)}`);
    return { ...shown, corrected: true };
  } catch {
    return unavailable('prompts');
  }
}

async function judge(asking: Asking, came: signing.CameBack): Promise<Decision> {
  const { route } = came;
  const { parts, write, question } = asking;
  const verified = signing.verify(came, write, parts);
  const answer = await ways[route].read(write, verified.ok ? verified.id : undefined, parts);
  // Without an answer, its state may be missing too, or be too old by now.
  const bringsNothing = answer.said === 'silence' && !answer.empty;
  if (!verified.ok) {
    if (bringsNothing) return unanswered(asking, route, answer);
    if (verified.expired !== undefined && answer.said === 'yes')
      await keepAnswer(parts, write, { id: verified.expired, route });
    return refused(verified.error);
  }
  // By rules, a write may need less by now than it was asked about.
  const { level: needed = usualLevel(parts) } = question;
  const level = needed === usualLevel(parts) ? needed : strictest([usualLevel(parts), needed]);
  if (!waysInForce(parts, write, level).includes(route))
    return refused(refuse('confirmation_invalid', { ...signing.ofConfirmation(write), why: 'route' }));
  if (answer.said === 'gone') return refused(answer.error);
  if (answer.said === 'waiting') return askedAlready(asking, { id: verified.id, route });
  const problem = await useUp(parts, write, verified);
  if (problem?.code === 'confirmation_used') return refused(problem);
  if (answer.said !== 'yes') {
    // A no on the page stands there as it was said.
    if (route === 'url' && answer.said !== 'no') await parts.stores.approvals.close(verified.id).catch(() => {});
    return answer.said === 'silence'
      ? unanswered(asking, route, answer)
      : declined(asking, route, answer.said, verified);
  }
  if (problem !== null) return refused(problem);
  const hasFields = route === 'form' || answer.content !== undefined;
  const corrected = hasFields ? await judgeFields(asking, route, answer.content, verified) : null;
  if (corrected !== null) return corrected;
  parts.heard?.(route, 'yes');
  return judgeYes(asking, route, verified);
}

/** Null for a yes to the prompt as it was shown: its values are the same, and the text that it needs was typed. */
async function judgeFields(
  asking: Asking,
  route: AskRoute,
  content: object | undefined,
  { id, typed, round }: signing.VerifiedConfirmation,
): Promise<Decision | null> {
  const { parts, write } = asking;
  const { values = [] } = asking.question;
  const askAgain = (problem: string): Promise<Decision> => {
    const lead = `${problem} Nothing was changed. Decide again.`;
    if (round < mostRounds) return put(asking, { route, round: round + 1, lead });
    const reason = 'its fields have no valid values';
    return unanswered(asking, route, { said: 'silence', reason, late: true });
  };
  const edits = values.length === 0 ? [] : editsIn(values, content, write);
  if ('problem' in edits) return askAgain(edits.problem);
  if (edits.length > 0) return { kind: 'edited', edits, prompt: { id, route } };
  // The page has the value that its user changed, and the record has another one by now.
  if (route !== 'form') return askAgain('The changed value no longer applies.');
  const text = String(membersOf<'typed'>(content).typed);
  if (typed === undefined || typed === signing.typedDigest(text, parts)) return null;
  return askAgain('The typed text does not match.');
}

/** A yes counts if the user was shown the record as it is now; each change of a set is judged before it is sent. */
async function judgeYes(asking: Asking, route: AskRoute, verified: signing.VerifiedConfirmation): Promise<Decision> {
  const { parts, write, question } = asking;
  const facts = signing.digestsOf(question.facts, parts);
  const { typed, partly = false } = question;
  const answered = { id: verified.id, route };
  // Of a set, the facts show for each change whether it was final.
  const lacksText = () =>
    typed !== undefined &&
    (partly ? verified.typed === undefined : verified.typed !== signing.typedDigest(typed, parts));
  const changed =
    (partly ? null : changedSince(verified.facts, facts)) ??
    (lacksText() ? 'This change cannot be undone any more. Decide again.' : null);
  const tool = write.tool.name;
  const lost = !partly && isLost(verified.facts, facts) ? refuse('record_unseen', { case: 'asked', tool }) : null;
  const inVain = write.context.signal?.aborted ? refuse('cancelled', { case: 'agreed', tool }) : lost;
  // This yes is used up, and its page says that nothing came of it.
  if (changed !== null || inVain !== null) await noteOnPage(parts, answered, 'refused');
  if (changed !== null) {
    if (verified.round >= mostRounds) return refused(refuse('record_changed', { case: 'asked', tool, changed }));
    return put(asking, { route, round: verified.round + 1, lead: changed });
  }
  if (inVain !== null) {
    await keepAnswer(parts, write, answered);
    return refused(inVain);
  }
  return { kind: 'confirmed', by: provenBy(route, write), answered, ...(partly && { shown: verified.facts }) };
}

function declined(
  { parts, write }: Asking,
  route: AskRoute,
  said: 'no' | 'declined' | 'cancelled',
  { expires, typed }: signing.VerifiedConfirmation,
): Decision {
  const askedFor = write.now.getTime() - (expires - CONFIRMATION_TTL_MS);
  parts.heard?.(route, said === 'declined' && askedFor < atOnceMs ? 'declined_at_once' : said);
  const tool = write.tool.name;
  if (said === 'no') return { kind: 'declined', error: refuse('declined', { case: 'person', tool }) };
  const another = settingsAfter(parts, write, route, typed === undefined ? 'always' : 'typed');
  return { kind: 'declined', error: refuse(said, { case: 'host', tool, another }) };
}

/** Neither yes nor no. A client that accepted without an answer gets the question for the assistant, if allowed. */
async function unanswered(
  asking: Asking,
  route: AskRoute,
  { reason, empty, late }: Extract<Answer, { said: 'silence' }>,
): Promise<Decision> {
  const { parts, write, question } = asking;
  const { level = usualLevel(parts) } = question;
  const { failed } = write.context.client;
  parts.heard?.(route, empty ? 'empty' : 'unanswered');
  if (!late) failed?.add(route);
  const [next] = failed === undefined ? [] : openWays(parts, write, level);
  // What needs nothing of the host but an assistant that calls again.
  const byAssistant = (other: AskRoute) => (other === 'link' || other === 'token') && ways[other].fits(write);
  const fallback = empty && level !== 'auto' ? waysInForce(parts, write, level).find(byAssistant) : undefined;
  const again = fallback && (await put(asking, { route: fallback, round: 0, lead: undefined }));
  const { confirmation, expires_at, link } = { link: undefined, ...(again?.kind === 'needs_token' && again) };
  const token = confirmation && expires_at ? { confirmation, expires_at, ...(link && { link }) } : undefined;
  const facts = { tool: write.tool.name, question: question.message, reason, token };
  const further = { route: next === route ? undefined : next, another: settingsAfter(parts, write, route, level) };
  return refused(refuse('question_unanswered', { ...facts, ...further }));
}

const refused = (error: OwnError): Decision => ({ kind: 'refused', error });

/** Nothing is decided on the page yet: the same question, with the same state. */
async function askedAlready(
  { parts, write, question: { message, question } }: Asking,
  { id, route }: Answered,
): Promise<Decision> {
  const { client } = write.context;
  const { confirmation = '' } = write.control;
  if (route !== 'link') return { kind: 'ask', message, title: question, state: client.state ?? '', page: id };
  const page = signing.pageIdOf({ id, route }, parts);
  const standing = await parts.stores.approvals.look(page).catch(() => undefined);
  const address = linksOf(client)?.addressOf(standing?.approval.link?.page ?? page);
  const link = await address?.catch(() => undefined);
  if (link === undefined || standing === undefined)
    return refused(
      refuse('confirmation_unavailable', { ...signing.ofConfirmation(write), cannotBe: 'checked', store: 'prompts' }),
    );
  const expires_at = new Date(standing.approval.expires).toISOString();
  return { kind: 'needs_token', onPage: false, confirmation, expires_at, link, undecided: true };
}

/** `The record changed since this was asked (priority).`; null where nothing that the question shows did. */
function changedSince(earlier: signing.Facts, now: signing.Facts): string | null {
  // A record that cannot be seen cannot be compared: `isLost` judges that.
  if (!hasSeen(now)) return null;
  if (!hasSeen(earlier)) return 'The record could not be read for the earlier prompt, and now it can. Decide again.';
  const fields = Object.keys({ ...earlier, ...now }).filter(field => earlier[field] !== now[field]);
  if (fields.length === 0) return null;
  const named = fields.filter(field => field !== 'question').map(fieldLabel);
  return `The record changed since the prompt${named.length === 0 ? '' : ` (${named.join(', ')})`}. Decide again.`;
}

/** Was the record seen when this was asked, but cannot be seen any more? Then no one knows whether it has changed. */
function isLost(earlier: signing.Facts, now: signing.Facts): boolean {
  return hasSeen(earlier) && !hasSeen(now);
}

function hasSeen(facts: signing.Facts): boolean {
  return Object.keys(facts).length > 0;
}
