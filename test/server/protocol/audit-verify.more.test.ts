/**
 * `usage-billing-mcp audit --verify` on logs of servers in this process, and of real processes where they meet in one file,
 * are killed, or have a full disk.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { resultOf } from '../../../src/calls/dispatch.ts';
import { nobody } from '../../../src/definition/asking.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { verdictOf } from '../../../src/server/commands/audit.ts';
import { checkAuditLog } from '../../../src/server/commands/start-checks.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { type CountingUpstream, startCountingUpstream } from '../../calls/change/counting-upstream.ts';
import { redisIsInstalled, startRedis } from '../../calls/change/redis-server.ts';
import { startRuntime } from '../../support/clients.ts';
import { environment, main } from '../../support/settings.ts';
import { until } from '../../support/until.ts';
import { run } from './program.ts';

const canLimit = spawnSync('prlimit', ['--version']).status === 0;
if (!canLimit)
  console.error('SKIPPED: test/server/protocol/audit-verify.more.test.ts needs prlimit (apt-get install util-linux).');

const auditKey = 'audit-key-of-the-tests-0123456789';
let folder: string;
let log: string;
let upstream: CountingUpstream;

beforeAll(async () => {
  upstream = await startCountingUpstream();
});
afterAll(() => upstream.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verify-'));
  log = join(folder, 'audit.jsonl');
  return () => rm(folder, { recursive: true });
});

const plain = () => ({
  ...{ BILLING_AUDIT_LOG: log, BILLING_CONFIRM: 'never', BILLING_MAX_WRITES_PER_MINUTE: '10000' },
});
const argsOf = (amount_cents: number) => ({ code: 'setup', amount_cents, amount_currency: 'USD' });
const outcomeOf = (content: JsonRecord | undefined) => (content?.error as JsonRecord | undefined)?.code ?? 'done';

/** A server in this process, whose lines are those of a process. */
function startHere(settings: Record<string, string> = {}) {
  const { pipeline, ownCaller, close } = startRuntime(upstream.url, { ...plain(), ...settings });
  const write = async (amount_cents: number) => {
    const outcome = await pipeline.call('update_add_on', argsOf(amount_cents), {
      caller: ownCaller('stdio'),
      client: nobody,
    });
    return outcome.kind === 'result' ? outcomeOf(resultOf(outcome.answer).structuredContent as JsonRecord) : outcome;
  };
  return { write, close };
}

/** A server over stdio, started by a program that limits the size of its files, if any. */
async function connect(settings: Record<string, string> = {}, mostBytes?: number) {
  const limited = mostBytes === undefined ? [] : [`--fsize=${mostBytes}:${mostBytes}`, '--', process.execPath];
  const transport = new StdioClientTransport({
    command: mostBytes === undefined ? process.execPath : 'prlimit',
    args: [...limited, main],
    env: environment(upstream.url, {
      ...plain(),
      // What Node.js compiled is kept in files, too.
      ...(mostBytes !== undefined && { NODE_DISABLE_COMPILE_CACHE: '1' }),
      ...settings,
    }),
    stderr: 'ignore',
  });
  const client = new Client({ name: 'verify', version: '1' });
  await client.connect(transport);
  const write = async (amount_cents: number) => {
    const answer = await client.callTool({ name: 'update_add_on', arguments: argsOf(amount_cents) });
    return outcomeOf(answer.structuredContent as JsonRecord);
  };
  return { write, pid: transport.pid!, close: () => client.close() };
}

async function writeSeveral(times: number, settings?: Record<string, string>, start: Start = startHere): Promise<void> {
  const server = await start(settings);
  for (let i = 1; i <= times; i++) expect(await server.write(i)).toBe('done');
  await server.close();
}

type Start = (settings?: Record<string, string>) => ReturnType<typeof startHere> | ReturnType<typeof connect>;

const verify = async (files = [log], { BILLING_AUDIT_KEY }: { BILLING_AUDIT_KEY?: string } = {}) => {
  const { code, said } = await verdictOf(files, BILLING_AUDIT_KEY);
  expect(said).not.toContain(auditKey);
  return { code, said: `${said}\n` };
};
const linesOf = async (path = log) => (await readFile(path, 'utf8')).split('\n').filter(line => line !== '');
const writeLines = (lines: readonly string[], path = log) => writeFile(path, lines.map(line => `${line}\n`).join(''));

describe('of a log that nobody touched', () => {
  it('says that nothing is missing, where each process ends, and what it cannot see', async () => {
    await writeSeveral(2, {}, connect);
    await writeSeveral(1);
    const { code, said } = await verify();
    expect(said).toMatch(/^Nothing is missing.*\n6 lines of 2 processes\.\n/);
    expect(said).toMatch(/number 4, \S+audit\.jsonl, line 4, of 20\S+Z: [\da-f]{16}…\n/);
    expect(said).toContain('at the end of a process');
    expect(said).toContain('a chain that was recreated');
    expect(said).toContain('compare the ends above');
    expect(code).toBe(0);
  });

  it('holds on each line process, number, the hash before, and the digests of question and settings', async () => {
    await writeSeveral(2);
    const lines = (await linesOf()).map(line => JSON.parse(line));
    expect(lines.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(new Set(lines.map(({ process }) => process)).size).toBe(1);
    expect(lines.map(({ previous }) => previous)).toEqual([null, ...lines.slice(0, -1).map(({ hash }) => hash)]);
    for (const { question, settings } of lines)
      expect([question, settings]).toEqual([null, expect.stringMatching(/^[\da-f]{32}$/)]);
  });

  it('reads rotated files in any order, packed ones too', async () => {
    const server = startHere();
    await server.write(1);
    await rename(log, `${log}.2`);
    await server.write(2);
    await rename(log, `${log}.1`);
    await server.write(3);
    await server.close();
    await writeFile(`${log}.2.gz`, gzipSync(await readFile(`${log}.2`)));
    await rm(`${log}.2`);
    const { code, said } = await verify([log, `${log}.2.gz`, `${log}.1`]);
    expect(said).toContain('6 lines of 1 process.');
    expect(code).toBe(0);
    const without = await verify([log, `${log}.2.gz`]);
    expect(without.said).toMatch(/numbers 3 to 4 .*\S+\.2\.gz, line 2 .*audit\.jsonl, line 1\./);
    expect(without.code).toBe(1);
  });
});

describe('of a log that somebody touched', () => {
  const rows: [what: string, change: (lines: string[]) => string[], said: RegExp][] = [
    ['an amount', lines => lines.with(2, lines[2]!.replace('"amount_cents":2', '"amount_cents":9')), /line 3 was changed/],
    ['a line taken out', lines => lines.toSpliced(2, 1), /Missing: number 3 .*, line 2 and \S+, line 3\./],
    ['the first lines taken out', lines => lines.slice(2), /Missing: numbers 1 to 2 .*, before \S+, line 1\./],
    ['two lines swapped', lines => [lines[0]!, lines[2]!, lines[1]!, ...lines.slice(3)], /line 3 is out of order.*number 2 .*after number 3\./],
    ['a line put in twice', lines => [...lines, lines[1]!], /line 7 is number 2 .*, line 2 is\./],
    ['a line of another program', lines => [...lines, '{"event":"begun","id":"x"}'], /line 7 is not in a/],
    ['something else', lines => [...lines, '{"level":"info"}'], /line 7 is not an audit/],
    ['half a line', lines => lines.with(3, lines[3]!.slice(0, 40)), /line 4 is incomplete/],
  ]; // biome-ignore format: a table
  let untouched: string[] | undefined;
  it.each(rows)('names %s', async (_what, change, said) => {
    if (untouched === undefined) {
      await writeSeveral(3);
      untouched = await linesOf();
    }
    await writeLines(change(untouched));
    const verdict = await verify();
    expect(verdict.said).toMatch(said);
    expect(verdict.said).not.toContain('Nothing is missing');
    expect(verdict.code).toBe(1);
  });

  it('says of lines from before the chain that nobody can know', async () => {
    await writeLines(['{"event":"begun","id":"1","tool":"t"}', '{"event":"completed","id":"1","tool":"t"}']);
    await writeSeveral(1);
    const { code, said } = await verify();
    expect(said).toMatch(/^2 lines have no chain.*other 2 lines/);
    expect(said).toMatch(/lines 1 to 2: .*not verified/);
    expect(code).toBe(0);
    expect((await verify([log], { BILLING_AUDIT_KEY: auditKey })).code).toBe(1);
  });
});

it('says where nothing was verified', async () => {
  await writeFile(log, '');
  expect((await verify()).said).toMatch(/^Nothing was verified: .*no lines/);
  await writeLines(['{"event":"begun","id":"1","tool":"t"}']);
  expect((await verify()).said).toMatch(/^Nothing was verified: 1 line/);
});

it('reads a file once, by whatever names it is given', async () => {
  await writeSeveral(1);
  await symlink(log, join(folder, 'link'));
  const { code, said } = await verify([log, `${folder}/./audit.jsonl`, join(folder, 'link')]);
  expect(said).toContain('2 lines of 1 process.');
  expect(code).toBe(0);
});

it('says of CR LF what it is', async () => {
  await writeSeveral(1);
  await writeFile(log, (await linesOf()).map(line => `${line}\r\n`).join(''));
  expect((await verify()).said).toMatch(/line 1 was changed.*CR LF/);
});

it('reads through a line of rubbish that is longer than it keeps', async () => {
  await writeFile(log, Buffer.alloc(40_000_000, 'x'));
  expect((await verify()).said).toMatch(/, line 1 is incomplete: .*last of its file/);
});

describe('with BILLING_AUDIT_KEY', () => {
  it('sees lines that were made without it, or with another', async () => {
    await writeSeveral(1, { BILLING_AUDIT_KEY: auditKey });
    expect(await verify([log], { BILLING_AUDIT_KEY: auditKey })).toMatchObject({ code: 0 });
    const fails = async (said: RegExp, BILLING_AUDIT_KEY?: string) => {
      const verdict = await verify([log], BILLING_AUDIT_KEY === undefined ? {} : { BILLING_AUDIT_KEY });
      expect(verdict).toEqual({ code: 1, said: expect.stringMatching(said) });
    };
    await fails(/line 1 was changed .*another BILLING_AUDIT_KEY/, `another-${auditKey}`);
    await fails(/2 lines have an HMAC that/);
    await writeSeveral(1);
    await fails(/line 3 was written without BILLING_AUDIT_KEY/, auditKey);
  });
});

describe('after', () => {
  it('kill -9 in the middle of writes, all whole lines fit, and the next process goes on', async () => {
    const server = await connect();
    const writes = Array.from({ length: 200 }, (_, i) => server.write(i + 1).catch(() => 'killed'));
    await until(async () => (await stat(log).catch(() => ({ size: 0 }))).size > 20_000);
    process.kill(server.pid, 'SIGKILL');
    expect(await Promise.all(writes)).toContain('killed');
    await server.close();
    const killed = await verify();
    expect(killed.said).toMatch(/lines? of 1 process\./);
    // A line that was cut off is named; nothing else is wrong.
    const cut = killed.said.match(/is incomplete/g)?.length ?? 0;
    expect(killed.code).toBe(cut);
    expect(cut).toBeLessThanOrEqual(1);
    expect(killed.said).not.toMatch(/Missing|changed:|out of order: /);
    await writeSeveral(1);
    expect((await verify()).said).toContain('of 2 processes.');
  });

  it('a crash that left half a line, it is named, and what stands before it and after it fits', async () => {
    await writeSeveral(2);
    await truncate(log, (await stat(log)).size - 30);
    const atEnd = await verify();
    expect(atEnd.said).toMatch(/line 4 is incomplete: .*\n\n4 lines of 1 process/);
    await writeSeveral(1);
    const { said, code } = await verify();
    expect(said.match(/line \d+ is incomplete/g)).toEqual(['line 4 is incomplete']);
    expect(said).not.toMatch(/Missing|was changed:/);
    expect(code).toBe(1);
  });

  it.runIf(canLimit)('a full disk, no write was sent for a line that has no room, and all before it fits', async () => {
    upstream.taken();
    const server = await connect({}, 3000);
    const codes: unknown[] = [];
    for (let i = 1; i <= 8; i++) codes.push(await server.write(i));
    await server.close();
    const sent = codes.filter(code => code === 'done').length;
    expect(sent).toBeGreaterThan(0);
    expect(codes.slice(sent)).toEqual(Array(8 - sent).fill('audit_unavailable'));
    expect(upstream.written()).toBe(sent);
    expect((await stat(log)).size).toBe(3000);
    const { said } = await verify();
    expect(said).toMatch(/line \d+ is incomplete/);
    expect(said).not.toMatch(/Missing|was changed:|out of order/);
    // There is room again.
    await writeSeveral(1);
    expect((await verify()).said).not.toMatch(/Missing|was changed:|out of order/);
  });
});

describe('two servers with one Redis', () => {
  it.runIf(redisIsInstalled('test/server/protocol/audit-verify.more.test.ts'))(
    'never name more in a day than the limit, together',
    async () => {
      const redis = await startRedis(['--save', '']);
      onTestFinished(redis.stop);
      upstream.taken();
      const shared = { BILLING_MAX_AMOUNT_PER_DAY: 'USD:10', BILLING_REDIS_URL: redis.url };
      const machines = ['one', 'other'].map(name => startHere({ ...shared, BILLING_AUDIT_LOG: join(folder, name) }));
      const codes = await Promise.all(Array.from({ length: 12 }, (_, i) => machines[i % 2]!.write(300)));
      await Promise.all(machines.map(({ close }) => close()));
      expect(codes.toSorted()).toEqual([...Array(9).fill('day_limit'), ...Array(3).fill('done')]);
      expect(upstream.written()).toBe(3);
    },
  );
});

describe('two processes with one log', () => {
  it('never name more in a day than the limit, together', async () => {
    upstream.taken();
    const settings = { BILLING_MAX_AMOUNT_PER_DAY: 'USD:10' };
    const [one, other] = await Promise.all([connect(settings), connect(settings)]);
    const codes = await Promise.all(Array.from({ length: 12 }, (_, i) => (i % 2 ? one : other).write(300)));
    await Promise.all([one.close(), other.close()]);
    expect(codes.toSorted()).toEqual([...Array(9).fill('day_limit'), ...Array(3).fill('done')]);
    expect(upstream.written()).toBe(3);
    const third = startHere(settings);
    expect(await third.write(101)).toBe('day_limit');
    expect(await third.write(100)).toBe('done');
    await third.close();
    expect((await verify()).code).toBe(0);
  });
});

const limited = { BILLING_MAX_AMOUNT_PER_DAY: 'USD:10' };
it.each<[what: string, env: Record<string, string>, said: string]>([
  ['a short key', { BILLING_AUDIT_KEY: 'short', BILLING_AUDIT_LOG: 'stderr' }, 'BILLING_AUDIT_KEY must be at least 32'],
  ['a key without a log', { BILLING_AUDIT_KEY: auditKey }, 'BILLING_AUDIT_KEY is set without BILLING_AUDIT_LOG'],
  ['a limit without a log', limited, 'needs BILLING_AUDIT_LOG as a file'],
  ['a limit with the log on stderr', { ...limited, BILLING_AUDIT_LOG: 'stderr' }, 'needs BILLING_AUDIT_LOG as a file'],
  [
    'a limit with a log that is no file',
    { ...limited, BILLING_AUDIT_LOG: '/dev/null' },
    '/dev/null is not a readable file',
  ],
  [
    'an unknown currency',
    { BILLING_MAX_AMOUNT_PER_DAY: 'USX:5', BILLING_AUDIT_LOG: 'a' },
    '"USX" is not a currency code',
  ],
])('a server does not start with %s', (_what, env, said) => {
  const start = () => checkAuditLog(loadConfig([], environment(upstream.url, env)).config);
  expect(start).toThrow(said);
  expect(start).not.toThrow(env.BILLING_AUDIT_KEY ?? auditKey);
});

it('takes one file without --verify, and says what cannot be read', async () => {
  const several = await run(['audit', log, log]);
  expect(several).toMatchObject({ code: 2, stderr: expect.stringContaining('Without --verify, pass only one FILE.') });
  const missing = await verify([join(folder, 'missing')]);
  expect(missing).toMatchObject({ code: 2, said: expect.stringMatching(/missing cannot be read/) });
});
