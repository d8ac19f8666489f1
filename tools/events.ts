/** Usage events and a cost estimate for one (specification, endpoints 17 and 19; service-behaviour §3.19, §13). */
import * as z from 'zod';
import type { Body } from '../src/contract/answers.ts';
import type { Charge, Fee, Listed, Plan } from '../src/contract/shown.ts';
import type { Api } from '../src/definition/api.ts';
import { eventProperties, idText, ofSubscription, pathText, sentAsNumber } from '../src/definition/args.ts';
import { defineTool, type SummaryContext } from '../src/definition/define.ts';
import { isGiven } from '../src/lib/json.ts';
import { withTiers } from '../src/words/estimate-tiers.ts';
import { explainFees } from '../src/words/explain.ts';
import { planPriceOf } from '../src/words/fee-price.ts';
import { explainPath } from '../src/words/invoice-arithmetic.ts';
import { chargeName } from '../src/words/price.ts';
import { code, listed, money, phrase, say, sentences, sign } from '../src/words/summary.ts';
import { momentIn } from '../src/words/zoned-times.ts';
import {
  type EventPeriods,
  explainEventFees,
  explainEventPeriod,
  readEventFees,
  readEventPeriods,
  unbilled,
} from './records/event-periods.ts';
import { readShown, withBeside } from './records/one-record.ts';

export const estimateFees = defineTool({
  name: 'estimate_fees',
  title: 'Estimate the fees of an event',
  toolset: 'events',
  effect: 'compute',
  endpoint: 'POST /events/estimate_fees',
  description:
    "Estimates what one more usage event costs now under the subscription's pay-in-advance charges for that metric, taxes included. Stores nothing. Metrics billed at period end are refused: use preview_invoice with subscriptions.",
  input: z.strictObject({
    external_subscription_id: ofSubscription,
    code: idText().describe('Code of the billable metric'),
    properties: eventProperties.describe('Event properties that the metric uses').optional(),
    precise_total_amount_cents: sentAsNumber
      .meta({ listed: { type: 'string' } })
      .describe('Decimal string, required for dynamic charges')
      .optional(),
  }),
  run: ({ precise_total_amount_cents: total, ...event }, api) => {
    // The service fails on a text here (§13); the argument has no more digits than a JSON number keeps.
    const body = { event: { ...event, ...(total !== undefined && { precise_total_amount_cents: Number(total) }) } };
    return withBeside(api, 'fees', api.send({ body }), (record, aside) =>
      readCharges(feesOf(record), aside, event.external_subscription_id),
    );
  },
  result: 'fees',
  answer: 'list',
  brief: `
    item{type?charge code invoice_display_name filter_invoice_display_name grouped_by} units precise_unit_amount
    amount_cents amount_currency taxes_amount_cents total_amount_cents
  `,
  more: `
    svc_charge_id description from_date to_date precise_amount events_count amount_details pricing_unit_details
    presentation_breakdowns applied_taxes
  `,
  say: (record, { args, beside }: SummaryContext<Pick<Plan, 'charges'>>) => {
    const charges = beside?.charges ?? [];
    const fees = feesOf(record).map(fee => withTiers(fee, planPriceOf(fee, charges)));
    const currency = fees[0]?.amount_currency;
    const totals = fees.map(fee => money(fee.total_amount_cents, fee.total_amount_currency ?? currency));
    const [fee = {}, ...others] = fees;
    const sum = others.length === 0 ? totals[0] : listed(totals.filter(total => total !== null));
    const subject = `for one event on metric ${code(args.code) ?? 'given'}`;
    const price = fees.length === 0 ? 'Nothing to pay' : `${sum ?? 'An unknown amount'} with taxes,`;
    return sentences(
      `${price} ${subject}. Estimate only; nothing was stored`,
      others.length === 0 && explainPath({ ...fee, fees_amount_cents: fee.amount_cents, currency }),
      args.precise_total_amount_cents === undefined && unpricedDynamic(fees, charges),
      ...explainFees(fees, currency, 4, { prices: charges }),
    );
  },
});

export const getEvent = defineTool({
  name: 'get_event',
  title: 'Get a usage event',
  toolset: 'events',
  effect: 'read',
  endpoint: 'GET /events/{transaction_id}',
  description:
    'Returns one usage event as received: metric code, time, properties and subscription. Use it to check whether an event arrived. To find events, use list_events.',
  input: z.strictObject({ transaction_id: pathText().describe('ID that the event was sent with') }),
  run: (path, api) =>
    withBeside(api, 'event', api.get('/events/{transaction_id}', { key: 'event', path }), async (event, aside) => {
      const external_id = event.external_subscription_id ?? null;
      if (external_id === null) return null;
      const [periods, fees] = await Promise.all([
        readEventPeriods(aside, external_id, [event.timestamp]),
        readEventFees(aside, event),
      ]);
      return { periods, fees };
    }),
  result: 'event',
  brief: 'transaction_id code timestamp external_subscription_id precise_total_amount_cents? properties',
  say: (event, { now, beside }: SummaryContext<{ periods?: EventPeriods | null; fees?: readonly Fee[] | null }>) => {
    const { periods = null, fees } = beside ?? {};
    const values = Object.entries(event.properties ?? {}).map(
      ([key, value]) => say`${code(key)} ${code(value) ?? (typeof value === 'boolean' ? String(value) : null)}`,
    );
    return sentences(
      event.external_subscription_id === null && 'The event names no subscription, so nothing is billed for it',
      periods?.unknown === true && unbilled(event.external_subscription_id, [event]),
      phrase`Event ${code(event.transaction_id) ?? 'without an id'}${say` on metric ${code(event.code)}`}${say` for subscription ${code(event.external_subscription_id)}`}${say`, on ${momentIn(event.timestamp, periods?.zone ?? null, now)}`}`,
      explainEventPeriod(event.timestamp, periods, now),
      explainEventFees(fees),
      say`Properties: ${listed(values, 6)}`,
    );
  },
});

/** `Without precise_total_amount_cents, calls is estimated at 0.00: its price comes with each event` */
function unpricedDynamic(fees: readonly Fee[], charges: Listed<Charge>): string | null {
  const dynamic = (charges ?? []).filter(
    ({ charge_model, svc_id }) => charge_model === 'dynamic' && fees.some(fee => fee.svc_charge_id === svc_id),
  );
  const names = listed([...new Set(dynamic.map(chargeName))]);
  return say`Without precise_total_amount_cents, ${names} is estimated at 0.00: its price comes with each event`;
}

/** The charges of the subscription, as it has them now: their tiers are the arithmetic of what an event costs. */
async function readCharges(fees: readonly Fee[], api: Api, external_id: string): Promise<Pick<Plan, 'charges'> | null> {
  const priced = fees.some(fee => isGiven(fee.svc_charge_id) && sign(fee.units) === 1);
  const subscription = priced ? await readShown(api, 'subscription', external_id) : null;
  return subscription && { charges: subscription.plan?.charges };
}

/** `{ fees: […] }`, or the list itself. */
function feesOf(record: Body | readonly Fee[]): readonly Fee[] {
  return Array.isArray(record) ? (record as readonly Fee[]) : ((record as Body).fees ?? []);
}
