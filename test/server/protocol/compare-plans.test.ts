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
  const command = { command: process.execPath, args: [main, '--demo'], env: { container: '' } };
  const transport = new StdioClientTransport({ ...command, stderr: 'pipe' });
  transport.stderr?.on('data', text => {
    stderr += text;
  });
  await client.connect(transport);
  const deliver = transport.onmessage;
  transport.onmessage = message => {
    if ('method' in message && message.method === 'notifications/progress')
      progress.push((message.params as { message?: string }).message);
    deliver?.(message);
  };
});
afterAll(() => client?.close());

const compare = async (plan_codes: string[], options = {}) => {
  const { isError, structuredContent } = await client.callTool(
    { name: 'compare_plans', arguments: { plan_codes } },
    options,
  );
  const { comparison = [] } = structuredContent as { comparison?: { plan_code: string; error?: { code: string } }[] };
  return { isError, plans: comparison.map(row => row.plan_code), codes: comparison.map(row => row.error?.code) };
};

describe('compare_plans over the protocol', () => {
  it('previews each plan and reports progress as the previews arrive', async () => {
    const { plans } = await compare(['studio', 'enterprise', 'starter'], { onprogress: () => {} });
    expect(plans).toEqual(['studio', 'enterprise', 'starter']);
    expect(progress).toEqual([1, 2, 3, 4, 5, 6].map(n => `${n} of 6 done`));
  });

  it('compares ten plans, with twenty requests at once, without a warning on stderr; it fails where none exists', async () => {
    const missing = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const { isError, codes } = await compare(['studio', 'enterprise', ...missing]);
    expect([isError ?? false, codes]).toEqual([false, [undefined, undefined, ...missing.map(() => 'plan_not_found')]]);
    expect((await compare(missing)).isError).toBe(true);
    expect(stderr).toBe(startLine());
  });
});
