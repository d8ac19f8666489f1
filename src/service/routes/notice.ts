/** The header `X-Service-Notice`: what a caller should know about an answer but the interface has no field for. */
import type { FastifyReply } from 'fastify';

/** Clients take a limited amount of headers; the rest of a longer notice is left out. */
const LONGEST = 1000;

/** Adds the sentences to those of the header, separated by `; `. Characters other than ASCII are written as `\u00e9`. */
export function setNotice(reply: FastifyReply, sentences: readonly string[]): void {
  if (sentences.length === 0) return;
  const before = reply.getHeader('x-service-notice');
  const text = [...(typeof before === 'string' ? [before] : []), ...sentences]
    .join('; ')
    .replace(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  reply.header('x-service-notice', text.length > LONGEST ? `${text.slice(0, LONGEST)} ...` : text);
}
