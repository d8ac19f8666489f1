/** The call that takes an update of a subscription back, or why there is none (service-behaviour §3.2). */
import type { JsonRecord } from '../src/lib/json.ts';
import { hasOwnPlan, setsOnlyUnits } from '../src/words/override.ts';
import { chargeName } from '../src/words/price.ts';
import { asRecord, asRecords, asText, asTexts } from '../src/words/summary.ts';

type Revert = { arguments: JsonRecord } | { impossible: string };
const unsendable = Symbol('the earlier value cannot be sent');

/** `before` is the subscription with its plan before the update, `answer` what the service answered. */
export function revertOfUpdate(args: JsonRecord, before: JsonRecord, answer: JsonRecord): Revert {
  const after = asRecord(answer.subscription ?? answer);
  const { external_id, status, plan_overrides, ...fields } = args;
  const back: JsonRecord = {};
  const clear: string[] = [];
  for (const field of Object.keys(fields)) {
    if (fields[field] === undefined || same(before[field], after[field], field === 'invoice_custom_section')) continue;
    if (field === 'subscription_at' && before.status === 'pending' && after.status !== 'pending')
      return { impossible: 'a subscription that has started cannot be made pending again' };
    const earlier = earlierValue(field, before, after);
    if (earlier === unsendable) return { impossible: `the earlier ${field.replaceAll('_', ' ')} cannot be set again` };
    if (earlier === null) clear.push(field);
    else if (earlier !== undefined) back[field] = earlier;
  }
  if (plan_overrides !== undefined) {
    const prices = pricesBack(asRecord(plan_overrides), asRecord(before.plan), asRecord(after.plan));
    if (typeof prices === 'string') return { impossible: prices };
    if (Object.keys(prices).length > 0) back.plan_overrides = prices;
  }
  if (clear.length > 0) back.clear = clear;
  if (Object.keys(back).length === 0) return { impossible: 'the answer shows no change' };
  return { arguments: { external_id, ...(status !== undefined && { status }), ...back } };
}

/** Null: to be cleared; undefined: unchanged. */
function earlierValue(field: string, before: JsonRecord, after: JsonRecord): unknown {
  if (field === 'name' || field === 'ending_at') return before[field] ?? null;
  if (field === 'invoice_custom_section') {
    const [earlier, now] = [sectionsOf(before), sectionsOf(after)];
    if (same(earlier, now)) return undefined;
    return earlier.length === 0 ? unsendable : { invoice_custom_section_codes: earlier };
  }
  const value = before[field];
  if (field !== 'payment_method') return asText(value) ?? unsendable;
  const method = Object.entries(asRecord(value)).filter(([, part]) => part !== null);
  return method.length === 0 ? unsendable : Object.fromEntries(method);
}

function sectionsOf({ applied_invoice_custom_sections: applied }: JsonRecord): string[] {
  return asTexts(asRecords(applied).map(entry => asRecord(entry.invoice_custom_section ?? entry).code));
}

/**
 * The override that sets the earlier prices in the subscription's own plan, by the ids that its charges have now; or why
 * there is none. The subscription keeps its own copy of the plan.
 */
function pricesBack(overrides: JsonRecord, before: JsonRecord, after: JsonRecord): JsonRecord | string {
  if (hasOwnPlan(before) === null || hasOwnPlan(after) === null) return 'the plan was not shown';
  const back: JsonRecord = {};
  for (const field of ['amount_currency', 'trial_period']) {
    if (!same(before[field], after[field]))
      return `the ${field === 'trial_period' ? 'trial' : 'currency'} of the subscription's own plan cannot change any more`;
  }
  for (const field of ['amount_cents', 'name', 'invoice_display_name', 'description']) {
    if (same(before[field], after[field])) continue;
    if (before[field] === null)
      return `the plan's ${field.replaceAll('_', ' ')} was empty, and cannot be emptied again`;
    back[field] = before[field];
  }
  if (!same(taxesOf(before), taxesOf(after))) back.tax_codes = taxesOf(before);
  const [earlierCommitment, presentCommitment] = [commitmentOf(before), commitmentOf(after)];
  if (earlierCommitment === null && presentCommitment !== null) return 'a minimum commitment cannot be removed';
  if (
    earlierCommitment !== null &&
    earlierCommitment.invoice_display_name === undefined &&
    presentCommitment?.invoice_display_name !== undefined
  )
    return 'the minimum commitment had no name on invoices, and its name cannot be emptied again';
  if (!same(earlierCommitment, presentCommitment)) back.minimum_commitment = earlierCommitment;
  if (!same(thresholdsOf(before), thresholdsOf(after))) back.usage_thresholds = thresholdsOf(before);
  const quantities = asRecords(overrides.fixed_charges);
  if (setsOnlyUnits(overrides) && before.own_quantities === true) {
    const entries = quantities.flatMap(({ id, units }) => {
      const charge = asRecords(before.fixed_charges).find(each => [each.svc_id, each.svc_parent_id].includes(id));
      const same = units === undefined || Number(charge?.units) === Number(units);
      return charge === undefined || same ? [] : [{ id: charge.svc_id, units: asText(charge.units) }];
    });
    return entries.length === 0 ? {} : { fixed_charges: entries };
  }
  const special = asRecords(before.charges).find(
    charge => chargeAfter(charge, asRecords(after.charges)) === undefined && isSpecial(charge),
  );
  if (special !== undefined)
    return `${chargeName(special)} was deleted, and a new charge cannot be billed in its way (in advance, prorated or without an invoice)`;
  const charges = chargesBack(asRecords(before.charges), asRecords(after.charges));
  // If the subscription shares its plan, the plan shows its own quantities, not those that were set for this
  // subscription alone.
  const shared = hasOwnPlan(before) === false;
  if (shared && asRecords(overrides.fixed_charges).some(({ units }) => units !== undefined))
    return 'the quantities of this subscription alone were not shown';
  const fixedBefore = asRecords(before.fixed_charges).map(charge => (shared ? { ...charge, units: null } : charge));
  const fixed = chargesBack(fixedBefore, asRecords(after.fixed_charges));
  if (charges === null || fixed === null)
    return 'a charge had no name on invoices, and its name cannot be emptied again';
  // A list without one of its charges would delete that one.
  const chargesDiffer = charges.some(isChanged) || asRecords(after.charges).length !== charges.length;
  if (chargesDiffer || (hasOwnPlan(after) && !setsOnlyUnits(overrides))) back.charges = charges;
  if (fixed.some(isChanged)) back.fixed_charges = fixed.filter(isChanged);
  const unseen = setsOnlyUnits(overrides) && Object.keys(back).length === 0;
  return unseen ? 'the answer does not show the quantities of this subscription alone' : back;
}

/** The charge as it is after the update: itself, or its copy in the subscription's own plan. */
function chargeAfter(charge: JsonRecord, after: readonly JsonRecord[]): JsonRecord | undefined {
  return after.find(each => [each.svc_id, each.svc_parent_id].includes(charge.svc_id));
}

/** A charge that an override adds is invoiced, in arrears and not prorated. */
function isSpecial({ pay_in_advance, prorated, invoiceable }: JsonRecord): boolean {
  return pay_in_advance === true || prorated === true || invoiceable === false;
}

function isChanged(entry: JsonRecord): boolean {
  return Object.keys(entry).length > 1;
}

/** Each earlier charge: its id now with the values that differ, or a new one where it is gone. Null: not possible. */
function chargesBack(before: readonly JsonRecord[], after: readonly JsonRecord[]): JsonRecord[] | null {
  const entries: JsonRecord[] = [];
  for (const charge of before) {
    const now = chargeAfter(charge, after);
    const [earlier, present] = [valuesOf(charge), valuesOf(now ?? {})];
    if (now === undefined) {
      const { svc_billable_metric_id: billable_metric_id, code, charge_model } = charge;
      entries.push(withoutNulls({ billable_metric_id, code, charge_model, ...earlier }));
      continue;
    }
    if (charge.invoice_display_name === null && now.invoice_display_name !== null) return null;
    const different = Object.entries(earlier).filter(([field, value]) => !same(value, present[field]));
    entries.push({ id: now.svc_id, ...Object.fromEntries(different) });
  }
  return entries;
}

function valuesOf(charge: JsonRecord): JsonRecord {
  const { properties, filters, min_amount_cents, units, invoice_display_name } = charge;
  const sentFilters = asRecords(filters).map(({ invoice_display_name: name, properties: prices, values }) =>
    withoutNulls({ invoice_display_name: name, properties: prices, values }),
  );
  const usage = filters === undefined ? {} : { filters: sentFilters };
  return withoutNulls({
    properties,
    ...usage,
    min_amount_cents,
    units,
    invoice_display_name,
    tax_codes: taxesOf(charge),
  });
}

function commitmentOf({ minimum_commitment: commitment }: JsonRecord): JsonRecord | null {
  if (commitment === undefined || commitment === null) return null;
  const { amount_cents, invoice_display_name } = asRecord(commitment);
  return withoutNulls({ amount_cents, invoice_display_name, tax_codes: taxesOf(asRecord(commitment)) });
}

function thresholdsOf({ usage_thresholds: thresholds }: JsonRecord): JsonRecord[] {
  return asRecords(thresholds).map(({ amount_cents, threshold_display_name, recurring }) =>
    withoutNulls({ amount_cents, threshold_display_name, recurring }),
  );
}

function taxesOf({ taxes }: JsonRecord): string[] {
  return asTexts(asRecords(taxes).map(tax => tax.code)).sort();
}

function withoutNulls(record: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== undefined));
}

/** `never`: they cannot be compared, because the records do not show the field under its own name. */
function same(left: unknown, right: unknown, never = false): boolean {
  return !never && JSON.stringify(left ?? null) === JSON.stringify(right ?? null);
}
