/** The table of docs/safe-writes.md: the reads and the requests that change something, of every write in every mode. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { connectClient, startRuntime } from '../../support/clients.ts';
import { eras } from '../../support/settings.ts';
import { lookupBody } from '../../tools/lookup-bodies.ts';
import { type CountingUpstream, startCountingUpstream, stored } from './counting-upstream.ts';
import { samples } from './samples.ts';
import { changes } from './tamper.ts';

/** Every kind of catalogue that a write can name is named. */
const named: Record<string, JsonRecord> = {
  update_subscription: { plan_overrides: { tax_codes: ['calls'] } },
  create_subscription_alert: {
    alert_type: 'billable_metric_current_usage_amount',
    billable_metric_code: 'calls',
  },
  update_wallet: { applies_to: { billable_metric_codes: ['calls'] } },
  update_add_on: { tax_codes: ['calls'] },
};
/** A dry run, two columns in which the server asks no one, three in which it asks. `twice`: a call without the token, and one with it. */
const columns: { settings: Record<string, string>; asks: boolean; dryRun?: true; twice?: true }[] = [
  { settings: {}, asks: true, dryRun: true },
  { settings: { BILLING_CONFIRM: 'never' }, asks: true },
  { settings: { BILLING_CONFIRM: 'auto' }, asks: false },
  { settings: { BILLING_CONFIRM: 'auto' }, asks: true },
  { settings: { BILLING_CONFIRM: 'always' }, asks: true },
  { settings: { BILLING_CONFIRM: 'always' }, asks: false, twice: true },
];
// The list of plans shows what each of them charges.
const record = { ...stored, external_customer_id: 'acme', code: 'calls', fixed_charges: [] };

let upstream: CountingUpstream;
let document: string;
beforeAll(async () => {
  upstream = await startCountingUpstream();
  upstream.answerWith(({ method, path }) => {
    if (path.endsWith('/invoices/preview')) return { invoice: { currency: 'USD', total_amount_cents: 1 } };
    if (method !== 'GET') return undefined;
    return path.includes('/alerts') ? { alerts: [] } : lookupBody(path, record);
  });
  document = await readFile('docs/safe-writes.md', 'utf8');
});
afterAll(() => upstream.close());

describe.each(eras)('the requests of a write, in %s', era => {
  it.each(toolDefinitions.filter(changes))('$name', async tool => {
    const args = { ...samples[tool.name], ...named[tool.name] };
    const cells: string[] = [];
    for (const { settings, asks, dryRun, twice } of columns) {
      const runtime = startRuntime(upstream.url, settings);
      const client = await connectClient(runtime, era, asks);
      onTestFinished(async () => {
        await client.close();
        await runtime.close();
      });
      upstream.taken();
      const from = upstream.received.length;
      const first = await client.call(tool.name, { ...args, ...(dryRun && { dry_run: true }) });
      const { confirmation } = (first.content.confirmation_required ?? {}) as JsonRecord;
      const last = twice ? await client.call(tool.name, { ...args, confirmation }) : first;
      expect(last.content, last.text).toHaveProperty(dryRun ? 'dry_run' : 'receipt');
      const written = upstream.written();
      cells.push(`${upstream.received.length - from - written} + ${written}`);
    }
    const [dryRun, unasked, host, ...asked] = cells;
    expect([host, new Set(asked).size]).toEqual([unasked, 1]);
    expect(document).toContain(`| \`${tool.name}\` | ${dryRun} | ${unasked} | ${asked[0]} |\n`);
  });
});
