/**
 * What the directories of connectors ask of every tool: its title and hints, and its name. Answers of a bounded size:
 * answer-sizes.more.test.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decideTool } from '../../src/calls/call/page-buttons.ts';
import { changesAccount } from '../../src/definition/define.ts';
import { listTool } from '../../src/definition/listing.ts';
import { toolDefinitions } from '../../tools/all-tools.ts';

const listed = [...toolDefinitions.map(tool => listTool(tool)), decideTool];

describe.each(listed.map(tool => [tool.name, tool] as const))('%s', (name, { title, annotations }) => {
  it('has a name of at most 64 letters, digits and _, and a title of its own, which the hints repeat', () => {
    expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
    expect(title.length).toBeGreaterThan(3);
    expect(listed.filter(other => other.title === title)).toHaveLength(1);
    expect(annotations.title).toBe(title);
  });

  it('either reads or writes, and its hints say which', () => {
    const { readOnlyHint, destructiveHint, openWorldHint } = annotations;
    expect([typeof readOnlyHint, typeof destructiveHint, typeof openWorldHint]).toEqual([
      'boolean',
      'boolean',
      'boolean',
    ]);
    expect(readOnlyHint && destructiveHint).toBe(false);
  });
});

describe('a tool that reads', () => {
  it.each(toolDefinitions.filter(({ effect }) => !changesAccount(effect)).map(tool => [tool.name, tool] as const))(
    '%s sends nothing but GET, or a POST that stores nothing',
    (_, { endpoint, effect }) => {
      expect(endpoint).toMatch(effect !== 'compute' ? /^GET / : /^POST \/(invoices\/preview|events\/estimate_fees)$/);
    },
  );

  it('is no other one: each tool that changes something says so in its name', () => {
    for (const { name, effect } of toolDefinitions)
      expect(/^(update|create|delete|change)_/.test(name)).toBe(changesAccount(effect));
  });
});

describe('the section Privacy of the README', () => {
  const [, line = ''] = /^## Privacy\n\n(.*)$/m.exec(readFileSync('README.md', 'utf8')) ?? [];

  it('says what goes where, and what is written to disk', () => {
    for (const said of [
      'chat host',
      'billing API',
      'no telemetry',
      'in memory only',
      '`BILLING_AUDIT_LOG`',
      '`BILLING_EXPORT_DIR`',
      '`--data`',
      '`BILLING_REDIS_URL`',
    ])
      expect(line).toContain(said);
  });

  it('holds: no module of the MCP side but the audit log and the folder of exports writes files, and none has an address of its own to send to', () => {
    const sources = ['src', 'tools']
      .flatMap(folder => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => `${folder}/${name}`))
      .filter(path => path.endsWith('.ts') && !/^src\/(service|server\/commands|rehearse)\//.test(path));
    expect(sources.length).toBeGreaterThan(200);
    const writing = /\b(writeFile|appendFile|createWriteStream|mkdir|mkdtemp)(Sync)?\b|\bopen\([^)]*'[aw]/;
    expect(sources.filter(path => writing.test(readFileSync(path, 'utf8')))).toEqual([
      'src/calls/exports/exports.ts',
      'src/calls/change/audit/audit-log.ts',
    ]);
    const hosts = sources
      .flatMap(path => [...readFileSync(path, 'utf8').matchAll(/https?:\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)+)/g)])
      .map(([, host]) => host!);
    // The name of SVG is written as an address.
    expect(hosts.filter(host => !/(^|\.)(example\.com|invalid)$|^www\.w3\.org$/.test(host))).toEqual([]);
  });
});
