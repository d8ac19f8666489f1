/** undici's pool by itself, in a chunk that is loaded after the handshake: all of undici takes twice as long to load. */
import { Socket } from 'node:net';
import Pool from 'undici/lib/dispatcher/pool.js';

export { Pool };

/**
 * Has undici compile its HTTP parser, which it otherwise does when its first connection stands: half of the time that a
 * first call takes. The connection here leads nowhere, and no byte is sent.
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
