/** Checks the references in a body: taxes, payment methods, invoice sections, billing entities. */

import type { Json, PaymentMethodLink, WalletRecord } from '../../engine/records/index.ts';
import { isJsonObject } from '../../engine/records/values.ts';
import { isGiven } from '../../lib/json.ts';
import { notFound, orNotFound, validation } from '../errors.ts';
import { isUuid } from '../operations/input.ts';
import type { AccountStore } from '../store/store.ts';
import { isBlank } from './fields.ts';

/** Throws 404 when the account has no tax with one of the codes. */
export async function requireTaxes(account: AccountStore, codes: readonly string[]): Promise<void> {
  const distinctCodes = new Set(codes);
  if (distinctCodes.size === 0) return;
  const known = await account.count('taxes', { code: [...distinctCodes] });
  if (known < distinctCodes.size) throw notFound('tax');
}

/** A `payment_method` block; null restores the default. Throws 422. */
export function readPaymentMethod(value: Json): PaymentMethodLink | null {
  if (value === null) return null;
  const refused = validation({ payment_method: ['invalid_payment_method'] });
  if (!isJsonObject(value)) throw refused;
  const type = value.payment_method_type ?? 'provider';
  const id = value.payment_method_id ?? null;
  if (type !== 'provider' && type !== 'manual') throw refused;
  if (id !== null && (!isUuid(id) || type === 'manual')) throw refused;
  return { payment_method_type: type, payment_method_id: id };
}

type SectionChoice = Partial<Pick<WalletRecord, 'skip_invoice_custom_sections' | 'invoice_custom_section_codes'>>;

/** The changes of an `invoice_custom_section` block. Codes of unknown sections are ignored (§3.1). Throws 422. */
export async function readSectionChoice(account: AccountStore, value: Json): Promise<SectionChoice> {
  if (value === null) return {};
  const refused = validation({ invoice_custom_section: ['value_is_invalid'] });
  if (!isJsonObject(value)) throw refused;
  const { skip_invoice_custom_sections: skip, invoice_custom_section_codes: codes } = value;
  const choice: SectionChoice = {};
  if (typeof skip === 'boolean') choice.skip_invoice_custom_sections = skip;
  else if (isGiven(skip)) throw refused;
  if (!isGiven(codes)) return choice;
  if (!Array.isArray(codes) || !codes.every(code => typeof code === 'string')) throw refused;
  const distinctCodes = [...new Set(codes as string[])];
  const known = await account.find('invoice_custom_sections', { code: distinctCodes });
  const isKnown = (code: string) => known.some(section => section.code === code);
  return { ...choice, invoice_custom_section_codes: distinctCodes.filter(isKnown) };
}

/** The id of the billing entity with the code; null for a blank code. Throws 404. */
export async function billingEntityId(account: AccountStore, code: Json): Promise<string | null> {
  if (isBlank(code)) return null;
  const entity = typeof code === 'string' ? await account.first('billing_entities', { code }) : undefined;
  return orNotFound(entity, 'billing_entity').id;
}

/** Locks the account's row, so that only one request at a time checks values that must be unique in the account. */
export async function lockAccount(account: AccountStore): Promise<void> {
  await account.get('organizations', account.organization.id, { lock: true });
}
