/** What must be true of the bill of every account. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../support/extent.ts';
import { previewOf, type Service, serve } from './file-service.ts';
import { anyAccount } from './random-account.ts';
import { ofSubscription } from './service-world.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
type Invoice = any;

async function invoiceOf(service: Service, body: unknown, at?: string): Promise<Invoice> {
  const answer = await service.post('/invoices/preview', body, at);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.invoice;
}

const sum = (all: Invoice[], field = 'amount_cents'): number => all.reduce((total, each) => total + each[field], 0);

it('a bill adds up: fees, coupons, taxes, credits and what is left', async () => {
  const property = fc.asyncProperty(anyAccount, async account => {
    const invoice = await invoiceOf(await serve(account), ofSubscription());
    const { fees, credits, applied_taxes } = invoice;
    expect(sum(fees)).toBe(invoice.fees_amount_cents);
    for (const fee of fees) expect(fee.total_amount_cents).toBe(fee.amount_cents + fee.taxes_amount_cents);
    // Each line is rounded, and the whole by itself (§11.2).
    const apart = Math.abs(sum(applied_taxes) - invoice.taxes_amount_cents);
    expect(apart * 2).toBeLessThanOrEqual(applied_taxes.length);
    const coupons = credits.filter((credit: Invoice) => credit.item.type === 'coupon');
    expect(sum(coupons)).toBe(invoice.coupons_amount_cents);
    const { sub_total_excluding_taxes_amount_cents: net, sub_total_including_taxes_amount_cents: gross } = invoice;
    expect(net).toBe(invoice.fees_amount_cents - invoice.coupons_amount_cents);
    expect(gross).toBe(net + invoice.taxes_amount_cents);
    const paid = invoice.credit_notes_amount_cents + invoice.prepaid_credit_amount_cents;
    expect(invoice.total_amount_cents).toBe(gross - paid);
    expect(
      Math.min(net, gross, invoice.total_amount_cents, ...fees.map((fee: Invoice) => fee.amount_cents)),
    ).toBeGreaterThanOrEqual(0);
  });
  await fc.assert(property, runs(80));
});

it('a bill stays the same until its period ends, while nothing is used', async () => {
  const property = fc.asyncProperty(anyAccount, async account => {
    const service = await serve(account);
    const before = await invoiceOf(service, ofSubscription());
    const { body } = await service.get('/subscriptions/sub');
    const end = body.subscription.current_billing_period_ending_at;
    if (end <= account.now) return;
    expect(billOf(await invoiceOf(service, ofSubscription(), end))).toEqual(billOf(before));
  });
  await fc.assert(property, runs(60));
});

// A proposal has no usage, and so no minimum of a charge (§12.5).
it('a proposal costs what the subscription costs that it becomes', async () => {
  const property = fc.asyncProperty(anyAccount, async account => {
    const { subscription, start } = account;
    const proposed = { customer: { external_id: 'acme' }, plan_code: 'plan', ...subscription };
    const before = { ...account, now: start, plan: { ...account.plan, charges: [] }, events: [] };
    const proposal = await previewOf({ ...before, subscription: null }, proposed);
    const stored = await previewOf(before);
    expect(proposal.status, JSON.stringify(proposal.body)).toBe(200);
    expect(billOf(proposal.body.invoice)).toEqual(billOf(stored.body.invoice));
  });
  await fc.assert(property, runs(60));
});

function billOf({ fees, credits, issuing_date, total_amount_cents, taxes_amount_cents }: Invoice) {
  const lines = fees.map(({ item, units, amount_cents, taxes_amount_cents: tax, from_date, to_date }: Invoice) => {
    return [item.type, item.code, units, amount_cents, tax, from_date, to_date].join(' ');
  });
  return { lines: lines.sort(), credits: sum(credits), issuing_date, total_amount_cents, taxes_amount_cents };
}

// An end on the first day after a period bills that period (§7.1).
it('a termination never bills more than the whole period', async () => {
  const property = fc.asyncProperty(anyAccount, async account => {
    const service = await serve(account);
    const { body } = await service.get('/subscriptions/sub');
    const { current_billing_period_started_at: started } = body.subscription;
    fc.pre(Date.parse(account.now) - Date.parse(started) >= 24 * 60 * 60 * 1000);
    const whole = await invoiceOf(service, ofSubscription());
    const ended = await invoiceOf(service, ofSubscription({ terminated_at: account.now }));
    expect(ended.fees_amount_cents).toBeLessThanOrEqual(whole.fees_amount_cents);
  });
  await fc.assert(property, runs(60));
});
