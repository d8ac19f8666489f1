/** An Api for tests of what reads with one: lists are walked as in the server, by the given `get`. */
import { listRows } from '../../src/calls/api/list.ts';
import type { Api, ApiRequest } from '../../src/definition/api.ts';
import { checkArguments } from '../../src/definition/check.ts';
import type { AnyTool } from '../../src/definition/define.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { toolByName } from '../../tools/all-tools.ts';

export function apiOf(parts: Pick<Api, 'get'> & Partial<Api>): Api {
  const empty = async () => ({ ok: true as const, body: {} });
  const api: Api = {
    list: (path, get, pages, isLast) => listRows(api, path, get, pages, isLast),
    preview: empty,
    send: empty,
    beside: read => read(api),
    tell: () => {},
    mayUse: () => true,
    bound: false,
    hides: () => false,
    asks: () => false,
    tool: 'test',
    now: new Date(0),
    left: () => Number.POSITIVE_INFINITY,
    timeLeft: () => 60_000,
    kept: (_, read) => read(),
    ...(parts as Pick<Api, 'get'>),
  };
  return api;
}

/** The arguments of a call that passes its checks. */
export function argsOf(tool: string, raw: unknown): JsonRecord {
  const checked = checkArguments(toolByName.get(tool)!, raw);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.args;
}

/** The request that a tool makes of its own endpoint. */
export function requestOf(tool: AnyTool, args: object, known?: object): ApiRequest {
  if (tool.change) return tool.change.request(args as never, known);
  const sent: ApiRequest[] = [];
  const note = async (request: ApiRequest) => {
    sent.push(request);
    return { ok: true as const, body: {} };
  };
  const get: Api['get'] = (_, { path, query }) => note({ ...(path && { path }), ...(query && { query }) });
  void tool.run?.(args as never, apiOf({ get, send: note, preview: body => note({ body }) }));
  return sent[0] ?? {};
}
