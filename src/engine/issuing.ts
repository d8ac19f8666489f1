/** What every issued or previewed invoice has: its dates (§11.6) and the version of its rules (§12.7). */
import { Temporal } from 'temporal-polyfill';
import type { BillingEntityRecord, CustomerRecord, DateText } from './records/index.ts';

/** The version of the invoice rules, of stored invoices and previews (§12.7). */
export const INVOICE_VERSION = 4;

/** The settings for these dates: the customer's own where set, else its billing entity's. */
export interface IssuingSettings {
  anchor: string;
  adjustment: string;
  grace: number;
  net_payment_term: number;
}

export function issuingSettings(
  customer: Pick<
    CustomerRecord,
    | 'invoice_grace_period'
    | 'net_payment_term'
    | 'subscription_invoice_issuing_date_anchor'
    | 'subscription_invoice_issuing_date_adjustment'
  >,
  entity: BillingEntityRecord,
): IssuingSettings {
  return {
    anchor: customer.subscription_invoice_issuing_date_anchor ?? entity.subscription_invoice_issuing_date_anchor,
    adjustment:
      customer.subscription_invoice_issuing_date_adjustment ?? entity.subscription_invoice_issuing_date_adjustment,
    grace: customer.invoice_grace_period ?? entity.invoice_grace_period,
    net_payment_term: customer.net_payment_term ?? entity.net_payment_term,
  };
}

/**
 * Dates of an invoice from the local date of its billing instant. `recurring` is false for a termination and for the
 * first invoice of a proposed pay-in-advance plan.
 */
export function issuingDates(
  billingDate: DateText,
  recurring: boolean,
  settings: IssuingSettings,
): { issuing_date: DateText; payment_due_date: DateText } {
  const issuing = Temporal.PlainDate.from(billingDate).add({ days: issuingOffset(recurring, settings) });
  return {
    issuing_date: issuing.toString(),
    payment_due_date: issuing.add({ days: settings.net_payment_term }).toString(),
  };
}

function issuingOffset(recurring: boolean, { anchor, adjustment, grace }: IssuingSettings): number {
  if (!recurring) return grace;
  if (anchor === 'current_period_end') {
    return adjustment === 'keep_anchor' || grace === 0 ? -1 : grace;
  }
  return adjustment === 'keep_anchor' ? 0 : grace;
}
