import { costOf, type Model } from './model.ts';

/** Units × `amount` (§9). */
export const standard: Model = {
  parse(properties) {
    const each = properties.needed('amount');
    return {
      cost: ({ units, full_units }) => costOf(units.times(each), full_units, {}),
      line: ({ money }) => `${money(each)} each`,
      each,
      first: each,
      isAlike: true,
      isProrated: true,
    };
  },
};
