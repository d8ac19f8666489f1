/** One movement of a wallet (specification, "Wallet transaction"; service-behaviour §3.15). */
import * as z from 'zod';
import { walletTransactionSources, walletTransactionStatuses } from './enums.ts';
import { cents, decimal, flag, holding, instant, integer, list, majorUnits, oneOf, text, uuid } from './fields.ts';
import { appliedSections, createdAt, paymentMethod, purchaseOrderNumber, svcId } from './shared.ts';

export const walletTransaction = z.looseObject({
  svc_id: svcId,
  svc_wallet_id: uuid('The wallet'),
  svc_invoice_id: uuid('The invoice it belongs to; null when there is none'),
  svc_credit_note_id: uuid('The credit note it comes from; null when there is none'),
  svc_voided_invoice_id: uuid('The voided invoice that gave the credits back; else null'),
  status: oneOf('State', ...walletTransactionStatuses),
  source: oneOf('What started it', ...walletTransactionSources),
  transaction_status: oneOf(
    'Kind',
    'purchased (pending or settled)',
    'granted (no invoice)',
    'voided',
    'invoiced (used on an invoice)',
  ),
  transaction_type: oneOf('Direction', 'inbound (raises the balance)', 'outbound (lowers it)'),
  amount: majorUnits('Money value, from rate and currency'),
  credit_amount: decimal('Number of credits'),
  remaining_amount_cents: cents('Unused part of an inbound transaction; null when not tracked'),
  remaining_credit_amount: decimal('Unused credits; null when not tracked'),
  invoice_requires_successful_payment: flag('The invoice waits for the payment'),
  priority: integer('1 is used first, 50 last'),
  name: text('Label on the invoice; null is "Prepaid credits" with the wallet name'),
  metadata: list(
    z.looseObject({ key: text('Key'), value: holding('anything', text('Value')) }),
    'Key and value pairs of your own',
  ),
  billing_entity_code: text('Billing entity'),
  purchase_order_number: purchaseOrderNumber,
  payment_method: paymentMethod,
  applied_invoice_custom_sections: appliedSections,
  settled_at: instant('When it was settled; null before'),
  failed_at: instant('When it failed; null unless it did'),
  created_at: createdAt,
});
