/** An Api for tests of what reads with one: lists are walked as in the server, by the given `get`. */
import { listRows } from '../../src/calls/api/list.ts';
import type { Api } from '../../src/tool/api.ts';

export function apiOf(parts: Pick<Api, 'get'> & Partial<Api>): Api {
  const api: Api = {
    list: (path, get, pages, isLast) => listRows(api, path, get, pages, isLast),
    preview: async () => ({ ok: true, body: {} }),
    mayUse: () => true,
    bound: false,
    hides: () => false,
    tool: 'test',
    now: new Date(0),
    left: () => Number.POSITIVE_INFINITY,
    kept: (_, read) => read(),
    ...parts,
  };
  return api;
}
