/** Files through real clients: over stdio past the fast way, over HTTP without a session, in older revisions, with pages. */
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ReadShortcut } from '../../../src/server/fast/read-shortcut.ts';
import { createRuntime, type Runtime } from '../../../src/server/runtime.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { endProcess, type Machine, startMachine } from '../../server/http/support/machines.ts';
import { connectClient, inProcess } from '../../support/clients.ts';
import { main } from '../../support/settings.ts';

const demo = ['--demo', '--now', '2026-03-15T12:00:00Z'];

describe('a client', () => {
  let client: LegacyClient;
  beforeAll(async () => {
    client = new LegacyClient({ name: 'test', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [main, ...demo] }));
  });
  afterAll(() => client.close());

  it('over stdio gets a link beside the text, and reads the file and the note there', async () => {
    const result = await client.callTool({ name: 'list_invoices', arguments: { format: 'csv' } });
    const { csv } = result.structuredContent as { csv: { uri: string; rows: number } };
    expect(result.content).toEqual([
      { type: 'text', text: JSON.stringify(result.structuredContent) },
      { type: 'resource_link', uri: csv.uri, name: 'list_invoices.csv', mimeType: 'text/csv' },
    ]);
    const { contents } = await client.readResource({ uri: csv.uri });
    expect(contents.map(({ mimeType, uri }) => [mimeType, uri])).toEqual([
      ['text/csv', csv.uri],
      ['text/plain', `${csv.uri}#note`],
    ]);
    expect(parse((contents[0] as { text: string }).text, { columns: true }).length).toBe(csv.rows);
  });

  it('is told in words why a link gives nothing', async () => {
    await expect(client.readResource({ uri: 'billing://export/v1.x.y' })).rejects.toThrow(/is not from this server/);
  });

  it('is told how far a long read is', async () => {
    const { structuredContent } = await client.callTool({ name: 'list_events', arguments: { format: 'csv' } });
    const { uri } = (structuredContent as { csv: { uri: string } }).csv;
    const told: (string | undefined)[] = [];
    await client.readResource({ uri }, { onprogress: ({ message }) => told.push(message) });
    expect(told.length).toBeGreaterThan(0);
    expect(told.at(-1)).toMatch(/^[\d,]+ records read$/);
  });
});

describe('a server without sessions', () => {
  let machine: Machine;
  beforeAll(async () => {
    machine = await startMachine([...demo, '--http-auth', 'token'], {
      BILLING_HTTP_TOKENS: 'desk:token-of-the-desk-0001,other:token-of-another-desk-1',
    });
  });
  afterAll(() => endProcess(machine.process, 'SIGTERM'));

  const connect = async (token: string) => {
    const client = new LegacyClient({ name: 'test', version: '1.0.0' });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(machine.url), { requestInit }));
    onTestFinished(() => client.close());
    return client;
  };

  it('gives the file to the caller of the list alone, and logs no address of one', async () => {
    const desk = await connect('token-of-the-desk-0001');
    const other = await connect('token-of-another-desk-1');
    const { content } = await desk.callTool({ name: 'list_invoices', arguments: { format: 'csv' } });
    const { uri } = (content as { uri: string }[])[1]!;
    const { contents } = await desk.readResource({ uri });
    expect(parse((contents[0] as { text: string }).text, { columns: true }).length).toBeGreaterThan(0);
    await expect(other.readResource({ uri })).rejects.toThrow(/belongs to another caller/);
    const calls = machine.lines.filter(line => line.includes('list_invoices'));
    expect(calls.length).toBe(3);
    expect(machine.lines.join('')).not.toContain(uri.slice(-20));
  });
});

describe('in this process', () => {
  let runtime: Runtime;
  beforeAll(() => {
    runtime = createRuntime({ config: loadConfig(demo, {}).config });
  });
  afterAll(() => runtime.close());

  it('a client of a revision without links gets the address in the text alone', async () => {
    const { transport, closeServer } = inProcess(runtime);
    const answers: Record<string, unknown>[] = [];
    transport.onmessage = message => answers.push(message as never);
    await transport.start();
    const ask = async (id: number, method: string, params: object) => {
      await transport.send({ jsonrpc: '2.0', id, method, params } as never);
      await expect.poll(() => answers.find(answer => answer.id === id)).toBeDefined();
      return answers.find(answer => answer.id === id)?.result as { content: { type: string; text: string }[] };
    };
    const clientInfo = { name: 'old', version: '1' };
    await ask(1, 'initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo });
    const { content } = await ask(2, 'tools/call', { name: 'list_plans', arguments: { format: 'csv' } });
    expect(content.map(({ type }) => type)).toEqual(['text']);
    expect(JSON.parse(content[0]!.text).csv.uri).toMatch(/^billing:\/\/export\/v1\./);
    await closeServer();
  });

  it('a client with pages draws the rows that the assistant does not get', async () => {
    const client = await connectClient(runtime, '2025-11-25', 'buttons');
    const { content, page } = await client.call('get_revenue', { report: 'overdue', format: 'csv' });
    expect(Object.keys(content)).toEqual(['summary', 'csv']);
    expect(page).toHaveProperty('revenue.0');
    await client.close();
  });

  it('the way past the SDK leaves such calls to it', () => {
    const shortcut = new ReadShortcut(runtime.pipeline);
    const message = (args: object) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_plans', arguments: args },
    });
    expect(shortcut.decide(message({}))).toBeDefined();
    expect(shortcut.decide(message({ format: 'csv' }))).toBeUndefined();
  });
});
