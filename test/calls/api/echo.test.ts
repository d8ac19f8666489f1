import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUpstreams } from '../../../src/calls/api/account/upstreams.ts';
import { type Listening, listening } from '../../support/listening.ts';
import { limitMs } from '../../support/until.ts';
import { anyone, read } from './anyone.ts';

const key = 'sk/live+0123"45\\6789=';
const upstreams = createUpstreams({ timeoutMs: limitMs, maxRetries: 0, maxConcurrency: 2, idPrefix: 'svc_' });
let answer: { status: number; body: string; type: string };
let api: Listening;

beforeAll(async () => {
  api = await listening((_request, response) => {
    const { status, body, type } = answer;
    response.writeHead(status, { 'content-type': type, 'x-key': key, 'x-service-notice': `of ${key}` });
    response.end(body);
  });
});
afterAll(async () => {
  await upstreams.close();
  await api.close();
});

async function ask(status: number, body: string, type = 'application/json') {
  answer = { status, body, type };
  return await upstreams.of(api.url, key, ...anyone()).send(read, { requestId: 'r' });
}

const unicode = (text: string, upper: boolean) =>
  Array.from(text, character => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${upper ? code.toUpperCase() : code}`;
  }).join('');
const escaped = JSON.stringify(key).slice(1, -1);
const ways: [how: string, written: string][] = [
  ['as it is', escaped],
  ['with \\/', escaped.replaceAll('/', '\\/')],
  ['with \\u002F', escaped.replaceAll('/', '\\u002F').replaceAll('+', '\\u002b')],
  ['all in \\u', unicode(key, false)],
  ['all in \\u, capitals', unicode(key, true)],
  ['as JSON inside JSON', JSON.stringify(JSON.stringify({ key }).replaceAll('/', '\\/')).slice(1, -1)],
  ['as JSON inside JSON, in \\u', JSON.stringify(`{"key":"${unicode(key, true)}"}`).slice(1, -1)],
  ['as an address writes it', encodeURIComponent(key)],
  ['as an address writes it, in small letters', encodeURIComponent(key).toLowerCase()],
  ['with what is not seen inside', `${escaped.slice(0, 3)}\u200b${escaped.slice(3, 8)}\u00ad${escaped.slice(8)}`],
  ['with escapes of what is not seen', `${escaped.slice(0, 3)}\\u200B${escaped.slice(3, 8)}\\u0000${escaped.slice(8)}`],
  ['three times over', JSON.stringify(JSON.stringify(JSON.stringify(escaped.replaceAll('/', '\\/')))).slice(1, -1)],
];

/** Undoes all escapes and removes invisible characters, as somebody who searches for the key would. */
function unescaped(text: string): string {
  const once = text
    .replace(/%([\da-f]{2})/gi, (_whole, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/[\0\u00ad\u200b]/g, '')
    .replace(/\\+u([\da-f]{4})/gi, (_whole, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+(["/])/g, '$1');
  return once === text ? text.replace(/\\+/g, '\\') : unescaped(once);
}

const holdsKey = (answer: unknown) => unescaped(JSON.stringify(answer)).includes(key);

describe('a service that repeats the key', () => {
  it.each(ways)('%s in a record does not give the key to the assistant', async (_how, written) => {
    const body = `{"customer":{"name":"Acme ${written} and","lines":["${written}"],"metadata":{"${written}":"x\\ny"}}}`;
    expect(holdsKey(JSON.parse(body))).toBe(true);
    const answer = await ask(200, body);
    expect(answer.ok).toBe(true);
    expect(holdsKey(answer)).toBe(false);
    if (!answer.ok) return;
    const { customer } = answer.body as { customer: { name: string; metadata: Record<string, string> } };
    expect(customer.name).toMatch(/^Acme .*\[redacted\].* and$/s);
    expect(Object.values(customer.metadata)).toEqual(['x\ny']);
    expect(answer.notice).toBe('of [redacted]');
  });

  it.each(ways)('%s in a refusal does not give the key to the assistant', async (_how, written) => {
    const details = `{"name":["${written}"],"${written}":["taken"]}`;
    const body = `{"status":422,"error":"${written}","code":"${written}","error_details":${details}}`;
    const answer = await ask(422, body);
    expect(answer.ok).toBe(false);
    expect(holdsKey(answer)).toBe(false);
  });

  it('where a text is cut leaves no part of the key', async () => {
    const answer = await ask(500, JSON.stringify({ error: `${'x'.repeat(290)}${key}` }));
    expect(JSON.stringify(answer)).toContain('xxx');
    expect(JSON.stringify(answer)).not.toContain(key.slice(0, 7));
  });

  it('as the type of its answer leaves no part of the key', async () => {
    const answer = await ask(200, 'none', `text/x-${'x'.repeat(25)}${key}`);
    expect(JSON.stringify(answer)).toMatch(/text of type/);
    expect(JSON.stringify(answer)).not.toContain(key.slice(0, 4));
  });

  it('is not mistaken for one that writes other escapes', async () => {
    const record = { name: 'C:\\new/"x"\n', path: '\\\\server\\sk\\/live', metadata: { 'a/b': '\\u002F' } };
    const answer = await ask(200, JSON.stringify({ customer: record }));
    expect(answer).toMatchObject({ ok: true, body: { customer: record } });
  });

  // With a time that grows with the square of its length, this answer would outlast the suite's limit.
  it('is read also with a very long run of backslashes', async () => {
    const answer = await ask(200, JSON.stringify({ customer: { name: '\\'.repeat(2_000_000) } }));
    expect(answer.ok).toBe(true);
  });
});
