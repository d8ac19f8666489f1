/** Which parts an issued invoice has: one for each subscription, by why it was billed (service-behaviour §7.3, §12.8). */

import type { Invoice } from '../../src/contract/shown.ts';
import { localDate, toInstantText } from '../../src/engine/days.ts';
import { trialEndOf } from '../../src/engine/fees-subscription.ts';
import {
  endingPart,
  type InvoicePart,
  projectionPart,
  type Subject,
  startingPart,
  startOf,
  trialEndPart,
} from '../../src/engine/preview-parts.ts';
import { type Blocked, blocked, type CheckRecords, type Contract } from './check-records.ts';
import { endOf, feeRecord, instantOf, planRecord, subscriptionRecord } from './engine-records.ts';

export interface Planned {
  parts: InvoicePart[];
  /** By the svc_id of the subscription. */
  subjects: Map<string, Subject>;
  /** Subscriptions whose part of the invoice cannot be planned. */
  unplanned: Map<string, Blocked>;
}

function subjectOf(contract: Contract, timezone: string): Subject {
  const { subscription, plan, fixed_charges, previous_plan, earlier } = contract;
  const record = subscriptionRecord(subscription);
  const billed_fees = earlier.map(feeRecord);
  return {
    subscription: record,
    plan: planRecord(plan, fixed_charges ?? []),
    timezone,
    first_started_at: contract.first_started_at ?? record.started_at ?? record.subscription_at,
    follows: contract.follows,
    ...(contract.follows === 'upgrade' && previous_plan && { replaced: { plan: previous_plan, billed_fees } }),
    billed_fees,
    billed_periods: [],
  };
}

const reasonsOutside = new Set(['progressive_billing', 'in_advance_charge_periodic']);

export function plannedParts({
  invoice,
  contracts,
  customer,
}: Pick<CheckRecords, 'invoice' | 'contracts' | 'customer'>): Planned {
  const timezone = customer.applicable_timezone || customer.timezone || 'UTC';
  const planned: Planned = { parts: [], subjects: new Map(), unplanned: new Map() };
  for (const period of invoice.billing_periods ?? []) {
    const id = period.svc_subscription_id ?? '';
    const contract = contracts.get(id);
    if (contract === undefined) {
      planned.unplanned.set(id, blocked('contract', 'subscription_not_read', 'The subscription could not be read.'));
      continue;
    }
    const subject = subjectOf(contract, timezone);
    planned.subjects.set(id, subject);
    const { invoicing_reason: reason } = period;
    if (reason && reasonsOutside.has(reason)) {
      const text = 'Invoices of this kind are outside what can be recomputed.';
      planned.unplanned.set(id, blocked('contract', 'kind_not_recomputed', text));
    } else if (reason !== 'in_advance_charge') planned.parts.push(partOf(subject, contract, period, invoice));
  }
  return planned;
}

type BillingPeriod = NonNullable<Invoice['billing_periods']>[number];

function partOf(subject: Subject, contract: Contract, period: BillingPeriod, invoice: Invoice): InvoicePart {
  const issued = instantOf(invoice.created_at) ?? '';
  const { terminated_at } = subject.subscription;
  const trialEnd = subject.plan.pay_in_advance ? trialEndOf(subject) : null;
  if (trialEnd !== null && localDate(trialEnd, subject.timezone) === localDate(issued, subject.timezone))
    return trialEndPart(subject, trialEnd);
  if (period.invoicing_reason === 'subscription_starting') return startingPart(subject, startOf(subject), false);
  if (period.invoicing_reason === 'subscription_terminating' && terminated_at !== null) {
    const { next_plan } = contract;
    const how = next_plan === null ? 'terminated' : 'upgraded';
    return endingPart(subject, { how, at: terminated_at, next_plan });
  }
  const end = endOf(period.charges_to_datetime) ?? issued;
  return projectionPart(subject, toInstantText(Date.parse(end) + 1));
}
