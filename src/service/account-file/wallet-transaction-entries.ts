/** Transactions of wallets. */
import * as z from 'zod';
import * as enums from '../../contract/enums.ts';
import { decimal, decimalText, fromCents, least, toCents, ZERO } from '../../contract/pricing/money.ts';
import type { WalletRecord, WalletTransactionRecord } from '../../engine/records/index.ts';
import type { AccountBuilder, At } from './account-builder.ts';
import * as is from './values.ts';

export const walletTransaction = z.strictObject({
  ...is.common,
  ...is.fields(is.optional(is.referenceTo('invoices'), 'none'), 'invoice_number', 'voided_invoice_number'),
  credit_note_number: is.optional(is.label, 'none'),
  status: z.enum(enums.walletTransactionStatuses).default('settled'),
  source: z.enum(enums.walletTransactionSources).default('manual'),
  transaction_status: z.enum(enums.transactionStatuses),
  transaction_type: is.optional(z.enum(enums.transactionTypes), 'follows from transaction_status'),
  credit_amount: is.amountValue,
  remaining_credit_amount: is.optionalAmount,
  invoice_requires_successful_payment: is.flag(false),
  metadata: is.keyValues(100).default([]),
  priority: is.priority,
  ...is.fields(is.optionalInstant, 'settled_at', 'failed_at'),
  payment_method: is.paymentMethod,
  ...is.fields(is.text, 'name', 'purchase_order_number'),
  invoice_custom_section_codes: is.codes,
});

export function transactionOf(
  builder: AccountBuilder,
  wallet: WalletRecord,
  entry: z.output<typeof walletTransaction>,
  key: string,
  at: readonly (string | number)[],
): WalletTransactionRecord {
  const {
    invoice_number: invoice,
    credit_note_number: note,
    voided_invoice_number: voided,
    transaction_type: type,
    ...fields
  } = entry;
  const base = builder.idAndTimes('wallet_transaction', key, entry);
  const enters = entry.transaction_status === 'purchased' || entry.transaction_status === 'granted';
  const stated = entry.credit_amount;
  const credits = enters ? wholeCredits(builder, stated, wallet, [...at, 'credit_amount']) : stated;
  const money = decimal(credits).times(wallet.rate_amount);
  const settled = entry.settled_at ?? (entry.status === 'settled' ? base.created_at : null);
  return {
    ...fields,
    ...base,
    wallet_id: wallet.id,
    invoice_id: invoice === undefined ? null : builder.get('invoices', invoice).id,
    voided_invoice_id: voided === undefined ? null : builder.get('invoices', voided).id,
    credit_note_id: note === undefined ? null : builder.lookUp('credit_notes', note, [...at, 'credit_note_number']).id,
    transaction_type: type ?? (enters ? 'inbound' : 'outbound'),
    credit_amount: credits,
    amount: decimalText(enters ? fromCents(toCents(money, wallet.currency), wallet.currency) : money),
    remaining_amount_cents: null,
    settled_at: settled,
    failed_at: entry.failed_at ?? (entry.status === 'failed' ? base.created_at : null),
  };
}

/**
 * Credits that enter a wallet, as whole minor units of money, 5 decimals (§6): 25.5 at 2.25 EUR are 57.38 EUR, that is
 * 25.50222. Warns where this changes them.
 */
export function wholeCredits(
  builder: AccountBuilder,
  credits: string,
  { rate_amount: rate, currency }: { rate_amount: string; currency: string },
  at: At,
): string {
  const money = decimal(credits).times(rate);
  const cents = toCents(money, currency);
  if (fromCents(cents, currency).eq(money)) return credits;
  const whole = decimalText(fromCents(cents, currency).div(rate), 5);
  if (!decimal(whole).eq(credits)) {
    builder.warn(at, `${credits} credits are no whole minor units of ${currency}, so that ${whole} count`);
  }
  return whole;
}

/**
 * The transactions with what is left of those that are inbound (lookups §5). Where the file does not state it, all is left
 * but what the wallet no longer has, which the lowest priority paid for first, then the oldest.
 */
export function withRemainders(transactions: readonly WalletTransactionRecord[], wallet: WalletRecord) {
  const inbound = transactions.filter(each => each.transaction_type === 'inbound');
  const settled = inbound.filter(each => each.status === 'settled');
  const left = new Map(inbound.map(each => [each.id, decimal(each.remaining_credit_amount ?? each.credit_amount)]));
  let spent = settled.reduce((sum, { id }) => sum.plus(left.get(id) ?? ZERO), ZERO).minus(wallet.credits_balance);
  const open = settled.filter(each => each.remaining_credit_amount === null).sort((a, b) => a.priority - b.priority);
  for (const { id } of spent.gt(0) ? open : []) {
    const credits = left.get(id) ?? ZERO;
    const used = least(credits, spent);
    left.set(id, credits.minus(used));
    spent = spent.minus(used);
  }
  return transactions.map(each => {
    const credits = left.get(each.id);
    if (credits === undefined) return each;
    const cents = toCents(credits.times(wallet.rate_amount), wallet.currency);
    return { ...each, remaining_credit_amount: creditsOf(cents, each, wallet), remaining_amount_cents: cents };
  });
}

/** The stated remainder, else the money that is left ÷ rate, which is not rounded to the scale of credits (lookups §5). */
function creditsOf(cents: number, { remaining_credit_amount: stated }: WalletTransactionRecord, wallet: WalletRecord) {
  if (stated !== null || cents === 0) return stated ?? '0.0';
  return decimalText(fromCents(cents, wallet.currency).div(wallet.rate_amount), 30);
}
