import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { story } from '../../../src/server/commands/demo-story.ts';
import { main } from '../../support/settings.ts';
import { start } from './program.ts';

// As outside a container, wherever the test runs.
const server = {
  command: process.execPath,
  args: [main, '--demo'],
  env: { container: '' },
  stderr: 'inherit' as const,
};

interface Answer {
  isError?: boolean;
  content: { type: string; text?: string }[];
  structuredContent?: { summary: string; error?: { code: string; changed: unknown; hint: string } };
}
interface Connected {
  list(): Promise<{ name: string; annotations?: object }[]>;
  call(name: string, args: Record<string, unknown>): Promise<Answer>;
  close(): Promise<void>;
}

async function modern(): Promise<Connected> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StdioClientTransport(server));
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as Answer,
    close: () => client.close(),
  };
}

async function legacy(): Promise<Connected> {
  const client = new LegacyClient({ name: 'test', version: '1' });
  await client.connect(new LegacyTransport(server));
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as Answer,
    close: () => client.close(),
  };
}

for (const [era, connect] of [
  ['modern', modern],
  ['legacy', legacy],
] as const) {
  describe(`a ${era} client over stdio`, () => {
    let client: Connected;
    beforeAll(async () => {
      client = await connect();
    });
    afterAll(() => client.close());

    it('lists every tool with all four hints', async () => {
      const tools = await client.list();
      expect(new Set(story.map(scene => scene.tool))).toEqual(new Set(tools.map(tool => tool.name)));
      for (const tool of tools) {
        expect(Object.keys(tool.annotations ?? {})).toEqual(
          expect.arrayContaining(['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']),
        );
      }
    });

    for (const [index, { tool, args, refused = false }] of story.entries()) {
      it(`${index + 1}. ${tool} ${refused ? 'refuses' : 'answers'}, in text and structure alike`, async () => {
        const answer = await client.call(tool, args);
        expect(answer.isError ?? false).toBe(refused);
        expect(JSON.parse(answer.content[0]!.text!)).toEqual(answer.structuredContent);
        if (!refused) expect(answer.structuredContent?.summary).toMatch(/^Demo data:/);
      });
    }

    it('refuses an argument that no tool has, by name, and says that nothing changed', async () => {
      for (const { name } of await client.list()) {
        const answer = await client.call(name, { no_such_argument: 1 });
        expect(answer.isError, name).toBe(true);
        expect(answer.structuredContent?.error).toMatchObject({ code: 'invalid_arguments', changed: false });
        expect(answer.structuredContent?.summary).toContain('no_such_argument');
      }
    });

    it('refuses a tool that does not exist', async () => {
      await expect(client.call('no_such_tool', {})).rejects.toThrow(/Unknown tool/);
    });
  });
}

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
    const answered = (count: number) =>
      new Promise<void>(resolve => {
        let lines = 0;
        child.stdout.on('data', (text: string) => {
          lines += text.split('\n').length - 1;
          if (lines === count) resolve();
        });
      });
    const all = answered(3);
    send(1, '2026-07-28');
    send(2, '2099-01-01');
    send(3, '2026-07-28');
    await all;
    child.stdin.end();
    const { stdout } = await ended;
    const answers = new Map(
      stdout
        .trim()
        .split('\n')
        .map(line => [JSON.parse(line).id, JSON.parse(line)]),
    );
    expect(answers.get(2).error).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'], requested: '2099-01-01' },
    });
    for (const id of [1, 3]) expect(answers.get(id).result.prompts).not.toHaveLength(0);
  });
});
