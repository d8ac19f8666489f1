/**
 * Overrides of a plan in the words of a question: what they change (service-behaviour §3.2). `plan` is the subscription's present
 * plan. No price is ever left out.
 */
import { definedFields } from '../../src/contract/effective-plan.ts';
import { type AnyOverrides, planFields, type SentCharge } from '../../src/contract/plan-overrides.ts';
import type { AnyCharge, Charge, Plan, RecordIn } from '../../src/contract/shown.ts';
import { inWords } from '../../src/words/changes.ts';
import { pairsOf } from '../../src/words/metadata-words.ts';
import { chargeName, wholePriceLine } from '../../src/words/price.ts';
import { hasOwnPlan, isPricedElsewhere, type PlanAsRead } from '../../src/words/subscription.ts';
import { code, listed, listedCodes, money, quantity, quoted, say } from '../../src/words/summary.ts';
import { chargeOf, type OverridableCharge, type OverridablePlan, overridable, planWith, taxCodesOf } from './plan.ts';

/** Each change as `api_calls: $0.01 each → $0.02 each`. `currency` is that of the sent amounts. */
export function overrideChanges(overrides: AnyOverrides, plan: PlanAsRead, currency: unknown): string[] {
  const present = plan.amount_currency;
  const changes: (string | null)[] = [];
  const addChange = (label: string, from: string | null, to: string | null): void => {
    changes.push(from === to ? `${label} stays ${to ?? 'empty'}` : `${label}: ${from ?? 'none'} → ${to ?? 'none'}`);
  };
  const [earlier, effective] = [overridable(plan), planWith(overrides, plan)];
  const { minimum_commitment, charges, fixed_charges, usage_thresholds } = overrides;
  const sent = { ...overrides, amount_currency: currency === present ? undefined : currency };
  if (hasOwnPlan(plan) === true) delete sent.trial_period;
  for (const [field, label] of Object.entries(planLabels) as [keyof typeof planFields, string][]) {
    const words = wordsOfKind[planFields[field]];
    const before = field === 'amount_cents' && isPricedElsewhere(plan) ? 'not shown' : words(earlier[field], present);
    if (sent[field] !== undefined) addChange(label, before, words(effective[field], currency));
  }
  if (minimum_commitment !== undefined) {
    const [from, to] = [earlier.minimum_commitment, effective.minimum_commitment];
    addChange('minimum commitment', commitmentInWords(from ?? {}, present), commitmentInWords(to ?? {}, currency));
  }
  const plans = { before: earlier, after: effective, currency };
  for (const entry of charges ?? []) changes.push(...chargeChanges(entry, plans, 'charges'));
  for (const entry of fixed_charges ?? []) changes.push(...chargeChanges(entry, plans, 'fixed_charges'));
  if (usage_thresholds !== undefined) {
    const before = thresholdsInWords(plan.usage_thresholds, present);
    const isIgnored = hasOwnPlan(plan) === false && usage_thresholds.length === 0;
    addChange('usage thresholds', before, isIgnored ? before : thresholdsInWords(usage_thresholds, currency));
  }
  return changes.filter(change => change !== null);
}

/** In the order of the question. */
const planLabels: Readonly<Record<keyof typeof planFields, string>> = {
  amount_cents: 'plan price',
  amount_currency: 'currency of all its prices',
  name: 'plan name',
  invoice_display_name: 'plan name on invoices',
  description: 'plan description',
  trial_period: 'trial',
  tax_codes: 'plan taxes',
  metadata: 'plan metadata',
};

const wordsOfKind = {
  cents: money,
  currency: code,
  name: quoted,
  text: quoted,
  days: (value: unknown) => say`${quantity(value)} days`,
  codes: (value: unknown) => codesOf((value ?? []) as readonly string[]),
  /** `cost_center “7”, team (empty)` */
  metadata: (value: unknown) => {
    const pairs = pairsOf(value).map(([key, text]) => `${code(key) ?? ''} ${quoted(text) ?? '(empty)'}`);
    return listed(pairs, Number.POSITIVE_INFINITY);
  },
};

interface Plans {
  before: OverridablePlan & PlanAsRead;
  after: OverridablePlan;
  /** Of `after`. */
  currency: unknown;
}

/** The changes of one charge: of its price, its name on invoices and its taxes. */
function chargeChanges(entry: SentCharge, plans: Plans, list: 'charges' | 'fixed_charges'): string[] {
  const { before: plan, after, currency } = plans;
  const all: readonly OverridableCharge[] = plan[list] ?? [];
  const charge = chargeOf(entry, all);
  const changed = after[list]?.find(({ id }) => charge !== undefined && id === charge.id);
  if (charge === undefined || changed === undefined) {
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
  const { units, invoice_display_name: name, tax_codes: taxes } = entry;
  const [from, to] = pricesOf(charge, plan.amount_currency, changed, currency);
  const renamed = name !== undefined && name !== charge.invoice_display_name;
  const atOnce = entry.apply_units_immediately === true ? ', at once' : '';
  const rate = entry.applied_pricing_unit?.conversion_rate;
  return [
    from === to && (renamed || taxes !== undefined || rate !== undefined)
      ? null
      : units !== undefined && list === 'fixed_charges' && hasOwnPlan(plan) !== true && plan.own_quantities !== true
        ? `${label}: ${to}${atOnce} (the plan has ${from}; an existing quantity for only this subscription is not shown)`
        : from === to
          ? `${label} stays ${to}`
          : `${label}: ${from} → ${to}${atOnce}`,
    renamed ? `name of ${label}: ${quoted(charge.invoice_display_name) ?? 'none'} → ${quoted(name) ?? 'none'}` : null,
    rate === undefined
      ? null
      : `conversion rate of ${label}: ${quantity(charge.applied_pricing_unit?.conversion_rate) ?? 'none'} → ${quantity(rate) ?? 'none'}`,
    taxes === undefined
      ? null
      : `taxes of ${label}: ${codesOf(taxCodesOf(charge)) ?? 'none'} → ${codesOf(changed.tax_codes ?? []) ?? 'none'}`,
  ].filter(change => change !== null);
}

/** In a subscription's own copy of the plan, an entry without a known id becomes a new charge. */
function addedCharge(entry: SentCharge, plan: PlanAsRead, currency: unknown): string {
  const metric = (plan.charges ?? []).find(each => each.svc_billable_metric_id === entry.billable_metric_id);
  const { id: _, billable_metric_id, ...rest } = entry;
  const name = quoted(entry.invoice_display_name) ?? code(metric?.billable_metric_code) ?? code(billable_metric_id);
  return `new charge ${name ?? 'without a metric'}: ${wholePriceLine(entry, currency) ?? inWords(rest, 'charge', currency)}`;
}

/** The price before and after, in the same form: one line each, or all values of both where one line cannot say it. */
function pricesOf(before: AnyCharge, earlierCurrency: unknown, after: AnyCharge, currency: unknown): [string, string] {
  const [from, to] = [wholePriceLine(before, earlierCurrency), wholePriceLine(after, currency)];
  if (from !== null && to !== null) return [bracketed(from), bracketed(to)];
  const values = ({ properties, filters, min_amount_cents, units }: AnyCharge) =>
    definedFields({
      properties,
      min_amount_cents,
      units,
      filters: filters?.length ? filters : undefined,
    });
  return [from ?? inWords(values(before), 'charge', earlierCurrency), inWords(values(after), 'charge', currency)];
}

/** In brackets, because semicolons separate changes as well as the prices of filters. */
function bracketed(price: string): string {
  return price.includes(';') ? `(${price})` : price;
}

/** `“Transcription” ($0.01 each)` */
export function priceOf(charge: Charge, currency: unknown): string {
  return `${chargeName(charge)}${say` (${wholePriceLine(charge, currency)})` ?? ''}`;
}

/** As the plan shows it, with the codes of its taxes where they are sent. */
type Commitment = RecordIn<Plan['minimum_commitment']> & Pick<AnyOverrides, 'tax_codes'>;

export function commitmentInWords(record: Commitment, currency: unknown): string | null {
  const amount = money(record.amount_cents, currency);
  const taxes = codesOf(record.tax_codes ?? taxCodesOf(record));
  const parts = [amount, quoted(record.invoice_display_name), say`taxes ${taxes}`].filter(part => part !== null);
  return parts.length === 0 ? null : parts.join(', ');
}

/** `$50.00 “First”, $100.00 (recurring)` */
export function thresholdsInWords(entries: Plan['usage_thresholds'], currency: unknown): string | null {
  const texts = (entries ?? []).map(entry => {
    const amount = money(entry.amount_cents, currency) ?? 'none';
    return `${amount}${say` ${quoted(entry.threshold_display_name)}` ?? ''}${entry.recurring === true ? ' (recurring)' : ''}`;
  });
  return listed(texts, Number.POSITIVE_INFINITY);
}

function codesOf(codes: readonly string[]): string | null {
  return listedCodes(codes, Number.POSITIVE_INFINITY);
}
