/** Deductions after tax: credit notes (§11.3), then prepaid credits (§11.4). No balance is changed here. */

import type Big from 'big.js';
import { minorUnits } from '../contract/currencies.ts';
import type { FeeType } from '../contract/enums.ts';
import { notNegative } from '../contract/pricing/models/model.ts';
import { decimal, least, round } from '../contract/pricing/money.ts';
import { byText } from '../lib/text.ts';
import { type BillableFee, taxableCents } from './fees.ts';
import type { CreditNoteRecord, InstantText, InvoiceCredit, WalletRecord } from './records/index.ts';

/** A credit note with a balance: a stored one, or the unused part of a plan that a preview computes (§12.6). */
export interface UsableCreditNote {
  id: string | null;
  number: string;
  balance_amount_cents: number;
  invoice: InvoiceCredit['invoice'];
}

/** Credit notes that may pay an invoice: finalized, available, same currency; oldest first (§11.3). */
export function usableCreditNotes(notes: readonly CreditNoteRecord[], currency: string): CreditNoteRecord[] {
  return notes
    .filter(note => note.status === 'finalized' && note.credit_status === 'available')
    .filter(note => note.currency === currency && note.balance_amount_cents > 0)
    .sort((a, b) => byText(a.created_at, b.created_at) || byText(a.id, b.id));
}

/** Each note pays the lesser of its balance and what is left of the total. */
export function applyCreditNotes(
  notes: readonly UsableCreditNote[],
  totalCents: number,
  currency: string,
): { credits: InvoiceCredit[]; amount_cents: number } {
  const credits: InvoiceCredit[] = [];
  let left = totalCents;
  for (const note of notes) {
    const cents = Math.min(note.balance_amount_cents, left);
    if (cents <= 0) continue;
    credits.push({
      id: null,
      amount_cents: cents,
      amount_currency: currency,
      before_taxes: false,
      item: { item_id: note.id, type: 'credit_note', code: note.number, name: note.number },
      invoice: note.invoice,
    });
    left -= cents;
  }
  return { credits, amount_cents: totalCents - left };
}

/** Wallets that may pay at `now`: active, positive balance, same currency; by priority, then oldest (§11.4). */
export function usableWallets(wallets: readonly WalletRecord[], currency: string, now: InstantText): WalletRecord[] {
  return activeWallets(wallets, currency, now).filter(wallet => wallet.balance_cents > 0);
}

/** Wallets of a currency that are active and not past their expiry, by priority, then oldest. */
export function activeWallets(wallets: readonly WalletRecord[], currency: string, now: InstantText): WalletRecord[] {
  return wallets
    .filter(wallet => wallet.status === 'active' && (wallet.expiration_at === null || wallet.expiration_at > now))
    .filter(wallet => wallet.currency === currency)
    .sort((a, b) => a.priority - b.priority || byText(a.created_at, b.created_at) || byText(a.id, b.id));
}

/**
 * What the wallets pay, in cents, never more than is due. A wallet that is limited to fee types or metrics pays matching
 * groups of fees with their tax, the largest first, and its sum is rounded once; other wallets pay anything. `totals` are the
 * cents of the invoice with taxes, and what credit notes leave of them.
 */
export function applyPrepaidCredits(
  wallets: readonly WalletRecord[],
  fees: readonly BillableFee[],
  totals: { invoice: number; due: number },
): { amount_cents: number; by_wallet: Map<string, number> } {
  const groups = feeGroups(fees, totals.invoice);
  const byWallet = new Map<string, number>();
  let left = totals.due;
  for (const wallet of wallets) {
    const available = Math.min(wallet.balance_cents, left);
    let rest = decimal(available);
    for (const group of groups) {
      if (!mayPay(wallet, group)) continue;
      const part = least(rest, group.cents);
      group.cents = group.cents.minus(part);
      rest = rest.minus(part);
    }
    // A wallet without limits also pays the part of the total that the groups do not add up to.
    const paid = isLimited(wallet) ? Number(round(decimal(available).minus(rest)).toFixed()) : available;
    if (paid > 0) byWallet.set(wallet.id, paid);
    left -= paid;
  }
  return { amount_cents: totals.due - left, by_wallet: byWallet };
}

/** All fees of one type and metric. */
export interface FeeGroup {
  fee_type: FeeType;
  metric_code: string | null;
  /** With tax, after coupons; may have a fraction. */
  cents: Big;
}

/** The groups of some fees, the largest first. It also gets what all are short of the total, if at most a cent a group. */
function feeGroups(fees: readonly BillableFee[], totalCents: number): FeeGroup[] {
  const groups = groupFees(
    fees.map(fee => ({ fee_type: fee.record.item.type, metric_code: fee.metric_code, cents: preciseTotal(fee) })),
  );
  const short = groups.reduce((rest, group) => rest.minus(group.cents), decimal(totalCents));
  const [largest] = groups;
  if (largest !== undefined && short.gt(0) && short.lte(groups.length)) largest.cents = largest.cents.plus(short);
  return groups;
}

/** Adds up the parts that have the same type and metric; the largest group comes first. */
export function groupFees(parts: readonly FeeGroup[]): FeeGroup[] {
  const groups = new Map<string, FeeGroup>();
  for (const part of parts) {
    const key = `${part.fee_type} ${part.metric_code ?? ''}`;
    const group = groups.get(key);
    groups.set(key, { ...part, cents: part.cents.plus(group?.cents ?? 0) });
  }
  return [...groups.values()].sort((a, b) => b.cents.cmp(a.cents));
}

/** Cents of a taxed fee: amount − coupons + the unrounded tax on the unrounded amount; not below 0. */
function preciseTotal({ record }: BillableFee): Big {
  const taxes = decimal(record.taxes_precise_amount).times(minorUnits(record.amount_currency));
  return notNegative(taxableCents(record).plus(taxes));
}

function isLimited(wallet: WalletRecord): boolean {
  return wallet.fee_types.length > 0 || wallet.billable_metric_codes.length > 0;
}

/** Whether a wallet pays a group: every wallet without limits, else one that is limited to its type or metric. */
export function mayPay(wallet: WalletRecord, group: Omit<FeeGroup, 'cents'>): boolean {
  if (!isLimited(wallet)) return true;
  if (group.metric_code !== null && wallet.billable_metric_codes.includes(group.metric_code)) return true;
  return wallet.fee_types.includes(group.fee_type);
}
