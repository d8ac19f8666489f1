/** How an update of a wallet is taken back (service-behaviour §3.1). */
import type { Wallet } from '../src/contract/shown.ts';
import { wallet as walletResource } from '../src/contract/wallet.ts';
import type { Arguments } from '../src/definition/define.ts';
import { clearedFields } from '../src/definition/field-arguments.ts';
import { fieldOf } from '../src/lib/json.ts';
import { metricLimits, type WalletArguments, type WalletAsRead, withoutUndefined } from './wallet-changes.ts';
import { rulesBack, withoutEmpty } from './wallet-rules.ts';

/** Limits are always sent along, because leaving them out would drop them once more. */
export function revertOfWalletUpdate(
  args: WalletArguments,
  known: WalletAsRead,
  answer: Wallet,
): { arguments: Arguments } | { impossible: string } {
  const back: Arguments = { svc_id: args.svc_id };
  const clear: string[] = [];
  if (args.applies_to !== undefined || metricLimits(known).length > 0) {
    const { fee_types, billable_metric_codes } = known.applies_to ?? {};
    back.applies_to = { fee_types, billable_metric_codes };
  }
  const cannot = (field: string, why: string) => ({ impossible: `${field.replaceAll('_', ' ')} ${why}` });
  for (const field of Object.keys(withoutUndefined(args))) {
    const earlier = fieldOf(known, field) ?? null;
    if (['svc_id', 'merge', 'applies_to'].includes(field)) continue;
    if (field === 'invoice_custom_section') return cannot(field, 'cannot be read back');
    else if (field === 'metadata') back.metadata = known.metadata ?? {};
    else if (field === 'recurring_transaction_rules')
      back[field] = rulesBack(known.recurring_transaction_rules, answer.recurring_transaction_rules);
    else if (earlier !== null) back[field] = field === 'payment_method' ? withoutEmpty(earlier) : earlier;
    else if (clearableFields.includes(field)) clear.push(field);
    else return cannot(field, 'was empty, and cannot be emptied again');
  }
  return { arguments: clear.length === 0 ? back : { ...back, clear } };
}

const clearableFields = clearedFields(walletResource);
