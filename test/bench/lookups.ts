/**
 * `npm run bench -- lookups [sqlite|postgres] [--quick]`: the time of the lists of customers and invoices in accounts of
 * 2,000 and 50,000 customers with four invoices each, on either database, with how many times longer the larger account
 * takes. Pages have 20 rows, except where the default of 100 is named; counts are exact. Prints the figures; it is not a
 * test. On one core, shared with the database's server: `taskset -c 0 npm run bench -- lookups`.
 */
import type { CustomerRecord, InvoiceRecord } from '../../src/engine/records/index.ts';
import { ownWorld, type World } from '../engine/service-world.ts';
import { customerRecord, invoiceRecord, storedFee } from '../engine/world.ts';
import { type Fresh, load, machine, onDatabases, print, timesOf, vacuum } from './figures.ts';

const options = process.argv.slice(2);
const quick = options.includes('--quick');
const RUNS = quick ? 9 : 31;
const WARM_UP = quick ? 3 : 8;
const SIZES = quick ? [2000, 10_000] : [2000, 50_000];
const INVOICES_OF_EACH = 4;
const BATCH = 5000;
const NOW = '2026-03-15T12:00:00.000Z';

/** Each list with its target in ms for the larger account, where it has one. */
const lists: [string, string, number?][] = [
  ['customers: first page', '/customers?'],
  ['customers: first page of 100', '/customers?per_page=100'],
  ['customers: text in few', '/customers?search_term=QUILL%2019', 60],
  ['customers: text in many', '/customers?search_term=corp', 60],
  ['customers: text in none', '/customers?search_term=no%20such%20text', 60],
  ['customers: external id', '/customers?external_id=customer-7'],
  ['customers: country', '/customers?countries[]=FR'],
  ['invoices: first page', '/invoices?'],
  ['invoices: first page of 100', '/invoices?per_page=100', 40],
  ['invoices: of a customer', '/customers/customer-7/invoices?', 40],
  ['invoices: finalized', '/invoices?status=finalized', 40],
  ['invoices: drafts', '/invoices?status=draft', 40],
  ['invoices: a month', '/invoices?issuing_date_from=2025-06-01&issuing_date_to=2025-06-30', 40],
  ['invoices: since a year', '/invoices?issuing_date_from=2025-03-15', 40],
  ['invoices: overdue', '/invoices?payment_overdue=true', 40],
  ['invoices: overdue of a customer', '/customers/customer-7/invoices?payment_overdue=true', 40],
  ['invoices: payment failed', '/invoices?payment_status=failed'],
  ['invoices: text in few numbers', '/invoices?search_term=inv-00197', 250],
  ['invoices: text in all numbers', '/invoices?search_term=inv', 250],
  ['invoices: text in customers', '/invoices?search_term=quill%2019', 250],
  ['invoices: text in none', '/invoices?search_term=no%20such%20text', 250],
  ['invoices: text of a customer', '/customers/customer-7/invoices?search_term=inv-000'],
];

print(machine);
print(`Through HTTP injection; median of ${RUNS} runs after ${WARM_UP} to warm up, in ms.`);
await onDatabases(options, report);

async function report(name: string, fresh: Fresh): Promise<void> {
  const medians: number[][] = [];
  for (const customers of SIZES) {
    const databaseUrl = await fresh();
    const opened = await filled(customers, databaseUrl);
    await vacuum(databaseUrl);
    medians.push([]);
    for (const [, path] of lists) medians.at(-1)?.push(await medianOf(opened, path));
    await opened.close();
  }
  const sizes = SIZES.map(size => size.toLocaleString('en-US').padStart(10)).join('');
  print(`\n${name.padEnd(36)}${sizes}    growth    target   (load ${load()})`);
  for (const [i, [label, , target]] of lists.entries()) {
    const times = medians.map(figures => figures[i] ?? 0);
    const growth = (times.at(-1) ?? 0) / (times[0] || 1);
    const shown = times.map(time => time.toFixed(1).padStart(10)).join('');
    print(`  ${label.padEnd(34)}${shown}${`${growth.toFixed(1)} x`.padStart(10)}${String(target ?? '').padStart(10)}`);
  }
}

async function medianOf(opened: World, path: string): Promise<number> {
  const asked = path.includes('per_page') ? path : `${path}&per_page=20`;
  return (await timesOf(() => opened.get(asked), RUNS, WARM_UP)).median;
}

async function filled(customers: number, databaseUrl: string | undefined): Promise<World> {
  const opened = await ownWorld({ customers: [] }, NOW, databaseUrl);
  for (let at = 0; at < customers; at += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, customers - at) }, (_, i) => at + i);
    await opened.account.insertMany('customers', numbers.map(customer));
    await opened.account.insertMany(
      'invoices',
      numbers.flatMap(n => Array.from({ length: INVOICES_OF_EACH }, (_, i) => invoice(n * INVOICES_OF_EACH + i))),
    );
  }
  return opened;
}

function customer(n: number): CustomerRecord {
  const words = ['Acme', 'Birch', 'Cobalt', 'Dune', 'Élan', 'Fjord', 'Quill', 'Zinc'];
  return customerRecord({
    id: idOf(1, n),
    external_id: `customer-${n}`,
    name: `${words[n % words.length]} ${n} ${n % 3 === 0 ? 'Corp' : 'Ltd'}`,
    legal_name: `${words[n % words.length]} ${n} Holding`,
    email: `accounts@${n}.example`,
    country: ['FR', 'DE', 'US', 'JP'][n % 4] ?? null,
    sequential_id: n,
    slug: `ORG-1-${n}`,
    created_at: momentOf(n),
  });
}

/** Of two years; nine of ten are finalized, and one of ten of these is overdue. */
function invoice(n: number): InvoiceRecord {
  const issued = momentOf(n);
  const unpaid = n % 10 === 3;
  return invoiceRecord([storedFee(12_345), storedFee(678)], {
    id: idOf(2, n),
    customer_id: idOf(1, Math.floor(n / INVOICES_OF_EACH)),
    number: `INV-${String(n).padStart(7, '0')}`,
    status: n % 10 === 0 ? ((['draft', 'voided'] as const)[(n / 10) % 2] ?? 'draft') : 'finalized',
    payment_status: unpaid ? (n % 20 === 3 ? 'failed' : 'pending') : 'succeeded',
    issuing_date: issued.slice(0, 10),
    payment_due_date: issued.slice(0, 10),
    created_at: issued,
    updated_at: issued,
  });
}

/** Spread over the two years before NOW, in an order that differs from that of the numbers. */
function momentOf(n: number): string {
  const minutes = (n * 7919) % (2 * 365 * 24 * 60);
  return new Date(Date.parse(NOW) - (minutes + 1) * 60_000).toISOString();
}

function idOf(kind: number, n: number): string {
  const hex = (n * 2_654_435_761) % 4_294_967_296;
  return `${hex.toString(16).padStart(8, '0')}-0000-4000-8${kind}00-${n.toString(16).padStart(12, '0')}`;
}
