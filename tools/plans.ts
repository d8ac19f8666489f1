/** Plans and their prices (specification, endpoint 14; service-behaviour §3.14). */
import * as z from 'zod';
import type { JsonRecord } from '../src/lib/json.ts';
import { pagingNote } from '../src/present/paging.ts';
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
    const leaving = plans.filter(plan => plan.pending_deletion === true).map(plan => code(plan.code) ?? '');
    return sentences(
      leaving.length > 0 && `About to be deleted: ${listed(leaving)}`,
      plans.length === 0
        ? 'There are no plans here'
        : `${count(plans.length, 'plan')}: ${listed(plans.map(describePlan), MAX_TOLD)}`,
      pagingNote(body.meta),
    );
  },
});

function describePlan(plan: JsonRecord): string {
  const charges = asRecords(plan.charges).length;
  const extras = [
    plan.pay_in_advance === true ? 'in advance' : null,
    charges > 0 ? count(charges, 'usage charge') : null,
    sign(plan.trial_period) === 1 ? say`${quantity(plan.trial_period)} days of trial` : null,
    say`at least ${money(asRecord(plan.minimum_commitment).amount_cents, plan.amount_currency)}`,
  ].filter(part => part !== null);
  const subject = named(plan.name, plan.code) ?? 'a plan without a code';
  const price = money(plan.amount_cents, plan.amount_currency);
  return `${subject}${price === null ? '' : ` ${price}`}${say` ${code(plan.interval)}` ?? ''}${extras.length > 0 ? ` (${extras.join(', ')})` : ''}`;
}
