/** Alerts on usage and on wallets (specification, endpoints 9 to 11; service-behaviour §3.9 to §3.11, §14). */
import * as z from 'zod';
import type { Body } from '../src/contract/answers.ts';
import type { Alert, Fields, Wallet } from '../src/contract/shown.ts';
import type { Api, ReadAnswer } from '../src/definition/api.ts';
import { page, pathText, perPage, subscriptionId } from '../src/definition/args.ts';
import { defineTool, defineWrite, madeRecord, type SummaryContext } from '../src/definition/define.ts';
import { crossings, explainAlert, isMoney } from '../src/words/alert.ts';
import { pagingNote } from '../src/words/paging.ts';
import { code, count, listed, named, phrase, say, sentences } from '../src/words/summary.ts';
import { alertsMade, bodyOf, metricsOf, newAlerts, subscriptionStatus } from './new-alert.ts';
import { alertQuestion, alertWarnings, refusedAlert, valueNow } from './new-alert-words.ts';
import { readOrNull, readShown, withBeside } from './records/one-record.ts';
import { type AlertSubject, readAlertSubject } from './records/written-record.ts';

/** Subscriptions and wallets have the same kind of alert. */
const brief = `
  code name?=code alert_type external_subscription_id wallet_code billable_metric{code} previous_value
  thresholds{value code recurring?}
`;
export const createSubscriptionAlert = defineWrite({
  name: 'create_subscription_alert',
  title: 'Create a subscription alert',
  toolset: 'alerts',
  effect: 'write',
  endpoint: 'POST /subscriptions/{external_id}/alerts',
  description:
    'Adds usage alerts to a subscription, all or none, and returns a receipt. Thresholds of amount types are in minor units, those of unit types in units. Types starting with billable_metric need billable_metric_code; others refuse it. One alert per type and metric. A repeated call creates alerts again or fails.',
  input: newAlerts,
  result: 'alert',
  brief,
  say: sayCreated,
  change: {
    look: [
      'get_subscription',
      async (args, api): Promise<ReadAnswer<AlertSubject & { [madeRecord]?: object | null }>> => {
        const answer = await readAlertSubject(api, args.external_id, args.subscription_status);
        const alerts = answer.ok ? answer.body.alerts : undefined;
        return answer.ok && alerts !== undefined
          ? { ...answer, body: { ...answer.body, [madeRecord]: alertsMade(args, alerts) } }
          : answer;
      },
    ],
    request: args => ({
      path: { external_id: args.external_id },
      ...(args.subscription_status === undefined ? {} : { query: { subscription_status: args.subscription_status } }),
      body: bodyOf(args),
    }),
    prompt: alertQuestion,
    warnings: alertWarnings,
    refuses: refusedAlert,
    names: args => ({ billable_metrics: metricsOf(args) }),
    revert: () => ({ impossible: 'no tool deletes an alert; only the billing service can' }),
    shown: (field, record: CreatedAlerts) => {
      if (field === 'alerts') return (record.alerts ?? []).map(withMetricCode);
      return field === 'billable_metric_code' ? withMetricCode(record).billable_metric_code : undefined;
    },
  },
});

/** The summary explains so many alerts at most, the first ones. */
const mostInSummary = 4;

export const listSubscriptionAlerts = defineTool({
  name: 'list_subscription_alerts',
  title: 'List subscription alerts',
  toolset: 'alerts',
  effect: 'read',
  endpoint: 'GET /subscriptions/{external_id}/alerts',
  description:
    'Lists the usage alerts of a subscription, newest first, with thresholds and the last value seen. For an alert on a wallet, use get_wallet_alert.',
  input: z.strictObject({
    external_id: subscriptionId,
    subscription_status: subscriptionStatus,
    page,
    per_page: perPage,
  }),
  run: ({ external_id, ...query }, api) =>
    withBeside(
      api,
      'alerts',
      api.get('/subscriptions/{external_id}/alerts', { key: 'alerts', path: { external_id }, query }),
      ({ alerts }, aside) => readCurrency(alerts ?? [], aside, query.subscription_status),
    ),
  result: 'alerts',
  answer: 'list',
  brief: 'code name?=code alert_type billable_metric{code} previous_value thresholds{value recurring?}',
  more: 'direction last_processed_at thresholds{code}',
  say: (
    body,
    { args, now, beside }: SummaryContext<Currency, object, { external_id: string; page?: number | undefined }>,
  ) => {
    const alerts = body.alerts ?? [];
    const crossed = alerts.filter(alert => crossings(alert).length > 0);
    const subject = code(args.external_id) ?? '';
    const { page = 1 } = args;
    return sentences(
      crossed.length > 0 &&
        `${count(crossed.length, 'alert has', 'alerts have')} crossed a threshold: ${listed(crossed.map(alert => code(alert.code) ?? 'without code'))}`,
      alerts.length === 0
        ? `Subscription ${subject} has no alerts${page > 1 ? ` on page ${page}` : ''}`
        : `${count(alerts.length, 'alert')} on subscription ${subject}`,
      ...alerts
        .slice(0, mostInSummary)
        .map(alert => explainAlert(alert, labelOf(alert), { currency: beside?.currency, now })),
      alerts.length > mostInSummary && `The other ${alerts.length - mostInSummary} are listed below`,
      pagingNote(body.meta, alerts),
    );
  },
});

export const getWalletAlert = defineTool({
  name: 'get_wallet_alert',
  title: 'Get a wallet alert',
  toolset: 'alerts',
  effect: 'read',
  endpoint: 'GET /customers/{external_customer_id}/wallets/{wallet_code}/alerts/{code}',
  description:
    "Returns one alert on a customer's wallet: thresholds and the last value seen. It triggers when the balance falls to a threshold (money types in minor units, others in credits). For alerts on usage, use list_subscription_alerts.",
  input: z.strictObject({
    external_customer_id: pathText().describe('Your external ID of the customer'),
    wallet_code: pathText().describe('Code of the wallet'),
    code: pathText().describe('Code of the alert'),
  }),
  run: (path, api) =>
    withBeside(
      api,
      'alert',
      api.get('/customers/{external_customer_id}/wallets/{wallet_code}/alerts/{code}', { key: 'alert', path }),
      (alert, aside) => readCurrency([alert], aside),
    ),
  result: 'alert',
  brief,
  say: (alert, { now, beside }: SummaryContext<Currency>) =>
    sentences(explainAlert(alert, `alert ${labelOf(alert)}`, { currency: beside?.currency, now })),
});

/** One alert, or the list of several. */
type CreatedAlerts = Alert & Pick<Body, 'alerts'>;

/** The request names the metric's code; the answer holds the whole metric. */
function withMetricCode(alert: Alert): Alert & Fields<'billable_metric_code'> {
  const { billable_metric: metric } = alert;
  return metric === undefined ? alert : { ...alert, billable_metric_code: metric?.code ?? '' };
}

/** `Created: alert “Spring” (spring) on subscription main`, and what it reads now, where the usage was read before. */
function sayCreated(
  { alerts, ...alone }: CreatedAlerts,
  { before, now }: Pick<SummaryContext<object, AlertSubject>, 'before' | 'now'>,
): string {
  const currency = before?.plan_amount_currency;
  // Inside an alert the contract has no such list, so that it may be anything.
  const made: readonly Alert[] = Array.isArray(alerts) ? alerts : [alone];
  const labels = made.map(labelOf);
  const explained = made.slice(0, mostInSummary).map((alert, index) => {
    const watches = {
      alert_type: alert.alert_type ?? '',
      billable_metric_code: alert.billable_metric?.code,
    };
    const subject = made[0] === alone ? 'it' : `alert ${labels[index]}`;
    return explainAlert(alert, subject, { currency, now, value: valueNow(watches, before ?? null) });
  });
  const what = made.length === 1 ? 'alert' : 'alerts';
  return sentences(
    phrase`Created: ${what} ${listed(labels, labels.length) ?? 'that the answer does not show'}${say` on subscription ${code(made[0]?.external_subscription_id)}`}`,
    ...explained,
    made.length > mostInSummary && `The other ${made.length - mostInSummary} are listed below`,
  );
}

function labelOf(alert: Alert): string {
  return named(alert.name, alert.code) ?? 'without a code';
}

type Currency = Pick<Wallet, 'currency'>;

/** The currency of an alert about money. Alerts do not hold it: it is read from their subscription or wallet. */
async function readCurrency(alerts: readonly Alert[], api: Api, subscriptionStatus?: string): Promise<Currency | null> {
  const alert = alerts.find(({ alert_type }) => isMoney(alert_type));
  if (alert === undefined) return null;
  const { svc_wallet_id, external_subscription_id } = alert;
  if (svc_wallet_id && api.mayUse('list_wallets')) return readOrNull(api, 'wallet', svc_wallet_id);
  const query = { status: subscriptionStatus };
  const subscription = await readShown(api, 'subscription', external_subscription_id, query);
  return subscription && { currency: subscription.plan_amount_currency };
}
