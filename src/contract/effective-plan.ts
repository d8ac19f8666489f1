/**
 * What overrides make of a plan, and how two plans differ (service-behaviour §3.2). A plan is a stored record, or what the
 * interface shows, in the form in which overrides name their values.
 */
import { fieldOf, isGiven, isObject } from '../lib/json.ts';
import type { ChargeModel } from './enums.ts';
import {
  type AnyOverrides,
  type DeclaredFields,
  isListOfFields,
  type OverrideKind,
  type OverridesOf,
  planOverrideFields,
  type SentCharge,
  setByFirstOverride,
} from './plan-overrides.ts';
import type { Odd } from './shown.ts';

interface Taxed {
  readonly tax_codes?: readonly string[] | undefined;
}
interface ChargeTerms extends Taxed {
  readonly id?: string | null | undefined;
  readonly parent_id?: string | null | undefined;
}
interface PlanTerms extends Taxed {
  readonly minimum_commitment?: object | null | undefined;
  readonly metadata?: object | null | undefined;
  readonly charges?: readonly ChargeTerms[] | null | undefined;
  readonly fixed_charges?: readonly ChargeTerms[] | null | undefined;
}

/** What was checked elsewhere, or is not of interest here. */
type Overrides = OverridesOf<Record<OverrideKind, unknown>>;
type Entry<Name extends 'charges' | 'fixed_charges'> = NonNullable<Overrides[Name]>[number];
type OverrideEntry = Entry<'charges'> & Entry<'fixed_charges'>;

/** A first override copies a catalogue plan; a later one changes the copy. */
type OverrideRule = 'first' | 'later';

/** A first override keeps these only as it sends them. */
const notCopied = { tax_codes: [], minimum_commitment: null, usage_thresholds: [], metadata: null };

/**
 * The plan with the overrides. Its charges keep their ids; one that a later override adds has none. In a first override,
 * ids of charges that the plan does not have are ignored.
 */
export function effectivePlan<Plan extends PlanTerms>(base: Plan, overrides: Overrides, rule: OverrideRule): Plan {
  const isFirst = rule === 'first';
  const start = isFirst ? { ...base, ...notCopied } : base;
  const { minimum_commitment, charges, fixed_charges, ...terms } = overrides;
  if (!isFirst) for (const field of setByFirstOverride) delete terms[field];
  const asCopied = (charge: ChargeTerms) => (isFirst ? { ...charge, tax_codes: [] } : charge);
  return {
    ...start,
    ...definedFields(terms),
    minimum_commitment: effectiveCommitment(fieldOf(start, 'minimum_commitment'), minimum_commitment),
    charges:
      isFirst || charges === undefined
        ? base.charges?.map(charge => withEntry(asCopied(charge), charges))
        : charges.map(entry => laterCharge(entry, base.charges)),
    fixed_charges: base.fixed_charges?.map(charge => withEntry(asCopied(charge), fixed_charges)),
  };
}

/** What the entry of a charge names replaces the charge's value, except what says which charge it is. */
function withEntry(charge: ChargeTerms, entries: readonly OverrideEntry[] = []): object {
  const entry = entries.find(({ id }) => id === charge.id);
  if (entry === undefined) return charge;
  const { id: _i, billable_metric_id: _b, code: _c, charge_model: _m, apply_units_immediately: _a, ...values } = entry;
  return withValues(charge, values);
}

/** Price and display name are those of the entry; the minimum never changes; filters and taxes stay if they are absent. */
function laterCharge(entry: OverrideEntry, charges: PlanTerms['charges']): object {
  const { properties = defaultPrices[entry.charge_model as ChargeModel] ?? {}, invoice_display_name = null } = entry;
  const charge = charges?.find(({ id }) => id === entry.id);
  const { id: _, ...values } = entry;
  if (charge === undefined) return { ...values, properties };
  const { filters, tax_codes, applied_pricing_unit } = entry;
  return withValues(charge, { properties, invoice_display_name, filters, tax_codes, applied_pricing_unit });
}

/** Of a pricing unit, only the rate is named. */
function withValues(charge: ChargeTerms, { applied_pricing_unit: unit, ...values }: OverrideEntry): object {
  const stored = fieldOf(charge, 'applied_pricing_unit') as object | null;
  return { ...charge, ...definedFields(values), ...(unit && { applied_pricing_unit: { ...stored, ...unit } }) };
}

const onlyRange = { from_value: 0, to_value: null, flat_amount: '0' };
const onlyTier = { ...onlyRange, per_unit_amount: '0' };

/** What the service takes where a charge comes without a price. */
const defaultPrices: { readonly [Model in ChargeModel]?: OverrideEntry['properties'] } = {
  standard: { amount: '0' },
  package: { amount: '0', package_size: 1, free_units: 0 },
  graduated: { graduated_ranges: [onlyTier] },
  graduated_percentage: { graduated_percentage_ranges: [{ ...onlyRange, rate: '0' }] },
  volume: { volume_ranges: [onlyTier] },
  percentage: { rate: '0' },
};

/** An empty entry is none, and removes the one that a copy has. */
function effectiveCommitment(stored: unknown, entry: Overrides['minimum_commitment']): unknown {
  if (entry === undefined) return stored;
  const values = definedFields(entry);
  return Object.keys(values).length === 0 ? null : { ...(isObject(stored) && stored), ...values };
}

/** Without the fields that are undefined. */
export function definedFields<Of extends object>(fields: Of): Partial<Of> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Of>;
}

/** The terms of a plan as overrides would send them: without nulls, and without what no override names. */
export function termsAsSent(plan: object): AnyOverrides {
  const { usage_thresholds: thresholds, ...terms }: AnyOverrides = asSent(planOverrideFields, plan);
  const inOrder = thresholds?.sort((left, right) => Number(left.amount_cents) - Number(right.amount_cents));
  return { ...terms, ...(inOrder && { usage_thresholds: inOrder }) };
}

/** Without any, a plan has no metadata at all; an empty object removes all. */
function asSent(declared: DeclaredFields, record: object): object {
  const entries = Object.entries(declared).map(([field, kind]) => {
    const value = fieldOf(record, field) ?? (kind === 'metadata' ? {} : undefined);
    if (!isGiven(value)) return [field, undefined];
    if (typeof kind === 'string') return [field, kind === 'codes' ? [...(value as string[])].sort() : value];
    return [field, isListOfFields(kind) ? (value as object[]).map(each => asSent(kind[0], each)) : asSent(kind, value)];
  });
  return definedFields(Object.fromEntries(entries));
}

/** A charge in two plans, undefined in the one that lacks it. */
interface ChargeDifference<Charge = ChargeTerms> {
  readonly list: 'charges' | 'fixed_charges';
  readonly before: Charge | undefined;
  readonly after: Charge | undefined;
  /** Those that differ. */
  readonly fields: readonly (keyof OverrideEntry)[];
  /** The charge before, as overrides send it. */
  readonly earlier: SentCharge;
}

type ChargeIn<Plan extends PlanTerms> = NonNullable<Plan['charges'] | Plan['fixed_charges']>[number];

/** The fields of a plan that differ from another, and its charges. A copy of a charge, by its `parent_id`, is the same charge. */
export function planDifference<Plan extends PlanTerms>(before: Plan, after: Plan) {
  const fields = differing(termsAsSent(before), termsAsSent(after));
  const charges = (['charges', 'fixed_charges'] as const).flatMap((list): ChargeDifference<ChargeIn<Plan>>[] => {
    const [stored, now]: (readonly ChargeIn<Plan>[] | Odd)[] = [before[list], after[list]];
    // What is not shown does not differ.
    if (!now) return [];
    const pairs = (stored ?? []).map(was => ({ before: was, after: now.find(is => isSame(was, is)) }));
    const added = now.filter(is => !stored?.some(was => isSame(was, is)));
    return [...pairs, ...added.map(is => ({ before: undefined, after: is }))].map(pair => {
      const [earlier, present] = [asSentCharge(list, pair.before), asSentCharge(list, pair.after)];
      return { list, ...pair, fields: differing(earlier, present).filter(field => field !== 'id'), earlier };
    });
  });
  return { fields: fields.filter(field => field !== 'charges' && field !== 'fixed_charges'), charges };
}

function asSentCharge(list: 'charges' | 'fixed_charges', charge: ChargeTerms = {}): SentCharge {
  return asSent(planOverrideFields[list][0], charge);
}

function isSame({ id }: ChargeTerms, charge: ChargeTerms): boolean {
  return charge.id === id || charge.parent_id === id;
}

function differing<Of extends object>(before: Of, after: Of): (keyof Of)[] {
  const fields = [...new Set(Object.keys({ ...before, ...after }))] as (keyof Of)[];
  return fields.filter(field => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}

/** What a plan has and the other lacks, although the overrides do not name it: of charges, those that are gone or lack taxes. */
export function lossesBetween<Plan extends PlanTerms>(before: Plan, after: Plan, named: Overrides = {}) {
  const charges = planDifference(before, after).charges.flatMap(({ list, before: charge, after: now }) => {
    if (charge === undefined) return [];
    const isNamed = named[list]?.find(({ id }) => id === charge.id)?.tax_codes !== undefined;
    const taxes = now === undefined || isNamed ? [] : lostTaxes(charge, now);
    return now && taxes.length === 0 ? [] : [{ list, charge, isGone: now === undefined, taxes }];
  });
  const hadCommitment = isGiven(before.minimum_commitment) && !isGiven(after.minimum_commitment);
  const keys = Object.keys(before.metadata ?? {}).filter(key => !(key in (after.metadata ?? {})));
  return {
    taxes: named.tax_codes === undefined ? lostTaxes(before, after) : [],
    charges,
    hadCommitment: named.minimum_commitment === undefined && hadCommitment,
    metadata: named.metadata === undefined ? keys : [],
  };
}

function lostTaxes({ tax_codes: codes = [] }: Taxed, { tax_codes: now = [] }: Taxed): readonly string[] {
  return codes.filter(code => !now.includes(code));
}
