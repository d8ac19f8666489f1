/** undici's pool alone, in a chunk that is loaded after the handshake: loading all of undici takes twice as long. */
import { Socket } from 'node:net';
import Pool from 'undici/lib/dispatcher/pool.js';

export { Pool };

/**
 * Makes undici compile its HTTP parser now, which it would otherwise do at its first connection and which takes half
 * the time of a first call. The connection here leads nowhere, and no byte is sent.
 */
export function compileParser(): void {
  const pool = new Pool('http://nowhere.invalid', { connect: (_, callback) => callback(null, new Socket()) });
  const end = () => void pool.destroy().catch(() => {});
  const handler = {
    onRequestStart: (controller: { abort(reason: Error): void }) => controller.abort(new Error('compiled')),
    onResponseError: end,
  };
  pool.dispatch({ method: 'GET', path: '/' }, handler);
}
