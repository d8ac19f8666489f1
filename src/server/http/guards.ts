/** Checks before the protocol: Host, Origin, security headers, CORS, limits per caller. */
import { isIP } from 'node:net';
import cors from '@fastify/cors';
import rateLimit, { type FastifyRateLimitStore, normalizeIP } from '@fastify/rate-limit';
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import helmet from 'helmet';
import type { Redis } from 'ioredis';
import { Recent } from '../../lib/collections.ts';
import { isLoopback } from '../settings/proxies.ts';
import { approvalPath } from './approve/offer.ts';
import { bearerToken, sameSecret } from './credentials.ts';
import { customerHeader } from './customers.ts';
import { refuse } from './errors.ts';
import type { HttpSettings } from './settings.ts';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];
/**
 * Health checks may use any name or address of this machine. `/metrics` must not be readable by web pages: a name in
 * Host has to be an allowed one there too, unless the metrics token is sent; an address is safe, because DNS rebinding
 * needs a name.
 */
export const probePaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

type GuardSettings = Pick<HttpSettings, 'allowedHosts' | 'allowedOrigins' | 'host' | 'metricsToken'>;

/** Refuses requests that a web page sent to a name or from an origin that is not allowed (DNS rebinding). */
export async function registerGuards(app: FastifyInstance, settings: GuardSettings): Promise<void> {
  const hosts = allowedHosts(settings);
  const origins = allowedOrigins(settings);
  // Made once: Fastify's own plugin makes it again for each request, which takes a sixth of a call's time.
  const secure = helmet({
    contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }, useDefaults: false },
    frameguard: { action: 'deny' },
  });
  app.addHook('onRequest', (request, reply, done) => {
    secure(request.raw, reply.raw, () => {});
    const refusal = refusalOf(request);
    if (refusal) refuse(reply, ...refusal);
    else done();
  });
  function refusalOf(request: FastifyRequest): [status: number, message: string] | undefined {
    const { headers, raw, url } = request;
    if (repeatsHostOrAuthorization(raw.rawHeaders)) return [400, 'Host and Authorization can appear only once'];
    // `Host` itself: X-Forwarded-Host may be written by any client whose request a trusted proxy passes on.
    const { host = '' } = headers;
    if (!hosts.includes('*') && !isProbe(request, settings.metricsToken) && !validateHostHeader(host, hosts).ok)
      return [403, 'This server does not serve the Host of this request'];
    if (host !== '' && !isHost(host)) return [400, 'The Host of this request is not a host with its port'];
    // The approval pages check it themselves: their forms come from our own address.
    const isForApprovalPage = url.startsWith(approvalPath);
    if (!isForApprovalPage && !origins.includes('*') && !validateOriginHeader(headers.origin, origins).ok)
      return [403, 'Requests from this origin are not accepted'];
    const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity';
    return isPlain ? undefined : [415, 'Send the body without Content-Encoding'];
  }
  if (settings.allowedOrigins.length > 0) await app.register(cors, corsOptions(origins));
}

/** `host` or `host:port` (RFC 9110 §7.2). Programs disagree on how to read a user name, a path or a list here. */
function isHost(text: string): boolean {
  return /^([\w.~-]+|\[[\da-f:.]+\])(:\d{0,5})?$/i.test(text) && URL.canParse(`http://${text}`);
}

function isProbe({ url, headers }: FastifyRequest, metricsToken: string | undefined): boolean {
  const [path = ''] = url.split('?', 1);
  if (path !== '/metrics') return probePaths.has(path);
  const [, inBrackets, plain = ''] = /^(?:\[(.*)\]|([^:]*))(?::\d*)?$/.exec(headers.host ?? '') ?? [];
  if (isIP(inBrackets ?? plain) !== 0) return true;
  return metricsToken !== undefined && sameSecret(bearerToken(headers.authorization) ?? '', metricsToken);
}

/** Host or Authorization sent twice: a proxy in front may have checked the other one. */
function repeatsHostOrAuthorization(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  let credentials = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
    else if (name?.length === 13 && name.toLowerCase() === 'authorization') credentials++;
  }
  return hosts > 1 || credentials > 1;
}

/** The names accepted in `Host`. On a wildcard address without a list only loopback, which start-up refuses. */
function allowedHosts(settings: GuardSettings): string[] {
  if (settings.allowedHosts.length > 0) return [...settings.allowedHosts];
  const bound = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  return isWildcard(settings.host) ? loopbackNames : [...loopbackNames, bound];
}

/** Does this address listen on every interface? */
export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === '[::]';
}

function allowedOrigins(settings: GuardSettings): string[] {
  if (settings.allowedOrigins.length > 0) return [...settings.allowedOrigins];
  return isLoopback(settings.host) ? loopbackNames : [];
}

function corsOptions(origins: readonly string[]) {
  return {
    origin: (origin: string | undefined, decide: (error: Error | null, allow: boolean) => void) =>
      decide(null, origins.includes('*') || validateOriginHeader(origin, [...origins]).ok),
    methods: ['POST', 'GET', 'DELETE'],
    allowedHeaders: [
      'authorization',
      'content-type',
      'accept',
      'last-event-id',
      'mcp-method',
      'mcp-name',
      'mcp-protocol-version',
      'mcp-session-id',
      'traceparent',
      'tracestate',
      'x-billing-api-key',
      customerHeader,
      'x-request-id',
    ],
    exposedHeaders: ['mcp-session-id', 'www-authenticate', 'retry-after', 'x-request-id'],
    maxAge: 600,
  };
}

/** The address that limits count: for IPv6 the /64 network, which a provider gives to one customer. */
export function addressOf(request: FastifyRequest): string {
  return `address ${normalizeIP(request.ip, 64)}`;
}

/**
 * Limits requests a minute for each caller, and for each address whose requests are refused or carry a key that is not
 * verified yet: made-up credentials all count for their address. Counted in Redis when several machines share it. While
 * Redis does not answer, requests pass: writes have their own limit, and an outage of Redis must not stop reads.
 */
export async function registerRateLimit(
  app: FastifyInstance,
  settings: HttpSettings,
  redis: Redis | undefined,
  onLimited: () => void,
): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    max: settings.rateLimit,
    timeWindow: 60_000,
    ...(redis ? { redis, nameSpace: 'billing-mcp:rate:', skipOnError: true } : { store: RateStore }),
    keyGenerator: (request: FastifyRequest) => request.countedAs,
    enableDraftSpec: true,
    onExceeded: onLimited,
    errorResponseBuilder: (_request, context) =>
      Object.assign(
        new Error(`Too many requests: the limit is ${context.max} per minute. Retry in ${context.after}.`),
        {
          statusCode: context.statusCode,
        },
      ),
  });
}

type Done = (error: Error | null, result?: { current: number; ttl: number }) => void;

/** A store for the callers and addresses seen last, with a monotonic clock: the limiter's own uses the time of day. */
class RateStore implements FastifyRateLimitStore {
  /** `began`: in milliseconds of the clock. */
  readonly #windows = new Recent<{ current: number; began: number }>(20_000);

  incr(key: string, done: Done, timeWindowMs = 60_000): void {
    const at = performance.now();
    const window = this.#windows.of(key, () => ({ current: 0, began: at }));
    if (at - window.began >= timeWindowMs) {
      window.current = 0;
      window.began = at;
    }
    window.current++;
    done(null, { current: window.current, ttl: timeWindowMs - (at - window.began) });
  }

  /** Each route counts separately. */
  child(): FastifyRateLimitStore {
    return new RateStore();
  }
}
