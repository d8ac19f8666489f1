/** What a preview says of plans that bill usage or fixed charges monthly within a longer period. */
import { expect, it } from 'vitest';
import type { Fee, Invoice } from '../../src/contract/shown.ts';
import { explainMonthlyItems } from '../../src/words/monthly-items.ts';

const fee = (type: string, from_date: string, to_date: string): Fee => ({
  ...{ item: { type }, external_subscription_id: 's' },
  ...{ from_date: `${from_date}T00:00:00+00:00`, to_date: `${to_date}T23:59:59+00:00` },
});
const halfYear = fee('subscription', '2027-01-01', '2027-06-30');
const usage = fee('charge', '2027-06-01', '2027-06-30');
const before = 'This is the invoice at the end of the plan period. Monthly invoices for ';

it.each<[what: string, fees: Fee[], now: string, told: string | null]>([
  ['usage of its last month', [halfYear, usage], '2027-03-31', `${before}usage come before it`],
  [
    'usage and fixed charges of the month before a plan in advance',
    [fee('subscription', '2027-07-01', '2027-12-31'), usage, fee('fixed_charge', '2027-06-01', '2027-06-30')],
    '2027-03-31',
    `${before}usage and fixed charges come before it`,
  ],
  ['nothing in the last month itself', [halfYear, usage], '2027-06-10', null],
  ['nothing where all is with the plan', [halfYear, fee('charge', '2027-01-01', '2027-06-30')], '2027-03-31', null],
  ['nothing of a monthly plan', [fee('subscription', '2027-06-01', '2027-06-30'), usage], '2027-05-31', null],
  ['nothing of fees without days', [{ item: { type: 'subscription' } }, usage], '2027-03-31', null],
  ['nothing of days of an unknown type', [{ ...halfYear, to_date: 'soon' }, usage], '2027-03-31', null],
])('tells %s', (_, fees, now, told) => {
  expect(explainMonthlyItems({ fees } as Invoice, new Date(now))).toBe(told);
});
