/** What the link of a file holds, who may read it, and how far it goes. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { nobody } from '../../../src/definition/asking.ts';
import type { Caller } from '../../../src/definition/caller.ts';
import type { CallRecord, Observer } from '../../../src/server/logs/types.ts';
import type { Runtime } from '../../../src/server/runtime.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { ConfigError } from '../../../src/server/settings/settings.ts';
import { startRuntime } from '../../support/clients.ts';
import { factsOf } from '../../support/facts.ts';
import { type LookupWorld, meta, onOneDay, refusal, sharedWorld } from '../../tools/lookup-upstream.ts';

const world = await sharedWorld();
onOneDay();

const pageSize = 100;
let invoices: number;
/** So many records came in before those that were there, or left the list. */
let shift: number;
beforeEach(async () => {
  invoices = 3;
  shift = 0;
  await world.renew({});
  world.script(url => {
    if (url.pathname.endsWith('/customers/acme')) return { customer: { external_id: 'acme' } };
    if (!url.pathname.endsWith('/invoices')) return undefined;
    const page = Number(url.searchParams.get('page'));
    const size = Math.max(0, Math.min(pageSize, invoices - (page - 1) * pageSize));
    const rows = Array.from({ length: size }, (_, index) => invoice((page - 1) * pageSize + index - shift));
    return { invoices: rows, meta: meta(invoices, { page, pages: Math.ceil(invoices / pageSize) }) };
  });
});

const invoice = (number: number) => ({
  svc_id: `id-${number}`,
  number: `INV-${number}`,
  status: 'finalized',
  payment_status: 'succeeded',
  currency: 'EUR',
  total_amount_cents: 1000 + number,
  issuing_date: '2026-01-31',
  file_url: 'https://files.example.com/secret',
  customer: { external_id: 'acme', name: 'Acme', email: 'ada@acme.example' },
});

type Answer = Awaited<ReturnType<LookupWorld['call']>> & {
  csv: { uri: string; expires_at: string; rows?: number; rows_about?: number; file?: string; file_rows?: number };
};
const list = async (args: object = {}) => (await world.call('list_invoices', { ...args, format: 'csv' })) as Answer;
const told: string[] = [];
const read = (uri: string, caller: Caller = world.runtime.ownCaller()) =>
  world.runtime.pipeline.readFile(uri, { caller, client: nobody, progress: message => told.push(message) });
async function fileAt(uri: string, caller?: Caller) {
  const file = await read(uri, caller);
  if ('problem' in file) throw new Error(file.problem);
  return { ...file, rows: parse(file.csv, { columns: true }) as Record<string, string>[] };
}
const problemOf = async (uri: string, caller?: Caller) => {
  const file = await read(uri, caller);
  return 'problem' in file ? file.problem : 'it gave a file';
};

const numbersIn = (rows: Record<string, string>[]) => rows.map(({ number }) => number);
const first = (count: number) => Array.from({ length: count }, (_, index) => `INV-${index}`);
/** Another server of ours in front of the same billing API, until the test has ended. */
function another(env: Record<string, string>, observer: Observer = {}) {
  const settings = { BILLING_API_KEY: 'test-key', ...env };
  const runtime = startRuntime(`http://127.0.0.1:${world.port}`, settings, { observer });
  onTestFinished(() => runtime.close());
  return runtime;
}
async function linkFrom(runtime: Runtime): Promise<string> {
  const context = { caller: runtime.ownCaller(), client: nobody };
  const outcome = await runtime.pipeline.call('list_invoices', { format: 'csv' }, context);
  return (outcome as { answer: { link: { uri: string } } }).answer.link.uri;
}

describe('a list as a file', () => {
  it('answers the summary, the number of rows and a link for 15 minutes, and no rows', async () => {
    const answer = await list();
    expect(Object.keys(answer)).toEqual(['summary', 'csv']);
    expect(factsOf(answer.summary)).toBe(
      '3 · €30.03 · INV-0 · “Acme” · (acme) · €10.00 · INV-1 · “Acme” · (acme) · €10.01 · INV-2 · “Acme” · (acme) · €10.02 · 3 · 15',
    );
    expect(answer.csv).toMatchObject({ rows: 3, expires_at: '2026-11-23T12:15:00.000Z' });
  });

  it('is what the account holds when the link is read, and says so', async () => {
    const { csv } = await list();
    invoices = 4;
    const { rows, note, next } = await fileAt(csv.uri);
    expect(numbersIn(rows)).toEqual(first(4));
    expect(rows[0]).toMatchObject({ svc_id: 'id-0', total_amount_cents: '1000', total_amount_major: '10.00' });
    expect(note).toContain('4 rows of list_invoices, read at 2026-11-23T12:00');
    expect(note).toContain('These are the last.');
    expect(next).toBeUndefined();
  });

  it('has the filters of the call', async () => {
    const { csv } = await list({ external_customer_id: 'acme', payment_status: ['succeeded'] });
    world.asked.length = 0;
    await fileAt(csv.uri);
    expect(world.asked).toEqual(['/customers/acme/invoices?payment_status[]=succeeded&page=1&per_page=100']);
  });

  it('goes on at a further link after 5,000 rows, and tells how far it is', async () => {
    invoices = 5150;
    const { csv, summary } = await list();
    expect(csv.rows_about).toBe(5150);
    expect(factsOf(summary)).toContain('5,150 · 15 · 5,000');
    told.length = 0;
    world.asked.length = 0;
    const begun = await fileAt(csv.uri);
    expect(begun.rows.length).toBe(5000);
    expect(world.asked.length).toBe(50);
    expect(told.at(-1)).toBe('5,000 records read');
    expect(begun.note).toContain(`More follow, until 2026-11-23T12:15:00.000Z: ${begun.next}`);
    const second = await fileAt(begun.next ?? '');
    expect(second.next).toBeUndefined();
    expect(numbersIn([...begun.rows, ...second.rows])).toEqual(first(5150));
  });

  it.each([
    [1, 'another', '1 record arrived after'],
    [130, 'more than a page', '130 records arrived after'],
    [-1, 'one', '1 record of earlier parts left'],
    [-120, 'more than a page', '120 records of earlier parts left'],
  ])('goes on behind its last row where the list moved by %i (%s), and says so', async (by, _what, said) => {
    invoices = 5150;
    const begun = await fileAt((await list()).csv.uri);
    shift = by;
    invoices += by;
    const second = await fileAt(begun.next ?? '');
    expect(numbersIn([...begun.rows, ...second.rows])).toEqual(first(5150));
    expect(second.note.toLowerCase()).toContain(said.toLowerCase());
  });

  it('says that rows may be missing where its last row is nowhere near', async () => {
    invoices = 5150;
    const begun = await fileAt((await list()).csv.uri);
    shift = 1000;
    invoices += 1000;
    const second = await fileAt(begun.next ?? '');
    expect(second.note).toContain('missing or repeated: read it again');
  });

  it('begins with a byte order mark for Excel, also a further one', async () => {
    invoices = 5150;
    const answer = (await world.call('list_invoices', { format: 'csv_excel' })) as Answer;
    const begun = await read(answer.csv.uri);
    const second = await read(('next' in begun && begun.next) || '');
    for (const file of [begun, second]) expect('csv' in file && file.csv.startsWith('\uFEFF"svc_id"')).toBe(true);
    const plain = await read((await list()).csv.uri);
    expect('csv' in plain && plain.csv.startsWith('"svc_id"')).toBe(true);
  });

  it.each([
    ['page', { page: 2 }],
    ['per_page', { per_page: 50 }],
  ])('goes without %s, because it has all rows', async (name, args) => {
    const { summary, error } = await world.call('list_invoices', { ...args, format: 'csv' });
    expect(error?.code).toBe('invalid_arguments');
    expect(summary).toContain(`${name} cannot be used with format`);
    expect(world.asked).toEqual([]);
  });

  it.each([['xlsx'], [true], [['csv']]])('is CSV, and %j is refused', async format => {
    const { summary } = await world.call('list_invoices', { format });
    expect(summary).toContain('format must be "csv", "csv_excel"');
  });

  it.each([[null], ['']])('is not made for %j, which hosts send for what is left out', async format => {
    expect(await world.call('list_invoices', { format })).toHaveProperty('invoices');
  });

  it('is refused where the span ends before it begins', async () => {
    const span = { issuing_date_from: '2026-02-01', issuing_date_to: '2026-01-01' };
    expect((await list(span)).error?.code).toBe('invalid_arguments');
    expect(world.asked).toEqual([]);
  });

  it('says in words why a read failed, and gives no rows then', async () => {
    const { csv } = await list();
    world.script(() => refusal(403, 'read_action_not_allowed_for_invoice'));
    expect(await problemOf(csv.uri)).toMatch(/^list_invoices: .*read_action_not_allowed_for_invoice/);
  });
});

describe('the link of a file', () => {
  it('that ran out says so, and what to do', async () => {
    const { csv } = await list();
    vi.setSystemTime('2026-11-23T12:15:00Z');
    world.asked.length = 0;
    expect(await problemOf(csv.uri)).toContain('expired at 2026-11-23T12:15:00.000Z');
    expect(world.asked).toEqual([]);
  });

  it('that was altered in any part is refused, and nothing is read', async () => {
    const { csv } = await list();
    world.asked.length = 0;
    const [version, body = '', signature] = csv.uri.split('/').at(-1)!.split('.');
    const content = JSON.parse(Buffer.from(body, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...content, tool: 'list_payments' })).toString('base64url');
    for (const link of [`${version}.${forged}.${signature}`, `${version}.${body}.`, `${version}.${body}`, 'x', ''])
      expect(await problemOf(`billing://export/${link}`)).toContain('is not from this server');
    expect(world.asked).toEqual([]);
  });

  it('is refused to another caller, another key and other customers', async () => {
    const { csv } = await list();
    world.asked.length = 0;
    const own = world.runtime.ownCaller();
    const others: Caller[] = [
      { ...own, id: 'another' },
      { ...own, apiKey: 'another key' },
      { ...own, id: 'local for acme', customers: ['acme'] },
    ];
    for (const caller of others) expect(await problemOf(csv.uri, caller)).toContain('belongs to another caller');
    expect(world.asked).toEqual([]);
  });

  it('holds no more than the caller may do when it reads', async () => {
    const { csv } = await list();
    world.asked.length = 0;
    const own = world.runtime.ownCaller();
    expect(await problemOf(csv.uri, { ...own, scopes: new Set() })).toContain('it needs the scope billing:read');
    expect(await problemOf(csv.uri, { ...own, unbound: 'missing', customers: [] })).toContain(
      'the request has no customer token',
    );
    expect(world.asked).toEqual([]);
  });

  it('is read by every machine with the same key, each by its own settings', async () => {
    const made = another({});
    const context = { caller: made.ownCaller(), client: nobody };
    const uri = await linkFrom(made);
    const problem = (says: string) => ({ problem: expect.stringContaining(says) });
    const others: [env: Record<string, string>, file: object][] = [
      [{ BILLING_MASK: 'email' }, { csv: expect.any(String) }],
      [{ BILLING_EXCLUDE_TOOLS: 'list_invoices' }, problem('has not made it available')],
      [{ BILLING_STATE_KEY: 'another key of thirty-two characters' }, problem('is not from this server')],
    ];
    for (const [env, file] of others) expect(await another(env).pipeline.readFile(uri, context)).toMatchObject(file);
  });

  it('is in no record of a call, which logs and metrics are made of', async () => {
    const records: CallRecord[] = [];
    const runtime = another({}, { callEnded: record => void records.push(record) });
    const context = { caller: runtime.ownCaller(), client: nobody };
    const uri = await linkFrom(runtime);
    await runtime.pipeline.readFile(uri, context);
    await runtime.pipeline.readFile(uri, { ...context, caller: { ...context.caller, id: 'another' } });
    expect(records.map(({ tool, outcome: how, attempts }) => [tool, how, attempts])).toEqual([
      ['list_invoices', 'ok', 1],
      ['list_invoices', 'ok', 1],
      ['list_invoices', 'refused', 0],
    ]);
    expect(JSON.stringify(records)).not.toContain('export');
  });
});

describe('what a caller may not see', () => {
  it('is in no file: hidden fields are hidden, and links to documents are left out', async () => {
    await world.renew({ BILLING_MASK: 'email' });
    const customers = [{ external_id: 'acme', name: 'Acme', email: 'ada@acme.example', phone: '+49 30 1' }];
    world.script({
      '/customers': { customers, meta: meta(1) },
      '/invoices': { invoices: [invoice(1)], meta: meta(1) },
    });
    const answer = (await world.call('find_customers', { format: 'csv' })) as Answer;
    const { rows, csv } = await fileAt(answer.csv.uri);
    expect(rows[0]).toMatchObject({ external_id: 'acme', email: '[hidden]', phone: "'+49 30 1" });
    expect(csv).not.toContain('ada@');
    const ofInvoices = await fileAt((await list()).csv.uri);
    expect(ofInvoices.csv).not.toMatch(/ada@|https:/);
  });

  it('of other customers is in no file of a caller who is bound to one', async () => {
    await world.renew({ BILLING_CUSTOMER: 'acme' });
    const { csv } = await list({ external_customer_id: 'acme' });
    expect((await fileAt(csv.uri)).rows.length).toBe(3);
    const other = await list({ external_customer_id: 'globex' });
    expect(other.error).toBeDefined();
    expect(other.csv).toBeUndefined();
  });
});

describe('the folder for files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = join(mkdtempSync(join(tmpdir(), 'exports-')), 'files');
    await world.renew({ BILLING_EXPORT_DIR: folder });
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

  it('gets one file with all rows, which only its owner may read', async () => {
    invoices = 5150;
    const { csv, summary } = await list();
    const [name = ''] = readdirSync(folder);
    expect(name).toMatch(/^list_invoices-2026-11-23T120000Z-[0-9a-f]{6}\.csv$/);
    expect(csv).toMatchObject({ file: join(folder, name), file_rows: 5150 });
    expect(summary.endsWith(`5,150 rows are in ${join(folder, name)}.`)).toBe(true);
    expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    const rows = parse(readFileSync(join(folder, name)), { columns: true }) as Record<string, string>[];
    expect(numbersIn(rows)).toEqual(first(5150));
  });

  it('that takes no file is told, and the link is there', async () => {
    writeFileSync(folder, 'a file in the place of the folder');
    const { csv, summary } = await list();
    expect(csv).not.toHaveProperty('file');
    expect(summary).toContain('is not writable (EEXIST)');
    expect((await fileAt(csv.uri)).rows.length).toBe(3);
  });

  it('is for stdio alone', () => {
    expect(() => loadConfig(['--http', '--demo'], { BILLING_EXPORT_DIR: folder })).toThrow(ConfigError);
  });
});
