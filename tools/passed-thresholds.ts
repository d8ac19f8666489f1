/** Usage thresholds of progressive billing that the running period has passed, which no preview tells (docs/lookups.md §6.3). */
import Big from 'big.js';
import type { Api } from '../src/definition/api.ts';
import { crossedSteps } from '../src/words/alert.ts';
import { code, listed, money, phrase, say } from '../src/words/summary.ts';

/**
 * `Usage of main since its start, $180.06, has passed the usage threshold of $100.00 in this period: …`. Thresholds
 * count all usage since the start, without taxes. Null where none was passed, or where it could not be read.
 */
export async function readPassedThresholds(api: Api, external_id: string): Promise<string | null> {
  const path = { external_id };
  const answer = await api.get('/subscriptions/{external_id}', { key: 'subscription', path });
  if (!answer.ok) return null;
  const subscription = answer.body.subscription ?? {};
  const thresholds = subscription.applicable_usage_thresholds ?? [];
  if (thresholds.length === 0 || subscription.progressive_billing_disabled === true) return null;
  const lifetime = await api.get('/subscriptions/{external_id}/lifetime_usage', { key: 'lifetime_usage', path });
  const whose = phrase`of ${code(external_id)}`;
  if (!lifetime.ok) return `Whether usage ${whose} has passed a usage threshold could not be read`;
  const usage = lifetime.body.lifetime_usage ?? {};
  const { invoiced_usage_amount_cents: invoiced, current_usage_amount_cents: now } = usage;
  if (typeof invoiced !== 'number' || typeof now !== 'number') return null;
  const earlier = usage.external_historical_usage_amount_cents;
  const before = invoiced + (typeof earlier === 'number' ? earlier : 0);
  const crossed = crossedSteps(
    thresholds.map(({ amount_cents, recurring }) => ({ value: String(amount_cents), recurring })),
    new Big(before + now),
  );
  const currency = subscription.plan_amount_currency;
  const passed = crossed.filter(value => value.gt(before)).map(value => money(value.toFixed(), currency) ?? '');
  return say`Usage ${whose} since its start, ${money(before + now, currency)}, has passed the usage threshold of ${listed(passed)} in this period. Progressive billing invoices it before the period ends`;
}
