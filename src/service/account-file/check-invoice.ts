/** The rules for an invoice of an account file. All that an invoice breaks are reported together. */
import type { AccountBuilder, Path } from './account-builder.ts';
import { requireThat } from './account-builder.ts';
import { checkedSubject } from './build-fees.ts';
import type { AccountEntries } from './schema.ts';
import { invoiceTotals } from './schema-documents.ts';

export type InvoiceEntry = AccountEntries['invoices'][number];
type PeriodEntry = InvoiceEntry['billing_periods'][number];

/** The rules that can be checked without the customer. */
export function entryRules(builder: AccountBuilder, entry: InvoiceEntry, path: Path): (() => unknown)[] {
  const sections = entry.invoice_custom_section_codes;
  const isFee = (position: number | undefined) => position === undefined || position < entry.fees.length;
  return [
    () => builder.requireNew('invoices', entry.number, path),
    () => entry.billing_entity_code !== undefined && builder.billingEntity(entry.billing_entity_code, path),
    () => builder.parts(entry.fees, (fee, i) => checkedSubject(builder, fee, [...path, 'fees', i])),
    () =>
      builder.parts(entry.fees, (fee, i) =>
        requireThat(isFee(fee.true_up_of), [...path, 'fees', i, 'true_up_of'], 'is no fee'),
      ),
    () => builder.parts(entry.coupons, ({ code }, i) => builder.need('coupons', code, [...path, 'coupons', i, 'code'])),
    () =>
      builder.parts(entry.billing_periods, (each, i) => checkPeriod(builder, each, [...path, 'billing_periods', i])),
    () => builder.needAll('invoice_custom_sections', sections, [...path, 'invoice_custom_section_codes']),
  ];
}

function checkPeriod(builder: AccountBuilder, period: PeriodEntry, path: Path): void {
  const { from, to } = period;
  const charges = chargesPeriod(period);
  builder.all(
    () => builder.subscription(period.external_subscription_id, path),
    () => requireThat(from <= to, [...path, 'to'], 'is before from'),
    // If no charges period is stated, it is the period above, whose problem is reported already.
    () =>
      requireThat(
        charges.from <= charges.to ||
          (from > to && period.charges_to === undefined && period.charges_from === undefined),
        [...path, 'charges_to'],
        'is before charges_from',
      ),
  );
}

/** The period whose usage is billed. */
export function chargesPeriod(period: PeriodEntry): { from: string; to: string } {
  return { from: period.charges_from ?? period.from, to: period.charges_to ?? period.to };
}

/** The rules for stated sums, which must equal the computed ones. The computed total is after prepaid credits. */
export function totalRules(
  entry: InvoiceEntry,
  computed: { total_amount_cents: number; [field: string]: unknown },
  path: Path,
): (() => void)[] {
  const { total_amount_cents: rest } = computed;
  const paid = entry.total_paid_amount_cents;
  const statedFields = Object.keys(invoiceTotals) as (keyof typeof invoiceTotals)[];
  return [
    ...statedFields.map(field => () => {
      const agrees = entry[field] === undefined || entry[field] === computed[field];
      requireThat(agrees, [...path, field], `is ${entry[field]}, but the fees come to ${computed[field]}`);
    }),
    () => requireThat(rest >= 0, [...path, 'prepaid_credit_amount_cents'], 'is more than the invoice comes to'),
    () =>
      requireThat(
        rest < 0 || paid <= rest,
        [...path, 'total_paid_amount_cents'],
        `is ${paid}, more than the total of ${rest}`,
      ),
  ];
}
