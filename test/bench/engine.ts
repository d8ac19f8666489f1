/**
 * `npm run bench -- engine [sqlite|postgres] [growth|wallets] [--quick]`: the time of a preview of 50 charges and of an
 * estimate over up to 1,000,000 events of the running period, on either database, with the exponent of its growth
 * (`growth`: only these); of the slowest charges by themselves; and of the ongoing balances of a page of 20 wallets of 20
 * customers with 10,000 events each, which is to take at most 500 ms (`wallets`: only these). Prints the figures; it is
 * not a test. On one core, shared with the database's server: `taskset -c 0 npm run bench -- engine`.
 *
 * Still slow when a single charge has all the events, because every event is read: minimums and maximums per transaction
 * in arrears (all values are needed), usage by property (read from the JSON of each event), distinct values, and, when
 * paid in advance, prorated charges, sums that fall, and unique counts with removals.
 */
import { ongoingBalances } from '../../src/service/operations/ongoing.ts';
import { loadAccountLists } from '../../src/service/store/account-lists.ts';
import { ofSubscription, type World } from '../engine/service-world.ts';
import {
  CHARGES,
  EVENTS_OF_EACH,
  fiftyCharges,
  NOW,
  oneCharge,
  pageOfWallets,
  WALLETS,
  worstCases,
} from './engine-accounts.ts';
import { type Fresh, load, machine, onDatabases, print, type Times, timesOf, vacuum } from './figures.ts';

const options = process.argv.slice(2);
const quick = options.includes('--quick');
const RUNS = quick ? 9 : 31;
const WARM_UP = quick ? 4 : 10;
const COUNTS = quick ? [25_000, 100_000] : [25_000, 100_000, 1_000_000];
/** Beyond this number of events a run takes seconds, and fewer of them are enough. */
const MANY = 100_000;
const MOST = 100_000;
const PAGE_TARGET_MS = 500;
const ESTIMATED = { code: 'm0', external_subscription_id: 'sub', properties: { value: 3, region: 'eu' } };

print(machine);
print(
  `Through HTTP injection; median and fastest of ${RUNS} runs after ${WARM_UP} to warm up (5 after 2 beyond 100,000 events), in ms.`,
);
await onDatabases(options, report);

async function report(name: string, fresh: Fresh): Promise<void> {
  if (!options.includes('wallets')) await reportGrowth(name, fresh);
  if (!options.includes('wallets') && !options.includes('growth')) await reportCharges(name, fresh);
  if (!options.includes('growth')) await reportWallets(name, fresh);
}

async function reportWallets(database: string, fresh: Fresh): Promise<void> {
  const opened = await settled(fresh, pageOfWallets);
  const figure = await measure(() => balances(opened));
  print(
    `${database}, a page of ${WALLETS} wallets of ${WALLETS} customers with ${size(EVENTS_OF_EACH).trim()} each, target ${PAGE_TARGET_MS} ms`,
  );
  print(`${'ongoing balances'.padStart(38)}   ${load().padStart(4)}   ${figure}`);
  await opened.close();
}

/** The exponent of 1 is time in proportion to the events, of 0 the same time however many there are. */
async function reportGrowth(database: string, fresh: Fresh): Promise<void> {
  print(`\n${database}, ${CHARGES} charges         load   preview            estimate`);
  const medians: { preview: number; estimate: number }[] = [];
  for (const count of COUNTS) {
    const opened = await settled(fresh, url => fiftyCharges(count, url));
    const few: [runs: number, warmUp: number] = count > MANY ? [5, 2] : [RUNS, WARM_UP];
    const figures = [
      await timesOf(() => preview(opened), ...few),
      await timesOf(() => estimate(opened), ...few),
    ] as const;
    medians.push({ preview: figures[0].median, estimate: figures[1].median });
    print(`${size(count)}          ${load().padStart(4)}   ${figures.map(shown).join('   ')}`);
    await opened.close();
  }
  const exponent = (what: 'preview' | 'estimate') => {
    const [first, last] = [medians[0]!, medians.at(-1)!];
    const growth = Math.log(last[what] / first[what]) / Math.log(COUNTS.at(-1)! / COUNTS[0]!);
    return growth.toFixed(2).padStart(6).padEnd(16);
  };
  print(`${'exponent of growth'.padStart(20)}                 ${exponent('preview')}   ${exponent('estimate')}`);
}

async function reportCharges(database: string, fresh: Fresh): Promise<void> {
  print(`${database}, one charge with ${size(MOST).trim()}`);
  for (const name of Object.keys(worstCases) as (keyof typeof worstCases)[]) {
    const opened = await settled(fresh, url => oneCharge(name, MOST, url));
    const figure = await measure(() => (name.endsWith('estimate') ? estimate(opened) : preview(opened)));
    print(`${name.padStart(38)}   ${load().padStart(4)}   ${figure}`);
    await opened.close();
  }
}

async function settled(fresh: Fresh, open: (url?: string) => Promise<World>): Promise<World> {
  const databaseUrl = await fresh();
  const opened = await open(databaseUrl);
  await vacuum(databaseUrl);
  return opened;
}

function preview(opened: World): Promise<{ status: number }> {
  return opened.post('/invoices/preview', ofSubscription());
}

/** All wallets of the account with their ongoing balances. */
async function balances({ account }: World): Promise<{ status: number }> {
  const lists = await loadAccountLists(account);
  const wallets = await account.find('wallets', {}, { limit: WALLETS });
  const { of } = await ongoingBalances(account, wallets, lists, NOW);
  const used = wallets.filter(wallet => of(wallet).ongoing_usage_balance_cents > 0);
  return { status: used.length === WALLETS ? 200 : 500 };
}

function estimate(opened: World): Promise<{ status: number }> {
  return opened.post('/events/estimate_fees', { event: ESTIMATED });
}

function shown({ median, fastest }: Times): string {
  return `${median.toFixed(1).padStart(6)} (${fastest.toFixed(1)})`.padEnd(16);
}

async function measure(work: () => Promise<{ status: number }>): Promise<string> {
  return shown(await timesOf(work, RUNS, WARM_UP));
}

function size(count: number): string {
  return `${count.toLocaleString('en-US')} events`.padStart(20);
}
