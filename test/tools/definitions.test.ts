/**
 * The words of sums mean what docs/definitions.md says: the sums of the demo account, made here from its stored records by
 * the definitions alone, stand in the sentences of every tool that uses the word.
 */
import Big from 'big.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resultOf } from '../../src/calls/dispatch.ts';
import { definitions, definitionsText } from '../../src/contract/definitions.ts';
import { nobody } from '../../src/definition/asking.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { createRuntime, type Runtime } from '../../src/server/runtime.ts';
import { loadConfig } from '../../src/server/settings/load.ts';
import { type RunningService, startService } from '../../src/service/start.ts';
import { formatMoney } from '../../src/words/money.ts';

const now = '2026-03-15T12:00:00Z';

let service: RunningService;
let runtime: Runtime;
let invoices: readonly JsonRecord[];
let notes: readonly JsonRecord[];
beforeAll(async () => {
  service = await startService({ account: 'demo', now, onWarning: () => {} });
  const settings = { BILLING_BASE_URL: service.baseUrl, BILLING_API_KEY: service.apiKey };
  runtime = createRuntime({ config: { ...loadConfig([], settings, { embedded: true }).config, now } });
  const tables = await service.snapshot();
  [invoices, notes] = [Object.values(tables.invoices ?? {}), Object.values(tables.credit_notes ?? {})];
});
afterAll(async () => {
  await runtime.close();
  await service.close();
});

async function answerTo(tool: string, args: object): Promise<JsonRecord & { summary: string }> {
  const outcome = await runtime.pipeline.call(tool, args, { caller: runtime.ownCaller(), client: nobody });
  if (outcome.kind !== 'result') throw new Error(`${tool} asked`);
  return resultOf(outcome.answer).structuredContent as JsonRecord & { summary: string };
}

type Sum = (invoice: JsonRecord) => Big;
const cents = (field: string) => (record: JsonRecord) => new Big(String(record[field]));
const ofNotes = (field: string) => (invoice: JsonRecord) =>
  notes
    .filter(note => note.invoice_id === invoice.id && note.status === 'finalized')
    .reduce((sum, note) => sum.plus(cents(field)(note)), new Big(0));

interface Part {
  currency: string;
  /** The parts of one row are added up before they are rounded. */
  row: string;
  cents: Big;
}

/** `€1.00, ¥2 and $3.00`; undefined without a part. */
function textOf(parts: readonly Part[]): string | undefined {
  const currencies = [...new Set(parts.map(({ currency }) => currency))].sort();
  const texts = currencies.map(currency => {
    const rows = new Map<string, Big>();
    for (const { row, cents, currency: own } of parts)
      if (own === currency) rows.set(row, (rows.get(row) ?? new Big(0)).plus(cents));
    const whole = [...rows.values()].reduce((sum, each) => sum.plus(each.round(0, Big.roundHalfUp)), new Big(0));
    return formatMoney(whole.toNumber(), currency);
  });
  return texts.length > 1 ? `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}` : texts[0];
}

function sumText(counts: (invoice: JsonRecord) => boolean, sum: Sum): string | undefined {
  const counted = invoices.filter(counts);
  return textOf(counted.map(each => ({ currency: String(each.currency), row: '', cents: sum(each) })));
}

const isFinalized = ({ status, self_billed }: JsonRecord) => status === 'finalized' && self_billed !== true;
const isInvoiced = (invoice: JsonRecord) => isFinalized(invoice) && invoice.payment_dispute_lost_at === null;
const isOutstanding = (invoice: JsonRecord) => isFinalized(invoice) && invoice.payment_status !== 'succeeded';
const isOverdue = (invoice: JsonRecord) =>
  isOutstanding(invoice) && isInvoiced(invoice) && String(invoice.payment_due_date) < now.slice(0, 10);
const isDue: Sum = invoice =>
  cents('total_amount_cents')(invoice)
    .minus(cents('total_paid_amount_cents')(invoice))
    .minus(ofNotes('offset_amount_cents')(invoice));
const isBilled: Sum = invoice => cents('total_amount_cents')(invoice).minus(ofNotes('refund_amount_cents')(invoice));
const usageOf = (invoice: JsonRecord): Part[] =>
  (invoice.fees as JsonRecord[])
    .filter(({ charge_id }) => charge_id !== null)
    .map(({ item, created_at, ...fee }) => ({
      currency: String(invoice.currency),
      row: `${(item as JsonRecord).code} ${String(created_at).slice(0, 7)}`,
      cents: cents('amount_cents')(fee).minus(cents('precise_coupons_amount_cents')(fee)),
    }));
const countsUsage = (invoice: JsonRecord) => invoice.self_billed !== true && invoice.payment_dispute_lost_at === null;
const isTopUp = ({ invoice_type }: JsonRecord) => invoice_type === 'credit';

/** What the definitions make of the account, or of one customer. */
function sums(of: (invoice: JsonRecord) => boolean = () => true) {
  const total = cents('total_amount_cents');
  return {
    invoiced: sumText(each => of(each) && isInvoiced(each), total),
    topUps: sumText(each => of(each) && isInvoiced(each) && isTopUp(each), total),
    billed: sumText(each => of(each) && isInvoiced(each), isBilled),
    collected: sumText(each => of(each) && isInvoiced(each) && each.payment_status === 'succeeded', total),
    outstanding: sumText(each => of(each) && isOutstanding(each), isDue),
    overdue: sumText(each => of(each) && isOverdue(each), isDue),
    usage: textOf(invoices.filter(each => of(each) && countsUsage(each)).flatMap(usageOf)),
    ofMonth: sumText(each => of(each) && isInvoiced(each) && String(each.issuing_date).startsWith('2026-03'), isBilled),
  };
}

type Sums = ReturnType<typeof sums>;

describe('the sentences about the account', () => {
  it.each<[tool: string, args: JsonRecord, said: (sums: Sums) => string[]]>([
    [
      'list_invoices',
      { all: true },
      all => [
        `: ${all.invoiced} invoiced, including ${all.topUps} for wallet top-ups; ${all.outstanding} owed on `,
        `, with ${all.overdue} overdue on `,
      ],
    ],
    [
      'get_revenue',
      { report: 'gross_revenue' },
      all => [
        `${all.billed} billed in the last 12 months; ${all.ofMonth} of it this month so far`,
        `${all.topUps} of this is for wallet top-ups`,
        definitions.billed.reportSentence,
      ],
    ],
    [
      'get_revenue',
      { report: 'invoice_collection' },
      all => [
        `Of ${all.invoiced} invoiced in the last 12 months: `,
        ` ${all.collected} collected`,
        definitions.collected.reportSentence,
      ],
    ],
    [
      'get_revenue',
      { report: 'invoiced_usage' },
      all => [
        `Usage invoiced in the last 12 months: ${all.usage}, as of today`,
        definitions['usage invoiced'].reportSentence,
      ],
    ],
    [
      'get_revenue',
      { report: 'overdue' },
      all => [`: ${all.overdue} owed in all.`, definitions.overdue.reportSentence],
    ],
    ['get_revenue', { report: 'mrr' }, () => ['MRR of Mar 2026 so far: ', definitions.MRR.reportSentence]],
  ])('of %s %j', async (tool, args, said) => {
    const { summary, ...answer } = await answerTo(tool, args);
    for (const part of said(sums())) expect(summary).toContain(part);
    if (tool === 'get_revenue') expect(answer).toMatchObject({ definitions: 'billing://definitions' });
    // Of nothing but the running month and period.
    expect(summary.match(/\S+ \S+ so far/g) ?? []).toEqual(
      args.report === 'mrr' ? ['Mar 2026 so far'] : args.report === 'gross_revenue' ? ['this month so far'] : [],
    );
  });

  it('of MRR are those of plan fees with tax, after coupons, where plans are monthly', async () => {
    const monthly = invoices.filter(isInvoiced).flatMap(({ fees, currency, issuing_date }) =>
      (fees as JsonRecord[])
        .filter(({ item }) => (item as JsonRecord).type === 'subscription')
        .map(fee => ({
          currency,
          month: String(issuing_date).slice(0, 7),
          amount_cents: Number(
            cents('amount_cents')(fee)
              .minus(cents('precise_coupons_amount_cents')(fee))
              .plus(cents('taxes_amount_cents')(fee))
              .round(0, Big.roundHalfUp),
          ),
        })),
    );
    const { revenue } = await answerTo('get_revenue', { report: 'mrr' });
    const shown = (revenue as JsonRecord[]).filter(({ currency }) => currency !== 'JPY');
    const expected = monthly.filter(({ currency }) => currency !== 'JPY');
    expect(shown).toEqual(expect.arrayContaining(expected));
    expect(shown).toHaveLength(expected.length);
    expect(shown.length).toBeGreaterThan(1);
  });

  it('of each customer are the same in the list, the reports and the overview', async () => {
    const customers = Object.values((await service.snapshot()).customers ?? {});
    for (const { id, external_id } of customers) {
      const own = sums(({ customer_id }) => customer_id === id);
      const of = { external_customer_id: String(external_id) };
      const listed = await answerTo('list_invoices', { ...of, all: true });
      const report = await answerTo('get_revenue', { ...of, report: 'gross_revenue' });
      const overview = await answerTo('get_customer_overview', of);
      // Where all of them are overdue, only that is told.
      if (own.invoiced && !/ owed( in all|, due)/.test(listed.summary))
        expect(listed.summary).toContain(`: ${own.invoiced} invoiced`);
      if (!own.invoiced) expect(listed.summary).not.toMatch(/\d invoiced/);
      if (own.billed) expect(report.summary).toContain(`${own.billed} billed to `);
      else expect(report.summary).toMatch(/^Nothing was billed/);
      if (own.outstanding) expect(overview.summary).toContain(`${own.outstanding} is owed on `);
      else expect(overview.summary).toContain('Nothing is owed');
      if (own.outstanding) expect(listed.summary).toContain(`${own.outstanding} owed`);
    }
    expect(customers.length).toBeGreaterThan(3);
  });
});

describe('a moment', () => {
  it('has one day, that of the customer, in the overview and in the list', async () => {
    const of = { external_customer_id: 'acme-podcasts' };
    const moment = '28 Feb 2027, 19:00 in America/New_York (1 Mar 2027, 00:00 UTC)';
    expect((await answerTo('get_customer_overview', of)).summary).toContain(`, expiring on ${moment}`);
    expect((await answerTo('list_wallets', of)).summary).toContain(`on ${moment}`);
  });
});

describe('the definitions', () => {
  it('name what finance asks for: each word, tax, top-ups, credit notes, months', () => {
    const page = definitionsText().toLowerCase();
    for (const word of ['invoiced', 'billed', 'collected', 'gross', 'net', 'mrr', 'overdue', 'outstanding'])
      expect(page, word).toContain(`**${word}**`);
    for (const word of ['tax', 'top-ups', 'credit notes', 'utc', 'a month without a row is 0', 'so far'])
      expect(page, word).toContain(word);
  });
});
