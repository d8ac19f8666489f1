/** Alerts on usage and on wallets (specification, endpoints 9 to 11; service-behaviour §3.9 to §3.11, §14). */
import * as z from 'zod';
import type { JsonRecord } from '../src/lib/json.ts';
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
  say,
  sentences,
} from '../src/present/summary.ts';
import { flag, idText, page, pathText, perPage, text } from '../src/tool/args.ts';
import { defineTool, type SummaryContext } from '../src/tool/define.ts';

/** Subscriptions and wallets have the same kind of alert. */
const brief = `
  code name?=code alert_type external_subscription_id wallet_code billable_metric{code} previous_value
  thresholds{value code recurring?}
`;
const subscriptionStatus = z.enum(['pending', 'active', 'terminated', 'canceled']).optional();

export const createSubscriptionAlert = defineTool({
  name: 'create_subscription_alert',
  title: 'Create a subscription alert',
  toolset: 'alerts',
  effect: 'write',
  idempotent: false,
  endpoint: 'POST /subscriptions/{external_id}/alerts',
  description:
    'Adds a usage alert to a subscription. Amount types count minor units, unit types units. billable_metric_* types need billable_metric_code, others must not have it. One alert per type and metric. Calling again creates again or fails.',
  input: z.strictObject({
    external_id: pathText().describe('Subscription'),
    subscription_status: subscriptionStatus.describe('Default active'),
    code: idText().describe('New, unique on the subscription'),
    alert_type: text.describe(
      'current_usage_amount, billable_metric_current_usage_amount, billable_metric_current_usage_units, lifetime_usage_amount or billable_metric_lifetime_usage_units',
    ),
    thresholds: z
      .array(
        z.strictObject({
          value: z.number(),
          code: text.optional(),
          recurring: flag.describe('Again every value above the highest one-time threshold').optional(),
        }),
      )
      .min(1)
      .describe('1 to 20'),
    name: text.optional(),
    billable_metric_code: text.optional(),
  }),
  request: ({ external_id, subscription_status, ...alert }) => ({
    path: { external_id },
    ...(subscription_status === undefined ? {} : { query: { subscription_status } }),
    body: { alert },
  }),
  result: 'alert',
  brief,
  summary: (record, context) => {
    const alert = asRecord(record);
    return `The alert exists now. ${describeAlert(alert, currencyOf(alert, context))}`;
  },
  target: ({ external_id }) => ({ resource: 'subscription', id: external_id }),
  question: (args, known) => {
    const {
      external_id,
      subscription_status,
      code: alertCode,
      name,
      alert_type,
      thresholds,
      billable_metric_code,
    } = args;
    const which = subscription_status === undefined ? 'subscription' : `${subscription_status} subscription`;
    const metric = say` for metric ${code(billable_metric_code)}` ?? '';
    const currency = known?.plan_amount_currency;
    const labels = thresholds.map(
      ({ value, code: label, recurring }) =>
        `${valueInWords(value, alert_type, currency) ?? value}${say` (${code(label)})` ?? ''}${recurring ? ' (recurring)' : ''}`,
    );
    return `Create alert ${named(name, alertCode)}${say` of type ${code(alert_type)}` ?? ''}${metric} on ${which} ${code(external_id)}, at ${listed(labels, labels.length)}?`;
  },
  warnings: ({ thresholds }) =>
    thresholds.some(({ recurring, value }) => recurring && value <= 0)
      ? ['A recurring threshold must be above 0; the service refuses it.']
      : [],
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
