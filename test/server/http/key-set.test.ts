import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createKeySet, IssuerNeeded, KeysUnavailable } from '../../../src/server/http/key-set.ts';
import { type Issuer, startIssuer } from './support/issuer.ts';
import { callOf, send, startTiny, stopTiny } from './support/tiny.ts';

const publicUrl = 'https://billing-mcp.example.com/mcp';
const minute = 60_000;
let issuer: Issuer;

beforeEach(async () => {
  issuer = await startIssuer(publicUrl);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await stopTiny();
  await issuer.close();
});

const start = (rateLimit = 0) => {
  const oauth = { issuer: issuer.url, audience: publicUrl };
  return startTiny({ auth: 'oauth', publicUrl, oauth, rateLimit });
};
const sendToken = (url: string, token: string) => send(url, callOf(), { authorization: `Bearer ${token}` });

/** Looks like a token of the issuer, but the signature is invented. */
function madeUp(header: object = { alg: 'ES256', kid: 'one' }): string {
  const claims = { iss: issuer.url, aud: publicUrl, sub: 'anna', scope: 'billing:read', exp: 4_000_000_000 };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(claims)}.${'A'.repeat(86)}`;
}

function down(_request: unknown, response: ServerResponse): boolean {
  response.writeHead(503).end();
  return true;
}

describe('tokens that fit no known key', () => {
  it('cause only a few requests to an issuer that is down, however many they are, and are counted', async () => {
    issuer.instead = down;
    // Its clock stands still: the first pause does not end.
    vi.spyOn(performance, 'now').mockReturnValue(1_000_000);
    const { url } = await start(20);
    const statuses: number[] = [];
    for (let round = 0; round < 4; round++) {
      const answers = await Promise.all(Array.from({ length: 25 }, () => sendToken(url, madeUp())));
      statuses.push(...answers.map(({ status }) => status));
    }
    expect(statuses.filter(status => status === 503)).toHaveLength(20);
    expect(statuses.filter(status => status === 429)).toHaveLength(80);
    // Each of the two metadata addresses once.
    expect(issuer.asked).toHaveLength(2);
  });

  it('are counted against their address before the issuer is asked', async () => {
    const { url } = await start(3);
    for (let i = 0; i < 3; i++) expect((await send(url)).status).toBe(401);
    expect((await sendToken(url, madeUp())).status).toBe(429);
    expect(issuer.asked).toEqual([]);
  });

  it('do not use the limit of valid tokens from the same address', async () => {
    const { url } = await start(5);
    expect((await sendToken(url, await issuer.token())).status).toBe(200);
    for (let i = 0; i < 10; i++) await sendToken(url, madeUp({ alg: 'ES256', kid: 'unknown' }));
    expect((await sendToken(url, await issuer.token())).status).toBe(200);
    expect(issuer.fetched()).toBe(1);
  });
});

describe('what an issuer publishes', () => {
  const endless = (response: ServerResponse, beginning: string) => {
    const filler = Buffer.alloc(64 * 1024, ' ');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(beginning);
    const pour = () => {
      while (!response.destroyed && response.write(filler));
    };
    response.on('drain', pour);
    pour();
    return true;
  };
  const documents: [what: string, path: string, beginning: () => string][] = [
    ['metadata', '/.well-known/oauth-authorization-server', () => `{"issuer":"${issuer.url}"`],
    ['key set', '/keys', () => '{"keys":['],
  ];
  it.each(documents)('is read up to 256 KiB: an endless %s is cut off', async (_what, path, beginning) => {
    let taken = 0;
    const closed = new Promise<void>(resolve => {
      issuer.instead = (request, response) => {
        if (request.url !== path) return false;
        response.on('close', () => {
          taken = request.socket.bytesWritten;
          resolve();
        });
        return endless(response, beginning());
      };
    });
    const { url } = await start();
    expect((await sendToken(url, await issuer.token())).status).toBe(503);
    await closed;
    // The system's buffers may hold more than the server has read.
    expect(taken).toBeLessThan(32 * 1024 * 1024);
  });

  it.each([
    [200, 250 * 1024],
    [503, 260 * 1024],
  ])('leads to the status %i when its metadata has %i bytes', async (status, bytes) => {
    issuer.instead = (request, response) => {
      if (request.url !== '/.well-known/oauth-authorization-server') return false;
      const metadata = { issuer: issuer.url, jwks_uri: `${issuer.url}/keys`, filler: '' };
      metadata.filler = 'x'.repeat(bytes - JSON.stringify(metadata).length);
      response.end(JSON.stringify(metadata));
      return true;
    };
    const { url } = await start();
    expect((await sendToken(url, await issuer.token())).status).toBe(status);
  });

  const foreign: [what: string, metadata: () => object][] = [
    ['names another issuer', () => ({ issuer: 'https://other.example', jwks_uri: `${issuer.url}/keys` })],
    ['names no issuer', () => ({ jwks_uri: `${issuer.url}/keys` })],
    ['has its keys at an address without TLS', () => ({ issuer: issuer.url, jwks_uri: 'http://keys.example/keys' })],
    ['gives no address for its keys', () => ({ issuer: issuer.url, jwks_uri: '/keys' })],
  ];
  it.each(foreign)('is refused when it %s, and the keys are not fetched', async (_what, metadata) => {
    issuer.instead = (request, response) => {
      if (!request.url!.startsWith('/.well-known/')) return false;
      response.end(JSON.stringify(metadata()));
      return true;
    };
    const { url } = await start();
    expect((await sendToken(url, await issuer.token())).status).toBe(503);
    expect(issuer.fetched()).toBe(0);
  });
});

describe('the key set', () => {
  const known = { alg: 'ES256', kid: 'one' };
  const token = { payload: '', signature: '' };
  let now: number;
  const keySet = () => {
    now = 0;
    return createKeySet({ issuer: issuer.url, audience: publicUrl }, () => now);
  };

  it('is requested once for all that wait', async () => {
    const { byKnownKeys: atHand, askingIssuer: asked } = keySet();
    await expect(atHand(known, token)).rejects.toThrow(IssuerNeeded);
    await Promise.all(Array.from({ length: 50 }, () => asked(known, token)));
    expect(issuer.asked).toEqual(['/.well-known/oauth-authorization-server', '/keys']);
    await atHand(known, token);
  });

  it('is requested less and less often while the issuer does not answer, and read when it does', async () => {
    issuer.instead = down;
    const { askingIssuer: asked } = keySet();
    const asksAfter = async (seconds: number) => {
      now += seconds * 1000;
      const before = issuer.asked.length;
      await expect(asked(known, token)).rejects.toThrow(KeysUnavailable);
      return issuer.asked.length > before;
    };
    const asking: boolean[] = [];
    for (const seconds of [0, 9, 1, 19, 1, 39, 1, 59, 1, 59, 1]) asking.push(await asksAfter(seconds));
    expect(asking).toEqual([true, false, true, false, true, false, true, false, true, false, true]);
    issuer.instead = () => false;
    now += minute;
    await asked(known, token);
    issuer.instead = down;
    now += 10 * minute;
    expect([await asksAfter(0), await asksAfter(9), await asksAfter(1)]).toEqual([true, false, true]);
  });

  it.each([
    ['nothing', 404, ''],
    ['something else', 200, '{"error":"moved"}'],
  ])('is searched again through the metadata when %s is left at its old address', async (_what, status, text) => {
    const { askingIssuer: asked } = keySet();
    await asked(known, token);
    issuer.instead = ({ url }, response) => url === '/keys' && !!response.writeHead(status).end(text);
    now = 10 * minute;
    await expect(asked(known, token)).rejects.toThrow(KeysUnavailable);
    issuer.instead = ({ url }, response) => {
      if (url === '/keys') return !!response.writeHead(status).end(text);
      const moved = { issuer: issuer.url, jwks_uri: `${issuer.url}/keys-moved` };
      response.end(JSON.stringify(url === '/keys-moved' ? { keys: issuer.keys } : moved));
      return true;
    };
    now += minute;
    await asked(known, token);
    expect(issuer.asked.at(-1)).toBe('/keys-moved');
  });

  it('is read again for a key that it lacks, at most twice a minute', async () => {
    const { byKnownKeys: atHand, askingIssuer: asked } = keySet();
    await asked(known, token);
    const other = { alg: 'ES256', kid: 'two' };
    await expect(atHand(other, token)).rejects.toThrow(/no applicable key/);
    now = minute / 2;
    await expect(atHand(other, token)).rejects.toThrow(IssuerNeeded);
    issuer.keys.push({ ...(issuer.keys[0] as object), kid: 'two' });
    await asked(other, token);
    expect(issuer.fetched()).toBe(2);
    await expect(asked({ alg: 'ES256', kid: 'three' }, token)).rejects.toThrow(/no applicable key/);
    expect(issuer.fetched()).toBe(2);
  });

  it('is read again in the background after five minutes, and stays valid while an issuer is away for five more', async () => {
    const { byKnownKeys: atHand, askingIssuer: asked } = keySet();
    await asked(known, token);
    now = 5 * minute;
    await atHand(known, token);
    // Waits for the read that is in progress.
    await expect(asked({ alg: 'ES256', kid: 'two' }, token)).rejects.toThrow(/no applicable key/);
    expect(issuer.fetched()).toBe(2);
    issuer.instead = down;
    now = 14 * minute;
    await atHand(known, token);
    now = 15.5 * minute;
    await expect(atHand(known, token)).rejects.toThrow(IssuerNeeded);
  });
});
