/** Why prepaid credits pay no more of an invoice, which does not hold its wallets (service-behaviour §11.4). */
import type { Invoice, Wallet } from '../../src/contract/shown.ts';
import { type Api, isWhole } from '../../src/definition/api.ts';
import { say, sign } from '../../src/words/summary.ts';
import { limitsWords } from '../../src/words/wallet-words.ts';
import { balanceChange } from '../quotes/exact-cents.ts';

/** The movements of more wallets are not read. */
const mostWallets = 3;

/**
 * `the wallet was used up` or `the wallet covers only usage fees`, where something is left to pay; null where that cannot
 * be told. A preview takes what the wallets hold now; what they held after a stored invoice follows from their
 * movements since.
 */
export async function readPrepaidEnd(api: Api, invoice: Invoice): Promise<string | null> {
  const customer = invoice.customer?.external_id;
  const leavesSome = [invoice.prepaid_credit_amount_cents, invoice.total_amount_cents].every(
    cents => sign(cents) === 1,
  );
  if (!leavesSome || !customer || !api.mayUse('list_wallets')) return null;
  const path = { external_customer_id: customer };
  const get = { key: 'wallets' as const, path };
  const list = await api.list('/customers/{external_customer_id}/wallets', get, { per_page: 100 });
  if (!list.ok || !isWhole(list)) return null;
  const wallets = list.rows.filter(({ currency }) => currency === invoice.currency);
  if (wallets.length === 0 || wallets.some(({ status }) => status !== 'active')) return null;
  const left = !invoice.svc_id ? leftBy(invoice, wallets) : await leftAfter(api, invoice, wallets);
  if (left === null || left < 0) return null;
  const [wallet, ...others] = wallets;
  if (left === 0) return others.length === 0 ? 'the wallet was used up' : `all ${wallets.length} wallets were used up`;
  return others.length > 0 ? null : say`the wallet covers only ${limitsWords(wallet?.applies_to)}`;
}

/** Cents that a preview would leave in the wallets. */
function leftBy({ prepaid_credit_amount_cents }: Invoice, wallets: readonly Wallet[]): number | null {
  const balance = balanceOf(wallets);
  return typeof prepaid_credit_amount_cents !== 'number' || balance === null
    ? null
    : balance - prepaid_credit_amount_cents;
}

/** Cents that were left in the wallets once the invoice was paid from them. */
async function leftAfter(api: Api, invoice: Invoice, wallets: readonly Wallet[]): Promise<number | null> {
  const balance = balanceOf(wallets);
  const ids = wallets.map(({ svc_id }) => svc_id ?? '');
  if (balance === null || ids.length > mostWallets || !api.mayUse('list_wallet_transactions')) return null;
  const lists = await Promise.all(
    ids.map(svc_id => {
      const get = { key: 'wallet_transactions' as const, path: { svc_id }, query: { status: 'settled' as const } };
      return api.list('/wallets/{svc_id}/wallet_transactions', get, { per_page: 100 });
    }),
  );
  const rows = lists.flatMap(list => (list.ok && isWhole(list) ? [list.rows] : []));
  const paying = rows
    .flat()
    .find(row => row.transaction_status === 'invoiced' && row.svc_invoice_id === invoice.svc_id);
  const at = Date.parse(paying?.settled_at ?? '');
  if (rows.length < ids.length || Number.isNaN(at)) return null;
  const later = rows.flat().filter(({ settled_at }) => !(Date.parse(settled_at ?? '') <= at));
  const moves = later.map(row => (invoice.currency ? balanceChange(row, invoice.currency) : null));
  return moves.includes(null) ? null : moves.reduce<number>((rest, moved) => rest - (moved ?? 0), balance);
}

function balanceOf(wallets: readonly Wallet[]): number | null {
  const balances = wallets.map(({ balance_cents }) => balance_cents).filter(cents => typeof cents === 'number');
  return balances.length < wallets.length ? null : balances.reduce((sum, cents) => sum + cents, 0);
}
