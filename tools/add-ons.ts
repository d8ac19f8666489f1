/** One-time charges that can be put on invoices (specification, endpoints 4 and 5; service-behaviour §3.4, §3.5). */
import * as z from 'zod';
import type { JsonRecord } from '../src/lib/json.ts';
import {
  asRecord,
  asRecords,
  asTexts,
  code,
  listed,
  money,
  named,
  quoted,
  say,
  sentences,
} from '../src/present/summary.ts';
import { changesOf, subjectOf, updateQuestion } from '../src/present/words.ts';
import { cents, currency, idText, pathText, text, texts } from '../src/tool/args.ts';
import { defineTool, type Known } from '../src/tool/define.ts';

const selectors = ['code'];

export const updateAddOn = defineTool({
  name: 'update_add_on',
  title: 'Update an add-on',
  toolset: 'add_ons',
  effect: 'write',
  endpoint: 'PUT /add_ons/{code}',
  description:
    'Changes an add-on (a one-time charge): name, code, texts, price or taxes. Absent arguments keep their value. Fees already on invoices keep theirs.',
  input: z.strictObject({
    code: pathText().describe('Present code'),
    new_code: idText().optional(),
    name: text.optional(),
    invoice_display_name: text.optional(),
    description: text.optional(),
    amount_cents: cents.describe('Price, above 0').optional(),
    amount_currency: currency.optional(),
    tax_codes: texts.describe('Replaces all taxes; [] removes them').optional(),
  }),
  selectors,
  request: ({ code, new_code, ...fields }) => ({
    path: { code },
    body: { add_on: new_code === undefined ? fields : { ...fields, code: new_code } },
  }),
  result: 'add_on',
  brief: 'code name invoice_display_name description amount_cents amount_currency taxes{code rate}',
  summary: record => describeAddOn(asRecord(record)),
  target: ({ code }) => ({ resource: 'add_on', id: code }),
  question: (args, known) =>
    updateQuestion(
      subjectOf('add-on', known, args.code),
      changesOf(args, known, {
        selectors,
        labels: { new_code: 'code', amount_cents: 'price', amount_currency: 'currency', tax_codes: 'taxes' },
        currency: args.amount_currency ?? known?.amount_currency,
        shown,
      }),
    ),
  warnings: (args, known) => {
    const warnings: string[] = [];
    if (args.new_code !== undefined) warnings.push('A new code breaks whatever still refers to the old one.');
    if (
      args.amount_currency !== undefined &&
      args.amount_cents === undefined &&
      args.amount_currency !== known?.amount_currency
    )
      warnings.push(
        `The currency changes but the number does not${say`: ${money(known?.amount_cents, known?.amount_currency)} becomes ${money(known?.amount_cents, args.amount_currency)}` ?? ', which is another amount of money'}.`,
      );
    if (args.tax_codes !== undefined) warnings.push('tax_codes replaces all taxes of the add-on.');
    return warnings;
  },
  shown,
});

export const deleteAddOn = defineTool({
  name: 'delete_add_on',
  title: 'Delete an add-on',
  toolset: 'add_ons',
  effect: 'delete',
  endpoint: 'DELETE /add_ons/{code}',
  description:
    'Deletes an add-on for good. Fixed charges of plans that use it are dropped too; existing invoices keep their fees. To change a price use update_add_on.',
  input: z.strictObject({ code: pathText() }),
  request: ({ code }) => ({ path: { code } }),
  result: 'add_on',
  brief: 'code name invoice_display_name description amount_cents amount_currency taxes{code rate}',
  summary: record => {
    const addOn = asRecord(record);
    const subject = named(addOn.name, addOn.code);
    return sentences(
      subject === null ? 'The add-on was deleted' : `Add-on ${subject} was deleted`,
      say`It cost ${money(addOn.amount_cents, addOn.amount_currency)}`,
      'Plans lost the fixed charges that used it; existing invoices are untouched',
    );
  },
  target: ({ code }) => ({ resource: 'add_on', id: code }),
  question: ({ code }, known) => {
    const price = money(known?.amount_cents, known?.amount_currency);
    return `Delete ${subjectOf('add-on', known, code)}${price === null ? '' : `, price ${price},`} for good?`;
  },
  warnings: ({ code }, known) => [dropWarning(code, known)],
});

/** Taxes are sent as codes and come back as records; `new_code` comes back as `code`. */
function shown(field: string, record: JsonRecord): unknown {
  if (field === 'new_code') return record.code;
  if (field === 'tax_codes')
    return Array.isArray(record.taxes) ? asTexts(asRecords(record.taxes).map(tax => tax.code)) : undefined;
  return record[field];
}

function describeAddOn(addOn: JsonRecord): string {
  const subject = named(addOn.name, addOn.code);
  const taxes = listed(asTexts(asRecords(addOn.taxes).map(tax => code(tax.code))));
  return (
    sentences(
      say`Add-on ${subject ?? 'without a code'} costs ${money(addOn.amount_cents, addOn.amount_currency)}` ??
        say`Add-on ${subject}`,
      addOn.invoice_display_name !== addOn.name && say`On invoices it is called ${quoted(addOn.invoice_display_name)}`,
      say`Taxes: ${taxes}`,
    ) || 'The add-on was updated.'
  );
}

function dropWarning(code: string, known: Known): string {
  const plans = asTexts(known?.plan_codes);
  const users = plans.length > 0 ? ` (${listed(plans)})` : '';
  return `Plans that use add-on ${JSON.stringify(code.slice(0, 80))} as a fixed charge${users} lose that charge, and deleting cannot be undone.`;
}
