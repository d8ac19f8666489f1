/**
 * The interface as the contract has it: for each operation what the tools send and what answers hold. The requests are those that
 * the tools make of sample arguments, so that nothing here repeats a path, a wrapper or a name.
 */
import type * as z from 'zod';
import { listRows } from '../../src/calls/api/list.ts';
import type { ListPage } from '../../src/contract/answers.ts';
import { resourceSchemas } from '../../src/contract/resources.ts';
import { tax } from '../../src/contract/shared.ts';
import type { Api, ApiRequest, Get } from '../../src/definition/api.ts';
import { type AnyTool, isLookup } from '../../src/definition/define.ts';
import { anyRecord, type JsonRecord } from '../../src/lib/json.ts';
import { operations, toolDefinitions } from '../../tools/all-tools.ts';
import { markedSamples, plainSamples, valuesOf } from './samples.ts';
import { listShape, objectShape, type Shape, shapeOfSchema } from './shape.ts';

export interface Operation {
  /** `PUT /wallets/{svc_id}` */
  readonly endpoint: string;
  /** The names in the query, without brackets. */
  readonly query: ReadonlyMap<string, Shape>;
  /** Null without a body. */
  readonly request: Shape | null;
  /** Null where it is not described by fields. */
  readonly answer: Shape | null;
}

/** Fields of answers that belong to no resource. */
const answers: Readonly<Record<string, Shape>> = {
  get_customer_portal_url: objectShape({ customer: objectShape({ portal_url: { kinds: new Set(['text']) } }) }),
};

const pageFields: Readonly<Record<keyof ListPage, Shape>> = {
  current_page: { kinds: new Set(['number']) },
  next_page: { kinds: new Set(['number']) },
  prev_page: { kinds: new Set(['number']) },
  total_pages: { kinds: new Set(['number']) },
  total_count: { kinds: new Set(['number']) },
};

let made: Promise<Operation[]> | undefined;

/** The nineteen operations, then what the lookups read next to them: made once, which takes longer than a comparison. */
export function contractOperations(): Promise<Operation[]> {
  made ??= makeOperations();
  return made;
}

async function makeOperations(): Promise<Operation[]> {
  const own = operations.map(tool => {
    const { sample, shapeOf } = markedSamples();
    const args = sample(tool.input) as JsonRecord;
    const { query, body } = requestOf(tool, args);
    const several = `${tool.result}s`;
    // Where one request may make several records, their list stands instead of the one.
    const ofOne = !tool.change || !(several in args) ? {} : requestOf(tool, { ...args, [several]: undefined }).body;
    return {
      endpoint: tool.endpoint,
      query: new Map(Object.entries(query ?? {}).map(([name, value]) => [name, shapeOf(value)])),
      request: body === undefined ? null : shapeOf({ ...anyRecord(ofOne), ...anyRecord(body) }),
      answer: answers[tool.name] ?? answerUnder(tool.result, Object.hasOwn(query ?? {}, 'page')),
    };
  });
  const known = new Set<string>(own.map(({ endpoint }) => endpoint));
  return [...own, ...(await readOperations()).filter(({ endpoint }) => !known.has(endpoint))];
}

/** The request of the tool's own endpoint. */
function requestOf(tool: AnyTool, args: JsonRecord): ApiRequest {
  if (tool.change) return tool.change.request(args);
  const sent: ApiRequest[] = [];
  const note = async (request: ApiRequest) => {
    sent.push(request);
    return { ok: true as const, body: {} };
  };
  const api = { ...readsInto(() => {}, tool.name), send: note, preview: (body: object) => note({ body }) };
  void tool.run?.(args, { ...api, get: (_, { query }) => note({ query }) });
  return sent[0] ?? {};
}

/** What the lookups read with any of their arguments. */
async function readOperations(): Promise<Operation[]> {
  const read = new Map<string, { key: string; query: Map<string, Shape> }>();
  for (const tool of toolDefinitions) {
    if (!isLookup(tool)) continue;
    for (const args of callsOf(tool.input)) {
      const record = (path: `/${string}`, { key, query = {} }: Get) => {
        const { query: names } = read.get(path) ?? { query: new Map<string, Shape>() };
        for (const [name, value] of Object.entries(query)) {
          const schema = tool.input.shape[name];
          const values = (schema && valuesOf(schema)) ?? names.get(name)?.values ?? null;
          if (value !== undefined) names.set(name, { kinds: null, values });
        }
        read.set(path, { key, query: names });
      };
      await tool.run?.(args, readsInto(record, tool.name));
    }
  }
  return [...read].sort().map(([path, { key, query }]) => ({
    endpoint: `GET ${path}`,
    query,
    request: null,
    answer: answerUnder(key, query.has('page')),
  }));
}

/** Calls with each argument and each of its values, alone, of a customer, and next to each word that decides what is read. */
function callsOf(input: z.ZodObject): Record<string, unknown>[] {
  const all = Object.entries<z.ZodType>(input.shape).map(([name, schema]) => ({ name, values: plainSamples(schema) }));
  const mandatory = all.filter(({ name }) => !input.shape[name].safeParse(undefined).success);
  const base = Object.fromEntries(mandatory.map(({ name, values }) => [name, values[0]]));
  const each = all.flatMap(({ name, values }) => values.map(value => ({ [name]: value })));
  const choosing = all.filter(({ name, values }) => name === 'external_customer_id' || values.length > 2);
  const choices = [{}, ...choosing.flatMap(({ name, values }) => values.map(value => ({ [name]: value })))];
  return choices
    .flatMap(choice => [{}, ...each].map(one => ({ ...base, ...one, ...choice })))
    .filter(args => input.safeParse(args).success);
}

/** Records what is read, and answers with a record that leads to the next read. */
function readsInto(record: (path: `/${string}`, get: Get) => void, tool: string): Api {
  const text = '5eb02857-a71e-4ea2-bcf9-57d3a41bc6ba';
  const row = { svc_id: text, external_id: text, external_customer_id: text, code: text, name: text, status: 'active' };
  const source: Pick<Api, 'get' | 'left'> = {
    get: async (path, get) => {
      record(path, get);
      const isRecord = Object.hasOwn(resourceSchemas, get.key) || get.key === 'customer_usage';
      return { ok: true, body: { [get.key]: isRecord ? row : [row], meta: {} } };
    },
    left: () => 20,
  };
  return {
    ...source,
    timeLeft: () => 60_000,
    list: (path, get, pages, isLast) => listRows(source, path, get, pages, isLast),
    kept: (_, read) => read(),
    preview: async () => ({ ok: true, body: { invoice: row } }),
    send: async () => ({ ok: true, body: {} }),
    beside: async () => null,
    tell: () => {},
    mayUse: () => true,
    bound: false,
    asks: () => true,
    hides: () => false,
    tool,
    now: new Date('2026-02-01T00:00:00Z'),
  };
}

/** The body with a record or a list of them. */
function answerUnder(key: string, isPaged: boolean): Shape | null {
  const single = key.replace(/ies$/, 'y').replace(/xes$/, 'x').replace(/s$/, '');
  const schemas = { ...resourceSchemas, tax };
  const one = Object.entries(schemas).find(([name]) => name === key)?.[1];
  if (one) return objectShape({ [key]: shapeOfSchema(one) });
  const entry = Object.entries(schemas).find(([name]) => name === single)?.[1];
  if (!entry) return null;
  const list = listShape(shapeOfSchema(entry));
  return objectShape({ [key]: list, ...(isPaged ? { meta: objectShape(pageFields) } : {}) });
}
