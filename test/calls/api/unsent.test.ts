/** Cancelled requests are not sent later, nobody waits for them, and a caller that waits learns why. */
import dns from 'node:dns';
import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createUpstreams } from '../../../src/calls/api/account/upstreams.ts';
import type { Upstream } from '../../../src/calls/api/http/client.ts';
import type { AttemptRecord, Observer } from '../../../src/server/logs/types.ts';
import { listening } from '../../support/listening.ts';
import { limitMs, until } from '../../support/until.ts';
import { anyone, read, write } from './anyone.ts';

afterEach(() => vi.restoreAllMocks());

async function serving(answer: RequestListener): Promise<string> {
  const { url, close } = await listening(answer);
  onTestFinished(close);
  return url;
}

const usual = { timeoutMs: limitMs, maxRetries: 0, maxConcurrency: 1, idPrefix: 'svc_' };
function upstreamAt(baseUrl: string, changes: Partial<typeof usual> = {}, observer: Observer = {}): Upstream {
  const upstreams = createUpstreams({ ...usual, ...changes }, observer);
  onTestFinished(() => upstreams.close());
  return upstreams.of(baseUrl, 'a-secret-key', ...anyone());
}

/** Holds back DNS lookups until `release` is called. */
function holdLookups() {
  const held: (() => void)[] = [];
  let released = false;
  vi.spyOn(dns, 'lookup').mockImplementation(((...args: unknown[]) => {
    const [options, done] = args.slice(-2) as [{ all?: boolean }, (...found: unknown[]) => void];
    const find = () => (options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4));
    if (released) find();
    else held.push(find);
  }) as never);
  const release = () => {
    released = true;
    for (const find of held) find();
  };
  return { held, release };
}

describe('a write that was cancelled while it connected', () => {
  it('is not sent when the connection is made later, and says that nothing was sent', async () => {
    const arrived: unknown[] = [];
    const url = await serving((request, response) => {
      arrived.push(request.headers['x-request-id']);
      request.resume();
      response.setHeader('content-type', 'application/json').end('{"add_on":{}}');
    });
    const lookups = holdLookups();
    const upstream = upstreamAt(url.replace('127.0.0.1', 'slow.invalid'));
    const abort = new AbortController();
    const given = upstream.send(write, { requestId: 'given-up', signal: abort.signal });
    await until(() => lookups.held.length === 1);
    abort.abort();
    expect(await given).toMatchObject({ ok: false, error: { code: 'cancelled', changed: false } });

    // Both use one connection: when the second is answered, the first would already have been sent.
    const wanted = upstream.send(write, { requestId: 'wanted' });
    lookups.release();
    expect(await wanted).toMatchObject({ ok: true });
    expect(arrived).toEqual(['wanted']);
  });
});

describe('an answer that does not come', () => {
  it('ends with the timeout of the call, although nothing else happens meanwhile', async () => {
    const url = await serving(() => {});
    const answer = await upstreamAt(url, { timeoutMs: 300 }).send(read);
    expect(answer).toMatchObject({ ok: false, attempts: 1, error: { code: 'timeout' } });
  });

  it('is not waited for when it announces a larger size than is accepted', async () => {
    const url = await serving((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 10 * 1024 * 1024 + 1 });
      response.write('{');
    });
    const answer = await upstreamAt(url).send(read);
    expect(answer).toMatchObject({ ok: false, error: { code: 'answer_too_large', changed: false } });
  });

  it('is accepted when it has exactly the largest accepted size', async () => {
    const start = '{"customer":{"name":"';
    const end = '"}}';
    const name = 'x'.repeat(10 * 1024 * 1024 - start.length - end.length);
    const url = await serving((_, response) => {
      const body = start + name + end;
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    });
    expect(await upstreamAt(url).send(read)).toMatchObject({ ok: true });
  });
});

describe('a call that is cancelled when it learns that it will wait', () => {
  it('is not retried', async () => {
    let arrived = 0;
    const url = await serving((_, response) => {
      arrived++;
      response.writeHead(503, { 'content-type': 'application/json' }).end('{"status":503,"error":"Down"}');
    });
    const abort = new AbortController();
    const onWait = () => abort.abort();
    const upstream = upstreamAt(url, { maxRetries: 3 });
    const answer = await upstream.send(read, { signal: abort.signal, onWait });
    expect(answer).toMatchObject({ ok: false, attempts: 1, error: { code: 'http_503' } });
    expect(arrived).toBe(1);
  });
});

describe('a call that waits', () => {
  it.each([
    [503, {}, 'retry'],
    [429, {}, 'rate_limit'],
    [429, { 'retry-after': '0.01' }, 'rate_limit'],
  ])('after a %i with %j learns why', async (status, headers, reason) => {
    let arrived = 0;
    const url = await serving((_, response) => {
      arrived++;
      response.writeHead(arrived === 1 ? status : 200, { 'content-type': 'application/json', ...headers }).end('{}');
    });
    const reasons: string[] = [];
    const onWait = ({ reason }: { reason: string }) => void reasons.push(reason);
    const answer = await upstreamAt(url, { maxRetries: 1 }).send(read, { onWait });
    expect([answer.ok, reasons[0]]).toEqual([true, reason]);
  });
});

describe('a connection that cannot be made', () => {
  const attempts = async (code: string) => {
    vi.spyOn(dns, 'lookup').mockImplementation(((...args: unknown[]) => {
      const done = args.at(-1) as (error: Error) => void;
      done(Object.assign(new Error(code), { code }));
    }) as never);
    return (await upstreamAt('http://nowhere.invalid', { maxRetries: 1 }).send(write)).attempts;
  };

  it.each([
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UND_ERR_INVALID_ARG',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ])('for %s is not retried, because a retry cannot help', async code => {
    expect(await attempts(code)).toBe(1);
  });

  it.each(['ECONNREFUSED', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])(
    'for %s is retried, also for a write',
    async code => {
      expect(await attempts(code)).toBe(2);
    },
  );
});

it('an observer of a call’s attempts gets each one with its answer', async () => {
  const answers = [503, 200];
  const url = await serving((_request, response) => {
    response.writeHead(answers.shift() ?? 200, { 'content-type': 'application/json' }).end('{}');
  });
  const heard: AttemptRecord[] = [];
  const observer = { attemptEnded: (attempt: AttemptRecord) => void heard.push(attempt) };
  await upstreamAt(url, { maxRetries: 1 }, observer).send(read);
  await upstreamAt('http://127.0.0.1:1', { maxRetries: 1 }, observer).send(write);
  expect(heard.map(({ attempt, status }) => [attempt, status])).toEqual([
    [1, 503],
    [2, 200],
    [1, null],
    [2, null],
  ]);
});
