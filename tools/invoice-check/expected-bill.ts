/** What an invoice should be: every line, computed by the engine from the contract and the events (service-behaviour §12.8). */

import type { Fee } from '../../src/contract/shown.ts';
import { type FeeContext, partFees, partQueries } from '../../src/engine/preview-fees.ts';
import { eachFixedChargeOnce, type InvoicePart } from '../../src/engine/preview-parts.ts';
import type { AddOnRecord, ChargeRecord } from '../../src/engine/records/index.ts';
import { advanceFee } from './advance-lines.ts';
import { blockOfLine, doubtOf, judgeablePart } from './blocked-lines.ts';
import type { Blocked, CheckedLine, CheckRecords } from './check-records.ts';
import { codesOf, taxRecords } from './engine-records.ts';
import { answerFromEvents } from './event-usage.ts';
import { matchedLines } from './matched-lines.ts';
import { plannedParts } from './planned-parts.ts';

export interface ExpectedBill {
  readonly lines: readonly CheckedLine[];
  readonly parts: readonly InvoicePart[];
}

export function expectedBill(records: CheckRecords): ExpectedBill {
  const context = contextOf(records);
  const planned = plannedParts(records);
  const blocks = new Map<string, Blocked>();
  const parts = eachFixedChargeOnce(planned.parts).map(part => judgeablePart(part, records, blocks));
  const usage = answerFromEvents(records.events, partQueries(parts, context.catalogue));
  const expected = parts.flatMap((part, i) => partFees(part, i, usage, context));
  const charges = new Map<string, ChargeRecord>();
  for (const { plan } of planned.subjects.values()) for (const charge of plan.charges) charges.set(charge.id, charge);
  const blockOf = (fee: Fee) => blockOfLine(fee, records, planned, blocks, charges);
  const advance = new Map<Fee, CheckedLine>();
  for (const fee of records.invoice.fees ?? []) {
    const subject = planned.subjects.get(fee.svc_subscription_id ?? '');
    if (fee.event_transaction_id && subject && blockOf(fee) === null)
      advance.set(fee, { charge: null, ...advanceFee(fee, subject, records, context) });
  }
  const lines = matchedLines(records, expected, blockOf, { advance, charges, context, parts });
  return { lines: lines.map(line => ({ ...line, doubt: doubtOf(line, records, planned) })), parts };
}

function contextOf({ customer, entity, contracts, metrics, add_ons }: CheckRecords): FeeContext {
  const plans = [...contracts.values()];
  const charges = plans.flatMap(({ plan }) => plan.charges ?? []);
  const fixed = plans.flatMap(({ fixed_charges }) => fixed_charges ?? []);
  const commitments = plans.flatMap(({ plan }) => plan.minimum_commitment ?? []);
  const taxed = [...plans.map(({ plan }) => plan), ...charges, ...fixed, ...commitments].map(({ taxes }) => taxes);
  return {
    taxes: taxRecords([...taxed, ...[...add_ons.values()].map(({ taxes }) => taxes), customer.taxes, entity?.taxes]),
    customer: {
      id: customer.svc_id ?? '',
      external_id: customer.external_id ?? '',
      tax_codes: codesOf(customer.taxes),
    },
    entity_tax_codes: codesOf(entity?.taxes),
    catalogue: { metrics, add_ons: new Map(fixed.map(({ add_on_code: code }) => [code ?? '', addOn(code ?? '')])) },
  };
}

/** The engine only shows the add-on of a fixed charge; the price is the charge's. */
function addOn(code: string): AddOnRecord {
  const at = { id: code, created_at: '', updated_at: '', deleted_at: null };
  const shown = { code, name: code, description: null, invoice_display_name: null };
  return { ...at, ...shown, amount_cents: 0, amount_currency: '', tax_codes: [] };
}
