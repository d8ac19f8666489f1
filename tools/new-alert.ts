/** A new alert on a subscription in words, and what the service would refuse of it (service-behaviour §3.9, §14). */
import * as z from 'zod';
import { subscriptionAlertTypes } from '../src/contract/enums.ts';
import type { Alert } from '../src/contract/shown.ts';
import { decimalOrNumber, flag, idText, pathText, text } from '../src/tool/args.ts';
import { fieldNotes } from '../src/tool/argument-fields.ts';
import { valueInWords } from '../src/words/alert.ts';
import { decimalText, exactDecimal } from '../src/words/money.ts';
import { codeInWords } from '../src/words/questions.ts';
import { asRecord, asRecords, asText, code, listed, named } from '../src/words/summary.ts';
import { alertValueOf } from './reads/usage.ts';
import type { AlertSubject } from './reads/written-record.ts';

export const subscriptionStatus = z.enum(['pending', 'active', 'terminated', 'canceled']).optional();

export const newAlert = z.strictObject({
  external_id: pathText().describe('Subscription'),
  subscription_status: subscriptionStatus.describe('Default active'),
  code: idText().describe('New, unique on the subscription'),
  alert_type: z.enum(subscriptionAlertTypes),
  thresholds: z
    .array(
      z.strictObject({
        value: decimalOrNumber
          .clone()
          .register(fieldNotes, { amount: 'threshold' })
          .meta({ listed: { type: 'string', description: 'Decimal' } }),
        code: text.optional(),
        recurring: flag.describe('Again every value above the highest one-time threshold').optional(),
      }),
    )
    .min(1)
    .max(20),
  name: text.optional(),
  billable_metric_code: text.optional(),
});

type NewAlert = z.output<typeof newAlert>;

/** The thresholds of the request: each value as decimal text. The interface takes an integer or text, and no float. */
export function thresholdsSent({ thresholds }: Pick<NewAlert, 'thresholds'>) {
  return thresholds.map(threshold => ({ ...threshold, value: decimalText(threshold.value) }));
}

/** `$100.00, $200.00 and then every $50.00`, each with its own code where it has one. */
export function thresholdsInWords<T extends { value: unknown; code?: unknown; recurring?: unknown }>(
  thresholds: readonly T[],
  inWords: (value: T['value']) => string | null,
): string {
  const once = thresholds.filter(({ recurring }) => recurring !== true);
  const rising = once.sort((a, b) => Number(a.value) - Number(b.value));
  const labels = [...rising, ...thresholds.filter(({ recurring }) => recurring === true)].map(threshold => {
    const value = inWords(threshold.value) ?? 'an unknown value';
    const label = code(threshold.code) === null ? '' : ` (${codeInWords(threshold.code)})`;
    return `${threshold.recurring !== true ? '' : once.length > 0 ? 'then every ' : 'every '}${value}${label}`;
  });
  return listed(labels, labels.length) ?? 'nothing';
}

/** Money in the subscription's currency, or units. */
export function inUnits(value: string | number, { alert_type }: NewAlert, known: AlertSubject | null): string {
  return valueInWords(value, alert_type, known?.plan_amount_currency) ?? String(value);
}

/** What the alert would read now, in cents or units; null where the usage was not seen. */
export function valueNow(
  { alert_type, billable_metric_code }: { alert_type: string; billable_metric_code?: unknown },
  known: AlertSubject | null,
) {
  const { current_usage: usage } = known ?? {};
  return usage === undefined ? null : alertValueOf(usage, alert_type, billable_metric_code);
}

interface Refusal {
  argument: string;
  message: string;
}

/** §3.9: what the service refuses of thresholds, whatever the subscription. */
export function refusedThreshold({ thresholds }: NewAlert): Refusal | null {
  const refuse = (message: string): Refusal => ({ argument: 'thresholds', message });
  const recurring = thresholds.filter(threshold => threshold.recurring === true);
  if (recurring.some(({ value }) => exactDecimal(value)?.lte(0)))
    return refuse('hold a recurring value that is not above 0');
  if (recurring.length > 1) return refuse('hold more than one recurring value: send one');
  const values = thresholds.map(({ value, recurring: again }) => `${decimalText(value)} ${again === true}`);
  const twice = thresholds.find((_, index) => values.indexOf(values[index] ?? '') !== index);
  return twice === undefined ? null : refuse(`name ${decimalText(twice.value)} twice`);
}

/** §3.9: metric types need a metric, others must not have one. */
export function refusedMetric({ alert_type, billable_metric_code: metric }: NewAlert): Refusal | null {
  const needed = alert_type.startsWith('billable_metric_');
  if (needed === (metric !== undefined)) return null;
  const message = needed ? `is needed for ${alert_type}` : `must be left out for ${alert_type}`;
  return { argument: 'billable_metric_code', message };
}

/** An alert of this code, or of this type and metric, that the subscription has already. */
export function refusedDuplicate(
  { code: wanted, alert_type, billable_metric_code: metric }: NewAlert,
  known: AlertSubject | null,
): Refusal | null {
  const alerts = asRecords(known?.alerts);
  const nameOf = (alert: Alert) => named(alert.name, alert.code) ?? 'without a code';
  const sameCode = alerts.find(alert => alert.code === wanted);
  if (sameCode !== undefined)
    return { argument: 'code', message: `is taken on this subscription by alert ${nameOf(sameCode)}: choose another` };
  const sameSubject = alerts.find(
    alert => alert.alert_type === alert_type && (asText(asRecord(alert.billable_metric).code) ?? undefined) === metric,
  );
  if (sameSubject === undefined) return null;
  const thresholds = thresholdsInWords(
    asRecords(sameSubject.thresholds).map(({ value, recurring }) => ({ value, recurring })),
    value => valueInWords(value, alert_type, known?.plan_amount_currency),
  );
  const atThresholds = thresholds === 'nothing' ? '' : ` at ${thresholds}`;
  const message = `is watched on this subscription already, by alert ${nameOf(sameSubject)}${atThresholds}; there is one for each type and metric`;
  return { argument: 'alert_type', message };
}
