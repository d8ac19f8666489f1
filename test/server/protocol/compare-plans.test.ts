import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main, startLine } from '../../support/settings.ts';

let client: Client;
let stderr = '';
/** Progress messages as they were sent: the client drops those that arrive together with the result. */
const progress: (string | undefined)[] = [];
beforeAll(async () => {
  client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, '--demo'],
    env: { container: '' },
    stderr: 'pipe',
  });
  transport.stderr?.on('data', text => {
    stderr += text;
  });
  await client.connect(transport);
  const deliver = transport.onmessage;
  transport.onmessage = message => {
    if ('method' in message && message.method === 'notifications/progress') {
      progress.push((message.params as { message?: string }).message);
    }
    deliver?.(message);
  };
});
afterAll(() => client?.close());

type Answer = { summary: string; baseline_plan_code?: string; cheapest_plan_code?: string; customer?: string };
type Row = {
  plan_code: string;
  error?: { code: string };
  covers?: string;
  sub_total_including_taxes_amount_cents?: number;
  usage_amount_cents?: number;
  first_invoice?: { total_amount_cents: number };
};
const compare = async (plan_codes: string[], onprogress?: () => void) => {
  const result = await client.callTool(
    { name: 'compare_plans', arguments: { plan_codes } },
    onprogress ? { onprogress } : {},
  );
  return { result, rows: (result.structuredContent as { comparison?: Row[] }).comparison ?? [] };
};

describe('compare_plans over the protocol', () => {
  it('previews each plan and reports progress as the previews arrive', async () => {
    const { rows } = await compare(['studio', 'enterprise', 'starter'], () => {});
    expect(rows.map(row => row.plan_code)).toEqual(['studio', 'enterprise', 'starter']);
    expect(progress).toEqual([1, 2, 3, 4, 5, 6].map(n => `${n} of 6 done`));
  });

  it('compares ten plans, with twenty requests at once, without a warning on stderr', async () => {
    const missing = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const { rows } = await compare(['studio', 'enterprise', ...missing]);
    expect(rows.map(row => row.error?.code)).toEqual([undefined, undefined, ...missing.map(() => 'plan_not_found')]);
    expect(stderr).toBe(startLine());
  });

  it('arrives with the customer, the first and the lowest plan, whatever the day of the month', async () => {
    const result = await client.callTool({
      name: 'compare_plans',
      arguments: { plan_codes: ['studio', 'enterprise'], customer: { external_id: 'acme-podcasts' }, detail: 'covers' },
    });
    const answer = result.structuredContent as Answer & { comparison: Row[] };
    expect(answer).toMatchObject({
      customer: 'acme-podcasts',
      baseline_plan_code: 'studio',
      cheapest_plan_code: 'studio',
    });
    // 249.00 and 499.00 less the customer's coupon of 10.00, and 8.875 % tax.
    expect(answer.comparison.map(row => row.sub_total_including_taxes_amount_cents)).toEqual([26_021, 53_240]);
    expect(answer.summary).toMatch(/\$260\.21, Enterprise \$532\.40, \$272\.19 .*\$239\.00, Enterprise \$489\.00/);
    expect((result.content as { text: string }[])[0]?.text).toContain('"cheapest_plan_code":"studio"');
  });

  it('quotes assumed usage', async () => {
    const result = await client.callTool({
      name: 'compare_plans',
      arguments: {
        ...{ plan_codes: ['studio'], detail: 'usage_amount_cents' },
        usage: [{ billable_metric_code: 'audio_minutes', units: 10_000 }],
      },
    });
    const { comparison } = result.structuredContent as { comparison: Row[] };
    // Tiers: 30 + 85 + 50; API calls have a minimum of 10.
    expect(comparison[0]).toMatchObject({ usage_amount_cents: 17_500, sub_total_including_taxes_amount_cents: 46_163 });
  });

  it('gives the total of the first invoice that a preview of that plan has', async () => {
    const { rows } = await compare(['studio', 'enterprise']);
    for (const row of rows) {
      const preview = await client.callTool({ name: 'preview_invoice', arguments: { plan_code: row.plan_code } });
      const { invoice } = preview.structuredContent as { invoice: { total_amount_cents: number } };
      expect(row.first_invoice?.total_amount_cents).toBe(invoice.total_amount_cents);
    }
  });

  it('says of a coupon for another plan why it was not applied, as a preview of that plan does', async () => {
    const coupons = [{ code: 'studio_only' }];
    const reason = 'oupon studio_only was not applied: limited to plan starter';
    const answered = async (name: string, args: object) =>
      (await client.callTool({ name, arguments: { ...args, coupons } })).structuredContent as Answer;
    const preview = await answered('preview_invoice', { plan_code: 'studio' });
    expect(preview.summary).toContain(`C${reason}. `);
    expect((await answered('preview_invoice', { plan_code: 'starter' })).summary).not.toContain(reason);
    const compared = await answered('compare_plans', { plan_codes: ['starter', 'studio'] });
    expect(compared.summary.split(`c${reason}`)).toHaveLength(2);
  });

  it('keeps what worked when one plan does not exist, and fails when none does', async () => {
    const { result, rows } = await compare(['studio', 'no-such-plan']);
    expect(result.isError).toBeFalsy();
    expect(rows[1]?.error?.code).toBe('plan_not_found');
    const none = await compare(['no-such-plan', 'nor-this']);
    expect(none.result.isError).toBe(true);
  });
});
