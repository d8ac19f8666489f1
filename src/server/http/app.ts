/** Builds the HTTP application on Fastify: guards, admission, protocol endpoint and probes. */
import { type AuthInfo, createMcpHandler } from '@modelcontextprotocol/server';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Bindings } from '../../calls/access/customer-bindings.ts';
import type { Connection } from '../../definition/caller.ts';
import { fast } from '../fast/entry.ts';
import type { Metrics } from '../logs/metrics.ts';
import type { Runtime } from '../runtime.ts';
import { approvalPageOffer } from './approve/offer.ts';
import { approvalPageAddress, registerApprovals } from './approve/routes.ts';
import { createAdmission } from './customers.ts';
import { callerIn, callerOf, registerEndpoint } from './endpoint.ts';
import { registerErrors } from './errors.ts';
import { newFastify } from './fastify.ts';
import { probePaths, registerGuards, registerRateLimit } from './guards.ts';
import { type ReadinessCheck, registerHome, registerProbes } from './probes.ts';
import { createSessions } from './sessions.ts';
import type { HttpSettings } from './settings.ts';

export interface AppParts {
  settings: HttpSettings;
  runtime: Omit<Runtime, 'account' | 'close' | 'observer' | 'upstreams' | 'warmUp'>;
  log: Logger;
  metrics: Metrics;
  /** With `api-key` authentication: the labels of the keys that the billing API has accepted. */
  accepted: Pick<ReadonlySet<string>, 'has'> | undefined;
  redis: Redis | undefined;
  checks: readonly ReadinessCheck[];
  /** After how many milliseconds a check counts as failed. Default: 2,000. */
  readinessMs?: number;
}

export type HttpApp = Awaited<ReturnType<typeof buildApp>>;

/** Builds the application; the caller starts it listening. */
export async function buildApp(parts: AppParts) {
  const { settings, log, metrics } = parts;
  const { limits } = parts.runtime;
  let inFlight = 0;
  let stopping = false;
  // A child, because `listen` in serve.ts silences it for a moment.
  const app = newFastify(settings.trustProxy, limits, log.child({}));
  const approvalPages = approvalPageOffer(settings);
  const pages: Pick<Connection, 'pageOf' | 'links'> =
    'missing' in approvalPages
      ? { links: approvalPages }
      : {
          pageOf: id => approvalPageAddress(app, approvalPages, id),
          links: { by: approvalPages.by, addressOf: async id => approvalPageAddress(app, approvalPages, id) },
        };
  const { authenticate, bindings } = createAdmission(settings, parts.runtime);
  const handler = createMcpHandler(
    ({ era, authInfo, requestInfo }) =>
      serverFor(parts.runtime, authInfo, { canBeAsked: era === 'modern', ...pages, bindings }, requestInfo),
    { onerror: error => log.debug({ err: error.message }, 'request rejected by the protocol') },
  );
  const sessions = settings.sessions
    ? createSessions(
        authInfo => serverFor(parts.runtime, authInfo, { canBeAsked: true, ...pages, bindings, failed: new Set() }),
        { max: limits.maxSessions, idleMs: limits.sessionIdleMs, shared: settings.auth !== 'none' },
      )
    : undefined;
  registerErrors(app);
  // Only JSON is accepted: a web page may send forms and plain text to any server without a CORS preflight.
  app.removeContentTypeParser('text/plain');
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id);
    if (stopping) reply.header('connection', 'close');
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    done();
    metrics.answered(reply.statusCode);
    // Probes come every few seconds, and a 503 from `/readyz` is normal.
    if (reply.statusCode < 400 || probePaths.has(request.url)) return;
    const caller = callerIn(request);
    const line = {
      request_id: request.id,
      status: reply.statusCode,
      method: request.method,
      // Without a caller, an operator needs the address to act on.
      ...(caller ? { caller: caller.id } : { address: request.ip }),
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
  const address = () =>
    settings.publicUrl ?? (pages.pageOf === undefined ? '/mcp' : new URL('../mcp', pages.pageOf('')).href);
  registerHome(app, rateLimited, address, parts.runtime.config.demo);
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
  return {
    app,
    handler,
    sessions,
    /** Number of requests that are being answered. */
    inFlight: () => inFlight,
    /** From now on, answers close their connection and `/readyz` says that the server is stopping. */
    beginStop(): void {
      stopping = true;
    },
  };
}

function resourceOf(settings: HttpSettings): string {
  return settings.publicUrl ?? settings.oauth?.audience ?? '';
}

function serverFor(
  runtime: Pick<AppParts['runtime'], 'createMcpServer'>,
  authInfo: AuthInfo | undefined,
  { bindings, ...connection }: Pick<Connection, 'canBeAsked' | 'failed' | 'pageOf' | 'links'> & { bindings: Bindings },
  request?: Request,
) {
  const caller = callerOf(authInfo);
  if (!caller) throw new Error('A request reached the protocol without a caller');
  const requestId = request?.headers.get('x-request-id');
  return runtime.createMcpServer({
    caller,
    ...connection,
    // In a session, later requests come with tokens of their own.
    callerOf: ({ authInfo: sender, meta }) =>
      bindings.ofRequest(callerOf(sender as AuthInfo | undefined) ?? caller, meta, new Date()),
    ...(requestId && { requestId }),
  });
}
