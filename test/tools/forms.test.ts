/** The selections of the tools name fields of the interface, and account for all of them. */
import { describe, expect, it } from 'vitest';
import { jsonSchemaOf } from '../../src/contract/resources.ts';
import { isLookup, namesMore } from '../../src/definition/define.ts';
import { detailNames, parseSelection, type Selected } from '../../src/definition/selection.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { toolDefinitions } from '../../tools/all-tools.ts';

/** Their answers are made here of several records, or are no resource. */
const ours = names(`
  compare_plans get_customer_portal_url get_customer_overview get_usage get_revenue get_statement
  list_catalogue change_several check_invoice
`);
const described = toolDefinitions.filter(tool => !ours.includes(tool.name));

function names(text: string): string[] {
  return text.trim().split(/\s+/);
}

const fieldsOf = (result: string) => propertiesOf(jsonSchemaOf(result.replace(/s$/, '')));

/** The fields of an object, of each object of a list, or of either where null is allowed; null for any other schema. */
function propertiesOf(schema: unknown): JsonRecord | null {
  const { properties, items, anyOf } = (schema ?? {}) as { properties?: JsonRecord; items?: object; anyOf?: object[] };
  if (properties) return properties;
  if (items) return propertiesOf(items);
  return anyOf?.map(propertiesOf).find(found => found !== null) ?? null;
}

function unknownIn(selection: readonly Selected[], fields: JsonRecord | null, above = ''): string[] {
  return selection.flatMap(({ name, fields: inner }) => {
    if (['price', 'next_run'].includes(name) && above !== '') return [];
    if (fields && !(name in fields)) return [`${above}${name}`];
    return inner === null || !fields ? [] : unknownIn(inner, propertiesOf(fields[name]), `${above}${name}.`);
  });
}

/** The service's own bookkeeping, texts for print, and what is deprecated: only `detail: "full"` shows it. */
const bookkeeping = names(`
  svc_id svc_organization_id svc_customer_id svc_subscription_id svc_wallet_id svc_invoice_id organization_id
  external_customer_id external_subscription_id subscription_external_id billing_entity_code sequential_id slug
  version_number file_url xml_url web_url logo_url created_at updated_at self_billed
`);

/** Fields that repeat others, or that the summary says. */
const repeated: Readonly<Record<string, readonly string[]>> = {
  customer: names('customer_type timezone'),
  plans: names(
    'invoice_display_name applicable_usage_thresholds customers_count active_subscriptions_count draft_invoices_count',
  ),
  subscription: names('started_at activated_at progressive_billing_disabled'),
  wallet: names(
    'ongoing_usage_balance_cents credits_ongoing_usage_balance last_balance_sync_at last_consumed_credit_at',
  ),
  alerts: names('wallet_code'),
  invoice: names(`
    number invoice_type status payment_status payment_overdue payment_dispute_lost_at net_payment_term taxes_rate
    fees_amount_cents coupons_amount_cents taxes_amount_cents credit_notes_amount_cents prepaid_credit_amount_cents
    progressive_billing_credit_amount_cents sub_total_excluding_taxes_amount_cents
    sub_total_including_taxes_amount_cents prepaid_granted_credit_amount_cents prepaid_purchased_credit_amount_cents
    total_paid_amount_cents total_due_amount_cents total_offsetted_credit_note_amount_cents purchase_order_number
    metadata voided_at
  `),
  fees: names(`
    svc_true_up_fee_id svc_true_up_parent_fee_id svc_original_fee_id svc_charge_filter_id svc_fixed_charge_id
    total_aggregated_units precise_coupons_amount_cents sub_total_excluding_taxes_amount_cents
    sub_total_excluding_taxes_precise_amount_cents taxes_rate taxes_precise_amount precise_total_amount
    total_amount_currency event_transaction_id invoiceable pay_in_advance payment_status succeeded_at failed_at
    refunded_at
  `),
  credit_note: names(`
    invoice_number issuing_date reason taxes_amount_cents taxes_rate sub_total_excluding_taxes_amount_cents
    coupons_adjustment_amount_cents credit_amount_cents precise_total_amount_cents precise_taxes_amount_cents
  `),
};

/** What tools that only read, and have no `detail`, say in their summaries alone, or that is said by another field. */
const inSummary: Readonly<Record<string, readonly string[]>> = {
  event: names('svc_subscription_id'),
  payment: names(`
    invoice_numbers svc_payable_id type reference payment_provider_code payment_provider_type provider_payment_id
    external_payment_id
  `),
  wallet_transaction: names('source transaction_type remaining_amount_cents settled_at failed_at'),
  alert: names('direction last_processed_at'),
};

/**
 * What lookups add to records: subscriptions of the same external id, days that they compute, how long money lasts, a comparison; and what
 * only the single read has.
 */
const added: ReadonlySet<string> = new Set([
  ...['others', 'entitlements', 'next_invoice', 'trial_ends_at', 'comparison'],
  ...['left', 'a_day', 'empty_about', 'top_up_about', 'credits_needed', 'no_day'],
  ...['days_overdue', 'pending_payment', 'country', 'totals_by_customer', 'subscriptions', 'timestamp_utc', 'repeat'],
  ...['minimum_commitment', 'own_prices', 'alerts'],
]);

describe('the default forms', () => {
  it.each(described.map(tool => [tool.name, tool] as const))('%s keeps and names fields of its resource', (_, tool) => {
    const fields = fieldsOf(tool.result);
    expect(fields).not.toBeNull();
    for (const selection of [tool.brief, tool.more ?? '']) {
      const own = parseSelection(selection).filter(({ name }) => !added.has(name));
      expect(unknownIn(own, fields)).toEqual([]);
    }
  });

  it.each(described.filter(namesMore).map(tool => [tool.name, tool] as const))(
    '%s accounts for every field',
    (_, tool) => {
      const kept = new Set([...parseSelection(tool.brief), ...parseSelection(tool.more ?? '')].map(({ name }) => name));
      const known = new Set([...kept, ...bookkeeping, ...(repeated[tool.result] ?? [])]);
      const forgotten = Object.keys(fieldsOf(tool.result) ?? {}).filter(name => !known.has(name));
      expect(forgotten).toEqual([]);
    },
  );

  // What the rows of a list leave out, the tool of the single record has.
  const readings = described.filter(tool => tool.effect === 'read' && !isLookup(tool) && !tool.more);

  it.each(readings.map(tool => [tool.name, tool] as const))(
    '%s, whose answer has no detail, leaves out only what its summary says',
    (_, tool) => {
      const kept = parseSelection(tool.brief).map(({ name }) => name);
      const known = new Set([...kept, ...bookkeeping, ...(inSummary[tool.result] ?? [])]);
      expect(Object.keys(fieldsOf(tool.result) ?? {}).filter(name => !known.has(name))).toEqual([]);
    },
  );

  it.each(toolDefinitions.filter(namesMore).map(tool => [tool.name, tool] as const))(
    '%s names nothing twice',
    (_, tool) => {
      const offered = detailNames(tool);
      expect(new Set(offered).size).toBe(offered.length);
      const whole = parseSelection(tool.brief).filter(({ fields }) => fields === null);
      for (const { name } of whole) expect(offered).not.toContain(name);
    },
  );
});
