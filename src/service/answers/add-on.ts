import { type AddOnRecord, addOns } from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import type { AccountLists } from '../store/account-lists.ts';
import { instant } from './formats.ts';
import { taxAnswers } from './shared.ts';

/** An add-on with every field of the specification. */
export function addOnAnswer(addOn: AddOnRecord, lists: AccountLists) {
  return {
    svc_id: addOn.id,
    ...pick(addOn, addOns.shown.details),
    created_at: instant(addOn.created_at),
    taxes: taxAnswers(addOn.tax_codes, lists),
  };
}
