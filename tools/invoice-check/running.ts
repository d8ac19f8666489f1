/** The preview of a running period, in the form of an issued invoice. */

import type { Invoice } from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import type { ToolError } from '../../src/definition/failure.ts';
import { toInstantText } from '../../src/engine/days.ts';
import { endOfPeriod } from '../../src/engine/periods.ts';
import { basisOf } from '../../src/engine/preview-parts.ts';
import { readOne, readOrNull } from '../records/one-record.ts';
import { instantOf, planRecord, subscriptionRecord } from './engine-records.ts';

export type InvoiceRead = { ok: true; invoice: Invoice } | { ok: false; error: ToolError };

export async function readRunning(api: Api, external_id: string): Promise<InvoiceRead> {
  const answer = await readOne(api, 'subscription', external_id);
  if (!answer.ok) return answer;
  const { body: subscription } = answer;
  const { svc_id, external_customer_id } = subscription;
  const preview = await api.preview({
    customer: { external_id: external_customer_id },
    subscriptions: { external_ids: [external_id] },
  });
  if (!preview.ok) return preview;
  const invoice = preview.body.invoice ?? {};
  const plan = planRecord(subscription.plan ?? (await readOrNull(api, 'plan', subscription.plan_code ?? '')) ?? {});
  const timezone = invoice.customer?.applicable_timezone || invoice.customer?.timezone || 'UTC';
  // By the service's own clock.
  const started = instantOf(subscription.current_billing_period_started_at) ?? api.now.toISOString();
  const basis = basisOf({ subscription: subscriptionRecord(subscription), plan, timezone });
  const to = toInstantText(Date.parse(endOfPeriod(basis, started)) - 1);
  const period = {
    svc_subscription_id: svc_id,
    external_subscription_id: external_id,
    charges_to_datetime: to,
    invoicing_reason: 'subscription_periodic',
  } as const;
  const fees = (invoice.fees ?? []).map(fee => ({ ...fee, svc_subscription_id: svc_id }));
  return { ok: true, invoice: { ...invoice, fees, billing_periods: [period], subscriptions: [subscription] } };
}
