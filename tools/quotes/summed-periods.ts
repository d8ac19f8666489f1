/** What plans cost over several past periods: each period is priced by itself, because tiers and minimums begin anew. */
import type { Comparison, SummedPeriods } from './compared-plans.ts';
import { exactCents } from './exact-cents.ts';

/** `comparisons`: one a period, the newest first. */
export function sumOfPeriods(comparisons: readonly Comparison[]): SummedPeriods {
  const [newest] = comparisons;
  const oldest = comparisons.at(-1);
  const { timezone } = newest?.usage_of ?? {};
  const sums = (newest?.comparison ?? []).map(({ plan_code, name, currency }) => {
    const rows = comparisons.map(({ comparison }) => comparison.find(row => row.plan_code === plan_code));
    const isExact = rows.every(
      row => row !== undefined && row.error === undefined && row.range === undefined && row.left_out === undefined,
    );
    const sum = (field: 'fees_amount_cents' | 'coupons_amount_cents' | 'sub_total_including_taxes_amount_cents') =>
      rows.reduce((total, row) => total + (exactCents(row?.[field]) ?? Number.NaN), 0);
    const before = sum('fees_amount_cents') - sum('coupons_amount_cents');
    const withTax = sum('sub_total_including_taxes_amount_cents');
    const known = (cents: number) => (isExact && Number.isSafeInteger(cents) ? cents : null);
    return {
      plan_code,
      ...(name !== undefined && { name }),
      currency,
      before_tax_cents: known(before),
      with_tax_cents: known(withTax),
    };
  });
  const base = sums[0]?.with_tax_cents ?? null;
  const plans = sums.map(sum => ({
    ...sum,
    difference_cents: base === null || sum.with_tax_cents === null ? null : sum.with_tax_cents - base,
  }));
  return {
    periods: comparisons.length,
    from_datetime: oldest?.usage_of?.from_datetime,
    to_datetime: newest?.usage_of?.to_datetime,
    ...(timezone !== undefined && { timezone }),
    plans,
  };
}
