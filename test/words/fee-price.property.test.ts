import fc from 'fast-check';
import { expect, it } from 'vitest';
import { priceOfFee } from '../../src/words/fee-price.ts';
import { runs } from '../support/extent.ts';

const charge = (amount: string) => ({ svc_id: 'c', charge_model: 'standard', properties: { amount } });
const fee = (fields: object) => ({ svc_charge_id: 'c', item: { type: 'charge', name: 'Minutes' }, ...fields });

it('never tells a price that its units do not come to', () => {
  const amounts = fc.record({
    units: fc.integer({ min: 2, max: 5000 }),
    cents: fc.integer({ min: 1, max: 100_000 }),
    price: fc.integer({ min: 1, max: 500 }),
  });
  fc.assert(
    fc.property(amounts, ({ units, cents, price }) => {
      const one = fee({ units: `${units}.0`, amount_cents: cents });
      const said = priceOfFee(one, 'USD', charge(String(price / 100)));
      expect(said?.includes('×')).toBe(units * price === cents);
    }),
    runs(500),
  );
});
