/** What a page draws beside what the assistant reads, for clients that declare MCP Apps. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { demoIds } from '../../src/model/demo-ids.ts';
import { eras, main } from '../support/settings.ts';

const pages = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
const clients: Client[] = [];
afterAll(() => Promise.all(clients.map(client => client.close())));

async function connect(era: string, capabilities: object): Promise<Client> {
  const newer = era === '2026-07-28' && { versionNegotiation: { mode: { pin: era } } };
  const client = new Client({ name: 'host', version: '1' }, { capabilities, ...newer });
  const args = [main, '--demo', '--now', '2026-03-15T12:00:00Z', '--confirm', 'never'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' }));
  clients.push(client);
  return client;
}

const preview = {
  name: 'preview_invoice',
  arguments: {
    customer: { external_id: demoIds.external_customer_id },
    subscriptions: { external_ids: [demoIds.external_subscription_id] },
  },
};
const compare = { name: 'compare_plans', arguments: { plan_codes: ['studio', 'enterprise'] } };
const rename = { name: 'update_wallet', arguments: { svc_id: demoIds.wallet_svc_id, name: 'Prepaid 2026' } };
const pageOf = (result: object) => ((result as JsonRecord)._meta as JsonRecord | undefined)?.['usage-billing/page'];

describe.each(eras)('a client of %s', era => {
  it('that shows pages gets the whole record of a tool with a page in _meta, and reads the same as any other', async () => {
    const host = await connect(era, pages);
    const other = await connect(era, {});
    for (const call of [preview, compare]) {
      const shown = await host.callTool(call);
      const plain = await other.callTool(call);
      expect(shown.structuredContent).toEqual(plain.structuredContent);
      expect(shown.content).toEqual(plain.content);
      expect(pageOf(plain)).toBeUndefined();
      expect(pageOf(shown)).toBeDefined();
    }
    expect(pageOf(await host.callTool(preview))).toMatchObject({
      invoice: {
        customer: { city: 'Brooklyn' },
        fees: expect.arrayContaining([expect.objectContaining({ units: '8.0' })]),
      },
    });
    expect(pageOf(await host.callTool(compare))).toMatchObject({
      baseline_plan_code: 'studio',
      comparison: [{ covers: expect.any(String) }, { taxes_amount_cents: expect.any(Number) }],
    });
    expect(pageOf(await host.callTool(rename))).toMatchObject({
      wallet: { recurring_transaction_rules: [{ trigger: 'threshold' }] },
      receipt: { requested: { name: 'Prepaid 2026' }, revert: { arguments: { name: 'Prepaid' } } },
      question: expect.stringContaining('from “Prepaid” to “Prepaid 2026”'),
    });
  });

  it('that shows pages gets the record before a write, and what a dry run would set', async () => {
    const host = await connect(era, pages);
    const dry = { ...rename, arguments: { ...rename.arguments, name: 'Other', dry_run: true } };
    const shown = await host.callTool(dry);
    expect(pageOf(shown)).toMatchObject({ before: { name: 'Prepaid', priority: 10 }, proposal: { name: 'Other' } });
    const other = await connect(era, {});
    expect(await other.callTool(dry)).toMatchObject({ structuredContent: shown.structuredContent });
    expect(pageOf(await other.callTool(dry))).toBeUndefined();
    expect(pageOf(await host.callTool(rename))).toMatchObject({ before: { name: 'Prepaid' } });
  });

  it('gets nothing beside the answer where the answer is whole, where it is an error, and from tools without a page', async () => {
    const host = await connect(era, pages);
    const calls = [
      { ...preview, arguments: { ...preview.arguments, detail: 'full' } },
      { name: 'preview_invoice', arguments: { plan_code: 'gone' } },
      { name: 'get_customer', arguments: { external_customer_id: demoIds.external_customer_id } },
    ];
    for (const call of calls) expect(pageOf(await host.callTool(call))).toBeUndefined();
  });
});
