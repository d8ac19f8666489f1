/** Searches with email addresses hidden find who is found by what is shown, on any page. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonRecord } from '../../../../src/lib/json.ts';
import { demoAccount } from '../../../../src/service/account-file/demo.ts';
import { runs } from '../../../support/extent.ts';
import { contentOf, maskedServers } from './marked.ts';

/** Letters that the demo account does not use, few, so that terms are in both fields, in one and in none. */
const letters = 'жщю';
const spelt = (n: number, length: number): string =>
  Array.from({ length }, (_, i) => letters[Math.floor(n / letters.length ** i) % letters.length]).join('');
const people = Array.from({ length: 240 }, (_, n) => ({
  external_id: `c-${n}`,
  name: spelt(n, 3),
  legal_name: n % 5 === 0 ? spelt(n * 7, 4) : null,
  email: `${spelt(n * 13, 5)}@hidden.example`,
}));

const everyone = async () => {
  const demo = await demoAccount();
  return { ...demo, customers: [...(demo.customers ?? []), ...people] };
};
const servers = maskedServers('email', everyone, { BILLING_MAX_RESULT_TOKENS: '100000' });
const idsOf = ({ customers }: JsonRecord) => (customers as JsonRecord[]).map(({ external_id }) => external_id);

it('find_customers finds by what is shown, page by page, in the order of the service', async () => {
  const term = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 4 });
  const pages = fc.record({ page: fc.integer({ min: 1, max: 5 }), per_page: fc.integer({ min: 1, max: 60 }) });
  const everybody = idsOf(await contentOf(servers.open, 'find_customers', { all: true }));
  await fc.assert(
    fc.asyncProperty(term, pages, async (search_term, { page, per_page }) => {
      const matching = new Set(
        people
          .filter(({ name, legal_name }) => name.includes(search_term) || legal_name?.includes(search_term))
          .map(({ external_id }) => external_id),
      );
      const expected = everybody.filter(id => matching.has(String(id)));
      const found = await contentOf(servers.masked, 'find_customers', { search_term, page, per_page });
      const more = expected.length > page * per_page;
      const ids = expected.slice((page - 1) * per_page, page * per_page);
      expect(idsOf(found)).toEqual(ids);
      expect(found.next_page).toBe(more ? page + 1 : undefined);
      expect(found.shown).toBe(`${ids.length} of ${more ? 'an unknown number' : expected.length}`);
      expect(JSON.stringify(found)).not.toContain('hidden.example');
    }),
    runs(60),
  );
});
