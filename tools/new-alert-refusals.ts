/** What the service would refuse of new alerts on a subscription (service-behaviour §3.9). */
import type { Alert } from '../src/contract/shown.ts';
import { valueInWords } from '../src/words/alert.ts';
import { decimalText } from '../src/words/money.ts';
import { named, sign } from '../src/words/summary.ts';
import { alertsOf, type NewAlert, type NewAlerts, placeOf } from './new-alert.ts';
import { thresholdsInWords } from './new-alert-words.ts';
import type { AlertSubject } from './records/written-record.ts';

interface Refusal {
  argument: string;
  message: string;
}

/** §3.9: the first argument that the service would refuse, so that none of the alerts would be made. */
export function refusedAlert(args: NewAlerts, known: AlertSubject | null): Refusal | null {
  const alerts = alertsOf(args);
  for (const [index, alert] of alerts.entries()) {
    const refusal =
      refusedThreshold(alert) ??
      refusedMetric(alert) ??
      refusedDuplicate(alert, known) ??
      refusedTwin(alert, alerts.slice(0, index));
    if (refusal !== null) return { ...refusal, argument: `${placeOf(args, index)}${refusal.argument}` };
  }
  return null;
}

/** §3.9: what the service refuses of thresholds, whatever the subscription. */
function refusedThreshold({ thresholds }: NewAlert): Refusal | null {
  const refuse = (message: string): Refusal => ({ argument: 'thresholds', message });
  const recurring = thresholds.filter(threshold => threshold.recurring === true);
  if (recurring.some(({ value }) => sign(value) !== 1)) return refuse('have a recurring value that is not above 0');
  if (recurring.length > 1) return refuse('have more than one recurring value: send one');
  const values = thresholds.map(({ value, recurring: again }) => `${decimalText(value)} ${again === true}`);
  const twice = thresholds.find((_, index) => values.indexOf(values[index] ?? '') !== index);
  return twice === undefined ? null : refuse(`contain ${decimalText(twice.value)} twice`);
}

/** §3.9: metric types need a metric, others must not have one. */
function refusedMetric({ alert_type, billable_metric_code: metric }: NewAlert): Refusal | null {
  const needed = alert_type.startsWith('billable_metric_');
  if (needed === (metric !== undefined)) return null;
  const message = needed ? `is required for ${alert_type}` : `must be omitted for ${alert_type}`;
  return { argument: 'billable_metric_code', message };
}

/** An alert of this code, or of this type and metric, that the subscription has already. */
function refusedDuplicate(
  { code: wanted, alert_type, billable_metric_code: metric }: NewAlert,
  known: AlertSubject | null,
): Refusal | null {
  const alerts = known?.alerts ?? [];
  const nameOf = (alert: Alert) => named(alert.name, alert.code) ?? 'without a code';
  const sameCode = alerts.find(alert => alert.code === wanted);
  if (sameCode !== undefined)
    return {
      argument: 'code',
      message: `is already used on this subscription by alert ${nameOf(sameCode)}: choose another`,
    };
  const sameSubject = alerts.find(
    alert => alert.alert_type === alert_type && (alert.billable_metric?.code ?? undefined) === metric,
  );
  if (sameSubject === undefined) return null;
  const thresholds = thresholdsInWords(
    (sameSubject.thresholds ?? []).map(({ value, recurring }) => ({ value, recurring })),
    value => valueInWords(value, alert_type, known?.plan_amount_currency),
  );
  const atThresholds = thresholds === 'nothing' ? '' : ` at ${thresholds}`;
  const message = `is already watched on this subscription by alert ${nameOf(sameSubject)}${atThresholds}; each type and metric can have one alert`;
  return { argument: 'alert_type', message };
}

/** An alert of this code, or of this type and metric, that the same call names before it. */
function refusedTwin({ code: wanted, alert_type, billable_metric_code }: NewAlert, earlier: readonly NewAlert[]) {
  const sameCode = earlier.findIndex(alert => alert.code === wanted);
  if (sameCode >= 0) return { argument: 'code', message: `is also the code of alerts[${sameCode}]: choose another` };
  const sameSubject = earlier.findIndex(
    alert => alert.alert_type === alert_type && alert.billable_metric_code === billable_metric_code,
  );
  if (sameSubject < 0) return null;
  const message = `is also watched by alerts[${sameSubject}]; each type and metric can have one alert`;
  return { argument: 'alert_type', message };
}
