/** What kind of change each field of each write is, in one table. */
import { fieldKinds, type RiskKind } from '../src/contract/confirm-levels.ts';
import type { Plan, Subscription, Wallet } from '../src/contract/shown.ts';
import type { WriteCall } from '../src/definition/write-call.ts';
import { isText } from '../src/lib/json.ts';

/**
 * The fields by kind, for each write; `[]` stands for every entry of a list. Taxes, quantities, and what decides when money is
 * due count as money.
 */
const kindsOfFields: Readonly<Record<string, Readonly<Partial<Record<RiskKind, string>>>>> = {
  update_subscription: {
    metadata: `name purchase_order_number usage_thresholds[].threshold_display_name
      invoice_custom_section.skip_invoice_custom_sections invoice_custom_section.invoice_custom_section_codes[]
      plan_overrides.name plan_overrides.invoice_display_name plan_overrides.description plan_overrides.metadata
      plan_overrides.minimum_commitment.invoice_display_name plan_overrides.charges[].invoice_display_name
      plan_overrides.charges[].filters[].invoice_display_name plan_overrides.fixed_charges[].invoice_display_name
      plan_overrides.usage_thresholds[].threshold_display_name`,
    state: `ending_at progressive_billing_disabled consolidate_invoice subscription_at billing_entity_code
      activation_rules[].type activation_rules[].timeout_hours on_termination_credit_note on_termination_invoice
      payment_method.payment_method_type payment_method.payment_method_id`,
    money: `usage_thresholds[].amount_cents usage_thresholds[].recurring plan_overrides.amount_cents
      plan_overrides.amount_currency plan_overrides.trial_period plan_overrides.tax_codes[]
      plan_overrides.minimum_commitment.amount_cents plan_overrides.minimum_commitment.tax_codes[]
      plan_overrides.charges[].id plan_overrides.charges[].billable_metric_id plan_overrides.charges[].code
      plan_overrides.charges[].charge_model plan_overrides.charges[].properties
      plan_overrides.charges[].min_amount_cents plan_overrides.charges[].tax_codes[]
      plan_overrides.charges[].applied_pricing_unit.conversion_rate plan_overrides.charges[].filters[].properties
      plan_overrides.charges[].filters[].values[] plan_overrides.fixed_charges[].id
      plan_overrides.fixed_charges[].units plan_overrides.fixed_charges[].apply_units_immediately
      plan_overrides.fixed_charges[].properties plan_overrides.fixed_charges[].tax_codes[]
      plan_overrides.usage_thresholds[].amount_cents plan_overrides.usage_thresholds[].recurring`,
  },
  create_subscription_alert: {
    metadata: 'name alerts[].name',
    state: `code alert_type thresholds[].value thresholds[].code thresholds[].recurring billable_metric_code
      alerts[].code alerts[].alert_type alerts[].thresholds[].value alerts[].thresholds[].code
      alerts[].thresholds[].recurring alerts[].billable_metric_code`,
  },
  update_wallet: {
    metadata: `name purchase_order_number metadata merge recurring_transaction_rules[].transaction_name
      recurring_transaction_rules[].purchase_order_number recurring_transaction_rules[].transaction_metadata[].key
      recurring_transaction_rules[].transaction_metadata[].value
      recurring_transaction_rules[].invoice_custom_section.skip_invoice_custom_sections
      recurring_transaction_rules[].invoice_custom_section.invoice_custom_section_codes[]
      invoice_custom_section.skip_invoice_custom_sections invoice_custom_section.invoice_custom_section_codes[]`,
    state: `code priority expiration_at invoice_requires_successful_payment billing_entity_code
      applies_to.fee_types[] applies_to.billable_metric_codes[] recurring_transaction_rules[].svc_id
      recurring_transaction_rules[].started_at recurring_transaction_rules[].expiration_at
      recurring_transaction_rules[].invoice_requires_successful_payment
      recurring_transaction_rules[].payment_method.payment_method_type
      recurring_transaction_rules[].payment_method.payment_method_id payment_method.payment_method_type
      payment_method.payment_method_id`,
    money: `paid_top_up_min_amount_cents paid_top_up_max_amount_cents recurring_transaction_rules[].trigger
      recurring_transaction_rules[].method recurring_transaction_rules[].interval
      recurring_transaction_rules[].threshold_credits recurring_transaction_rules[].target_ongoing_balance
      recurring_transaction_rules[].paid_credits recurring_transaction_rules[].granted_credits
      recurring_transaction_rules[].grants_target_top_up recurring_transaction_rules[].ignore_paid_top_up_limits`,
  },
  update_invoice: { metadata: 'metadata[].id metadata[].key metadata[].value merge', state: 'payment_status' },
  update_credit_note: { metadata: 'metadata', state: 'refund_status' },
  update_add_on: {
    metadata: 'name invoice_display_name description',
    state: 'new_code',
    money: 'amount_cents amount_currency tax_codes[]',
  },
  // Its only argument names the record.
  delete_add_on: { irreversible: 'code' },
  create_billing_entity: {
    metadata: `name billing_configuration.invoice_footer billing_configuration.document_locale address_line1
      address_line2 city state country zipcode email phone legal_name legal_number tax_identification_number
      email_settings[] logo`,
    state: `code default_currency document_number_prefix document_numbering finalize_zero_amount_invoice
      billing_configuration.invoice_grace_period billing_configuration.subscription_invoice_issuing_date_anchor
      billing_configuration.subscription_invoice_issuing_date_adjustment net_payment_term timezone eu_tax_management
      einvoicing`,
  },
};

/** The arguments with which a write is irreversible, and when: the kind of all that they hold is then this one. */
export const finalFields: Readonly<Record<string, Readonly<Record<string, (write: KindedWrite) => boolean>>>> = {
  update_subscription: {
    // It ends now, or has ended.
    ending_at: ({ args, now, accountNow = now }) =>
      isText(args.ending_at) && !(Date.parse(args.ending_at) > accountNow.getTime()),
    // The first one copies the plan, which nothing takes back.
    plan_overrides: ({ known }) => !isText(((known as Subscription | null)?.plan as Plan | undefined)?.parent_id),
  },
  update_wallet: {
    // Its credits expire, and did not or later.
    expiration_at: ({ args, known }) => {
      const earlier = (known as Wallet | null)?.expiration_at;
      return isText(args.expiration_at) && !(isText(earlier) && Date.parse(args.expiration_at) >= Date.parse(earlier));
    },
  },
};

type KindedWrite = Pick<WriteCall, 'args' | 'known' | 'now' | 'accountNow'>;

const byTool = new Map<string, ReadonlyMap<string, RiskKind>>();

/** The kind of each field of the tool, by path. */
export function kindsByPath(tool: string): ReadonlyMap<string, RiskKind> {
  const known = byTool.get(tool);
  if (known !== undefined) return known;
  const rows = kindsOfFields[tool] ?? {};
  const fields = fieldKinds.flatMap(kind => (rows[kind]?.split(/\s+/) ?? []).map(path => [path, kind] as const));
  const kinds = new Map(fields);
  byTool.set(tool, kinds);
  return kinds;
}
