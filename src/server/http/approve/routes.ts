/** `/approve/ID`: the page on which the signed-in caller of a write approves or declines it. */
import { parse } from 'node:querystring';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { credentialOf } from '../../../calls/policy/intersect-customers.ts';
import type { Pages } from '../../../calls/policy/write.ts';
import type { Standing } from '../../../calls/policy/write-stores.ts';
import { type Language, languageAccepted } from '../../../contract/labels/index.ts';
import type { Config } from '../../settings/settings.ts';
import type { Authenticate } from '../auth.ts';
import { sameSecret } from '../credentials.ts';
import { addressOf } from '../guards.ts';
import type { HttpSettings } from '../settings.ts';
import { type PageOffer, pagePath } from './offer.ts';
import {
  messagePage,
  type Owner,
  pagePolicy,
  questionPage,
  type Sentence,
  signInPage,
  signInQuery,
  stateOf,
  stillQuery,
} from './page.ts';
import { createSeal, type Seal } from './seal.ts';
import type { SignIn } from './sign-in.ts';

export interface ApprovalParts {
  settings: HttpSettings;
  offer: PageOffer;
  stateKey: Uint8Array;
  authenticate: Authenticate;
  /** Where the billing API is, which the page names. */
  config: Pick<Config, 'demo' | 'baseUrl'>;
  pages(): Promise<Pages>;
}

interface Parts extends ApprovalParts {
  seal: Seal;
  /** The address that everything is below. */
  base(): URL;
  signIn(): Promise<SignIn>;
}

type Opened = FastifyRequest<{ Params: { id: string }; Querystring: Record<string, unknown> }>;

const sessionCookie = 'billing_approve';
const sessionMs = 60 * 60_000;
const flowCookie = 'billing_approve_sign_in';
const flowMs = 10 * 60_000;

/** Registers the pages in a scope of their own: only here forms are read. */
export function registerApprovals(app: FastifyInstance, parts: ApprovalParts): void {
  let signIn: Promise<SignIn> | undefined;
  const whole: Parts = {
    ...parts,
    seal: createSeal(parts.stateKey),
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
    scope.setErrorHandler((error: { statusCode?: number; message: string }, request, reply) => {
      const status = error.statusCode ?? 500;
      if (status >= 500) request.log.error({ err: error.message }, 'approval page failed');
      return tell(request, reply, status, 'not_now', status === 429 ? 'too_many' : 'not_handled');
    });
    const route = {
      config: parts.settings.rateLimit > 0 ? { rateLimit: {} } : {},
      onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
        // Counted like other requests that are not admitted yet: tries to sign in are limited by address.
        request.countedAs = addressOf(request);
        if (comesFromElsewhere(request, whole)) return tell(request, reply, 403, 'not_taken', 'from_elsewhere');
      },
    };
    if (parts.settings.auth === 'oauth') {
      scope.get(`${pagePath}callback`, route, (request, reply) => finishSignIn(whole, request, reply));
    }
    scope.get(`${pagePath}:id`, route, (request, reply) => open(whole, request as Opened, reply));
    scope.post(`${pagePath}:id`, route, (request, reply) => post(whole, request as Opened, reply));
  });
}

/** The address of a question's page. */
export function pageAddress(app: FastifyInstance, offer: PageOffer, id: string): string {
  return new URL(id, offer.base(portOf(app))).href;
}

function portOf(app: FastifyInstance): number {
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/**
 * A form of another page, or a name that is not ours (DNS rebinding). No page can write Origin and Sec-Fetch-Site
 * itself; older browsers send only the first.
 */
function comesFromElsewhere({ headers, method }: FastifyRequest, { base, settings }: Parts): boolean {
  const { origin, host } = base();
  if (settings.publicUrl === undefined && headers.host !== host) return true;
  const { origin: from, 'sec-fetch-site': site } = headers;
  if (method === 'GET') return from !== undefined && from !== origin;
  return from !== origin || (site !== undefined && site !== 'same-origin');
}

async function open(parts: Parts, request: Opened, reply: FastifyReply) {
  const caller = signedIn(parts, request);
  if (caller === undefined) return askToSignIn(parts, request, reply);
  const found = await questionFor(parts, request, reply, caller);
  if (found === undefined) return reply;
  const { standing } = found;
  const state = stateOf(standing, Date.now());
  const shown = { proof: proofOf(parts, request), still: request.query[stillQuery] !== undefined };
  return show(reply, 200, questionPage(languageOf(request), standing, state, shown));
}

async function post(parts: Parts, request: Opened, reply: FastifyReply) {
  const form = (request.body ?? {}) as Record<string, unknown>;
  if (form.credential !== undefined) return takeCredential(parts, request, reply, form.credential);
  const caller = signedIn(parts, request);
  if (caller === undefined) {
    if (parts.settings.auth !== 'oauth') return backToPage(parts, request.params.id, reply);
    // Browsers follow no form to another server (form-action), not even through our own page.
    return tell(request, reply, 401, 'not_signed_in', 'session_ended');
  }
  const { decision, proof } = form;
  if (typeof proof !== 'string' || !sameSecret(proof, proofOf(parts, request))) {
    return tell(request, reply, 403, 'not_taken', 'from_elsewhere');
  }
  const found = await questionFor(parts, request, reply, caller);
  if (found === undefined) return reply;
  const { standing, pages } = found;
  const open = stateOf(standing, Date.now()) === 'open';
  if (open && (decision === 'approve' || decision === 'decline')) await pages.decide(request.params.id, decision);
  return backToPage(parts, request.params.id, reply);
}

/** The question, when it was put to this caller; undefined when the answer is sent already. */
async function questionFor(
  parts: Parts,
  request: Opened,
  reply: FastifyReply,
  caller: string,
): Promise<{ standing: Standing; pages: Pages } | undefined> {
  const pages = await parts.pages();
  const standing = isId(request.params.id) ? await pages.look(request.params.id) : undefined;
  if (standing === undefined) {
    tell(request, reply, 404, 'no_question', 'nothing_there');
    return undefined;
  }
  const { caller: asked } = standing.approval;
  if (asked === caller) return { standing, pages };
  // Opened again, the page asks who it is.
  const { auth } = parts.settings;
  if (auth !== 'none') setCookie(parts, reply, sessionCookie, '', 0);
  if (withoutRole(asked) === withoutRole(caller)) tell(request, reply, 403, 'not_yours', 'other_role');
  else tell(request, reply, 403, 'not_yours', 'somebody_else', ...ownCredential[auth]);
  return undefined;
}

/** What to do about a question that was put to another caller, whose credential the person may have. */
const ownCredential = {
  none: [],
  token: ['own_token'],
  'api-key': ['own_api_key'],
  oauth: ['own_sign_in'],
} as const satisfies Record<HttpSettings['auth'], readonly Sentence[]>;

/** A label names the role behind `/`: who decides needs the rights of who asks, in the same role. */
function withoutRole(caller: string): string {
  return caller.split('/')[0] ?? caller;
}

function isId(text: string): boolean {
  return /^[\w-]{22}$/.test(text);
}

/** The caller whom this browser has signed in as. On loopback without authentication there is only one. */
function signedIn({ settings, seal }: Parts, request: FastifyRequest): string | undefined {
  if (settings.auth === 'none') return 'local';
  const content = seal.open('session', cookieOf(request, sessionCookie), Date.now());
  return typeof content?.caller === 'string' ? content.caller : undefined;
}

function proofOf({ seal }: Parts, request: Opened): string {
  return seal.proof(request.params.id, cookieOf(request, sessionCookie) ?? '');
}

/** Nobody is sent to the issuer before they have seen whose page this is: not by a link on another page either. */
async function askToSignIn(parts: Parts, request: Opened, reply: FastifyReply) {
  const { auth, oauth } = parts.settings;
  const language = languageOf(request);
  if (auth === 'token' || auth === 'api-key') return show(reply, 200, signInPage(language, ownerOf(parts), auth));
  const { id } = request.params;
  if (!isId(id)) return tell(request, reply, 404, 'no_question', 'nothing_there');
  const from = request.headers['sec-fetch-site'] ?? 'same-origin';
  if (request.query[signInQuery] === undefined || from !== 'same-origin') {
    const { host } = new URL(oauth?.issuer ?? '');
    return show(reply, 200, signInPage(language, ownerOf(parts), { issuer: host }));
  }
  try {
    const { url, underWay } = await (await parts.signIn()).begin(callbackOf(parts).href);
    setCookie(parts, reply, flowCookie, parts.seal.seal('sign-in', { ...underWay, id }, Date.now() + flowMs), flowMs);
    return headed(reply).redirect(url, 303);
  } catch {
    return tell(request, reply, 503, 'not_now', 'issuer_silent');
  }
}

function ownerOf({ base, settings, config: { demo, baseUrl } }: Parts): Owner {
  return {
    address: settings.publicUrl ?? new URL('../mcp', base()).href,
    billingApi: demo ? 'demo' : baseUrl && new URL(baseUrl).host,
  };
}

async function takeCredential(parts: Parts, request: Opened, reply: FastifyReply, credential: unknown) {
  const { auth } = parts.settings;
  if (auth !== 'token' && auth !== 'api-key') return tell(request, reply, 400, 'not_taken', 'open_again');
  const text = typeof credential === 'string' ? credential.trim() : '';
  const admission = await parts.authenticate(
    auth === 'token' ? { authorization: `Bearer ${text}` } : { 'x-billing-api-key': text },
  );
  if (admission.ok === true) return welcome(parts, credentialOf(admission.caller), request.params.id, reply);
  // A credential that is known, without a role.
  const told = admission.ok === false && admission.refusal.code !== undefined ? admission.refusal : undefined;
  const problem: Sentence[] = told
    ? ['not_admitted', { english: told.message }]
    : [auth === 'token' ? 'token_unknown' : 'api_key_unknown'];
  return show(reply, told?.status ?? 401, signInPage(languageOf(request), ownerOf(parts), auth, problem));
}

async function finishSignIn(parts: Parts, request: FastifyRequest, reply: FastifyReply) {
  setCookie(parts, reply, flowCookie, '', 0);
  const content = parts.seal.open('sign-in', cookieOf(request, flowCookie), Date.now());
  const { underWayIn } = await import('./sign-in.ts');
  const underWay = underWayIn(content);
  const refused = (...texts: Sentence[]) => tell(request, reply, 403, 'not_signed_in', ...texts);
  if (underWay === undefined || typeof content?.id !== 'string') return refused('open_again');
  const redirectUri = callbackOf(parts);
  const callback = new URL(redirectUri);
  callback.search = request.url.slice(request.url.indexOf('?') + 1);
  let token: string;
  try {
    token = await (await parts.signIn()).finish(callback, redirectUri.href, underWay);
  } catch {
    return refused('issuer_refused');
  }
  const first = await parts.authenticate({ authorization: `Bearer ${token}` });
  const admission = first.ok === 'unknown' ? await first.decide() : first;
  if (!admission.ok) return refused('not_admitted', { english: admission.refusal.message });
  return welcome(parts, credentialOf(admission.caller), content.id, reply);
}

/** Signed in: the cookie holds the caller and nothing else. */
function welcome(parts: Parts, caller: string, id: string, reply: FastifyReply) {
  setCookie(parts, reply, sessionCookie, parts.seal.seal('session', { caller }, Date.now() + sessionMs), sessionMs);
  return backToPage(parts, id, reply);
}

function callbackOf({ base }: Parts): URL {
  return new URL('callback', base());
}

async function loadSignIn({ oauth, publicUrl }: HttpSettings): Promise<SignIn> {
  if (oauth === undefined) throw new Error('OAuth needs an issuer');
  return (await import('./sign-in.ts')).createSignIn(oauth, publicUrl ?? oauth.audience);
}

function backToPage({ base }: Parts, id: string, reply: FastifyReply) {
  return headed(reply).redirect(isId(id) ? new URL(id, base()).href : base().href, 303);
}

/** In the language of the browser, as every frame here. */
function tell(request: FastifyRequest, reply: FastifyReply, status: number, ...told: Told) {
  return show(reply, status, messagePage(languageOf(request), ...told));
}

type Told = Parameters<typeof messagePage> extends [unknown, ...infer Rest] ? Rest : never;

function languageOf({ headers }: FastifyRequest): Language {
  return languageAccepted(headers['accept-language']);
}

function show(reply: FastifyReply, status: number, html: string) {
  return headed(reply).code(status).type('text/html; charset=utf-8').send(html);
}

/** The guards set nosniff and the rest. */
function headed(reply: FastifyReply): FastifyReply {
  return reply
    .header('content-security-policy', pagePolicy)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'same-origin');
}

function setCookie({ base, offer }: Parts, reply: FastifyReply, name: string, value: string, forMs: number): void {
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
