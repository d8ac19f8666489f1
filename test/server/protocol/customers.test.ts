/** Customers over stdio, in the built program, and in a program that embeds the server. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { createBillingServer } from '../../../src/library.ts';
import { connectClient } from '../../support/clients.ts';
import { customerKey, customerToken } from '../../support/customer-tokens.ts';
import { temporaryFolder } from '../../support/folder.ts';
import type { Era } from '../../support/settings.ts';

const customer = demoIds.external_customer_id;
const metaKey = 'usage-billing/customer-token';

/** Calls a tool with this token in `_meta`; gives its structured content. */
type Call = (name: string, args: JsonRecord, token?: string) => Promise<JsonRecord>;

/** Starts the program with the demo account and connects a client of this era. */
async function connect(era: Era, env: Record<string, string>): Promise<Call> {
  const client = await connectClient(
    { env: { PATH: process.env.PATH ?? '', BILLING_DEMO: 'true', ...env } },
    era,
    false,
  );
  onTestFinished(() => client.close());
  return async (name, args, token) => {
    client.tamper = ({ method, params }) => {
      if (method !== 'tools/call' || token === undefined) return;
      const { _meta } = params as { _meta?: object };
      Object.assign(params as object, { _meta: { ..._meta, [metaKey]: token } });
    };
    return (await client.call(name, args)).content;
  };
}

const codeOf = ({ error }: JsonRecord) => (error as { code: string } | undefined)?.code ?? 'ok';
const get = { external_customer_id: customer };
const auditLog = join(temporaryFolder(), 'audit.jsonl');

describe('over stdio, a client', () => {
  it('with a token key, is served with a token in _meta only, and told so', async () => {
    const call = await connect('2025-11-25', { BILLING_CUSTOMER_TOKEN_KEY: customerKey });
    const expired = await customerToken(customer, { expires: Math.floor(Date.now() / 1000) - 60 });
    expect(codeOf(await call('get_customer', get))).toBe('binding_needed');
    expect(codeOf(await call('get_customer', get, await customerToken(customer)))).toBe('ok');
    expect((await call('get_customer', get, expired)).summary).toMatch(/has expired/);
    expect(codeOf(await call('get_customer', get))).toBe('binding_needed');
  });

  it('with configured customers, is bound to them without any token', async () => {
    const settings = { BILLING_CUSTOMER: customer, BILLING_CONFIRM: 'never', BILLING_AUDIT_LOG: auditLog };
    const call = await connect('2026-07-28', settings);
    expect(codeOf(await call('get_customer', get))).toBe('ok');
    await call('update_wallet', { svc_id: demoIds.wallet_svc_id, name: 'Ours' });
    expect(await readFile(auditLog, 'utf8')).toMatch(/"caller":"stdio~[\w-]{16}"/);
  });
});

describe('a program that embeds the server', () => {
  async function ask(options: Parameters<typeof createBillingServer>[0], customers?: string[]): Promise<unknown> {
    const billing = createBillingServer({ demo: true, ...options });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = billing.createMcpServer({ id: 'anna', ...(customers && { customers }) });
    await server.connect(far);
    const client = new Client({ name: 'embedding', version: '1' }, {});
    await client.connect(near);
    const { structuredContent } = await client.callTool({ name: 'get_customer', arguments: get });
    await client.close();
    await billing.close();
    return codeOf(structuredContent as JsonRecord);
  }

  it('says for which customers a connection is, and may make that necessary', async () => {
    const required = { customer: ['required'] };
    expect([await ask({}), await ask({}, [customer]), await ask(required), await ask(required, [customer])]).toEqual([
      ...['ok', 'ok', 'binding_needed', 'ok'],
    ]);
  });

  it('is told when it names no list', () => {
    const billing = createBillingServer({ demo: true });
    onTestFinished(() => billing.close());
    const customers = 'acme' as unknown as string[];
    expect(() => billing.createMcpServer({ id: 'anna', customers })).toThrow(/customers is a list/);
  });
});
