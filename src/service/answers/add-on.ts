import type { AddOnRecord } from '../records/index.ts';
import type { AccountLists } from '../store/account-lists.ts';
import { instant } from './formats.ts';
import { taxAnswers } from './shared.ts';

/** An add-on with every field of the specification. */
export function addOnAnswer(addOn: AddOnRecord, lists: AccountLists) {
  return {
    svc_id: addOn.id,
    name: addOn.name,
    invoice_display_name: addOn.invoice_display_name,
    code: addOn.code,
    description: addOn.description,
    amount_cents: addOn.amount_cents,
    amount_currency: addOn.amount_currency,
    created_at: instant(addOn.created_at),
    taxes: taxAnswers(addOn.tax_codes, lists),
  };
}
