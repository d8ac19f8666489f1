/** Which signature algorithms of access tokens are accepted: those with public keys, under each of their names. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Listening, listening } from '../../support/listening.ts';
import { callOf, send, startTiny, stopTiny, type Tiny } from './support/tiny.ts';

const publicUrl = 'https://billing-mcp.example.com/mcp';
let issuer: string;

interface Family {
  kid: string;
  algorithms: string[];
  keys: { publicKey: KeyObject; privateKey: KeyObject };
}
const curve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
const families: Family[] = [
  {
    kid: 'rsa',
    algorithms: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
    keys: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  },
  { kid: 'ed25519', algorithms: ['EdDSA', 'Ed25519'], keys: generateKeyPairSync('ed25519') },
  { kid: 'p-256', algorithms: ['ES256'], keys: curve('P-256') },
  { kid: 'p-384', algorithms: ['ES384'], keys: curve('P-384') },
  { kid: 'p-521', algorithms: ['ES512'], keys: curve('P-521') },
];
const secret = Buffer.alloc(64, 'a secret that two parties know');
// Without `alg`, as many issuers publish their keys: the key alone then does not limit the algorithm.
const published: JWK[] = [
  ...families.map(({ kid, keys }) => ({ ...(keys.publicKey.export({ format: 'jwk' }) as JWK), kid })),
  { kty: 'oct', k: secret.toString('base64url'), kid: 'shared' },
];

let server: Listening;
let tiny: Tiny;
beforeAll(async () => {
  server = await listening(({ url }, response) => {
    const body = url === '/keys' ? { keys: published } : { issuer, jwks_uri: `${issuer}/keys` };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  issuer = server.url;
  tiny = await startTiny({ auth: 'oauth', publicUrl, oauth: { issuer, audience: publicUrl } });
});
afterAll(async () => {
  await stopTiny();
  await server.close();
});

async function statusOf(alg: string, kid: string, key: KeyObject | Uint8Array): Promise<number> {
  const claims = { iss: issuer, aud: publicUrl, sub: 'anna', scope: 'billing:read' };
  const token = await new SignJWT(claims).setProtectedHeader({ alg, kid }).setExpirationTime('5m').sign(key);
  return (await send(tiny.url, callOf(), { authorization: `Bearer ${token}` })).status;
}

const signed = families.flatMap(({ kid, algorithms, keys }) => algorithms.map(alg => ({ alg, kid, keys })));
it.each(signed)('a token signed with $alg is accepted', async ({ alg, kid, keys }) => {
  expect(await statusOf(alg, kid, keys.privateKey)).toBe(200);
});

it.each(['HS256', 'HS384', 'HS512'])('a token signed with %s is refused, although its key is in the set', async alg => {
  expect(await statusOf(alg, 'shared', secret)).toBe(401);
});
