/** Entries of what is sold, as records. */

import { parseExpression } from '../engine/expression.ts';
import { checkCharge, checkFixedCharge, checkMetric, checkPlan } from '../engine/plan-rules.ts';
import type { BillingEntityRecord, OrganizationRecord, PlanRecord } from '../records/index.ts';
import { idOf } from '../store/ids.ts';
import { randomSecret } from '../store/secret.ts';
import { atPlace, type Book, type Path, requireThat } from './book.ts';
import type { AccountEntries } from './schema.ts';

type PlanEntry = AccountEntries['plans'][number];

export function organizationOf(entry: AccountEntries['organization'], now: string): OrganizationRecord {
  const id = entry.id ?? idOf('organization', entry.name);
  const created = entry.created_at ?? now;
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

export function buildCatalogue(book: Book, entries: AccountEntries): void {
  for (const [i, entry] of entries.taxes.entries()) {
    book.add('taxes', entry.code, { ...entry, ...book.base('tax', entry.code, entry) }, ['taxes', i]);
  }
  for (const [i, entry] of entries.invoice_custom_sections.entries()) {
    const record = { ...entry, ...book.base('invoice_custom_section', entry.code, entry) };
    book.add('invoice_custom_sections', entry.code, record, ['invoice_custom_sections', i]);
  }
  for (const [i, entry] of entries.billing_entities.entries()) {
    const path = ['billing_entities', i];
    book.needAll('taxes', entry.tax_codes, [...path, 'tax_codes']);
    book.add('billing_entities', entry.code, billingEntity(book, entry, i === 0), path);
  }
  buildMetrics(book, entries.billable_metrics);
  for (const [i, entry] of entries.add_ons.entries()) {
    book.needAll('taxes', entry.tax_codes, ['add_ons', i, 'tax_codes']);
    const record = { ...entry, ...book.base('add_on', entry.code, entry), deleted_at: null };
    book.add('add_ons', entry.code, record, ['add_ons', i]);
  }
  for (const [i, entry] of entries.plans.entries()) {
    book.add('plans', entry.code, plan(book, entry, ['plans', i]), ['plans', i]);
  }
  buildCoupons(book, entries.coupons);
}

function billingEntity(
  book: Book,
  entry: AccountEntries['billing_entities'][number],
  isDefault: boolean,
): BillingEntityRecord {
  const base = book.base('billing_entity', entry.code, entry);
  const prefix = entry.document_number_prefix?.toUpperCase() ?? documentPrefix(entry.name, base.id);
  return { ...entry, ...base, document_number_prefix: prefix, is_default: isDefault };
}

function buildMetrics(book: Book, entries: AccountEntries['billable_metrics']): void {
  for (const [i, entry] of entries.entries()) {
    const path = ['billable_metrics', i];
    atPlace(path, () => checkMetric(entry));
    if (entry.expression) atPlace([...path, 'expression'], () => parseExpression(entry.expression as string));
    const weighted = entry.aggregation_type === 'weighted_sum_agg' ? 'seconds' : entry.weighted_interval;
    const record = { ...entry, ...book.base('billable_metric', entry.code, entry), weighted_interval: weighted };
    book.add('billable_metrics', entry.code, record, path);
  }
}

function buildCoupons(book: Book, entries: AccountEntries['coupons']): void {
  for (const [i, entry] of entries.entries()) {
    const path = ['coupons', i];
    const fixed = entry.coupon_type === 'fixed_amount';
    requireThat(!fixed || entry.amount_cents !== null, [...path, 'amount_cents'], 'is needed by a fixed amount');
    requireThat(!fixed || entry.amount_currency !== null, [...path, 'amount_currency'], 'is needed by a fixed amount');
    requireThat(fixed || entry.percentage_rate !== null, [...path, 'percentage_rate'], 'is needed by a percentage');
    const lasting = entry.frequency !== 'recurring' || entry.frequency_duration !== null;
    requireThat(lasting, [...path, 'frequency_duration'], 'is needed by a recurring coupon');
    book.needAll('plans', entry.plan_codes, [...path, 'plan_codes']);
    book.needAll('billable_metrics', entry.billable_metric_codes, [...path, 'billable_metric_codes']);
    book.add('coupons', entry.code, { ...entry, ...book.base('coupon', entry.code, entry) }, path);
  }
}

function plan(book: Book, entry: PlanEntry, path: Path): PlanRecord {
  atPlace(path, () => checkPlan(entry));
  book.needAll('taxes', entry.tax_codes, [...path, 'tax_codes']);
  const base = book.base('plan', entry.code, entry);
  const times = { created_at: base.created_at, updated_at: base.updated_at };
  const commitment = entry.minimum_commitment;
  if (commitment) book.needAll('taxes', commitment.tax_codes, [...path, 'minimum_commitment', 'tax_codes']);
  return {
    ...entry,
    ...base,
    parent_id: null,
    charges: charges(book, entry, base.created_at, path),
    fixed_charges: fixedCharges(book, entry, base.created_at, path),
    minimum_commitment: commitment && { id: idOf('commitment', entry.code), ...commitment, ...times },
    usage_thresholds: entry.usage_thresholds.map((threshold, i) => ({
      ...threshold,
      id: threshold.id ?? idOf('usage_threshold', `${entry.code} ${i}`),
      ...times,
    })),
  };
}

function charges(book: Book, entry: PlanEntry, created: string, path: Path): PlanRecord['charges'] {
  const codes = new Set<string>();
  return entry.charges.map((charge, i) => {
    const at = [...path, 'charges', i];
    const { billable_metric_code: metricCode, ...fields } = charge;
    const metric = book.need('billable_metrics', metricCode, [...at, 'billable_metric_code']);
    const code = charge.code ?? metricCode;
    requireThat(!codes.has(code), [...at, 'code'], `"${code}" is there twice in this plan`);
    codes.add(code);
    atPlace(at, () => checkCharge(charge, metric));
    book.needAll('taxes', charge.tax_codes, [...at, 'tax_codes']);
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

function fixedCharges(book: Book, entry: PlanEntry, created: string, path: Path): PlanRecord['fixed_charges'] {
  const codes = new Set<string>();
  return entry.fixed_charges.map((charge, i) => {
    const at = [...path, 'fixed_charges', i];
    const { add_on_code: addOnCode, ...fields } = charge;
    const addOn = book.need('add_ons', addOnCode, [...at, 'add_on_code']);
    const code = charge.code ?? addOnCode;
    requireThat(!codes.has(code), [...at, 'code'], `"${code}" is there twice in this plan`);
    codes.add(code);
    atPlace(at, () => checkFixedCharge(charge));
    book.needAll('taxes', charge.tax_codes, [...at, 'tax_codes']);
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
