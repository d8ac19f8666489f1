/** Each list as a file, read back by another library and compared with what the list itself answers. */
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import { nobody } from '../../../src/definition/asking.ts';
import { exportable } from '../../../src/definition/define.ts';
import { isRecord, type JsonRecord } from '../../../src/lib/json.ts';
import { createRuntime, type Runtime } from '../../../src/server/runtime.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';

const lists: readonly (readonly [tool: string, args: JsonRecord])[] = [
  ['list_plans', {}],
  ['list_subscription_alerts', { external_id: demoIds.external_subscription_id }],
  ['find_customers', {}],
  ['list_subscriptions', {}],
  ['list_invoices', {}],
  ['list_invoices', { external_customer_id: demoIds.external_customer_id, payment_status: ['pending', 'failed'] }],
  ['list_credit_notes', {}],
  ['list_payments', {}],
  ['list_payments', { payment_status: ['failed'] }],
  ['get_statement', { external_customer_id: demoIds.external_customer_id }],
  ['get_revenue', { report: 'gross_revenue' }],
  ['get_revenue', { report: 'invoice_collection' }],
  ['get_revenue', { report: 'overdue' }],
  ['get_revenue', { report: 'receivables' }],
  ['list_wallets', {}],
  ['list_wallets', { external_customer_id: demoIds.external_customer_id }],
  ['list_wallet_transactions', { svc_id: demoIds.wallet_svc_id }],
  ['list_events', { per_page: 50 }],
  ['list_catalogue', { kind: 'coupons' }],
  ['list_catalogue', { kind: 'billable_metrics' }],
  ['list_catalogue', { kind: 'fees' }],
];

/** Nothing of it is in the demo account. */
const empty: typeof lists = [
  ['list_activity', {}],
  ['list_subscriptions', { ending_before: '2025-01-01' }],
  ['list_invoices', { issuing_date_from: '2031-01-01' }],
  ['list_events', { timestamp_from: '2031-01-01' }],
  ['get_revenue', { report: 'overdue', currency: 'KWD' }],
];

let runtime: Runtime;
beforeAll(() => {
  const { config } = loadConfig(['--demo', '--now', '2026-03-15T12:00:00Z'], { BILLING_MAX_RESULT_TOKENS: '1000000' });
  runtime = createRuntime({ config });
});
afterAll(() => runtime.close());

const contextOf = () => ({ caller: runtime.ownCaller(), client: nobody });

async function call(tool: string, args: object): Promise<JsonRecord & { csv?: { uri: string; rows: number } }> {
  const outcome = await runtime.pipeline.call(tool, args, contextOf());
  if (outcome.kind !== 'result') throw new Error(outcome.kind);
  return { summary: outcome.answer.summary, ...JSON.parse(JSON.stringify(outcome.answer.fields)) };
}

async function rowsAt(uri: string): Promise<Record<string, string>[]> {
  const file = await runtime.pipeline.readFile(uri, contextOf());
  if ('problem' in file) throw new Error(file.problem);
  return parse(file.csv, { columns: true, bom: true });
}

it('each list and report has a file, and nothing else has', () => {
  const names = toolDefinitions.filter(exportable).map(({ name }) => name);
  expect([...new Set([...[...lists, ...empty, ...usages].map(([name]) => name), 'check_invoice'])].sort()).toEqual(
    [...names].sort(),
  );
});

const ofAcme = { external_customer_id: demoIds.external_customer_id };
const usages: typeof lists = [
  ['get_usage', ofAcme],
  ['get_usage', { ...ofAcme, period: 'past', periods_count: 4 }],
  ['get_usage', { external_customer_id: 'gulf-radio' }],
];

describe.each(usages)('%s %j as a file', (tool, args) => {
  it('has a row for each part of each charge, whose amounts add up to those of the answer', async () => {
    const { usage } = (await call(tool, args)) as { usage: JsonRecord };
    const { csv } = await call(tool, { ...args, format: 'csv' });
    const read = await rowsAt(csv?.uri ?? '');
    expect(read.length).toBe(csv?.rows);
    const periods = (usage.usage_periods ?? [usage]) as JsonRecord[];
    expect(periods.length).toBeGreaterThan(0);
    for (const period of periods) {
      const rows = read.filter(({ from_datetime }) => from_datetime === period.from_datetime);
      const cents = rows.map(({ amount_cents }) => Number(amount_cents)).reduce((sum, amount) => sum + amount, 0);
      expect(cents).toBe(period.amount_cents);
      const charges = period.charges_usage as JsonRecord[];
      expect(rows.length).toBeGreaterThanOrEqual(charges.length);
      for (const { billable_metric_code, units } of charges.filter(charge => !charge.filters && !charge.grouped_usage))
        expect(rows).toContainEqual(expect.objectContaining({ billable_metric_code, units: String(units) }));
    }
  });
});

describe.each(lists)('%s %j as a file', (tool, args) => {
  it('has the rows of the list in their order, each value under its name', async () => {
    const definition = toolDefinitions.find(({ name }) => name === tool)!;
    const all = 'all' in definition.input.shape ? { all: true } : {};
    const { per_page: _, ...filters } = args;
    const list = await call(tool, { ...args, ...all });
    const { csv, [definition.result]: noRows } = await call(tool, { ...filters, format: 'csv' });
    const debts = args.report === 'overdue' || args.report === 'receivables';
    const shared = isRecord(list.every_row) ? list.every_row : {};
    const rows = (list[debts ? 'customers' : definition.result] as JsonRecord[]).map(row => ({ ...shared, ...row }));
    expect(noRows).toBeUndefined();
    const file = await rowsAt(csv?.uri ?? '');
    expect(file.length).toBe(csv?.rows);
    // A statement begins and ends with a balance, which are no lines.
    const read = file.filter(({ kind = '' }) => !kind.endsWith('_balance'));
    // An answer holds at most 50 events.
    if (tool === 'list_events') expect(read.length).toBeGreaterThanOrEqual(rows.length);
    else expect(read.length).toBe(rows.length);
    expect(rows.length).toBeGreaterThan(0);
    rows.forEach((row, index) => {
      const inFile = read[index]!;
      const plain = Object.entries(row).filter(
        // The list tells moments by the clocks of its customer.
        ([name, value]) => typeof value !== 'object' && !/_at$|^(timestamp|price)$/.test(name),
      );
      expect(plain.length).toBeGreaterThan(0);
      for (const [name, value] of plain) expect([name, unquoted(inFile[name])]).toEqual([name, String(value)]);
    });
  });
});

it('a statement as a file goes from the opening balance to the closing one, in both units', async () => {
  const of = { external_customer_id: 'sakura-games', from_date: '2026-01-02' };
  const { csv } = await call('get_statement', { ...of, format: 'csv' });
  const [opening, closing] = await rowsAt(csv?.uri ?? '');
  expect(Object.keys(opening ?? {}).slice(0, 7)).toEqual([
    'svc_id',
    'date',
    'latest_date',
    'kind',
    'number',
    'currency',
    'amount_cents',
  ]);
  const balance = { svc_id: '', currency: 'JPY', amount_cents: '', balance_cents: '77132', balance_major: '77132' };
  expect(opening).toMatchObject({ ...balance, date: '2026-01-02', kind: 'opening_balance' });
  expect(closing).toMatchObject({ ...balance, date: '2026-03-15', kind: 'closing_balance' });
});

it.each(empty)('%s %j, of which there is nothing, is a file with its header', async (tool, args) => {
  const { csv } = await call(tool, { ...args, format: 'csv' });
  expect(csv?.rows).toBe(0);
  const file = await runtime.pipeline.readFile(csv?.uri ?? '', contextOf());
  if ('problem' in file) throw new Error(file.problem);
  expect(file.csv).toMatch(/^"[a-z_.0-9]+"(,"[a-z_.0-9]+")+\r\n$/);
});

/** Without the apostrophe that keeps a spreadsheet from computing the cell. */
function unquoted(cell: string | undefined): string | undefined {
  return cell?.replace(/^'(?=[=+\-@\t\r])/, '');
}
