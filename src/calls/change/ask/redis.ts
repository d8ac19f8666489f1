/**
 * What several machines share in Redis (`BILLING_REDIS_URL`): used confirmations, counted writes and amounts, questions
 * on approval pages, agreements.
 */
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import * as kept from './write-stores.ts';

const connections = new Map<string, Redis>();
const PREFIX = 'usage-billing-mcp:';

/** One connection for each URL, shared in this process. It connects and reconnects by itself. */
export function openRedis(url: string): Redis {
  const open = connections.get(url);
  if (open !== undefined) return open;
  const redis = new Redis(url, { connectTimeout: 3000, commandTimeout: 3000, maxRetriesPerRequest: 1 });
  // Every command reports its own failure; without a listener a lost connection would end the process.
  redis.on('error', () => {});
  connections.set(url, redis);
  return redis;
}

/** Closes what `openRedis` opened. */
export async function closeRedis(): Promise<void> {
  const open = [...connections.values()];
  connections.clear();
  await Promise.all(open.map(redis => redis.quit().catch(() => redis.disconnect())));
}

/** All stores over one connection. Their methods reject when Redis does not answer; callers then refuse the write. */
export function redisStores(url: string): kept.WriteStores {
  const redis = openRedis(url);
  return {
    spent: spentTokens(redis),
    window: {
      wait: (caller, limit) => waitInWindow(redis, caller, limit, false),
      take: (caller, limit) => waitInWindow(redis, caller, limit, true),
    },
    days: days(redis),
    approvals: approvals(redis),
    agreements: agreements(redis),
  };
}

/** The question, its decision and what came of the write are three keys, which expire together. */
function approvals(redis: Redis): kept.Approvals {
  const questionKey = (id: string) => `${PREFIX}approval:${id}`;
  const decisionKey = (id: string) => `${PREFIX}decision:${id}`;
  const carriedKey = (id: string) => `${PREFIX}carried:${id}`;
  return {
    open: async (id, approval, ttlMs) => {
      await redis.set(questionKey(id), JSON.stringify(approval), 'PX', ttlMs);
    },
    look: async id => {
      const [text, decision, carried] = await redis.mget(questionKey(id), decisionKey(id), carriedKey(id));
      if (!text) return undefined;
      return {
        approval: JSON.parse(text) as kept.Approval,
        ...(decision && { decision: decision as kept.PageDecision }),
        ...(carried && { carried: carried as kept.Carried }),
      };
    },
    decide: async (id, decision) => {
      const first = await redis.eval(decideScript, 2, questionKey(id), decisionKey(id), decision);
      return (first ?? undefined) as kept.PageDecision | undefined;
    },
    close: async id => {
      await redis.eval(closeScript, 3, questionKey(id), decisionKey(id), carriedKey(id));
    },
    carried: async (id, end) => {
      await redis.eval(setScript, 2, questionKey(id), carriedKey(id), end);
    },
  };
}

function agreements(redis: Redis): kept.Agreements {
  const key = (binding: string) => `${PREFIX}agreed:${binding}`;
  return {
    keep: async (binding, agreement, ttlMs) =>
      void (await redis.set(key(binding), JSON.stringify(agreement), 'PX', ttlMs)),
    find: async binding => {
      const text = await redis.get(key(binding));
      return text === null ? undefined : (JSON.parse(text) as kept.Agreement);
    },
    drop: async binding => void (await redis.del(key(binding))),
  };
}

const decideScript = `
local left = redis.call('PTTL', KEYS[1])
if left <= 0 then return nil end
redis.call('SET', KEYS[2], ARGV[1], 'PX', left, 'NX')
return redis.call('GET', KEYS[2])
`;

const closeScript = `
local left = redis.call('PTTL', KEYS[1])
if left <= 0 then return end
redis.call('SET', KEYS[2], 'closed', 'PX', left, 'NX')
if redis.call('GET', KEYS[2]) == 'approve' then redis.call('SET', KEYS[3], 'refused', 'PX', left, 'NX') end
`;

const setScript = `
local left = redis.call('PTTL', KEYS[1])
if left > 0 then redis.call('SET', KEYS[2], ARGV[1], 'PX', left) end
`;

/**
 * A Redis that lost its data lost its mark too, and gets a new one: confirmations from before are unknown to it. The
 * mark is a key, not the uptime, because a Redis that kept its data over a restart still remembers them.
 */
function spentTokens(redis: Redis): kept.SpentTokens {
  const markKey = `${PREFIX}store`;
  return {
    mark: async () => String(await redis.eval(markScript, 1, markKey, randomUUID())),
    spend: async (id, ttlMs, mark) =>
      (await redis.eval(spendScript, 2, markKey, `${PREFIX}spent:${id}`, mark, ttlMs)) as kept.Spending,
  };
}

const markScript = `
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])
`;

const spendScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'unknown' end
if redis.call('SET', KEYS[2], '1', 'PX', ARGV[2], 'NX') then return 'spent' end
return 'used'
`;

/**
 * Uses the clock of Redis, so that machines whose clocks differ count alike. When that clock was set back, writes that
 * are in its future count as of now.
 */
const windowScript = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local window, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
for _, ahead in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')) do redis.call('ZADD', KEYS[1], now, ahead) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local count = redis.call('ZCARD', KEYS[1])
if count >= limit then
  if limit == 0 then return window end
  local oldest = redis.call('ZRANGE', KEYS[1], count - limit, count - limit, 'WITHSCORES')
  return math.max(1, tonumber(oldest[2]) + window - now)
end
if ARGV[3] ~= '' then
  redis.call('ZADD', KEYS[1], now, ARGV[3])
  redis.call('PEXPIRE', KEYS[1], window)
end
return 0
`;

async function waitInWindow(redis: Redis, caller: string, limit: number, take: boolean): Promise<number> {
  const member = take ? randomUUID() : '';
  return Number(await redis.eval(windowScript, 1, `${PREFIX}writes:${caller}`, kept.WINDOW_MS, limit, member));
}

/** Only if no one else has changed the sum since it was read. */
const replaceDayScript = `
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'EX', 691200)
return 1
`;

/** So often someone else may be faster before it counts as no answer. */
const mostRounds = 1000;

/**
 * Sums are decimals, which Redis cannot add up: each is replaced as a whole. The day is that of the clock of Redis, and
 * each day has a key of its own, so that a clock that jumps ahead and back loses no sum.
 */
function days(redis: Redis): kept.DaySums {
  const keyOf = (caller: string, day: string) => `${PREFIX}day:${day}:${caller}`;
  const today = async () => kept.dayOf(new Date(Number((await redis.time())[0]) * 1000));
  const read = async (caller: string, day: string): Promise<kept.DaySum & { text: string }> => {
    const text = (await redis.get(keyOf(caller, day))) ?? '';
    return { text, day, amounts: text === '' ? {} : (JSON.parse(text) as kept.DaySum).amounts };
  };
  const replace = async (caller: string, text: string, sum: kept.DaySum): Promise<boolean> =>
    (await redis.eval(replaceDayScript, 1, keyOf(caller, sum.day), text, JSON.stringify(sum))) === 1;
  return {
    look: async caller => read(caller, await today()),
    async take({ caller, amounts: more, fits }) {
      for (let round = 0; round < mostRounds; round++) {
        const { text, day, amounts } = await read(caller, await today());
        if (!fits(amounts)) return { day, amounts, taken: false };
        if (await replace(caller, text, { day, amounts: kept.added(amounts, more) }))
          return { day, amounts, taken: true };
      }
      throw new Error('other writers always won the race');
    },
    async release(caller, { day, amounts: less }) {
      for (let round = 0; round < mostRounds; round++) {
        const { text, amounts } = await read(caller, day);
        if (text === '' || (await replace(caller, text, { day, amounts: kept.added(amounts, less, -1) }))) return;
      }
    },
  };
}
