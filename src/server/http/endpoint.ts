/** `POST /mcp`: admits the caller, hands the parsed body to the SDK, and returns its answer through Fastify. */
import { type AuthInfo, isJSONRPCRequest, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { credentialOf } from '../../calls/access/intersect-customers.ts';
import { decideTool } from '../../calls/call/page-buttons.ts';
import type { Pipeline } from '../../calls/dispatch.ts';
import type { Caller, Scope } from '../../definition/caller.ts';
import { isObject, membersOf } from '../../lib/json.ts';
import { answerPlainRead, plainReadIn } from '../fast/plain-http.ts';
import type { ReadShortcut } from '../fast/read-shortcut.ts';
import { traceHeaders } from '../logs/trace-headers.ts';
import { asMeant, messagesIn } from '../protocol/messages.ts';
import { onDisconnect, passedOn } from './answers.ts';
import type { Authenticate, Undecided } from './auth.ts';
import type { Admission } from './credentials.ts';
import { customerHeader } from './customers.ts';
import { refuse, refuseAdmission, rpcCodes } from './errors.ts';
import { addressOf } from './guards.ts';
import { scopeChallenge } from './oauth.ts';
import type { LegacySessions } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** A refusal is sent after the rate limit, which counts refused requests too; only then is the token's issuer asked. */
    admission: Admission | Undecided | null;
    /** The rate limit's key: the caller, or the address as long as the credential has not been verified. */
    countedAs: string;
  }
}

export interface EndpointParts {
  authenticate: Authenticate;
  /** Labels of the credentials that have been verified; undefined where admission itself verifies it. */
  accepted: Pick<ReadonlySet<string>, 'has'> | undefined;
  handler: Pick<McpHttpHandler, 'fetch'>;
  /** Answers plain reads; undefined with sessions, because the SDK checks which session a request belongs to. */
  shortcut: ReadShortcut | undefined;
  sessions: LegacySessions | undefined;
  accessOf: Pipeline['accessOf'];
  /** The address in challenges; undefined outside OAuth. */
  resource: string | undefined;
  rateLimited: boolean;
  /** Milliseconds between comments in an event stream in which nothing else happens. */
  commentMs: number;
  /** Counts the requests that a stop waits for. */
  inFlight: { enter(): void; leave(): void };
}

/** The caller of a request, from `ctx.authInfo`. */
export function callerOf(authInfo: AuthInfo | undefined): Caller | undefined {
  return authInfo?.extra?.caller as Caller | undefined;
}

/** Registers the endpoint with its admission. */
export function registerEndpoint(app: FastifyInstance, parts: EndpointParts): void {
  app.decorateRequest('admission', null);
  app.decorateRequest('countedAs', '');
  const route = {
    url: '/mcp',
    config: parts.rateLimited ? { rateLimit: {} } : {},
    // Fastify runs the rate limit between these two hooks, and reads the body after both.
    onRequest: [admissionHook(parts)],
    preParsing: [decideByIssuer, answerRefused],
  };
  app.route({ ...route, method: 'POST', handler: (request, reply) => handlePost(parts, request, reply) });
  if (!parts.sessions) return;
  const sessions = parts.sessions;
  app.route({
    ...route,
    method: ['GET', 'DELETE'],
    handler: async (request, reply) =>
      sendResponse(reply, await sessions.handle(webRequest(request, reply), authInfo(request)), parts.commentMs),
  });
}

function admissionHook({ authenticate, accepted }: Pick<EndpointParts, 'authenticate' | 'accepted'>) {
  return async (request: FastifyRequest) => {
    request.admission = await authenticate(request.headers);
    const caller = callerIn(request);
    const credential = caller && credentialOf(caller);
    const known = credential !== undefined && (accepted?.has(credential) ?? true);
    request.countedAs = known ? credential : addressOf(request);
  };
}

/** Asks the token's issuer, after the rate limit has counted the request against its address. */
function decideByIssuer(request: FastifyRequest, _reply: FastifyReply, _body: unknown, done: (error?: Error) => void) {
  if (request.admission?.ok !== 'unknown') return done();
  const decided = request.admission.decide().then(admission => {
    request.admission = admission;
  });
  decided.then(() => done(), done);
}

/** Undefined for a request that is not admitted, or not yet. */
export function callerIn({ admission }: FastifyRequest): Caller | undefined {
  return admission?.ok === true ? admission.caller : undefined;
}

function admittedCaller(request: FastifyRequest): Caller {
  const caller = callerIn(request);
  if (caller === undefined) throw new Error('A request was neither admitted nor refused');
  return caller;
}

function answerRefused({ admission }: FastifyRequest, reply: FastifyReply, _body: unknown, done: () => void) {
  if (admission?.ok === false) refuseAdmission(reply, admission.refusal);
  else done();
}

async function handlePost(parts: EndpointParts, request: FastifyRequest, reply: FastifyReply) {
  const { body, headers } = request;
  if (body === null || typeof body !== 'object') {
    return refuse(reply, 400, 'The body must be one JSON-RPC message', rpcCodes.invalidRequest);
  }
  const messages = Array.isArray(body)
    ? messagesIn(body, headers['mcp-protocol-version']?.toString())
    : [asMeant(body)];
  if (typeof messages === 'string') return refuse(reply, 400, messages, rpcCodes.invalidRequest);
  headers.accept = acceptedTypes(headers.accept);
  const caller = admittedCaller(request);
  for (const message of messages) {
    const missing = missingScope(parts, caller, message as object);
    if (missing) return refuseScope(parts.resource, reply, caller, missing);
  }
  takeTraceHeaders(request, body);
  // A subscription stays open until one side ends it, so a stop does not wait for it.
  if (!('method' in body && body.method === 'subscriptions/listen')) {
    parts.inFlight.enter();
    reply.raw.once('close', parts.inFlight.leave);
  }
  const { shortcut } = parts;
  const read = shortcut && plainReadIn(request, body, shortcut);
  if (read) return answerPlainRead(read, shortcut, caller, request, reply);
  const info = authInfo(request);
  const incoming = webRequest(request, reply);
  if (parts.sessions) {
    const response = await parts.sessions.tryHandle(incoming, info, body);
    if (response) return sendResponse(reply, response, parts.commentMs);
  }
  return sendResponse(
    reply,
    await parts.handler.fetch(incoming, { authInfo: info, parsedBody: body }),
    parts.commentMs,
  );
}

/** As the SDK compares it: in small letters, with both types where any type is accepted. */
function acceptedTypes(accept = '*/*'): string {
  const types = accept.toLowerCase();
  return /(^|[\s,])\*\/\*/.test(types) ? 'application/json, text/event-stream' : types;
}

/** Sends the SDK's answer through Fastify, which keeps headers that are already set. */
async function sendResponse(reply: FastifyReply, response: Response, commentMs: number) {
  if (response.body !== null && response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const { status, headers } = response;
    // Stops a proxy from buffering the events of a stream.
    return reply
      .header('x-accel-buffering', 'no')
      .send(new Response(withComments(response.body, commentMs), { status, headers }));
  }
  for (const [name, value] of response.headers) reply.header(name, value);
  const text = response.body === null ? '' : await response.text();
  return reply.code(response.status).send(text === '' ? undefined : text);
}

/**
 * The same stream with a comment now and then: a proxy may close a stream that is silent while a user decides. The SDK
 * writes each event in one piece, so that a comment comes between two events.
 */
function withComments(events: ReadableStream<Uint8Array>, everyMs: number): ReadableStream<Uint8Array> {
  const comment = Buffer.from(': waiting\n\n');
  let timer: NodeJS.Timeout | undefined;
  return passedOn(events, {
    start(controller) {
      timer = setInterval(() => (controller.desiredSize ?? 0) > 0 && controller.enqueue(comment), everyMs);
    },
    end: () => clearInterval(timer),
  });
}

/** The headers that are checked here, and go no further. */
const credentials: ReadonlySet<string> = new Set(['authorization', 'x-billing-api-key', customerHeader, 'cookie']);

/** The request as a Fetch API `Request`, without its body (already parsed), aborted when the client goes away. */
function webRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const disconnected = new AbortController();
  onDisconnect(reply, () => disconnected.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // The SDK needs no credentials: they have been checked already.
    if (value === undefined || credentials.has(name)) continue;
    headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  headers.set('x-request-id', request.id);
  return new Request(`http://${request.headers.host || 'localhost'}${request.url}`, {
    method: request.method,
    headers,
    signal: disconnected.signal,
  });
}

/** The caller, in the only form that the SDK passes from a request to a tool; without the token itself. */
function authInfo(request: FastifyRequest): AuthInfo {
  const caller = admittedCaller(request);
  return {
    token: '',
    clientId: caller.id,
    scopes: [...(caller.scopes ?? [])],
    extra: { caller, countedAs: request.countedAs },
  };
}

/** Copies trace headers into `_meta`, where tool calls read their trace. */
function takeTraceHeaders(request: FastifyRequest, body: object): void {
  const headers = traceHeaders(request.headers);
  if (!headers || !isJSONRPCRequest(body) || body.method !== 'tools/call' || !body.params) return;
  body.params._meta = { ...headers, ...body.params._meta };
}

function missingScope({ accessOf }: EndpointParts, caller: Caller, body: object): Scope | undefined {
  if (caller.scopes === null || !isJSONRPCRequest(body) || body.method !== 'tools/call') return undefined;
  const { name: calledTool, arguments: args } = body.params ?? {};
  // A button on a write's chat page needs the scope of the write.
  const name = calledTool === decideTool.name && isObject(args) ? membersOf<'tool'>(args).tool : calledTool;
  return typeof name === 'string' ? accessOf(caller).missingScope(name) : undefined;
}

function refuseScope(resource: string | undefined, reply: FastifyReply, caller: Caller, needed: Scope) {
  const description = `This tool needs the scope ${needed}`;
  // Includes the scopes that the token already has: a client that asks only for the new one would lose them.
  const wanted = [...(caller.scopes ?? []), needed];
  if (resource) reply.header('www-authenticate', scopeChallenge(description, wanted, resource));
  return refuse(reply, 403, `${description}.`);
}
