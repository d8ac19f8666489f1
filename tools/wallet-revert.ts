/** How an update of a wallet is taken back (service-behaviour §3.1). */
import type { TopUpRule } from '../src/contract/shown.ts';
import { wallet as walletResource } from '../src/contract/wallet.ts';
import { fieldOf, isObject } from '../src/lib/json.ts';
import type { Arguments } from '../src/tool/define.ts';
import { clearedFields } from '../src/tool/field-arguments.ts';
import { isFilled } from '../src/words/default-fields.ts';
import { asRecord, asRecords, code, sign } from '../src/words/summary.ts';
import { isUsualMethod } from '../src/words/wallet-words.ts';
import { metricLimits, rule, type WalletArguments, type WalletAsRead, withoutUndefined } from './wallet-changes.ts';

/** Limits are always sent along, because leaving them out would drop them once more. */
export function revertOfWalletUpdate(
  args: WalletArguments,
  known: WalletAsRead,
): { arguments: Arguments } | { impossible: string } {
  const back: Arguments = { svc_id: args.svc_id };
  const clear: string[] = [];
  if (args.applies_to !== undefined || metricLimits(known).length > 0) {
    const { fee_types, billable_metric_codes } = asRecord(known.applies_to);
    back.applies_to = { fee_types, billable_metric_codes };
  }
  const cannot = (field: string, why: string) => ({ impossible: `${field.replaceAll('_', ' ')} ${why}` });
  for (const field of Object.keys(withoutUndefined(args))) {
    const earlier = fieldOf(known, field) ?? null;
    if (['svc_id', 'merge', 'applies_to'].includes(field)) continue;
    if (field === 'invoice_custom_section') return cannot(field, 'cannot be read back');
    else if (field === 'metadata') back.metadata = asRecord(known.metadata);
    else if (field === 'recurring_transaction_rules')
      back[field] = asRecords(known.recurring_transaction_rules).map(ruleAsSent);
    else if (earlier !== null) back[field] = field === 'payment_method' ? withoutEmpty(asRecord(earlier)) : earlier;
    else if (clearableFields.includes(field)) clear.push(field);
    else return cannot(field, 'was empty, and cannot be emptied again');
  }
  return { arguments: clear.length === 0 ? back : { ...back, clear } };
}

const clearableFields = clearedFields(walletResource);

/** A stored rule as a new one: a field that was empty cannot be emptied on the rule that has it now. */
function ruleAsSent(stored: TopUpRule): Arguments {
  const fields = Object.entries(withoutEmpty(stored)).filter(
    ([field, value]) => field !== 'svc_id' && field in rule.shape && !isDefault(field, value),
  );
  const sections = asRecords(stored.applied_invoice_custom_sections)
    .map(applied => code(asRecord(applied.invoice_custom_section).code))
    .filter(section => section !== null);
  return {
    ...Object.fromEntries(fields.map(([field, value]) => [field, isObject(value) ? withoutEmpty(value) : value])),
    ...(sections.length > 0 && { invoice_custom_section: { invoice_custom_section_codes: sections } }),
  };
}

/** What a new rule has where nothing is sent. */
function isDefault(field: string, value: unknown): boolean {
  if (/^(paid|granted)_credits$/.test(field)) return sign(value) === 0;
  if (field === 'payment_method') return isUsualMethod(value);
  return value === false && field !== 'invoice_requires_successful_payment';
}

function withoutEmpty<Value extends object>(record: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => isFilled(value))) as Partial<Value>;
}
