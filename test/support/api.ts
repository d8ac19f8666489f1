/** An Api for tests of what reads with one: lists are walked as in the server, by the given `get`. */
import { listRows } from '../../src/calls/api/list.ts';
import { parseBody } from '../../src/contract/parse.ts';
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

/** Reads as a tool makes them, of what answers an address below /api/v1. */
export function getOf(ask: (address: string) => Promise<{ status: number; body: unknown }>): Api['get'] {
  return async (path, { path: values = {}, query = {}, key }) => {
    const at = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')));
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (Array.isArray(value)) for (const each of value) search.append(`${name}[]`, String(each));
      else if (value !== undefined) search.append(name, String(value));
    }
    const { status, body } = await ask(`${at}?${search}`);
    if (status === 200) return { ok: true, body: parseBody(body as object, key) };
    const { code = 'not_found' } = (body ?? {}) as { code?: string };
    return { ok: false, error: { code, status, message: '' } as never };
  };
}

export const svcId = '5eb02857-a71e-4ea2-bcf9-57d3a41bc6ba';

/** Arguments about one record, which each tool names in its own way. */
export function ofOne(tool: string, args: object): JsonRecord {
  const names = Object.keys(toolByName.get(tool)?.input.shape ?? {});
  const one = { external_id: 's1', svc_id: svcId, code: 'setup' };
  const [name = 'code'] = Object.keys(one).filter(each => names.includes(each));
  return { [name]: one[name as keyof typeof one], ...args };
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
