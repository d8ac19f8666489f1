/** The issuer's keys: read when first needed, kept for a while, and read again with limited frequency. */
import { createLocalJWKSet, errors, type JWK, type JWTVerifyGetKey } from 'jose';
import { getOnce } from '../../calls/api/http/get-once.ts';
import { jsonOrNothing } from '../../lib/json.ts';
import { isLoopback } from '../settings/proxies.ts';
import type { OAuthSettings } from './settings.ts';

/** Keys older than `freshMs` are read again in the background; keys older than `usableMs` are no longer used. */
const freshMs = 5 * 60_000;
const usableMs = 10 * 60_000;
/** For a token that names an unknown key, the set is read again only when it is at least this old. */
const unknownKeyMs = 30_000;
/** After a failure, no request to the issuer for this long; the pause doubles with each further failure. */
const firstPauseMs = 10_000;
const longestPauseMs = 60_000;

const maxDocumentBytes = 256 * 1024;
const documentTimeoutMs = 5_000;

export type KeySet = ReturnType<typeof createKeySet>;

/** The known keys cannot decide about the token. */
export class IssuerNeeded extends Error {}

/** The issuer's keys cannot be read now; not the caller's fault. */
export class KeysUnavailable extends Error {}

interface ReadKeys {
  find: JWTVerifyGetKey;
  readAt: number;
}

/** `now` in milliseconds, of a monotonic clock. */
export function createKeySet(settings: OAuthSettings, now: () => number = () => performance.now()) {
  const source = keySource(settings);
  let keys: ReadKeys | undefined;
  let reading: Promise<ReadKeys> | undefined;
  let pauseMs = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;

  const read = async (): Promise<ReadKeys> => {
    try {
      keys = { find: await source(), readAt: now() };
      pauseMs = 0;
      return keys;
    } catch (error) {
      pauseMs = Math.min(longestPauseMs, pauseMs === 0 ? firstPauseMs : pauseMs * 2);
      pausedUntil = now() + pauseMs;
      throw error;
    } finally {
      reading = undefined;
    }
  };
  const refresh = async (): Promise<ReadKeys> => {
    if (now() < pausedUntil) throw new KeysUnavailable('The issuer did not answer a moment ago');
    reading ??= read();
    return await reading;
  };
  /** Finds the key without a request. Throws IssuerNeeded when the issuer has to be asked. */
  const byKnownKeys: JWTVerifyGetKey = async (header, token) => {
    const age = keys === undefined ? Number.POSITIVE_INFINITY : now() - keys.readAt;
    if (keys === undefined || age >= usableMs) throw new IssuerNeeded();
    if (age >= freshMs) refresh().catch(() => {});
    try {
      return await keys.find(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey && age >= unknownKeyMs) throw new IssuerNeeded();
      throw error;
    }
  };
  /** Finds the key, asking the issuer if needed: one request for all who wait. Throws KeysUnavailable. */
  const askingIssuer: JWTVerifyGetKey = async (header, token) => {
    try {
      return await byKnownKeys(header, token);
    } catch (error) {
      if (!(error instanceof IssuerNeeded)) throw error;
    }
    const { find } = await refresh();
    return await find(header, token);
  };
  return { byKnownKeys, askingIssuer };
}

/** Reads the key set; its address comes from the issuer's metadata (RFC 8414, OpenID Connect). */
function keySource(settings: OAuthSettings): () => Promise<JWTVerifyGetKey> {
  let address: string | undefined;
  return async () => {
    address ??= await discover(settings);
    const keySet = await readDocument(address, settings);
    try {
      return createLocalJWKSet({ keys: keySet?.keys as JWK[] }); // throws where these are no keys
    } catch {
      // The discovered address may have changed meanwhile.
      address = undefined;
      throw new KeysUnavailable('The authorization server returned no key set');
    }
  };
}

async function discover(settings: OAuthSettings): Promise<string> {
  const { origin, pathname } = new URL(settings.issuer);
  const path = pathname === '/' ? '' : pathname.replace(/\/$/, '');
  const candidates = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  for (const url of candidates) {
    const metadata = await readDocument(url, settings);
    // Another issuer's metadata must not provide keys for this one (RFC 8414 §3.3).
    if (metadata?.issuer !== settings.issuer || typeof metadata.jwks_uri !== 'string') continue;
    if (isProtected(metadata.jwks_uri)) return metadata.jwks_uri;
  }
  throw new KeysUnavailable('The authorization server publishes no metadata with its key set');
}

/** Keys from an unprotected connection prove nothing. */
function isProtected(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** The metadata of an issuer, or its key set. */
type IssuerDocument = { readonly [Member in 'issuer' | 'jwks_uri' | 'keys']?: unknown };

/** A JSON object of at most 256 KiB; undefined when there is none. */
async function readDocument(address: string, { proxies }: OAuthSettings): Promise<IssuerDocument | undefined> {
  const limits = { timeoutMs: documentTimeoutMs, maxBytes: maxDocumentBytes };
  const answer = await getOnce(address, { ...limits, proxies });
  const body = answer.kind === 'answer' && answer.status === 200 ? jsonOrNothing(answer.text) : undefined;
  return typeof body === 'object' && body !== null ? body : undefined;
}
