/**
 * Two machines share Redis, which is killed and started anew in the middle of a set: no change is made twice, and the log
 * has each that was begun. Needs Debian's `redis-server`, else skipped.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeRedis } from '../../../src/calls/change/ask/redis.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import type { TestClient } from '../../support/clients.ts';
import { redisIsInstalled, startRedis, type TestRedis } from './redis-server.ts';
import { outcomesOf, type SetWorld, setWorld, three } from './set-world.ts';

const available = redisIsInstalled('test/calls/change/change-set-redis.test.ts');
const rounds = 4;

describe.runIf(available)('a set on two machines, while Redis is killed', () => {
  let redis: TestRedis;
  let world: SetWorld;
  let folder: string;
  let log: string;
  let machines: TestClient[];

  beforeAll(async () => {
    redis = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always']);
    world = await setWorld();
    folder = await mkdtemp(join(tmpdir(), 'sets-'));
    log = join(folder, 'audit.jsonl');
    const settings = {
      BILLING_CONFIRM: 'always',
      BILLING_ASK: 'token',
      BILLING_REDIS_URL: redis.url,
      BILLING_AUDIT_LOG: log,
    };
    machines = [(await world.connect(settings)).client, (await world.connect(settings)).client];
  });
  afterAll(async () => {
    await world.close();
    await closeRedis();
    await redis.stop();
    await rm(folder, { recursive: true });
  });

  it.each(Array.from({ length: rounds }, (_, round) => round))('round %i', async round => {
    const changes = three(`in round ${round}`);
    const before = (await readFile(log, 'utf8').catch(() => '')).length;
    const question = await machines[0]!.call('change_several', { changes });
    const { confirmation } = question.content.confirmation_required as { confirmation: string };
    let killed = false;
    world.writes();
    world.fail(async () => {
      if (!killed) {
        killed = true;
        await redis.killAndStartAgain();
      }
      return undefined;
    });
    // Both machines get the same yes.
    const answers = await Promise.all(
      machines.map(machine => machine.call('change_several', { changes, confirmation })),
    );
    world.fail(undefined);
    const first = world.writes().map(({ path }) => path);
    expect(killed).toBe(true);
    expect(new Set(first).size).toBe(first.length);
    const made = answers.flatMap(({ content }) => outcomesOf(content)).filter(outcome => outcome === 'done');
    expect(made).toHaveLength(first.length);
    // What is left is made by the same set sent again, and nothing twice.
    const next = await machines[1]!.call('change_several', { changes });
    const token = (next.content.confirmation_required as { confirmation: string } | undefined)?.confirmation;
    if (token !== undefined) {
      const rest = await machines[1]!.call('change_several', { changes, confirmation: token });
      expect(rest.isError, rest.text).toBe(false);
    }
    const all = [...first, ...world.writes().map(({ path }) => path)];
    expect([all.length, new Set(all).size]).toEqual([3, 3]);
    const added = (await readFile(log, 'utf8')).slice(before);
    const events = added
      .trim()
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as JsonRecord);
    const begun = events.filter(({ event }) => event === 'begun');
    expect(begun.map(({ target }) => target).sort()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^add_on/),
        expect.stringMatching(/^subscription/),
        expect.stringMatching(/^wallet/),
      ]),
    );
    expect(begun).toHaveLength(3);
    for (const { id } of begun)
      expect(events.filter(line => line.event === 'completed' && line.id === id)).toMatchObject([{ outcome: 'done' }]);
  });
});
