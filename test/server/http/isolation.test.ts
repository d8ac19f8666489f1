import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { type Listening, listening } from '../../support/listening.ts';
import { callLegacy, callModern, planCodes, requestLegacy } from './support/messages.ts';
import { ownServer, sharedServer } from './support/serve.ts';

/** Two accounts behind one address: each key sees its own add-on `setup` and nothing of the other's. */
const accounts: Record<string, { name: string }> = {
  'key-of-anna-0001': { name: "Anna's setup" },
  'key-of-bert-0002': { name: "Bert's setup" },
};
const anna = { headers: { 'x-billing-api-key': 'key-of-anna-0001' } };
const bert = { headers: { 'x-billing-api-key': 'key-of-bert-0002' } };
const asked = { capabilities: { elicitation: {} } };

interface Seen {
  key: string;
  method: string;
  requestId: string;
  socket: number;
  headers: IncomingMessage['headers'];
}

let upstream: Listening;
const seen: Seen[] = [];

beforeAll(async () => {
  upstream = await listening(async (request, response) => {
    const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
    seen.push({
      ...{ key, method: request.method!, requestId: String(request.headers['x-request-id']) },
      ...{ socket: request.socket.remotePort!, headers: request.headers },
    });
    const account = accounts[key];
    const reading = request.url!.startsWith('/api/v1/plans');
    const body = await text(request);
    response.setHeader('content-type', 'application/json');
    response.statusCode = account ? 200 : 401;
    if (!account) return response.end('{"status":401,"error":"Unauthorized"}');
    if (reading) {
      const plan = { svc_id: 'p', code: `plan_of_${key.split('-')[2]}`, name: account.name, interval: 'monthly' };
      return response.end(JSON.stringify({ plans: [plan], plan, meta: { current_page: 1, total_pages: 1 } }));
    }
    Object.assign(account, body === '' ? {} : JSON.parse(body).add_on);
    const add_on = { svc_id: 'x', code: 'setup', amount_cents: 100, amount_currency: 'USD', ...account };
    response.end(JSON.stringify({ add_on }));
  });
});
afterAll(() => upstream.close());

const audit = join(temporaryFolder(), 'audit.jsonl');
const server = sharedServer(['--confirm', 'always', '--max-writes-per-minute', '3'], () => ({
  ...{ BILLING_BASE_URL: upstream.url, BILLING_HTTP_AUTH: 'api-key', BILLING_AUDIT_LOG: audit },
  BILLING_ASK: 'url,form,buttons,token',
}));

const update = (name: string) => ({ code: 'setup', name });

describe('of two callers with different keys', () => {
  it('each reaches the billing API with its own key, on its own connections, under its own request id', async () => {
    const from = seen.length;
    const calls = [anna, bert, anna, bert].map((who, index) => {
      const headers = { ...who.headers, 'x-request-id': `isolation-${index}` };
      return callModern(server.url, 'list_plans', {}, { headers });
    });
    await Promise.all(calls);
    const requests = seen.slice(from);
    expect(requests.map(({ key, requestId }) => `${requestId} ${key}`).sort()).toEqual([
      'isolation-0 key-of-anna-0001',
      'isolation-1 key-of-bert-0002',
      'isolation-2 key-of-anna-0001',
      'isolation-3 key-of-bert-0002',
    ]);
    const socketsOf = (key: string) => new Set(seen.filter(one => one.key === key).map(one => one.socket));
    expect([...socketsOf('key-of-anna-0001')].filter(one => socketsOf('key-of-bert-0002').has(one))).toEqual([]);
  });

  it('a third caller without a key reaches nothing', async () => {
    const from = seen.length;
    const answer = await callModern(server.url, 'list_plans', {});
    expect(answer.status).toBe(401);
    expect(seen.slice(from)).toEqual([]);
  });

  it('neither can use a confirmation that the other was given', async () => {
    const first = await callLegacy(server.url, 'update_add_on', update('Mine'), anna);
    const { confirmation } = first.result.structuredContent.confirmation_required;
    const from = seen.length;
    const stolen = await callLegacy(server.url, 'update_add_on', { ...update('Mine'), confirmation }, bert);
    expect(stolen.result).toMatchObject({ isError: true });
    expect(stolen.result.structuredContent.error).toMatchObject({ code: 'confirmation_mismatch', changed: false });
    // The record is read again before the confirmation is checked: in the caller's own account.
    expect(seen.slice(from).map(({ key, method }) => `${method} ${key}`)).toEqual(['GET key-of-bert-0002']);
    expect(accounts['key-of-bert-0002']!.name).toBe("Bert's setup");
  });

  it("neither can answer the other's question", async () => {
    const question = await callModern(server.url, 'update_add_on', update('Mine'), { ...anna, ...asked });
    expect(question.result.resultType).toBe('input_required');
    const answered = { state: question.result.requestState, action: 'accept' as const };
    const from = seen.length;
    const stolen = await callModern(server.url, 'update_add_on', update('Mine'), { ...bert, ...asked, answered });
    expect(stolen.result.structuredContent.error.code).toBe('confirmation_mismatch');
    expect(seen.slice(from).filter(one => one.method !== 'GET')).toEqual([]);
    const own = await callModern(server.url, 'update_add_on', update('Mine'), { ...anna, ...asked, answered });
    expect(own.result.structuredContent.add_on.name).toBe('Mine');
  });

  it("neither sees what the server learned of a record from the other's calls", async () => {
    // The server knows Anna's add-on from her write; a question to Bert about his own must not mention it.
    const ask = async (who: typeof anna) => {
      const price = { code: 'setup', amount_cents: 7 };
      return JSON.stringify((await callModern(server.url, 'update_add_on', price, { ...who, ...asked })).body);
    };
    expect(await ask(bert)).not.toContain('Mine');
    expect(await ask(anna)).toContain('Mine');
  });

  it("neither completes with the other's plans, one right after the other", async () => {
    const complete = async (who: typeof anna) =>
      (await requestLegacy(server.url, 'completion/complete', planCodes, who)).result.completion.values;
    const values = [await complete(anna), await complete(bert), await complete(anna)];
    expect(values).toEqual([['plan_of_anna'], ['plan_of_bert'], ['plan_of_anna']]);
  });

  it("neither reads the other's resources", async () => {
    const uri = 'billing://plans/plan_of_anna';
    const own = await requestLegacy(server.url, 'resources/read', { uri }, anna);
    expect(JSON.stringify(own.result.contents)).toContain('plan_of_anna');
    const others = await requestLegacy(server.url, 'resources/read', { uri }, bert);
    expect(JSON.stringify(others.body)).not.toContain('A2');
    expect(JSON.stringify(others.body)).not.toContain('Mine');
  });

  it("one's writes leave the other's budget alone", async () => {
    const write = async (who: typeof anna, name: string) => {
      const first = await callLegacy(server.url, 'update_add_on', update(name), who);
      const needed = first.result.structuredContent.confirmation_required;
      if (!needed) return first.result.structuredContent.error.code;
      const args = { ...update(name), confirmation: needed.confirmation };
      const second = await callLegacy(server.url, 'update_add_on', args, who);
      return second.result.structuredContent.add_on.name;
    };
    // One of three was used above.
    expect([await write(anna, 'A1'), await write(anna, 'A2')]).toEqual(['A1', 'A2']);
    const exhausted = await write(anna, 'A3');
    expect(exhausted).not.toBe('A3');
    expect(accounts['key-of-anna-0001']!.name).toBe('A2');
    expect(await write(bert, 'B1')).toBe('B1');
  });

  it('the audit log tells them apart, and neither key is in it, in the log or in the metrics', async () => {
    const audited = (await readFile(audit, 'utf8')).trim().split('\n');
    const callers = new Set(audited.map(line => JSON.parse(line).caller));
    expect(callers.size).toBe(2);
    const metrics = await (await fetch(server.url.replace('/mcp', '/metrics'))).text();
    expect(metrics).toContain('billing_mcp_tool_calls_total{tool="update_add_on"');
    for (const said of [...audited, ...server.lines, metrics]) expect(said).not.toMatch(/key-of-/);
    expect(server.lines.filter(line => line.includes('"msg":"call"')).length).toBeGreaterThan(10);
  });

  it('a trace that one sends goes upstream with its own requests only', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const from = seen.length;
    await Promise.all([
      callModern(server.url, 'list_plans', {}, { headers: { ...anna.headers, traceparent } }),
      callLegacy(server.url, 'list_plans', {}, bert),
    ]);
    const traced = Object.fromEntries(seen.slice(from).map(({ key, headers }) => [key, headers.traceparent]));
    expect(traced).toEqual({ 'key-of-anna-0001': traceparent, 'key-of-bert-0002': undefined });
  });

  it('invented keys do not reduce their limits, even from the same address', async () => {
    const own = await ownServer(['--rate-limit', '4', '--http-auth', 'api-key'], { BILLING_BASE_URL: upstream.url });
    const status = async (key: string) =>
      (await callLegacy(own.url, 'list_plans', {}, { headers: { 'x-billing-api-key': key } })).status;
    expect(await status('key-of-anna-0001')).toBe(200);
    const guesses = [];
    for (let i = 0; i < 5; i++) guesses.push(await status(`made-up-${i}`));
    expect(guesses).toEqual([200, 200, 200, 429, 429]);
    expect([await status('key-of-anna-0001'), await status('key-of-anna-0001')]).toEqual([200, 200]);
  });

  it('the credential that a caller sent to this server is never passed on', async () => {
    expect(seen.length).toBeGreaterThan(0);
    for (const { headers } of seen) {
      expect(headers['x-billing-api-key']).toBeUndefined();
      expect(headers.cookie).toBeUndefined();
    }
  });
});
