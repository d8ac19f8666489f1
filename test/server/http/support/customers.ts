/** A server over HTTP in this process that notes for which customers each of its requests is made. */

import { type HttpServer, serveHttp } from '../../../../src/server/http/serve.ts';
import { createLog } from '../../../../src/server/logs/log.ts';
import { createRuntime } from '../../../../src/server/runtime.ts';
import { loadConfig } from '../../../../src/server/settings/load.ts';
import type { CallOptions } from './messages.ts';

export interface BoundServer extends HttpServer {
  /** What the clients of the billing API were asked for, newest last. */
  viewers: { id: string; customers: readonly string[] | undefined }[];
  /** The lines of its log. */
  lines: string[];
}

/** Serves the demo account unless the settings name another, with these settings besides. */
export async function startBound(args: string[], env: Record<string, string>): Promise<BoundServer> {
  const { config } = loadConfig(['--http', '--port', '0', ...(env.BILLING_BASE_URL ? [] : ['--demo']), ...args], env);
  const viewers: BoundServer['viewers'] = [];
  const lines: string[] = [];
  const log = createLog('debug', { write: line => void lines.push(line) });
  const server = await serveHttp({
    ...{ config, log },
    createRuntime: (observer, roles) => {
      const runtime = createRuntime({ config, observer, roles });
      const { of } = runtime.upstreams;
      runtime.upstreams.of = (baseUrl, apiKey, id = '', viewer) => {
        viewers.push({ id, customers: viewer?.customers });
        return of(baseUrl, apiKey, id, viewer);
      };
      return runtime;
    },
  });
  return { ...server, viewers, lines };
}

export const header = 'x-billing-customer-token';
export const metaKey = 'usage-billing/customer-token';

/** The two places of a customer token. */
export const places = {
  header: (token: string): CallOptions => ({ headers: { [header]: token } }),
  _meta: (token: string): CallOptions => ({ meta: { [metaKey]: token } }),
};

/** Both options together. */
export function both(...options: CallOptions[]): CallOptions {
  const { headers, meta, capabilities } = {
    headers: Object.assign({}, ...options.map(option => option.headers)),
    meta: Object.assign({}, ...options.map(option => option.meta)),
    capabilities: Object.assign({}, ...options.map(option => option.capabilities)),
  };
  return { headers, capabilities, ...(Object.keys(meta).length > 0 && { meta }) };
}
