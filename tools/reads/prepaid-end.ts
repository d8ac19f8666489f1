/** Why prepaid credits pay no more of an invoice, which does not hold its wallets (service-behaviour §11.4). */
import { fromCents, toCents } from '../../src/contract/pricing/money.ts';
import type { Invoice, Wallet, WalletTransaction } from '../../src/contract/shown.ts';
import type { Reads } from '../../src/tool/reads.ts';
import { exactDecimal } from '../../src/words/money.ts';
import { asInteger, asRecord, asText, say, sign } from '../../src/words/summary.ts';
import { limitsWords } from '../../src/words/wallet-words.ts';
import { isWhole, readRows } from './pages.ts';

/**
 * `the wallet was used up` or `the wallet pays only usage fees`, where something is left to pay and the customer has one
 * wallet in this currency; null where that cannot be told. A preview takes what the wallet holds now; what it held after
 * a stored invoice follows from its movements since.
 */
export async function readPrepaidEnd(reads: Reads, invoice: Invoice): Promise<string | null> {
  const customer = asText(asRecord(invoice.customer).external_id);
  const leavesSome = [invoice.prepaid_credit_amount_cents, invoice.total_amount_cents].every(
    cents => sign(cents) === 1,
  );
  if (!leavesSome || customer === null || !reads.mayUse('list_wallets')) return null;
  const path = { external_customer_id: customer };
  const list = await readRows(
    reads,
    '/customers/{external_customer_id}/wallets',
    { key: 'wallets', path },
    {
      per_page: 100,
    },
  );
  if (!list.ok || !isWhole(list)) return null;
  const [wallet, ...others] = list.rows.filter(({ currency }) => currency === invoice.currency);
  if (wallet === undefined || others.length > 0 || wallet.status !== 'active') return null;
  const left = asText(invoice.svc_id) === null ? leftBy(invoice, wallet) : await leftAfter(reads, invoice, wallet);
  if (left === null || left < 0) return null;
  return left === 0 ? 'the wallet was used up' : say`the wallet pays only ${limitsWords(wallet.applies_to)}`;
}

/** Cents that a preview would leave in the wallet. */
function leftBy({ prepaid_credit_amount_cents }: Invoice, { balance_cents }: Wallet): number | null {
  const [paid, balance] = [prepaid_credit_amount_cents, balance_cents].map(asInteger);
  return paid == null || balance == null ? null : balance - paid;
}

/** Cents that were left in the wallet once the invoice was paid from it. */
async function leftAfter(reads: Reads, invoice: Invoice, wallet: Wallet): Promise<number | null> {
  const [svc_id, balance] = [asText(wallet.svc_id), asInteger(wallet.balance_cents)];
  if (svc_id === null || balance === null || !reads.mayUse('list_wallet_transactions')) return null;
  const get = { key: 'wallet_transactions' as const, path: { svc_id }, query: { status: 'settled' as const } };
  const list = await readRows(reads, '/wallets/{svc_id}/wallet_transactions', get, { per_page: 100 });
  if (!list.ok || !isWhole(list)) return null;
  const paying = list.rows.find(row => row.transaction_status === 'invoiced' && row.svc_invoice_id === invoice.svc_id);
  const at = Date.parse(asText(paying?.settled_at) ?? '');
  if (Number.isNaN(at)) return null;
  const later = list.rows.filter(({ settled_at }) => !(Date.parse(asText(settled_at) ?? '') <= at));
  const moves = later.map(row => movedBy(row, wallet.currency));
  return moves.includes(null) ? null : moves.reduce<number>((rest, moved) => rest - (moved ?? 0), balance);
}

/** Cents that came in, or went out as a negative number. */
function movedBy({ amount, transaction_type }: WalletTransaction, currency: unknown): number | null {
  const exact = exactDecimal(amount);
  const unit = asText(currency);
  const cents = exact === null || unit === null ? null : toCents(exact, unit);
  if (unit === null || cents === null || !exact?.eq(fromCents(cents, unit))) return null;
  return transaction_type === 'inbound' ? cents : transaction_type === 'outbound' ? -cents : null;
}
