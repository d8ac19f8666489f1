/** Customer tokens, where requests have them. */
import type { CallOptions } from './messages.ts';

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
