/** Plain reads over HTTP, answered without the protocol's machinery: see `src/protocol/read-shortcut.ts`. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pipeline } from '../../call/dispatch.ts';
import { Cancel } from '../../lib/cancel.ts';
import { JsonWriter } from '../../lib/json-writer.ts';
import { answerDirectly, type DirectCall, directCall, writeAnswer } from '../../protocol/read-shortcut.ts';

const olderVersions: ReadonlySet<unknown> = new Set([
  undefined,
  '2024-10-07',
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
]);

/** The call, when its headers and its body are those of a plain read that the protocol would accept. */
export function directOver(
  { headers }: FastifyRequest,
  body: object,
  pipeline: Pick<Pipeline, 'reads'>,
): DirectCall | undefined {
  const { accept } = headers;
  const plain =
    headers['content-type']?.startsWith('application/json') &&
    accept?.includes('application/json') &&
    accept.includes('text/event-stream') &&
    olderVersions.has(headers['mcp-protocol-version']) &&
    headers['mcp-method'] === undefined;
  return plain ? directCall(body, pipeline) : undefined;
}

const out = new JsonWriter();

/** Answers with JSON, which is as good as a stream of one event. A client that went away ends the call. */
export async function answerOver(call: DirectCall, pipeline: Pipeline, request: FastifyRequest, reply: FastifyReply) {
  const gone = new Cancel();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  const answer = await answerDirectly(call, pipeline, request.caller!, { signal: gone, requestId: request.id });
  out.clear();
  writeAnswer(out, call, answer);
  return reply.type('application/json').send(Buffer.from(out.written));
}
