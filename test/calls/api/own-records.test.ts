/** What a bound caller's customers have is read once and kept for a minute; what is not among it may be new. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type KnownIds, OwnRecords } from '../../../src/calls/access/bounds/records/own-records.ts';
import type { Upstream } from '../../../src/calls/api/http/client.ts';
import type { UpstreamAnswer } from '../../../src/definition/api.ts';

let now = 0;
let subscriptions: unknown[];
let asked: string[];
let failing: boolean;
let own: OwnRecords;
const row = (external_id: string, external_customer_id = 'acme') => ({
  external_id,
  external_customer_id,
  svc_id: `ID-${external_id}`,
});

/** A list of subscriptions, two a page. */
const upstream: Upstream = {
  async send({ target }): Promise<UpstreamAnswer> {
    asked.push(target);
    const about = { requestId: 'r', attempts: 1 };
    if (failing) {
      const error = {
        status: 503,
        code: 'http_503',
        message: 'get_event: the service returned 503',
        hint: '',
        changed: false,
      };
      return { ok: false, error: error as never, ...about };
    }
    const page = Number(new URL(target, 'http://x').searchParams.get('page') ?? 1);
    const meta = { next_page: page * 2 < subscriptions.length ? page + 1 : null };
    return {
      ok: true,
      status: 200,
      body: { subscriptions: subscriptions.slice(page * 2 - 2, page * 2), meta },
      ...about,
    };
  },
};
const reading = {
  call: { tool: 'list_events', effect: 'read', method: 'GET', target: '', body: undefined } as const,
  options: {},
};
const has =
  (id: string) =>
  ({ owners }: KnownIds) =>
    owners.has(id);
const ids = async (enough?: (known: KnownIds) => boolean) => {
  const known = await own.idsOf('subscriptions', reading, enough);
  return known.ok ? [...known.value.owners.keys()] : known.error.message;
};

beforeEach(() => {
  now = 0;
  asked = [];
  failing = false;
  subscriptions = [row('a'), row('b'), row('c')];
  own = new OwnRecords(upstream, new Set(['acme']), () => now);
});
afterEach(() =>
  expect(
    asked.every(target => target.startsWith('/customers/acme/subscriptions?') || target.startsWith('/subscriptions?')),
  ).toBe(true),
);

describe('own records', () => {
  it('are read page by page, once, and kept for a minute', async () => {
    expect(await ids()).toEqual(['a', 'b', 'c']);
    now = 59_999;
    expect(await ids(has('c'))).toEqual(['a', 'b', 'c']);
    expect(asked).toHaveLength(2);
    now = 60_001;
    await ids();
    expect(asked).toHaveLength(4);
  });

  it('are read once for calls at the same time', async () => {
    await Promise.all([ids(), ids(), ids(has('b'))]);
    expect(asked).toHaveLength(2);
  });

  it('are read again for one that is not among them, at most every five seconds', async () => {
    await ids();
    subscriptions.push(row('new'));
    now = 4_000;
    expect(await ids(has('new'))).not.toContain('new');
    expect(asked).toHaveLength(2);
    now = 6_000;
    expect(await ids(has('new'))).toContain('new');
    expect(asked).toHaveLength(4);
    now = 10_000;
    await ids(has('nothing'));
    expect(asked).toHaveLength(4);
  });

  it('that could not be read are asked for again, and the error names the tool that waits', async () => {
    failing = true;
    expect(await ids()).toBe('list_events: the service returned 503');
    failing = false;
    expect(await ids()).toEqual(['a', 'b', 'c']);
  });

  it('are not those that name another customer, or none', async () => {
    subscriptions = [row('a'), row('b', 'globex'), { external_id: 'c' }, 'd', null];
    expect(await ids()).toEqual(['a']);
  });
});

describe('a wait for own records', () => {
  it('ends with the call that waits, and not for the others', async () => {
    let answer = (): void => {};
    const slow: Upstream = {
      send: async (call, options) => {
        await new Promise<void>(resolve => {
          answer = resolve;
        });
        return upstream.send(call, options);
      },
    };
    own = new OwnRecords(slow, new Set(['acme']), () => now);
    subscriptions = [row('a')];
    const stop = new AbortController();
    const cancelled = own.idsOf('subscriptions', { ...reading, options: { signal: stop.signal } });
    const other = own.idsOf('subscriptions', reading);
    stop.abort();
    expect(await cancelled).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    answer();
    expect((await other).ok).toBe(true);
  });
});

describe('a subscription’s external id', () => {
  const allOwn = async (id: string, fresh?: boolean) => {
    const all = await own.ownsAllWithId(id, reading, fresh);
    return all.ok && all.value;
  };

  it.each<[string, object[], boolean]>([
    ['one own subscription has', [row('a')], true],
    ['two own ones have', [row('a'), row('a')], true],
    ['another customer’s has too', [row('a'), row('a', 'globex')], false],
    ['none has', [], false],
    ['is not what the list is filtered by', [row('b')], false],
  ])('that %s', async (_, rows, expected) => {
    subscriptions = rows;
    expect(await allOwn('a')).toBe(expected);
  });

  it('is asked for once a minute, and for every write', async () => {
    subscriptions = [row('a')];
    await allOwn('a');
    await allOwn('a');
    expect(asked).toHaveLength(1);
    subscriptions = [row('a', 'globex')];
    now = 1;
    expect(await allOwn('a', true)).toBe(false);
    expect(await allOwn('a')).toBe(false);
    expect(asked).toHaveLength(2);
  });
});
