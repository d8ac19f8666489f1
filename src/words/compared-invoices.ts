/** The difference of two invoices in sentences: how much, by which causes, and line by line. */

import type { Invoice } from '../contract/shown.ts';
import { creditsOf } from './credits.ts';
import { hasEveryLine, type InvoiceDifference, type LineChange, type LineDifference } from './invoice-difference.ts';
import * as w from './summary.ts';

/** How many lines are told one by one. */
const mostLines = 6;

/** What is read besides the two invoices. */
interface Reads {
  readonly coupon_rests?: readonly string[];
  readonly note_reasons?: Readonly<Record<string, string>>;
}

interface Compared {
  from: Invoice;
  to: Invoice;
  /** Is the later one the preview of the running period? */
  isRunning: boolean;
}

/**
 * `SKY-4 is $68.47 higher than SKY-2: $118.67 on 1 Jan → $187.14 on 1 Mar. By cause: new lines +$323.46, coupons −$23.25,
 * … = +$68.47`. Then each line that differs, the largest first.
 */
export function describeDifference(compared: Compared, difference: InvoiceDifference & Reads, now: Date): string {
  const { from, to } = compared;
  const { currency } = to;
  const { lines, difference_cents: cents } = difference;
  const isComplete = hasEveryLine(from) && hasEveryLine(to);
  const shownLines = lines.slice(0, mostLines);
  const rest = lines.slice(mostLines);
  const isMixed = shownLines.some(line => line.quantity_cents !== 0 && line.price_cents !== 0);
  const names = (change: LineChange) =>
    w.listed(ofChange(shownLines, change).map(({ name, cents }) => w.phrase`${name} ${signed(cents, currency)}`));
  return w.sentences(
    headline(compared, cents, now),
    ...[from, to].map(noteOf),
    w.say`By cause: ${causesOf(difference, currency, taxCause(from, to))}`,
    !isComplete && 'Lines are not compared, because those of one invoice do not add up to its charges',
    ...shownLines.map(line => lineText(line, currency)),
    w.say`New: ${names('new')}`,
    w.say`No longer billed: ${names('gone')}`,
    w.say`Billed per event, not in the preview: ${names('by_event')}`,
    w.say`Unchanged: ${w.listed(difference.unchanged, mostLines)}`,
    unequalPeriods(compared),
    ...creditNotes(difference, from, to),
    ...(difference.coupon_rests ?? []),
    rest.length > 0 && w.phrase`${w.count(rest.length, 'smaller line')} ${signed(sumOf(rest), currency)}`,
    isMixed && 'Changes in units count at the earlier price; the rest counts as price',
  );
}

/** `SKY-1 bills 15 days of the plan, SKY-2 31 days`, where one period is much shorter; null where they are alike or unknown. */
function unequalPeriods({ from, to, isRunning }: Compared): string | null {
  const [before, after] = [from, to].map(planDays);
  if (!before || !after || Math.min(before, after) > Math.max(before, after) * mostUnequal) return null;
  const later = isRunning ? 'the current period' : numberOf(to);
  return `Part of a period against a longer one: ${numberOf(from)} bills ${w.count(before, 'day')} of the plan, ${later} ${w.count(after, 'day')}`;
}

/** The shorter one's share of the longer: a month of 28 days is no part of one of 31. */
const mostUnequal = 0.85;

/** The days of the longest plan fee, whichever way they are written; null without one. */
function planDays({ fees }: Invoice): number | null {
  const spans = (fees ?? []).flatMap(({ item, from_date, to_date }) => {
    const length = Date.parse(to_date ?? '') - Date.parse(from_date ?? '');
    return item?.type === 'subscription' && length > 0 ? Math.round(length / 86_400_000) : [];
  });
  return spans.length === 0 ? null : Math.max(...spans);
}

/** `Credit note SKY-1-CN001: order change`, with its description where no reason is known. Only the earlier invoice is named. */
function creditNotes({ note_reasons: reasons }: Reads, from: Invoice, to: Invoice): (string | null)[] {
  const notesOn = (invoice: Invoice) => creditsOf(invoice, 'credit_note').map(({ item }) => item);
  const notes = new Map(notesOn(from).map(note => [note.code, { note, on: ` on ${numberOf(from)}` }]));
  for (const note of notesOn(to)) notes.set(note.code, { note, on: notes.has(note.code) ? ' on both' : '' });
  return [...notes.values()].map(({ note: { code: number, svc_item_id, description }, on }) => {
    return w.say`Credit note ${w.code(number)}${on}: ${reasons?.[svc_item_id ?? ''] ?? w.quoted(description)}`;
  });
}

function headline({ from, to, isRunning }: Compared, cents: number, now: Date): string {
  const { currency } = to;
  const customer = from.customer ?? {};
  const other = to.customer ?? {};
  const of = (whose: typeof customer) => w.opt` for ${w.named(whose.name, whose.external_id)}`;
  const isOther = !isRunning && customer.external_id !== other.external_id;
  const subject = `${isRunning ? 'The current period so far' : `Invoice ${numberOf(to)}`}${of(isRunning ? customer : other)}`;
  const earlier = w.phrase`${numberOf(from)}${isOther ? of(customer) : null}`;
  const amount = (invoice: Invoice) =>
    w.phrase`${w.money(invoice.total_amount_cents, currency)}${w.say` on ${w.day(invoice.issuing_date, now)}`}`;
  const later = isRunning ? w.phrase`${w.money(to.total_amount_cents, currency)} in the preview` : amount(to);
  if (cents === 0) return `${subject} comes to the same as ${earlier}: ${amount(from)}, ${later}`;
  const size = w.money(Math.abs(cents), currency) ?? '';
  return `${subject} is ${size} ${cents > 0 ? 'higher' : 'lower'} than ${earlier}: ${amount(from)} → ${later}`;
}

function numberOf(invoice: Invoice): string {
  return w.code(invoice.number) ?? w.code(invoice.svc_id) ?? 'without a number';
}

/** What an invoice that is not finalized is worth in a comparison. */
function noteOf({ number, svc_id, status }: Invoice): string | null {
  const notes: Readonly<Record<string, string>> = {
    draft: 'is a draft whose amounts may still change',
    voided: 'is voided',
    failed: 'failed to issue',
    pending: 'is not issued yet',
  };
  return w.say`${w.code(number ?? svc_id)} ${notes[w.code(status) ?? ''] ?? null}`;
}

/** `new lines +$323.46, coupons −$23.25 and tax +$25.76 = +$326.00`; null where nothing differs. */
function causesOf(difference: InvoiceDifference, currency: unknown, tax: string): string | null {
  const whole = (change: LineChange) => sumOf(ofChange(difference.lines, change));
  const causes = [
    ['quantity', difference.quantity_cents],
    ['price', difference.price_cents],
    ['new lines', whole('new')],
    ['removed lines', whole('gone')],
    ['usage billed per event', whole('by_event')],
    ['lines not split into quantity and price', difference.undivided_cents],
    ['coupons', difference.coupons_cents],
    [tax, difference.taxes_cents],
    ['billed before', difference.already_billed_cents],
    ['credit notes', difference.credit_notes_cents],
    ['prepaid credits', difference.prepaid_cents],
    ['not explained by these amounts', difference.unexplained_cents],
  ] as const;
  const parts = causes.flatMap(([cause, cents]) =>
    cents === 0 ? [] : (w.say`${cause} ${signed(cents, currency)}` ?? []),
  );
  const sum = signed(difference.difference_cents, currency) ?? '';
  return parts.length === 0 ? null : w.phrase`${parts.join(', ')}${parts.length > 1 ? ` = ${sum}` : null}`;
}

/** `tax`, or `tax (2.9% → 7.25%)` where the rates differ. */
function taxCause(from: Invoice, to: Invoice): string {
  const [before, after] = [from, to].map(({ applied_taxes }) =>
    w.listed((applied_taxes ?? []).map(({ tax_rate }) => w.say`${w.quantity(tax_rate)}%`)),
  );
  return before && after && before !== after ? `tax (${before} → ${after})` : 'tax';
}

function ofChange(lines: readonly LineDifference[], change: LineChange): LineDifference[] {
  return lines.filter(line => line.change === change);
}

function sumOf(lines: readonly LineDifference[]): number {
  return lines.reduce((sum, { cents }) => sum + cents, 0);
}

/** `“Seats”: 8 → 10 units +$24.00, $12.00 → $13.00 each +$10.00`; null where only one invoice has the line. */
function lineText(line: LineDifference, currency: unknown): string | null {
  const { name, change, units, prices, cents, quantity_cents, price_cents } = line;
  if (change !== 'divided' && change !== 'undivided') return null;
  const unitsText = units === null ? null : w.say`${w.quantity(units[0])} → ${w.quantity(units[1])} units`;
  const amounts = w.say`${w.money(line.from_cents, currency)} → ${w.money(line.to_cents, currency)}`;
  if (change === 'undivided')
    return `${name}: ${[unitsText, amounts, signed(cents, currency)].filter(part => part !== null).join(', ')}`;
  const priceText =
    prices === null ? amounts : w.say`${w.major(prices[0], currency)} → ${w.major(prices[1], currency)} each`;
  const byQuantity =
    quantity_cents === 0 ? null : w.say`${unitsText ?? 'days of the period'} ${signed(quantity_cents, currency)}`;
  const byPrice = price_cents === 0 ? null : w.say`${priceText} ${signed(price_cents, currency)}`;
  return `${name}: ${[byQuantity, byPrice].filter(part => part !== null).join(', ')}`;
}

/** `+$24.00` or `−$10.00`. */
function signed(cents: number, currency: unknown): string | null {
  return w.say`${cents < 0 ? '−' : '+'}${w.money(Math.abs(cents), currency)}`;
}
