import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type AuditBegun, openAuditLog } from '../../../src/calls/change/audit/audit-log.ts';
import { auditCommand, formatReport, readAuditLog } from '../../../src/server/commands/audit.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-'));
});
afterAll(() => rm(folder, { recursive: true }));
let scripts = 0;
/** Runs a script that has `log`, the function that opens a log, in a process of its own; what it wrote on stderr and stdout. */
async function running(body: string, ...args: string[]) {
  const module = JSON.stringify(join(process.cwd(), 'src/calls/change/audit/audit-log.ts'));
  const file = join(folder, `script-${++scripts}.mts`);
  await writeFile(file, `import { openAuditLog as log } from ${module};\n${body}`);
  // What tsx keeps of the modules that it read goes with the folder.
  const env = { ...process.env, TMPDIR: folder };
  const child = spawn(process.execPath, ['--import', 'tsx', file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [err, out, code] = await Promise.all([
    text(child.stderr),
    text(child.stdout),
    new Promise(resolve => child.on('close', resolve)),
  ]);
  return { err, out, code };
}

const begun = (id: string, fields: Partial<AuditBegun> = {}): AuditBegun => ({
  event: 'begun',
  time: '2026-03-15T12:00:00.000Z',
  id,
  tool: 'update_add_on',
  caller: 'ada',
  target: 'add_on setup',
  question: null,
  settings: '',
  method: 'PUT',
  path: '/api/v1/add_ons/setup',
  arguments: { code: 'setup' },
  decision: 'person',
  request_id: 'r1',
  ...fields,
});
const completed = (id: string) =>
  JSON.stringify({
    ...begun(id),
    event: 'completed',
    decision: undefined,
    outcome: 'done',
    status: 200,
    duration_ms: 12,
  });

describe('the file', () => {
  it('is created so that only its owner can read it', async () => {
    const path = join(folder, 'new.jsonl');
    await openAuditLog(path)!.append(begun('1'));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is made private if others could read it', async () => {
    const path = join(folder, 'open.jsonl');
    await writeFile(path, '', { mode: 0o644 });
    await openAuditLog(path)!.append(begun('1'));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('has no blank line where another process ends its line after the look at the end', async () => {
    const path = join(folder, 'meanwhile.jsonl');
    await writeFile(path, '{"event":"begun",');
    const handle = await open(path);
    const shared = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const { read } = shared;
    const spy = vi.spyOn(shared, 'read').mockImplementationOnce(async function (this: FileHandle, ...args: unknown[]) {
      const seen = await Reflect.apply(read, this, args);
      appendFileSync(path, '"id":"1"}\n');
      return seen;
    } as FileHandle['read']);
    onTestFinished(() => spy.mockRestore());
    await openAuditLog(path)!.append(begun('2'));
    const lines = (await readFile(path, 'utf8')).split('\n');
    expect(lines.map(line => line && JSON.parse(line).id)).toEqual(['1', '2', '']);
  });

  it('keeps the lines of several processes whole and apart', async () => {
    const path = join(folder, 'shared.jsonl');
    const script = `
      const filler = 'x'.repeat(3000);
      const [, , path, name] = process.argv;
      await Promise.all(Array.from({ length: 50 }, (_, i) => log(path).append({ id: name + i, filler })));`;
    const ended = await Promise.all(['a', 'b', 'c'].map(name => running(script, path, name)));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    const lines = (await readFile(path, 'utf8')).split('\n').filter(line => line !== '');
    const ids = lines.map(line => JSON.parse(line).id);
    expect(ids).toHaveLength(150);
    expect(new Set(ids).size).toBe(150);
  });

  it('does not exist without the setting', () => {
    expect(openAuditLog(undefined)).toBeNull();
  });
});

it('stderr gets the same lines', async () => {
  const { err, out } = await running(`
    await log('stderr').append({ id: '1', filler: 'x'.repeat(200_000) });
    await log('stderr').append({ id: '2' });`);
  const lines = err.trim().split('\n');
  expect(lines.map(line => JSON.parse(line).id)).toEqual(['1', '2']);
  expect(out).toBe('');
});

describe('the report', () => {
  const refused = JSON.stringify({ ...begun('3'), event: 'refused', decision: 'declined' });

  it('pairs the lines of each write and flags the one without an outcome', async () => {
    const report = await readAuditLog([
      JSON.stringify(begun('1')),
      JSON.stringify(begun('2')),
      completed('1'),
      refused,
    ]);
    expect(report.withoutOutcome).toBe(1);
    expect(report.attempts.map(({ outcome, decision, status }) => [outcome, decision, status])).toEqual([
      ['done', 'person', '200'],
      ['NO OUTCOME', 'person', ''],
      ['not sent', 'declined', ''],
    ]);
    const text = formatReport(report);
    expect(text).toMatch(/^time +tool +target +caller +decision +outcome +status +ms +request id\n/);
    expect(text).toContain('3 attempted writes.');
    expect(text).toContain('1 write has no outcome');
  });

  it('says of a write whose answer was lost that it was seen in the record', async () => {
    const found = JSON.stringify({ ...JSON.parse(completed('1')), status: null, code: 'timeout', looked: 'found' });
    const { attempts } = await readAuditLog([JSON.stringify(begun('1')), found]);
    expect(attempts.map(({ outcome, status }) => [outcome, status])).toEqual([['done, seen', 'timeout']]);
  });

  it('has the account’s time beside the machine’s where a line tells it', async () => {
    const pinned = JSON.stringify(begun('1', { account_time: '2027-01-01T00:00:00.000Z' }));
    const text = formatReport(await readAuditLog([pinned, completed('1'), completed('2')]));
    expect(text).toMatch(/^time +account time +tool +target/);
    expect(text).toMatch(/\n2026-03-15T12:00:00\.000Z +2027-01-01T00:00:00\.000Z +update_add_on/);
    expect(text).toMatch(/\n2026-03-15T12:00:00\.000Z {28}update_add_on/);
  });

  it('reads what a crash left: a torn line, in the middle or at the end', async () => {
    const lines = ['{"event":"begun","id":"0","ti', JSON.stringify(begun('1')), completed('1'), '{"event":"comp'];
    const report = await readAuditLog(lines);
    expect(report.attempts).toHaveLength(1);
    expect(formatReport(report)).toContain('Unreadable: line 1, 4.');
  });

  it('does not lose a completed line that comes before its begun line', async () => {
    const report = await readAuditLog([completed('1'), JSON.stringify(begun('1'))]);
    expect(report.attempts).toMatchObject([{ outcome: 'done', decision: 'person' }]);
  });

  describe('of what somebody agreed to', () => {
    const agreed = (id: string) => {
      const { method: _, path: _path, arguments: _arguments, request_id: _id, ...named } = begun(id);
      return JSON.stringify({ ...named, event: 'agreed' });
    };
    const [start, end] = [JSON.stringify(begun('1')), completed('1')];
    // biome-ignore format: a table
    const rows: [string, string[], outcome: string, withoutOutcome: number, onlyAgreed: number][] = [
      ['agreed', [agreed('1')], 'agreed, not sent', 0, 1],
      ['agreed, begun', [agreed('1'), start], 'NO OUTCOME', 1, 0],
      ['begun, agreed', [start, agreed('1')], 'NO OUTCOME', 1, 0],
      ['agreed, begun, completed', [agreed('1'), start, end], 'done', 0, 0],
      ['begun, agreed, completed', [start, agreed('1'), end], 'done', 0, 0],
      ['begun, completed, agreed', [start, end, agreed('1')], 'done', 0, 0],
      ['agreed, completed, begun', [agreed('1'), end, start], 'done', 0, 0],
      ['completed, agreed, begun', [end, agreed('1'), start], 'done', 0, 0],
      ['completed, begun, agreed', [end, start, agreed('1')], 'done', 0, 0],
      ['agreed twice', [agreed('1'), agreed('1')], 'agreed, not sent', 0, 1],
    ];
    it.each(rows)('is one row, whatever the order: %s', async (_what, lines, outcome, withoutOutcome, onlyAgreed) => {
      const report = await readAuditLog(lines);
      expect(report).toMatchObject({ withoutOutcome, onlyAgreed, unreadable: [] });
      expect(report.attempts).toMatchObject([{ outcome, decision: 'person', target: 'add_on setup', caller: 'ada' }]);
    });

    it('says how often nothing came of it', async () => {
      const one = formatReport(
        await readAuditLog([agreed('1'), agreed('2'), JSON.stringify(begun('2')), completed('2')]),
      );
      expect(one).toMatch(/add_on setup +ada .*agreed, not sent\n/);
      expect(one).toMatch(/2 attempted writes/);
      expect(formatReport(await readAuditLog([agreed('1'), agreed('2')]))).toMatch(/2 writes were approved/);
      expect(formatReport(await readAuditLog([completed('1')]))).not.toContain('agreed');
    });

    it('is no failure of the command', async () => {
      const path = join(folder, 'agreed.jsonl');
      await writeFile(path, `${agreed('1')}\n`);
      const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
      onTestFinished(() => printed.mockRestore());
      expect(await auditCommand.run([path])).toBe(0);
      expect(printed.mock.calls.join('')).toContain('agreed, not sent');
    });
  });

  it('prints no control character of a hostile log, and stays a table', async () => {
    const hostile = begun('1', { target: 'add_on \u001b[2J\u202E\n\nx'.repeat(20), caller: 'a\tb' });
    hostile.arguments = { name: '\u001b[2J\n\n\u202E' };
    const text = formatReport(await readAuditLog([JSON.stringify(hostile), 'null', '[]', '"x"', '{}']));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(text.split('\n')[2]).toContain('\\u{001B}[2J');
  });

  it('prints below each write what was to be written, in the width of the terminal', async () => {
    const price = { code: 'setup', amount_cents: 125000, amount_currency: 'USD' };
    const log = [JSON.stringify(begun('1', { arguments: price })), completed('1')];
    const text = formatReport(await readAuditLog(log));
    expect(text.split('\n')[3]).toBe('  {"code":"setup","amount_cents":125000,"amount_currency":"USD"}');
    const narrow = formatReport(await readAuditLog(log), 40).split('\n');
    expect(narrow.slice(3, 5)).toEqual(['  {"code":"setup","amount_cents":125000,', '    "amount_currency":"USD"}']);
  });

  it.each([
    ['text', ['Dear Ada,', 'here is the log.']],
    ['another kind of JSON Lines', ['{"level":"info","msg":"call","tool":"get_customer"}']],
    ['more lines than need to be read', Array.from({ length: 1000 }, (_, index) => `line ${index}`)],
  ])('refuses %s', async (_, lines) => {
    await expect(readAuditLog(lines)).rejects.toThrow();
  });

  it('says that a log is empty', async () => {
    expect(formatReport(await readAuditLog([]))).toContain('0 attempted writes.');
  });
});
