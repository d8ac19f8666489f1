/** Alerts on usage and on wallets (specification, endpoints 9 to 11; service-behaviour §3.9 to §3.11, §14). */
import * as z from 'zod';
import type { Alert, Fields } from '../src/contract/shown.ts';
import { page, pathText, perPage } from '../src/tool/args.ts';
import { defineTool, defineWrite, type SummaryContext } from '../src/tool/define.ts';
import type { Reads } from '../src/tool/reads.ts';
import { crossings, explainAlert, isMoney, valueInWords, watched } from '../src/words/alert.ts';
import { exactDecimal } from '../src/words/money.ts';
import { pagingNote } from '../src/words/paging.ts';
import { codeInWords } from '../src/words/questions.ts';
import {
  asRecord,
  asRecords,
  asText,
  code,
  count,
  listed,
  named,
  quoted,
  say,
  sentences,
} from '../src/words/summary.ts';
import {
  inUnits,
  newAlert,
  refusedDuplicate,
  refusedMetric,
  refusedThreshold,
  subscriptionStatus,
  thresholdsInWords,
  thresholdsSent,
  valueNow,
} from './new-alert.ts';
import { type AlertSubject, readAlertSubject, readOne } from './reads/written-record.ts';

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
    'Adds a usage alert to a subscription. Amount types count minor units, unit types units. billable_metric_* types need billable_metric_code, others must not have it. One alert per type and metric. Calling again creates again or fails.',
  input: newAlert,
  request: ({ external_id, subscription_status, ...alert }) => ({
    path: { external_id },
    ...(subscription_status === undefined ? {} : { query: { subscription_status } }),
    body: { alert: { ...alert, thresholds: thresholdsSent(alert) } },
  }),
  result: 'alert',
  brief,
  summary: (record, context) => sayCreated(asRecord(record), context),
  write: {
    look: {
      tool: 'get_subscription',
      read: ({ external_id, subscription_status }, reads) => readAlertSubject(reads, external_id, subscription_status),
      moves: ['current_usage'],
      made: ({ code: wanted }, { alerts }) =>
        alerts === undefined ? undefined : (asRecords(alerts).find(alert => alert.code === wanted) ?? null),
    },
    question: (args, known) => {
      const { external_id, subscription_status: requestedStatus, name, alert_type } = args;
      const status = asText(known?.status) ?? requestedStatus ?? 'active';
      const which = status === 'active' ? 'subscription' : `${status} subscription`;
      const subject = `${which} ${quoted(known?.name) ?? codeInWords(external_id)}${say` of ${quoted(asRecord(known?.customer).name)}` ?? ''}`;
      const now = say` (now ${valueInWords(valueNow(args, known)?.toFixed(), alert_type, known?.plan_amount_currency)})`;
      return `Create alert ${named(name, codeInWords(args.code))} on ${subject}, when ${watched(alert_type, { metric: args.billable_metric_code })} reaches ${thresholdsInWords(args.thresholds, value => inUnits(value, args, known))}${now ?? ''}?`;
    },
    warnings: (args, known) => {
      const value = valueNow(args, known);
      if (known === null || known.current_usage === undefined) return [];
      if (value === null)
        return args.billable_metric_code !== undefined && args.alert_type.includes('_current_')
          ? [`No charge of the subscription is on ${code(args.billable_metric_code)}: the alert would never fire.`]
          : [];
      const reached = args.thresholds.filter(
        ({ value: at, recurring }) => !recurring && value.gte(at) && exactDecimal(at)?.gt(0),
      );
      const values = reached.map(({ value: at }) => inUnits(at, args, known));
      return values.length === 0 ? [] : [`Reached already: ${listed(values, values.length)}. The alert fires at once.`];
    },
    refuses: (args, known) => refusedThreshold(args) ?? refusedMetric(args) ?? refusedDuplicate(args, known),
    names: ({ billable_metric_code: metric }) => ({
      billable_metrics: metric === undefined ? [] : [{ argument: 'billable_metric_code', code: metric }],
    }),
    revert: () => ({ impossible: 'no tool deletes an alert: only the billing service itself can' }),
    // The request names the metric's code; the answer holds the whole metric.
    shown: (field, { billable_metric: metric }) =>
      field === 'billable_metric_code' && metric !== undefined ? (asRecord(metric).code ?? '') : undefined,
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
  description: 'The usage alerts of a subscription with thresholds and the value last seen, newest first.',
  input: z.strictObject({ external_id: pathText(), subscription_status: subscriptionStatus, page, per_page: perPage }),
  request: ({ external_id, ...query }) => ({ path: { external_id }, query }),
  result: 'alerts',
  list: true,
  brief: 'code name?=code alert_type billable_metric{code} previous_value thresholds{value recurring?}',
  more: 'direction last_processed_at thresholds{code}',
  beside: ({ alerts }, reads, { args }) => readCurrency(asRecords(alerts), reads, args.subscription_status),
  summary: (record, { args, now, beside }: SummaryContext<Currency, object, Fields<'external_id' | 'page'>>) => {
    const body = asRecord(record);
    const alerts = asRecords(body.alerts);
    const crossed = alerts.filter(isCrossed);
    const subject = code(args.external_id) ?? '';
    return sentences(
      crossed.length > 0 &&
        `${count(crossed.length, 'alert has', 'alerts have')} crossed a threshold: ${listed(crossed.map(alert => code(alert.code) ?? 'without code'))}`,
      alerts.length === 0
        ? `Subscription ${subject} has no alerts${onListPage(args)}`
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
    "One alert on a customer's wallet: it fires when the balance falls to a threshold (money types in minor units, others in credits).",
  input: z.strictObject({
    external_customer_id: pathText(),
    wallet_code: pathText(),
    code: pathText().describe('Alert code'),
  }),
  request: path => ({ path }),
  result: 'alert',
  brief,
  beside: (alert, reads) => readCurrency([alert], reads),
  summary: (record, { now, beside }: SummaryContext<Currency>) => {
    const alert = asRecord(record);
    return sentences(explainAlert(alert, `alert ${labelOf(alert)}`, { currency: beside?.currency, now }));
  },
});

/** `Created: alert “Spring” (spring) on subscription main`, and what it reads now, where the usage was read before. */
function sayCreated(
  alert: Alert,
  { before, now }: Pick<SummaryContext<object, AlertSubject>, 'before' | 'now'>,
): string {
  const currency = before?.plan_amount_currency;
  const { alert_type, billable_metric: metric } = alert;
  const watches = { alert_type: asText(alert_type) ?? '', billable_metric_code: asRecord(metric).code };
  const value = valueNow(watches, before ?? null);
  return sentences(
    `Created: alert ${labelOf(alert)}${say` on subscription ${code(alert.external_subscription_id)}` ?? ''}`,
    explainAlert(alert, 'it', { currency, now, value }),
  );
}

function labelOf(alert: Alert): string {
  return named(alert.name, alert.code) ?? 'without a code';
}

type Currency = Fields<'currency'>;

/** The currency of an alert about money. Alerts do not hold it: it is read from their subscription or wallet. */
async function readCurrency(
  alerts: readonly Alert[],
  reads: Reads,
  subscriptionStatus?: string,
): Promise<Currency | null> {
  const alert = alerts.find(({ alert_type }) => isMoney(alert_type));
  if (alert === undefined) return null;
  const walletId = asText(alert.svc_wallet_id);
  const external_id = asText(alert.external_subscription_id);
  if (walletId !== null && reads.mayUse('list_wallets')) {
    const wallet = await readOne(reads, '/wallets/{svc_id}', 'wallet', { svc_id: walletId });
    return wallet.ok ? { currency: wallet.body.currency } : null;
  }
  if (external_id === null || !reads.mayUse('get_subscription')) return null;
  const get = { key: 'subscription' as const, path: { external_id }, query: { status: subscriptionStatus } };
  const answer = await reads.get('/subscriptions/{external_id}', get);
  return answer.ok ? { currency: asRecord(answer.body.subscription).plan_amount_currency } : null;
}

function isCrossed(alert: Alert): boolean {
  return crossings(alert).length > 0;
}

function onListPage(args: Fields<'page'>): string {
  return typeof args.page === 'number' && args.page > 1 ? ` on page ${args.page}` : '';
}
