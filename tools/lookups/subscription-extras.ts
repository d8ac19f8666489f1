/** What rows of subscriptions do not show, and `detail` asks for: each costs reads of the first rows (docs/lookups.md §3). */
import type { Alert, Fields, Plan, Subscription } from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import { priceLine } from '../../src/words/price.ts';
import { hasOwnPlan } from '../../src/words/subscription.ts';
import { readShown } from '../records/one-record.ts';
import { activeFirst } from './subscription-list.ts';

/** Rows that are looked up, the active ones first; the others are without the fields. */
const mostLookedUp = 8;

interface Extras {
  /** In minor units of the plan's currency; null without one. */
  readonly minimum_commitment?: { readonly amount_cents: unknown } | null;
  /** The prices of its own copy of the plan, by code; empty where the plan's count. */
  readonly own_prices?: readonly object[];
  readonly alerts?: readonly object[];
}

/** One entry a row, in their order; empty where nothing was asked for, or it could not be read. */
export async function subscriptionExtras(api: Api, rows: readonly Subscription[]): Promise<Extras[]> {
  const asksPlan = api.asks('minimum_commitment') || api.asks('own_prices');
  const asksAlerts = api.asks('alerts') && api.mayUse('list_subscription_alerts');
  const readsEach = Number(asksPlan && api.mayUse('get_subscription')) + Number(asksAlerts);
  if (readsEach === 0) return rows.map(() => ({}));
  const room = Math.min(mostLookedUp, Math.max(Math.floor(api.left() / readsEach), 0));
  const chosen = new Set(activeFirst(rows).slice(0, room));
  return Promise.all(
    rows.map(async row => {
      if (!chosen.has(row) || !row.external_id) return {};
      const status = row.status ?? undefined;
      const query = { subscription_status: status };
      const get = { key: 'alerts' as const, path: { external_id: row.external_id }, query };
      const [subscription, alerts] = await Promise.all([
        asksPlan ? readShown(api, 'subscription', row.external_id, { status }) : null,
        asksAlerts ? api.get('/subscriptions/{external_id}/alerts', get) : null,
      ]);
      return {
        ...(subscription && planExtras(api, subscription.plan ?? {})),
        ...(alerts?.ok && { alerts: (alerts.body.alerts ?? []).map(alertRow) }),
      };
    }),
  );
}

function planExtras(api: Api, plan: Plan): Extras {
  const commitment = plan.minimum_commitment?.amount_cents;
  const charges = hasOwnPlan(plan) === true ? [...(plan.fixed_charges ?? []), ...(plan.charges ?? [])] : [];
  return {
    ...(api.asks('minimum_commitment') && {
      minimum_commitment: commitment === undefined || commitment === null ? null : { amount_cents: commitment },
    }),
    ...(api.asks('own_prices') && {
      own_prices: charges.map(charge => ({
        ...codeOf(charge),
        price: priceLine(charge, plan.amount_currency),
      })),
    }),
  };
}

function codeOf(charge: Fields<'add_on_code' | 'billable_metric_code' | 'code'>): { code: unknown } {
  return { code: charge.billable_metric_code ?? charge.add_on_code ?? charge.code };
}

function alertRow({ code, name, alert_type, thresholds }: Alert): object {
  return { code, ...(name && { name }), alert_type, thresholds: (thresholds ?? []).map(({ value }) => value) };
}
