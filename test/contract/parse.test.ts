import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { oddIn, parseBody } from '../../src/contract/parse.ts';
import { recording } from '../support/recorded.ts';

describe('an answer', () => {
  it('comes back as it is where every field has its type', () => {
    const body = {
      customer: { name: 'Acme', net_payment_term: null, metadata: [], unknown: { of: 'later versions' } },
      meta: { current_page: 1 },
      also: 'not of the contract',
    };
    expect(parseBody(body)).toBe(body);
    expect(oddIn(body)).toEqual([]);
  });

  it('keeps null and what is absent apart', () => {
    const { customer } = parseBody({ customer: { name: null } });
    expect([customer?.name, customer?.email]).toEqual([null, undefined]);
  });

  it.each<[what: string, body: object, path: string]>([
    ['a text in place of an object', { invoice: { customer: 'Acme' } }, 'invoice.customer'],
    ['an object in place of a text', { invoice: { number: { of: 7 } } }, 'invoice.number'],
    ['a text in place of a list', { invoice: { fees: 'none' } }, 'invoice.fees'],
    ['an entry that is no object', { invoices: [{ number: 'A' }, 7] }, 'invoices[1]'],
    ['an amount with decimals', { invoices: [{ total_amount_cents: 12.5 }] }, 'invoices[0].total_amount_cents'],
    ['a decimal that is no number', { fee: { units: 'many' } }, 'fee.units'],
    ['an instant that is no date', { wallet: { expiration_at: 'soon' } }, 'wallet.expiration_at'],
    ['a number in place of a switch', { tax: 1, plan: { pay_in_advance: 1 } }, 'plan.pay_in_advance'],
  ])('loses %s, and lists it', (_, body, path) => {
    const parsed = parseBody(body);
    expect(oddIn(parsed)).toEqual([path]);
    expect(JSON.stringify(parsed).length).toBeLessThan(JSON.stringify(body).length);
  });

  it('loses a list of a record as a whole where an entry is odd, so that prices do not read as complete', () => {
    const plan = { charges: [{ code: 'a', filters: [{ values: {} }, 7] }, { code: 'b' }] };
    const parsed = parseBody({ plan });
    expect(parsed).toEqual({ plan: { charges: [{ code: 'a' }, { code: 'b' }] } });
    expect(oddIn(parsed)).toEqual(['plan.charges[0].filters[1]']);
  });

  it('takes digits beyond 2^53, numbers for decimals, and years of five digits', () => {
    const body = {
      invoice: { total_amount_cents: '9007199254740993' },
      fee: { units: 2.5, precise_amount: '1e-7' },
      wallet: { expiration_at: '10000-01-01T00:00:00Z' },
    };
    expect(parseBody(body)).toBe(body);
  });

  it('is read as the record itself where its wrapper is missing', () => {
    expect(parseBody({ name: 7, email: 'a@example.com' }, 'customer')).toEqual({ email: 'a@example.com' });
    expect(parseBody({ number: 'A', customer: { name: 'Acme' }, metadata: {} }, 'invoice')).toEqual({
      number: 'A',
      customer: { name: 'Acme' },
    });
  });
});

it('no field of a recorded answer is odd', () => {
  const answers = readdirSync(new URL('../recordings', import.meta.url))
    .filter(file => file.endsWith('.json.gz'))
    .flatMap(file => bodiesIn(recording(file.replace('.json.gz', ''))));
  const odd = answers.flatMap(body => oddIn(parseBody(filledIn(body))));
  expect(answers.length).toBeGreaterThan(2000);
  expect(odd).toEqual([]);
});

/** The recordings have a word in place of moments and numbers that differ from run to run. */
function filledIn(body: object): object {
  const text = JSON.stringify(body)
    .replaceAll('"<moment>"', '"2026-01-01T00:00:00Z"')
    .replace(/"(sequential_id|version_number)":"<drawn>"/g, '"$1":7');
  return JSON.parse(text) as object;
}

function bodiesIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  const { json } = value as { json?: unknown };
  if (typeof json === 'object' && json !== null) return [json];
  return Object.values(value).flatMap(bodiesIn);
}
