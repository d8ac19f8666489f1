/**
 * The embedded billing service's HTTP application: the endpoints under `/api/v1`, and the portal page that a link opens.
 *
 * Every refusal has the body of service-behaviour §1.2. No webhooks or e-mails are sent: a write only changes records.
 */
import { STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { badRequest, notFound, ServiceError, unauthorized, unprocessable, validation } from './errors.ts';
import { refuseUnstorableText } from './operations/input.ts';
import { logoRoutes } from './routes/billing-entities.ts';
import type { ServiceContext } from './routes/context.ts';
import { allRoutes } from './routes/every-route.ts';
import { portalPages } from './routes/portal.ts';
import type { StoreUnavailable } from './store/errors.ts';
import type { AccountStore, Store } from './store/store.ts';

const BODY_LIMIT = 2 * 1024 * 1024; // an 800 KB logo in base64 passes
const LONGEST_PATH_VALUE = 16_384; // as long as a request line may be

export interface AppOptions {
  store: Store;
  now: () => Date;
  /** The service's address for people. By default the address that it listens on. */
  publicUrl?: string | undefined;
  portalSecret: string;
  /** Called with errors that are bugs; their text never reaches an answer. Default: write to stderr. */
  onUnexpected?: ((error: unknown) => void) | undefined;
}

/** Creates the application. The caller starts it, closes it, and closes the store. */
export function createApp(options: AppOptions): FastifyInstance {
  const { store, now, portalSecret } = options;
  const onUnexpected = options.onUnexpected ?? (error => console.error('The billing service failed:', error));
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: LONGEST_PATH_VALUE },
    // Paths with broken percent-encoding reach no route and no hook. Here too a missing key is refused first.
    frameworkErrors: async (error, request, reply) => {
      const refusal = await authenticate(store, request).then(
        () => error,
        earlier => earlier,
      );
      answer(reply, refusalOf(refusal, onUnexpected));
    },
    clientErrorHandler: answerUnreadable,
  });
  const context: ServiceContext = {
    store,
    now,
    portalSecret,
    report: onUnexpected,
    publicUrl: () => (options.publicUrl ?? listeningAddress(app)).replace(/\/+$/, ''),
  };
  app.decorateRequest('account');
  acceptOnlyJson(app);
  app.addHook('onRequest', async request => {
    if (request.routeOptions.config?.public) return;
    request.account = await authenticate(store, request);
    // Before the body is read: an unknown route is refused with any body.
    if (request.is404) throw notFound('resource');
  });
  app.addHook('preHandler', async request => refuseUnstorableText(request));
  app.setNotFoundHandler((_request, reply) => answer(reply, notFound('resource')));
  app.setErrorHandler((error, _request, reply) => answer(reply, refusalOf(error, onUnexpected)));
  portalPages(app, context);
  logoRoutes(app, context);
  app.register(async api => allRoutes(api, context), { prefix: '/api/v1' });
  return app;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** No API key is needed: for the portal page, whose links are signed, and for logos. */
    public?: boolean;
  }
}

/** The key is the second word of the header; the first word, the scheme, is ignored (§1.1). Throws 401. */
async function authenticate(store: Store, request: FastifyRequest): Promise<AccountStore> {
  const key = request.headers.authorization?.trim().split(/\s+/)[1];
  const account = key === undefined ? null : await store.accountOfKey(key);
  if (account === null) throw unauthorized();
  return account;
}

/** Reads only JSON; an empty body and another content count as none. `__proto__` is dropped like any other unknown key. */
function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'ignore');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    return parse(request, body as string, done);
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));
}

/** The refusal for an error. Bugs become a 500 without details. */
function refusalOf(error: unknown, onUnexpected: (error: unknown) => void): ServiceError {
  if (error instanceof ServiceError) return error;
  const { name, statusCode } = error as Partial<FastifyError>;
  // The store's errors are recognized by name, so that no driver is loaded for them.
  if (name === 'LockNotAcquired') return unprocessable('lock_acquisition_failed');
  if (name === 'ValueTaken') return validation({ code: ['value_already_exist'] });
  if (name === 'StoreUnavailable') return storeUnavailable(error as StoreUnavailable, onUnexpected);
  if (name === 'DiskFull') {
    const error_details = 'The disk that holds the database is full. Nothing was changed.';
    return new ServiceError(507, { code: 'disk_full', error_details });
  }
  if (name === 'UnstorableText') return validation({ base: ['value_is_invalid'] });
  if (name === 'UnstorableNumber') return validation({ base: ['value_is_out_of_range'] });
  if (statusCode === 400) return badRequest();
  if (statusCode === 413) return new ServiceError(413, { code: 'request_body_too_large' });
  if (statusCode !== undefined && statusCode < 500) return new ServiceError(statusCode, { code: 'request_refused' });
  onUnexpected(error);
  return new ServiceError(500);
}

/** The driver's message names hosts and users, so it only goes to the log. The store logs a `passing` error itself. */
function storeUnavailable(error: StoreUnavailable, onUnexpected: (error: unknown) => void): ServiceError {
  if (!error.passing) onUnexpected(error);
  const refusal = error.maybeStored
    ? {
        code: 'database_lost',
        error_details: 'The database was lost while this was being stored: it may be stored or not.',
      }
    : { code: 'database_unavailable', error_details: 'The database does not answer. Nothing was changed.' };
  return new ServiceError(503, refusal);
}

function answer(reply: FastifyReply, refusal: ServiceError): FastifyReply {
  return reply.code(refusal.status).type('application/json; charset=utf-8').send(refusal.body);
}

/** Answers input that is not valid HTTP in the same form, while the connection is still writable. */
function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const body = JSON.stringify({ status, error: STATUS_CODES[status] });
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
}

function listeningAddress(app: FastifyInstance): string {
  const address = app.server.address() as AddressInfo | null;
  if (address === null) return 'http://127.0.0.1';
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
