/** The demo account with a text of its own in every field that can be hidden, and a server in front of it. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { demoIds } from '../../../../src/contract/demo-ids.ts';
import { hiddenNames } from '../../../../src/contract/hidden-names.ts';
import { type MaskedField, maskedFields } from '../../../../src/contract/masked-fields.ts';
import type { ClientAbilities } from '../../../../src/definition/asking.ts';
import { nobody } from '../../../../src/definition/asking.ts';
import { changesAccount } from '../../../../src/definition/define.ts';
import type { JsonRecord } from '../../../../src/lib/json.ts';
import { story } from '../../../../src/server/commands/demo-story.ts';
import { createRuntime, type Runtime } from '../../../../src/server/runtime.ts';
import { loadConfig } from '../../../../src/server/settings/load.ts';
import { demoAccount } from '../../../../src/service/account-file/demo.ts';
import type { AccountFile } from '../../../../src/service/account-file/schema.ts';
import { startService } from '../../../../src/service/start.ts';
import { toolByName } from '../../../../tools/all-tools.ts';
import { everyTool } from '../../../server/http/support/calls.ts';
import { key } from '../../../support/settings.ts';
import { maskRoles } from './roles.ts';

type Customer = NonNullable<AccountFile['customers']>[number];

/** `xq-email-acme` in the field of this customer. */
const mark = (field: string, customer: string) => `xq-${field}-${customer}`;

/** The kinds of personal data whose marks are in the text. */
export function kindsIn(text: string): MaskedField[] {
  return maskedFields.filter(kind => hiddenNames[kind].some(field => text.includes(`xq-${field}-`)));
}

export async function markedAccount(): Promise<AccountFile> {
  const account = await demoAccount();
  return { ...account, customers: account.customers?.map(marked) };
}

function marked(customer: Customer): Customer {
  const { external_id } = customer;
  const marks = Object.fromEntries(
    maskedFields.flatMap(kind => hiddenNames[kind]).map(field => [field, mark(field, external_id)]),
  );
  const street = { address_line1: mark('shipping_address', external_id), city: mark('city', external_id) };
  return {
    ...customer,
    ...marks,
    email: `${mark('email', external_id)}@people.example`,
    shipping_address: { ...street, country: 'FR' },
    integration_customers: [{ type: 'crm', email: mark('email', external_id) }],
    error_details: [
      { error_code: 'tax_error', details: { tax_error: `no such street: ${mark('address_line1', external_id)}` } },
    ],
  };
}

/** An account file, served until `close`. */
export async function serve(account: AccountFile) {
  const folder = await mkdtemp(join(tmpdir(), 'mask-'));
  const path = join(folder, 'account.json');
  await writeFile(path, JSON.stringify(account));
  const service = await startService({ account: path, apiKey: key, now: '2026-03-15T12:00:00Z' });
  await rm(folder, { recursive: true });
  return service;
}

export function runtimeFor(baseUrl: string, env: Record<string, string> = {}): Runtime {
  const settings = { BILLING_BASE_URL: baseUrl, BILLING_API_KEY: key, BILLING_MAX_WRITES_PER_MINUTE: '100000', ...env };
  return createRuntime({ config: loadConfig([], settings).config, roles: maskRoles });
}

/** Servers in front of one account, without a mask and with this one, until the tests of the file have ended. */
export function maskedServers(mask: string, account: () => Promise<AccountFile> = markedAccount, env = {}) {
  const servers = {} as { baseUrl: string; open: Runtime; masked: Runtime };
  let close: () => Promise<void>;
  beforeAll(async () => {
    const service = await serve(await account());
    const [open, masked] = [
      runtimeFor(service.baseUrl, env),
      runtimeFor(service.baseUrl, { ...env, BILLING_MASK: mask }),
    ];
    Object.assign(servers, { baseUrl: service.baseUrl, open, masked });
    close = async () => {
      await open.close();
      await masked.close();
      await service.close();
    };
  });
  afterAll(() => close());
  return servers;
}

/** The summary and the fields of an answer. */
export async function contentOf(runtime: Runtime, tool: string, args: object): Promise<JsonRecord> {
  const { summary, fields } = JSON.parse(await answerOf(runtime, tool, args)).answer;
  return { summary, ...fields };
}

/** A client of this server, until the test has ended. */
export async function clientOf(runtime: Runtime): Promise<Client> {
  const [transport, far] = InMemoryTransport.createLinkedPair();
  serveStdio(() => runtime.createMcpServer({ caller: runtime.ownCaller() }), { transport: far });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** The whole answer of one call as JSON, with the data of its page. */
export async function answerOf(runtime: Runtime, tool: string, args: object, caller = runtime.ownCaller()) {
  const client: ClientAbilities = { ...nobody, shows: route => route === 'buttons' };
  const outcome = await runtime.pipeline.call(tool, args, { caller, client });
  return JSON.stringify(outcome);
}

const customer = demoIds.external_customer_id;
const address = { address_line1: mark('address_line1', 'new'), city: mark('city', 'new') };

/** Calls of every tool that show what it can show; the names and ids are those of the demo account. */
export const calls: { tool: string; args: object }[] = [
  ...story.map(({ tool, args }) => ({ tool, args })),
  ...everyTool('masked').map(({ name, args }) => ({ tool: name, args })),
  ...['get_customer', 'get_invoice', 'preview_invoice', 'update_invoice', 'update_credit_note'].flatMap(name =>
    everyTool('whole')
      .filter(call => call.name === name)
      .map(({ args }) => ({ tool: name, args: { ...args, detail: 'full' } })),
  ),
  { tool: 'get_invoice', args: { svc_id: 'SKY-US-001-002', detail: 'full' } },
  { tool: 'find_customers', args: {} },
  { tool: 'list_invoices', args: { external_customer_id: customer } },
  { tool: 'list_credit_notes', args: {} },
  { tool: 'list_payments', args: {} },
  { tool: 'list_activity', args: {} },
  { tool: 'list_events', args: {} },
  ...['coupons', 'applied_coupons', 'billing_entities', 'taxes', 'add_ons', 'fees', 'webhook_endpoints'].map(kind => ({
    tool: 'list_catalogue',
    args: { kind },
  })),
  {
    tool: 'preview_invoice',
    args: {
      customer: { name: 'New', tax_identification_number: mark('tax_identification_number', 'new'), ...address },
      plan_code: 'starter',
      detail: 'full',
    },
  },
];

/** Those that change nothing. */
export const reads = calls.filter(({ tool }) => !changesAccount(toolByName.get(tool)?.effect));
