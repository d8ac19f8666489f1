import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let client: Client;
beforeAll(async () => {
  client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: ['dist/main.js', '--demo'] }));
});
afterAll(() => client?.close());

type Row = { plan_code: string; error?: { code: string }; total_amount_cents?: number };
const compare = async (plan_codes: string[], onprogress?: (progress: { message?: string }) => void) => {
  const result = await client.callTool(
    { name: 'compare_plans', arguments: { plan_codes } },
    onprogress ? { onprogress } : {},
  );
  return { result, rows: (result.structuredContent as { comparison?: Row[] }).comparison ?? [] };
};

describe('compare_plans over the protocol', () => {
  it('previews each plan and reports progress as the previews arrive', async () => {
    const messages: (string | undefined)[] = [];
    const { rows } = await compare(['studio', 'enterprise', 'starter'], progress => messages.push(progress.message));
    expect(rows.map(row => row.plan_code)).toEqual(['studio', 'enterprise', 'starter']);
    expect(messages).toContain('3 of 3 done');
  });

  it('gives the same total as a preview of that plan', async () => {
    const { rows } = await compare(['studio', 'enterprise']);
    for (const row of rows) {
      const preview = await client.callTool({ name: 'preview_invoice', arguments: { plan_code: row.plan_code } });
      const { invoice } = preview.structuredContent as { invoice: { total_amount_cents: number } };
      expect(row.total_amount_cents).toBe(invoice.total_amount_cents);
    }
  });

  it('keeps what worked when one plan does not exist, and fails when none does', async () => {
    const { result, rows } = await compare(['studio', 'no-such-plan']);
    expect(result.isError).toBeFalsy();
    expect(rows[1]?.error?.code).toBe('plan_not_found');
    const none = await compare(['no-such-plan', 'nor-this']);
    expect(none.result.isError).toBe(true);
  });
});
