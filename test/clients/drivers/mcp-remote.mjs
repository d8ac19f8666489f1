/** mcp-remote: a host that knows only stdio, in front of the HTTP server. */
import { fileURLToPath } from 'node:url';
import { connect as throughSdk } from './sdk1.mjs';

const proxy = fileURLToPath(import.meta.resolve('mcp-remote/dist/proxy.js'));

export const only = 'http';

export function connect({ url }) {
  return throughSdk({ command: process.execPath, args: [proxy, url, '--allow-http', '--transport', 'http-only'] });
}
