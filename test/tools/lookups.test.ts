/** What all lookups share: names for ids, pages, missing paths, permissions. */
import { describe, expect, it } from 'vitest';
import { createAvailability } from '../../src/calls/api/availability.ts';
import { factsOf } from '../support/facts.ts';
import { lookupWorld, meta, refusal, sharedWorld } from './lookup-upstream.ts';

const world = await sharedWorld();

const customers = (...names: string[]) => ({
  customers: names.map(name => ({ external_id: name.toLowerCase().replaceAll(' ', '-'), name })),
  meta: meta(names.length),
});

describe('find_customers', () => {
  it('says when exactly one customer matches, with the id that other tools take', async () => {
    world.script({ '/customers': customers('Northwind Logistics') });
    const answer = await world.call('find_customers', { search_term: 'north' });
    expect(answer.summary).toBe('Exactly one customer: “Northwind Logistics” (northwind-logistics).');
    expect(answer.shown).toBe('1 of 1');
    expect(world.asked).toEqual(['/customers?search_term=north&page=1&per_page=20']);
  });

  it('names the fields that were searched when nobody matches', async () => {
    world.script({ '/customers': customers() });
    const answer = await world.call('find_customers', { search_term: 'zz' });
    expect(answer.summary).toContain('No customer has “zz”');
  });

  it('sends lists with brackets and metadata by key', async () => {
    world.script({ '/customers': customers() });
    await world.call('find_customers', { countries: ['FR', 'US'], metadata: { tier: 'gold' } });
    expect(world.asked).toEqual(['/customers?countries[]=FR&countries[]=US&metadata[tier]=gold&page=1&per_page=20']);
  });

  it('walks all pages, and says where it stopped', async () => {
    const pages = (url: URL) => {
      const page = Number(url.searchParams.get('page'));
      return {
        customers: Array.from({ length: 100 }, (_, i) => ({ external_id: `c${page}-${i}` })),
        meta: meta(4000, { page, pages: 40 }),
      };
    };
    world.script(pages);
    const answer = await world.call('find_customers', { all: true });
    expect(world.asked).toHaveLength(10);
    expect(factsOf(answer.summary)).toContain('4,000 · 1,000');
    // Not all of them fit into the answer.
    const shown = (answer.customers as object[]).length;
    expect(answer).toMatchObject({ shown: `${shown} of 4000`, next_page: Math.floor(shown / 100) + 1, per_page: 100 });
    const large = await lookupWorld({ BILLING_MAX_RESULT_TOKENS: '100000' });
    large.script(pages);
    const whole = await large.call('find_customers', { all: true });
    await large.close();
    expect(whole).toMatchObject({ shown: '1000 of 4000', next_page: 11, per_page: 100 });
  });

  it.each([
    [{ all: true, page: 2 }, 'page goes without all: true'],
    [{ metadata: { 'a[b]': 'x' } }, 'metadata.a[b] must be a metadata key'],
  ])('refuses %o before anything is sent', async (args, problem) => {
    world.script({});
    const answer = await world.call('find_customers', args);
    expect(answer.summary).toContain(problem);
    expect(world.asked).toEqual([]);
  });
});

describe('a path that the installation lacks', () => {
  it('is said in plain words, and asked once in ten minutes', async () => {
    const bare = await lookupWorld();
    for (let i = 0; i < 3; i++) {
      const answer = await bare.call('find_customers', { search_term: 'x' });
      expect(answer.error?.code).toBe('lookup_unavailable');
      expect(answer.summary).toContain('has no GET /customers');
    }
    expect(bare.asked).toHaveLength(1);
    await bare.close();
  });

  it.each([
    [404, 'resource_not_found', true],
    [404, 'http_404', true],
    [405, 'http_405', true],
    [404, 'customer_not_found', false],
    [405, 'no_active_subscription', false],
    [500, 'http_500', false],
    [503, 'http_503', false],
  ] as const)('%i %s: %s', (status, code, missing) => {
    const availability = createAvailability();
    const asked = { baseUrl: 'http://a', apiKey: 'k', path: '/customers' };
    availability.learn(asked, { status, code: code as never, message: 'x: y', hint: '', changed: false });
    expect(availability.recall({ ...asked, apiKey: 'another' }) !== null).toBe(missing);
  });

  it('is forgotten after ten minutes, and a permission is remembered for its key alone', () => {
    let now = 0;
    const availability = createAvailability(() => now);
    const asked = { baseUrl: 'http://a', apiKey: 'k', path: '/customers' };
    availability.learn(asked, { status: 403, code: 'http_403', message: 'x: y', hint: '', changed: false });
    expect(availability.recall(asked)?.status).toBe(403);
    expect(availability.recall({ ...asked, apiKey: 'another' })).toBeNull();
    now = 600_000;
    expect(availability.recall(asked)).toBeNull();
  });

  it('is not learned from a server error', async () => {
    world.script({ '/customers': refusal(500, 'internal_error') });
    const answer = await world.call('find_customers', {});
    expect(answer.error?.code).toBe('internal_error');
    world.script({ '/customers': customers('Acme') });
    expect((await world.call('find_customers', {})).summary).toContain('Acme');
  });
});
