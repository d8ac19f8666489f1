/** The figures of the README's comparison with a generic bridge, which passes on requests and answers as they are. */
import { readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { demoIds } from '../../src/contract/demo-ids.ts';
import { startService } from '../../src/service/start.ts';
import { operations, toolDefinitions } from '../../tools/all-tools.ts';
import { connectClient, startRuntime } from '../support/clients.ts';
import { lookupTasks } from '../tasks/lookup-tasks.ts';

const now = '2026-03-15T12:00:00Z';
const rows = readFileSync('README.md', 'utf8').split('## Why not a generic bridge')[1]!.split('\n## ')[0]!.split('\n');
const figures = (row: string) => {
  const [, , bridge = '', ours = ''] = rows.find(line => line.startsWith(`| ${row}`))!.split('|');
  return [bridge, ours].map(cell => Number(/[\d,]+/.exec(cell)![0].replaceAll(',', '')));
};
const about = (stated: number | undefined, measured: number) =>
  expect(Math.abs(stated! / measured - 1), `${stated} is stated, ${measured} measured`).toBeLessThan(0.05);

describe('the comparison with a generic bridge', () => {
  it('states what the list and an invoice preview cost', async () => {
    const service = await startService({ port: 0, account: 'demo', now });
    const settings = { BILLING_API_KEY: service.apiKey, BILLING_LOOKUPS: 'false' };
    const runtime = startRuntime(service.baseUrl, settings);
    const client = await connectClient(runtime, '2026-07-28', false);
    try {
      const read = (await client.tools()).map(tool => {
        const { name, description, inputSchema } = tool as Record<string, unknown>;
        return countTokens(JSON.stringify({ name, description, inputSchema }));
      });
      const sum = read.reduce((all, tokens) => all + tokens);
      about(figures('tokens of the 19 operations')[1], sum);
      const body = {
        customer: { external_id: demoIds.external_customer_id },
        subscriptions: { external_ids: [demoIds.external_subscription_id] },
      };
      const headers = { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' };
      const url = `${service.baseUrl.replace(/\/api\/v1$/, '')}/api/v1/invoices/preview`;
      const raw = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      const [bridge, ours] = figures('tokens of an invoice preview');
      about(bridge, countTokens(await raw.text()));
      about(ours, countTokens((await client.call('preview_invoice', body)).text));
    } finally {
      await client.close();
      await runtime.close();
      await service.close();
    }
  });

  it('states how many questions can be asked by name', () => {
    const names = new Set(operations.map(({ name }) => name));
    const answerable = lookupTasks.filter(({ calls }) => calls.every(({ tool }) => names.has(tool)));
    expect(rows.some(row => row.startsWith(`| ${lookupTasks.length} questions asked by name`))).toBe(true);
    expect(figures(`${lookupTasks.length} questions`)).toEqual([answerable.length, lookupTasks.length]);
  });

  it('states how many writes are asked about', () => {
    const writes = toolDefinitions.filter(({ change }) => change !== undefined);
    expect(writes.filter(({ change }) => change).length).toBe(writes.length);
    expect(rows.find(row => row.startsWith('| writes'))).toContain(`${writes.length} of ${writes.length} |`);
  });
});
