import { describe, expect, it } from 'vitest';
import { issuingDates, issuingSettings } from '../../src/service/engine/issuing.ts';
import { customerRecord, entityRecord } from './world.ts';

describe('issuing and due dates (§11.6), billed on 1 April', () => {
  it.each<[string, string, number, boolean, string]>([
    ['current_period_end', 'keep_anchor', 3, true, '2026-03-31'],
    ['current_period_end', 'align_with_finalization_date', 3, true, '2026-04-04'],
    ['current_period_end', 'align_with_finalization_date', 0, true, '2026-03-31'],
    ['next_period_start', 'keep_anchor', 3, true, '2026-04-01'],
    ['next_period_start', 'align_with_finalization_date', 3, true, '2026-04-04'],
    ['current_period_end', 'keep_anchor', 3, false, '2026-04-04'],
    ['next_period_start', 'align_with_finalization_date', 0, false, '2026-04-01'],
  ])('%s, %s, grace %i, recurring %s: %s', (anchor, adjustment, grace, recurring, issued) => {
    const dates = issuingDates('2026-04-01', recurring, { anchor, adjustment, grace, net_payment_term: 0 });
    expect(dates.issuing_date).toBe(issued);
  });

  it('are due a payment term after they are issued: 4 April + 30 days', () => {
    const settings = {
      anchor: 'next_period_start',
      adjustment: 'align_with_finalization_date',
      grace: 3,
      net_payment_term: 30,
    };
    expect(issuingDates('2026-04-01', true, settings).payment_due_date).toBe('2026-05-04');
  });

  it('follow the customer’s own settings, else its billing entity’s', () => {
    const entity = entityRecord({ invoice_grace_period: 5, net_payment_term: 14 });
    expect(issuingSettings(customerRecord(), entity)).toEqual({
      anchor: 'next_period_start',
      adjustment: 'align_with_finalization_date',
      grace: 5,
      net_payment_term: 14,
    });
    const own = customerRecord({
      invoice_grace_period: 0,
      net_payment_term: 60,
      subscription_invoice_issuing_date_anchor: 'current_period_end',
      subscription_invoice_issuing_date_adjustment: 'keep_anchor',
    });
    expect(issuingSettings(own, entity)).toEqual({
      anchor: 'current_period_end',
      adjustment: 'keep_anchor',
      grace: 0,
      net_payment_term: 60,
    });
  });
});
