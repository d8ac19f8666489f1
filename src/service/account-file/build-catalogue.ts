/** Turns the entries of schema-catalogue.ts into records. */

import { parseExpression } from '../engine/expression.ts';
import { checkCharge, checkFixedCharge, checkMetric, checkPlan } from '../engine/plan-rules.ts';
import type { BillingEntityRecord, OrganizationRecord, PlanRecord } from '../records/index.ts';
import { idOf } from '../store/ids.ts';
import { randomSecret } from '../store/secret.ts';
import { type AccountBuilder, atPlace, type Path, requireThat } from './account-builder.ts';
import { checkProperties } from './check-properties.ts';
import type { AccountEntries } from './schema.ts';

type PlanEntry = AccountEntries['plans'][number];

export function organizationOf(entry: AccountEntries['organization'], otherwise: string): OrganizationRecord {
  const id = entry.id ?? idOf('organization', entry.name);
  const created = entry.created_at ?? otherwise;
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
    builder.add('taxes', entry.code, { ...entry, ...builder.base('tax', entry.code, entry) }, path);
  });
  builder.each('invoice_custom_sections', entries.invoice_custom_sections, (entry, path) => {
    const record = { ...entry, ...builder.base('invoice_custom_section', entry.code, entry) };
    builder.add('invoice_custom_sections', entry.code, record, path);
  });
  builder.each('billing_entities', entries.billing_entities, (entry, path, position) => {
    builder.needAll('taxes', entry.tax_codes, [...path, 'tax_codes']);
    builder.add('billing_entities', entry.code, billingEntity(builder, entry, position === 0), path);
  });
  buildMetrics(builder, entries.billable_metrics);
  builder.each('add_ons', entries.add_ons, (entry, path) => {
    builder.needAll('taxes', entry.tax_codes, [...path, 'tax_codes']);
    const record = { ...entry, ...builder.base('add_on', entry.code, entry), deleted_at: null };
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
  const base = builder.base('billing_entity', entry.code, entry);
  const prefix = entry.document_number_prefix?.toUpperCase() ?? documentPrefix(entry.name, base.id);
  return { ...entry, ...base, document_number_prefix: prefix, is_default: isDefault };
}

function buildMetrics(builder: AccountBuilder, entries: AccountEntries['billable_metrics']): void {
  builder.each('billable_metrics', entries, (entry, path) => {
    atPlace(path, () => checkMetric(entry));
    if (entry.expression) atPlace([...path, 'expression'], () => parseExpression(entry.expression as string));
    const weighted = entry.aggregation_type === 'weighted_sum_agg' ? 'seconds' : entry.weighted_interval;
    const record = { ...entry, ...builder.base('billable_metric', entry.code, entry), weighted_interval: weighted };
    builder.add('billable_metrics', entry.code, record, path);
  });
}

function buildCoupons(builder: AccountBuilder, entries: AccountEntries['coupons']): void {
  builder.each('coupons', entries, (entry, path) => {
    const fixed = entry.coupon_type === 'fixed_amount';
    requireThat(!fixed || entry.amount_cents !== null, [...path, 'amount_cents'], 'is needed by a fixed amount');
    requireThat(!fixed || entry.amount_currency !== null, [...path, 'amount_currency'], 'is needed by a fixed amount');
    requireThat(fixed || entry.percentage_rate !== null, [...path, 'percentage_rate'], 'is needed by a percentage');
    const lasting = entry.frequency !== 'recurring' || entry.frequency_duration !== null;
    requireThat(lasting, [...path, 'frequency_duration'], 'is needed by a recurring coupon');
    builder.needAll('plans', entry.plan_codes, [...path, 'plan_codes']);
    builder.needAll('billable_metrics', entry.billable_metric_codes, [...path, 'billable_metric_codes']);
    const base = builder.base('coupon', entry.code, entry);
    const terminated = entry.status === 'terminated';
    requireThat(terminated || entry.terminated_at === null, [...path, 'terminated_at'], 'is only for a terminated one');
    const ended = terminated ? base.created_at : null;
    builder.add('coupons', entry.code, { ...entry, ...base, terminated_at: entry.terminated_at ?? ended }, path);
  });
}

function plan(builder: AccountBuilder, entry: PlanEntry, path: Path): PlanRecord {
  atPlace(path, () => checkPlan(entry));
  builder.needAll('taxes', entry.tax_codes, [...path, 'tax_codes']);
  const base = builder.base('plan', entry.code, entry);
  const times = { created_at: base.created_at, updated_at: base.updated_at };
  const commitment = entry.minimum_commitment;
  if (commitment) builder.needAll('taxes', commitment.tax_codes, [...path, 'minimum_commitment', 'tax_codes']);
  return {
    ...entry,
    ...base,
    parent_id: null,
    charges: charges(builder, entry, base.created_at, path),
    fixed_charges: fixedCharges(builder, entry, base.created_at, path),
    minimum_commitment: commitment && { id: idOf('commitment', entry.code), ...commitment, ...times },
    usage_thresholds: entry.usage_thresholds.map((threshold, i) => ({
      ...threshold,
      id: threshold.id ?? idOf('usage_threshold', `${entry.code} ${i}`),
      ...times,
    })),
  };
}

function charges(builder: AccountBuilder, entry: PlanEntry, created: string, path: Path): PlanRecord['charges'] {
  const codes = new Set<string>();
  return builder.parts(entry.charges, (charge, i) => {
    const at = [...path, 'charges', i];
    const { billable_metric_code: metricCode, ...fields } = charge;
    const metric = builder.need('billable_metrics', metricCode, [...at, 'billable_metric_code']);
    const code = charge.code ?? metricCode;
    requireThat(!codes.has(code), [...at, 'code'], `"${code}" is there twice in this plan`);
    codes.add(code);
    checkProperties(builder, charge.charge_model, charge.properties, at);
    for (const [n, filter] of charge.filters.entries()) {
      checkProperties(builder, charge.charge_model, filter.properties, [...at, 'filters', n]);
    }
    atPlace(at, () => checkCharge(charge, metric));
    builder.needAll('taxes', charge.tax_codes, [...at, 'tax_codes']);
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
    const addOn = builder.need('add_ons', addOnCode, [...at, 'add_on_code']);
    const code = charge.code ?? addOnCode;
    requireThat(!codes.has(code), [...at, 'code'], `"${code}" is there twice in this plan`);
    codes.add(code);
    checkProperties(builder, charge.charge_model, charge.properties, at);
    atPlace(at, () => checkFixedCharge(charge));
    builder.needAll('taxes', charge.tax_codes, [...at, 'tax_codes']);
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
