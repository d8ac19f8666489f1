/**
 * Endpoint 6 with what it does to wallets (service-behaviour §3.6), and the single invoice (lookups §4); its lists are in
 * invoice-lists.ts.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type InvoicePaymentStatus, invoicePaymentStatuses, isOneOf } from '../../contract/enums.ts';
import { decimal, decimalText, toCents } from '../../contract/pricing/money.ts';
import type { InvoiceRecord, Json, JsonObject, MetadataEntry } from '../../engine/records/index.ts';
import { isJsonObject } from '../../engine/records/values.ts';
import { isGiven } from '../../lib/json.ts';
import { invoiceAnswer, invoiceDetailAnswer } from '../answers/invoice.ts';
import { methodNotAllowed, orNotFound, validation } from '../errors.ts';
import { logActivity } from '../operations/activity-log.ts';
import { pathId, wrappedObject } from '../operations/input.ts';
import { invoiceRelations, isVisible, withPresentAddOns } from '../operations/lookups.ts';
import type { AccountStore } from '../store/store.ts';
import type { Routes } from './context.ts';
import { invoiceLists, withOverdueAsOf } from './invoice-lists.ts';

const MOST_ENTRIES = 5;
const LONGEST_KEY = 20;
const LONGEST_VALUE = 140;

export const invoiceRoutes: Routes = (app, context) => {
  invoiceLists(app, context);

  app.get('/invoices/:svc_id', async request => {
    const { account } = request;
    const invoice = await shownInvoice(account, request);
    const relations = await invoiceRelations(account, invoice, context.now());
    const renewed = await withPresentAddOns(account, [invoice]);
    const shown = withOverdueAsOf(context.now(), renewed(invoice));
    return { invoice: invoiceDetailAnswer(shown, relations, await itemDescriptions(account, invoice)) };
  });

  app.put('/invoices/:svc_id', request => {
    const input = wrappedObject(request, 'invoice');
    return request.account.transaction(async account => {
      const invoice = await shownInvoice(account, request, { lock: true });
      refuseByState(invoice, input);
      const at = context.now().toISOString();
      const changes: Partial<InvoiceRecord> = { updated_at: at };
      if (isGiven(input.metadata)) changes.metadata = replacedMetadata(invoice, input.metadata as Json[], at);
      const status = input.payment_status;
      if (isOneOf(invoicePaymentStatuses, status) && status !== invoice.payment_status) {
        // Fees get the status, but no time of it; `total_paid_amount_cents` stays unchanged.
        changes.payment_status = status;
        changes.fees = invoice.fees.map(fee => ({ ...fee, payment_status: status }));
        if (status === 'succeeded') changes.payment_overdue = false;
        if (invoice.invoice_type === 'credit') await settleTopUps(account, invoice.id, status, at);
      }
      await account.update('invoices', invoice.id, changes);
      const relations = await invoiceRelations(account, invoice, context.now());
      const renewed = await withPresentAddOns(account, [invoice]);
      const answerOf = (record: InvoiceRecord) =>
        invoiceAnswer(withOverdueAsOf(context.now(), renewed(record)), relations);
      const after = answerOf({ ...invoice, ...changes });
      const type = changes.payment_status === undefined ? 'invoice.updated' : 'invoice.payment_status_updated';
      const ofCustomer = { external_customer_id: relations.customer.external_id };
      await logActivity(account, [type, 'Invoice'], [answerOf(invoice), after], at, ofCustomer);
      return { invoice: after };
    });
  });
};

/** The invoice of the path. Throws 404, also for one that is never shown. */
async function shownInvoice(account: AccountStore, request: FastifyRequest, options = {}): Promise<InvoiceRecord> {
  const invoice = await account.get('invoices', pathId(request, 'invoice'), options);
  return orNotFound(invoice && isVisible(invoice) ? invoice : undefined, 'invoice');
}

/** What the coupons and credit notes that the invoice used say of themselves; an earlier invoice has no description. */
async function itemDescriptions(account: AccountStore, { credits }: InvoiceRecord) {
  const id = credits.flatMap(({ item }) => item.item_id ?? []);
  if (id.length === 0) return new Map();
  const items = [...(await account.find('coupons', { id })), ...(await account.find('credit_notes', { id }))];
  return new Map(items.map(item => [item.id, item.description]));
}

/** Refuses updates that the invoice's state or the sent values forbid, in the service's order. Throws 405, 422. */
function refuseByState(invoice: InvoiceRecord, input: JsonObject): void {
  const draft = invoice.status === 'draft';
  const { payment_status: status, metadata } = input;
  if (invoice.status === 'voided') throw methodNotAllowed('update_on_voided_invoice');
  if (draft && isGiven(metadata)) throw methodNotAllowed('metadata_on_draft_invoice');
  if (status !== undefined && !isOneOf(invoicePaymentStatuses, status)) {
    throw validation({ payment_status: ['value_is_invalid'] });
  }
  if (isGiven(metadata) && !Array.isArray(metadata)) throw validation({ metadata: ['value_is_invalid'] });
  if (Array.isArray(metadata) && metadata.length > MOST_ENTRIES) throw validation({ metadata: ['invalid_count'] });
  if (draft && status !== undefined && status !== invoice.payment_status) {
    throw methodNotAllowed('payment_status_update_on_draft_invoice');
  }
}

/**
 * The sent list replaces the stored list. Entries are written one by one before the others are removed, so a key that is
 * stored under another id is taken (§3.6). Throws 422 on `key` and `value`.
 */
function replacedMetadata(invoice: InvoiceRecord, entries: Json[], at: string): MetadataEntry[] {
  const stored = new Map(invoice.metadata.map(entry => [entry.id, entry]));
  return entries.map(entry => {
    if (!isJsonObject(entry)) throw validation({ metadata: ['value_is_invalid'] });
    const known = typeof entry.id === 'string' ? stored.get(entry.id) : undefined;
    const key = entryText(entry.key === undefined ? known?.key : entry.key, 'key', LONGEST_KEY);
    const value = entryText(entry.value === undefined ? known?.value : entry.value, 'value', LONGEST_VALUE);
    const written = { id: known?.id ?? randomUUID(), key, value, created_at: known?.created_at ?? at };
    const isTaken = [...stored.values()].some(other => other.key === key && other.id !== written.id);
    if (isTaken) throw validation({ key: ['value_already_exist'] });
    stored.set(written.id, written);
    return written;
  });
}

function entryText(value: Json | undefined, field: 'key' | 'value', longest: number): string {
  if (value === undefined || value === null) throw validation({ [field]: ['value_is_mandatory'] });
  if (typeof value !== 'string') throw validation({ [field]: ['value_is_invalid'] });
  if ((field === 'key' ? value.trim() : value) === '') throw validation({ [field]: ['value_is_mandatory'] });
  if ([...value].length > longest) throw validation({ [field]: ['value_is_too_long'] });
  return value;
}

/**
 * The payment of a credit invoice: settles a paid top-up once and adds its credits to the wallet; marks a failed top-up as
 * failed.
 */
async function settleTopUps(account: AccountStore, invoiceId: string, status: InvoicePaymentStatus, at: string) {
  if (status === 'pending') return;
  const topUps = await account.find('wallet_transactions', { invoice_id: invoiceId, transaction_type: 'inbound' });
  for (const { id, wallet_id } of topUps) {
    const wallet = await account.get('wallets', wallet_id, { lock: true });
    const topUp = await account.get('wallet_transactions', id, { lock: true });
    if (wallet === undefined || topUp === undefined || topUp.status === 'settled') continue;
    if (status === 'failed') {
      await account.update('wallet_transactions', id, { status: 'failed', failed_at: at, updated_at: at });
    } else {
      const settled = { settled_at: at, failed_at: null, updated_at: at };
      await account.update('wallet_transactions', id, { status: 'settled', ...settled });
      await account.update('wallets', wallet.id, {
        credits_balance: decimalText(decimal(wallet.credits_balance).plus(topUp.credit_amount), 5),
        balance_cents: wallet.balance_cents + toCents(decimal(topUp.amount), wallet.currency),
        last_balance_sync_at: at,
        updated_at: at,
      });
    }
  }
}
