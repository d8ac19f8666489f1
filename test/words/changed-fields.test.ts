import { describe, expect, it } from 'vitest';
import type { WriteCall } from '../../src/definition/write-call.ts';
import { changedIn } from '../../src/words/changed-fields.ts';

const made = (args: object, known: object | null, path: Record<string, string> = { code: 'setup' }) =>
  ({ args, known, request: { path } }) as Pick<WriteCall, 'args' | 'known' | 'request'>;

describe('a change of a set', () => {
  it('has the code of its record, and each field before and after, with its currency', () => {
    const before = { code: 'setup', name: 'Setup', amount_cents: 1000, amount_currency: 'USD' };
    const call = made({ code: 'setup', name: 'Set-up', amount_cents: 1250 }, before);
    expect(changedIn(call, { ...before, name: 'Set-up', amount_cents: 1250 })).toEqual({
      record: 'setup',
      changed: ['name: “Setup” → “Set-up”', 'price: $10.00 → $12.50'],
    });
  });

  it('leaves out what stayed as it was, and what was not applied', () => {
    const before = { code: 'setup', name: 'Setup' };
    expect(changedIn(made({ code: 'setup', name: 'Setup' }, before), before)).toEqual({ record: 'setup' });
  });

  it.each([
    [[{ key: 'a', value: '1' }], [{ key: 'a', value: '2' }]],
    [{ a: '1' }, { a: '2' }],
  ])('tells metadata by key: %j', (metadata, later) => {
    const call = made({ metadata: later }, { number: 'SKY-1', metadata }, {});
    expect(changedIn(call, { number: 'SKY-1', metadata: later })).toEqual({
      record: 'SKY-1',
      changed: ['metadata: changes a (“1” → “2”)'],
    });
  });

  it('has the values that it set, where the record was not seen before', () => {
    expect(changedIn(made({ code: 'x', name: 'New' }, null, {}), { code: 'x', name: 'New' })).toEqual({
      record: 'x',
      changed: ['code → x', 'name → “New”'],
    });
  });

  it('has the plan fee of a subscription', () => {
    const record = (amount_cents: number) => ({ external_id: 'main', plan: { amount_cents, amount_currency: 'USD' } });
    const call = made({ external_id: 'main', plan_overrides: { amount_cents: 7900 } }, record(9900), {
      external_id: 'main',
    });
    expect(changedIn(call, record(7900)).changed).toEqual(['plan amount: $99.00 → $79.00']);
  });

  it('has the price of each charge that changed, in the answer and not in the request', () => {
    const of = (amount: string) => {
      const charge = { code: 'seats', billable_metric_code: 'seats', charge_model: 'standard', properties: { amount } };
      return { external_id: 'main', plan: { amount_currency: 'USD', charges: [charge, { ...charge, code: 'desks' }] } };
    };
    const [before, later] = [of('12'), of('10')];
    Object.assign(later.plan, { charges: [later.plan.charges[0], before.plan.charges[1]] });
    const call = made({ plan_overrides: { charges: [{ id: 'c', properties: { amount: '9' } }] } }, before, {});
    expect(changedIn(call, later).changed).toEqual(['seats: $12.00 each → $10.00 each']);
  });
});
