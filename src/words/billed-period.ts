/** The days that an invoice bills, for each kind of fee (service-behaviour §7.3). */
import type { Fee, Invoice } from '../contract/shown.ts';
import { formatPeriod } from './dates.ts';
import { code, listed, say } from './summary.ts';

interface Span {
  kind: string;
  from: unknown;
  to: unknown;
}

const kinds: Readonly<Record<string, string>> = {
  subscription: 'plan',
  charge: 'usage',
  fixed_charge: 'fixed charges',
};

/**
 * `Period 1 – 31 Jan 2026 (UTC)` where all fees are for the same days. Else the days of each kind of fee: `Plan for 10
 * Dec 2026 – 9 Jan 2027; usage for 10 Nov – 9 Dec 2026 (UTC)`. From the fees, else from the invoice's billing periods,
 * which also name days of fees that the invoice does not hold. Null when unknown.
 */
export function explainPeriod(invoice: Invoice, fees: readonly Fee[], now?: Date): string | null {
  const zone = invoice.customer?.applicable_timezone;
  const shown = fees.map(({ item, from_date: from, to_date: to }): Span => {
    return { kind: kinds[String(item?.type)] ?? 'other fees', from, to };
  });
  const held = new Set(shown.map(({ kind }) => kind));
  const spans = [shown, billingPeriods(invoice).filter(({ kind }) => held.size === 0 || held.has(kind))].find(all =>
    all.some(({ from, to }) => isPeriod(from, to)),
  );
  const text = spans === undefined ? null : periodsText(spans, zone, now);
  const [event, ...others] = new Set(fees.map(fee => code(fee.event_transaction_id)));
  const single = event === undefined || event === null || others.length > 0 ? null : event;
  return single === null ? text : say`Billed for event ${single}; usage ${text?.replace(/^Period/, 'period') ?? null}`;
}

function billingPeriods(invoice: Invoice): Span[] {
  return (invoice.billing_periods ?? []).flatMap(period => [
    { kind: 'plan', from: period.subscription_from_datetime, to: period.subscription_to_datetime },
    { kind: 'usage', from: period.charges_from_datetime, to: period.charges_to_datetime },
    { kind: 'fixed charges', from: period.fixed_charges_from_datetime, to: period.fixed_charges_to_datetime },
  ]);
}

/** Fees of add-ons have the moment of their invoice in both fields. */
function isPeriod(from: unknown, to: unknown): boolean {
  return from !== to && formatPeriod(from, to) !== '';
}

/** With the zone and a common year said once. Either all years are said or none. */
function periodsText(spans: readonly Span[], zone: unknown, now: Date | undefined): string | null {
  const periods = spans.filter(({ from, to }) => isPeriod(from, to));
  const isThisYear = !periods.some(({ from, to }) => / \d{4}\b/.test(formatPeriod(from, to, zone, now)));
  const byKind = new Map<string, Set<string>>();
  for (const { kind, from, to } of periods) {
    const days = formatPeriod(from, to, zone, isThisYear ? now : undefined);
    byKind.set(kind, (byKind.get(kind) ?? new Set()).add(days));
  }
  const byDays = new Map<string, string[]>();
  for (const [kind, days] of byKind) {
    const text = listed([...days], 3) ?? '';
    byDays.set(text, [...(byDays.get(text) ?? []), kind]);
  }
  const parts = [...byDays].sort(([, [a]], [, [b]]) => Number(b === 'plan') - Number(a === 'plan'));
  const [[only = ''] = []] = parts;
  const text = parts.map(([days, of]) => `${listed(of)} for ${days}`).join('; ');
  return parts.length === 0 ? null : saidOnce(parts.length === 1 ? `Period ${only}` : text);
}

function saidOnce(text: string): string {
  const named = / \([^()]*\)$/.exec(text)?.[0] ?? '';
  const bare = named === '' ? text : text.replaceAll(named, '');
  const [year = '', ...years] = new Set(bare.match(/ \d{4}\b/g));
  return `${years.length > 0 ? bare : `${bare.replaceAll(year, '')}${year}`}${named}`;
}
