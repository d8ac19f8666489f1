/** Who calls the billing API in these tests, and with what. */
import type { UpstreamCall } from '../../../src/calls/api/http/client.ts';
import type { Viewer } from '../../../src/definition/caller.ts';

/** A caller of that id who sees everything, as the connections to the billing API take one. */
export function anyone(id = ''): [id: string, viewer: Viewer] {
  return [id, { customers: undefined, hidden: undefined, view: '' }];
}

const getting = { effect: 'read', method: 'GET', body: undefined } as const;
export const read: UpstreamCall = { ...getting, tool: 'get_customer', target: '/customers/a' };

const computing = { effect: 'compute', method: 'POST' } as const;
export const compute: UpstreamCall = { ...computing, tool: 'preview_invoice', target: '/invoices/preview', body: {} };

const changing = { effect: 'write', method: 'PUT' } as const;
export const write: UpstreamCall = { ...changing, tool: 'update_add_on', target: '/add_ons/a', body: { add_on: {} } };
