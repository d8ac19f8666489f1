import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { answersWith, type Listening, listening } from '../../support/listening.ts';
import { type Issuer, startIssuer } from './support/issuer.ts';
import { callLegacy, callModern, planCodes, requestLegacy } from './support/messages.ts';
import { sharedServer } from './support/serve.ts';

const publicUrl = 'https://billing-mcp.example.com/mcp';
const serverKey = 'billing-key-of-the-server';
let api: Listening;
let issuer: Issuer;
let seen: IncomingMessage[] = [];
const tokens: string[] = [];

beforeAll(async () => {
  issuer = await startIssuer(publicUrl);
  const answer = answersWith('{"add_on":{"code":"setup"},"plans":[{"code":"basic"}],"meta":{}}');
  api = await listening((request, response) => {
    seen.push(request);
    answer(request, response);
  });
});
afterAll(() => Promise.all([issuer.close(), api.close()]));

const server = sharedServer(['--confirm', 'never', '--http-auth', 'oauth'], () => ({
  ...{ BILLING_BASE_URL: api.url, BILLING_API_KEY: serverKey },
  ...{ BILLING_HTTP_PUBLIC_URL: publicUrl, BILLING_OAUTH_ISSUER: issuer.url },
}));
beforeEach(() => {
  seen = [];
});

const holding = async (scope: string) => {
  const token = await issuer.token({ scope });
  tokens.push(token);
  return { headers: { authorization: `Bearer ${token}` } };
};
const names = async (scope: string): Promise<string[]> => {
  const { result } = await requestLegacy(server.url, 'tools/list', {}, await holding(scope));
  return result.tools.map((tool: { name: string }) => tool.name).sort();
};
const ofEffect = (...effects: string[]) =>
  toolDefinitions
    .filter(tool => effects.includes(tool.effect))
    .map(tool => tool.name)
    .sort();

describe('with an access token', () => {
  it.each([
    ['billing:read', ['read', 'compute']],
    ['billing:write', ['write']],
    ['billing:read billing:delete', ['read', 'compute', 'delete']],
    ['billing:read billing:write billing:delete', ['read', 'compute', 'write', 'delete']],
  ])('for %s, exactly the tools of that scope are listed', async (scope, effects) => {
    expect(await names(scope)).toEqual(ofEffect(...effects));
  });

  it.each([
    ['the older protocol', callLegacy],
    ['the stateless protocol', callModern],
  ])('for reading, reads work and a write is refused before the protocol, in %s', async (_what, call) => {
    const reader = await holding('billing:read');
    const read = await call(server.url, 'list_plans', {}, reader);
    expect([read.status, read.result.isError ?? false]).toEqual([200, false]);
    seen = [];
    for (const [tool, args, scope] of [
      ['update_add_on', { code: 'setup' }, 'billing:write'],
      ['delete_add_on', { code: 'setup' }, 'billing:delete'],
      // The button of a page, for the write it is about.
      ['decide_write', { tool: 'delete_add_on', arguments: { code: 'setup' } }, 'billing:delete'],
    ] as const) {
      const refused = await call(server.url, tool, args, reader);
      expect(refused.status).toBe(403);
      expect(refused.body).toMatchObject({ jsonrpc: '2.0', error: { message: `This tool needs the scope ${scope}.` } });
      const challenge = refused.headers.get('www-authenticate')!;
      expect(challenge).toMatch(/^Bearer error="insufficient_scope", /);
      expect(challenge).toContain(`scope="billing:read ${scope}"`);
      expect(challenge).toContain('/.well-known/oauth-protected-resource/mcp"');
    }
    expect(seen).toEqual([]);
  });

  it('for writing only, no tool, resource or completion reads', async () => {
    const writer = await holding('billing:write');
    expect((await callLegacy(server.url, 'list_plans', {}, writer)).status).toBe(403);
    const uri = 'billing://plans/basic';
    const resource = await requestLegacy(server.url, 'resources/read', { uri }, writer);
    expect(resource.body.error.message).toMatch(/not available to this caller/);
    const completed = await requestLegacy(server.url, 'completion/complete', planCodes, writer);
    expect(completed.result.completion.values).toEqual([]);
    expect(seen).toEqual([]);
  });

  it('the billing API sees the key of the server, and the token appears neither upstream nor in log or metrics', async () => {
    const all = await holding('billing:read billing:write');
    await callModern(server.url, 'list_plans', {}, all);
    const written = await callModern(server.url, 'update_add_on', { code: 'setup', name: 'New' }, all);
    expect(written.result.isError ?? false).toBe(false);
    expect(seen.length).toBeGreaterThan(1);
    for (const { headers } of seen) expect(headers.authorization).toBe(`Bearer ${serverKey}`);
    const metrics = await (await fetch(server.url.replace('/mcp', '/metrics'))).text();
    expect(metrics).toContain('billing_mcp_confirmations_total{event="done",confirmed_by="policy"} 1');
    const upstream = seen.map(({ headers, url }) => JSON.stringify([headers, url]));
    for (const text of [...server.lines, ...upstream, metrics]) {
      for (const token of tokens) expect(text).not.toContain(token.split('.')[2]);
    }
    expect([...server.lines, metrics].join('')).not.toContain(serverKey);
  });
});
