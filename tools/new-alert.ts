/** The arguments of new alerts on a subscription, one or several (service-behaviour §3.9). */
import * as z from 'zod';
import { subscriptionAlertTypes } from '../src/contract/enums.ts';
import type { Alert } from '../src/contract/shown.ts';
import { decimalOrNumber, flag, idText, subscriptionId, text } from '../src/definition/args.ts';
import { fieldNotes } from '../src/definition/argument-fields.ts';
import { unlisted } from '../src/definition/free-form.ts';
import { decimalText } from '../src/words/money.ts';

/** Thresholds of an alert, and alerts of a call. */
const mostOfEach = 20;

export const subscriptionStatus = z
  .enum(['pending', 'active', 'terminated', 'canceled'])
  .describe('Default active')
  .optional();

const newAlert = z.strictObject({
  code: idText().describe('New code, unique on the subscription'),
  alert_type: z.enum(subscriptionAlertTypes),
  thresholds: z
    .array(
      z.strictObject({
        value: decimalOrNumber
          .clone()
          .register(fieldNotes, { amount: 'threshold' })
          .meta({ listed: { type: 'string' } }),
        code: text.optional(),
        recurring: flag.describe('Repeats at every value above the highest one-time threshold').optional(),
      }),
    )
    .min(1)
    .max(mostOfEach),
  name: text.optional(),
  billable_metric_code: text.optional(),
});

const alertFields = Object.keys(newAlert.shape) as (keyof z.output<typeof newAlert>)[];

type Alone = { [Name in keyof typeof newAlert.shape]: z.ZodOptional<(typeof newAlert.shape)[Name]> };
/** The fields of one alert next to `alerts`, as the interface takes them. */
const alone = Object.fromEntries(
  Object.entries(newAlert.partial().shape).map(([name, field]) => [name, unlisted(field)]),
) as unknown as Alone;

/** One alert or several in `alerts`, or one by its own fields. */
export const newAlerts = z
  .strictObject({
    external_id: subscriptionId,
    subscription_status: subscriptionStatus,
    ...alone,
    alerts: z.array(newAlert).min(1).max(mostOfEach).describe('1 to 20 alerts').optional(),
  })
  .refine(args => args.alerts !== undefined || alertFields.some(name => args[name] !== undefined), {
    path: ['alerts'],
    error: 'is required: one or several, each with code, alert_type and thresholds',
    when: () => true,
  })
  .refine(...needed('code'))
  .refine(...needed('alert_type', `: one of ${subscriptionAlertTypes.join(', ')}`))
  .refine(...needed('thresholds'))
  .refine(args => args.alerts === undefined || alertFields.every(name => args[name] === undefined), {
    path: ['alerts'],
    error: `cannot be used with the arguments of a single alert (${alertFields.join(', ')}): put each alert into alerts`,
  });

/** For `refine`: an argument of one alert, which is told next to every other problem. */
function needed(name: 'code' | 'alert_type' | 'thresholds', choices = '') {
  const isThere = (args: { alerts?: unknown } & { [Each in keyof NewAlert]?: unknown }) =>
    args.alerts !== undefined || args[name] !== undefined || alertFields.every(other => args[other] === undefined);
  const params = { path: [name] as PropertyKey[], error: `is required${choices}`, when: () => true };
  return [isThere, params] as const;
}

export type NewAlert = z.output<typeof newAlert>;
export type NewAlerts = z.output<typeof newAlerts>;

/** The alerts of a call. */
export function alertsOf({
  external_id: _,
  subscription_status: __,
  alerts,
  ...alone
}: NewAlerts): readonly NewAlert[] {
  return alerts ?? [alone as NewAlert];
}

/** `alerts[1].` before the argument of one of several. */
export function placeOf({ alerts }: NewAlerts, index: number): string {
  return alerts === undefined ? '' : `alerts[${index}].`;
}

/** The body of the request, each value as decimal text: the interface takes an integer or text, and no float. */
export function bodyOf(args: NewAlerts) {
  const sent = ({ thresholds }: NewAlert) => thresholds.map(each => ({ ...each, value: decimalText(each.value) }));
  const alerts = alertsOf(args).map(alert => ({ ...alert, thresholds: sent(alert) }));
  return args.alerts === undefined ? { alert: alerts[0] } : { alerts };
}

/** The metrics that the alerts name, each with its argument. */
export function metricsOf(args: NewAlerts): { argument: string; code: string }[] {
  return alertsOf(args).flatMap(({ billable_metric_code: metric }, index) =>
    metric === undefined ? [] : [{ argument: `${placeOf(args, index)}billable_metric_code`, code: metric }],
  );
}

/** The alerts that a call has made, among those of the subscription: null where none is there. */
export function alertsMade(args: NewAlerts, all: readonly Alert[]): object | null {
  const wanted = alertsOf(args).map(alert => alert.code);
  const made = all.filter(({ code: each }) => wanted.some(one => one === each));
  if (args.alerts === undefined || made.length === 0) return made[0] ?? null;
  // In the order of the call, as the service answers.
  return { alerts: wanted.flatMap(one => made.find(({ code: each }) => each === one) ?? []) };
}
