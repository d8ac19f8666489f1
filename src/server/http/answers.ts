/** What happens to answers that a client reads only in part. */
import type { FastifyReply } from 'fastify';

/** Runs `end` when the client closes its connection before it has the whole answer. */
export function onDisconnect(reply: FastifyReply, end: () => void): void {
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) end();
  });
}

/** The same stream. `end` is called once, when it was read to its end, failed, or was given up; a failing cancel is ignored. */
export function passedOn(
  stream: ReadableStream<Uint8Array>,
  { start, end }: { start(controller: ReadableStreamDefaultController<Uint8Array>): void; end(): void },
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let hasEnded = false;
  const endOnce = () => {
    if (!hasEnded) end();
    hasEnded = true;
  };
  return new ReadableStream({
    start,
    async pull(controller) {
      const { done, value } = await reader.read().catch(error => {
        endOnce();
        throw error;
      });
      if (!done) return controller.enqueue(value);
      endOnce();
      controller.close();
    },
    async cancel(reason) {
      endOnce();
      await reader.cancel(reason).catch(() => {});
    },
  });
}
