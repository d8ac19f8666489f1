import { describe, expect, it } from 'vitest';
import { addOn as addOnResource } from '../../../src/contract/add-on.ts';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { JsonObject } from '../../../src/engine/records/index.ts';
import { expectMissing, expectOk, expectRefused, sharedService } from './service.ts';
import { itWrites } from './writable-fields.ts';

const service = sharedService();

describe('an add-on', () => {
  const put = (code: string, add_on: unknown) => service.put(`/add_ons/${encodeURIComponent(code)}`, { add_on });

  it.each([
    [{ name: ' ' }, { name: ['value_is_mandatory'] }],
    [{ code: null }, { code: ['value_is_mandatory'] }],
    [{ amount_cents: 0 }, { amount_cents: ['value_is_out_of_range'] }],
    [{ amount_cents: 'much' }, { amount_cents: ['value_is_invalid'] }],
    [{ amount_currency: 'XXX' }, { amount_currency: ['value_is_invalid'] }],
    [
      { name: '', amount_cents: -1, tax_codes: ['nope'] },
      { name: ['value_is_mandatory'], amount_cents: ['value_is_out_of_range'] },
    ],
  ])('is refused %j', async (add_on, details) => {
    expectRefused(await put(demoIds.add_on_code, add_on), details);
  });

  itWrites(addOnResource, 'add_on', fields => put(demoIds.add_on_code, fields));

  it('can have its taxes replaced, by known ones only', async () => {
    expectMissing(await put(demoIds.add_on_code, { tax_codes: ['nope'] }), 'tax');
    const taxes = async (codes: string[]) =>
      ((expectOk(await put(demoIds.add_on_code, { tax_codes: codes })).add_on as JsonObject).taxes as JsonObject[]).map(
        tax => tax.code,
      );
    expect(await taxes([demoIds.tax_code])).toEqual([demoIds.tax_code]);
    expect(await taxes([])).toEqual([]);
  });

  it('when deleted, frees its code and is removed from the plans that billed it', async () => {
    const plan = (await service.account.find('plans')).find(each => each.fixed_charges.length > 0)!;
    const [charge] = plan.fixed_charges;
    const addOn = (await service.account.get('add_ons', charge!.add_on_id))!;
    const other = (await service.account.find('add_ons')).find(each => each.id !== addOn.id)!;
    expectRefused(await put(other.code, { code: addOn.code }), { code: ['value_already_exist'] });
    expectOk(await service.call('DELETE', `/add_ons/${addOn.code}`));
    expectMissing(await service.call('DELETE', `/add_ons/${addOn.code}`), 'add_on');
    expectMissing(await put(addOn.code, { name: 'x' }), 'add_on');
    expect((await service.account.get('plans', plan.id))!.fixed_charges.some(each => each.add_on_id === addOn.id)).toBe(
      false,
    );
    expectOk(await put(other.code, { code: addOn.code }));
  });

  it('gets a code only once when two requests ask for it at the same time', async () => {
    const [one, two] = await service.account.find('add_ons', { deleted_at: null });
    if (!one || !two) throw new Error('the demo account has two add-ons left');
    const replies = await Promise.all([
      put(one.code, { code: 'wanted/by two' }),
      put(two.code, { code: 'wanted/by two' }),
    ]);
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 422]);
    expect(await service.account.count('add_ons', { code: 'wanted/by two' })).toBe(1);
  });
});
