/** What a page draws beside what the assistant reads, for clients that declare MCP Apps. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import type { Runtime } from '../../../src/server/runtime.ts';
import { eras } from '../../support/settings.ts';
import { connectHere, connectProgram, pages, startDemo } from './hosts.ts';

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
  let runtime: Runtime;
  /** Shows pages, in front of the built program. */
  let host: Client;
  /** Shows none. */
  let other: Client;
  beforeAll(async () => {
    runtime = startDemo('--confirm', 'never');
    host = await connectProgram(era, pages, '--confirm', 'never');
    other = await connectHere(runtime, era, {});
  });
  afterAll(async () => {
    await Promise.all([host.close(), other.close()]);
    await runtime.close();
  });

  it('that shows pages gets the whole record of a tool with a page in _meta, and reads the same as any other', async () => {
    const overview = { name: 'get_customer_overview', arguments: { external_customer_id: 'acme-podcasts' } };
    const usage = { name: 'get_usage', arguments: { external_customer_id: 'acme-podcasts' } };
    for (const call of [preview, compare, overview, usage]) {
      const shown = await host.callTool(call);
      const plain = await other.callTool(call);
      expect(shown.structuredContent).toEqual(plain.structuredContent);
      expect(shown.content).toEqual(plain.content);
      expect(pageOf(plain)).toBeUndefined();
      expect(pageOf(shown)).toBeDefined();
      expect(JSON.stringify(pageOf(shown))).not.toMatch(/"for_(summary|page|export)":/);
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
  });

  it('that shows pages gets the record before a write, and what a dry run would set', async () => {
    const dry = { ...rename, arguments: { ...rename.arguments, name: 'Other', dry_run: true } };
    const shown = await host.callTool(dry);
    expect(pageOf(shown)).toMatchObject({ before: { name: 'Prepaid', priority: 10 }, proposal: { name: 'Other' } });
    expect(await other.callTool(dry)).toMatchObject({ structuredContent: shown.structuredContent });
    expect(pageOf(await other.callTool(dry))).toBeUndefined();
    expect(pageOf(await host.callTool(rename))).toMatchObject({
      before: { name: 'Prepaid' },
      wallet: { recurring_transaction_rules: [{ trigger: 'threshold' }] },
      receipt: { requested: { name: 'Prepaid 2026' }, revert: { arguments: { name: 'Prepaid' } } },
      question: expect.stringContaining('from “Prepaid” to “Prepaid 2026”'),
    });
  });

  it('gets nothing beside the answer where the answer is whole, where it is an error, and from tools without a page', async () => {
    const calls = [
      { ...preview, arguments: { ...preview.arguments, detail: 'full' } },
      { name: 'preview_invoice', arguments: { plan_code: 'gone' } },
      { name: 'get_customer', arguments: { external_customer_id: demoIds.external_customer_id } },
    ];
    for (const call of calls) expect(pageOf(await host.callTool(call))).toBeUndefined();
  });
});
