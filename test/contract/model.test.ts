import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { resourceSchemas } from '../../src/contract/resources.ts';
import { operations } from '../../tools/all-tools.ts';

/** The specification's fields of the resources where a field is easily forgotten. */
const specified: Record<string, string> = {
  wallet:
    'svc_id svc_customer_id external_customer_id status currency rate_amount credits_balance balance_cents consumed_credits created_at invoice_requires_successful_payment ongoing_balance_cents ongoing_usage_balance_cents credits_ongoing_balance credits_ongoing_usage_balance name code priority expiration_at last_balance_sync_at last_consumed_credit_at terminated_at applies_to recurring_transaction_rules paid_top_up_min_amount_cents paid_top_up_max_amount_cents applied_invoice_custom_sections payment_method metadata billing_entity_code purchase_order_number',
  wallet_transaction:
    'svc_id svc_wallet_id svc_invoice_id svc_credit_note_id svc_voided_invoice_id status source transaction_status transaction_type amount credit_amount invoice_requires_successful_payment metadata remaining_amount_cents remaining_credit_amount priority settled_at failed_at created_at name payment_method applied_invoice_custom_sections',
  subscription:
    'svc_id svc_customer_id external_id external_customer_id billing_time name plan_code status created_at canceled_at started_at ending_at subscription_at terminated_at trial_ended_at current_billing_period_started_at current_billing_period_ending_at previous_plan_code next_plan_code downgrade_plan_date on_termination_credit_note on_termination_invoice plan_amount_cents plan_amount_currency applied_invoice_custom_sections payment_method plan activation_rules cancellation_reason',
  credit_note:
    'svc_id svc_invoice_id billing_entity_code sequential_id number invoice_number issuing_date reason currency total_amount_cents taxes_amount_cents sub_total_excluding_taxes_amount_cents balance_amount_cents credit_amount_cents refund_amount_cents offset_amount_cents coupons_adjustment_amount_cents taxes_rate created_at updated_at credit_status refund_status description file_url items applied_taxes self_billed customer metadata error_details',
  fee: 'amount_cents taxes_amount_cents total_amount_cents sub_total_excluding_taxes_amount_cents amount_currency total_amount_currency taxes_rate units precise_unit_amount total_aggregated_units precise_amount precise_total_amount taxes_precise_amount precise_coupons_amount_cents sub_total_excluding_taxes_precise_amount_cents pay_in_advance invoiceable self_billed payment_status item svc_id svc_charge_id svc_charge_filter_id svc_fixed_charge_id svc_invoice_id svc_true_up_fee_id svc_true_up_parent_fee_id svc_subscription_id svc_customer_id external_customer_id external_subscription_id event_transaction_id description events_count from_date to_date created_at succeeded_at failed_at refunded_at amount_details applied_taxes pricing_unit_details',
  invoice:
    'svc_id billing_entity_code number issuing_date invoice_type status payment_status currency fees_amount_cents coupons_amount_cents credit_notes_amount_cents sub_total_excluding_taxes_amount_cents taxes_amount_cents sub_total_including_taxes_amount_cents prepaid_credit_amount_cents progressive_billing_credit_amount_cents total_amount_cents prepaid_granted_credit_amount_cents prepaid_purchased_credit_amount_cents version_number sequential_id net_payment_term created_at updated_at payment_dispute_lost_at payment_due_date payment_overdue self_billed file_url customer billing_periods metadata applied_taxes applied_invoice_custom_sections applied_usage_thresholds credits fees subscriptions error_details total_due_amount_cents',
  customer:
    'svc_id sequential_id slug external_id applicable_timezone billing_entity_code address_line1 address_line2 city state country zipcode currency email legal_name legal_number logo_url name firstname lastname account_type phone tax_identification_number timezone url net_payment_term created_at updated_at finalize_zero_amount_invoice skip_invoice_custom_sections billing_configuration shipping_address metadata integration_customers taxes applicable_invoice_custom_sections error_details',
  add_on: 'svc_id name invoice_display_name code description amount_cents amount_currency created_at taxes',
  plan: 'svc_id name code invoice_display_name description interval amount_cents amount_currency trial_period pay_in_advance bill_charges_monthly bill_fixed_charges_monthly created_at minimum_commitment charges fixed_charges taxes usage_thresholds entitlements metadata pending_deletion',
  alert:
    'svc_id svc_organization_id external_subscription_id external_customer_id billable_metric alert_type code name previous_value last_processed_at created_at thresholds svc_wallet_id wallet_code direction',
  billing_entity:
    'svc_id code name default_currency document_locale document_numbering finalize_zero_amount_invoice invoice_grace_period net_payment_term timezone created_at updated_at document_number_prefix invoice_footer subscription_invoice_issuing_date_anchor subscription_invoice_issuing_date_adjustment is_default address_line1 address_line2 city state zipcode email legal_name legal_number tax_identification_number country email_settings eu_tax_management logo_url phone einvoicing',
  payment:
    'svc_id svc_customer_id external_customer_id invoice_ids svc_payable_id payable_type amount_cents amount_currency status payment_status type reference payment_provider_code payment_provider_type external_payment_id provider_payment_id provider_customer_id next_action created_at invoice_numbers payment_method_id',
  event:
    'transaction_id svc_customer_id code timestamp svc_subscription_id external_subscription_id svc_id precise_total_amount_cents properties created_at',
  webhook_endpoint: 'svc_id svc_organization_id webhook_url created_at signature_algo name event_types',
  billable_metric:
    'svc_id name code description field_name expression rounding_function weighted_interval aggregation_type recurring created_at rounding_precision filters',
};

describe('the field reference', () => {
  it.each(Object.entries(specified))('%s has every field of the specification', (resource, fields) => {
    const shape = resourceSchemas[resource]!.shape;
    expect(fields.split(' ').filter(field => !(field in shape))).toEqual([]);
  });

  it.each(Object.entries(resourceSchemas))('%s says what each field means', (_resource, schema) => {
    const json = z.toJSONSchema(schema, { io: 'input' }) as { properties: Record<string, { description?: string }> };
    const silent = Object.entries(json.properties).filter(([name, field]) => !field.description && name !== 'customer');
    expect(silent.map(([name]) => name)).toEqual([]);
  });

  it.each(Object.entries(resourceSchemas))('%s accepts missing, null and further fields', (_resource, schema) => {
    const nulls = Object.fromEntries(Object.keys(schema.shape).map(name => [name, null]));
    expect(schema.safeParse({}).success).toBe(true);
    expect(schema.safeParse({ ...nulls, a_field_of_tomorrow: [1] }).success).toBe(true);
  });

  it('covers the resource of every operation', () => {
    const single = (name: string) => name.replace(/s$/, '');
    for (const { result } of operations) {
      expect(result in resourceSchemas || single(result) in resourceSchemas, result).toBe(true);
    }
  });
});
