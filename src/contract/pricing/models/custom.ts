import { OutOfScope } from '../out-of-scope.ts';
import type { Model } from './model.ts';

/** A price by the account's own program (§9, §16). */
export const custom: Model = {
  parse: () => ({
    cost() {
      throw new OutOfScope('custom_charge_model', 'This charge is a custom charge (§9, §16).');
    },
    line: () => 'a custom price',
    isByEvent: true,
  }),
};
