/**
 * The five ways of asking: how each shows a question, and what its answer says. All else about a question is the same.
 */
import type { ConfirmLevel } from '../../../contract/confirm-levels.ts';
import type { Ask, AskRoute, ClientAbilities, ConfirmedBy, PageLinks } from '../../../definition/asking.ts';
import { askRoutes, CONFIRMATION_TTL_MS, proofOffPages, provesAtLeast } from '../../../definition/asking.ts';
import { type OwnError, refuse } from '../../../definition/failure.ts';
import type { WriteCall, WriteOutcome } from '../../../definition/write-call.ts';
import { membersOf } from '../../../lib/json.ts';
import { cutText } from '../../../lib/text.ts';
import { accountInWords } from '../../../words/present-record.ts';
import { credentialOf } from '../../access/intersect-customers.ts';
import { namesOf } from '../audit/receipt.ts';
import type { WriteParts } from '../parts.ts';
import type { Prompt } from '../set.ts';
import { type AccountName, bindingOf, digestOf, ofConfirmation, pageIdOf } from './signed-state.ts';
import type { Approval } from './write-stores.ts';

/** `message`: the question with its warnings, shown unchanged. */
export type Question = Prompt & { message: string };

/** The question, on its way to the person. `onPage`: the token is for the buttons alone. */
export type Asked = Ask | Omit<Extract<WriteOutcome, { kind: 'needs_token' }>, 'question' | 'warnings'>;

/**
 * What came back.
 *
 * - `content`: the fields of a form, or of a page on which the user changed values
 * - `declined`, `cancelled`: from the host
 * - `waiting`: the page is open, and the user has not decided
 * - `silence`: neither yes nor no, with the reason; `empty`: accepted without an answer; `late`: shown until the time ran out
 */
export type Answer =
  | { said: 'yes' | 'no' | 'declined' | 'cancelled' | 'waiting'; content?: object | undefined }
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
  /** Can the client of this call be asked in this way? */
  fits(call: WriteCall): boolean;
  /** Rejects when the question cannot be kept for its page. */
  show(showing: Showing, parts: WriteParts): Promise<Asked>;
  /** `id`: of the question that was asked; undefined where the signed text is not valid. */
  read(call: WriteCall, id: string | undefined, parts: WriteParts): Promise<Answer>;
}

export const ways: Readonly<Record<AskRoute, Way>> = {
  url: {
    fits: ({ context }) => context.client.shows('url'),
    async show(showing, parts) {
      await openPage(showing, showing.id, parts);
      return { ...asForm(showing), page: showing.id };
    },
    // Accepting only says that the user agreed to open the page.
    async read(call, id, parts) {
      const { reply } = call.context.client;
      return reply?.action === 'accept' ? readPage(call, id, parts) : ofHost(reply);
    },
  },
  form: {
    fits: ({ context }) => context.client.shows('form'),
    show: async showing => asForm(showing),
    async read({ context }) {
      const { reply } = context.client;
      if (reply?.action !== 'accept') return ofHost(reply);
      const { answer } = membersOf<'answer'>(reply.content);
      if (answer === 'yes' || answer === 'no') return { said: answer, content: reply.content };
      return { said: 'silence', reason: 'it accepted the prompt without an answer', empty: true };
    },
  },
  buttons: {
    fits: ({ context }) => context.client.shows('buttons'),
    show: async showing => asToken(showing, true),
    read: async ({ context }) => ({ said: context.decided?.decision === 'approve' ? 'yes' : 'no' }),
  },
  link: {
    fits: ({ context }) => linksOf(context.client) !== undefined,
    async show(showing, parts) {
      const { id, call } = showing;
      const page = pageIdOf({ id, route: 'link' }, parts);
      const links = linksOf(call.context.client);
      const { prompt } = call.edited ?? {};
      const before = prompt && pageIdOf(prompt, parts);
      const shown = before && ((await parts.stores.approvals.look(before))?.approval.link?.page ?? before);
      const link = await links?.addressOf(shown ?? page);
      if (link === undefined) throw new Error('there are no pages to link to');
      await openPage(showing, page, parts, { question: id, ...(shown && { page: shown }) });
      // The second look is on the page that the user has.
      if (shown === undefined) await links?.shown?.(page).catch(() => {});
      return { ...asToken(showing, false), link };
    },
    read: (call, id, parts) =>
      readPage(call, id === undefined ? undefined : pageIdOf({ id, route: 'link' }, parts), parts),
  },
  token: {
    fits: () => true,
    show: async showing => asToken(showing, false),
    read: async () => ({ said: 'yes' }),
  },
};

/** Will someone be shown our question? Else the host asks in its own way, or no one is asked. */
export function isAsked(parts: WriteParts, write: WriteCall, level = usualLevel(parts)): boolean {
  return level === 'always' || level === 'typed' || (level === 'auto' && openWays(parts, write, level).length > 0);
}

/** Of a write that was not read for its answer. */
export const usualLevel = ({ rules }: Pick<WriteParts, 'rules'>): ConfirmLevel => rules.plain ?? 'always';

/** The ways in which this client can be asked; those that brought no answer before only where there is no other. */
export function openWays(parts: WriteParts, write: WriteCall, level: ConfirmLevel): AskRoute[] {
  const fitting = waysInForce(parts, write, level).filter(route => ways[route].fits(write));
  const untried = fitting.filter(route => !write.context.client.failed?.has(route));
  return untried.length > 0 ? untried : fitting;
}

/** In `auto`, a host that asks by itself takes the place of all ways that show nothing in the host. */
export function waysInForce(
  { settings: { ask: routes } }: WriteParts,
  write: WriteCall,
  level: ConfirmLevel,
): readonly AskRoute[] {
  if (level === 'never') return [];
  return routes.filter(route => isEnough(route, write, level) && (level !== 'auto' || isInHost(route)));
}

const isInHost = (route: AskRoute): boolean => route === 'url' || route === 'form';

/** Does a yes in this way confirm the write? `typed` needs a field that the user alone fills in, and roles a proof. */
function isEnough(route: AskRoute, write: WriteCall, level: ConfirmLevel): boolean {
  return (
    (level !== 'typed' || isInHost(route) || route === 'link') &&
    (write.access.proof === 'policy' || provesAtLeast(provenBy(route, write), write.access.proof))
  );
}

/**
 * The settings that ask in the ways after this one; undefined where there is none. Under `auto`, some would be left
 * out. For `typed`, also ways that the settings do not name.
 */
export function settingsAfter(
  { settings: { confirm, ask: routes } }: WriteParts,
  write: WriteCall,
  route: AskRoute,
  level: ConfirmLevel,
): string | undefined {
  const after = routes.slice(routes.indexOf(route) + 1);
  const unnamed = level === 'typed' ? askRoutes.filter(other => !routes.includes(other)) : [];
  const others = [...after, ...unnamed].filter(other => isEnough(other, write, level));
  if (others.length === 0) return undefined;
  return `${confirm === 'auto' ? 'BILLING_CONFIRM=always with ' : ''}BILLING_ASK=${others.join(',')}`;
}

/** What a yes in this way proves of this call. */
export function provenBy(route: AskRoute, { context }: Pick<WriteCall, 'context'>): ConfirmedBy {
  return route === 'url' || route === 'link' ? (linksOf(context.client)?.by ?? 'link') : proofOffPages[route];
}

/** The pages that answers to this client can link to; undefined where there are none. */
export function linksOf({ links }: ClientAbilities): PageLinks | undefined {
  return links === undefined || 'missing' in links ? undefined : links;
}

/** What the operator can do so that there are pages to link to; undefined where there are, or where there never are. */
export function whyNoLinks({ links }: ClientAbilities): string | undefined {
  return links !== undefined && 'missing' in links ? links.missing : undefined;
}

/**
 * Keeps the question for its page, longer than it can be decided, so that the page can say how it ended, and longer
 * still where it may have to lead to a second look.
 */
async function openPage(
  { call, question, store, lead }: Showing,
  page: string,
  parts: WriteParts,
  link?: Approval['link'],
): Promise<void> {
  const by = linksOf(call.context.client)?.by ?? 'link';
  const shown = digestOf(shownText(question, lead));
  const approval: Approval = {
    caller: credentialOf(call.caller),
    question: question.question,
    account: accountInWords(parts.settings) ?? inWords(parts.accountOf(call)),
    ...(parts.settings.accountMode && { mode: parts.settings.accountMode }),
    warnings: lead === undefined ? question.warnings : [lead, ...question.warnings],
    expires: call.now.getTime() + CONFIRMATION_TTL_MS,
    ...(question.typed !== undefined && { typed: question.typed }),
    ...(question.values?.length && { values: question.values }),
    write: { ...namesOf(parts, call), binding: bindingOf(call, parts), store, by, question: shown },
    ...(link && { link }),
  };
  await parts.stores.approvals.open(page, approval, (approval.values ? 4 : 2) * CONFIRMATION_TTL_MS);
}

/** What was decided on a page; `page` is undefined where the signed text that leads to it is not valid. */
async function readPage(
  call: WriteCall,
  page: string | undefined,
  { stores: { approvals } }: WriteParts,
): Promise<Answer> {
  const facts = ofConfirmation(call);
  if (page === undefined) return { said: 'waiting' };
  const standing = await approvals.look(page).catch(() => 'unavailable' as const);
  if (standing === 'unavailable')
    return gone(refuse('confirmation_unavailable', { ...facts, cannotBe: 'checked', store: 'prompts' }));
  if (standing === undefined) return gone(refuse('confirmation_unknown', { ...facts, why: 'asked' }));
  const { decision } = standing;
  if (decision === undefined) return { said: 'waiting' };
  if (decision === 'closed') return gone(refuse('confirmation_used', facts));
  if (decision.startsWith(editMark)) return { said: 'yes', content: JSON.parse(decision.slice(editMark.length)) };
  return { said: decision === 'approve' ? 'yes' : 'no' };
}

/** Before the fields of a page on which the user changed values. */
export const editMark = 'edit:';

/** The account as the user may know it. */
function inWords({ baseUrl, name }: AccountName): string {
  if (name !== undefined) return `the ${name} account`;
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

/** A reply that is no acceptance. */
function ofHost(reply: ClientAbilities['reply']): Answer {
  if (reply?.action === 'decline') return { said: 'declined' };
  if (reply?.action === 'cancel') return { said: 'cancelled' };
  if (reply?.action !== 'unanswered') return { said: 'silence', reason: 'it returned no answer' };
  const { reason, late } = reply;
  return { said: 'silence', reason, ...(late && { late }) };
}

const gone = (error: OwnError): Answer => ({ said: 'gone', error });

/** The question with its warnings as a form shows it, and why it is asked again. */
export function shownText({ message, typed }: Pick<Question, 'message' | 'typed'>, lead: string | undefined): string {
  return [lead, message, typed && `To approve, type: ${typed}`].filter(Boolean).join('\n\n');
}

function asForm({ question, signed, lead }: Showing): Asked {
  const title = shortened(question.question);
  const { typed, values = [] } = question;
  const fields = { values, ...(typed !== undefined && { typed: true as const }) };
  return { kind: 'ask', message: shownText(question, lead), title, state: signed, ...fields };
}

function asToken({ call, signed, lead }: Showing, onPage: boolean): Extract<Asked, { kind: 'needs_token' }> {
  const expires_at = new Date(call.now.getTime() + CONFIRMATION_TTL_MS).toISOString();
  const changed = lead !== undefined && { changed: lead };
  return { kind: 'needs_token', onPage, confirmation: signed, expires_at, ...changed };
}

const longestTitle = 120;

/** The first line, whole words of it: hosts show it next to the field. */
function shortened(question: string): string {
  const [line = ''] = question.split('\n');
  return line.length <= longestTitle ? line : `${cutText(line, longestTitle).replace(/\s+\S*$/, '')} …`;
}
