/** Plans and their prices (specification, endpoint 14; service-behaviour §3.14). */
import * as z from 'zod';
import type { JsonRecord } from '../src/lib/json.ts';
import { pagingNote } from '../src/present/paging.ts';
import { chargeName, priceLine } from '../src/present/price.ts';
import {
  asRecord,
  asRecords,
  code,
  count,
  listed,
  money,
  named,
  quantity,
  say,
  sentences,
  sign,
} from '../src/present/summary.ts';
import { page, perPage } from '../src/tool/args.ts';
import { defineTool } from '../src/tool/define.ts';

const MAX_TOLD = 10;
/** With more usage prices in an answer, the summary counts them: each is in the record, and in two places costs twice. */
const MAX_USAGE_PRICES = 3;
/** Of more fixed charges than these, the first ones are told. */
const MAX_FIXED = 3;

export const listPlans = defineTool({
  name: 'list_plans',
  title: 'List plans',
  toolset: 'plans',
  effect: 'read',
  endpoint: 'GET /plans',
  description:
    "The account's plans with price, interval, charges, commitments and entitlements, newest first. Use it to find plan codes and charge ids. Plans made by overriding one subscription are not in it.",
  input: z.strictObject({ page, per_page: perPage.describe('Default 100') }),
  request: query => ({ query }),
  result: 'plans',
  list: true,
  detail: true,
  summary: record => {
    const body = asRecord(record);
    const plans = asRecords(body.plans);
    const usagePrices = plans.reduce((sum, plan) => sum + asRecords(plan.charges).length, 0);
    const leaving = plans.filter(plan => plan.pending_deletion === true).map(plan => code(plan.code) ?? '');
    return sentences(
      leaving.length > 0 && `About to be deleted: ${listed(leaving)}`,
      plans.length === 0
        ? 'There are no plans here'
        : `${count(plans.length, 'plan')}: ${listed(
            plans.map(plan => describePlan(plan, usagePrices <= MAX_USAGE_PRICES)),
            MAX_TOLD,
          )}`,
      pagingNote(body.meta),
    );
  },
});

function describePlan(plan: JsonRecord, few: boolean): string {
  const charges = asRecords(plan.charges);
  const usage = charges.map(charge => say`${chargeName(charge)} ${priceLine(charge, plan.amount_currency)}`);
  const told = few ? usage.filter(price => price !== null) : [];
  const fixed = asRecords(plan.fixed_charges);
  const extras = [
    plan.pay_in_advance === true ? 'in advance' : null,
    ...fixed
      .slice(0, MAX_FIXED)
      .map(charge => `fixed ${chargeName(charge)}${say` ${priceLine(charge, plan.amount_currency)}` ?? ''}`),
    fixed.length > MAX_FIXED ? count(fixed.length - MAX_FIXED, 'more fixed charge') : null,
    ...(told.length === charges.length ? told : [count(charges.length, 'usage charge')]),
    sign(plan.trial_period) === 1 ? say`${quantity(plan.trial_period)} days of trial` : null,
    say`at least ${money(asRecord(plan.minimum_commitment).amount_cents, plan.amount_currency)}`,
  ].filter(part => part !== null);
  const subject = named(plan.name, plan.code) ?? 'a plan without a code';
  const price = money(plan.amount_cents, plan.amount_currency);
  return `${subject}${price === null ? '' : ` ${price}`}${say` ${code(plan.interval)}` ?? ''}${extras.length > 0 ? ` (${extras.join('; ')})` : ''}`;
}
