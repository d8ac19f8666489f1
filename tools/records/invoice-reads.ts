/** What the summary of an invoice says and the invoice does not hold: prices, coupons, wallets and usage thresholds. */
import Big from 'big.js';
import type { Coupon } from '../../src/contract/answers.ts';
import type { Invoice, Plan, Wallet } from '../../src/contract/shown.ts';
import { type Api, isWhole } from '../../src/definition/api.ts';
import { crossedSteps } from '../../src/words/alert.ts';
import { needsPlan, type PlanPrice } from '../../src/words/fee-price.ts';
import { type StoredCoupons, unusedCoupons } from '../../src/words/requested-coupons.ts';
import { code, listed, money, phrase, say, sign } from '../../src/words/summary.ts';
import { limitsWords } from '../../src/words/wallet-words.ts';
import { balanceChange } from '../quotes/exact-cents.ts';
import { withOwnQuantities } from '../quotes/quantities.ts';
import { readList } from './list-pages.ts';
import { readOrNull, readShown } from './one-record.ts';

/** The plans of at most so many subscriptions are read for one invoice; fees of others are told by their units. */
const mostSubscriptions = 3;

/**
 * What plans charge today, for fees that do not hold their own price (service-behaviour §4, §12.7): the charges and fixed
 * charges of the subscriptions on the invoice, each as its own plan has them; none is read where no fee needs them.
 * `plan_code`: of a preview, the plan of a subscription that does not exist yet.
 */
export async function readPlanPrices(api: Api, invoice: Invoice, plan_code?: Plan['code']): Promise<PlanPrice[]> {
  const fees = (invoice.fees ?? []).filter(needsPlan);
  const ids = new Set(fees.map(({ external_subscription_id: id }) => id || null));
  const known = [...ids].filter(id => id !== null).slice(0, mostSubscriptions);
  const plans = await Promise.all([
    ...(api.mayUse('get_subscription') ? known.map(id => planOfSubscription(api, invoice, id)) : []),
    ids.has(null) ? readShown(api, 'plan', plan_code) : null,
  ]);
  return plans.flatMap(plan => [...(plan?.charges ?? []), ...(plan?.fixed_charges ?? [])]);
}

async function planOfSubscription(api: Api, invoice: Invoice, external_id: string): Promise<Plan | null> {
  // A preview of an end or a change shows the subscription as it would be.
  const subscription = invoice.subscriptions?.find(one => one.external_id === external_id);
  const status = (invoice.svc_id && subscription?.status) || undefined;
  const stored = (await readOrNull(api, 'subscription', external_id, { status })) ?? {};
  const hasFixed = invoice.fees?.some(fee => needsPlan(fee) && fee.svc_fixed_charge_id);
  const isBare = hasFixed && stored.plan?.fixed_charges === undefined;
  const [owner, payer] = [stored.external_customer_id, invoice.customer?.external_id];
  // Another customer may have a subscription with the same id by now, at other prices.
  if (owner && payer && owner !== payer) return null;
  const { plan } = isBare ? await withOwnQuantities(api, stored, external_id, status) : stored;
  return plan ?? null;
}

/** The movements of more wallets are not read. */
const mostWallets = 3;

/**
 * Why prepaid credits pay no more of an invoice that leaves something to pay (service-behaviour §11.4): `the wallet was used
 * up` or `the wallet covers only usage fees`; null if the reason is unknown. For a preview, it uses what the wallets hold now.
 * For a stored invoice, it derives what they held from their movements since.
 */
export async function readPrepaidEnd(api: Api, invoice: Invoice): Promise<string | null> {
  const customer = invoice.customer?.external_id;
  const leavesSome = [invoice.prepaid_credit_amount_cents, invoice.total_amount_cents].every(
    cents => sign(cents) === 1,
  );
  if (!leavesSome || !customer || !api.mayUse('list_wallets')) return null;
  const list = await readList(api, 'wallets', customer, {}, { per_page: 100 });
  if (!list.ok || !isWhole(list)) return null;
  const wallets = list.rows.filter(({ currency }) => currency === invoice.currency);
  if (wallets.length === 0 || wallets.some(({ status }) => status !== 'active')) return null;
  const balance = balanceOf(wallets);
  if (balance === null) return null;
  const { prepaid_credit_amount_cents: paid } = invoice;
  const previewed = typeof paid === 'number' ? balance - paid : null;
  const left = invoice.svc_id ? await leftAfter(api, invoice, wallets, balance) : previewed;
  if (left === null || left < 0) return null;
  const [wallet, ...others] = wallets;
  if (left === 0) return others.length === 0 ? 'the wallet was used up' : `all ${wallets.length} wallets were used up`;
  return others.length > 0 ? null : say`the wallet covers only ${limitsWords(wallet?.applies_to)}`;
}

/** Cents that were left in the wallets, which hold `balance` now, once the invoice was paid from them. */
async function leftAfter(
  api: Api,
  invoice: Invoice,
  wallets: readonly Wallet[],
  balance: number,
): Promise<number | null> {
  const ids = wallets.map(({ svc_id }) => svc_id ?? '');
  if (ids.length > mostWallets || !api.mayUse('list_wallet_transactions')) return null;
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

/**
 * Usage thresholds of progressive billing that the running period has passed, which no preview tells: `Usage of main
 * since its start, $180.06, has passed the usage threshold of $100.00 in this period: …`. Thresholds count all usage since
 * the start, without taxes (docs/lookups.md §6.3). Null where none was passed, or where it could not be read.
 */
export async function readPassedThresholds(api: Api, external_id: string): Promise<string | null> {
  const subscription = await readOrNull(api, 'subscription', external_id);
  if (subscription === null) return null;
  const thresholds = subscription.applicable_usage_thresholds ?? [];
  if (thresholds.length === 0 || subscription.progressive_billing_disabled === true) return null;
  const lifetime = await readOrNull(api, 'lifetime_usage', external_id);
  const whose = phrase`of ${code(external_id)}`;
  if (lifetime === null) return `Whether usage ${whose} has passed a usage threshold could not be read`;
  const {
    invoiced_usage_amount_cents: invoiced,
    current_usage_amount_cents: now,
    external_historical_usage_amount_cents: earlier,
  } = lifetime;
  if (typeof invoiced !== 'number' || typeof now !== 'number') return null;
  const before = invoiced + (typeof earlier === 'number' ? earlier : 0);
  const crossed = crossedSteps(
    thresholds.map(({ amount_cents, recurring }) => ({ value: String(amount_cents), recurring })),
    new Big(before + now),
  );
  const currency = subscription.plan_amount_currency;
  const passed = crossed.filter(value => value.gt(before)).map(value => money(value.toFixed(), currency) ?? '');
  return say`Usage ${whose} since its start, ${money(before + now, currency)}, has passed the usage threshold of ${listed(passed)} in this period. Progressive billing invoices it before the period ends`;
}

/** The account's coupons by code (docs/lookups.md §10); null where they cannot be read or are more than one page. */
export async function readCoupons(api: Api): Promise<ReadonlyMap<string, Coupon> | null> {
  if (!api.mayUse('list_catalogue')) return null;
  const list = await api.list('/coupons', { key: 'coupons' }, { per_page: 100 });
  return list.ok && isWhole(list) ? new Map(list.rows.map(coupon => [coupon.code ?? '', coupon])) : null;
}

/** The requested coupons that a preview does not use, by code; null for one that the account does not have. */
export async function readUnusedCoupons(
  api: Api,
  invoice: Invoice,
  requested: readonly Coupon[] | undefined,
): Promise<StoredCoupons> {
  const codes = unusedCoupons(invoice, requested).map(({ code }) => code ?? '');
  const stored = codes.length === 0 ? null : await readCoupons(api);
  return new Map(stored === null ? [] : codes.map(code => [code, stored.get(code) ?? null]));
}
