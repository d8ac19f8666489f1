/** Alerts on usage and on wallets (specification, endpoints 9 to 11; service-behaviour §3.9 to §3.11, §14). */
import * as z from 'zod';
import type { JsonRecord } from '../src/lib/json.ts';
import { readAlertSubject } from '../src/lookups/one.ts';
import { crossings, valueInWords } from '../src/present/alert.ts';
import { pagingNote } from '../src/present/paging.ts';
import {
  asRecord,
  asRecords,
  asText,
  code,
  count,
  instant,
  listed,
  named,
  quoted,
  say,
  sentences,
} from '../src/present/summary.ts';
import { codeInWords } from '../src/present/words.ts';
import { page, pathText, perPage } from '../src/tool/args.ts';
import { defineTool, type SummaryContext } from '../src/tool/define.ts';
import {
  existing,
  inUnits,
  newAlert,
  refusedMetric,
  refusedThreshold,
  subscriptionStatus,
  thresholdsInWords,
  valueNow,
  watched,
} from './new-alert.ts';

/** Subscriptions and wallets have the same kind of alert. */
const brief = `
  code name?=code alert_type external_subscription_id wallet_code billable_metric{code} previous_value
  thresholds{value code recurring?}
`;
export const createSubscriptionAlert = defineTool({
  name: 'create_subscription_alert',
  title: 'Create a subscription alert',
  toolset: 'alerts',
  effect: 'write',
  idempotent: false,
  endpoint: 'POST /subscriptions/{external_id}/alerts',
  description:
    'Adds a usage alert to a subscription. Amount types count minor units, unit types units. billable_metric_* types need billable_metric_code, others must not have it. One alert per type and metric. Calling again creates again or fails.',
  input: newAlert,
  request: ({ external_id, subscription_status, ...alert }) => ({
    path: { external_id },
    ...(subscription_status === undefined ? {} : { query: { subscription_status } }),
    body: { alert },
  }),
  result: 'alert',
  brief,
  summary: (record, context) => {
    const alert = asRecord(record);
    return sayCreated(alert, context.before?.plan_amount_currency ?? currencyOf(alert, context));
  },
  sees: {
    tool: 'get_subscription',
    read: ({ external_id, subscription_status }, reads) => readAlertSubject(reads, external_id, subscription_status),
  },
  moves: ['current_usage'],
  target: ({ external_id }) => ({ resource: 'subscription', id: external_id }),
  question: (args, known) => {
    const { external_id, subscription_status: asked, name, alert_type } = args;
    const status = asText(known?.status) ?? asked ?? 'active';
    const which = status === 'active' ? 'subscription' : `${status} subscription`;
    const subject = `${which} ${quoted(known?.name) ?? codeInWords(external_id)}${say` of ${quoted(asRecord(known?.customer).name)}` ?? ''}`;
    const now = say` (now ${valueInWords(valueNow(args, known)?.toFixed(), alert_type, known?.plan_amount_currency)})`;
    return `Create alert ${named(name, codeInWords(args.code))} on ${subject}, when ${watched(alert_type, args.billable_metric_code)} reaches ${thresholdsInWords(args.thresholds, value => inUnits(value, args, known))}${now ?? ''}?`;
  },
  names: ({ billable_metric_code: metric }) => ({
    billable_metrics: metric === undefined ? [] : [{ argument: 'billable_metric_code', code: metric }],
  }),
  refuses: (args, known) => refusedThreshold(args) ?? refusedMetric(args) ?? existing(args, known),
  warnings: (args, known) => {
    const value = valueNow(args, known);
    if (known === null || known.current_usage === undefined) return [];
    if (value === null)
      return args.billable_metric_code !== undefined && args.alert_type.includes('_current_')
        ? [`No charge of the subscription is on ${code(args.billable_metric_code)}: the alert would never fire.`]
        : [];
    const reached = args.thresholds.filter(({ value: at, recurring }) => !recurring && value.gte(at) && at > 0);
    const told = reached.map(({ value: at }) => inUnits(at, args, known));
    return told.length === 0 ? [] : [`Reached already: ${listed(told, told.length)}. The alert fires at once.`];
  },
  revert: () => ({ impossible: 'no tool deletes an alert: only the billing service itself can' }),
  // The request names the metric's code; the answer holds the whole metric.
  shown: (field, { billable_metric: metric }) =>
    field === 'billable_metric_code' && metric !== undefined ? (metric?.code ?? '') : undefined,
});

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
  detail: true,
  summary: (record, context) => {
    const { args } = context;
    const body = asRecord(record);
    const alerts = asRecords(body.alerts);
    const crossed = alerts.filter(isCrossed);
    const subject = code(args.external_id) ?? '';
    return sentences(
      crossed.length > 0 &&
        `${count(crossed.length, 'alert has', 'alerts have')} crossed a threshold: ${listed(crossed.map(alert => code(alert.code) ?? 'without code'))}`,
      alerts.length === 0
        ? `Subscription ${subject} has no alerts${pageOf(args)}`
        : `${count(alerts.length, 'alert')} on subscription ${subject}`,
      ...alerts.slice(0, 3).map(alert => describeAlert(alert, currencyOf(alert, context))),
      alerts.length > 3 && `The other ${alerts.length - 3} are listed below`,
      pagingNote(body.meta),
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
  summary: (record, context) => {
    const alert = asRecord(record);
    return describeAlert(alert, currencyOf(alert, context));
  },
});

/** `Created: alert “Spring” (spring) on subscription main`, and when it fires. It was not checked yet: it has no value. */
function sayCreated(alert: JsonRecord, currency: unknown): string {
  const type = asText(alert.alert_type) ?? '';
  const metric = asText(asRecord(alert.billable_metric).code);
  const thresholds = asRecords(alert.thresholds).map(({ value, code, recurring }) => ({ value, code, recurring }));
  const at = thresholdsInWords(thresholds, value => valueInWords(value, type, currency));
  return sentences(
    `Created: alert ${named(alert.name, alert.code) ?? 'without a code'}${say` on subscription ${code(alert.external_subscription_id)}` ?? ''}`,
    `It fires when ${watched(type, metric)} reaches ${at}`,
  );
}

function describeAlert(alert: JsonRecord, currency: unknown): string {
  const type = asText(alert.alert_type) ?? '';
  const watches = say`wallet ${code(alert.wallet_code)}` ?? say`subscription ${code(alert.external_subscription_id)}`;
  const metric = code(asRecord(alert.billable_metric).code);
  const inWords = (value: unknown) => valueInWords(value, type, currency);
  const crossed = crossings(alert).map(inWords);
  const thresholds = asRecords(alert.thresholds).map(
    entry => say`${inWords(entry.value)}${entry.recurring === true ? ' (recurring)' : ''}`,
  );
  const direction = alert.direction === 'decreasing' ? 'falls to' : 'reaches';
  return sentences(
    say`Already crossed: ${listed(crossed.filter(value => value !== null))}`,
    `Alert ${named(alert.name, alert.code) ?? 'without a code'}${say` on ${watches}` ?? ''}${say` watches ${code(type)}` ?? ''}${say` of metric ${metric}` ?? ''}`,
    say`It fires when the value ${direction} ${listed(thresholds.filter(value => value !== null))}`,
    say`Last value ${inWords(alert.previous_value)}${say` at ${instant(alert.last_processed_at)}` ?? ', not checked yet'}`,
  );
}

/** The currency of the alert's amounts, which alerts do not hold: known when the wallet or subscription was read. */
function currencyOf(alert: JsonRecord, { recall }: SummaryContext): unknown {
  const wallet = asText(alert.svc_wallet_id);
  if (wallet !== null) return recall?.('wallet', wallet)?.currency;
  const subscription = asText(alert.external_subscription_id);
  return subscription === null ? undefined : recall?.('subscription', subscription)?.plan_amount_currency;
}

function isCrossed(alert: JsonRecord): boolean {
  return crossings(alert).length > 0;
}

function pageOf(args: JsonRecord): string {
  return typeof args.page === 'number' && args.page > 1 ? ` on page ${args.page}` : '';
}
