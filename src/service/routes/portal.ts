/** The portal pages behind `portal_url` (service-behaviour §3.16): they show one customer's account, for 12 hours. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { languageAccepted } from '../../contract/labels/labels.ts';
import { isUuid } from '../operations/input.ts';
import { invoicePage } from '../operations/portal/invoice.ts';
import { invoicesPage } from '../operations/portal/invoices.ts';
import { overviewPage } from '../operations/portal/overview.ts';
import { homePage, type Label, messagePage, writeTo } from '../operations/portal/page.ts';
import { standingText } from '../operations/portal/payments.ts';
import { type Reader, readerOf } from '../operations/portal/reader.ts';
import { PORTAL_STYLE } from '../operations/portal/style.ts';
import { walletPage } from '../operations/portal/wallet.ts';
import type { ServiceContext } from './context.ts';
import { paymentBehindButton } from './portal-payments.ts';
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
 * Serves the page that says what this is, and the portal pages: an overview, invoices, wallets and the way to pay, in the language of the customer's documents.
 * Forged links get 404, expired links 403; neither shows whether a customer exists.
 */
export function portalPages(app: FastifyInstance, context: ServiceContext): void {
  app.get('/', { config: { public: true } }, async (request, reply) =>
    sendPage(reply, 200, homePage(visitor(request), `${context.publicUrl()}/api/v1`)),
  );
  const servePortalPage = (path: string, render: RenderPage): void => {
    app.get<PortalRequest>(`/customer-portal/:token${path}`, { config: { public: true } }, async (request, reply) => {
      const visitorReader = visitor(request);
      const ticket = ticketOf(request.params.token, context.portalSecret);
      if (ticket !== null && ticket.expires <= context.now().getTime()) {
        return sendPage(reply, 403, messagePage(visitorReader, 'link_expired', newLink(visitorReader)));
      }
      const portal = ticket && (await portalOf(context, ticket));
      if (!portal) return sendPage(reply, 404, messagePage(visitorReader, 'link_nowhere', newLink(visitorReader)));
      const answer = await render(portal, request);
      if (typeof answer === 'string') return sendPage(reply, 200, answer);
      if ('location' in answer) return withPageHeaders(reply).redirect(answer.location, 303);
      const { status = 404, title, texts = [portal.reader.say('unknown_hint')] } = answer;
      return sendPage(reply, status, messagePage(portal.reader, title, texts, overviewFrom(request)));
    });
  };
  servePortalPage('', async ({ reader, ...portal }, { params: { token: base } }) =>
    overviewPage({ ...(await overviewRecords(portal)), company: portal.company, base }, reader),
  );
  servePortalPage('/invoices', async ({ reader, ...portal }, { params: { token: base }, query }) => {
    const records = await invoiceListRecords(portal, pageNumber(query.page));
    if (isPastEnd(records.paging, records.invoices)) return { title: 'page_unknown' };
    return invoicesPage({ ...records, base, now: portal.now }, reader);
  });
  servePortalPage('/invoices/:id', async ({ reader, ...portal }, { params: { token: base, id = '' } }) => {
    const records = isUuid(id) && (await invoiceRecords(portal, id));
    return records ? invoicePage({ ...portal, ...records, base }, reader) : { title: 'invoice_unknown' };
  });
  servePortalPage('/wallets/:id', async ({ reader, ...portal }, { params: { token: base, id = '' }, query }) => {
    const records = isUuid(id) && (await walletRecords(portal, id, pageNumber(query.page)));
    if (!records) return { title: 'wallet_unknown' };
    if (isPastEnd(records.paging, records.movements)) return { title: 'page_unknown' };
    return walletPage({ ...records, base, now: portal.now }, reader);
  });
  servePortalPage('/payments/:id', async (portal, { params: { id = '' } }) =>
    isUuid(id) ? wayToPay(portal, id) : { title: 'payment_unknown' },
  );
  servePortalPage('/*', async () => ({ title: 'page_unknown' }));
}

/**
 * The provider's page of a payment that is open now. The page with the button may be an hour old: meanwhile its invoice may
 * have been paid another way, and nobody is sent to pay it again.
 */
async function wayToPay({ account, customer, entity, reader }: Portal, id: string): Promise<Elsewhere | Told> {
  const payment = await paymentBehindButton(account, customer, id);
  if (payment === null) return { title: 'payment_unknown' };
  if (payment !== 'closed' && payment.standing === 'open' && payment.url !== null) return { location: payment.url };
  const why = payment === 'closed' ? reader.say('payment_closed') : standingText(payment, reader);
  return { status: 409, title: 'payment_not_open', texts: [why, writeTo(entity, reader.say)] };
}

interface PortalRequest {
  Params: { token: string; id?: string };
  Querystring: { page?: unknown };
}

type RenderPage = (portal: Portal, request: FastifyRequest<PortalRequest>) => Promise<string | Elsewhere | Told>;

interface Elsewhere {
  location: string;
}

/** A page with one message and the way back. By default: not here. */
interface Told {
  status?: number;
  title: Label;
  texts?: Parameters<typeof messagePage>[2];
}

/** For an address below the portal that no route can read: people follow such links, too. */
export function answerBrokenLink(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const reader = visitor(request);
  return sendPage(reply, 404, messagePage(reader, 'link_nowhere', newLink(reader)));
}

/** Whoever opens a page of which no customer is known: in the language of their browser. */
function visitor({ headers }: FastifyRequest): Reader {
  return readerOf(languageAccepted(headers['accept-language']), 'UTC');
}

function newLink({ say }: Reader): [string] {
  return [say('ask_new_link')];
}

/** The relative address of the overview; a proxy may serve the portal below a path that the service does not know. */
function overviewFrom({ url, params: { token } }: FastifyRequest<PortalRequest>): string {
  const [, below = ''] = url.split('?', 1).join('').split(`/customer-portal/${token}/`);
  return `${'../'.repeat(below.split('/').length)}${token}`;
}

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

/** An empty list page that is not the first: it would say that there is nothing at all. */
function isPastEnd({ page }: { page: number }, entries: readonly unknown[]): boolean {
  return page > 1 && entries.length === 0;
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

/** Sends a page of this service, with headers that let it load and run nothing. */
function sendPage(reply: FastifyReply, status: number, page: string): FastifyReply {
  return withPageHeaders(reply).code(status).type('text/html; charset=utf-8').send(page);
}

function withPageHeaders(reply: FastifyReply): FastifyReply {
  return reply.headers({
    'content-security-policy': POLICY,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  });
}
