/** Searches with email addresses hidden: nobody is found by one, and no count tells that somebody could be. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JsonRecord } from '../../../../src/lib/json.ts';
import { demoAccount } from '../../../../src/service/account-file/demo.ts';
import { invoiceRow, noteRow, uuidOf } from '../../../tools/lookup-records.ts';
import { lookupWorld, meta, refusal } from '../../../tools/lookup-upstream.ts';
import { clientOf, contentOf, maskedServers } from './marked.ts';

const servers = maskedServers('email', demoAccount);
const inOpen = (tool: string, args: object) => contentOf(servers.open, tool, args);
const inMasked = (tool: string, args: object) => contentOf(servers.masked, tool, args);
/** A server with this mask in front of a service that answers what the test says. */
async function worldWith(mask: string, more: Record<string, string> = {}) {
  const world = await lookupWorld({ BILLING_MASK: mask, ...more });
  onTestFinished(() => world.close());
  return world;
}
const idsOf = ({ customers }: JsonRecord) => (customers as JsonRecord[]).map(({ external_id }) => external_id);

describe('a search for an email address', () => {
  const address = 'accounts@acme-podcasts.example';

  it('finds nobody, and says that addresses are not searched', async () => {
    expect(idsOf(await inOpen('find_customers', { search_term: address }))).toEqual(['acme-podcasts']);
    const found = await inMasked('find_customers', { search_term: address });
    expect(found).toMatchObject({ customers: [], shown: '0 of 0' });
    expect(found.summary).toContain(`“${address}”`);
    expect(found.summary).toContain('hidden and not searched');
  });

  it.each([
    ['list_invoices', 'invoices'],
    ['list_credit_notes', 'credit_notes'],
  ])('finds no record with %s', async (tool, key) => {
    const whole = (await inOpen(tool, { search_term: address }))[key] as JsonRecord[];
    expect(whole.length).toBeGreaterThan(0);
    const found = await inMasked(tool, { search_term: address });
    expect(found).toMatchObject({ [key]: [], shown: '0 of 0' });
    expect(found.totals).toBeUndefined();
    const named = (await inMasked(tool, { search_term: 'Acme Podcasts' }))[key];
    expect(named).toHaveLength(whole.length);
  });

  it('does not lead a lookup to the customer, whose name still does', async () => {
    const { summary, error } = await inMasked('get_customer_overview', { external_customer_id: address });
    expect(`${summary} ${JSON.stringify(error)}`).not.toContain('Acme Podcasts');
    expect((error as JsonRecord).hint).toContain('hidden and not searched');
    const found = await inMasked('get_customer_overview', { external_customer_id: 'Acme Podcasts' });
    expect(found.error).toBeUndefined();
  });

  it('suggests no id after a 404', async () => {
    const near = 'accounts@acme-podcasts';
    const whole = await inOpen('get_customer', { external_customer_id: near });
    const found = await inMasked('get_customer', { external_customer_id: near });
    expect(JSON.stringify(whole)).toContain('acme-podcasts');
    expect((found.error as JsonRecord).hint).not.toMatch(/Did you mean/);
  });

  it.each([
    ['nobody by the address', 'accounts@', []],
    ['nobody by the text that stands in its place', 'hidden', []],
    ['the customer by name', 'Podc', ['acme-podcasts']],
  ])('completes %s', async (_, value, values) => {
    const client = await clientOf(servers.masked);
    const { prompts } = await client.listPrompts();
    const prompt = prompts.find(({ arguments: args }) => args?.some(arg => arg.name === 'external_customer_id'));
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: prompt?.name ?? '' },
      argument: { name: 'external_customer_id', value },
    });
    expect(completion.values).toEqual(values);
  });
});

it('reads a later page from where the one before ended, and the first one anew', async () => {
  const world = await worldWith('email');
  world.script(url => {
    const page = Number(url.searchParams.get('page'));
    const rows = Array.from({ length: 100 }, (_, n) => ({
      external_id: `${page}-${n}`,
      name: n % 2 === 0 ? 'Nora' : 'Other',
    }));
    return { customers: rows, meta: meta(500, { page, pages: 5 }) };
  });
  const asked = () => world.asked.map(target => /[?&]page=(\d+)/.exec(target)?.[1]);
  const page = (n: number) => world.call('find_customers', { search_term: 'nora', page: n, per_page: 100 });
  expect((await page(1)).next_page).toBe(2);
  expect(asked()).toEqual(['1', '2', '3']);
  expect((await page(2)).next_page).toBe(3);
  expect(asked()).toEqual(['1', '2', '3', '4', '5']);
  expect(await page(3)).toMatchObject({ shown: '50 of 250' });
  expect(asked()).toHaveLength(5);
  await page(1);
  expect(asked()).toHaveLength(8);
});

it('finds a customer once where the list moves while it is read', async () => {
  const world = await worldWith('email');
  world.script(url => {
    const page = Number(url.searchParams.get('page'));
    // The last one of the first page comes again on the second.
    const rows = Array.from({ length: 3 }, (_, n) => {
      const external_id = `nora-${page * 2 + n}`;
      return { svc_id: external_id, external_id, name: 'Nora' };
    });
    return { customers: rows, meta: meta(6, { page, pages: 2 }) };
  });
  const found = await world.call('find_customers', { search_term: 'nora' });
  expect(idsOf(found)).toEqual(['nora-2', 'nora-3', 'nora-4', 'nora-5', 'nora-6']);
  expect(found.shown).toBe('5 of 5');
});

describe('a filter by a hidden field', () => {
  it.each([
    ['states', { states: ['Bergen'] }, 'address', 'addresses'],
    ['zipcodes', { search_term: 'nora', zipcodes: ['5003'] }, 'address,email', 'addresses'],
    [
      'has_tax_identification_number',
      { has_tax_identification_number: false },
      'tax_id',
      'tax and registration numbers',
    ],
  ])('%s is refused, and nothing is sent', async (name, args, mask, words) => {
    const world = await worldWith(mask);
    const { error, summary } = await world.call('find_customers', args);
    expect(error).toMatchObject({ code: 'invalid_arguments', details: [name] });
    expect(summary).toContain(`${name} cannot be used, because ${words}`);
    expect(world.asked).toEqual([]);
  });

  it('is sent where another field is hidden', async () => {
    const world = await worldWith('phone,tax_id');
    world.script({ '/customers': { customers: [], meta: meta(0) } });
    const answer = await world.call('find_customers', { states: ['Bergen'], countries: ['NO'] });
    expect(answer.error).toBeUndefined();
    expect(world.asked).toEqual(['/customers?countries[]=NO&states[]=Bergen&page=1&per_page=20']);
  });
});

describe('an error of the service', () => {
  const said = async (mask: string, args: object, body: object) => {
    const world = await worldWith(mask);
    world.script({ '/invoices/preview': { status: 422, body } });
    return JSON.stringify(await world.call('preview_invoice', args));
  };
  const sent = { plan_code: 'pro', customer: { name: 'Nora', city: 'Bergen', tax_identification_number: 'NO 923' } };
  const refused = (text: string) => ({
    ...{ status: 422, error: text, code: 'validation_errors' },
    error_details: { customer: [text] },
  });

  it('does not repeat a hidden value that was sent', async () => {
    const answer = await said('address,tax_id', sent, refused('no street in Bergen for NO 923'));
    expect(answer).toContain('no street in [hidden] for [hidden]');
    expect(answer).not.toMatch(/Bergen|923/);
  });

  it('does not say a stored email address', async () => {
    const answer = await said('email', sent, refused('Nora <nora@hidden.example> has no card'));
    expect(answer).not.toContain('nora@');
  });

  it('keeps an id that looks like an email address', async () => {
    const customer = { external_id: 'nora@people.example' };
    const answer = await said('email', { ...sent, customer }, refused('nora@people.example is not known.'));
    expect(answer).toContain('nora@people.example');
  });

  it('is as it was without a mask', async () => {
    expect(await said('phone', sent, refused('no street in Bergen'))).toContain('Bergen');
  });
});

it('what is no list is judged as without a mask', async () => {
  const world = await worldWith('email');
  world.script({ '/customers': { customers: 'none' } });
  expect((await world.call('find_customers', { search_term: 'a' })).error?.code).toBe('invalid_answer');
  world.script({ '/customers': refusal(422, 'validation_errors') });
  expect((await world.call('find_customers', { search_term: 'a' })).error?.code).toBe('validation_errors');
});

it('an invoice or note is found by what the service searches and no other field', async () => {
  const world = await worldWith('email');
  // Both come only because of the address: the service searches no legal name and no part of an svc_id here.
  const customer = { external_id: 'acme', name: 'Acme', legal_name: 'Nora Lund AS', email: 'nora@lund.example' };
  world.script({ '/invoices': { invoices: [invoiceRow(1, { customer })], meta: meta(1) } });
  expect(await world.call('list_invoices', { search_term: 'nora' })).toMatchObject({ shown: '0 of 0' });
  world.script({ '/credit_notes': { credit_notes: [noteRow(1, { customer })], meta: meta(1) } });
  expect(await world.call('list_credit_notes', { search_term: 'nora' })).toMatchObject({ shown: '0 of 0' });
});

it.each([
  ['its number', { search_term: 'acm-0001-001-001' }],
  ['its id', { search_term: uuidOf(1) }],
])('finds an invoice by %s, also where record ids have another prefix', async (_, args) => {
  const world = await worldWith('email,address', { BILLING_ID_PREFIX: 'acme_' });
  const { svc_id, ...row } = invoiceRow(1, { customer: { external_id: 'a', name: 'A', email: 'a@b.example' } });
  world.script({ '/invoices': { invoices: [{ acme_id: svc_id, ...row }], meta: meta(1) } });
  expect(await world.call('list_invoices', args)).toMatchObject({ invoices: [{ svc_id }], shown: '1 of 1' });
});
