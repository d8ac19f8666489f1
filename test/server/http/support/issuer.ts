/** A small authorization server on loopback: its metadata, its keys, and the tokens that a test needs. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { listening } from '../../../support/listening.ts';

export interface Issuer {
  url: string;
  /** Requests for the key set. */
  fetched(): number;
  /** Paths that were asked for, in order. */
  asked: string[];
  /** Answers instead of the server when it returns true. */
  instead: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** The key set that is sent; a test may add keys. */
  keys: unknown[];
  token(claims?: JWTPayload, options?: { expires?: string | null; foreignKey?: boolean }): Promise<string>;
  close(): Promise<void>;
}

export async function startIssuer(audience: string): Promise<Issuer> {
  const alg = 'ES256';
  const keys = await generateKeyPair(alg);
  const foreign = await generateKeyPair(alg);
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg, use: 'sig' };
  let fetched = 0;
  const { url, close } = await listening((request, response) => {
    issuer.asked.push(request.url!);
    if (issuer.instead(request, response)) return;
    response.setHeader('content-type', 'application/json');
    if (request.url === '/.well-known/oauth-authorization-server') {
      return response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }));
    }
    if (request.url === '/keys') {
      fetched++;
      return response.end(JSON.stringify({ keys: issuer.keys }));
    }
    response.statusCode = 404;
    response.end('{}');
  });
  const issuer: Issuer = {
    url,
    asked: [],
    instead: () => false,
    keys: [jwk],
    fetched: () => fetched,
    token(claims = {}, { expires = '5m', foreignKey = false } = {}) {
      const jwt = new SignJWT({ iss: url, aud: audience, sub: 'anna', scope: 'billing:read', ...claims });
      jwt.setProtectedHeader({ alg, kid: 'one' }).setIssuedAt();
      if (expires) jwt.setExpirationTime(expires);
      return jwt.sign(foreignKey ? foreign.privateKey : keys.privateKey);
    },
    close,
  };
  return issuer;
}
