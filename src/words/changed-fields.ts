/** What a write of a set changed, in lines: the answers to a single write say it in sentences of their own. */
import type { AnyCharge, Plan } from '../contract/shown.ts';
import type { WriteCall } from '../definition/write-call.ts';
import { fieldOf, isObject, isText, membersOf } from '../lib/json.ts';
import { changeLine, changesMade, fieldLabel } from './changes.ts';
import { metadataWords, type Pairs, pairsOf } from './metadata-words.ts';
import { chargeName, wholePriceLine } from './price.ts';
import { clip } from './summary.ts';

/** Of a field with many values, such as prices: the receipt's `revert` has the earlier ones whole. */
const longestLine = 160;

type Made = Pick<WriteCall, 'args' | 'known' | 'request'>;

/**
 * `price: $750.00 → $900.00`, `metadata: changes ticket (“A-1” → “A-2”)`: each requested field whose value is another one in
 * the answer; `record`: the answer, unwrapped.
 */
function changedFields({ args, known, request }: Made, record: object): string[] {
  const { metadata, plan_overrides, ...fields } = args;
  const { amount_currency, currency = amount_currency } = membersOf<'amount_currency' | 'currency'>(record);
  const selectors = Object.keys(request.path ?? {});
  const labels = Object.fromEntries(Object.keys(fields).map(field => [field, fieldLabel(field)]));
  const lines = changesMade(fields, known ?? undefined, record, { selectors, labels, currency }).map(changeLine);
  // Charges with a price in one line are told apart; the receipt's `revert` has the others.
  const [planBefore, plan] = [known ?? {}, record].map(one => fieldOf(one, 'plan'));
  const prices = isObject(plan) && isObject(planBefore) ? changedPrices(planBefore, plan) : [];
  const isTold = (field: string, value: unknown) => isObject(value) || (prices.length > 0 && field.endsWith('charges'));
  const ofPlan = Object.fromEntries(Object.entries(plan_overrides ?? {}).filter(entry => !isTold(...entry)));
  const planLines = !isObject(plan)
    ? []
    : changesMade(ofPlan, isObject(planBefore) ? planBefore : undefined, plan, {
        selectors: [],
        currency: fieldOf(plan, 'amount_currency'),
      }).map(change => `plan ${changeLine(change)}`);
  const stored = fieldOf(record, 'metadata');
  const before = known === null ? null : metadataPairs(fieldOf(known, 'metadata'));
  const isSaid = metadata !== undefined && stored !== undefined;
  return [
    ...lines,
    ...planLines,
    ...prices,
    ...(isSaid ? [`metadata: ${metadataWords(before, metadataPairs(stored))}`] : []),
  ].map(line => clip(line, longestLine));
}

/** `“Seats”: $12.00 each → $10.00 each`, of charges whose price is another one in the later plan; found by their codes. */
export function changedPrices(before: Plan, after: Plan): string[] {
  const listsOf = ({ charges, fixed_charges }: Plan): (readonly AnyCharge[])[] => [charges ?? [], fixed_charges ?? []];
  const pairs = listsOf(before).flatMap((list, at) =>
    list.map(charge => [charge, listsOf(after)[at]?.find(({ code }) => code && code === charge.code)] as const),
  );
  return pairs.flatMap(([charge, now]) => {
    const from = wholePriceLine(charge, before.amount_currency);
    const to = now && wholePriceLine(now, after.amount_currency);
    return from && to && from !== to ? `${chargeName(charge)}: ${from} → ${to}`.replaceAll(';', ',') : [];
  });
}

/** For a row of a set: the number or code by which a user finds the record, and what became otherwise. */
export function changedIn(call: Made, record: object): { record?: string; changed?: readonly string[] } {
  const label = ['number', 'code', 'external_id', 'name'].map(field => fieldOf(record, field)).find(isText);
  const changed = changedFields(call, record);
  return { ...(label !== undefined && { record: label }), ...(changed.length > 0 && { changed }) };
}

/** Invoices have a list of entries, other records an object. */
function metadataPairs(metadata: unknown): Pairs {
  if (!Array.isArray(metadata)) return pairsOf(metadata);
  return metadata.map((entry: { key?: string; value?: unknown }) => [entry.key ?? '', entry.value] as const);
}
