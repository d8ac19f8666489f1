/** `/approve/ID`: the page on which the signed-in caller of a write approves or declines it. */
import { parse } from 'node:querystring';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { credentialOf } from '../../../policy/bound.ts';
import type { Approval, Approvals } from '../../../policy/write-stores.ts';
import type { Authenticate } from '../auth.ts';
import { sameSecret } from '../credentials.ts';
import { addressOf } from '../guards.ts';
import type { HttpSettings } from '../settings.ts';
import { type PageOffer, pagePath } from './offer.ts';
import { messagePage, pagePolicy, questionPage, signInPage } from './page.ts';
import { createSeal, type Seal } from './seal.ts';
import type { SignIn } from './sign-in.ts';

export interface ApprovalParts {
  settings: HttpSettings;
  offer: PageOffer;
  stateKey: Uint8Array;
  authenticate: Authenticate;
  approvals(): Promise<Approvals>;
}

interface Pages extends ApprovalParts {
  seal: Seal;
  /** The address that everything is below. */
  base(): URL;
  signIn(): Promise<SignIn>;
}

type Opened = FastifyRequest<{ Params: { id: string } }>;

const sessionCookie = 'billing_approve';
const sessionMs = 60 * 60_000;
const flowCookie = 'billing_approve_sign_in';
const flowMs = 10 * 60_000;

/** Registers the pages in a scope of their own: only here forms are read. */
export function registerApprovals(app: FastifyInstance, parts: ApprovalParts): void {
  let signIn: Promise<SignIn> | undefined;
  const pages: Pages = {
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
      const text = status === 429 ? error.message : 'This request could not be handled. Open the link again.';
      return show(reply, status, messagePage('Not now', text));
    });
    const route = {
      config: parts.settings.rateLimit > 0 ? { rateLimit: {} } : {},
      onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
        // Counted like other requests that are not admitted yet: tries to sign in are limited by address.
        request.countedAs = addressOf(request);
        if (comesFromElsewhere(request, pages)) {
          return show(reply, 403, messagePage('Refused', 'This request did not come from this page.'));
        }
      },
    };
    if (parts.settings.auth === 'oauth') {
      scope.get(`${pagePath}callback`, route, (request, reply) => finishSignIn(pages, request, reply));
    }
    scope.get(`${pagePath}:id`, route, (request, reply) => open(pages, request as Opened, reply));
    scope.post(`${pagePath}:id`, route, (request, reply) => post(pages, request as Opened, reply));
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
function comesFromElsewhere({ headers, method }: FastifyRequest, { base, settings }: Pages): boolean {
  const { origin, host } = base();
  if (settings.publicUrl === undefined && headers.host !== host) return true;
  const { origin: from, 'sec-fetch-site': site } = headers;
  if (method === 'GET') return from !== undefined && from !== origin;
  return from !== origin || (site !== undefined && site !== 'same-origin');
}

async function open(pages: Pages, request: Opened, reply: FastifyReply) {
  const caller = signedIn(pages, request);
  if (caller === undefined) return askToSignIn(pages, request, reply);
  const found = await questionFor(pages, request, reply, caller);
  if (found === undefined) return reply;
  const { approval, approvals } = found;
  const decision = await approvals.decision(request.params.id);
  if (decision !== undefined && decision !== 'missing') return show(reply, 200, questionPage(approval, decision));
  if (approval.expires <= Date.now()) return show(reply, 200, questionPage(approval, 'expired'));
  return show(reply, 200, questionPage(approval, { proof: proofOf(pages, request) }));
}

async function post(pages: Pages, request: Opened, reply: FastifyReply) {
  const form = (request.body ?? {}) as Record<string, unknown>;
  if (form.credential !== undefined) return takeCredential(pages, request, reply, form.credential);
  const caller = signedIn(pages, request);
  if (caller === undefined) {
    if (pages.settings.auth !== 'oauth') return backToPage(pages, request.params.id, reply);
    // Browsers follow no form to another server (form-action), not even through our own page.
    return show(reply, 401, messagePage('Sign in again', 'Your sign-in has ended. Open the link in the chat again.'));
  }
  const { decision, proof } = form;
  if (typeof proof !== 'string' || !sameSecret(proof, proofOf(pages, request))) {
    return show(reply, 403, messagePage('Refused', 'This request did not come from this page.'));
  }
  const found = await questionFor(pages, request, reply, caller);
  if (found === undefined) return reply;
  const { approval, approvals } = found;
  const open = approval.expires > Date.now();
  if (open && (decision === 'approve' || decision === 'decline')) await approvals.decide(request.params.id, decision);
  return backToPage(pages, request.params.id, reply);
}

/** The question, when it was put to this caller; undefined when the answer is sent already. */
async function questionFor(
  pages: Pages,
  request: Opened,
  reply: FastifyReply,
  caller: string,
): Promise<{ approval: Approval; approvals: Approvals } | undefined> {
  const approvals = await pages.approvals();
  const approval = isId(request.params.id) ? await approvals.find(request.params.id) : undefined;
  if (approval === undefined) {
    show(reply, 404, messagePage('No question', 'There is no such question, or it expired some time ago.'));
    return undefined;
  }
  if (approval.caller === caller) return { approval, approvals };
  // Opened again, the page asks who it is.
  if (pages.settings.auth !== 'none') setCookie(pages, reply, sessionCookie, '', 0);
  const text =
    withoutRole(approval.caller) === withoutRole(caller) ? inAnotherRole : 'This question was put to somebody else.';
  show(reply, 403, messagePage('Not for you', text));
  return undefined;
}

/** A label names the role behind `/`: who decides needs the rights of who asks, in the same role. */
function withoutRole(caller: string): string {
  return caller.split('/')[0] ?? caller;
}

const inAnotherRole =
  'You have signed in with another role than the one that this question was put to. Sign in with that role.';

function isId(text: string): boolean {
  return /^[\w-]{22}$/.test(text);
}

/** The caller whom this browser has signed in as. On loopback without authentication there is only one. */
function signedIn({ settings, seal }: Pages, request: FastifyRequest): string | undefined {
  if (settings.auth === 'none') return 'local';
  const content = seal.open('session', cookieOf(request, sessionCookie), Date.now());
  return typeof content?.caller === 'string' ? content.caller : undefined;
}

function proofOf({ seal }: Pages, request: Opened): string {
  return seal.proof(request.params.id, cookieOf(request, sessionCookie) ?? '');
}

async function askToSignIn(pages: Pages, { params: { id } }: Opened, reply: FastifyReply) {
  const { auth } = pages.settings;
  if (auth === 'token' || auth === 'api-key') return show(reply, 200, signInPage(auth));
  if (!isId(id)) return show(reply, 404, messagePage('No question', 'There is no such question.'));
  try {
    const { url, underWay } = await (await pages.signIn()).begin(callbackOf(pages).href);
    setCookie(pages, reply, flowCookie, pages.seal.seal('sign-in', { ...underWay, id }, Date.now() + flowMs), flowMs);
    return headed(reply).redirect(url, 303);
  } catch {
    const text = 'The authorization server does not answer now. Open the link again shortly.';
    return show(reply, 503, messagePage('Not now', text));
  }
}

async function takeCredential(pages: Pages, request: Opened, reply: FastifyReply, credential: unknown) {
  const { auth } = pages.settings;
  if (auth !== 'token' && auth !== 'api-key') return show(reply, 400, messagePage('Refused', 'Open the link again.'));
  const text = typeof credential === 'string' ? credential.trim() : '';
  const admission = await pages.authenticate(
    auth === 'token' ? { authorization: `Bearer ${text}` } : { 'x-billing-api-key': text },
  );
  if (admission.ok !== true) {
    // A credential that is known, without a role.
    const told = admission.ok === false && admission.refusal.code !== undefined ? admission.refusal : undefined;
    return show(reply, told?.status ?? 401, signInPage(auth, told?.message ?? 'This is not known here.'));
  }
  return welcome(pages, credentialOf(admission.caller), request.params.id, reply);
}

async function finishSignIn(pages: Pages, request: FastifyRequest, reply: FastifyReply) {
  setCookie(pages, reply, flowCookie, '', 0);
  const content = pages.seal.open('sign-in', cookieOf(request, flowCookie), Date.now());
  const { underWayIn } = await import('./sign-in.ts');
  const underWay = underWayIn(content);
  const refused = (text: string) => show(reply, 403, messagePage('Not signed in', text));
  if (underWay === undefined || typeof content?.id !== 'string') return refused('Open the link in the chat again.');
  const redirectUri = callbackOf(pages);
  const callback = new URL(redirectUri);
  callback.search = request.url.slice(request.url.indexOf('?') + 1);
  let token: string;
  try {
    token = await (await pages.signIn()).finish(callback, redirectUri.href, underWay);
  } catch {
    return refused('The authorization server did not sign you in. Open the link in the chat again.');
  }
  const first = await pages.authenticate({ authorization: `Bearer ${token}` });
  const admission = first.ok === 'unknown' ? await first.decide() : first;
  if (!admission.ok) return refused(admission.refusal.message);
  return welcome(pages, credentialOf(admission.caller), content.id, reply);
}

/** Signed in: the cookie holds the caller and nothing else. */
function welcome(pages: Pages, caller: string, id: string, reply: FastifyReply) {
  setCookie(pages, reply, sessionCookie, pages.seal.seal('session', { caller }, Date.now() + sessionMs), sessionMs);
  return backToPage(pages, id, reply);
}

function callbackOf({ base }: Pages): URL {
  return new URL('callback', base());
}

async function loadSignIn({ oauth, publicUrl }: HttpSettings): Promise<SignIn> {
  if (oauth === undefined) throw new Error('OAuth needs an issuer');
  return (await import('./sign-in.ts')).createSignIn(oauth, publicUrl ?? oauth.audience);
}

function backToPage({ base }: Pages, id: string, reply: FastifyReply) {
  return headed(reply).redirect(isId(id) ? new URL(id, base()).href : base().href, 303);
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

function setCookie({ base, offer }: Pages, reply: FastifyReply, name: string, value: string, forMs: number): void {
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
