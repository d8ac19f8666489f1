import { describe, expect, it } from 'vitest';
import { type Entry, previewOf } from './file-service.ts';
import { ofSubscription } from './service-world.ts';

describe('issuing and due dates (§11.6): billed on 1 April, grace 3, 10 days to pay, through the running service', () => {
  const end = 'current_period_end';
  const next = 'next_period_start';
  const align = 'align_with_finalization_date';
  const keep = 'keep_anchor';
  it.each([
    [end, keep, 3, '2026-03-31'],
    [end, keep, 0, '2026-03-31'],
    [end, align, 3, '2026-04-04'],
    [end, align, 0, '2026-03-31'],
    [next, keep, 3, '2026-04-01'],
    [next, keep, 0, '2026-04-01'],
    [next, align, 3, '2026-04-04'],
    [next, align, 0, '2026-04-01'],
  ])(
    '%s, %s, grace %d: %s; a termination and a first invoice in advance on the 10th: only the grace counts',
    async (anchor, adjustment, grace, issued) => {
      const entity = {
        invoice_grace_period: grace,
        net_payment_term: 10,
        subscription_invoice_issuing_date_anchor: anchor,
        subscription_invoice_issuing_date_adjustment: adjustment,
      };
      const given = { now: '2026-03-10T12:00:00Z', entity, plans: [{ code: 'first', pay_in_advance: true }] };
      const plus = (day: string, days: number) =>
        new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
      const dates = ({ body }: { body: { invoice: Entry } }) => [
        body.invoice.issuing_date,
        body.invoice.payment_due_date,
      ];
      expect(dates(await previewOf(given))).toEqual([issued, plus(issued, 10)]);
      const ofTenth = [plus('2026-03-10', grace), plus('2026-03-10', grace + 10)];
      expect(dates(await previewOf(given, ofSubscription({ terminated_at: '2026-03-10T12:00:00Z' })))).toEqual(ofTenth);
      expect(dates(await previewOf(given, { plan_code: 'first', customer: { external_id: 'acme' } }))).toEqual(ofTenth);
    },
  );

  it('the customer’s own settings come first', async () => {
    const entity = { invoice_grace_period: 3, net_payment_term: 10 };
    const customer = {
      invoice_grace_period: 1,
      net_payment_term: 0,
      subscription_invoice_issuing_date_adjustment: keep,
      subscription_invoice_issuing_date_anchor: end,
    };
    const { body } = await previewOf({ now: '2026-03-10T12:00:00Z', entity, customer });
    expect(body.invoice).toMatchObject({ issuing_date: '2026-03-31', payment_due_date: '2026-03-31' });
  });
});
