/** Plans and their prices (specification, endpoint 14; service-behaviour §3.14). */
import * as z from 'zod';
import type { Plan } from '../src/contract/shown.ts';
import { page, perPage } from '../src/definition/args.ts';
import { defineTool, type SummaryContext } from '../src/definition/define.ts';
import { wordsOf } from '../src/words/code-words.ts';
import { pagingNote } from '../src/words/paging.ts';
import { chargeName, priceLine } from '../src/words/price.ts';
import { catalogueNote, isPricedElsewhere } from '../src/words/subscription.ts';
import { code, count, listed, money, named, phrase, quantity, say, sentences, sign } from '../src/words/summary.ts';
import { withFixedCharges } from './quotes/quantities.ts';
import { withBeside } from './records/one-record.ts';

const MAX_TOLD = 10;
/** With more usage prices in an answer, only the record has them: in two places they cost twice. */
const MAX_USAGE_PRICES = 3;
/** Of more fixed charges than these, the first ones are told. */
const MAX_FIXED = 3;

/** The service's list leaves out what plans charge in fixed quantities: of so many plans they are read. */
const mostRead = 10;

export const listPlans = defineTool({
  name: 'list_plans',
  title: 'List plans',
  toolset: 'plans',
  effect: 'read',
  endpoint: 'GET /plans',
  description:
    "Lists the account's plans, newest first, with code, price, interval, charges, commitments and entitlements. detail charges.svc_id adds charge IDs. Plans created by overriding one subscription are not listed: use get_subscription.",
  input: z.strictObject({ page, per_page: perPage }),
  run: (query, api) =>
    withBeside(api, 'plans', api.get('/plans', { key: 'plans', query }), async ({ plans }, aside) => {
      const bare = (plans ?? []).filter(isBare).length;
      return bare === 0 || bare > mostRead ? null : { plans: await withFixedCharges(aside, plans ?? [], mostRead) };
    }),
  result: 'plans',
  answer: 'list',
  brief: `
    code name?=code amount_cents amount_currency interval pay_in_advance? trial_period? pending_deletion?
    minimum_commitment{amount_cents} charges{billable_metric_code price} fixed_charges{add_on_code price}
  `,
  more: `
    parent_id description bill_charges_monthly bill_fixed_charges_monthly
    charges{svc_id code invoice_display_name properties filters taxes}
    fixed_charges{svc_id invoice_display_name taxes} taxes usage_thresholds entitlements metadata
  `,
  say: (body, { beside }: SummaryContext<{ readonly plans?: readonly Plan[] }>) => {
    const plans = beside?.plans ?? body.plans ?? [];
    const bare = plans.filter(isBare).map(plan => code(plan.code) ?? '');
    const usagePrices = plans.reduce((sum, plan) => sum + (plan.charges?.length ?? 0), 0);
    const leaving = plans.filter(plan => plan.pending_deletion === true).map(plan => code(plan.code) ?? '');
    return sentences(
      leaving.length > 0 && `About to be deleted: ${listed(leaving)}`,
      plans.length === 0
        ? 'There are no plans here'
        : `${count(plans.length, 'plan')}: ${listed(
            plans.map(plan => describePlan(plan, usagePrices <= MAX_USAGE_PRICES)),
            MAX_TOLD,
          )}`,
      bare.length > 0 &&
        `${bare.length === plans.length ? 'Fixed charges are not shown' : `Fixed charges of ${listed(bare, 3)} are not shown`}, so a plan may cost more`,
      catalogueNote(plans.filter(isPricedElsewhere).map(plan => plan.code)),
      pagingNote(body.meta, plans),
    );
  },
});

function isBare({ charges, fixed_charges }: Plan): boolean {
  return Array.isArray(charges) && !Array.isArray(fixed_charges);
}

function describePlan(plan: Plan, few: boolean): string {
  const usage = few ? (plan.charges ?? []) : [];
  const usagePrices = usage.map(
    charge => phrase`${chargeName(charge)}${say` ${priceLine(charge, plan.amount_currency)}`}`,
  );
  const fixed = plan.fixed_charges ?? [];
  const extras = [
    plan.pay_in_advance === true ? 'in advance' : null,
    ...fixed
      .slice(0, MAX_FIXED)
      .map(charge => phrase`fixed ${chargeName(charge)}${say` ${priceLine(charge, plan.amount_currency)}`}`),
    fixed.length > MAX_FIXED ? count(fixed.length - MAX_FIXED, 'more fixed charge') : null,
    ...usagePrices,
    sign(plan.trial_period) === 1 ? say`${quantity(plan.trial_period)}-day trial` : null,
    say`at least ${money(plan.minimum_commitment?.amount_cents, plan.amount_currency)}`,
  ].filter(part => part !== null);
  const subject = named(plan.name, plan.code) ?? 'a plan without a code';
  const price = isPricedElsewhere(plan) ? null : money(plan.amount_cents, plan.amount_currency);
  return phrase`${subject}${say` ${price}`}${say` ${wordsOf('interval', plan.interval)}`}${extras.length > 0 ? ` (${extras.join('; ')})` : null}`;
}
