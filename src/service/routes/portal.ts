/** The portal page behind `portal_url` (service-behaviour §3.16): it shows one customer's account, for 12 hours. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { CustomerRecord } from '../../engine/records/index.ts';
import { ServiceError } from '../errors.ts';
import { linksOf, offsetsOf } from '../operations/lookups.ts';
import { ongoingBalances } from '../operations/ongoing.ts';
import { currentUsage } from '../operations/period-usage.ts';
import { messagePage, PORTAL_STYLE, type PortalContent, portalPage } from '../operations/portal-page.ts';
import { loadAccountLists } from '../store/account-lists.ts';
import { is } from '../store/conditions.ts';
import type { AccountStore } from '../store/store.ts';
import type { ServiceContext } from './context.ts';
import { newestInvoices } from './invoice-lists.ts';

const VALID_MS = 12 * 60 * 60 * 1000;
const NEWEST_INVOICES = 25;

interface Ticket {
  organization: string;
  customer: string;
  /** Milliseconds since 1970. */
  expires: number;
  nonce: string;
}

/** A new link to the customer's portal page, valid for 12 hours. The link is a secret: it needs no API key. */
export function portalUrl(context: ServiceContext, organizationId: string, customerId: string): string {
  const ticket: Ticket = {
    organization: organizationId,
    customer: customerId,
    expires: context.now().getTime() + VALID_MS,
    nonce: randomBytes(12).toString('base64url'),
  };
  const payload = Buffer.from(JSON.stringify(ticket)).toString('base64url');
  return `${context.publicUrl()}/customer-portal/${payload}.${signature(payload, context.portalSecret)}`;
}

/**
 * Serves the page that says what this is, and the portal page. Forged links get 404, expired links 403; neither shows
 * whether a customer exists.
 */
export function portalPages(app: FastifyInstance, context: ServiceContext): void {
  app.get('/', { config: { public: true } }, async (_request, reply) =>
    sendPage(reply, 200, homePage(`${context.publicUrl()}/api/v1`)),
  );
  app.get<{ Params: { '*': string } }>('/customer-portal/*', { config: { public: true } }, async (request, reply) => {
    const ticket = ticketOf(request.params['*'], context.portalSecret);
    if (ticket !== null && ticket.expires <= context.now().getTime()) {
      return sendPage(reply, 403, messagePage('This link has expired', ASK_AGAIN));
    }
    const content = ticket && (await contentOf(context, ticket));
    if (!content) return sendPage(reply, 404, messagePage('This link leads nowhere', ASK_AGAIN));
    return sendPage(reply, 200, portalPage(content));
  });
}

const ASK_AGAIN = 'Links are valid for 12 hours. Please ask for a new one.';

function homePage(address: string): string {
  return messagePage(
    'Embedded billing service',
    'This is the sandbox billing service of usage-billing-mcp, for demos, tests and rehearsals. It computes amounts due, but charges no one and sends no emails or webhooks.',
    `Programs reach it at ${address}, with an API key.`,
    'Customers open their portal with a link of their own.',
  );
}

/** What the page of a ticket shows; null when its account or customer is gone. */
async function contentOf(context: ServiceContext, ticket: Ticket): Promise<PortalContent | null> {
  const account = await context.store.account(ticket.organization);
  const customer = await account?.get('customers', ticket.customer);
  if (!account || !customer || customer.deleted_at !== null) return null;
  const entity = await account.get('billing_entities', customer.billing_entity_id);
  const now = context.now();
  const subscriptions = await subscriptionsOf(account, customer);
  return {
    customer,
    company: entity?.name ?? account.organization.name,
    now,
    timezone: customer.timezone ?? entity?.timezone ?? 'UTC',
    subscriptions,
    usage: await usageOf(account, customer, subscriptions, now),
    ...(await invoicesOf(account, customer)),
    wallets: await walletsOf(account, customer, now),
  };
}

async function subscriptionsOf(account: AccountStore, customer: CustomerRecord) {
  const status = ['active', 'pending', 'incomplete'] as const;
  const subscriptions = await account.find('subscriptions', { customer_id: customer.id, status });
  const planOf = await linksOf(account, subscriptions, 'plan_id');
  return subscriptions.map(subscription => ({ subscription, plan: planOf(subscription) }));
}

async function usageOf(
  account: AccountStore,
  customer: CustomerRecord,
  subscriptions: PortalContent['subscriptions'],
  now: Date,
) {
  const usages: PortalContent['usage'] = [];
  for (const { subscription, plan } of subscriptions) {
    if (subscription.status !== 'active' || plan.charges.length === 0) continue;
    const request = { apply_taxes: false, external_subscription_id: subscription.external_id };
    const usage = await currentUsage(account, customer, request, now.toISOString()).catch(error => {
      if (error instanceof ServiceError) return null;
      throw error;
    });
    usages.push({ name: subscription.name || plan.invoice_display_name || plan.name, usage });
  }
  return usages;
}

/** Drafts, failed and unfinished invoices are not for customers. */
async function invoicesOf(account: AccountStore, customer: CustomerRecord) {
  const where = is<'invoices'>({ customer_id: customer.id, status: ['finalized', 'voided'] });
  const window = { limit: NEWEST_INVOICES, offset: 0 };
  const { rows, total } = await account.list('invoices', { where, order: newestInvoices }, window);
  const offsets = await offsetsOf(account, rows);
  const invoices = rows.map(invoice => ({
    invoice,
    dueCents: invoice.total_amount_cents - invoice.total_paid_amount_cents - (offsets.get(invoice.id) ?? 0),
  }));
  return { invoices, invoiceCount: total };
}

async function walletsOf(account: AccountStore, customer: CustomerRecord, now: Date) {
  const wallets = await account.find('wallets', { customer_id: customer.id, status: 'active' }, { order: 'oldest' });
  const ongoing = await ongoingBalances(account, wallets, await loadAccountLists(account), now.toISOString());
  return wallets.map(wallet => ({ wallet, ongoingCents: ongoing.of(wallet).ongoing_balance_cents }));
}

/** The ticket of a token with a valid signature, else null. */
function ticketOf(token: string, secret: string): Ticket | null {
  const [payload, sentSignature, ...more] = token.split('.');
  if (!payload || !sentSignature || more.length > 0) return null;
  const expected = Buffer.from(signature(payload, secret));
  const actual = Buffer.from(sentSignature);
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null;
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Ticket;
}

function signature(payload: string, secret: string): string {
  return createHmac('sha256', secret).update(`customer-portal\n${payload}`).digest('base64url');
}

const STYLE_HASH = createHash('sha256').update(PORTAL_STYLE).digest('base64');

/** Sends a page of this service, with headers that let it load and run nothing. */
function sendPage(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    })
    .send(page);
}
