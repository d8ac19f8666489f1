/** `/approve/ID`: the approval page, on which the signed-in caller of a write approves or declines it. */
import { parse } from 'node:querystring';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { credentialOf } from '../../../calls/access/intersect-customers.ts';
import type { PagePrompt, Pages } from '../../../calls/change/ask/agreements.ts';
import { signedIn as contentOf, signatureOf, signedText } from '../../../calls/change/ask/signed-state.ts';
import { type Language, languageAccepted } from '../../../contract/labels/labels.ts';
import { membersOf } from '../../../lib/json.ts';
import type { Config } from '../../settings/settings.ts';
import type { Authenticate } from '../auth.ts';
import { sameSecret } from '../credentials.ts';
import { addressOf } from '../guards.ts';
import type { HttpSettings } from '../settings.ts';
import { type ApprovalPageOffer, approvalPath } from './offer.ts';
import * as html from './page.ts';
import type { SignIn, SignInUnderWay } from './sign-in.ts';

export interface ApprovalParts {
  settings: Pick<HttpSettings, 'auth' | 'oauth' | 'publicUrl' | 'rateLimit'>;
  offer: ApprovalPageOffer;
  stateKey: Uint8Array;
  authenticate: Authenticate;
  /** Over stdio: the only caller, and pages whose address no other page is told, not even one of this server. */
  overStdio?: { caller: string };
  /** Where the billing API is, which the page names. */
  config: Pick<Config, 'demo' | 'baseUrl'>;
  pages(): Promise<Pages>;
}

interface ApprovalSite extends ApprovalParts {
  /** The public address of all approval pages. */
  base(): URL;
  signIn(): Promise<SignIn>;
}

type QuestionRequest = FastifyRequest<{
  Params: { id: string };
  Querystring: { readonly [Name in typeof html.stillQuery | typeof html.signInQuery]?: unknown };
}>;

/** What a browser keeps: who signed in, and a sign-in that is under way, with the question that it is for. */
interface Kept {
  billing_approve: { caller: string };
  billing_approve_sign_in: SignInUnderWay & { id: string };
}

const keptMs = { billing_approve: 60 * 60_000, billing_approve_sign_in: 10 * 60_000 };
const sessionCookie = 'billing_approve';
const flowCookie = 'billing_approve_sign_in';

/** Registers the approval pages in a scope of their own, because forms are read nowhere else. */
export function registerApprovals(app: FastifyInstance, parts: ApprovalParts): void {
  let signIn: Promise<SignIn> | undefined;
  const site: ApprovalSite = {
    ...parts,
    base: () => parts.offer.base(portOf(app)),
    signIn: () => {
      signIn ??= loadSignIn(parts.settings);
      return signIn;
    },
  };
  app.register(async scope => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 8192 },
      (_request, body, done) => done(null, parse(body as string)),
    );
    if (parts.overStdio !== undefined)
      scope.addHook('onSend', async (_request, reply) => void reply.header('referrer-policy', 'no-referrer'));
    scope.setErrorHandler((error: { statusCode?: number; message: string }, request, reply) => {
      const status = error.statusCode ?? 500;
      if (status >= 500) request.log.error({ err: error.message }, 'approval page failed');
      return sendMessage(request, reply, status, 'not_now', status === 429 ? 'too_many' : 'not_handled');
    });
    const route = {
      config: parts.settings.rateLimit > 0 ? { rateLimit: {} } : {},
      onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
        // Counted like other requests that are not admitted yet: tries to sign in are limited by address.
        request.countedAs = addressOf(request);
        if (comesFromElsewhere(request, site)) return sendMessage(request, reply, 403, 'not_taken', 'from_elsewhere');
      },
    };
    if (parts.settings.auth === 'oauth') {
      scope.get(`${approvalPath}callback`, route, (request, reply) => finishSignIn(site, request, reply));
    }
    scope.get(`${approvalPath}:id`, route, (request, reply) => showQuestion(site, request as QuestionRequest, reply));
    scope.post(`${approvalPath}:id`, route, (request, reply) => takeForm(site, request as QuestionRequest, reply));
  });
}

/** The address of a question's approval page. */
export function approvalPageAddress(app: FastifyInstance, offer: ApprovalPageOffer, id: string): string {
  return new URL(id, offer.base(portOf(app))).href;
}

function portOf(app: FastifyInstance): number {
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/**
 * A form of another web page, or a name that is not ours (DNS rebinding). No web page can write Origin and Sec-Fetch-Site
 * itself; older browsers send only the first. A page that tells no referrer tells no origin either: its forms come from null.
 */
function comesFromElsewhere({ headers, method }: FastifyRequest, { base, settings, overStdio }: ApprovalSite): boolean {
  const { origin, host } = base();
  if (settings.publicUrl === undefined && headers.host !== host) return true;
  const { origin: from, 'sec-fetch-site': site } = headers;
  if (overStdio !== undefined && method === 'POST' && from === 'null') return site !== 'same-origin';
  if (method === 'GET') return from !== undefined && from !== origin;
  return from !== origin || (site !== undefined && site !== 'same-origin');
}

async function showQuestion(site: ApprovalSite, request: QuestionRequest, reply: FastifyReply) {
  const caller = signedIn(site, request);
  if (caller === undefined) return askToSignIn(site, request, reply);
  const question = await questionFor(site, request, reply, caller);
  if (question === undefined) return reply;
  const { standing } = question;
  const state = html.stateOf(standing, Date.now());
  const view = { proof: proofOf(site, request, standing), still: request.query[html.stillQuery] !== undefined };
  return sendPage(reply, 200, html.questionPage(languageOf(request), standing, state, view));
}

async function takeForm(site: ApprovalSite, request: QuestionRequest, reply: FastifyReply) {
  const form = membersOf<'credential' | 'decision' | 'proof'>(request.body);
  if (form.credential !== undefined) return takeCredential(site, request, reply, form.credential);
  const caller = signedIn(site, request);
  if (caller === undefined) {
    if (site.settings.auth !== 'oauth') return backToPage(site, request.params.id, reply);
    // Browsers follow no form to another server (form-action), not even through our own page.
    return sendMessage(request, reply, 401, 'not_signed_in', 'session_ended');
  }
  const { decision, proof: sent } = form;
  const question = await questionFor(site, request, reply, caller);
  if (question === undefined) return reply;
  const { standing, pages } = question;
  const proof = proofOf(site, request, standing);
  if (typeof sent !== 'string' || !sameSecret(sent, proof))
    return sendMessage(request, reply, 403, 'not_taken', 'from_elsewhere');
  const open = html.stateOf(standing, Date.now()) === 'open';
  if (open && (decision === 'approve' || decision === 'decline')) {
    const decided = await pages.decide(standing.id, decision, form);
    if (decided === 'typed_differs' || decided === 'value_invalid') {
      const view = { proof, still: false, problem: decided };
      return sendPage(reply, 422, html.questionPage(languageOf(request), standing, 'open', view));
    }
  }
  return backToPage(site, request.params.id, reply);
}

/** The question, if it was put to this caller; else sends the page that says why not, and returns undefined. */
async function questionFor(
  site: ApprovalSite,
  request: QuestionRequest,
  reply: FastifyReply,
  caller: string,
): Promise<{ standing: PagePrompt; pages: Pages } | undefined> {
  const pages = await site.pages();
  const standing = isId(request.params.id) ? await pages.look(request.params.id) : undefined;
  if (standing === undefined) {
    sendMessage(request, reply, 404, 'no_question', 'nothing_there');
    return undefined;
  }
  const { caller: addressee } = standing.approval;
  if (addressee === caller) return { standing, pages };
  // When the page is opened again, it asks who the user is.
  const { auth } = site.settings;
  if (auth !== 'none') setCookie(site, reply, sessionCookie, '', 0);
  if (withoutRole(addressee) === withoutRole(caller)) sendMessage(request, reply, 403, 'not_yours', 'other_role');
  else sendMessage(request, reply, 403, 'not_yours', 'somebody_else', ...ownCredential[auth]);
  return undefined;
}

/** What to do about a question that was put to another caller: the user may have that caller's credential, too. */
const ownCredential = {
  none: [],
  token: ['own_token'],
  'api-key': ['own_api_key'],
  oauth: ['own_sign_in'],
} as const satisfies Record<HttpSettings['auth'], readonly html.Sentence[]>;

/** A label names the role behind `/`: who decides needs the rights of who asks, in the same role. */
function withoutRole(caller: string): string {
  return caller.split('/')[0] ?? caller;
}

function isId(text: string): boolean {
  return /^[\w-]{22}$/.test(text);
}

/** The caller whom this browser has signed in as. On loopback without authentication there is only one. */
function signedIn(site: ApprovalSite, request: FastifyRequest): string | undefined {
  if (site.settings.auth === 'none') return site.overStdio?.caller ?? 'local';
  return keptIn(site, request, sessionCookie)?.caller;
}

/**
 * Of the prompt that is shown: another window may still show the one before a correction. A digest, since the page must not
 * hold the cookie.
 */
function proofOf({ stateKey }: ApprovalSite, request: QuestionRequest, { id }: PagePrompt): string {
  return signatureOf(JSON.stringify([id, cookieOf(request, sessionCookie) ?? '']), stateKey, 'proof');
}

/** The signed text in this cookie; undefined where it is altered, expired, or of another one. */
function keptIn<Name extends keyof Kept>(site: ApprovalSite, request: FastifyRequest, name: Name) {
  const content: (Kept[Name] & { expires: number }) | undefined = contentOf(
    cookieOf(request, name),
    site.stateKey,
    name,
  );
  return content !== undefined && content.expires > Date.now() ? content : undefined;
}

function keepIn<Name extends keyof Kept>(site: ApprovalSite, reply: FastifyReply, name: Name, content: Kept[Name]) {
  const text = signedText({ ...content, expires: Date.now() + keptMs[name] }, site.stateKey, name);
  setCookie(site, reply, name, text, keptMs[name]);
}

/** A user sees whose page this is before going to the issuer; no link on another page can skip that. */
async function askToSignIn(site: ApprovalSite, request: QuestionRequest, reply: FastifyReply) {
  const { auth, oauth } = site.settings;
  const language = languageOf(request);
  if (auth === 'token' || auth === 'api-key')
    return sendPage(reply, 200, html.signInPage(language, ownerOf(site), auth));
  const { id } = request.params;
  if (!isId(id)) return sendMessage(request, reply, 404, 'no_question', 'nothing_there');
  const from = request.headers['sec-fetch-site'] ?? 'same-origin';
  if (request.query[html.signInQuery] === undefined || from !== 'same-origin') {
    const { host } = new URL(oauth?.issuer ?? '');
    return sendPage(reply, 200, html.signInPage(language, ownerOf(site), { issuer: host }));
  }
  try {
    const { url, underWay } = await (await site.signIn()).begin(callbackOf(site).href);
    keepIn(site, reply, flowCookie, { ...underWay, id });
    return withPageHeaders(reply).redirect(url, 303);
  } catch {
    return sendMessage(request, reply, 503, 'not_now', 'issuer_silent');
  }
}

function ownerOf({ base, settings, config: { demo, baseUrl } }: ApprovalSite): html.Owner {
  return {
    address: settings.publicUrl ?? new URL('../mcp', base()).href,
    billingApi: demo ? 'demo' : baseUrl && new URL(baseUrl).host,
  };
}

async function takeCredential(site: ApprovalSite, request: QuestionRequest, reply: FastifyReply, credential: unknown) {
  const { auth } = site.settings;
  if (auth !== 'token' && auth !== 'api-key') return sendMessage(request, reply, 400, 'not_taken', 'open_again');
  const text = typeof credential === 'string' ? credential.trim() : '';
  const admission = await site.authenticate(
    auth === 'token' ? { authorization: `Bearer ${text}` } : { 'x-billing-api-key': text },
  );
  if (admission.ok === true) return welcome(site, credentialOf(admission.caller), request.params.id, reply);
  // The credential is known, but has no role.
  const refusal = admission.ok === false && admission.refusal.code !== undefined ? admission.refusal : undefined;
  const problem: html.Sentence[] = refusal
    ? ['not_admitted', { english: refusal.message }]
    : [auth === 'token' ? 'token_unknown' : 'api_key_unknown'];
  return sendPage(reply, refusal?.status ?? 401, html.signInPage(languageOf(request), ownerOf(site), auth, problem));
}

async function finishSignIn(site: ApprovalSite, request: FastifyRequest, reply: FastifyReply) {
  setCookie(site, reply, flowCookie, '', 0);
  const underWay = keptIn(site, request, flowCookie);
  const refuse = (...texts: html.Sentence[]) => sendMessage(request, reply, 403, 'not_signed_in', ...texts);
  if (underWay === undefined) return refuse('open_again');
  const redirectUri = callbackOf(site);
  const callback = new URL(redirectUri);
  callback.search = request.url.slice(request.url.indexOf('?') + 1);
  let token: string;
  try {
    token = await (await site.signIn()).finish(callback, redirectUri.href, underWay);
  } catch {
    return refuse('issuer_refused');
  }
  const first = await site.authenticate({ authorization: `Bearer ${token}` });
  const admission = first.ok === 'unknown' ? await first.decide() : first;
  if (!admission.ok) return refuse('not_admitted', { english: admission.refusal.message });
  return welcome(site, credentialOf(admission.caller), underWay.id, reply);
}

/** Signed in: the cookie holds the caller and nothing else. */
function welcome(site: ApprovalSite, caller: string, id: string, reply: FastifyReply) {
  keepIn(site, reply, sessionCookie, { caller });
  return backToPage(site, id, reply);
}

function callbackOf({ base }: ApprovalSite): URL {
  return new URL('callback', base());
}

async function loadSignIn({ oauth, publicUrl }: ApprovalParts['settings']): Promise<SignIn> {
  if (oauth === undefined) throw new Error('OAuth needs an issuer');
  return (await import('./sign-in.ts')).createSignIn(oauth, publicUrl ?? oauth.audience);
}

function backToPage({ base }: ApprovalSite, id: string, reply: FastifyReply) {
  return withPageHeaders(reply).redirect(isId(id) ? new URL(id, base()).href : base().href, 303);
}

function sendMessage(request: FastifyRequest, reply: FastifyReply, status: number, ...message: Message) {
  return sendPage(reply, status, html.messagePage(languageOf(request), ...message));
}

type Message = Parameters<typeof html.messagePage> extends [unknown, ...infer Rest] ? Rest : never;

function languageOf({ headers }: FastifyRequest): Language {
  return languageAccepted(headers['accept-language']);
}

function sendPage(reply: FastifyReply, status: number, html: string) {
  return withPageHeaders(reply).code(status).type('text/html; charset=utf-8').send(html);
}

/** The guards set nosniff and the rest. */
function withPageHeaders(reply: FastifyReply): FastifyReply {
  return reply
    .header('content-security-policy', html.contentPolicy)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'same-origin');
}

function setCookie(
  { base, offer }: ApprovalSite,
  reply: FastifyReply,
  name: string,
  value: string,
  forMs: number,
): void {
  const path = base().pathname.replace(/\/$/, '');
  const parts = [`${name}=${value}`, `Path=${path}`, `Max-Age=${forMs / 1000}`, 'HttpOnly', 'SameSite=Lax'];
  if (offer.secure) parts.push('Secure');
  const set = reply.getHeader('set-cookie');
  const earlier = set === undefined ? [] : [set].flat().map(String);
  reply.removeHeader('set-cookie').header('set-cookie', [...earlier, parts.join('; ')]);
}

function cookieOf({ headers }: FastifyRequest, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map(pair => pair.trim());
  return pairs.find(pair => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
