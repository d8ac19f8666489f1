/** Customers over stdio, in the built program, and in a program that embeds the server. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { createBillingServer } from '../../../src/library.ts';
import { customerKey, customerToken } from '../../support/customer-tokens.ts';
import { type Era, main } from '../../support/settings.ts';

const customer = demoIds.external_customer_id;
const metaKey = 'usage-billing/customer-token';

/** Calls a tool with this token in `_meta`; gives its structured content. */
type Call = (name: string, args: JsonRecord, token?: string) => Promise<JsonRecord>;

/** Starts the program with the demo account and connects a client of this era. */
async function connect(era: Era, env: Record<string, string>): Promise<Call> {
  const command = { command: process.execPath, args: [main, '--demo'], env: { PATH: process.env.PATH ?? '', ...env } };
  const meta = (token?: string) => (token === undefined ? {} : { _meta: { [metaKey]: token } });
  if (era === '2026-07-28') {
    const client = new Client(
      { name: 'modern', version: '1' },
      { capabilities: {}, versionNegotiation: { mode: { pin: era } } },
    );
    await client.connect(new StdioClientTransport(command));
    onTestFinished(() => client.close());
    return async (name, args, token) =>
      (await client.callTool({ name, arguments: args, ...meta(token) })).structuredContent as JsonRecord;
  }
  const client = new LegacyClient({ name: 'older', version: '1' }, { capabilities: {} });
  await client.connect(new LegacyStdioTransport(command));
  onTestFinished(() => client.close());
  return async (name, args, token) =>
    (await client.callTool({ name, arguments: args, ...meta(token) })).structuredContent as JsonRecord;
}

const codeOf = ({ error }: JsonRecord) => (error as { code: string } | undefined)?.code ?? 'ok';
const get = { external_customer_id: customer };

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
    const folder = await mkdtemp(join(tmpdir(), 'bound-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const auditLog = join(folder, 'audit.jsonl');
    const call = await connect('2026-07-28', {
      BILLING_CUSTOMER: customer,
      BILLING_CONFIRM: 'never',
      BILLING_AUDIT_LOG: auditLog,
    });
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
