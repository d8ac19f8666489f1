/** `/healthz` (alive), `/readyz` (can serve), `/metrics`, the metadata that OAuth clients look for, and a page at `/`. */
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import type { Registry } from 'prom-client';
import { getOnce } from '../../calls/api/http/get-once.ts';
import { maxAnswerBytes, splitBaseUrl } from '../../calls/api/http/request.ts';
import { languageAccepted } from '../../contract/labels/labels.ts';
import type { Runtime } from '../runtime.ts';
import { proxiesOf } from '../settings/proxies.ts';
import { contentPolicy, homePage } from './approve/page.ts';
import { bearerToken, sameSecret } from './credentials.ts';
import { refuse } from './errors.ts';
import { addressOf } from './guards.ts';
import { metadataUrl, resourceMetadata } from './oauth.ts';

/** A readiness check: fails when it rejects or resolves to false, or to a few words about what is missing. */
export interface ReadinessCheck {
  name: string;
  check(): Promise<boolean | string>;
}

export interface Probes {
  checks: readonly ReadinessCheck[];
  /** True once a stop has begun: no new requests should come here. */
  stopping(): boolean;
  registry: Registry;
  metricsToken: string | undefined;
  /** After how many milliseconds a check counts as failed. */
  readinessMs?: number | undefined;
  /** The public address and the issuer, with OAuth. */
  oauth: { resource: string; issuer: string } | undefined;
}

/** Registered outside admission: probes reveal nothing about accounts or callers. */
export function registerProbes(app: FastifyInstance, probes: Probes): void {
  const readiness = remember(() => runChecks(probes.checks, probes.readinessMs ?? 2_000), 2_000);
  // Some load balancers probe with HEAD.
  const head = { exposeHeadRoute: true };
  app.get('/healthz', head, async () => ({ status: 'ok' }));
  app.get('/readyz', head, async (_request, reply) => {
    if (probes.stopping()) return reply.code(503).send({ status: 'stopping' });
    const checks = await readiness();
    const ready = Object.values(checks).every(result => result === 'ok');
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', checks });
  });
  app.get('/metrics', async (request, reply) => {
    const wanted = probes.metricsToken;
    if (wanted !== undefined && !sameSecret(bearerToken(request.headers.authorization) ?? '', wanted)) {
      return refuse(reply.header('www-authenticate', 'Bearer'), 401, 'Metrics require their bearer token');
    }
    return reply.type(probes.registry.contentType).send(await probes.registry.metrics());
  });
  if (!probes.oauth) return;
  const { resource, issuer } = probes.oauth;
  const document = resourceMetadata(resource, issuer);
  const paths = new Set(['/.well-known/oauth-protected-resource', new URL(metadataUrl(resource)).pathname]);
  for (const path of paths) {
    app.get(path, async (_request, reply) => reply.header('access-control-allow-origin', '*').send(document));
  }
}

/**
 * `/`: a page that says what this is, for people who open the server's address in a browser. It names no account and no caller.
 * Programs get their refusal there, as elsewhere. `address`: as chat hosts have it for this server.
 */
export function registerHome(app: FastifyInstance, rateLimited: boolean, address: () => string, demo: boolean): void {
  app.get('/', {
    exposeHeadRoute: true,
    config: rateLimited ? { rateLimit: {} } : {},
    onRequest: async (request: FastifyRequest) => {
      request.countedAs = addressOf(request);
    },
    handler: async (request, reply) => {
      const { accept = '*/*', 'accept-language': languages } = request.headers;
      // A client of the protocol that was set up without the path must not take the page for an answer.
      if (!/text\/html|\*\/\*/.test(accept)) return reply.callNotFound();
      const page = homePage(languageAccepted(languages), address(), demo);
      return reply
        .header('content-security-policy', contentPolicy)
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(page);
    },
  });
}

async function runChecks(checks: readonly ReadinessCheck[], withinMs: number): Promise<Record<string, string>> {
  const results = checks.map(async ({ name, check }) => {
    const late = setTimeout(withinMs, false, { ref: false });
    const result = await Promise.race([check(), late]).catch(() => false);
    return [name, result === true ? 'ok' : result || 'failed'] as const;
  });
  return Object.fromEntries(await Promise.all(results));
}

/** Keeps an answer for a moment, so that frequent probes do not load what they check. */
function remember<T>(run: () => Promise<T>, forMs: number): () => Promise<T> {
  let kept: { value: Promise<T>; until: number } | undefined;
  return () => {
    const now = performance.now();
    if (!kept || now > kept.until) kept = { value: run(), until: now + forMs };
    return kept.value;
  };
}

type ProbedRuntime = Pick<Runtime, 'account' | 'config'>;

/** The billing API answers (the embedded one with its database open), and so does a shared Redis. */
export function readinessChecks(runtime: ProbedRuntime, redis: Redis | undefined): ReadinessCheck[] {
  const upstream: ReadinessCheck = {
    name: runtime.account.demo ? 'embedded_service' : 'billing_api',
    check: () => reachable(runtime),
  };
  if (!redis) return [upstream];
  return [upstream, { name: 'redis', check: async () => (await redis.ping()) === 'PONG' }];
}

/**
 * Any answer below 500 shows that a configured API can be reached, even a refusal for want of a key. The embedded
 * service is asked with its key, so that its database has to answer; while the database is away, the result says so.
 */
async function reachable({ account: source, config }: ProbedRuntime): Promise<boolean | string> {
  const account = source.current() ?? (await source.ready());
  const waiting = source.database() === null ? false : `waiting for ${source.database()}`;
  if (!('baseUrl' in account)) return waiting;
  const { origin, prefix } = splitBaseUrl(account.baseUrl);
  const answer = await getOnce(`${origin}${prefix}/plans?per_page=1`, {
    timeoutMs: 2_000,
    maxBytes: maxAnswerBytes,
    proxies: proxiesOf(config),
    ...(source.demo && { authorization: `Bearer ${account.apiKey}` }),
  });
  if (answer.kind === 'failed') return false;
  if (source.demo) return answer.status < 300 || (answer.status === 503 && waiting);
  return answer.status < 500;
}
