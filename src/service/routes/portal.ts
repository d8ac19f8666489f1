/** The portal pages behind `portal_url` (service-behaviour §3.16): they show one customer's account, for 12 hours. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { languageAccepted } from '../../contract/labels/index.ts';
import { isUuid } from '../operations/input.ts';
import { invoicePage } from '../operations/portal/invoice.ts';
import { invoicesPage } from '../operations/portal/invoices.ts';
import { overviewPage } from '../operations/portal/overview.ts';
import { messagePage } from '../operations/portal/page.ts';
import { type Reader, readerOf } from '../operations/portal/reader.ts';
import { PORTAL_STYLE } from '../operations/portal/style.ts';
import { walletPage } from '../operations/portal/wallet.ts';
import type { ServiceContext } from './context.ts';
import {
  invoiceListRecords,
  invoiceRecords,
  overviewRecords,
  type PortalAccount,
  walletRecords,
} from './portal-records.ts';

const VALID_MS = 12 * 60 * 60 * 1000;

interface Ticket {
  organization: string;
  customer: string;
  /** Milliseconds since 1970. */
  expires: number;
  nonce: string;
}

/** A new link to the customer's portal pages, valid for 12 hours. The link is a secret: it needs no API key. */
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
 * Serves the portal pages: an overview, invoices and wallets, in the language of the customer's documents. Forged links get
 * 404, expired links 403; neither shows whether a customer exists.
 */
export function portalPages(app: FastifyInstance, context: ServiceContext): void {
  const servePortalPage = (path: string, render: RenderPage): void => {
    app.get<PortalRequest>(`/customer-portal/:token${path}`, { config: { public: true } }, async (request, reply) => {
      const visitorReader = readerOf(languageAccepted(request.headers['accept-language']), 'UTC');
      const ticket = ticketOf(request.params.token, context.portalSecret);
      if (ticket !== null && ticket.expires <= context.now().getTime()) {
        return html(reply, 403, messagePage(visitorReader, 'link_expired'));
      }
      const portal = ticket && (await portalOf(context, ticket));
      const page = portal && (await render(portal, request));
      return page ? html(reply, 200, page) : html(reply, 404, messagePage(visitorReader, 'link_nowhere'));
    });
  };
  servePortalPage('', async ({ reader, ...portal }, { params: { token: base } }) =>
    overviewPage({ ...(await overviewRecords(portal)), company: portal.company, base }, reader),
  );
  servePortalPage('/invoices', async ({ reader, ...portal }, { params: { token: base }, query }) =>
    invoicesPage({ ...(await invoiceListRecords(portal, pageNumber(query.page))), base, now: portal.now }, reader),
  );
  servePortalPage('/invoices/:id', async ({ reader, ...portal }, { params: { token: base, id = '' } }) => {
    const records = isUuid(id) && (await invoiceRecords(portal, id));
    return records ? invoicePage({ ...portal, ...records, base }, reader) : null;
  });
  servePortalPage('/wallets/:id', async ({ reader, ...portal }, { params: { token: base, id = '' }, query }) => {
    const records = isUuid(id) && (await walletRecords(portal, id, pageNumber(query.page)));
    return records ? walletPage({ ...records, base }, reader) : null;
  });
}

interface PortalRequest {
  Params: { token: string; id?: string };
  Querystring: { page?: unknown };
}

type RenderPage = (portal: Portal, request: FastifyRequest<PortalRequest>) => Promise<string | null>;

interface Portal extends PortalAccount {
  company: string;
  reader: Reader;
}

/** The account and customer of a ticket; null when one of them is gone. */
async function portalOf(context: ServiceContext, ticket: Ticket): Promise<Portal | null> {
  const account = await context.store.account(ticket.organization);
  const customer = await account?.get('customers', ticket.customer);
  if (!account || !customer || customer.deleted_at !== null) return null;
  const entity = await account.get('billing_entities', customer.billing_entity_id);
  const locale = customer.document_locale ?? entity?.document_locale ?? 'en';
  return {
    account,
    customer,
    entity,
    now: context.now(),
    company: entity?.name ?? account.organization.name,
    reader: readerOf(locale, customer.timezone ?? entity?.timezone ?? 'UTC'),
  };
}

/** The number of a list page, from 1; 1 for anything that is not such a number. */
function pageNumber(text: unknown): number {
  return typeof text === 'string' && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
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
