/** Plain reads over HTTP, which take the shortcut past the SDK. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../definition/caller.ts';
import { onDisconnect } from '../http/answers.ts';
import { olderRevisions } from './older-revisions.ts';
import { answerJson, type PlainRead, type ReadShortcut } from './read-shortcut.ts';

/** The call in a request when body and headers are those of a plain read that the SDK would accept. */
export function plainReadIn(
  { headers }: Pick<FastifyRequest, 'headers'>,
  body: object,
  shortcut: ReadShortcut,
): PlainRead | undefined {
  const { accept, 'mcp-protocol-version': revision } = headers;
  const plain =
    headers['content-type']?.startsWith('application/json') &&
    accept?.includes('application/json') &&
    accept.includes('text/event-stream') &&
    (revision === undefined || olderRevisions.has(revision as string)) &&
    headers['mcp-method'] === undefined;
  return plain ? shortcut.decide(body) : undefined;
}

/** Answers with JSON, not with an event stream. The read is cancelled when the client disconnects. */
export async function answerPlainRead(
  read: PlainRead,
  shortcut: ReadShortcut,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  onDisconnect(reply, () => shortcut.cancel(read));
  const answer = await shortcut.run(read, caller, request.id);
  // No one reads the answer to a cancelled read, but Fastify needs one.
  return reply.type('application/json').send(answer ? answerJson(read, answer) : '');
}
