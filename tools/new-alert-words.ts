/**
 * New alerts on a subscription in words: the question, what a user should know before, and what the service would refuse
 * (service-behaviour §3.9).
 */
import type { Alert } from '../src/contract/shown.ts';
import type { Refusal } from '../src/definition/define.ts';
import { valueInWords, watched } from '../src/words/alert.ts';
import { asLines, codeInWords } from '../src/words/changes.ts';
import { decimalText } from '../src/words/money.ts';
import { hostOf } from '../src/words/safe-text.ts';
import { code, listed, named, phrase, quoted, say, sign } from '../src/words/summary.ts';
import { alertsOf, type NewAlert, type NewAlerts, placeOf } from './new-alert.ts';
import { alertValueOf } from './quotes/usage-parts.ts';
import type { AlertSubject } from './records/written-record.ts';

export function alertQuestion(args: NewAlerts, known: AlertSubject | null): string {
  const status = known?.status ?? args.subscription_status ?? 'active';
  const which = status === 'active' ? 'subscription' : `${status} subscription`;
  const subject = phrase`${which} ${quoted(known?.name) ?? codeInWords(args.external_id)}${say` of ${quoted(known?.customer?.name)}`}`;
  const parts = alertsOf(args).map(alert => {
    const { alert_type, name, code: alertCode, billable_metric_code: metric, thresholds } = alert;
    const now = say` (now ${valueInWords(valueNow(alert, known)?.toFixed(), alert_type, known?.plan_amount_currency)})`;
    const when = phrase`when ${watched(alert_type, { metric })} reaches ${thresholdsInWords(thresholds, value => inUnits(value, alert, known))}${now}`;
    return { label: named(name, codeInWords(alertCode)), when };
  });
  const [first, ...others] = parts;
  if (first !== undefined && others.length === 0) return `Create alert ${first.label} on ${subject}, ${first.when}?`;
  return asLines(
    `Create ${parts.length} alerts on ${subject}?`,
    parts.map(({ label, when }) => `${label}, ${when}`),
  );
}

/** An alert that would fire at once, or never, each of several with its name; then how alerts work, and who is told. */
export function alertWarnings(args: NewAlerts, known: AlertSubject | null): string[] {
  const alerts = alertsOf(args);
  const warned = alerts.flatMap(alert => {
    const warning = known?.current_usage === undefined ? null : warningOf(alert, known);
    if (warning === null) return [];
    return [alerts.length === 1 ? warning : `Alert ${named(alert.name, codeInWords(alert.code))}: ${warning}`];
  });
  return [...warned, firing(alerts), phrase`${toldTo(known)}No tool here changes or deletes an alert.`];
}

/** `Amounts count before tax. It goes off at or above a threshold; a one-time threshold triggers once in each period.` (§14) */
function firing(alerts: readonly NewAlert[]): string {
  const counts = alerts.some(({ alert_type }) => alert_type.endsWith('_amount')) ? 'Amounts count before tax. ' : '';
  const once = alerts.filter(({ thresholds }) => thresholds.some(({ recurring }) => recurring !== true));
  const [lifetime, perPeriod] = [true, false].map(isLifetime =>
    once.filter(({ alert_type }) => alert_type.includes('lifetime_') === isLifetime),
  );
  const again = perPeriod?.length === 0 ? null : 'once in each period';
  const never = lifetime?.length === 0 ? null : again === null ? 'only once' : 'only once for usage since the start';
  const how = listed([again, never].filter(text => text !== null));
  return phrase`${counts}It triggers at or above a threshold${say`; a threshold that is not recurring triggers ${how}`}.`;
}

/** How many endpoints are named. */
const mostEndpoints = 3;

/** The endpoints to which the notification goes (§5); null where this caller may not see them. */
function toldTo(known: AlertSubject | null): string | null {
  const endpoints = known?.webhook_endpoints;
  if (endpoints === undefined) return null;
  if (endpoints === null) return 'The server could not read who is notified. ';
  const hearing = endpoints.filter(
    // A service without this choice sends everything.
    ({ event_types: types }) => types == null || types.includes('alert.triggered'),
  );
  const names = hearing.map(
    ({ name, webhook_url }) => named(name, hostOf(webhook_url)) ?? 'an endpoint without an address',
  );
  return hearing.length === 0
    ? 'No notification is sent: no webhook endpoint accepts alert.triggered. '
    : `When it triggers, alert.triggered is sent to ${listed(names, mostEndpoints)}. `;
}

function warningOf(alert: NewAlert, known: AlertSubject): string | null {
  const { alert_type, billable_metric_code: metric, thresholds } = alert;
  const value = valueNow(alert, known);
  if (value === null)
    return metric !== undefined && alert_type.includes('_current_')
      ? `The subscription has no charge for ${code(metric)}: the alert would never trigger.`
      : null;
  const reached = thresholds.filter(({ value: at, recurring }) => !recurring && value.gte(at) && sign(at) === 1);
  const values = reached.map(({ value: at }) => inUnits(at, alert, known));
  return values.length === 0
    ? null
    : `Already reached: ${listed(values, values.length)}. The alert triggers immediately.`;
}

/** `$100.00, $200.00 and then every $50.00`, each with its own code where it has one. */
function thresholdsInWords<T extends { value: unknown; code?: unknown; recurring?: unknown }>(
  thresholds: readonly T[],
  inWords: (value: T['value']) => string | null,
): string {
  const once = thresholds.filter(({ recurring }) => recurring !== true);
  const rising = once.sort((a, b) => Number(a.value) - Number(b.value));
  const labels = [...rising, ...thresholds.filter(({ recurring }) => recurring === true)].map(threshold => {
    const value = inWords(threshold.value) ?? 'an unknown value';
    const label = code(threshold.code) === null ? '' : ` (${codeInWords(threshold.code)})`;
    return phrase`${threshold.recurring !== true ? null : once.length > 0 ? 'then every ' : 'every '}${value}${label}`;
  });
  return listed(labels, labels.length) ?? 'nothing';
}

/** Money in the subscription's currency, or units. */
function inUnits(value: string | number, { alert_type }: NewAlert, known: AlertSubject | null): string {
  return valueInWords(value, alert_type, known?.plan_amount_currency) ?? String(value);
}

/** What the alert would read now, in cents or units; null where the usage was not seen. */
export function valueNow(
  { alert_type, billable_metric_code }: { alert_type: string; billable_metric_code?: string | null | undefined },
  known: AlertSubject | null,
) {
  const { current_usage: usage } = known ?? {};
  return usage === undefined ? null : alertValueOf(usage, alert_type, billable_metric_code);
}

/** §3.9: the first argument that the service would refuse, so that none of the alerts would be made. */
export function refusedAlert(args: NewAlerts, known: AlertSubject | null): Refusal | null {
  const alerts = alertsOf(args);
  for (const [index, alert] of alerts.entries()) {
    const refusal =
      refusedThreshold(alert) ?? refusedMetric(alert) ?? refusedTwin(alert, known, alerts.slice(0, index));
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

/** An alert of this code, or of this type and metric, that the subscription has already, or the same call names before it. */
function refusedTwin(alert: NewAlert, known: AlertSubject | null, earlier: readonly NewAlert[]): Refusal | null {
  const { code: wanted, alert_type, billable_metric_code: metric } = alert;
  const stored = (known?.alerts ?? []).map(each => ({ ...each, metric: each.billable_metric?.code ?? undefined }));
  const nameOf = (each: Alert) => named(each.name, each.code) ?? 'without a code';
  const sameCode = stored.find(each => each.code === wanted);
  if (sameCode !== undefined) {
    const message = `is already used on this subscription by alert ${nameOf(sameCode)}: choose another`;
    return { argument: 'code', message };
  }
  const sameSubject = stored.find(each => each.alert_type === alert_type && each.metric === metric);
  if (sameSubject !== undefined) {
    const thresholds = thresholdsInWords(
      (sameSubject.thresholds ?? []).map(({ value, recurring }) => ({ value, recurring })),
      value => valueInWords(value, alert_type, known?.plan_amount_currency),
    );
    const at = thresholds === 'nothing' ? '' : ` at ${thresholds}`;
    const message = `is already watched on this subscription by alert ${nameOf(sameSubject)}${at}; each type and metric can have one alert`;
    return { argument: 'alert_type', message };
  }
  const codeTwin = earlier.findIndex(each => each.code === wanted);
  if (codeTwin >= 0) return { argument: 'code', message: `is also the code of alerts[${codeTwin}]: choose another` };
  const twin = earlier.findIndex(each => each.alert_type === alert_type && each.billable_metric_code === metric);
  if (twin < 0) return null;
  const message = `is also watched by alerts[${twin}]; each type and metric can have one alert`;
  return { argument: 'alert_type', message };
}
