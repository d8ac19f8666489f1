/** Deductions after tax: credit notes (§11.3), then prepaid credits (§11.4). No balance is changed here. */
import type { FeeType } from '../../model/enums.ts';
import { byText } from '../../lib/order.ts';
import type { CreditNoteRecord, FeeRecord, InstantText, InvoiceCredit, WalletRecord } from '../records/index.ts';
import type { BillableFee } from './fees.ts';

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
    credits.push(creditNoteCredit(note, cents, currency));
    left -= cents;
  }
  return { credits, amount_cents: totalCents - left };
}

/** Wallets that may pay at `now`: active, positive balance, same currency; by priority, then oldest (§11.4). */
export function usableWallets(wallets: readonly WalletRecord[], currency: string, now: InstantText): WalletRecord[] {
  return wallets
    .filter(wallet => wallet.status === 'active' && (wallet.expiration_at === null || wallet.expiration_at > now))
    .filter(wallet => wallet.currency === currency && wallet.balance_cents > 0)
    .sort((a, b) => a.priority - b.priority || byText(a.created_at, b.created_at) || byText(a.id, b.id));
}

/**
 * What the wallets pay of a total, in cents. A wallet that is limited to fee types or metrics pays only matching fees
 * with their tax, the largest group of fees first, and never more than their sum; others pay anything.
 */
export function applyPrepaidCredits(
  wallets: readonly WalletRecord[],
  fees: readonly BillableFee[],
  totalCents: number,
): { amount_cents: number; by_wallet: Map<string, number> } {
  const groups = feeGroups(fees);
  const byWallet = new Map<string, number>();
  let left = totalCents;
  for (const wallet of wallets) {
    let cents = Math.min(wallet.balance_cents, left);
    const available = cents;
    for (const group of groups) {
      if (!pays(wallet, group)) continue;
      const part = Math.min(cents, group.cents);
      group.cents -= part;
      cents -= part;
    }
    // The invoice's tax may exceed the sum of its fees' taxes by a cent: a wallet without limits pays that too.
    if (!isLimited(wallet)) cents = 0;
    const paid = available - cents;
    if (paid > 0) byWallet.set(wallet.id, paid);
    left -= paid;
  }
  return { amount_cents: totalCents - left, by_wallet: byWallet };
}

interface FeeGroup {
  fee_type: FeeType;
  metric_code: string | null;
  cents: number;
}

function feeGroups(fees: readonly BillableFee[]): FeeGroup[] {
  const groups = new Map<string, FeeGroup>();
  for (const { record, metric_code } of fees) {
    const key = `${record.item.type} ${metric_code ?? ''}`;
    const group = groups.get(key) ?? { fee_type: record.item.type, metric_code, cents: 0 };
    groups.set(key, { ...group, cents: group.cents + feeTotal(record) });
  }
  return [...groups.values()].sort((a, b) => b.cents - a.cents);
}

function feeTotal(fee: FeeRecord): number {
  return fee.sub_total_excluding_taxes_amount_cents + fee.taxes_amount_cents;
}

function isLimited(wallet: WalletRecord): boolean {
  return wallet.fee_types.length > 0 || wallet.billable_metric_codes.length > 0;
}

function pays(wallet: WalletRecord, group: FeeGroup): boolean {
  if (!isLimited(wallet)) return true;
  if (group.metric_code !== null && wallet.billable_metric_codes.includes(group.metric_code)) return true;
  return wallet.fee_types.includes(group.fee_type);
}

function creditNoteCredit(note: UsableCreditNote, cents: number, currency: string): InvoiceCredit {
  return {
    id: null,
    amount_cents: cents,
    amount_currency: currency,
    before_taxes: false,
    item: { item_id: note.id, type: 'credit_note', code: note.number, name: note.number },
    invoice: note.invoice,
  };
}
