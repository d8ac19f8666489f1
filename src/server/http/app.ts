/** Builds the HTTP application on Fastify: guards, admission, protocol endpoint and probes. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type AuthInfo, createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Bindings } from '../../calls/access/customer-bindings.ts';
import type { Connection } from '../../definition/caller.ts';
import { fast } from '../fast/entry.ts';
import type { Metrics } from '../logs/metrics.ts';
import type { Runtime } from '../runtime.ts';
import type { Limits } from '../settings/limits.ts';
import type { AcceptedCallers } from './accepted-keys.ts';
import { approvalPageOffer } from './approve/offer.ts';
import { approvalPageAddress, registerApprovals } from './approve/routes.ts';
import { createAdmission } from './customers.ts';
import { callerOf, registerEndpoint } from './endpoint.ts';
import { answerBadAddress, answerBrokenRequest, registerErrors } from './errors.ts';
import { probePaths, registerGuards, registerRateLimit } from './guards.ts';
import { registerHome } from './home.ts';
import { type ReadinessCheck, registerProbes } from './probes.ts';
import { createSessions, type LegacySessions } from './sessions.ts';
import type { HttpSettings } from './settings.ts';

export interface AppParts {
  settings: HttpSettings;
  runtime: Pick<
    Runtime,
    | 'createMcpServer'
    | 'ownCaller'
    | 'callerWithKey'
    | 'bindings'
    | 'pipeline'
    | 'stateKey'
    | 'durations'
    | 'limits'
    | 'config'
  >;
  log: Logger;
  metrics: Metrics;
  /** With `api-key` authentication: callers whose keys the billing API has accepted. */
  accepted: AcceptedCallers | undefined;
  redis: Redis | undefined;
  checks: readonly ReadinessCheck[];
  /** After how many milliseconds a check counts as failed. Default: 2,000. */
  readinessMs?: number;
}

export interface HttpApp {
  app: FastifyInstance;
  handler: McpHttpHandler;
  sessions: LegacySessions | undefined;
  /** Number of requests that are being answered. */
  inFlight(): number;
  /** From now on, answers close their connection and `/readyz` says that the server is stopping. */
  beginStop(): void;
}

/** Builds the application; the caller starts it listening. */
export async function buildApp(parts: AppParts): Promise<HttpApp> {
  const { settings, log, metrics } = parts;
  const { limits } = parts.runtime;
  let inFlight = 0;
  let stopping = false;
  // A child, because `listen` in serve.ts silences it for a moment.
  const app = newFastify(settings, limits, log.child({}));
  const approvalPages = approvalPageOffer(settings);
  const pageOf = 'missing' in approvalPages ? undefined : (id: string) => approvalPageAddress(app, approvalPages, id);
  const { authenticate, bindings } = createAdmission(settings, parts.runtime);
  const handler = createMcpHandler(
    ({ era, authInfo, requestInfo }) =>
      serverFor(parts.runtime, authInfo, { canBeAsked: era === 'modern', pageOf, bindings }, requestInfo),
    { onerror: error => log.debug({ err: error.message }, 'request rejected by the protocol') },
  );
  const sessions = settings.sessions
    ? createSessions(
        authInfo => serverFor(parts.runtime, authInfo, { canBeAsked: true, pageOf, bindings, failed: new Set() }),
        { max: limits.maxSessions, idleMs: limits.sessionIdleMs, shared: settings.auth !== 'none' },
      )
    : undefined;
  registerErrors(app);
  // Only JSON is accepted: a web page may send forms and plain text to any server without a CORS preflight.
  app.removeContentTypeParser('text/plain');
  app.addHook('onSend', async (request, reply, payload) => {
    reply.header('x-request-id', request.id);
    if (stopping) reply.header('connection', 'close');
    return payload;
  });
  app.addHook('onResponse', async (request, reply) => {
    metrics.answered(reply.statusCode);
    // Probes come every few seconds, and a 503 from `/readyz` is normal.
    if (reply.statusCode < 400 || probePaths.has(request.url)) return;
    const line = {
      request_id: request.id,
      status: reply.statusCode,
      method: request.method,
      // Without a caller, an operator needs the address to act on.
      ...(request.caller ? { caller: request.caller.id } : { address: request.ip }),
    };
    log.info(line, 'request refused');
  });
  await registerGuards(app, settings);
  const rateLimited = settings.rateLimit > 0;
  if (rateLimited) await registerRateLimit(app, settings, parts.redis, () => metrics.rateLimited());
  registerProbes(app, {
    checks: parts.checks,
    readinessMs: parts.readinessMs,
    stopping: () => stopping,
    registry: metrics.registry,
    metricsToken: settings.metricsToken,
    oauth: settings.oauth && { resource: resourceOf(settings), issuer: settings.oauth.issuer },
  });
  registerHome(app, {
    settings,
    address: () => settings.publicUrl ?? (pageOf === undefined ? '/mcp' : new URL('../mcp', pageOf('')).href),
    demo: parts.runtime.config.demo,
  });
  registerEndpoint(app, {
    authenticate,
    accepted: parts.accepted,
    handler,
    shortcut: sessions ? undefined : fast.way?.shortcut(parts.runtime.pipeline),
    sessions,
    accessOf: caller => parts.runtime.pipeline.accessOf(caller),
    resource: settings.oauth && resourceOf(settings),
    rateLimited,
    commentMs: parts.runtime.durations.progressMs,
    inFlight: {
      enter: () => metrics.inFlight.set(++inFlight),
      leave: () => metrics.inFlight.set(--inFlight),
    },
  });
  if (!('missing' in approvalPages)) {
    const { config, pipeline, stateKey } = parts.runtime;
    registerApprovals(app, {
      settings,
      offer: approvalPages,
      stateKey,
      authenticate,
      config,
      pages: () => pipeline.pages(),
    });
  }
  const beginStop = () => {
    stopping = true;
  };
  return { app, handler, sessions, inFlight: () => inFlight, beginStop };
}

/** The address in challenges and metadata. */
function resourceOf(settings: HttpSettings): string {
  return settings.publicUrl ?? settings.oauth?.audience ?? '';
}

function serverFor(
  runtime: Pick<AppParts['runtime'], 'createMcpServer'>,
  authInfo: AuthInfo | undefined,
  {
    canBeAsked,
    pageOf,
    bindings,
    failed,
  }: Pick<Connection, 'canBeAsked' | 'failed'> & { pageOf: Connection['pageOf'] | undefined; bindings: Bindings },
  request?: Request,
) {
  const caller = callerOf(authInfo);
  if (!caller) throw new Error('A request reached the protocol without a caller');
  const requestId = request?.headers.get('x-request-id');
  return runtime.createMcpServer({
    caller,
    ...(canBeAsked !== undefined && { canBeAsked }),
    ...(failed && { failed }),
    // In a session, later requests come with tokens of their own.
    callerOf: ({ authInfo: sender, meta }) =>
      bindings.ofRequest(callerOf(sender as AuthInfo | undefined) ?? caller, meta, new Date()),
    ...(pageOf && { pageOf }),
    ...(requestId && { requestId }),
  });
}

function newFastify(
  { trustProxy }: HttpSettings,
  { bodyLimit, requestTimeoutMs }: Limits,
  log: Logger,
): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log;
  return fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit,
    trustProxy,
    // Headers and body have this long to arrive; answers may take longer.
    requestTimeout: requestTimeoutMs,
    http: {
      headersTimeout: Math.min(requestTimeoutMs, 15_000),
      connectionsCheckingInterval: Math.min(requestTimeoutMs, 5_000) / 2,
      maxHeaderSize: 16_384,
    },
    keepAliveTimeout: 72_000,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: answerBadAddress,
    requestIdHeader: false,
    genReqId: requestId,
    // Calls that arrive during an orderly stop are still answered.
    return503OnClosing: false,
    exposeHeadRoutes: false,
  });
}

/** The id sent with the request, if it is safe for logs and headers, else a new one. */
function requestId(request: IncomingMessage): string {
  const sentId = request.headers['x-request-id'];
  return typeof sentId === 'string' && /^[\w.-]{8,64}$/.test(sentId) ? sentId : randomUUID();
}
