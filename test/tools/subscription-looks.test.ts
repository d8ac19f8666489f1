/** Which subscription an update is about (service-behaviour §3.2), and the value that an alert would read (§14). */
import { describe, expect, it } from 'vitest';
import type { Api } from '../../src/definition/api.ts';
import type { ToolError } from '../../src/definition/failure.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { alertValueOf } from '../../tools/quotes/usage-parts.ts';
import { readSubscription } from '../../tools/records/written-record.ts';
import { apiOf } from '../support/api.ts';

const code = 'subscription_not_found' as ToolError['code'];
const missing: ToolError = { status: 404, code, message: '', hint: '', changed: false };

/**
 * An account with one customer's subscriptions of the same id, in these states, and one of another id, which its list
 * shows, too; `asked` holds the status that was read.
 */
function accountWith(statuses: readonly string[], asked: unknown[] = []): Api {
  return apiOf({
    tool: 'update_subscription',
    now: new Date('2026-03-15T12:00:00Z'),
    preview: async () => ({ ok: false, error: missing }),
    get: async (path, { key, query }) => {
      if (path === '/subscriptions') {
        const rows = statuses.map(status => ({ external_id: 's1', status }));
        return { ok: true, body: { [key]: [{ external_id: 's10', status: 'active' }, ...rows] } };
      }
      asked.push(query?.status);
      if (statuses.length === 0) return { ok: false, error: missing };
      return { ok: true, body: { [key]: { status: query?.status } } };
    },
  });
}

describe('the subscription that an update hits', () => {
  it.each<[string[], string | undefined, string | null]>([
    [['terminated'], undefined, 'terminated'],
    [['canceled'], 'pending', 'canceled'],
    [['pending'], 'active', 'pending'],
    [['incomplete'], undefined, 'incomplete'],
    [['pending', 'active'], undefined, 'active'],
    [['pending', 'active'], 'pending', 'pending'],
    [['incomplete', 'active'], 'incomplete', 'incomplete'],
    [['terminated', 'active'], 'terminated', 'active'],
    [['active', 'terminated'], 'pending', null],
    [['terminated', 'pending'], undefined, null],
    [['terminated', 'terminated'], undefined, null],
  ])('of %j with status %s is %s', async (statuses, status, hit) => {
    const asked: unknown[] = [];
    const answer = await readSubscription(accountWith(statuses, asked), 's1', status);
    expect(asked).toEqual(hit === null ? [] : [hit]);
    expect(answer).toMatchObject(hit === null ? { ok: false, error: { code: 'no_match' } } : { body: { status: hit } });
  });

  const listing = (pages: (page: number) => JsonRecord): { api: Api; asked: unknown[] } => {
    const asked: unknown[] = [];
    const plain = accountWith(['terminated'], asked);
    const get: Api['get'] = async (path, get) =>
      path === '/subscriptions' ? { ok: true, body: pages(Number(get.query?.page ?? 1)) } : plain.get(path, get);
    return { api: apiOf({ tool: plain.tool, now: plain.now, get }), asked };
  };
  const ended = { svc_id: 'x', external_id: 's1', status: 'terminated' };

  it('is one where the list shows it twice', async () => {
    const { api, asked } = listing(() => ({ subscriptions: [ended, ended], meta: { total_count: 2 } }));
    expect(await readSubscription(api, 's1', undefined)).toMatchObject({ ok: true });
    expect(asked).toEqual(['terminated']);
  });

  it('is looked for on every page of a service that lists those of others, too', async () => {
    const { api, asked } = listing(page =>
      page === 1
        ? { subscriptions: [ended], meta: { total_count: 2, next_page: 2 } }
        : { subscriptions: [{ ...ended, svc_id: 'y', status: 'active' }], meta: { total_count: 2 } },
    );
    await readSubscription(api, 's1', undefined);
    expect(asked).toEqual(['active']);
  });

  it('is not the only one read of a list that has no end', async () => {
    const { api, asked } = listing(() => ({ subscriptions: [ended], meta: { total_count: 900, next_page: 2 } }));
    await readSubscription(api, 's1', undefined);
    expect(asked).toEqual(['active']);
  });

  it('is asked for by its id where the list has none, so that the service says what it is', async () => {
    const asked: unknown[] = [];
    const answer = await readSubscription(accountWith([], asked), 's1', undefined);
    expect(asked).toEqual([undefined]);
    expect(answer).toEqual({ ok: false, error: missing });
  });
});

describe('the value that an alert would read', () => {
  const entry = (metric: string, figures: JsonRecord) => ({ billable_metric: { code: metric }, ...figures });
  const usage = {
    charges_usage: [
      entry('api', {
        amount_cents: 900,
        units: '30.5',
        filters: [{ amount_cents: 700, units: '10' }, { units: '20.5' }],
      }),
      entry('api', { amount_cents: 50, units: '2' }),
      entry('seats', { amount_cents: 100, units: '4', grouped_usage: [{ amount_cents: 60, units: '1' }] }),
    ],
  };

  it.each<[string, string | undefined, string | undefined]>([
    ['current_usage_amount', undefined, '1050'],
    ['billable_metric_current_usage_amount', 'api', '700'],
    ['billable_metric_current_usage_units', 'api', '20.5'],
    ['billable_metric_current_usage_amount', 'seats', '60'],
    ['billable_metric_current_usage_units', 'other', undefined],
    ['lifetime_usage_amount', undefined, undefined],
    ['billable_metric_lifetime_usage_units', 'api', undefined],
  ])('%s of %s is %s', (type, metric, value) => {
    expect(alertValueOf(usage, type, metric)?.toFixed()).toBe(value);
  });
});
