/** Prices, quantities and terms that one subscription has of its own (`plan_overrides`, service-behaviour §3.2). */
import * as z from 'zod';
import { chargeModels } from '../src/contract/enums.ts';
import {
  byKind,
  chargeFields,
  chargeIdentity,
  commitmentFields,
  filterFields,
  fixedChargeFields,
  planFields,
  thresholdFields,
} from '../src/contract/plan-overrides.ts';
import type { JsonRecord } from '../src/lib/json.ts';
import { cents, flag, priceCurrency, properties, sentAsNumber, text, texts } from '../src/tool/args.ts';
import { fieldNotes } from '../src/tool/argument-fields.ts';
import { briefly, brieflyListed } from '../src/tool/free-form.ts';
import { hasOwnPlan, setsOnlyUnits } from '../src/words/override.ts';
import { asRecord, asRecords, asTexts, listed } from '../src/words/summary.ts';

const ofKind = {
  cents: cents.optional(),
  mandatory_cents: cents,
  currency: priceCurrency.optional(),
  prices: properties.optional(),
  quantity: sentAsNumber.optional(),
  days: z.number().register(fieldNotes, { amount: 'other' }).describe('Days').optional(),
  name: text.optional(),
  text: text.optional(),
  id: text.optional(),
  code: text.optional(),
  codes: texts.optional(),
  charge_model: z.enum(chargeModels).optional(),
  filter_values: z.record(z.string(), texts).optional(),
  flag: flag.optional(),
  instruction: flag.optional(),
};

const charge = z.strictObject({
  ...byKind(chargeIdentity, ofKind),
  ...byKind(chargeFields, ofKind),
  filters: brieflyListed(z.strictObject(byKind(filterFields, ofKind))).optional(),
});

export const planOverrides = z.strictObject({
  ...byKind(planFields, ofKind),
  minimum_commitment: briefly(z.strictObject(byKind(commitmentFields, ofKind))).optional(),
  charges: brieflyListed(
    charge,
    '{id (svc_id of the charge in its present plan), properties (replaces the price settings, amounts as decimal strings), min_amount_cents, tax_codes, invoice_display_name, filters [{values: {key: [value]}, properties, invoice_display_name}], billable_metric_id, code, charge_model}',
  ).optional(),
  fixed_charges: brieflyListed(z.strictObject({ id: ofKind.id, ...byKind(fixedChargeFields, ofKind) })).optional(),
  usage_thresholds: brieflyListed(z.strictObject(byKind(thresholdFields, ofKind))).optional(),
});

/** The interface takes units of fixed charges as numbers, though it answers with decimal text (§15). */
export function withUnitsAsNumbers<T extends { plan_overrides?: z.output<typeof planOverrides> | undefined }>(
  fields: T,
): T {
  const { plan_overrides: overrides } = fields;
  if (overrides?.fixed_charges === undefined) return fields;
  const charges = overrides.fixed_charges.map(({ units, ...charge }) =>
    units === undefined ? charge : { ...charge, units: Number(units) },
  );
  return { ...fields, plan_overrides: { ...overrides, fixed_charges: charges } };
}

/** A first override makes a copy of the plan, which no longer follows it, even where every value stays the same (§3.2). */
export function sharedPlan(overrides: JsonRecord, plan: JsonRecord): string[] {
  return hasOwnPlan(plan) !== true && !setsOnlyUnits(overrides) ? ['the plan that it shares with others'] : [];
}

export function taxCodesIn(overrides: JsonRecord | undefined): { argument: string; code: string }[] {
  const { tax_codes, minimum_commitment, charges, fixed_charges } = overrides ?? {};
  const of = (argument: string, codes: unknown) => asTexts(codes).map(each => ({ argument, code: each }));
  return [
    ...of('plan_overrides.tax_codes', tax_codes),
    ...of('plan_overrides.minimum_commitment.tax_codes', asRecord(minimum_commitment).tax_codes),
    ...[...asRecords(charges), ...asRecords(fixed_charges)].flatMap(charge =>
      of('plan_overrides: tax_codes of a charge', charge.tax_codes),
    ),
  ];
}

const partNames: Readonly<Record<string, string>> = {
  amount_currency: 'currency of its own plan',
  name: 'name of its own plan',
  invoice_display_name: 'name of its own plan on invoices',
  description: 'description of its own plan',
  trial_period: 'trial',
  tax_codes: 'taxes of its own plan',
  minimum_commitment: 'minimum commitment',
  charges: 'prices of its own plan',
  fixed_charges: 'fixed charges of its own plan',
  usage_thresholds: 'usage thresholds',
};

/** What an override names beside the plan's price, as far as the answer shows another value. */
export function planParts(overrides: JsonRecord, record: JsonRecord, before: JsonRecord | undefined): string | null {
  const earlier = asRecord(before && shownOfSubscription('plan_overrides', before));
  const now = asRecord(shownOfSubscription('plan_overrides', record));
  const parts = Object.keys(overrides).filter(
    part =>
      overrides[part] !== undefined &&
      (before === undefined || JSON.stringify(earlier[part]) !== JSON.stringify(now[part])),
  );
  return listed(
    parts.flatMap(part => partNames[part] ?? []),
    parts.length,
  );
}

/**
 * An override of quantities alone gives the subscription no plan of its own: the plan in the answer keeps the plan's
 * quantities, and only a record that was read with the subscription's own shows those (§3.2).
 */
export function shownOfSubscription(field: string, record: JsonRecord, requested?: unknown): unknown {
  if (field !== 'plan_overrides') return record[field];
  const whole = asRecord(record.plan);
  const isOwn = requested === undefined || (whole.own_quantities ?? !setsOnlyUnits(asRecord(requested)));
  const plan = isOwn === true ? whole : withoutUnits(whole);
  if (Object.keys(plan).length === 0) {
    const { plan_amount_cents: amount_cents, plan_amount_currency: amount_currency } = record;
    return amount_cents === undefined ? undefined : { amount_cents, amount_currency };
  }
  const taxes = Array.isArray(plan.taxes) ? asTexts(asRecords(plan.taxes).map(tax => tax.code)) : undefined;
  const { amount_cents, amount_currency, name, invoice_display_name, description, trial_period } = plan;
  const { charges, fixed_charges, minimum_commitment, usage_thresholds } = plan;
  return {
    amount_cents,
    amount_currency,
    name,
    invoice_display_name,
    description,
    trial_period,
    tax_codes: taxes,
    charges,
    fixed_charges,
    minimum_commitment,
    usage_thresholds,
  };
}

function withoutUnits(plan: JsonRecord): JsonRecord {
  if (plan.fixed_charges === undefined) return plan;
  return { ...plan, fixed_charges: asRecords(plan.fixed_charges).map(({ units: _, ...charge }) => charge) };
}
