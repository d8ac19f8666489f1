/** Entries of an account file for the cases about usage, mostly one charge on one metric in April 2026. */
import { type Entry, previewOf, type ServiceAnswer } from './file-service.ts';

export const IN_APRIL = '2026-04-21T12:00:00Z';

/** Metrics of the code `m`. */
export const metricEntries = {
  sum: { code: 'm', aggregation_type: 'sum_agg', field_name: 'v' },
  count: { code: 'm', aggregation_type: 'count_agg' },
  unique: { code: 'm', aggregation_type: 'unique_count_agg', field_name: 'v' },
};

/** `[day, value, more properties]`: an event on that day of April 2026, 00:00 UTC; a full date-time is taken as it is. */
export type Used = [day: string, value?: unknown, more?: Entry];

/** Events as `day value`: `'05 10, 06 -4'`; `'03-05 a remove'` of March takes the value out again. A moment is taken as it is. */
export function on(list: string): Used[] {
  return (list === '' ? [] : list.split(', ')).map(each => {
    const [day = '', value, operation_type] = each.split(' ');
    return [day.length !== 5 ? day : `2026-${day}T00:00:00Z`, value, operation_type ? { operation_type } : {}];
  });
}

export function chargeEntry(charge_model: string, properties: Entry, more: Entry = {}) {
  return { billable_metric_code: 'm', charge_model, properties, ...more };
}

export const standard = chargeEntry('standard', { amount: '1' });

export const addOns = ['early', 'late'].map(code => ({ code, name: code, amount_cents: 1, amount_currency: 'EUR' }));
export const early = { add_on_code: 'early', pay_in_advance: true, properties: { amount: '10' }, units: '1' };
export const late = { add_on_code: 'late', properties: { amount: '20' }, units: '1' };

export function usedOn(day: string, v: number | string): Entry {
  return { code: 'm', timestamp: `${day}T00:00:00Z`, properties: { v } };
}

/** Events with these values on the first days of April, one a day. */
export function used(values: unknown[], more: Entry = {}): Entry[] {
  return eventsOf(values.map((v, i): Used => [`0${i + 1}`, v, more]));
}

export function eventsOf(list: Used[]): Entry[] {
  return list.map(([day, v, more]) => ({
    code: 'm',
    timestamp: day.length > 2 ? day : `2026-04-${day}T00:00:00Z`,
    properties: { ...(v === undefined ? {} : { v }), ...more },
  }));
}

/** The usage fees of a preview of the running period. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
export async function usageFees(metric: Entry, oneCharge: Entry, list: Used[]): Promise<any[]> {
  const plan = { amount_cents: 0, charges: [oneCharge] };
  return chargeFees(await previewOf({ now: IN_APRIL, metrics: [metric], plan, events: eventsOf(list) }));
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
export function chargeFees(answer: ServiceAnswer): any[] {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.invoice.fees.filter((fee: { item: { type: string } }) => fee.item.type === 'charge');
}
