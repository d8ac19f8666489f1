/** What the README shows is what happens: its conversation, its sample of the library, its commands, the pages it leads to. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { documentedAt } from '../../scripts/docs/examples.ts';
import { demoIds } from '../../src/contract/demo-ids.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { hosts } from '../../src/server/commands/init/hosts.ts';
import { createRuntime } from '../../src/server/runtime.ts';
import { loadConfig } from '../../src/server/settings/load.ts';
import { toolDefinitions } from '../../tools/all-tools.ts';
import { projects } from '../../vitest.config.ts';
import { connectClient } from '../support/clients.ts';
import { temporaryFolder } from '../support/folder.ts';
import { limitMs } from '../support/until.ts';

const read = (name: string) => readFileSync(name, 'utf8');
const readme = read('README.md');

/** A client of a demo, until the case has ended. */
async function demoClient(settings: NodeJS.ProcessEnv, revision: '2025-11-25' | '2026-07-28', asks: boolean) {
  const runtime = createRuntime({ config: loadConfig(['--demo', '--now', documentedAt], settings).config });
  onTestFinished(() => runtime.close());
  const client = await connectClient(runtime, revision, asks);
  onTestFinished(() => client.close());
  return client;
}

describe('the conversation of the README', () => {
  const [said = ''] = /^## A conversation\n\n((?:>.*\n)+)/m.exec(readme)?.slice(1) ?? [];

  it('is what the demo asks, answers and takes back', async () => {
    const client = await demoClient({}, '2025-11-25', true);
    const args = { svc_id: demoIds.invoice_svc_id, payment_status: 'succeeded' };
    expect(said).toContain('> The assistant calls `update_invoice`.');
    const { content } = await client.call('update_invoice', args);
    const [question = ''] = client.asked[0]?.split('\n') ?? [];
    expect(said).toContain(`> **${question}** — yes or no`);
    expect(content.summary).toContain('marked as paid');
    const { revert, confirmed_by } = content.receipt as {
      revert: { tool: string; arguments: JsonRecord };
    } & JsonRecord;
    expect(confirmed_by).toBe('person');
    await client.call(revert.tool, revert.arguments);
    const taken = await client.call('get_invoice', { svc_id: demoIds.invoice_svc_id });
    expect(taken.content.summary).toContain('not paid yet');
  });
});

describe('the section Troubleshooting of the README', () => {
  it('quotes what the server says: it only reads, and names lead to ids in lookups alone', async () => {
    const client = await demoClient({ BILLING_READ_ONLY: 'true' }, '2026-07-28', false);
    const [, quoted = ''] = /^\| “(.*)” \| unset `BILLING_READ_ONLY`/m.exec(readme) ?? [];
    const args = { svc_id: demoIds.invoice_svc_id, payment_status: 'succeeded' };
    expect((await client.call('update_invoice', args)).content.summary).toContain(quoted || 'missing');
    const [, code = ''] = /^\| `(\w+)` for a name \| use the ID that `find_customers` shows/m.exec(readme) ?? [];
    const named = await client.call('get_customer', { external_customer_id: 'Acme Podcasts' });
    expect(named.content.error).toMatchObject({ code });
    const found = await client.call('find_customers', { search_term: 'Acme Podcasts' });
    expect(found.content.summary).toContain(`(${demoIds.external_customer_id})`);
    const looked = await client.call('list_invoices', { external_customer_id: 'Acme Podcasts' });
    expect(looked.isError).toBe(false);
  });
});

describe('the sample of the library in the README', () => {
  const folder = temporaryFolder();

  it('compiles under strict and exactOptionalPropertyTypes, and runs: it serves a client, and ends with it', async () => {
    const [, sample = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
    expect(sample).toMatch(/^import \{ createBillingServer \} from 'usage-billing-mcp';/);
    writeFileSync(join(folder, 'sample.ts'), sample);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(resolve('.'), join(folder, 'node_modules/usage-billing-mcp'), 'dir');
    for (const name of ['@modelcontextprotocol', '@types'])
      symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name), 'dir');
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false', '--types', 'node'];
    const form = ['--module', 'nodenext', '--target', 'es2023', '--outDir', folder];
    const compiler = resolve('node_modules/typescript/bin/tsc');
    const { status, stdout } = spawnSync(process.execPath, [compiler, ...strict, ...form, join(folder, 'sample.ts')], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });

    const client = new Client({ name: 'sample', version: '1.0.0' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(folder, 'sample.js')],
      env: { BILLING_API_KEY: 'key' },
    });
    await client.connect(transport, { timeout: limitMs });
    const { tools } = await client.listTools({}, { timeout: limitMs });
    expect(client.getServerVersion()).toMatchObject({ name: 'usage-billing-mcp' });
    expect(tools.map(({ name }) => name)).toContain('list_invoices');
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
    const { pid } = transport;
    await client.close();
    expect(() => process.kill(pid as number, 0)).toThrow();
  });
});

describe('the README names', () => {
  it('the hosts that init knows', () => {
    const [, named = ''] = /adds this clone to .*\(((?:`[a-z-]+`(?:, )?)+)\)/.exec(readme) ?? [];
    expect(named.replaceAll('`', '').split(', ').sort()).toEqual(hosts.map(({ id }) => id).sort());
  });

  it('a page that shows each tool with an example and an answer', () => {
    const sections = read('docs/tools.md').split(/^## /m).slice(1);
    expect(sections.map(section => section.split('\n')[0]).sort()).toEqual(
      toolDefinitions.map(({ name }) => name).sort(),
    );
    for (const section of sections) {
      const [call = '', answer = ''] = [...section.matchAll(/```json\n([\s\S]*?)\n```/g)].map(([, json]) => json!);
      expect(JSON.parse(call)).toMatchObject({ name: section.split('\n')[0] });
      expect(answer).toMatch(/^\{\n {2}"summary": "/);
    }
  });
});

describe('CHANGELOG.md', () => {
  it('has lines for each version, up to the one of package.json, and a place for what is not released yet', () => {
    const sections = read('CHANGELOG.md').split(/^## /m).slice(1);
    const { version } = JSON.parse(read('package.json'));
    expect(sections.map(section => section.split(/[\n ]/)[0]).slice(0, 2)).toEqual(['Unreleased', version]);
    for (const section of sections.slice(1)) expect(section).toMatch(/\n- /);
  });

  it('groups what is not released yet as Keep a Changelog says, each group once', () => {
    const [, unreleased = ''] = read('CHANGELOG.md').split(/^## /m);
    const [before = '', ...groups] = unreleased.split(/^### /m);
    expect(before).not.toContain('\n- ');
    const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
    const names = groups.map(group => group.split('\n')[0]!);
    expect(names).toEqual(known.filter(name => names.includes(name)));
    for (const group of groups) expect(group).toMatch(/\n- /);
  });
});

describe('the commands of the tests', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map(name => `test/${name}`)
    .filter(name => name.endsWith('.test.ts'));
  const ran = (name: string) => {
    const { include, exclude } = projects.find(({ test }) => test.name === name)!.test;
    const fits = (globs: readonly string[], file: string) => globs.some(glob => pattern(glob).test(file));
    return files.filter(file => fits(include, file) && !fits(exclude, file));
  };

  it('run every file: what npm test leaves out, npm run test:more has', () => {
    expect(scripts.test).toMatch(/ vitest run --project test$/);
    expect(scripts['test:more']).toBe(scripts.test!.replace(/test$/, 'more'));
    expect(scripts['test:all']).toBe('npm test && npm run test:more');
    const [some, more] = [ran('test'), ran('more')];
    expect(files.filter(name => !some.includes(name) && !more.includes(name))).toEqual([]);
    expect(files.filter(name => some.includes(name) && more.includes(name))).toEqual(
      files.filter(name => name.endsWith('.databases.test.ts')),
    );
    expect(some.length).toBeGreaterThan(100);
  });

  it('are told by README.md and CONTRIBUTING.md, in the same words', () => {
    for (const page of [readme, read('CONTRIBUTING.md')])
      for (const command of ['npm test -- calls/change', 'npm run test:more', 'npm run test:all'])
        expect(page).toContain(command);
  });
});

/** Of what vitest.config.ts uses of globs. */
function pattern(glob: string): RegExp {
  const parts: Record<string, string> = { '**/': '(.*/)?', '*': '[^/]*', '{': '(', '}': ')', ',': '|', '.': '\\.' };
  return new RegExp(`^${glob.replace(/\*\*\/|[*{},.]/g, part => parts[part]!)}$`);
}
