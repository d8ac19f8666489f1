/** The names of the fields that each mask hides, wherever a customer is nested. */
import { customer } from './customer.ts';
import { fieldsWithin, type Masked } from './fields.ts';
import { type MaskedField, maskedFields } from './masked-fields.ts';

const marked = fieldsWithin(customer) as (readonly [string, Partial<Masked>])[];

export const hiddenNames = Object.fromEntries(
  maskedFields.map(mask => [
    mask,
    [...new Set(marked.flatMap(([name, field]) => (field.mask === mask ? [name] : [])))],
  ]),
) as Record<MaskedField, string[]>;
