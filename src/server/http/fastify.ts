/** Fastify as this server uses it: limits on what may arrive and how long that takes, and refusals of our own. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Limits } from '../settings/usual.ts';
import { answerBadAddress, answerBrokenRequest } from './errors.ts';
import type { HttpSettings } from './settings.ts';

/** Without `log`, nothing is logged. */
export function newFastify(
  trustProxy: HttpSettings['trustProxy'],
  { bodyLimit, requestTimeoutMs }: Limits,
  log?: FastifyBaseLogger,
): FastifyInstance {
  return fastify({
    ...(log && { loggerInstance: log }),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit,
    trustProxy,
    // Headers and body have this long to arrive; answers may take longer.
    requestTimeout: requestTimeoutMs,
    http: {
      headersTimeout: Math.min(requestTimeoutMs, 15_000),
      connectionsCheckingInterval: Math.min(requestTimeoutMs, 5_000) / 2,
      maxHeaderSize: 16_384,
    },
    keepAliveTimeout: 72_000,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: answerBadAddress,
    requestIdHeader: false,
    genReqId: requestId,
    // Calls that arrive during an orderly stop are still answered.
    return503OnClosing: false,
    exposeHeadRoutes: false,
  });
}

/** The id sent with the request, if it is safe for logs and headers, else a new one. */
function requestId(request: IncomingMessage): string {
  const sentId = request.headers['x-request-id'];
  return typeof sentId === 'string' && /^[\w.-]{8,64}$/.test(sentId) ? sentId : randomUUID();
}
