/**
 * A change of one subscription's prices (`plan_overrides`): what it changes, what it deletes without naming it, and
 * what in it has no effect (service-behaviour §3.2). `plan` is the subscription's present plan. No price is ever left
 * out.
 */
import type { Charge, Plan } from '../contract/shown.ts';
import type { JsonRecord } from '../lib/json.ts';
import { chargeName, wholePriceLine } from './price.ts';
import { inWords } from './questions.ts';
import { asRecord, asRecords, asText, asTexts, code, listed, money, named, quantity, quoted, say } from './summary.ts';

/** A plan with what the reads say of it: are the units of its fixed charges those of the subscription? */
export type PlanAsRead = Plan & { readonly own_quantities?: unknown };

/** Does the subscription have its own copy of the plan already? Null where the plan was not read. */
export function hasOwnPlan(plan: PlanAsRead): boolean | null {
  return 'parent_id' in plan ? asText(plan.parent_id) !== null : null;
}

/** A change of the quantities of fixed charges alone makes no copy of the plan, and loses nothing. */
export function setsOnlyUnits(overrides: JsonRecord): boolean {
  return Object.entries(overrides).every(
    ([field, entries]) =>
      entries === undefined ||
      (field === 'fixed_charges' &&
        asRecords(entries).every(entry => Object.keys(entry).every(key => key === 'id' || key === 'units'))),
  );
}

/** Each change as `api_calls: $0.01 each → $0.02 each`. `currency` is that of the sent amounts. */
export function overrideChanges(overrides: JsonRecord, plan: PlanAsRead, currency: unknown): string[] {
  const present = plan.amount_currency;
  const changes: (string | null)[] = [];
  const addChange = (label: string, from: string | null, to: string | null): void => {
    changes.push(from === to ? `${label} stays ${to ?? 'empty'}` : `${label}: ${from ?? 'none'} → ${to ?? 'none'}`);
  };
  const { amount_cents, trial_period, tax_codes, minimum_commitment, charges, fixed_charges, usage_thresholds } =
    overrides;
  if (amount_cents !== undefined)
    addChange('plan price', money(plan.amount_cents, present), money(amount_cents, currency) ?? 'none');
  if (currency !== present) addChange('currency of all its prices', code(present), code(currency));
  for (const [field, label] of Object.entries(planTexts)) {
    if (overrides[field] !== undefined) addChange(label, quoted(plan[field as keyof Plan]), quoted(overrides[field]));
  }
  if (trial_period !== undefined && hasOwnPlan(plan) !== true)
    addChange('trial', days(plan.trial_period), days(trial_period));
  if (tax_codes !== undefined) addChange('plan taxes', codesOf(taxesOf(plan)), codesOf(asTexts(tax_codes)));
  if (minimum_commitment !== undefined) {
    const [before, after] = [asRecord(plan.minimum_commitment), asRecord(minimum_commitment)];
    addChange('minimum commitment', commitment(before, present), commitment({ ...before, ...after }, currency));
  }
  for (const entry of asRecords(charges)) changes.push(...chargeChanges(entry, plan, currency, 'charges'));
  for (const entry of asRecords(fixed_charges)) changes.push(...chargeChanges(entry, plan, currency, 'fixed_charges'));
  if (usage_thresholds !== undefined)
    addChange('usage thresholds', thresholds(plan.usage_thresholds, present), thresholds(usage_thresholds, currency));
  return changes.filter(change => change !== null);
}

const planTexts = { name: 'plan name', invoice_display_name: 'plan name on invoices', description: 'plan description' };

/**
 * What the subscription loses although the change does not name it, by name and amount. A first change of prices loses
 * taxes and the minimum commitment, a later one the charges that it does not list. Empty where the plan was not read.
 */
export function overrideLosses(overrides: JsonRecord, plan: PlanAsRead): string[] {
  const isOwnPlan = hasOwnPlan(plan);
  if (isOwnPlan === null || setsOnlyUnits(overrides)) return [];
  const sentCharges = asRecords(overrides.charges);
  if (isOwnPlan) {
    const keptIds = new Set(sentCharges.map(({ id }) => id));
    return asRecords(plan.charges)
      .filter(charge => !keptIds.has(charge.svc_id))
      .map(charge => `${priceOf(charge, plan.amount_currency)}`);
  }
  const untaxed = asRecords(plan.charges).filter(
    charge => sentCharges.find(({ id }) => id === charge.svc_id)?.tax_codes === undefined,
  );
  return [
    ...(overrides.tax_codes === undefined ? asRecords(plan.taxes).map(tax => `plan tax ${taxName(tax)}`) : []),
    ...untaxed.flatMap(charge => asRecords(charge.taxes).map(tax => `tax ${taxName(tax)} of ${chargeName(charge)}`)),
    ...(overrides.minimum_commitment === undefined && plan.minimum_commitment ? [commitmentLoss(plan)] : []),
  ];
}

/** What the plan had before a change of prices and does not have after it, by name and amount. */
export function lostBetween(before: JsonRecord, after: JsonRecord): string[] {
  const charges = asRecords(before.charges).map(charge => ({
    charge,
    now: asRecords(after.charges).find(each => [each.svc_id, each.svc_parent_id].includes(charge.svc_id)),
  }));
  const lostTaxes = (taxes: JsonRecord, now: JsonRecord) =>
    asRecords(taxes.taxes).filter(tax => !taxesOf(now).includes(asText(tax.code) ?? ''));
  return [
    ...lostTaxes(before, after).map(tax => `plan tax ${taxName(tax)}`),
    ...charges.flatMap(({ charge, now }) =>
      now === undefined
        ? [priceOf(charge, before.amount_currency)]
        : lostTaxes(charge, now).map(tax => `tax ${taxName(tax)} of ${chargeName(charge)}`),
    ),
    ...(before.minimum_commitment && !after.minimum_commitment ? [commitmentLoss(before)] : []),
  ];
}

function commitmentLoss(plan: PlanAsRead): string {
  return `minimum commitment of ${commitment(asRecord(plan.minimum_commitment), plan.amount_currency) ?? 'unknown size'}`;
}

/** The losses as one sentence, and which parts of the change have no effect. */
export function overrideNotes(overrides: JsonRecord, plan: PlanAsRead): string[] {
  const isOwnPlan = hasOwnPlan(plan);
  if (setsOnlyUnits(overrides)) return [];
  if (isOwnPlan === null) {
    return [
      'If this is the first change of its prices, taxes of the plan and of its charges and the minimum commitment are lost unless they are part of it. If it is a later one, charges that are not part of it are deleted.',
    ];
  }
  const losses = listed(overrideLosses(overrides, plan), Number.POSITIVE_INFINITY);
  const knownIds = new Set(asRecords(plan.charges).map(({ svc_id }) => svc_id));
  const unknownIds = asRecords(overrides.charges).flatMap(({ id }) => (knownIds.has(id) ? [] : [code(id) ?? 'no id']));
  const ignoredFields = ['amount_currency', 'trial_period'].filter(
    field => isOwnPlan && overrides[field] !== undefined,
  );
  return [
    isOwnPlan
      ? say`Charges that are not part of this change are deleted: ${losses}.`
      : `The subscription gets its own copy of ${say`plan ${named(plan.name, plan.code)}` ?? 'its plan'}, and cannot go back to the plan itself.`,
    isOwnPlan ? null : say`Lost with it: ${losses}.`,
    !isOwnPlan && unknownIds.length > 0
      ? `Plan charges have other ids than ${listed(unknownIds)}: these prices are ignored.`
      : null,
    ignoredFields.length > 0
      ? `It has its own copy of the plan already, so that ${listed(ignoredFields.map(field => (field === 'trial_period' ? 'the trial' : 'the currency')))} cannot change: this is ignored.`
      : null,
  ].filter(note => note !== null);
}

/** The changes of one charge: of its price, its name on invoices and its taxes. */
function chargeChanges(
  entry: JsonRecord,
  plan: PlanAsRead,
  currency: unknown,
  list: 'charges' | 'fixed_charges',
): string[] {
  const all = asRecords(plan[list]);
  const charge = all.find(
    each => each.svc_id === entry.id || (list === 'fixed_charges' && each.svc_parent_id === entry.id),
  );
  if (charge === undefined) {
    const { id, ...values } = entry;
    const adds = list === 'charges' && hasOwnPlan(plan) === true;
    return [
      adds
        ? addedCharge(entry, plan, currency)
        : `unknown charge ${code(id) ?? ''}: ${inWords(values, 'charge', currency)}`,
    ];
  }
  const twins = all.filter(each => chargeName(each) === chargeName(charge)).length > 1;
  const label = `${chargeName(charge)}${twins ? (say` (${code(charge.code)})` ?? '') : ''}`;
  const { properties, filters, min_amount_cents, units, invoice_display_name: name, tax_codes: taxes } = entry;
  const after: JsonRecord = { ...charge, ...definedFields({ properties, filters, min_amount_cents, units }) };
  const [from, to] = pricesOf(charge, plan.amount_currency, after, currency);
  const renamed = name !== undefined && name !== charge.invoice_display_name;
  const atOnce = entry.apply_units_immediately === true ? ', at once' : '';
  return [
    from === to && (renamed || taxes !== undefined)
      ? null
      : units !== undefined && list === 'fixed_charges' && hasOwnPlan(plan) !== true && plan.own_quantities !== true
        ? `${label}: ${to}${atOnce} (the plan has ${from}; a quantity that this subscription has of its own already is not shown)`
        : from === to
          ? `${label} stays ${to}`
          : `${label}: ${from} → ${to}${atOnce}`,
    renamed ? `name of ${label}: ${quoted(charge.invoice_display_name) ?? 'none'} → ${quoted(name) ?? 'none'}` : null,
    taxes === undefined
      ? null
      : `taxes of ${label}: ${codesOf(taxesOf(charge)) ?? 'none'} → ${codesOf(asTexts(taxes)) ?? 'none'}`,
  ].filter(change => change !== null);
}

/** In a subscription's own copy of the plan, an entry without a known id becomes a new charge. */
function addedCharge(entry: JsonRecord, plan: PlanAsRead, currency: unknown): string {
  const metric = asRecords(plan.charges).find(each => each.svc_billable_metric_id === entry.billable_metric_id);
  const { id: _, billable_metric_id, ...rest } = entry;
  const name = quoted(entry.invoice_display_name) ?? code(metric?.billable_metric_code) ?? code(billable_metric_id);
  return `new charge ${name ?? 'without a metric'}: ${wholePriceLine(entry, currency) ?? inWords(rest, 'charge', currency)}`;
}

/** The price before and after, in the same form: one line each, or all values of both where one line cannot say it. */
function pricesOf(
  before: JsonRecord,
  earlierCurrency: unknown,
  after: JsonRecord,
  currency: unknown,
): [string, string] {
  const [from, to] = [wholePriceLine(before, earlierCurrency), wholePriceLine(after, currency)];
  if (from !== null && to !== null) return [bracketed(from), bracketed(to)];
  const values = ({ properties, filters, min_amount_cents, units }: JsonRecord) =>
    definedFields({
      properties,
      min_amount_cents,
      units,
      filters: asRecords(filters).length === 0 ? undefined : filters,
    });
  return [from ?? inWords(values(before), 'charge', earlierCurrency), inWords(values(after), 'charge', currency)];
}

/** In brackets, because semicolons separate changes as well as the prices of filters. */
function bracketed(price: string): string {
  return price.includes(';') ? `(${price})` : price;
}

/** `“Transcription” ($0.01 each)` */
function priceOf(charge: Charge, currency: unknown): string {
  return `${chargeName(charge)}${say` (${wholePriceLine(charge, currency)})` ?? ''}`;
}

function commitment(record: JsonRecord, currency: unknown): string | null {
  const amount = money(record.amount_cents, currency);
  const taxes = codesOf(Array.isArray(record.tax_codes) ? asTexts(record.tax_codes) : taxesOf(record));
  const parts = [amount, quoted(record.invoice_display_name), say`taxes ${taxes}`].filter(part => part !== null);
  return parts.length === 0 ? null : parts.join(', ');
}

function thresholds(entries: unknown, currency: unknown): string | null {
  const texts = asRecords(entries).map(entry => {
    const amount = money(entry.amount_cents, currency) ?? 'none';
    return `${amount}${say` ${quoted(entry.threshold_display_name)}` ?? ''}${entry.recurring === true ? ' (recurring)' : ''}`;
  });
  return listed(texts, Number.POSITIVE_INFINITY);
}

function taxesOf({ taxes }: JsonRecord): string[] {
  return asTexts(asRecords(taxes).map(tax => tax.code));
}

function codesOf(codes: readonly string[]): string | null {
  return listed(
    codes.map(each => code(each) ?? ''),
    Number.POSITIVE_INFINITY,
  );
}

/** `“VAT” (20%)` */
function taxName({ name, code: taxCode, rate }: JsonRecord): string {
  return `${quoted(name) ?? code(taxCode) ?? 'without a name'}${say` (${quantity(rate)}%)` ?? ''}`;
}

function days(value: unknown): string | null {
  return say`${quantity(value)} days`;
}

function definedFields(fields: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
