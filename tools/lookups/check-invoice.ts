/** Is an invoice right? It is computed again from the contract and the events, and compared line by line. */
import * as z from 'zod';
import type { Invoice } from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import { flag, idText, pathText } from '../../src/definition/args.ts';
import { defineLookup } from '../../src/definition/define.ts';
import { code, count, listed, money, quantity, quoted, say, sentences } from '../../src/words/summary.ts';
import type { CheckRecords, JudgedLine, Judgement } from '../invoice-check/check-records.ts';
import { readEvents } from '../invoice-check/event-pages.ts';
import { type Explanation, explainLine } from '../invoice-check/explain-line.ts';
import { asIssued } from '../invoice-check/later-changes.ts';
import {
  type ContractRecords,
  eventNeeds,
  type InvoiceRead,
  readContracts,
  readRunning,
} from '../invoice-check/read-records.ts';
import { type SuspiciousEvents, withSuspicions } from '../invoice-check/suspicious-events.ts';
import { judgeInvoice, nameOfLine } from '../invoice-check/verdicts.ts';
import { invoiceId } from '../records/invoice-number.ts';
import { readOne } from '../records/one-record.ts';

/** Characters of the rows. */
const mostText = 1_100;
/** So many differences are told one by one. */
const mostTold = 3;

export const checkInvoice = defineLookup({
  name: 'check_invoice',
  title: 'Check an invoice',
  toolset: 'invoices',
  endpoint: 'GET /invoices/{svc_id}',
  description:
    'Checks whether an issued invoice is right. Recomputes each line from the contract and the usage events, names what differs, suspicious events and the right total. With running, checks the preview of a subscription.',
  input: z
    .strictObject({
      svc_id: pathText().describe('Or its number').optional(),
      running: flag.optional().describe('Check the running period of external_subscription_id'),
      external_subscription_id: idText().optional().describe('Subscription to check with running'),
      lines: z.array(idText()).optional().describe('Names of the lines to check; default all'),
      explain: idText().optional().describe('Name of a line to explain by day, tier or event'),
    })
    .refine(args => (args.svc_id === undefined) === (args.running === true), {
      path: ['svc_id'],
      error: 'is required, unless running is set',
    })
    .refine(args => (args.external_subscription_id !== undefined) === (args.running === true), {
      path: ['external_subscription_id'],
      error: 'is required with running, and only then',
    }),
  async run(args, api) {
    const halfTime = api.timeLeft() / 2;
    const read = args.running
      ? await readRunning(api, args.external_subscription_id ?? '')
      : await readIssued(api, args.svc_id ?? '');
    if (!read.ok) return read;
    const { records: contracts, changes } = await asIssued(api, await readContracts(api, read.invoice));
    const wanted = [...(args.lines ?? []), ...(args.explain !== undefined && !args.lines ? [args.explain] : [])];
    const isWanted = (name: string, id?: string | null) =>
      wanted.length === 0 || wanted.some(each => names(each, name, id));
    const ids = new Set([...billedCharges(read.invoice, isWanted), ...namedCharges(contracts, isWanted)]);
    const needs = api.mayUse('list_events') ? eventNeeds(contracts, id => wanted.length === 0 || ids.has(id)) : null;
    const events = await readEvents(api, needs ?? [], halfTime);
    const records: CheckRecords = { ...contracts, ...events, readable: needs && new Set(needs.map(need => need.key)) };
    const { judged, events: suspicious } = withSuspicions(records, judgeInvoice(records));
    const all = judged.lines.filter(({ fee, svc_id }) => isWanted(fee, svc_id));
    const named = args.explain === undefined ? undefined : lineNamed(args.explain, all);
    const explanation = named && explainLine(records, named, judged.parts);
    const isWhole = wanted.length === 0;
    const sums = isWhole ? judged.sums : [];
    const rows = [...all, ...sums];
    const shown = shownLines(rows);
    const total = isWhole ? judged.total : { ...judged.total, expected: null, verdict: 'cannot_judge' as const };
    return {
      ok: true,
      body: {
        ...numberOf(read.invoice),
        lines: shown.map(rowOf),
        ...(rows.length > shown.length && { shown: `${shown.length} of ${rows.length}` }),
        total,
        ...(suspicious.length > 0 && { events: suspicious }),
        read: events.read,
        ...(explanation && { explanation }),
        for_summary: {
          invoice: read.invoice,
          judged: { ...judged, lines: all, sums, total },
          suspicious,
          changes,
          wanted,
          explain: args.explain,
          explanation,
        },
        for_export: { rows: rows.map(rowOf) },
        for_page: pageOf(read.invoice, rows),
      },
    };
  },
  result: 'lines',
  answer: 'made list',
  brief: 'fee verdict billed_amount_cents? expected_amount_cents|null reasons{level code text difference_cents?}',
  say: ({ for_summary }: { for_summary: ForSummary }) => describeCheck(for_summary),
});

/** The invoice with what the check says of its lines, and what is wrong besides: missing lines, sums and credits. */
function pageOf(invoice: Invoice, rows: readonly JudgedLine[]): object {
  const checks = new Map(rows.map(row => [row.line?.billed, rowOf(row)]));
  return {
    invoice: { ...invoice, fees: invoice.fees?.map(fee => ({ ...fee, check: checks.get(fee) })) },
    wrong_besides: rows.filter(({ line }) => !line?.billed).map(rowOf),
  };
}

interface ForSummary {
  readonly invoice: Invoice;
  readonly judged: Judgement;
  readonly suspicious: readonly SuspiciousEvents[];
  readonly changes: number | null;
  readonly wanted: readonly string[];
  readonly explain: string | undefined;
  readonly explanation: Explanation | undefined;
}

async function readIssued(api: Api, idOrNumber: string): Promise<InvoiceRead> {
  const resolved = await invoiceId(api, idOrNumber);
  if (!resolved.ok) return resolved;
  const answer = await readOne(api, 'invoice', resolved.svc_id);
  return answer.ok ? { ok: true, invoice: answer.body } : answer;
}

function numberOf({ number, currency }: Invoice): object {
  return { ...(number && { number }), ...(currency && { currency }) };
}

/** Is the line meant? By its svc_id, or by a part of its name. */
function names(wanted: string, name: string, svc_id: string | null | undefined): boolean {
  return wanted === svc_id || name.toLowerCase().includes(wanted.trim().toLowerCase());
}

type IsWanted = (name: string, id?: string | null) => boolean;

function billedCharges({ fees }: Invoice, isWanted: IsWanted): unknown[] {
  const wanted = (fees ?? []).filter(fee => isWanted(nameOfLine({ billed: fee, expected: null }), fee.svc_id));
  return wanted.map(({ svc_charge_id }) => svc_charge_id);
}

/** Charges of the contract, because their line may be missing on the invoice. */
function namedCharges({ contracts, metrics }: ContractRecords, isWanted: IsWanted): unknown[] {
  const charges = [...contracts.values()].flatMap(({ plan }) => plan.charges ?? []);
  const wanted = charges.filter(({ invoice_display_name, billable_metric_code }) =>
    isWanted(invoice_display_name || metrics.get(billable_metric_code ?? '')?.name || ''),
  );
  return wanted.map(({ svc_id }) => svc_id);
}

/** The line with this name, else the first one whose name contains it. */
function lineNamed(wanted: string, lines: readonly JudgedLine[]): JudgedLine | undefined {
  const exact = lines.find(({ fee }) => fee.toLowerCase() === wanted.trim().toLowerCase());
  return exact ?? lines.find(({ fee, svc_id }) => names(wanted, fee, svc_id));
}

/** What does not agree comes first. A file has all rows; an answer as many as its size allows. */
function shownLines(lines: readonly JudgedLine[]): JudgedLine[] {
  const rank = { differs: 0, cannot_judge: 1, agrees: 2 };
  const sorted = [...lines].sort(
    (a, b) => rank[a.verdict] - rank[b.verdict] || b.billed_amount_cents - a.billed_amount_cents,
  );
  let left = mostText;
  return sorted.filter((line, i) => {
    left -= JSON.stringify(rowOf(line)).length;
    return i === 0 || left > 0;
  });
}

function rowOf({ fee, verdict, billed_amount_cents, expected_amount_cents, reasons }: JudgedLine): object {
  const billed = billed_amount_cents === expected_amount_cents ? undefined : billed_amount_cents;
  return { fee, verdict, billed_amount_cents: billed, expected_amount_cents, reasons };
}

function describeCheck({ invoice, judged, suspicious, changes, wanted, explain, explanation }: ForSummary): string {
  const { currency } = invoice;
  const { lines, sums, total } = judged;
  const of = (verdict: JudgedLine['verdict']) => [...lines, ...sums].filter(each => each.verdict === verdict);
  const [differing, open] = [of('differs'), of('cannot_judge')];
  const name = invoice.svc_id ? `Invoice ${code(invoice.number) ?? ''}` : 'The running period’s invoice';
  const unread = open.filter(({ reasons }) => reasons.some(({ code: why }) => why === 'events_not_read'));
  return sentences(
    verdictSentence(name, judged, currency, wanted.length > 0),
    ...differing.slice(0, mostTold).map(line => say`${quoted(line.fee)}: ${differenceOf(line, currency)}`),
    differing.length > mostTold &&
      `${count(differing.length - mostTold, 'more line')} differ${differing.length === mostTold + 1 ? 's' : ''}`,
    open.length > 0 && say`Cannot be judged: ${listed(open.map(whyOpen), 3)}`,
    unread.length > 0 &&
      say`Call again with lines: ${listed(
        unread.map(({ fee }) => quoted(fee) ?? ''),
        5,
      )}`,
    ...suspicious.map(each => suspicionSentence(each, currency)),
    payback(invoice, total),
    changesSentence(changes, differing),
    explanation?.price.replace(/\.$/, ''),
    explain !== undefined && !explanation && say`No line is called ${quoted(explain)}`,
  );
}

function whyOpen({ fee, reasons }: JudgedLine): string {
  return `${quoted(fee)} (${(reasons.at(-1)?.text ?? '').replace(/\.$/, '')})`;
}

function verdictSentence(
  name: string,
  { lines, total }: Judgement,
  currency: unknown,
  narrowed: boolean,
): string | null {
  const agreeing = lines.filter(({ verdict }) => verdict === 'agrees').length;
  const counted = `${quantity(agreeing)} of ${count(lines.length, 'line')} agree${agreeing === 1 || lines.length === 1 ? 's' : ''} with arithmetic, contract and usage`;
  if (narrowed) return say`${name}: ${counted}. The total was not checked`;
  const billed = money(total.billed, currency);
  if (total.verdict === 'agrees') return say`${name} is right: ${billed}. ${counted}`;
  if (total.verdict === 'cannot_judge') return say`${name} cannot be confirmed in full: ${billed} billed. ${counted}`;
  if (total.expected === null)
    return say`${name} has mistakes, and other parts cannot be judged: ${billed} billed. ${counted}`;
  const difference = total.billed - total.expected;
  if (difference === 0) return say`${name} has mistakes, but its total of ${billed} is right. ${counted}`;
  return say`${name} is billed ${money(Math.abs(difference), currency)} too ${difference > 0 ? 'much' : 'little'}: ${billed}, not ${money(total.expected, currency)}. ${counted}`;
}

function differenceOf(
  { billed_amount_cents: billed, expected_amount_cents: right, reasons }: JudgedLine,
  currency: unknown,
) {
  const why = reasons.map(({ level, text }) => `${text.replace(/\.$/, '')} (${level})`).join('; ');
  return right === null || right === billed
    ? why
    : say`${money(billed, currency)}, should be ${money(right, currency)}. ${why}`;
}

const suspicionWords = {
  repeated: 'arrived twice',
  received_late: 'arrived after the invoice was issued',
  no_value: 'arrived without the property that is summed',
  very_large: 'had more than ten times the median',
};

function suspicionSentence(
  { why, code: metric, count: events, transaction_ids, total_without_cents }: SuspiciousEvents,
  currency: unknown,
) {
  return say`${count(events, 'event')} of ${code(metric)} ${suspicionWords[why]} (${listed(transaction_ids.map(id => code(id) ?? ''))}); without them, the total is ${money(total_without_cents, currency)}`;
}

/** What to give back, of an invoice that is paid. No tool does it. */
function payback(
  { payment_status, currency }: Invoice,
  { billed, expected, verdict }: Judgement['total'],
): string | null {
  const more = expected === null ? 0 : billed - expected;
  if (verdict !== 'differs' || more <= 0 || payment_status !== 'succeeded') return null;
  return say`It is paid: ${money(more, currency)} must be given back, which no tool here can do`;
}

function changesSentence(changes: number | null, differing: readonly JudgedLine[]): string | null {
  if (changes === null)
    return differing.some(({ reasons }) => reasons.some(({ level }) => level === 'contract'))
      ? 'The activity log could not be read, so later changes of the contract cannot be excluded'
      : null;
  return changes === 0
    ? null
    : `${count(changes, 'later change')} of the contract ${changes === 1 ? 'was' : 'were'} undone for this check`;
}
