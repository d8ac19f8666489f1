import type { FastifyReply } from 'fastify';

/** Runs `end` when the client closes its connection before it has the whole answer. */
export function onDisconnect(reply: FastifyReply, end: () => void): void {
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) end();
  });
}
