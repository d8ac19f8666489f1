/** `check_invoice` on invoices of random accounts, as the embedded service bills them and with one mistake each. */
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { isTrueUp } from '../../src/words/true-up.ts';
import type { JudgedLine, Judgement } from '../../tools/invoice-check/check-records.ts';
import { checkInvoice } from '../../tools/lookups/check-invoice.ts';
import { type Case, type Entry, type Service, serve } from '../engine/file-service.ts';
import { type AnyAccount, anyAccount } from '../engine/random-account.ts';
import { ofSubscription } from '../engine/service-world.ts';
import { apiOf, getOf } from '../support/api.ts';
import { runs } from '../support/extent.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
type Loose = any;

const number = 'INV-1';

/** The account without wallets, whose payments are no part of a bill, and with coupons from its first day. */
function billable(account: AnyAccount): AnyAccount & Required<Pick<Case, 'rest' | 'customer'>> {
  const applied = (account.customer?.applied_coupons ?? []) as Entry[];
  // One after the other: they are used in this order.
  const at = (i: number) => Temporal.Instant.from(account.start).add({ seconds: i }).toString();
  return {
    ...account,
    customer: { ...account.customer, applied_coupons: applied.map((each, i) => ({ ...each, created_at: at(i) })) },
    rest: { ...account.rest, wallets: [] },
  };
}

/** The bill of the running period, as an entry of an account file. */
async function issuedEntry(account: AnyAccount): Promise<{ entry: Loose; now: string; cents: Map<Loose, number> }> {
  const service = await serve(account);
  const { invoice } = (await service.post('/invoices/preview', ofSubscription())).body;
  const { subscription } = (await service.get('/subscriptions/sub')).body;
  const { plan } = (await service.get('/plans/plan')).body;
  const { current_billing_period_started_at: from, current_billing_period_ending_at: to } = subscription;
  const created = Temporal.Instant.from(to).add({ seconds: 1 }).toString();
  const entry = {
    ...{ external_customer_id: 'acme', number, issuing_date: created.slice(0, 10), created_at: created },
    fees: invoice.fees.map((fee: Loose) => feeEntry(fee, invoice.fees, plan)),
    billing_periods: [{ external_subscription_id: 'sub', from, to }],
    coupons: invoice.credits
      .filter(({ amount_cents }: Loose) => amount_cents > 0)
      .map(({ item, amount_cents }: Loose) => ({ code: item.code, amount_cents })),
  };
  const cents = new Map<Loose, number>(entry.fees.map((fee: Loose, i: number) => [fee, invoice.fees[i].amount_cents]));
  return { entry, now: Temporal.Instant.from(created).add({ hours: 1 }).toString(), cents };
}

function feeEntry(fee: Loose, fees: Loose[], plan: Loose): Loose {
  const { item, units, events_count, from_date, to_date, amount_details } = fee;
  const of = (list: Loose[], id: string) => list.find(({ svc_id }) => svc_id === id)?.code;
  const isTopUp = item.type === 'commitment' || isTrueUp(fee, fees);
  return {
    ...{ type: item.type, external_subscription_id: 'sub', units, from_date, to_date },
    ...(amount_details && { amount_details }),
    ...{ unit_amount: fee.precise_unit_amount, events_count: events_count ?? 0 },
    // What tops up to a minimum is the difference of two rounded amounts.
    amount: isTopUp ? String(fee.amount_cents / 100) : fee.precise_amount,
    ...(item.type === 'charge' && { charge_code: of(plan.charges, fee.svc_charge_id) }),
    ...(item.type === 'fixed_charge' && { fixed_charge_code: of(plan.fixed_charges, fee.svc_fixed_charge_id) }),
    ...(item.type === 'charge' &&
      isTopUp && {
        true_up_of: fees.findIndex(other => other !== fee && other.svc_charge_id === fee.svc_charge_id),
      }),
  };
}

interface Checked {
  total: Judgement['total'];
  rows: JudgedLine[];
  read: { events: number };
}

async function check(service: Service, now: string): Promise<Checked> {
  const get = getOf(address => service.get(address));
  const read: Loose = await checkInvoice.run({ svc_id: number }, apiOf({ now: new Date(now), get }));
  expect(read.ok, JSON.stringify(read)).toBe(true);
  const { judged } = read.body.for_summary;
  return { total: judged.total, rows: [...judged.lines, ...judged.sums], read: read.body.read };
}

/** Changes the entry or the account. Says which line is then wrong, and null where there is nothing to change. */
type Mistake = (entry: Loose, account: Loose, at: number) => Loose | 'Coupons' | null;

const isTopped = ({ fees }: Loose) => fees.some(({ true_up_of }: Loose) => true_up_of !== undefined);
const mistakes: Record<string, Mistake> = {
  amount: ({ fees }, _, at) => {
    const fee = fees[at % fees.length];
    fee.amount = (Number(fee.amount) + 1 + (at % 9)).toFixed(2);
    return fee;
  },
  'missing line': (entry, _, at) => {
    const priced = entry.fees.filter(({ amount }: Loose) => Number(amount) >= 0.01);
    const fee = priced[at % priced.length];
    // A line and its minimum name each other by their positions, and an invoice has a line.
    if (!fee || entry.fees.length < 2 || isTopped(entry)) return null;
    entry.fees = entry.fees.filter((each: Loose) => each !== fee);
    return fee;
  },
  units: ({ fees }, _, at) => {
    const used = fees.filter(({ type, true_up_of }: Loose) => type === 'charge' && true_up_of === undefined);
    if (used.length === 0) return null;
    const fee = used[at % used.length];
    fee.units = String(Number(fee.units) + 1 + (at % 5));
    return fee;
  },
  tax: ({ fees }, { rest }, at) => {
    const priced = fees.filter(({ amount }: Loose) => Number(amount) >= 20);
    if (priced.length === 0) return null;
    rest.taxes.push({ code: 'other', name: 'Other', rate: '7' });
    return Object.assign(priced[at % priced.length], { tax_codes: ['other'] });
  },
  coupon: entry => {
    if (entry.coupons.length === 0) return null;
    entry.coupons = entry.coupons.slice(1);
    return 'Coupons';
  },
};

it('agrees with what the service bills, and names a mistake with its line and the right amount', async () => {
  const counted: Record<string, number> = {};
  const property = fc.asyncProperty(
    anyAccount,
    fc.option(fc.constantFrom(...Object.keys(mistakes)), { freq: 2 }),
    fc.nat({ max: 99 }),
    async (any, kind, at) => {
      const account = billable(any);
      const { entry, now, cents } = await issuedEntry(account);
      const wrong = kind === null ? null : (mistakes[kind]?.(entry, account, at) ?? null);
      fc.pre(entry.fees.length > 0 && (wrong !== null) === (kind !== null));
      // A coupon may take off more than is left of wrong lines.
      if (kind !== null && kind !== 'coupon') entry.coupons = [];
      const stored = { ...account, now, rest: { ...account.rest, invoices: [entry] } };
      const { total, rows, read } = await check(await serve(stored), now);
      const said = JSON.stringify({ entry, total, rows: rows.map(({ line: _, ...row }) => row) });
      counted[kind ?? 'right'] = (counted[kind ?? 'right'] ?? 0) + 1;
      const verdicts = rows.map(({ verdict }) => verdict);
      if (kind === null) expect([total.verdict, verdicts], said).toEqual(['agrees', rows.map(() => 'agrees')]);
      else expect(total.verdict, said).not.toBe('agrees');
      // A charge whose usage the account no longer holds is not called wrong.
      if (kind === null || (read.events === 0 && wrong.type !== 'subscription')) return;
      const right = wrong === 'Coupons' ? null : cents.get(wrong);
      const named = rows.filter(({ verdict }) => verdict === 'differs');
      const isNamed = named.some(row => (right === null ? row.fee === wrong : row.expected_amount_cents === right));
      expect(isNamed, said).toBe(true);
    },
  );
  await fc.assert(property, runs(200));
  // Both kinds of cases came up.
  expect(counted.right).toBeGreaterThan(0);
  expect(Object.keys(counted).length).toBeGreaterThan(1);
});
