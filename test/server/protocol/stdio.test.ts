import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { story } from '../../../src/server/commands/demo-story.ts';
import { connectClient, type TestClient } from '../../support/clients.ts';
import { eras } from '../../support/settings.ts';
import { until } from '../../support/until.ts';
import { start } from './program.ts';

describe.each(eras)('a client of %s over stdio', era => {
  let client: TestClient;
  beforeAll(async () => {
    // As outside a container, wherever the test runs.
    client = await connectClient({ env: { BILLING_DEMO: 'true', container: '' } }, era, false);
  });
  afterAll(() => client.close());

  it('lists every tool with all four hints', async () => {
    const tools = (await client.tools()) as { name: string; annotations?: object }[];
    expect(new Set(story.map(scene => scene.tool))).toEqual(new Set(tools.map(tool => tool.name)));
    for (const tool of tools) {
      expect(Object.keys(tool.annotations ?? {})).toEqual(
        expect.arrayContaining(['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']),
      );
    }
  });

  it.each(story)(
    '$tool $question: answers or refuses, in text and structure alike',
    async ({ tool, args, refused = false }) => {
      const { isError, content, text } = await client.call(tool, args);
      expect(isError).toBe(refused);
      expect(JSON.parse(text)).toEqual(content);
      if (!refused) expect(content.summary).toMatch(/^Demo data:/);
    },
  );

  it('refuses an argument that no tool has, by name, and says that nothing changed', async () => {
    for (const name of await client.names()) {
      const { isError, content } = await client.call(name, { no_such_argument: 1 });
      expect(isError, name).toBe(true);
      expect(content.error).toMatchObject({ code: 'invalid_arguments', changed: false });
      expect(content.summary).toContain('no_such_argument');
    }
  });

  it('refuses a tool that does not exist', async () => {
    await expect(client.call('no_such_tool', {})).rejects.toThrow(/Unknown tool/);
  });
});

describe('a request of the newer protocol over stdio', () => {
  it('is refused in a revision that is not served, after others that are, with the one that is', async () => {
    const { child, ended } = start(['--demo'], {});
    const send = (id: number, version: string) => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'prompts/list', params: { _meta } })}\n`);
    };
    send(1, '2026-07-28');
    send(2, '2099-01-01');
    send(3, '2026-07-28');
    let said = '';
    child.stdout.on('data', text => {
      said += text;
    });
    await until(() => said.split('\n').length > 3);
    child.stdin.end();
    await ended;
    const lines = said.trim().split('\n');
    const answers = new Map(lines.map(text => [JSON.parse(text).id, JSON.parse(text)]));
    expect(answers.get(2).error).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'], requested: '2099-01-01' },
    });
    for (const id of [1, 3]) expect(answers.get(id).result.prompts).not.toHaveLength(0);
  });
});
