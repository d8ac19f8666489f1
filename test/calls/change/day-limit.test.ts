/** `BILLING_MAX_AMOUNT_PER_DAY`: what a caller's writes may name in a UTC day, wherever it is counted. */
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessRoles } from '../../../src/calls/access/access.ts';
import { closeRedis, openRedis } from '../../../src/calls/change/ask/redis.ts';
import { memoryStores } from '../../../src/calls/change/ask/write-stores.ts';
import type { AuditLog } from '../../../src/calls/change/audit/audit-log.ts';
import type { UpstreamAnswer } from '../../../src/definition/api.ts';
import type { Changed } from '../../../src/definition/refusals/refusal.ts';
import { updateWallet } from '../../../tools/wallets.ts';
import { redisIsInstalled, startRedis, type TestRedis } from './redis-server.ts';
import {
  answered,
  type CallOptions,
  canBeAsked,
  codeOf,
  countingSend,
  memoryLog,
  type Policy,
  policyWith,
  type Send,
  writeCall,
} from './support.ts';

const withRedis = redisIsInstalled('test/calls/change/day-limit.test.ts');
const maxAmountPerDay = 'USD:1000,EUR:500';
const usual = { confirm: 'never', maxWritesPerMinute: 10_000 } as const;

let folder: string;
let redis: TestRedis;
let logs = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'day-'));
  if (withRedis) redis = await startRedis(['--save', '']);
});
afterAll(async () => {
  await closeRedis();
  if (withRedis) await redis.stop();
  await rm(folder, { recursive: true });
});

/** Servers that count in one place. */
const byPlace: Record<string, () => () => Policy> = {
  'one process': () => {
    const stores = memoryStores();
    return () => policyWith({ ...usual, maxAmountPerDay }, { stores });
  },
  'the audit log': () => {
    const auditLog = join(folder, `${++logs}.jsonl`);
    return () => policyWith({ ...usual, maxAmountPerDay, auditLog });
  },
  Redis: () => {
    const account = `caller-${++logs}`;
    return () => {
      const policy = policyWith({ ...usual, maxAmountPerDay, redisUrl: redis.url });
      const named: Policy['carryOut'] = (call, send, look) =>
        policy.carryOut({ ...call, caller: { ...call.caller, id: `${account}-${call.caller.id}` } }, send, look);
      return { ...policy, carryOut: named };
    };
  },
};

/** The price of an add-on set to so many dollars. */
const dollars = (amount: number, more: CallOptions = {}) =>
  writeCall({ args: { code: 'setup', amount_cents: amount * 100, amount_currency: 'USD' }, ...more });
const euros = (amount: number) =>
  writeCall({ args: { code: 'setup', amount_cents: amount * 100, amount_currency: 'EUR' } });

const { send } = countingSend();
const failing =
  (changed: Changed): Send =>
  async () =>
    ({
      ok: false,
      requestId: 'r',
      attempts: 1,
      error: { status: null, code: 'timeout', message: 'm', hint: 'h', changed },
    }) satisfies UpstreamAnswer;

const ending = async (policy: Policy, call: ReturnType<typeof dollars>, how = send) =>
  codeOf(await policy.carryOut(call, how));

const cannotRun = (place: string) => place === 'Redis' && !withRedis;
for (const [name, place] of Object.entries(byPlace))
  describe.skipIf(cannotRun(name))(`counted in ${name}`, () => countsIn(place));

function countsIn(place: () => () => Policy): void {
  it('adds up the writes of a caller, also those of another process, and lets the last cent through', async () => {
    const server = place();
    const [one, other] = [server(), server()];
    expect(await ending(one, dollars(600))).toBe('done');
    expect(await ending(other, dollars(401))).toBe('day_limit');
    expect(await ending(other, dollars(399.99))).toBe('done');
    expect(await ending(one, dollars(0.01))).toBe('done');
    expect(await ending(one, dollars(0.01))).toBe('day_limit');
    expect(await ending(server(), dollars(0.01))).toBe('day_limit');
  });

  it('counts each currency and each caller apart', async () => {
    const policy = place()();
    expect(await ending(policy, dollars(1000))).toBe('done');
    expect(await ending(policy, euros(500))).toBe('done');
    expect(await ending(policy, dollars(1, { caller: 'grace' }))).toBe('done');
    expect(await ending(policy, euros(1))).toBe('day_limit');
  });

  it.each<[what: string, changed: Changed, next: string]>([
    ['gives back what surely changed nothing', false, 'done'],
    ['keeps what may have changed something', 'unknown', 'day_limit'],
  ])('%s', async (_what, changed, next) => {
    const policy = place()();
    expect(await ending(policy, dollars(900), failing(changed))).toBe('timeout');
    expect(await ending(policy, dollars(900))).toBe(next);
  });

  it('never passes the limit where twenty servers write at the same moment', async () => {
    const server = place();
    const policies = Array.from({ length: 20 }, server);
    const counter = countingSend();
    const outcomes = await Promise.all(policies.map(policy => ending(policy, dollars(300), counter.send)));
    expect(counter.sent).toBe(3);
    expect(outcomes.sort()).toEqual([...Array(17).fill('day_limit'), ...Array(3).fill('done')]);
  });

  it('counts nothing for a dry run', async () => {
    const policy = place()();
    await ending(policy, dollars(900, { dryRun: true }));
    expect(await ending(policy, dollars(900))).toBe('done');
  });
}

describe('the day', () => {
  const clock = (time: string) => ({ now: new Date(time) });
  const places = Object.entries(byPlace).filter(([name]) => name !== 'Redis');
  it.each(places)('begins anew at 00:00 UTC, counted in %s', async (_name, place) => {
    const policy = place()();
    const late = clock('2026-03-15T23:59:59.999Z');
    expect(await ending(policy, dollars(900, late))).toBe('done');
    expect(await ending(policy, dollars(200, late))).toBe('day_limit');
    // 19:00 of the same day in New York.
    expect(await ending(policy, dollars(200, clock('2026-03-16T00:00:00.000Z')))).toBe('done');
  });

  it.each(places)('is remembered while a clock jumps ahead and back, counted in %s', async (_name, place) => {
    const policy = place()();
    const today = clock('2026-03-15T12:00:00Z');
    expect(await ending(policy, dollars(900, today))).toBe('done');
    for (const ahead of ['2026-03-20T12:00:00Z', '2026-03-16T00:00:00Z', '2030-01-01T00:00:00Z'])
      expect(await ending(policy, dollars(900, clock(ahead)))).toBe('done');
    expect(await ending(policy, dollars(101, today))).toBe('day_limit');
    expect(await ending(policy, dollars(100, today))).toBe('done');
  });

  it.runIf(withRedis)('is that of the clock of Redis, whose sum of another day counts no more', async () => {
    const server = byPlace.Redis!();
    expect(await ending(server(), dollars(900))).toBe('done');
    const [key] = await openRedis(redis.url).keys(`usage-billing-mcp:day:*:caller-${logs}-ada`);
    const kept = JSON.parse((await openRedis(redis.url).get(key!))!);
    expect(kept.amounts).toEqual({ USD: '900' });
    expect(await openRedis(redis.url).ttl(key!)).toBeGreaterThan(24 * 3600);
    await openRedis(redis.url).rename(key!, key!.replace(kept.day, '2020-01-01'));
    expect(await ending(server(), dollars(900))).toBe('done');
  });
});

describe('the refusal', () => {
  const refusalOf = async (policy: Policy, call: ReturnType<typeof dollars>) => {
    const outcome = await policy.carryOut(call, send);
    if (outcome.kind !== 'refused') throw new Error(outcome.kind);
    return outcome.error;
  };

  it('says what is left, when the day begins anew, and that it is UTC', async () => {
    const policy = byPlace['one process']!()();
    await ending(policy, dollars(800.5));
    expect(await refusalOf(policy, dollars(250))).toEqual({
      status: null,
      code: 'day_limit',
      message: expect.stringMatching(/\$250\.00.*\$199\.50 of the \$1,000\.00 .*2026-03-16/),
      details: { currency: 'USD', left: '199.5', begins_anew: '2026-03-16T00:00:00Z' },
      hint: expect.stringContaining('Do not split the amount'),
      changed: false,
    });
  });

  it('comes before anybody is asked, and again where the day was used up while the person thought', async () => {
    const stores = memoryStores();
    const settings = { confirm: 'always', maxAmountPerDay } as const;
    const policy = policyWith(settings, { stores });
    expect((await refusalOf(policy, dollars(1001, { client: canBeAsked }))).code).toBe('day_limit');
    const asked = await policy.carryOut(dollars(700, { client: canBeAsked }), send);
    if (asked.kind !== 'ask') throw new Error(asked.kind);
    await ending(policyWith({ ...usual, maxAmountPerDay }, { stores }), dollars(600));
    expect((await refusalOf(policy, dollars(700, { client: answered(asked.state) }))).code).toBe('day_limit');
  });

  it('is on the audit log, after the first line where another write was faster in that moment', async () => {
    const audit = memoryLog();
    const slow: AuditLog = {
      append: async line => {
        await audit.append(line);
        if (line.event === 'begun' && line.caller === 'ada') await ending(quick, dollars(900, { caller: 'ada' }));
      },
    };
    const stores = memoryStores();
    const quick = policyWith({ ...usual, maxAmountPerDay }, { stores });
    const policy = policyWith({ ...usual, maxAmountPerDay }, { stores, audit: slow });
    expect(await ending(policy, dollars(200))).toBe('day_limit');
    const [begun, refused] = audit.lines;
    expect(begun).toMatchObject({ event: 'begun', counted: { day: '2026-03-15', amounts: { USD: '200' } } });
    expect(refused).toMatchObject({ event: 'refused', id: begun!.id, decision: 'day_limit' });
  });

  it.each<[what: string, call: CallOptions, said: string]>([
    [
      'a currency without a limit',
      { args: { code: 'a', amount_cents: 1, amount_currency: 'JPY' } },
      'currency, JPY, has no limit',
    ],
    [
      'an amount whose currency nobody knows',
      { args: { code: 'a', amount_cents: 1 } },
      '(the record could not be read)',
    ],
    [
      'money of a wallet that was not seen',
      {
        tool: updateWallet,
        args: { svc_id: '5eb02857-a71e-4ea2-bcf9-57d3a41bc6ba', paid_top_up_max_amount_cents: 5 },
      },
      "the wallet's rate is unknown",
    ],
  ])('names what cannot be judged, as the limit of each write does: %s', async (_what, options, said) => {
    const error = await refusalOf(byPlace['one process']!()(), writeCall(options));
    expect(error.code).toBe('amount_limit');
    expect(error.message).toContain(said);
  });

  it('comes where what counts does not answer', async () => {
    const days = { look: down, take: down, release: down };
    const policy = policyWith({ ...usual, maxAmountPerDay }, { stores: { ...memoryStores(), days } });
    expect((await refusalOf(policy, dollars(1))).code).toBe('write_budget_unavailable');
    expect(await ending(policy, writeCall({ args: { code: 'a', name: 'Setup' } }))).toBe('done');
  });
});

const down = async (): Promise<never> => {
  throw new Error('down');
};

describe('a role', () => {
  const roles: AccessRoles = new Map(
    Object.entries({ small: 'USD:100', large: 'USD:9000', open: undefined }).map(([name, limit]) => [
      name,
      { name, access: { readOnly: false, maxAmountPerDay: limit }, customers: undefined },
    ]),
  );
  it.each<[role: string, amount: number, own: string | undefined, code: string, statedBy: string]>([
    ['small', 101, maxAmountPerDay, 'day_limit', '(the role small)'],
    ['small', 101, undefined, 'day_limit', '(the role small)'],
    ['small', 100, maxAmountPerDay, 'done', ''],
    ['large', 1001, maxAmountPerDay, 'day_limit', '(BILLING_MAX_AMOUNT_PER_DAY)'],
    ['open', 1001, maxAmountPerDay, 'day_limit', '(BILLING_MAX_AMOUNT_PER_DAY)'],
    ['open', 1001, undefined, 'done', ''],
  ])('%s, $%d, beside %s: the smaller limit decides', async (role, amount, own, code, statedBy) => {
    const policy = policyWith({ ...usual, maxAmountPerDay: own }, { roles, stores: memoryStores() });
    const call = dollars(amount);
    const outcome = await policy.carryOut({ ...call, caller: { ...call.caller, role } as typeof call.caller }, send);
    expect(codeOf(outcome)).toBe(code);
    expect('error' in outcome ? outcome.error.message : '').toContain(statedBy);
  });
});

describe('the sum in the audit log', () => {
  const today = { now: new Date() };
  const logOf = (name: string) => {
    const auditLog = join(folder, name);
    return { auditLog, server: () => policyWith({ ...usual, maxAmountPerDay, auditLog }) };
  };

  it('outlives a rotation, in the process that writes and in the next one', async () => {
    const { auditLog, server } = logOf('rotated.jsonl');
    const policy = server();
    expect(await ending(policy, dollars(600, today))).toBe('done');
    await rename(auditLog, `${auditLog}.1`);
    expect(await ending(policy, dollars(300, today))).toBe('done');
    expect(await ending(policy, dollars(300, today))).toBe('day_limit');
    expect(await ending(server(), dollars(300, today))).toBe('day_limit');
    expect(await ending(server(), dollars(100, today))).toBe('done');
  });

  it.each<[how: string, name: string]>([
    ['with a date before its extension', 'dated-20260315.jsonl'],
    ['with a number before its extension, packed', 'dated.1.jsonl.gz'],
    ['with a date after its name', 'dated.jsonl-20260315'],
  ])('is read from a rotated file %s', async (_how, name) => {
    const { auditLog, server } = logOf('dated.jsonl');
    expect(await ending(server(), dollars(600, today))).toBe('done');
    const rotated = join(folder, name);
    const text = await readFile(auditLog);
    await writeFile(rotated, name.endsWith('.gz') ? gzipSync(text) : text);
    await rm(auditLog);
    expect(await ending(server(), dollars(401, today))).toBe('day_limit');
    expect(await ending(server(), dollars(400, today))).toBe('done');
    await Promise.all([rm(rotated), rm(auditLog)]);
  });

  it.each([
    ['the file', 'real/linked.jsonl'],
    ['the link', 'linked.jsonl'],
  ])('is read from a log that is reached through links, rotated beside %s', async (_what, beside) => {
    const { auditLog, server } = logOf('linked.jsonl');
    await mkdir(join(folder, 'real'), { recursive: true });
    await symlink('between.jsonl', auditLog);
    await symlink('real/linked.jsonl', join(folder, 'between.jsonl'));
    expect(await ending(server(), dollars(600, today))).toBe('done');
    await rename(join(folder, 'real/linked.jsonl'), join(folder, `${beside}.1`));
    expect(await ending(server(), dollars(401, today))).toBe('day_limit');
    expect(await ending(server(), dollars(400, today))).toBe('done');
    await Promise.all(
      ['real', 'linked.jsonl', 'linked.jsonl.1', 'between.jsonl'].map(name =>
        rm(join(folder, name), { recursive: true, force: true }),
      ),
    );
  });

  it('does not count the log of another server beside it', async () => {
    const { server } = logOf('mine.jsonl');
    expect(await ending(logOf('mine-other.jsonl').server(), dollars(900, today))).toBe('done');
    expect(await ending(server(), dollars(900, today))).toBe('done');
  });

  it('is not known where a file of the day is packed in another way than gzip', async () => {
    const { auditLog, server } = logOf('packed.jsonl');
    await writeFile(`${auditLog}.1.zst`, 'x');
    expect(await ending(server(), dollars(1, { now: new Date() }))).toBe('write_budget_unavailable');
  });

  it.each(['emptied and written again', 'another file of the same number on disk'])(
    'is read anew where the log was %s, and has grown beyond what was read',
    async how => {
      const { auditLog, server } = logOf(`${how.split(' ').length}.jsonl`);
      const [first, other] = [server(), server()];
      expect(await ending(first, dollars(100, today))).toBe('done');
      if (how.startsWith('emptied')) await writeFile(`${auditLog}.1`, await readFile(auditLog));
      await truncate(auditLog);
      // Longer lines than those that were there.
      const long = {
        now: new Date(),
        args: { code: 'setup'.repeat(100), amount_cents: 70_000, amount_currency: 'USD' },
      };
      expect(await ending(other, writeCall(long))).toBe('done');
      expect(await ending(first, dollars(300, today))).toBe('day_limit');
    },
  );

  it('counts a write whose process was killed before its last line', async () => {
    const { auditLog, server } = logOf('killed.jsonl');
    await ending(server(), dollars(600));
    const [begun] = (await readFile(auditLog, 'utf8')).split('\n');
    await rm(auditLog);
    await appendFile(auditLog, `${begun}\n{"event":"completed","id":"`);
    expect(await ending(server(), dollars(600))).toBe('day_limit');
    expect(await ending(server(), dollars(400))).toBe('done');
  });

  it('is not believed where an amount is no decimal: nothing is sent', async () => {
    const { auditLog, server } = logOf('odd.jsonl');
    const line = { event: 'begun', id: 'x', caller: 'ada', counted: { day: '2026-03-15', amounts: { USD: 'NaN' } } };
    await appendFile(auditLog, `${JSON.stringify(line)}\n`);
    expect(await ending(server(), dollars(1))).toBe('write_budget_unavailable');
  });
});
