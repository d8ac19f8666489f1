/** Names in place of ids: one customer, several, none, and what a search by more fields finds beside. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { factsOf } from '../support/facts.ts';
import { invoiceRow, noteRow } from './lookup-records.ts';
import { meta, refusal, sharedWorld } from './lookup-upstream.ts';

const world = await sharedWorld();

/** Only `acme` is an id; the search answers these customers, of so many. */
function found(customers: JsonRecord[], total = customers.length): void {
  world.script(url => {
    const path = url.pathname.replace('/api/v1', '');
    if (path === '/customers') return { customers, meta: meta(total, { pages: Math.ceil(total / 100) }) };
    if (path === '/customers/acme/invoices') return { invoices: [invoiceRow(1)], meta: meta(1) };
    return refusal(404, 'customer_not_found');
  });
}

const ask = (external_customer_id: string) => world.call('list_invoices', { external_customer_id });

describe('a name in place of an id', () => {
  it.each([
    ['a part, in any case', 'CME c', { name: 'Acme Corp' }],
    ['with blanks around it', '  acme corp ', { name: 'Acme Corp' }],
    ['the legal name', 'holding', { name: 'Acme', legal_name: 'Acme Holding LLC' }],
    ['the legal name alone', 'holding', { name: null, legal_name: 'Acme Holding LLC' }],
    ['another script', 'サクラ', { name: '株式会社サクラゲームス' }],
    ['a sigma at the end of the part', 'ΟΔΟΣ', { name: 'Οδοσήμανση' }],
  ])('is read where one customer has it: %s', async (_, given, names) => {
    found([{ external_id: 'acme', ...names }]);
    const answer = await ask(given);
    expect(world.asked).toHaveLength(3);
    expect(answer.customer).toMatchObject({ external_id: 'acme' });
    expect(answer.summary).toContain('Found by name: “');
  });

  it('is not read where a longer name contains it, too', async () => {
    found([
      { external_id: 'acme', name: 'Acme' },
      { external_id: 'acme-2', name: 'Acme Labs' },
    ]);
    const answer = await ask('Acme');
    expect(world.asked).toHaveLength(2);
    expect(answer.error).toMatchObject({ code: 'several_customers' });
    expect(answer.error?.hint).toContain('“Acme” (acme) and “Acme Labs” (acme-2)');
  });

  const page = Array.from({ length: 100 }, (_, i) => ({ external_id: `c-${i}`, name: null, email: `a${i}@acme.test` }));

  it('is not said to be nobody’s where more match than were read', async () => {
    found(page, 150);
    const answer = await ask('Acme');
    expect(factsOf(answer.summary)).toBe('list_invoices · 100 · “Acme”');
    expect(answer.error).toMatchObject({
      code: 'several_customers',
      hint: expect.stringContaining('longer part of the name'),
    });
  });

  it('is not read where one of those read has it and others were not read', async () => {
    found([{ external_id: 'acme', name: 'Acme' }, ...page.slice(1)], 150);
    const answer = await ask('Acme');
    expect(world.asked).toHaveLength(2);
    expect(factsOf(answer.summary)).toContain('100 · “Acme”');
    expect(answer.error?.hint).toContain('one external ID: “Acme” (acme)');
  });

  it('leads to customers whom another field finds, and reads none of them', async () => {
    found([{ external_id: 'nora-lund', firstname: 'Nora', lastname: 'Lund' }]);
    const answer = await ask('Nora');
    expect(world.asked).toHaveLength(2);
    expect(answer.error).toMatchObject({ code: 'customer_not_found' });
    expect(factsOf(answer.error?.hint)).toBe('“Nora” · “Nora Lund” · (nora-lund)');
  });

  it('is nobody’s where the search finds nobody, or others only', async () => {
    for (const others of [[], [{ external_id: 'other', name: 'Other' }]]) {
      found(others);
      expect((await ask('Acme')).error?.hint).toContain('No customer has “Acme”');
    }
  });

  it.each(['Acme Corporation of America', '株式会社サクラゲームス東京第一事業部'])(
    'is answered within 140 tokens where five have it: %s',
    async name => {
      found(Array.from({ length: 5 }, (_, i) => ({ external_id: `${name}-${i}`, name: `${name} ${i}` })));
      const answer = await ask(name);
      expect(answer.error?.code).toBe('several_customers');
      expect(countTokens(JSON.stringify(answer))).toBeLessThanOrEqual(140);
    },
  );
});

/** The service compares letters and blanks as they are stored, without case (docs/lookups.md §0). */
function searching(customers: JsonRecord[], ids: string[] = []): void {
  world.script(url => {
    const path = decodeURIComponent(url.pathname.replace('/api/v1', ''));
    if (ids.some(id => path === `/customers/${id}/invoices`)) return { invoices: [invoiceRow(1)], meta: meta(1) };
    if (path !== '/customers') return refusal(404, 'customer_not_found');
    const [term, size] = [
      url.searchParams.get('search_term')?.toLowerCase() ?? '',
      Number(url.searchParams.get('per_page')),
    ];
    const rows = customers.filter(({ name }) => String(name).toLowerCase().includes(term));
    return { customers: rows.slice(0, size), meta: meta(rows.length, { pages: Math.ceil(rows.length / size) }) };
  });
}

const nbsp = '\u00a0';
const [composed, decomposed] = ['Café Noir'.normalize('NFC'), 'Café Noir'.normalize('NFD')];
const [hangul, jamo] = ['김치'.normalize('NFC'), '김치'.normalize('NFD')];

describe('a name as people read it', () => {
  it.each([
    ['a blank for a non-breaking one', 'Acme Corp', `Acme${nbsp}Corp`],
    ['a non-breaking blank for a blank', `acme${nbsp}corp`, 'Acme Corp'],
    ['one blank for two', 'Acme Corp', 'Acme  Corp'],
    ['two blanks for one', 'Acme  Corp', 'Acme Corp'],
    ['a tab', 'Acme\tCorp', 'Acme Corp'],
    ['composed letters for decomposed ones', composed, decomposed],
    ['decomposed letters for composed ones', decomposed, composed],
    ['a word with nothing but such letters', hangul, jamo],
    ['the same, the other way', jamo, hangul],
  ])('is found with %s', async (_, given, name) => {
    searching([{ external_id: 'acme', name }], ['acme']);
    const answer = await ask(given);
    expect(answer.customer).toMatchObject({ external_id: 'acme' });
    expect((await world.call('find_customers', { search_term: given })).summary).toMatch(/^Exactly one customer: /);
  });

  it.each([
    ['blanks', 'Acme Corp', ['Acme Corp', `Acme${nbsp}Corp`]],
    ['letters', composed, [composed, decomposed]],
    ['nothing', 'Acme Corp', ['Acme Corp', 'Acme Corp']],
    ['letters among many', 'Café', ['Café'.normalize('NFC'), 'Café'.normalize('NFD'), ...Array(100).fill('Caf')]],
  ])('of two that differ in %s is asked about', async (_, given, names) => {
    searching(names.map((name, n) => ({ svc_id: `svc-${n}`, external_id: `acme-${n}`, name })));
    const { error } = await ask(given);
    expect(error?.code).toBe('several_customers');
    expect(error?.hint).toMatch(/\(acme-0\) and “.+” \(acme-1\)/);
    const found = await world.call('find_customers', { search_term: given });
    expect(found).toMatchObject({ shown: '2 of 2', customers: [{ external_id: 'acme-0' }, { external_id: 'acme-1' }] });
  });

  it.each([{}, { svc_id: 'svc-1' }])('is one customer’s where that is listed twice: %j', async fields => {
    const acme = { external_id: 'acme', name: 'Acme Corp', ...fields };
    searching([acme, acme], ['acme']);
    for (const given of ['Acme Corp', 'corp'])
      expect((await ask(given)).customer).toMatchObject({ external_id: 'acme' });
  });

  it('with an accent is not the one without', async () => {
    searching([{ external_id: 'cafe', name: 'Cafe Noir' }]);
    expect((await ask(decomposed)).error?.code).toBe('customer_not_found');
  });

  const many = (word: string) =>
    Array.from({ length: 150 }, (_, n) => ({ external_id: `${word}-${n}`, name: `${word} ${n}` }));

  it.each([
    ['a blank', `Acme${nbsp}Solutions`],
    ['two blanks', 'Acme  Solutions'],
    ['nothing', 'Acme Solutions'],
  ])('is found by its rarer word where too many have the longer one, and differs in %s', async (_, name) => {
    searching([...many('Solutions'), { external_id: 'acme', name }], ['acme']);
    expect((await ask('Acme Solutions')).customer).toMatchObject({ external_id: 'acme' });
    expect(world.asked).toHaveLength(4);
  });

  const composedWord = 'Caféhaus Solutions'.normalize('NFC');
  it.each([composedWord, composedWord.normalize('NFD')])('is found by both spellings of a word: %#', async name => {
    const others = [...many('Solutions'), ...many('Caf'), ...many('haus')];
    searching([...others, { external_id: 'acme', name: name.replace(' ', nbsp) }], ['acme']);
    expect((await ask(composedWord)).customer).toMatchObject({ external_id: 'acme' });
  });

  it.each([
    ['nobody', [], 'longer part of the name'],
    [
      'one that is written so',
      [{ external_id: 'plain', name: 'Acme Solutions' }],
      'one external ID: “Acme Solutions” (plain)',
    ],
  ])('is no single match where too many share every word, and the search finds %s', async (_, plain, hint) => {
    const other = { external_id: 'acme', name: `Acme${nbsp}Solutions` };
    searching([...many('Solutions'), ...many('Acme'), other, ...plain], ['acme', 'plain']);
    const { error, summary } = await ask('Acme Solutions');
    expect(error?.code).toBe('several_customers');
    expect(factsOf(summary)).toContain('100 · “Solutions”');
    expect(error?.hint).toContain(hint);
    const found = await world.call('find_customers', { search_term: 'Acme Solutions' });
    expect(factsOf(found.summary)).toContain('100 · “Solutions”');
    expect(found.summary).not.toContain('Exactly one');
  });

  it('is found page by page', async () => {
    searching(Array.from({ length: 30 }, (_, n) => ({ external_id: `c-${n}`, name: `Acme${nbsp}Corp ${n}` })));
    const pages = [1, 2].map(page => world.call('find_customers', { search_term: 'Acme Corp', page }));
    const [first, second] = await Promise.all(pages);
    expect(first).toMatchObject({ shown: '20 of 30', next_page: 2 });
    expect(second?.shown).toBe('10 of 30');
    expect(factsOf(second?.summary)).toBe('30 · 10');
  });
});

describe('a search for documents by the customer’s name', () => {
  const stored = { external_id: 'acme', name: `Café${nbsp}Noir`.normalize('NFD') };
  it.each([
    ['list_invoices', 'invoices', [invoiceRow(1, { customer: stored }), invoiceRow(2, { customer: { name: 'Caf' } })]],
    [
      'list_credit_notes',
      'credit_notes',
      [noteRow(1, { customer: stored }), noteRow(2, { customer: { name: 'Caf' } })],
    ],
  ])('goes by the name as people read it with %s', async (tool, key, records) => {
    world.script(url => {
      const term = url.searchParams.get('search_term')?.toLowerCase() ?? '';
      const rows = records.filter(row => (row.customer as { name: string }).name.toLowerCase().includes(term));
      return { [key]: rows, meta: meta(rows.length) };
    });
    expect(await world.call(tool, { search_term: composed })).toMatchObject({ shown: '1 of 1', [key]: [{}] });
  });
});
