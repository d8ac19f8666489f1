/** `/healthz` (alive), `/readyz` (can serve), `/metrics`, and the metadata that OAuth clients look for. */
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { bearerToken, sameSecret } from './credentials.ts';
import { refuse } from './errors.ts';
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

async function runChecks(checks: readonly ReadinessCheck[], withinMs: number): Promise<Record<string, string>> {
  const results = checks.map(async ({ name, check }) => {
    const deadline = AbortSignal.timeout(withinMs);
    const late = new Promise<false>(resolve =>
      deadline.addEventListener('abort', () => resolve(false), { once: true }),
    );
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
