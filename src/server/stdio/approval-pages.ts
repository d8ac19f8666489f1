/**
 * The approval pages of a server over stdio: those of HTTP, at a free port of this machine, which is opened by the first link
 * to one. Whoever has the link decides: the pages ask for no sign-in.
 */
import { randomBytes } from 'node:crypto';
import type { PageLinks } from '../../definition/asking.ts';
import type { Caller } from '../../definition/caller.ts';
import type { Core } from '../core.ts';
import type { registerGuards } from '../http/guards.ts';
import type { HttpSettings } from '../http/settings.ts';
import { openInBrowser } from './browser.ts';

type PageParts = Pick<Core, 'config' | 'limits' | 'pipeline' | 'stateKey'>;

export interface StdioPages extends PageLinks {
  /** Ends the pages with the connection. */
  close(): Promise<void>;
}

/** Connections at a time; a browser opens up to six. */
const mostConnections = 64;

/** Opens nothing yet. `caller`: the only one. */
export function createPages(core: PageParts, caller: Caller): StdioPages {
  let opened: Promise<Site> | undefined;
  let isClosed = false;
  return {
    by: 'link',
    async addressOf(id) {
      if (isClosed) throw new Error('The connection is closed');
      opened ??= openSite(core, caller).catch(error => {
        // The next write may find a free port.
        opened = undefined;
        throw error;
      });
      return (await opened).addressOf(id);
    },
    async shown(id) {
      if (core.config.openBrowser) await (await opened)?.openWindow(id);
    },
    async close() {
      isClosed = true;
      await opened?.then(
        site => site.close(),
        () => {},
      );
    },
  };
}

type Site = Awaited<ReturnType<typeof openSite>>;

/** How the browser comes to a page: an address that is void once it was opened, because lists of processes show it. */
interface Way {
  page: string;
  key: string;
  until: number;
}

const openPath = '/open/';
const openingMs = 60_000;

const settings: Parameters<typeof registerGuards>[1] &
  Pick<HttpSettings, 'auth' | 'oauth' | 'publicUrl' | 'rateLimit'> = {
  host: '127.0.0.1',
  auth: 'none',
  publicUrl: undefined,
  oauth: undefined,
  rateLimit: 0,
  allowedHosts: [],
  allowedOrigins: [],
  metricsToken: undefined,
};

async function openSite(core: PageParts, { id, credential = id }: Caller) {
  const [{ newFastify }, { refuse }, guards, { approvalPageOffer }, pages] = await Promise.all([
    import('../http/fastify.ts'),
    import('../http/errors.ts'),
    import('../http/guards.ts'),
    import('../http/approve/offer.ts'),
    import('../http/approve/routes.ts'),
  ]);
  const offer = approvalPageOffer(settings);
  if ('missing' in offer) throw new Error(offer.missing);
  const app = newFastify(false, core.limits);
  app.server.maxConnections = mostConnections;
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'Not found'));
  await guards.registerGuards(app, settings);
  pages.registerApprovals(app, {
    settings,
    offer,
    stateKey: core.stateKey,
    config: core.config,
    // No one signs in here.
    authenticate: () => Promise.reject(new Error('The pages over stdio take no credential')),
    overStdio: { caller: credential },
    pages: () => core.pipeline.pages(),
  });
  let way: Way | undefined;
  app.get<{ Params: { key: string } }>(`${openPath}:key`, (request, reply) => {
    const { key } = request.params;
    const { host } = new URL(addressOf(''));
    const page = way?.key === key && way.until > Date.now() ? way.page : undefined;
    if (page === undefined || request.headers.host !== host) return reply.callNotFound();
    way = { page, key: '', until: 0 };
    const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
    return reply.headers(headers).redirect(addressOf(page), 303);
  });
  const addressOf = (page: string) => pages.approvalPageAddress(app, offer, page);
  await app.listen({ host: settings.host, port: 0 });
  const openNext = async (page: string) => {
    const standing = way && (await (await core.pipeline.pages()).look(way.page));
    const isOpen = standing?.decision === undefined && (standing?.approval.expires ?? 0) > Date.now();
    if (isOpen) return;
    way = { page, key: randomBytes(16).toString('base64url'), until: Date.now() + openingMs };
    openInBrowser(new URL(`${openPath}${way.key}`, addressOf(page)).href);
  };
  let last: Promise<void> = Promise.resolve();
  return {
    addressOf,
    /** Opens the page in the browser, unless the user still decides in the window that was opened before. */
    openWindow(page: string): Promise<void> {
      // One after the other: two prompts at once open one window.
      last = last.catch(() => {}).then(() => openNext(page));
      return last;
    },
    async close() {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}
