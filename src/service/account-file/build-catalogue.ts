/** Turns the entries of schema-catalogue.ts into records. */

import { parseExpression } from '../../engine/expression.ts';
import { mayBillMonthly } from '../../engine/periods.ts';
import {
  rulesBrokenByCharge,
  rulesBrokenByFixedCharge,
  rulesBrokenByMetric,
  rulesBrokenByPlan,
  rulesBrokenByProperties,
} from '../../engine/plan-rules.ts';
import type { BillingEntityRecord, OrganizationRecord, PlanRecord } from '../../engine/records/index.ts';
import { idOf } from '../store/ids.ts';
import { randomSecret } from '../store/secret.ts';
import { type AccountBuilder, atPlace, type Path, requireNoBrokenRules, requireThat } from './account-builder.ts';
import type { AccountEntries } from './schema.ts';

type PlanEntry = AccountEntries['plans'][number];

export function organizationOf(entry: AccountEntries['organization'], oldestTime: string): OrganizationRecord {
  const id = entry.id ?? idOf('organization', entry.name);
  const created = entry.created_at ?? oldestTime;
  return {
    id,
    created_at: created,
    updated_at: created,
    name: entry.name,
    slug_prefix: entry.slug_prefix ?? documentPrefix(entry.name, id),
    hmac_key: entry.hmac_key ?? randomSecret(),
  };
}

/** First three letters of the name and last four characters of the id, upper case (§3.12). */
function documentPrefix(name: string, id: string): string {
  return `${name.slice(0, 3)}-${id.slice(-4)}`.toUpperCase();
}

export function buildCatalogue(builder: AccountBuilder, entries: AccountEntries): void {
  builder.each('taxes', entries.taxes, (entry, path) => {
    builder.add('taxes', entry.code, { ...entry, ...builder.idAndTimes('tax', entry.code, entry) }, path);
  });
  builder.each('invoice_custom_sections', entries.invoice_custom_sections, (entry, path) => {
    const record = { ...entry, ...builder.idAndTimes('invoice_custom_section', entry.code, entry) };
    builder.add('invoice_custom_sections', entry.code, record, path);
  });
  builder.each('billing_entities', entries.billing_entities, (entry, path, position) => {
    builder.all(
      () => builder.requireNew('billing_entities', entry.code, path),
      () => builder.needAll('taxes', entry.tax_codes, [...path, 'tax_codes']),
    );
    builder.add('billing_entities', entry.code, billingEntity(builder, entry, position === 0), path);
  });
  buildMetrics(builder, entries.billable_metrics);
  builder.each('add_ons', entries.add_ons, (entry, path) => {
    builder.all(
      () => builder.requireNew('add_ons', entry.code, path),
      () => builder.needAll('taxes', entry.tax_codes, [...path, 'tax_codes']),
    );
    const record = { ...entry, ...builder.idAndTimes('add_on', entry.code, entry), deleted_at: null };
    builder.add('add_ons', entry.code, record, path);
  });
  builder.each('plans', entries.plans, (entry, path) => {
    builder.add('plans', entry.code, plan(builder, entry, path), path);
  });
  buildCoupons(builder, entries.coupons);
}

function billingEntity(
  builder: AccountBuilder,
  entry: AccountEntries['billing_entities'][number],
  isDefault: boolean,
): BillingEntityRecord {
  const base = builder.idAndTimes('billing_entity', entry.code, entry);
  const prefix = entry.document_number_prefix?.toUpperCase() ?? documentPrefix(entry.name, base.id);
  return { ...entry, ...base, document_number_prefix: prefix, is_default: isDefault };
}

function buildMetrics(builder: AccountBuilder, entries: AccountEntries['billable_metrics']): void {
  builder.each('billable_metrics', entries, (entry, path) => {
    const { expression } = entry;
    builder.all(
      () => builder.requireNew('billable_metrics', entry.code, path),
      () => requireNoBrokenRules(rulesBrokenByMetric(entry), path),
      () => expression && atPlace([...path, 'expression'], () => parseExpression(expression)),
    );
    const weighted = entry.aggregation_type === 'weighted_sum_agg' ? 'seconds' : entry.weighted_interval;
    const record = {
      ...entry,
      ...builder.idAndTimes('billable_metric', entry.code, entry),
      weighted_interval: weighted,
    };
    builder.add('billable_metrics', entry.code, record, path);
  });
}

function buildCoupons(builder: AccountBuilder, entries: AccountEntries['coupons']): void {
  builder.each('coupons', entries, (entry, path) => {
    const fixed = entry.coupon_type === 'fixed_amount';
    const terminated = entry.status === 'terminated';
    const rule = (met: boolean, field: keyof typeof entry, message: string) => () =>
      requireThat(met, [...path, field], message);
    builder.all(
      () => builder.requireNew('coupons', entry.code, path),
      rule(!fixed || entry.amount_cents !== null, 'amount_cents', 'is needed by a fixed amount'),
      rule(!fixed || entry.amount_currency !== null, 'amount_currency', 'is needed by a fixed amount'),
      rule(fixed || entry.percentage_rate !== null, 'percentage_rate', 'is needed by a percentage'),
      rule(
        entry.frequency !== 'recurring' || entry.frequency_duration !== null,
        'frequency_duration',
        'is needed by a recurring coupon',
      ),
      () => builder.needAll('plans', entry.plan_codes, [...path, 'plan_codes']),
      () => builder.needAll('billable_metrics', entry.billable_metric_codes, [...path, 'billable_metric_codes']),
      rule(terminated || entry.terminated_at === null, 'terminated_at', 'is only for a terminated one'),
    );
    const base = builder.idAndTimes('coupon', entry.code, entry);
    const ended = terminated ? base.created_at : null;
    builder.add('coupons', entry.code, { ...entry, ...base, terminated_at: entry.terminated_at ?? ended }, path);
  });
}

function plan(builder: AccountBuilder, entry: PlanEntry, path: Path): PlanRecord {
  const base = builder.idAndTimes('plan', entry.code, entry);
  const times = { created_at: base.created_at, updated_at: base.updated_at };
  const commitment = entry.minimum_commitment;
  const taxesOfCommitment = [...path, 'minimum_commitment', 'tax_codes'];
  const [usage, fixed] = builder.all(
    () => charges(builder, entry, base.created_at, path),
    () => fixedCharges(builder, entry, base.created_at, path),
    () => builder.requireNew('plans', entry.code, path),
    () => requireNoBrokenRules(rulesBrokenByPlan(entry), path),
    () => builder.needAll('taxes', entry.tax_codes, [...path, 'tax_codes']),
    () => builder.needAll('taxes', commitment?.tax_codes ?? [], taxesOfCommitment),
  );
  return {
    ...entry,
    ...base,
    ...monthlyBilling(entry),
    parent_id: null,
    charges: usage,
    fixed_charges: fixed,
    minimum_commitment: commitment && { id: idOf('commitment', entry.code), ...commitment, ...times },
    usage_thresholds: entry.usage_thresholds.map((threshold, i) => ({
      ...threshold,
      id: threshold.id ?? idOf('usage_threshold', `${entry.code} ${i}`),
      ...times,
    })),
  };
}

/** False unless stated where the period is long; null on all other plans (§3.14). */
function monthlyBilling(entry: PlanEntry) {
  const stated = (flag: boolean | null) => (mayBillMonthly(entry) ? (flag ?? false) : null);
  return {
    bill_charges_monthly: stated(entry.bill_charges_monthly),
    bill_fixed_charges_monthly: stated(entry.bill_fixed_charges_monthly),
  };
}

function charges(builder: AccountBuilder, entry: PlanEntry, created: string, path: Path): PlanRecord['charges'] {
  const codes = new Set<string>();
  return builder.parts(entry.charges, (charge, i) => {
    const at = [...path, 'charges', i];
    const { billable_metric_code: metricCode, ...fields } = charge;
    const code = charge.code ?? metricCode;
    const knownMetric = builder.find('billable_metrics', metricCode);
    const broken = knownMetric ? rulesBrokenByCharge(charge, knownMetric) : rulesBrokenByProperties(charge);
    const [metric] = builder.all(
      () => builder.need('billable_metrics', metricCode, [...at, 'billable_metric_code']),
      () => requireNoBrokenRules(broken, at),
      () => requireThat(!codes.has(code), [...at, 'code'], `"${code}" is there twice in this plan`),
      () => builder.needAll('taxes', charge.tax_codes, [...at, 'tax_codes']),
    );
    codes.add(code);
    const id = charge.id ?? idOf('charge', `${entry.code} ${code}`);
    const filters = charge.filters.map((filter, n) => ({
      ...filter,
      id: filter.id ?? idOf('charge_filter', `${id} ${n}`),
    }));
    return {
      ...fields,
      id,
      code,
      parent_id: null,
      billable_metric_id: metric.id,
      filters,
      created_at: charge.created_at ?? created,
    };
  });
}

function fixedCharges(
  builder: AccountBuilder,
  entry: PlanEntry,
  created: string,
  path: Path,
): PlanRecord['fixed_charges'] {
  const codes = new Set<string>();
  return builder.parts(entry.fixed_charges, (charge, i) => {
    const at = [...path, 'fixed_charges', i];
    const { add_on_code: addOnCode, ...fields } = charge;
    const code = charge.code ?? addOnCode;
    const [addOn] = builder.all(
      () => builder.need('add_ons', addOnCode, [...at, 'add_on_code']),
      () => requireThat(!codes.has(code), [...at, 'code'], `"${code}" is there twice in this plan`),
      () => requireNoBrokenRules(rulesBrokenByFixedCharge(charge), at),
      () => builder.needAll('taxes', charge.tax_codes, [...at, 'tax_codes']),
    );
    codes.add(code);
    return {
      ...fields,
      id: charge.id ?? idOf('fixed_charge', `${entry.code} ${code}`),
      code,
      parent_id: null,
      add_on_id: addOn.id,
      created_at: charge.created_at ?? created,
    };
  });
}
