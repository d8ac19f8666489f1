/** Whatever a service does to its list while it is read, each record counts once, and no total is claimed that is not so. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseBody } from '../../src/contract/parse.ts';
import type { Cents } from '../../src/contract/shown.ts';
import { type Api, isWhole, type Rows } from '../../src/definition/api.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { totalsOf, totalsText } from '../../tools/quotes/totals.ts';
import { remarked, shownFields, shownNote } from '../../tools/records/list-pages.ts';
import { apiOf } from '../support/api.ts';
import { runs } from '../support/extent.ts';

const service = fc.record({
  size: fc.integer({ min: 0, max: 450 }),
  /** Before each request: how many are created on top, how many of the first are deleted. */
  moves: fc.array(fc.record({ created: fc.nat({ max: 3 }), deleted: fc.nat({ max: 3 }) }), { maxLength: 6 }),
  /** Rows of a page that come again at its end. */
  again: fc.array(fc.nat({ max: 3 }), { maxLength: 6 }),
  ignoresPage: fc.boolean(),
  /** The page that the service says it has answered. */
  tellsPage: fc.boolean(),
  total: fc.constantFrom('right', -1, 0, 3, 1000, null, '7', 2.5),
  next: fc.constantFrom('right', 'never', 'always'),
  all: fc.boolean(),
  page: fc.integer({ min: 1, max: 4 }),
  key: fc.constantFrom('invoices', 'payments'),
  /** Amounts, by the record's number. */
  amounts: fc.array(fc.constantFrom<unknown>(1, 250, '9007199254740993', 12.5, '12.5', null, 'x', -4), {
    minLength: 1,
  }),
});
type Service = typeof service extends fc.Arbitrary<infer Value> ? Value : never;

interface Served {
  requests: number;
  /** Every row of every answer. */
  rows: JsonRecord[];
  totals: unknown[];
  /** Of the last answer. */
  next: number | null;
}

function serving(made: Service): { api: Api; served: Served } {
  const { amounts } = made;
  const record = (n: number): JsonRecord => ({
    svc_id: `r${n}`,
    currency: 'USD',
    amount_cents: amounts[n % amounts.length],
  });
  let list = Array.from({ length: made.size }, (_, n) => record(n));
  let created = 1000;
  const served: Served = { requests: 0, rows: [], totals: [], next: null };
  const get: Api['get'] = async (_, { key, query }) => {
    const { page: asked, per_page } = query as { page: number; per_page: number };
    const move = made.moves[served.requests];
    for (let n = 0; n < (move?.created ?? 0); n++) list = [record(created++), ...list];
    list = list.slice(move?.deleted ?? 0);
    const page = made.ignoresPage ? 1 : asked;
    const own = list.slice((page - 1) * per_page, page * per_page);
    const rows = [...own, ...own.slice(0, made.again[served.requests] ?? 0)];
    const more = page * per_page < list.length;
    const next = made.next === 'always' || (made.next === 'right' && more) ? page + 1 : null;
    const total_count = made.total === 'right' ? list.length : made.total;
    served.requests += 1;
    served.rows.push(...rows);
    served.totals.push(total_count);
    served.next = rows.length === 0 ? null : next;
    const meta = { ...(made.tellsPage && { current_page: page }), next_page: next, total_count };
    return { ok: true, body: parseBody({ [key]: rows, meta }) };
  };
  return {
    api: apiOf({ get }),
    served,
  };
}

it('every record counts once, and what the service counts otherwise is told as its count', async () => {
  await fc.assert(
    fc.asyncProperty(service, async made => {
      const { api, served } = serving(made);
      const page = made.all ? 1 : made.page;
      const found = (await api.list('/list', { key: made.key }, { all: made.all, page, per_page: 20 })) as Rows<{
        svc_id: string;
        currency: string;
        amount_cents?: Cents;
      }>;
      const distinct = new Map(served.rows.map(row => [row.svc_id, row]));
      const ids = found.rows.map(row => row.svc_id);
      expect(ids).toEqual([...distinct.keys()]);
      expect(served.requests).toBeLessThanOrEqual(10);
      const said = `${shownNote(found, 'record') ?? 'none'}${remarked(found)}`;

      // Nothing came twice without a word, and one answer is no list that changes.
      if (served.rows.length > distinct.size)
        expect(said).toMatch(/appeared twice and (is|are) counted once|had the same records again/);
      if (served.requests === 1) expect(said).not.toContain('the list changed');

      // Our total is one that the rows allow; of the service's others only an integer is told, as its own.
      const last = served.totals.at(-1);
      const before = made.all ? 0 : (page - 1) * 20;
      if (found.total === null) expect(shownFields(found).shown).toMatch(/ of an unknown number$/);
      else {
        expect(found.total).toBe(last);
        expect(found.total).toBeGreaterThanOrEqual(ids.length);
        if (served.next !== null) expect(found.total).toBeGreaterThan(ids.length);
        else if (page === 1) expect(found.total).toBe(ids.length);
      }
      if (Number.isInteger(last) && found.total === null)
        expect(said).toContain(`the service counts ${last === 1000 ? '1,000' : last}`);

      // All that was there, only where nothing moved, and nothing contradicts it.
      if (isWhole(found) && made.all && made.next === 'right' && !made.ignoresPage)
        expect(served.rows).toHaveLength(distinct.size);
      if (found.stopped) expect(said).toContain(`only the first ${ids.length.toLocaleString('en')} record`);
      if (before > 0 && ids.length > 0 && made.ignoresPage && made.tellsPage)
        expect(said).toContain(`the service returned page 1 instead of page ${page}`);

      // Sums are exact over the records with whole amounts, and name the others.
      const whole = found.rows.flatMap(({ amount_cents: cents }) =>
        /^-?\d+$/.test(String(cents)) ? [BigInt(cents as number | string)] : [],
      );
      const [total] = totalsOf(found.rows, ['amount_cents']);
      expect((total?.count ?? 0) + (total?.left_out?.length ?? 0)).toBe(ids.length);
      if (whole.length === 0) expect(total?.amount_cents).toBeUndefined();
      else expect(String(total?.amount_cents)).toBe(String(whole.reduce((sum, cents) => sum + cents, 0n)));
      if (total?.left_out) expect(totalsText([total], 'amount_cents')).toContain(total.left_out[0]);
    }),
    runs(5000),
  );
});
