/**
 * The signed text that a question or a token carries: bound to the tool, the exact arguments, the account and the
 * caller, with digests of what the user was shown. And the texts that a browser keeps for the approval pages, each for one
 * purpose.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { AskRoute, ValueEdit } from '../../../definition/asking.ts';
import { CONFIRMATION_TTL_MS } from '../../../definition/asking.ts';
import { type OwnError, refuse } from '../../../definition/failure.ts';
import type { WriteCall } from '../../../definition/write-call.ts';
import { isRecord } from '../../../lib/json.ts';
import type { AccountSource } from '../../api/account/upstreams.ts';

/** What signing needs. */
export interface SigningOptions {
  /** At least 32 bytes; the same on every machine that shares callers and Redis. */
  key: Uint8Array;
  /** The account of this caller's requests: confirmations hold for it only. Only a digest of it is signed. */
  accountOf(call: WriteCall): AccountName;
}

/**
 * The embedded service has another address and key in each process; `name` says that they lead to the same account.
 */
export interface AccountName {
  baseUrl: string;
  apiKey: string;
  name?: string;
}

/** The account of the requests of each caller. */
export function accountNames(account: Pick<AccountSource, 'current' | 'demo'>): SigningOptions['accountOf'] {
  return ({ caller: { apiKey } }) => {
    const current = account.current();
    const baseUrl = current && 'baseUrl' in current ? current.baseUrl : '';
    return { baseUrl, apiKey, ...(account.demo && { name: 'demo' }) };
  };
}

/** Digests of what a question shows of the record, by field, so that an answer to a stale question is noticed. */
export type Facts = Readonly<Record<string, string>>;

/** `expired`: the id of the question, where the answer to it came too late. */
type Verified = ({ ok: true } & VerifiedConfirmation) | { ok: false; error: OwnError; expired?: string };

/** A genuine confirmation in time: its `id` is used up in its `store` before anything is sent. */
export interface VerifiedConfirmation {
  /** What the question showed when it was asked. */
  facts: Facts;
  /** How often it was asked again. */
  round: number;
  id: string;
  store: string;
  /** Milliseconds since the epoch. */
  expires: number;
  /** The digest of the text that the user has to type. */
  typed: string | undefined;
}

/** The question that is signed. `round` is 0 at first, then how often it was asked again. */
export interface SignedQuestion {
  call: WriteCall;
  facts: Facts;
  round: number;
  id: string;
  /** The digest of the text that is shown. */
  shown: string;
  /** The digest of the text that the user has to type. */
  typed?: string | undefined;
}

/**
 * `v1.<what>.<signature>`; what = base64url of
 * `{"u":route,"i":id,"s":store,"e":expiry,"b":binding,"f":facts,"r":round,"q":shown,"t":typed,"x":edits}`.
 */
export function sign(
  route: AskRoute,
  store: string,
  { call, facts, round, id, shown, typed }: SignedQuestion,
  options: SigningOptions,
): string {
  const content = {
    u: route,
    i: id,
    s: store,
    e: call.now.getTime() + CONFIRMATION_TTL_MS,
    b: bindingOf(call, options),
    f: facts,
    r: round,
    q: Buffer.from(shown, 'hex').toString('base64url'),
    ...(typed !== undefined && { t: typed }),
    ...(call.edited && { x: call.edited.edits }),
  };
  return signedText(content, options.key);
}

/** What a signed text is for: one that was signed for something else is not genuine. */
type Purpose = 'confirmation' | 'export' | 'billing_approve' | 'billing_approve_sign_in';

/** `v1.<content>.<signature>` */
export function signedText(content: object, key: Uint8Array, purpose: Purpose = 'confirmation'): string {
  const body = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `v1.${body}.${signatureOf(body, key, purpose)}`;
}

/** What every refusal of a confirmation names. */
export function ofConfirmation({ tool, context }: Pick<WriteCall, 'tool' | 'context'>) {
  return { tool: tool.name, decided: context.decided !== undefined };
}

/** An answer that comes by another route than its question is refused. */
export function verify({ route, signed }: CameBack, call: WriteCall, options: SigningOptions): Verified {
  const facts = ofConfirmation(call);
  const refused = (error: OwnError): Extract<Verified, { ok: false }> => ({ ok: false, error });
  if (signed === undefined) return refused(refuse('confirmation_invalid', { ...facts, why: 'forged' }));
  const { u, i, s, e, b, f, r, t } = signed;
  if (u !== route) return refused(refuse('confirmation_invalid', { ...facts, why: 'elsewhere' }));
  if (!isSameText(b, bindingOf(call, options))) return refused(refuse('confirmation_mismatch', facts));
  if (e <= call.now.getTime()) return { ...refused(refuse('confirmation_expired', facts)), expired: i };
  return { ok: true, id: i, store: String(s), expires: e, facts: f, round: r, typed: t };
}

/** The signed text's content; undefined unless the signature is ours. */
// biome-ignore lint/suspicious/noExplicitAny: the content is our own
export function signedIn(text: string | undefined, key: Uint8Array, purpose: Purpose = 'confirmation'): any {
  const [version, body, signature, ...rest] = (text ?? '').slice(0, longestSigned).split('.');
  const genuine =
    version === 'v1' &&
    body &&
    signature &&
    rest.length === 0 &&
    isSameText(signature, signatureOf(body, key, purpose));
  return genuine ? JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) : undefined;
}

/** An answer that a call brings: the way of the question that it answers, and what is signed in it, as of `signedIn`. */
export interface CameBack {
  route: AskRoute;
  signed: ReturnType<typeof signedIn>;
}

type Answering = Pick<WriteCall, 'context' | 'control' | 'shown'>;

/** Undefined where the call answers nothing. */
export function cameBack(
  { context: { decided, client }, control: { confirmation } }: Answering,
  { key }: Pick<SigningOptions, 'key'>,
): CameBack | undefined {
  if (decided === undefined && client.reply === undefined && confirmation === undefined) return undefined;
  const signed = signedIn(decided?.confirmation ?? (client.reply ? client.state : confirmation), key);
  if (decided) return { route: 'buttons', signed };
  if (client.reply) return { route: signed?.u === 'url' ? 'url' : 'form', signed };
  return { route: signed?.u === 'link' ? 'link' : 'token', signed };
}

/** The answer of a call that waits for an approval page; undefined where it waits for none. */
export function awaitedOnPage(answering: Answering, options: Pick<SigningOptions, 'key'>): CameBack | undefined {
  const came = cameBack(answering, options);
  if (came === undefined || !isOnPage(came.route)) return undefined;
  return came.route === 'link' || answering.context.client.reply?.action === 'accept' ? came : undefined;
}

/** The edits that the answered question was asked with, which the client does not repeat in the arguments. */
export function signedEdits(came: CameBack | undefined): ValueEdit[] {
  return came?.signed?.x ?? [];
}

/** Is a question in this way decided on an approval page? */
export const isOnPage = (route: AskRoute): boolean => route === 'url' || route === 'link';

/**
 * The id of a question's approval page. A link alone opens its page, so its id is none that stands on the audit log or
 * in the signed text.
 */
export function pageIdOf({ id, route }: { id: string; route: AskRoute }, { key }: Pick<SigningOptions, 'key'>): string {
  if (route !== 'link') return id;
  return Buffer.from(signatureOf(id, key, 'link'), 'base64url')
    .subarray(0, 16)
    .toString('base64url');
}

/** The digest of the question that the call answers; null where it answers none of ours. */
export function shownTo(call: Answering, options: Pick<SigningOptions, 'key'>): string | null {
  if (call.shown !== undefined) return call.shown;
  const shown: unknown = cameBack(call, options)?.signed?.q;
  return typeof shown === 'string' ? Buffer.from(shown, 'base64url').toString('hex') : null;
}

/** The digest of a text that was shown: the first 32 hexadecimal digits of its SHA-256. */
export function digestOf(text: string): string {
  return hash('sha256', text).slice(0, 32);
}

/** Characters of a signed text that are looked at. */
export const longestSigned = 8000;

/** The keyed digest of a text for one purpose, which tells nothing about the text. */
export function signatureOf(body: string, key: Uint8Array, purpose: Purpose | 'binding' | 'fact' | 'link' | 'proof') {
  return createHmac('sha256', key).update(`usage-billing-mcp ${purpose}\0${body}`).digest('base64url');
}

/** A keyed digest, so that the client learns nothing about account or key. */
export function bindingOf<Bound extends Pick<WriteCall, 'args'> & { tool: { name: string }; caller: { id: string } }>(
  call: Bound,
  options: { key: Uint8Array; accountOf(call: Bound): AccountName },
): string {
  const { baseUrl, apiKey, name } = options.accountOf(call);
  const account = hash('sha256', name ?? JSON.stringify([baseUrl, apiKey]), 'base64url');
  const parts = [call.tool.name, canonicalJson(call.args), account, call.caller.id];
  return signatureOf(JSON.stringify(parts), options.key, 'binding');
}

/** Keyed, so that no one can guess values from them; short, because the state travels through the client. */
export function digestsOf(facts: object, { key }: Pick<SigningOptions, 'key'>): Facts {
  const entries = Object.entries(facts).map(([field, value]) => {
    const digest = signatureOf(`${field}\0${canonicalJson(value ?? null)}`, key, 'fact');
    return [field, digest.slice(0, 12)];
  });
  return Object.fromEntries(entries);
}

/** The digest of a text that the user types, without what surrounds it. */
export function typedDigest(text: string, options: Pick<SigningOptions, 'key'>): string | undefined {
  return digestsOf({ typed: text.trim() }, options).typed;
}

function isSameText(left: unknown, right: string): boolean {
  if (typeof left !== 'string') return false;
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The same text for equal values: keys sorted at every depth, absent fields left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, entry: unknown) =>
    isRecord(entry)
      ? Object.fromEntries(Object.entries(entry).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)))
      : entry,
  );
}
