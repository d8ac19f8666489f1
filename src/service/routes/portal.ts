/** The page behind `portal_url` (service-behaviour §3.16): shows one customer's account, for 12 hours. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { shownInvoiceStatuses } from '../../model/enums.ts';
import { messagePage, PORTAL_STYLE, portalPage } from '../operations/portal-page.ts';
import type { ServiceContext } from './context.ts';
import { asOf } from './invoice-lists.ts';

const VALID_MS = 12 * 60 * 60 * 1000;
const RECENT_INVOICES = 10;

interface Ticket {
  organization: string;
  customer: string;
  /** Milliseconds since 1970. */
  expires: number;
  nonce: string;
}

/** A new link to the customer's page, valid for 12 hours. The link is a secret: it needs no API key. */
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

/** Serves the page. Forged links get 404, expired links 403; neither shows whether a customer exists. */
export function portalPages(app: FastifyInstance, context: ServiceContext): void {
  app.get<{ Params: { token: string } }>(
    '/customer-portal/:token',
    { config: { public: true } },
    async (request, reply) => {
      const ticket = ticketOf(request.params.token, context.portalSecret);
      if (ticket === null) return html(reply, 404, messagePage('This link leads nowhere', 'Ask for a new link.'));
      if (ticket.expires <= context.now().getTime()) {
        return html(
          reply,
          403,
          messagePage('This link has expired', 'Links are valid for 12 hours. Ask for a new one.'),
        );
      }
      const page = await pageOf(context, ticket);
      return page === null
        ? html(reply, 404, messagePage('This link leads nowhere', 'The account it belongs to is gone.'))
        : html(reply, 200, page);
    },
  );
}

async function pageOf(context: ServiceContext, ticket: Ticket): Promise<string | null> {
  const account = await context.store.account(ticket.organization);
  const customer = await account?.get('customers', ticket.customer);
  if (!account || !customer || customer.deleted_at !== null) return null;
  const entity = await account.get('billing_entities', customer.billing_entity_id);
  const subscriptions = await account.find('subscriptions', { customer_id: customer.id });
  const plans = await account.find('plans', { id: subscriptions.map(subscription => subscription.plan_id) });
  const shown = { customer_id: customer.id, status: shownInvoiceStatuses };
  const invoices = await account.find('invoices', shown, { limit: RECENT_INVOICES });
  const planById = new Map(plans.map(plan => [plan.id, plan]));
  return portalPage({
    customer,
    company: entity?.name ?? account.organization.name,
    timezone: customer.timezone ?? entity?.timezone ?? 'UTC',
    subscriptions: subscriptions.flatMap(subscription => {
      const plan = planById.get(subscription.plan_id);
      return plan === undefined ? [] : [{ subscription, plan }];
    }),
    wallets: await account.find('wallets', { customer_id: customer.id, status: 'active' }),
    invoices: invoices.map(invoice => asOf(context.now(), invoice)),
  });
}

/** The ticket of a token with a valid signature, else null. */
function ticketOf(token: string, secret: string): Ticket | null {
  const [payload, given, ...more] = token.split('.');
  if (!payload || !given || more.length > 0) return null;
  const expected = Buffer.from(signature(payload, secret));
  const actual = Buffer.from(given);
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null;
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Ticket;
}

function signature(payload: string, secret: string): string {
  return createHmac('sha256', secret).update(`customer-portal\n${payload}`).digest('base64url');
}

const STYLE_HASH = createHash('sha256').update(PORTAL_STYLE).digest('base64');
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

function html(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    })
    .send(page);
}
