/** The tool behind the buttons of pages: where it is listed, and that it grants nothing that its caller may not do. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import type { Runtime } from '../../../src/server/runtime.ts';
import { startRuntime } from '../../support/clients.ts';
import { eras } from '../../support/settings.ts';
import { connectHere, connectProgram, pages, startDemo } from './hosts.ts';

const update = { name: 'update_wallet', arguments: { svc_id: demoIds.wallet_svc_id, priority: 3 } };
const approvalOf = (result: JsonRecord) =>
  ((result._meta as JsonRecord | undefined)?.['usage-billing/page'] as JsonRecord | undefined)?.approval as JsonRecord;
const errorOf = (result: JsonRecord) => (result.structuredContent as { error?: { code: string } }).error?.code;
const decide = (approval: JsonRecord, decision = 'approve') => ({
  name: 'decide_write',
  arguments: { tool: approval.tool, arguments: approval.arguments, confirmation: approval.confirmation, decision },
});

describe('decide_write in tools/list', () => {
  const listed = async (settings: Record<string, string>, scopes: string[] | null = null, apps = true) => {
    const runtime = startRuntime('http://127.0.0.1:9', settings);
    const { tools } = runtime.pipeline.list({ scopes: scopes && (new Set(scopes) as never) }, apps);
    await runtime.close();
    return tools.filter(({ name }) => name === 'decide_write');
  };

  it('is there where buttons are a way of asking, for pages only', async () => {
    const [tool] = await listed({});
    expect(tool).toMatchObject({ _meta: { ui: { visibility: ['app'] } } });
    for (const mode of ['auto', 'never']) expect(await listed({ BILLING_CONFIRM: mode })).toEqual([]);
    expect(await listed({ BILLING_ASK: 'url,form,token' })).toEqual([]);
  });

  it('is not there for a client that does not declare MCP Apps', async () => {
    expect(await listed({}, null, false)).toEqual([]);
    for (const era of eras) {
      const runtime = startDemo();
      for (const [capabilities, count] of [
        [pages, 1],
        [{}, 0],
      ] as const) {
        const client = await connectHere(runtime, era, capabilities);
        const { tools } = await client.listTools();
        expect(tools.filter(({ name }) => name === 'decide_write')).toHaveLength(count);
        await client.close();
      }
      await runtime.close();
    }
  });

  it('is not there for who may write nothing', async () => {
    const always = { BILLING_CONFIRM: 'always' };
    expect(await listed({ ...always, BILLING_READ_ONLY: 'true' })).toEqual([]);
    expect(await listed({ ...always, BILLING_TOOLS: 'get_customer' })).toEqual([]);
    expect(await listed(always, ['billing:read'])).toEqual([]);
    expect(await listed(always, ['billing:read', 'billing:delete'])).toHaveLength(1);
  });
});

describe.each(eras)('a client of %s', era => {
  const runtimes: Runtime[] = [];
  const clients: Client[] = [];
  const kept = <C extends Client>(client: C): C => {
    clients.push(client);
    return client;
  };
  /** A server in this process, with the demo account. */
  const started = (...settings: string[]) => {
    const runtime = startDemo(...settings);
    runtimes.push(runtime);
    return runtime;
  };
  const connect = async (runtime: Runtime, capabilities: object) => kept(await connectHere(runtime, era, capabilities));
  /** Shows pages, in front of the built program. */
  let host: Client;
  let always: Runtime;
  beforeAll(async () => {
    always = started('--confirm', 'always', '--ask', 'url,form,buttons,token');
    host = kept(await connectProgram(era, pages, '--confirm', 'always'));
  });
  afterAll(async () => {
    await Promise.all(clients.map(client => client.close()));
    await Promise.all(runtimes.map(runtime => runtime.close()));
  });

  it('that shows pages gets the token in _meta alone, and its page decides', async () => {
    const { _meta, ...read } = (await host.callTool(update)) as JsonRecord;
    const approval = approvalOf({ _meta });
    expect(approval).toMatchObject({ tool: 'update_wallet', arguments: update.arguments, warnings: [] });
    expect(JSON.stringify(read)).not.toMatch(/v1\.|confirmation/);
    expect(read.structuredContent).toMatchObject({ decided_on_page: { question: approval.question } });
    const done = (await host.callTool(decide(approval))) as JsonRecord;
    expect(done.structuredContent).toMatchObject({ receipt: { confirmed_by: 'page', applied: ['priority'] } });
  });

  it('that can be asked is asked, pages or not; one that shows none gets the token to send back', async () => {
    const asking = await connect(always, { ...pages, elicitation: {} });
    const declined = (await asking.callTool(update)) as JsonRecord;
    expect([errorOf(declined), asking.asked.length, approvalOf(declined)]).toEqual(['declined', 1, undefined]);
    const bare = await connect(always, {});
    const plain = (await bare.callTool(update)) as JsonRecord;
    const shows = await connect(always, pages);
    expect(plain._meta).toEqual(((await shows.callTool({ name: 'list_plans', arguments: {} })) as JsonRecord)._meta);
    expect(plain.structuredContent).toMatchObject({ confirmation_required: { confirmation: expect.any(String) } });
  });

  it('is refused in the same way where the caller may not make the write', async () => {
    const approval = approvalOf((await (await connect(always, pages)).callTool(update)) as JsonRecord);
    const narrow = await connect(started('--confirm', 'always', '--exclude-tools', 'update_wallet'), pages);
    const [direct, button] = [await narrow.callTool(update), await narrow.callTool(decide(approval))] as JsonRecord[];
    expect(errorOf(direct!)).toBe('tool_not_offered');
    expect(button!.structuredContent).toEqual(direct!.structuredContent);
    const reading = await connect(started('--confirm', 'always', '--read-only'), pages);
    expect(errorOf((await reading.callTool(decide(approval))) as JsonRecord)).toBe('read_only');
  });

  it('does not know it in mode auto', async () => {
    const auto = await connect(started('--confirm', 'auto'), pages);
    await expect(auto.callTool(decide({ tool: 'update_wallet', arguments: {}, confirmation: 'x' }))).rejects.toThrow(
      'Unknown tool: decide_write',
    );
  });
});
