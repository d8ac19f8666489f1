/** Finding customers: what the answer says, and what is refused. */
import { describe, expect, it } from 'vitest';
import { factsOf } from '../support/facts.ts';
import { customerRow } from './lookup-records.ts';
import { meta, sharedWorld } from './lookup-upstream.ts';

const world = await sharedWorld();

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
    world.script(found(1, customerRow('acme', fields)));
    expect((await world.call('find_customers', {})).summary).toBe(`Exactly one customer: ${said}.`);
  });

  it('names a few that match, and counts more', async () => {
    world.script(found(2, ...['a', 'b'].map(id => customerRow(id, { name: `Acme ${id}` }))));
    const answer = await world.call('find_customers', { search_term: 'acme' });
    expect(factsOf(answer.summary)).toBe('2 · “Acme a” · (a) · “Acme b” · (b)');
    const shown = { currency: 'USD', country: 'US', billing_entity_code: 'main' };
    expect(answer.customers).toEqual(['a', 'b'].map(id => ({ external_id: id, name: `Acme ${id}`, ...shown })));
    world.script(found(12, ...Array.from({ length: 6 }, (_, i) => customerRow(`c${i}`))));
    const more = await world.call('find_customers', { search_term: 'acme' });
    expect(factsOf(more.summary)).toBe('12 · 6 · 2');
    expect(more).toMatchObject({ shown: '6 of 12', next_page: 2 });
  });

  it('does not call the only customer of a later page the only one', async () => {
    world.script({ '/customers': { customers: [customerRow('z')], meta: meta(3, { page: 3, pages: 3 }) } });
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

  it('leaves out customers that an older installation lets through, and says so', async () => {
    const rows = [
      customerRow('a', { customer_type: 'company' }),
      customerRow('b', { customer_type: null }),
      customerRow('c'),
    ];
    world.script(found(3, ...rows));
    const answer = await world.call('find_customers', { customer_type: 'company' });
    // Nothing shows the kind of the third one.
    expect(answer.summary).toContain('filter customer_type: 1 other record');
    expect(answer.shown).toBe('2 of 2');
  });
});
