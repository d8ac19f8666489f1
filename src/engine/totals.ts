/** From fees to the invoice's total, in the fixed order: coupons, taxes, credit notes, prepaid credits (§11, §11.5). */

import { applyCoupons, type SkippedCoupon, type UsableCoupon } from './coupons.ts';
import { applyCreditNotes, applyPrepaidCredits, type UsableCreditNote } from './credits.ts';
import type { BillableFee } from './fees.ts';
import type { AppliedTax, InvoiceCredit, WalletRecord } from './records/index.ts';
import { taxFee, taxInvoice } from './taxes.ts';

export interface TotalsInput {
  currency: string;
  fees: readonly BillableFee[];
  /** In the order in which they are used (see `inOrderOfUse`). */
  coupons: readonly UsableCoupon[];
  /** In the order in which they are used (see `usableCreditNotes`). */
  creditNotes: readonly UsableCreditNote[];
  /** In the order in which they are used (see `usableWallets`). */
  wallets: readonly WalletRecord[];
}

/** All amounts in cents of the invoice's currency. */
export interface Totals {
  fees: BillableFee[];
  credits: InvoiceCredit[];
  applied_taxes: AppliedTax[];
  taxes_rate: string;
  fees_amount_cents: number;
  coupons_amount_cents: number;
  sub_total_excluding_taxes_amount_cents: number;
  taxes_amount_cents: number;
  sub_total_including_taxes_amount_cents: number;
  progressive_billing_credit_amount_cents: number;
  credit_notes_amount_cents: number;
  prepaid_credit_amount_cents: number;
  total_amount_cents: number;
  /** Cents that each wallet pays, by wallet id. */
  paid_by_wallet: Map<string, number>;
  /** Coupons that take nothing, and why. */
  skipped_coupons: SkippedCoupon[];
}

export function totalsOf(input: TotalsInput): Totals {
  const { currency } = input;
  const coupons = applyCoupons(input.fees, input.coupons, currency);
  const fees = coupons.fees.map(fee => ({ ...fee, record: taxFee(fee) }));
  const taxes = taxInvoice(fees, currency);
  const feesCents = fees.reduce((total, fee) => total + fee.record.amount_cents, 0);
  const excludingTaxes = feesCents - coupons.coupons_amount_cents;
  const includingTaxes = excludingTaxes + taxes.taxes_amount_cents;
  const notes = applyCreditNotes(input.creditNotes, includingTaxes, currency);
  const due = includingTaxes - notes.amount_cents;
  const prepaid = applyPrepaidCredits(input.wallets, fees, { invoice: includingTaxes, due });
  return {
    ...taxes,
    fees,
    credits: [...coupons.credits, ...notes.credits],
    fees_amount_cents: feesCents,
    coupons_amount_cents: coupons.coupons_amount_cents,
    sub_total_excluding_taxes_amount_cents: excludingTaxes,
    sub_total_including_taxes_amount_cents: includingTaxes,
    progressive_billing_credit_amount_cents: 0,
    credit_notes_amount_cents: notes.amount_cents,
    prepaid_credit_amount_cents: prepaid.amount_cents,
    total_amount_cents: due - prepaid.amount_cents,
    paid_by_wallet: prepaid.by_wallet,
    skipped_coupons: coupons.skipped,
  };
}
