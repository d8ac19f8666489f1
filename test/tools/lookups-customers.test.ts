/** Finding customers: what the answer says, and what is refused. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { customerFilters } from '../../src/contract/list-filters.ts';
import { factsOf } from '../support/facts.ts';
import { filterSamples } from './filter-samples.ts';
import { meta, sharedWorld } from './lookup-upstream.ts';

const world = await sharedWorld();

/** A customer as lists show it (docs/lookups.md §2), with what no row shows. */
const customer = (external_id: string, fields: object = {}) => ({
  svc_id: `svc-${external_id}`,
  external_id,
  name: null,
  firstname: null,
  lastname: null,
  legal_name: null,
  email: null,
  currency: 'USD',
  country: 'US',
  billing_entity_code: 'main',
  taxes: [],
  integration_customers: [],
  metadata: [{ key: 'tier', value: 'gold' }],
  billing_configuration: { payment_provider: null },
  ...fields,
});
const found = (total: number, ...customers: object[]) => ({
  '/customers': { customers, meta: meta(total, { pages: Math.ceil(total / Math.max(1, customers.length)) }) },
});

describe('find_customers', () => {
  it.each([
    ['by its name', { name: 'Acme', legal_name: 'Acme Inc.' }, '“Acme” (acme)'],
    ['by its legal name where it has no other', { legal_name: 'Acme Inc.' }, '“Acme Inc.” (acme)'],
    ["by the person's name where it has no other", { firstname: 'Ada', lastname: 'Byron' }, '“Ada Byron” (acme)'],
    ['by its id where it has no name', {}, 'acme'],
  ])('calls a customer %s', async (_, fields, said) => {
    world.script(found(1, customer('acme', fields)));
    expect((await world.call('find_customers', {})).summary).toBe(`Exactly one customer: ${said}.`);
  });

  it('names a few that match, and counts more', async () => {
    const few = ['a', 'b'].map(id => customer(id, { name: `Acme ${id}` }));
    world.script(found(2, ...few));
    const answer = await world.call('find_customers', { search_term: 'acme' });
    expect(factsOf(answer.summary)).toBe('2 · “Acme a” · (a) · “Acme b” · (b)');
    expect(answer.customers).toEqual([
      { external_id: 'a', name: 'Acme a', currency: 'USD', country: 'US', billing_entity_code: 'main' },
      { external_id: 'b', name: 'Acme b', currency: 'USD', country: 'US', billing_entity_code: 'main' },
    ]);
    world.script(found(12, ...Array.from({ length: 6 }, (_, i) => customer(`c${i}`))));
    const more = await world.call('find_customers', { search_term: 'acme' });
    expect(factsOf(more.summary)).toBe('12 · 6 · 2');
    expect(more).toMatchObject({ shown: '6 of 12', next_page: 2 });
  });

  it('does not call the only customer of a later page the only one', async () => {
    world.script({ '/customers': { customers: [customer('z')], meta: meta(3, { page: 3, pages: 3 }) } });
    const answer = await world.call('find_customers', { page: 3, per_page: 1 });
    expect(factsOf(answer.summary)).toBe('3 · 1');
  });

  it.each([
    [{ search_term: 'Bar Foo' }, 'one phrase'],
    [{ search_term: 'Müller' }, 'Accents matter'],
    [{ countries: ['FR'], currencies: ['EUR'] }, 'the country FR, and the currency'],
    [{ metadata: { tier: 'gold' } }, 'this metadata.'],
    [{ customer_type: 'company' }, 'what customer_type asks for.'],
    [{ search_term: 'acme', states: ['Bergen'], has_customer_type: true }, 'has_customer_type and states ask for'],
  ])('says of %j why there may be nobody', async (args, said) => {
    world.script(found(0));
    expect((await world.call('find_customers', args)).summary).toContain(said);
  });

  it.each([
    ['an empty search', { search_term: '  ' }],
    ['an unknown country', { countries: ['fr'] }],
    ['an unknown currency', { currencies: ['EURO'] }],
    ['a country that is no list', { countries: 'FR' }],
    ['a nested value of metadata', { metadata: { tier: { of: 'gold' } } }],
    ['a key with brackets', { metadata: { 'a][b': 'c' } }],
    ['an unknown filter', { plan_code: 'pro' }],
    ['an empty state', { states: [''] }],
    ['a type together with having none', { has_customer_type: false, customer_type: 'company' }],
  ])('refuses %s before anything is sent', async (_, args) => {
    world.script({});
    expect((await world.call('find_customers', args)).error?.code).toBe('invalid_arguments');
    expect(world.asked).toEqual([]);
  });

  it.each([
    [{ account_type: ['client'] }, 'account_type[0] must be one of customer'],
    [{ customer_type: 'firm' }, 'customer_type must be one of company'],
  ])('names the choices for %j', async (args, said) => {
    expect((await world.call('find_customers', args)).summary).toContain(said);
  });

  it('sends every filter under its name, lists and metadata with brackets', async () => {
    world.script(found(0));
    const { args, query } = filterSamples(customerFilters);
    await world.call('find_customers', args);
    expect(world.asked).toEqual([`/customers?${query}&page=1&per_page=20`]);
  });

  it('leaves out customers that an older installation lets through, and says so', async () => {
    const rows = [customer('a', { customer_type: 'company' }), customer('b', { customer_type: null }), customer('c')];
    world.script(found(3, ...rows));
    const answer = await world.call('find_customers', { customer_type: 'company' });
    // Nothing shows the kind of the third one.
    expect(answer.summary).toContain('filter customer_type: 1 other record');
    expect(answer.shown).toBe('2 of 2');
  });

  it('shows 20 customers in 1,000 tokens', async () => {
    const rows = Array.from({ length: 20 }, (_, i) =>
      customer(`customer-${i}`, { name: `Northwind ${i}`, email: `billing${i}@northwind.example` }),
    );
    world.script(found(20, ...rows));
    const tokens = countTokens(JSON.stringify(await world.call('find_customers', {})));
    expect(tokens).toBeLessThanOrEqual(1000);
  });
});
