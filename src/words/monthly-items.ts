/** Plans that bill usage or fixed charges monthly within a longer period: what a preview of the running period jumps over. */
import type { Fee, Invoice } from '../contract/shown.ts';
import { listed } from './summary.ts';

const dayMs = 86_400_000;
const longestMonth = 31;

/**
 * The service previews the invoice at the end of the plan's period, with the last month of what is billed monthly; the next
 * one issued is that of the running month (service-behaviour §12.5, §12.8). Null where no month comes before it.
 */
export function explainMonthlyItems(invoice: Invoice, now: Date): string | null {
  const fees = invoice.fees ?? [];
  const plans = fees.filter(fee => typeOf(fee) === 'subscription' && daysOf(fee) > 2 * longestMonth);
  const monthly = fees.filter(fee => daysOf(fee) <= longestMonth && plans.some(plan => isLastMonthOf(plan, fee)));
  if (!monthly.some(fee => startOf(fee) > now.getTime())) return null;
  const kinds = (['charge', 'fixed_charge'] as const).filter(type => monthly.some(fee => typeOf(fee) === type));
  const words = listed(kinds.map(type => (type === 'charge' ? 'usage' : 'fixed charges')));
  return `This is the invoice at the end of the plan period. Monthly invoices for ${words} come before it`;
}

const typeOf = ({ item }: Fee) => item?.type;
const startOf = ({ from_date }: Fee) => Date.parse(from_date ?? '');
const endOf = ({ to_date }: Fee) => Date.parse(to_date ?? '');
/** NaN where the fee does not show both days. */
const daysOf = (fee: Fee) => Math.round((endOf(fee) - startOf(fee)) / dayMs);

/** Does the fee end with the plan's fee, or, where that is paid in advance, right before it? */
function isLastMonthOf(plan: Fee, fee: Fee): boolean {
  if (typeOf(fee) !== 'charge' && typeOf(fee) !== 'fixed_charge') return false;
  if (plan.external_subscription_id !== fee.external_subscription_id) return false;
  return [endOf(plan), startOf(plan)].some(at => Math.abs(at - endOf(fee)) < dayMs);
}
