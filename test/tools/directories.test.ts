/**
 * What the directories of connectors ask of a server's privacy. What they ask of every tool: listing.test.ts; answers of a
 * bounded size: answer-sizes.more.test.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

describe('the section Privacy of the README', () => {
  const [, line = ''] = /^## Privacy\n\n(.*)$/m.exec(readFileSync('README.md', 'utf8')) ?? [];

  it('says what goes where, and what is written to disk', () => {
    const settings = ['`BILLING_AUDIT_LOG`', '`BILLING_EXPORT_DIR`', '`--data`', '`BILLING_REDIS_URL`'];
    for (const said of ['chat host', 'billing API', 'no telemetry', 'in memory only', ...settings])
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
