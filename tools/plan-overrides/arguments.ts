/** The argument `plan_overrides`: prices, quantities and terms that one subscription has of its own (service-behaviour §3.2). */
import * as z from 'zod';
import { chargeModels } from '../../src/contract/enums.ts';
import {
  type AnyOverrides,
  byKind,
  planFields,
  planOverrideFields,
  taxCodesIn,
} from '../../src/contract/plan-overrides.ts';
import * as arg from '../../src/definition/args.ts';
import { fieldNotes } from '../../src/definition/argument-fields.ts';
import { asJsonText, briefly, unlisted } from '../../src/definition/free-form.ts';

const ofKind = {
  cents: arg.cents.optional(),
  mandatory_cents: aboveZero(arg.cents),
  currency: arg.priceCurrency.optional(),
  prices: asJsonText(arg.properties, 'price settings, amounts as strings').optional(),
  quantity: arg.sentAsNumber.meta({ listed: { type: 'string' } }).optional(),
  days: z.number().register(fieldNotes, { amount: 'other' }).describe('Days').optional(),
  name: arg.text.optional(),
  text: arg.text.optional(),
  code: arg.text.optional(),
  codes: arg.texts.optional(),
  charge_model: briefly(z.enum(chargeModels)).optional(),
  filter_values: z.record(z.string(), arg.texts).optional(),
  flag: arg.flag.optional(),
  metadata: arg.metadata.optional(),
  rate: arg.conversionRate,
};

const {
  charges: [charges],
  fixed_charges: [fixedCharges],
  usage_thresholds: [thresholds],
  minimum_commitment: commitment,
} = planOverrideFields;

const charge = z.strictObject({
  ...byKind(charges, ofKind),
  id: arg.text.describe('svc_id in its current plan').optional(),
  applied_pricing_unit: z.strictObject(byKind(charges.applied_pricing_unit, ofKind)).optional(),
  filters: asJsonText(
    z.array(z.strictObject(byKind(charges.filters[0], ofKind))),
    '[{values: {key: [value]}, properties, invoice_display_name}]',
  ).optional(),
});

export const planOverrides = z.strictObject({
  ...byKind(planFields, ofKind),
  minimum_commitment: z.strictObject(byKind(commitment, ofKind)).optional(),
  charges: z.array(charge).optional(),
  fixed_charges: z.array(z.strictObject(byKind(fixedCharges, ofKind))).optional(),
  usage_thresholds: unlisted(thresholdList(ofKind).optional()),
});

/** Thresholds of the subscription itself. They spend nothing. */
export const ownThresholdList = thresholdList({ ...ofKind, mandatory_cents: aboveZero(arg.thresholdCents) }).describe(
  "Usage amounts that trigger an invoice, instead of the plan's; [] removes them",
);

/** Each amount once, and at most one that recurs. */
function thresholdList(kinds: typeof ofKind) {
  return z.array(z.strictObject(byKind(thresholds, kinds))).superRefine((entries, context) => {
    const refuse = (message: string): void => context.addIssue({ code: 'custom', message });
    const once = entries.filter(({ recurring }) => recurring !== true).map(({ amount_cents }) => amount_cents);
    const twice = once.find((amount, at) => once.indexOf(amount) < at);
    if (twice !== undefined) refuse(`has the amount ${twice} twice: send each amount once`);
    if (entries.length > once.length + 1) refuse('has several recurring thresholds: at most one may recur');
  });
}

function aboveZero<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.refine(amount => Number(amount) > 0, { error: 'must be above 0' });
}

/** The interface takes units of fixed charges as numbers, though it answers with decimal text (§15). */
export function withUnitsAsNumbers(overrides: z.output<typeof planOverrides>): z.output<typeof planOverrides> {
  if (overrides.fixed_charges === undefined) return overrides;
  const charges = overrides.fixed_charges.map(({ units, ...charge }) =>
    units === undefined ? charge : { ...charge, units: Number(units) },
  );
  return { ...overrides, fixed_charges: charges };
}

/** The codes of taxes that the overrides name, with their argument. */
export function taxesIn(overrides: AnyOverrides): { argument: string; code: string }[] {
  return taxCodesIn(overrides).flatMap(({ path, codes }) => {
    const argument = ['plan_overrides', ...path].join('.');
    return (codes ?? []).map(code => ({
      argument: path.length === 3 ? 'plan_overrides: tax_codes of a charge' : argument,
      code,
    }));
  });
}
