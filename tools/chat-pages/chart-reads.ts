/** What the charts of chat pages show next to an answer: past usage periods, an alert's threshold, balances of wallets. */
import Big from 'big.js';
import type { Usage } from '../../src/contract/answers.ts';
import type { Wallet, WalletTransaction } from '../../src/contract/shown.ts';
import { type Api, isWhole } from '../../src/definition/api.ts';
import { stepsOf } from '../../src/words/alert.ts';
import { dayNumber, isoDay } from '../../src/words/dates.ts';
import { readRunway } from '../lookups/runway.ts';
import { balanceChange } from '../quotes/exact-cents.ts';
import { sumOf } from '../quotes/usage-parts.ts';
import { readAlerts } from '../records/written-record.ts';

/** Past periods next to the running one, wallets with a chart, and transactions of each. */
export const mostPeriods = 5;
const mostWallets = 3;
const mostTransactions = 50;

type Period = Pick<Usage, 'from_datetime' | 'to_datetime'>;

/**
 * Of the periods, newest first, those without a gap up to the running one, in its currency and with an amount: a missing
 * one would look as if nothing had been used.
 */
export function unbrokenPeriods(current: Usage, past: readonly Usage[]): object[] {
  let next: Period = current;
  const shown: object[] = [];
  for (const { from_datetime, to_datetime, currency, charges_usage } of past) {
    const amount_cents = sumOf(charges_usage);
    const gap = time(next.from_datetime) - time(to_datetime);
    // A period ends in its last second.
    if (!(gap > 0 && gap <= 1000) || amount_cents === null || (currency ?? current.currency) !== current.currency)
      break;
    next = { from_datetime, to_datetime };
    shown.push({ from_datetime, to_datetime, amount_cents });
  }
  return shown;
}

/**
 * Of the alerts on the amount of all current usage, the lowest threshold above these cents, else the highest of those that
 * are crossed.
 */
export async function readThreshold(api: Api, subscription: string, cents: number): Promise<number | null> {
  if (!api.mayUse('list_subscription_alerts')) return null;
  const alerts = (await readAlerts(api, subscription, undefined)) ?? [];
  const all = alerts
    .filter(({ alert_type }) => alert_type === 'current_usage_amount')
    .flatMap(({ thresholds }) => {
      const { crossed, open, recurring } = stepsOf({ thresholds }, new Big(cents));
      return [...crossed, ...open, ...(recurring === null ? [] : [recurring.next])].map(Number);
    })
    .filter(Number.isSafeInteger)
    .sort((a, b) => a - b);
  return all.find(at => at > cents) ?? all.at(-1) ?? null;
}

/** By wallet, its balance after each transaction, and the day on which it will be empty; of the first wallets alone. */
export async function readBalances(
  api: Api,
  wallets: readonly Wallet[],
  { customer, zone }: { customer: string | null; zone: string | null },
): Promise<object> {
  const drawn = wallets.filter(({ status }) => status !== 'terminated').slice(0, mostWallets);
  if (!api.mayUse('list_wallet_transactions') || customer === null || drawn.length === 0) return {};
  const [runway, ...histories] = await Promise.all([
    readRunway(api, customer, {}, {}),
    ...drawn.map(wallet => readHistory(api, wallet)),
  ]);
  const balances = drawn.flatMap((wallet, index): [string, object][] => {
    const [id, history] = [wallet.svc_id, histories[index]];
    if (!id || !history) return [];
    const row = runway.ok ? runway.page.rows.find(({ wallet: { svc_id } }) => svc_id === id) : undefined;
    const empty = row?.empty instanceof Date ? isoDay(dayNumber(row.empty.toISOString(), zone)) : null;
    return [[id, { ...history, now: api.now.toISOString(), ...(empty !== null && { empty }) }]];
  });
  return balances.length > 0 ? { balances: Object.fromEntries(balances) } : {};
}

/**
 * Back from the balance of today: `points` are times and cents after each transaction, the oldest first, `before` is what
 * was held before them. Without points where they do not lead to a balance that a wallet can have had.
 */
async function readHistory(api: Api, wallet: Wallet): Promise<object | null> {
  const { svc_id, currency, balance_cents: held } = wallet;
  if (!svc_id || !currency || typeof held !== 'number') return null;
  const list = await api.list(
    '/wallets/{svc_id}/wallet_transactions',
    { key: 'wallet_transactions', path: { svc_id }, query: { status: 'settled' } },
    { per_page: mostTransactions },
  );
  if (!list.ok) return null;
  const settled = list.rows
    .filter(({ status }) => status === 'settled')
    // The list is newest first; a sort keeps the order of equal times.
    .sort((a, b) => timeOf(b) - timeOf(a));
  if (settled.length === 0) return null;
  return historyOf(settled, { currency, held, whole: isWhole(list) });
}

function historyOf(
  settled: readonly WalletTransaction[],
  { currency, held, whole }: { currency: string; held: number; whole: boolean },
): object {
  const unclear = { points: [] };
  const points: [string, number][] = [];
  let balance = held;
  for (const row of settled) {
    const moved = balanceChange(row, currency);
    const at = instantOf(row);
    if (moved === null || Number.isNaN(timeOf(row)) || !at || balance < 0) return unclear;
    points.unshift([at, balance]);
    balance -= moved;
  }
  return balance < 0 || (whole && balance !== 0) ? unclear : { points, before: balance, whole };
}

const instantOf = ({ settled_at, created_at }: WalletTransaction) => settled_at ?? created_at;
const timeOf = (row: WalletTransaction) => time(instantOf(row));
const time = (instant: string | null | undefined) => Date.parse(instant ?? '');
