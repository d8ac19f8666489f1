/** One-time charges that can be put on invoices (specification, endpoints 4 and 5; service-behaviour §3.4, §3.5). */
import * as z from 'zod';
import { addOn as addOnResource } from '../src/contract/add-on.ts';
import type { AddOn, Free, Plan } from '../src/contract/shown.ts';
import type { Api, ReadAnswer } from '../src/definition/api.ts';
import { idText, pathText, texts } from '../src/definition/args.ts';
import { type Arguments, defineWrite, type SummaryContext } from '../src/definition/define.ts';
import { argumentsOf, labelsOf, withSentFields } from '../src/definition/field-arguments.ts';
import { type ChangeOptions, changedSentence, changesMade, changesOf, updateQuestion } from '../src/words/changes.ts';
import { code, count, listed, money, named, phrase, quoted, say, sentences } from '../src/words/summary.ts';
import { withFixedCharges } from './quotes/quantities.ts';
import { readOne } from './records/one-record.ts';

const brief = withSentFields(
  'code name invoice_display_name description amount_cents amount_currency taxes{code rate}',
  '',
  addOnResource,
);

export const updateAddOn = defineWrite({
  name: 'update_add_on',
  title: 'Update an add-on',
  toolset: 'add_ons',
  effect: 'write',
  endpoint: 'PUT /add_ons/{code}',
  description:
    'Updates an add-on (a one-time charge): name, code, texts, price or taxes. Returns a receipt. Arguments you leave out keep their values. Fees already on invoices do not change. To find add-ons, use list_catalogue.',
  input: z.strictObject({
    code: pathText().describe('Current code'),
    new_code: idText().describe('Code that replaces it').optional(),
    ...argumentsOf(addOnResource),
    tax_codes: texts.describe('Replaces all taxes; [] removes them').optional(),
  }),
  result: 'add_on',
  brief,
  say: (addOn, { args, before }: SummaryContext<object, AddOn>) => {
    const made = changesMade(args, before, addOn, wordsFor(addOn.amount_currency, before?.amount_currency));
    return sentences(changedSentence(subjectFor(before ?? null, args.code), made), describeAddOn(addOn));
  },
  change: {
    look: ['list_catalogue', ({ code }, api) => readOne(api, 'add_on', code)],
    request: ({ code, new_code, ...fields }) => ({
      path: { code },
      body: { add_on: new_code === undefined ? fields : { ...fields, code: new_code } },
    }),
    prompt: (args, known) =>
      updateQuestion(
        subjectFor(known, args.code),
        changesOf(args, known, wordsFor(args.amount_currency ?? known?.amount_currency, known?.amount_currency)),
      ),
    warnings: ({ code: id, new_code, amount_cents, amount_currency, tax_codes }, known) => {
      const warnings: string[] = [];
      if (new_code !== undefined) warnings.push(`Systems that still use the code ${code(id)} can no longer find it.`);
      const { amount_cents: price, amount_currency: unit } = known ?? {};
      if (amount_currency !== undefined && amount_cents === undefined && amount_currency !== unit)
        warnings.push(
          `The currency changes but the number does not${say`: ${money(price, unit)} becomes ${money(price, amount_currency)}` ?? ', so the price changes'}.`,
        );
      if (amount_cents !== undefined && amount_currency === undefined && unit === undefined)
        warnings.push('The currency of this price is unknown.');
      if (tax_codes !== undefined && known === null)
        warnings.push('Current taxes that this change does not name are removed.');
      return warnings;
    },
    names: ({ tax_codes = [] }) => ({ taxes: tax_codes.map(code => ({ argument: 'tax_codes', code })) }),
    revert: ({ code, new_code, ...fields }, known) => {
      const back: Arguments = { code: new_code ?? code, ...(new_code !== undefined && { new_code: code }) };
      for (const field of Object.keys(fields).filter(name => fields[name as keyof typeof fields] !== undefined)) {
        const earlier = shown(field, known);
        if (earlier === null || earlier === undefined)
          return { impossible: `${field.replaceAll('_', ' ')} was empty, and cannot be cleared` };
        back[field] = earlier;
      }
      return { arguments: back };
    },
    shown,
  },
});

/** `add-on “Setup fee”`; by its code while no name is known. */
function subjectFor(known: AddOn | null, id: unknown): string {
  return phrase`add-on${say` ${quoted(known?.name) ?? code(id)}`}`;
}

/** The earlier price is in the earlier currency, the new price in the new one. */
function wordsFor(unit: unknown, earlierCurrency: unknown): ChangeOptions {
  const labels = { ...labelsOf(addOnResource), new_code: 'code', tax_codes: 'taxes' };
  return { selectors: ['code'], labels, currency: unit, earlierCurrency, shown };
}

export const deleteAddOn = defineWrite({
  name: 'delete_add_on',
  title: 'Delete an add-on',
  toolset: 'add_ons',
  effect: 'delete',
  endpoint: 'DELETE /add_ons/{code}',
  description:
    'Deletes an add-on permanently and returns a receipt. Plans lose their fixed charges for it; existing invoices keep their fees. To change a price, use update_add_on.',
  input: z.strictObject({ code: pathText().describe('Code of the add-on') }),
  result: 'add_on',
  brief,
  say: (addOn, { args, before }) => {
    const price = money(addOn.amount_cents, addOn.amount_currency);
    const plans = before && plansCharging(before);
    return sentences(
      phrase`Deleted: ${subjectFor(addOn, args.code)}${say`, which cost ${price}`}`,
      plans === undefined || plans === null
        ? 'Plans that charged it lost that charge'
        : plans.length > 0 && `${planWords(plans)} lost the charge for it`,
      before && unreadPlans(before)?.replace('may charge', 'may have charged'),
      'Existing invoices do not change',
    );
  },
  change: {
    look: ['list_catalogue', readWithPlans],
    request: ({ code }) => ({ path: { code } }),
    prompt: ({ code }, known) => {
      const price = money(known?.amount_cents, known?.amount_currency);
      return phrase`Permanently delete ${subjectFor(known, code)}${say`, price ${price}`}?`;
    },
    warnings: (_, known) => {
      const plans = known && plansCharging(known);
      if (known === null || plans === null)
        return ['Plans that charge it lose that charge. The server could not read which ones.'];
      const s = plans.length === 1 ? 's' : '';
      const unread = unreadPlans(known);
      return [
        ...(plans.length === 0 ? [] : [`${planWords(plans)} charge${s} it and lose${s} that charge.`]),
        ...(unread === null ? [] : [`${unread}.`]),
      ];
    },
    revert: (_, known) => {
      const plans = plansCharging(known);
      const lost =
        plans === null || plans.length > 0 || unreadPlans(known) !== null
          ? ', and plans have lost their charges for it'
          : '';
      return { impossible: `a deletion is permanent${lost}` };
    },
  },
});

/** The plans that charge the add-on, as far as they were read, and how many were not. */
type AddOnWithPlans = AddOn & {
  readonly charged_by_plans?: readonly Pick<Plan, 'name' | 'code'>[];
  readonly plans_unread?: number;
};

/** The service's list of plans leaves out what they charge in fixed quantities: at most so many are read by their code. */
const mostPlans = 20;

/** The add-on, and the plans that charge it, as far as they can be read. */
async function readWithPlans({ code }: { code: string }, api: Api): Promise<ReadAnswer<AddOnWithPlans>> {
  const [addOn, plans] = await Promise.all([
    readOne(api, 'add_on', code),
    // Not kept: the question names the plans that charge it now.
    api.mayUse('list_plans') ? api.list('/plans', { key: 'plans' }, { all: true }) : null,
  ]);
  if (!addOn.ok || !plans?.ok || plans.stopped) return addOn;
  const known = await withFixedCharges(api, plans.rows, Math.min(mostPlans, api.left()));
  const charging = known.filter(plan => (plan.fixed_charges ?? []).some(charge => charge.add_on_code === code));
  const plans_unread = known.filter(({ fixed_charges }) => !Array.isArray(fixed_charges)).length;
  const charged_by_plans = charging.map(({ name, code: plan }) => ({ name, code: plan }));
  return { ok: true, body: { ...addOn.body, charged_by_plans, ...(plans_unread > 0 && { plans_unread }) } };
}

/** The names of the plans that charge the add-on; null where none were read. */
function plansCharging({ charged_by_plans: plans }: AddOnWithPlans): string[] | null {
  return plans?.map(plan => quoted(plan.name) ?? code(plan.code) ?? '') ?? null;
}

/** `5 more plans were not read and may also charge it`; null where all were read. */
function unreadPlans({ plans_unread: unread = 0 }: AddOnWithPlans): string | null {
  if (unread === 0) return null;
  return `${count(unread, 'other plan was', 'other plans were')} not read and may also charge it`;
}

function planWords(plans: readonly string[]): string {
  return `${plans.length === 1 ? 'The plan' : 'The plans'} ${listed(plans, 30)}`;
}

/** Taxes are sent as codes and come back as records; `new_code` comes back as `code`. */
function shown(field: string, record: AddOn): unknown {
  if (field === 'new_code') return record.code;
  if (field === 'tax_codes') return record.taxes?.flatMap(tax => tax.code ?? []);
  return (record as Free)[field];
}

function describeAddOn(addOn: AddOn): string {
  const subject = named(addOn.name, addOn.code);
  const taxes = listed((addOn.taxes ?? []).flatMap(tax => code(tax.code) ?? []));
  return (
    sentences(
      say`Add-on ${subject ?? 'without a code'} costs ${money(addOn.amount_cents, addOn.amount_currency)}` ??
        say`Add-on ${subject}`,
      addOn.invoice_display_name !== addOn.name && say`On invoices it is called ${quoted(addOn.invoice_display_name)}`,
      say`Taxes: ${taxes}`,
    ) || 'The add-on was updated.'
  );
}
