/** The method `link` over stdio: the built program, its page on 127.0.0.1, and who could decide there. */
import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { missingPages } from '../../../src/server/settings/confirm-text.ts';
import { type CountingUpstream, startCountingUpstream } from '../../calls/change/counting-upstream.ts';
import { connectClient, type TestClient } from '../../support/clients.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { environment, eras } from '../../support/settings.ts';
import { until } from '../../support/until.ts';

const write = 'update_add_on';
const args = { code: 'setup', amount_cents: 125_000 };
const folder = temporaryFolder();
const audit = join(folder, 'audit.jsonl');
let upstream: CountingUpstream;

beforeAll(async () => {
  upstream = await startCountingUpstream();
});
afterAll(() => upstream.close());
beforeEach(() => {
  upstream.answerWith(undefined);
  upstream.taken();
});

const connect = (more: Record<string, string> = {}, era: (typeof eras)[number] = eras[0]) => {
  const settings = { BILLING_ASK: 'link', BILLING_AUDIT_LOG: audit, container: '', ...more };
  return connectClient({ env: environment(upstream.url, settings) }, era, false);
};

interface Needed {
  link: string;
  confirmation: string;
}

async function asked(client: TestClient, more: JsonRecord = {}): Promise<Needed> {
  const { content } = await client.call(write, { ...args, ...more });
  return content.confirmation_required as unknown as Needed;
}
const again = (client: TestClient, { confirmation }: Needed, more: JsonRecord = {}) =>
  client.call(write, { ...args, ...more, confirmation });
const codeOf = ({ content }: { content: JsonRecord }) => (content.error as JsonRecord | undefined)?.code;

/** One request with exactly these headers, which `fetch` would not send. */
async function send(link: string, method: string, headers: Record<string, string> = {}, form?: Record<string, string>) {
  const body = form && new URLSearchParams(form).toString();
  const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
  const sent = request(link, { method, headers: { ...type, ...headers } }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
}
const proofIn = (html: string) => /name="proof" value="([^"]+)"/.exec(html)?.[1] ?? '';
const own = (link: string) => ({ origin: new URL(link).origin, 'sec-fetch-site': 'same-origin' });
async function decide(link: string, decision: 'approve' | 'decline') {
  const proof = proofIn((await send(link, 'GET')).text);
  return send(link, 'POST', own(link), { proof, decision });
}

describe.each(eras)('a client of %s without any capability', era => {
  let client: TestClient;
  beforeAll(async () => {
    client = await connect({}, era);
  });
  afterAll(() => client.close());

  it('gets a link, and its next call waits for the click and is carried out once', async () => {
    const needed = await asked(client);
    expect(needed.link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/approve\/[\w-]{22}$/);
    const both = [again(client, needed), again(client, needed)];
    expect((await decide(needed.link, 'approve')).status).toBe(303);
    const results = await Promise.all(both);
    const confirmedBy = results.map(({ content }) => (content.receipt as JsonRecord | undefined)?.confirmed_by);
    expect(confirmedBy.sort()).toEqual(['link', undefined]);
    expect(results.map(codeOf).filter(Boolean)).toEqual(['confirmation_used']);
    expect(upstream.written()).toBe(1);
    await until(async () => (await send(needed.link, 'GET')).text.includes('Approved and carried out.'));
  });

  it('counts twenty clicks at once as one, and the first decision stays', async () => {
    const needed = await asked(client, { amount_cents: 5 });
    const proof = proofIn((await send(needed.link, 'GET')).text);
    const clicks = Array.from({ length: 20 }, () =>
      send(needed.link, 'POST', own(needed.link), { proof, decision: 'approve' }),
    );
    expect(new Set((await Promise.all(clicks)).map(({ status }) => status))).toEqual(new Set([303]));
    await send(needed.link, 'POST', own(needed.link), { proof, decision: 'decline' });
    expect((await again(client, needed, { amount_cents: 5 })).content.receipt).toMatchObject({ confirmed_by: 'link' });
    expect(upstream.written()).toBe(1);
    const agreed = (await readFile(audit, 'utf8')).match(/^.*"event":"agreed".*$/gm) ?? [];
    expect(agreed.filter(line => line.includes('"decision":"link"')).length).toBe(era === eras[0] ? 2 : 4);
  });

  it('is refused after a decline, and cannot be approved any more', async () => {
    const needed = await asked(client, { amount_cents: 6 });
    await decide(needed.link, 'decline');
    expect(codeOf(await again(client, needed, { amount_cents: 6 }))).toBe('declined');
    expect((await send(needed.link, 'GET')).text).toContain('Declined. Nothing was changed.');
    await send(needed.link, 'POST', own(needed.link), { proof: 'x', decision: 'approve' });
    expect(codeOf(await again(client, needed, { amount_cents: 6 }))).toBe('confirmation_used');
    expect(upstream.written()).toBe(0);
  });
});

describe('the page behind a link', () => {
  let client: TestClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.close());

  it('is decided by no GET, however often, and leaks its address to no one', async () => {
    const { link } = await asked(client);
    for (const address of [link, `${link}?decision=approve`, `${link}?proof=x&decision=approve`, link]) {
      const { status, headers, text } = await send(address, 'GET', { purpose: 'prefetch', 'sec-purpose': 'prefetch' });
      expect([status, proofIn(text) !== '']).toEqual([200, true]);
      expect(headers).toMatchObject({
        ...{ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' },
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      });
      expect(Object.keys(headers).filter(name => /^access-control|^set-cookie/.test(name))).toEqual([]);
    }
    expect((await send(link, 'HEAD')).status).toBe(404);
    const { headers } = await send(link, 'OPTIONS', { origin: 'http://evil.example' });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  // biome-ignore format: a table
  const hostile: [string, (link: string) => Record<string, string>][] = [
    ['another origin', () => ({ origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' })],
    ['another port of this machine', link => ({ origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site', host: new URL(link).host })],
    ['a sandboxed frame', () => ({ origin: 'null', 'sec-fetch-site': 'cross-site' })],
    ['no origin', () => ({})],
    ['a null origin of a browser that says no more', () => ({ origin: 'null' })],
    ['a rebinding name', link => ({ ...own(link), host: `evil.example:${new URL(link).port}`, origin: `http://evil.example:${new URL(link).port}` })],
    ['localhost, which is not in the link', link => ({ ...own(link), host: `localhost:${new URL(link).port}` })],
  ];
  it.each(hostile)('takes no decision from %s', async (_what, headers) => {
    const needed = await asked(client);
    const proof = proofIn((await send(needed.link, 'GET')).text);
    expect((await send(needed.link, 'POST', headers(needed.link), { proof, decision: 'approve' })).status).toBe(403);
    await decide(needed.link, 'decline');
    expect(codeOf(await again(client, needed))).toBe('declined');
    expect(upstream.written()).toBe(0);
  });

  it('takes none without the proof of this page, and another path leads nowhere', async () => {
    const [needed, other] = [await asked(client), await asked(client)];
    const proof = proofIn((await send(other.link, 'GET')).text);
    for (const wrong of [proof, '', 'x']) {
      const form = { proof: wrong, decision: 'approve' };
      expect((await send(needed.link, 'POST', own(needed.link), form)).status).toBe(403);
    }
    for (const path of ['/approve/AAAAAAAAAAAAAAAAAAAAAA', '/approve/', '/', '/mcp', '/open/x'])
      expect([path, (await send(new URL(path, needed.link).href, 'GET')).status]).toEqual([path, 404]);
    await decide(needed.link, 'decline');
    expect(codeOf(await again(client, needed))).toBe('declined');
  });

  it('is named in no line of the audit log, and not in the token', async () => {
    const needed = await asked(client, { amount_cents: 7 });
    await decide(needed.link, 'approve');
    await again(client, needed, { amount_cents: 7 });
    const path = needed.link.split('/').at(-1) ?? '';
    const lines = await readFile(audit, 'utf8');
    expect(lines).toContain('"decision":"link"');
    expect(lines).not.toContain(path);
    expect(Buffer.from(needed.confirmation.split('.')[1] ?? '', 'base64url').toString()).not.toContain(path);
  });

  it('asks again, on a new page, if the record changed meanwhile; the old one says that nothing was done', async () => {
    const record = (amount: number) => ({
      add_on: { code: 'setup', name: 'Setup', amount_cents: amount, amount_currency: 'USD' },
    });
    upstream.answerWith(() => record(1));
    const needed = await asked(client);
    upstream.answerWith(() => record(2));
    await decide(needed.link, 'approve');
    const { content } = await again(client, needed);
    const next = content.confirmation_required as JsonRecord;
    expect(next).toMatchObject({ changed: expect.stringContaining('record changed'), link: expect.any(String) });
    expect(next.link).not.toBe(needed.link);
    expect(upstream.written()).toBe(0);
    expect((await send(needed.link, 'GET')).text).toContain('Approved, but nothing was sent.');
    expect(codeOf(await again(client, needed))).toBe('confirmation_used');
  });

  it('is one of this call: other arguments are refused, although it was approved', async () => {
    const needed = await asked(client);
    await decide(needed.link, 'approve');
    expect(codeOf(await again(client, needed, { amount_cents: 1 }))).toBe('confirmation_mismatch');
    expect(upstream.written()).toBe(0);
  });
});

describe('a program that ends between prompt and decision', () => {
  it.each([
    ['with a key of its own', {}, 'confirmation_invalid'],
    ['with the same key', { BILLING_STATE_KEY: 'state-key-of-the-tests-0123456789-abcdef' }, 'confirmation_unknown'],
  ])('takes its page along; the next one, %s, says so and changes nothing', async (_what, more, code) => {
    const first = await connect(more);
    const needed = await asked(first);
    await decide(needed.link, 'approve');
    await first.close();
    await until(() =>
      send(needed.link, 'GET').then(
        () => false,
        () => true,
      ),
    );
    const next = await connect(more);
    expect(codeOf(await again(next, needed))).toBe(code);
    expect(upstream.written()).toBe(0);
    await next.close();
  });
});

describe('the browser of this machine', () => {
  it('is opened without a shell at an address that is void once it was opened, one window at a time', async () => {
    const opened = join(folder, 'opened');
    const opener = join(folder, 'xdg-open');
    await writeFile(opener, `#!/bin/sh\nprintf '%s|%s|%s\\n' "$#" "$1" "$BILLING_API_KEY" >> '${opened}'\n`);
    await chmod(opener, 0o755);
    const client = await connect({ BILLING_OPEN_BROWSER: 'true', PATH: `${folder}:${process.env.PATH}` });
    const windows = async () => (await readFile(opened, 'utf8').catch(() => '')).trim().split('\n').filter(Boolean);
    const needed = await asked(client);
    await until(async () => (await windows()).length === 1);
    const [count, address = '', key] = (await windows())[0]?.split('|') ?? [];
    expect([count, key]).toEqual(['1', '']);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{22}$/);
    expect(address).not.toContain(needed.link.split('/').at(-1));
    // Asked while the first window is open: only the answer has the link.
    const second = await asked(client, { amount_cents: 9 });
    expect((await send(address, 'GET', { host: 'evil.example' })).status).toBe(403);
    expect(await send(address, 'GET')).toMatchObject({ status: 303, headers: { location: needed.link } });
    expect((await send(address, 'GET')).status).toBe(404);
    await decide(needed.link, 'decline');
    await decide(second.link, 'decline');
    const third = await asked(client, { amount_cents: 10 });
    await until(async () => (await windows()).length === 2);
    const [, latest = ''] = (await windows())[1]?.split('|') ?? [];
    expect(await send(latest, 'GET')).toMatchObject({ status: 303, headers: { location: third.link } });
    await client.close();
  });

  it.each([
    ['a container that podman names', { container: 'podman' }, false, true],
    ['a pod', { KUBERNETES_SERVICE_HOST: '10.0.0.1' }, false, true],
    ['a container of Docker', {}, true, true],
    ['a container whose ports are forwarded', { container: '' }, true, false],
    ['a machine', {}, false, false],
  ])('cannot open a page of %s', (_what, environment, exists, missing) => {
    expect(missingPages(environment, () => exists) !== undefined).toBe(missing);
  });
});
