/** How much of what was billed is for wallet top-ups: invoices of type `credit` (docs/lookups.md §4, §13). */

import type { Api } from '../../src/definition/api.ts';
import { reasonOf } from '../../src/definition/failure.ts';
import { isGiven } from '../../src/lib/json.ts';
import { count, phrase, quantity } from '../../src/words/summary.ts';
import { monthsOf } from '../quotes/months.ts';
import { type Total, totalsOf, totalsText } from '../quotes/totals.ts';
import { readList, remarked } from '../records/list-pages.ts';

/**
 * Sums by currency of the same invoices that gross revenue counts, of this month and the ones before it, and a sentence; a
 * failure is told in the sentence.
 */
export async function readTopUps(
  api: Api,
  external_customer_id: string | undefined,
  currency: string | undefined,
  months: number,
): Promise<{ fields: { wallet_top_ups?: Total[] }; sentence: string }> {
  if (!api.mayUse('list_invoices')) return { fields: {}, sentence: 'Wallet top-ups are included' };
  const issuing_date_from = `${monthsOf(api.now, months).at(-1)}-01`;
  const query = { invoice_type: 'credit', status: ['finalized'], self_billed: false, currency, issuing_date_from };
  const list = await readList(api, 'invoices', external_customer_id, query, { all: true });
  if (!list.ok)
    return {
      fields: {},
      sentence: `Wallet top-ups are included; the amount could not be read: ${reasonOf(list.error)}`,
    };
  const invoices = list.rows.filter(row => !isGiven(row.payment_dispute_lost_at));
  const totals = totalsOf(invoices, ['total_amount_cents']);
  if (totals.length === 0) return { fields: {}, sentence: `None of this is for wallet top-ups${remarked(list)}` };
  const limit = phrase`${list.stopped ? `, of the newest ${quantity(list.rows.length)}` : null}${remarked(list)}`;
  return {
    fields: { wallet_top_ups: totals },
    sentence: `${totalsText(totals, 'total_amount_cents')} of this is for wallet top-ups (${count(invoices.length, 'invoice')}${limit}, before refunds)`,
  };
}
