/**
 * Reads of the account outside tool calls: resources and completion. They obey the access
 * rules of the tools that read the same, and are logged, counted, limited and traced like calls of those tools.
 */

import { randomUUID } from 'node:crypto';
import { listers } from '../../../../tools/listers.ts';
import type { Body, ListKey, RowOf } from '../../../contract/answers.ts';
import { parseBody } from '../../../contract/parse.ts';
import type { Plan } from '../../../contract/shown.ts';
import type { Access } from '../../../definition/access.ts';
import type { Connection, Rights } from '../../../definition/caller.ts';
import { refusalText, refuse, wordsOf } from '../../../definition/failure.ts';
import type { CancelSignal } from '../../../lib/cancel-signal.ts';
import { isObject } from '../../../lib/json.ts';
import { watched } from '../../../server/logs/observed-call.ts';
import type { Observer } from '../../../server/logs/types.ts';
import { cleanDeep } from '../../../words/hidden-characters.ts';
import type { AccountSource } from './account-source.ts';
import type { Upstreams } from './upstreams.ts';

export interface ReaderParts {
  account: AccountSource;
  upstreams: Upstreams;
  observer: Observer;
  accessOf(caller: Rights): Access;
}

export interface ReadingFor {
  signal?: CancelSignal | undefined;
  /** `_meta` and id of the request that needs the read, for traces. */
  meta?: unknown;
  rpcId?: string | number | undefined;
}

type Read = { record: Body } | { problem: string };

/** One caller's reads. */
export interface AccountReader {
  /** One GET as `tool` makes it: the service's body, cleaned of hidden characters. `target` is percent-encoded. */
  read(tool: string, target: string, ids?: Record<string, string>): Promise<Read>;
  /** The account's plans, page by page, until `enough` returns true. */
  plans(enough?: (plans: Plan[]) => boolean): Promise<{ plans: Plan[] } | { problem: string }>;
  /**
   * The codes of all plans, kept for half a minute: a person types letter by letter. Empty when they cannot be read.
   */
  planCodes(): Promise<string[]>;
  /** The records under `key` in the answer to a GET as `tool` makes it, kept as long. Empty when they cannot be read. */
  keptRows<Key extends ListKey>(tool: string, target: string, key: Key): Promise<RowOf<Key>[]>;
}

export interface AccountReaders {
  of(connection: Connection, reading?: ReadingFor): AccountReader;
}

const pageSize = 100;
const mostPages = 50;
const keptForMs = 30_000;
const mostKept = 200;

export function createAccountReaders(parts: ReaderParts): AccountReaders {
  const kept = new Map<string, { at: number; rows: Promise<object[]> }>();
  const keep = <Row extends object>(
    { caller }: Connection,
    tool: string,
    name: string,
    read: () => Promise<Row[]>,
  ): Promise<Row[]> => {
    // Kept also for a time in which the same caller brings fewer scopes.
    const access = parts.accessOf(caller);
    if (access.allows(tool) !== true) return Promise.resolve([]);
    const key = `${caller.id}\0${caller.apiKey}\0${access.view}\0${name}`;
    const now = performance.now();
    for (const [other, { at }] of kept) if (now - at >= keptForMs || kept.size > mostKept) kept.delete(other);
    const rows = (kept.get(key)?.rows as Promise<Row[]> | undefined) ?? read();
    if (!kept.has(key)) kept.set(key, { at: now, rows });
    return rows;
  };
  return {
    of(connection, reading = {}) {
      const reader: AccountReader = {
        read: (tool, target, ids) => readAccount(parts, connection, reading, { tool, target, ids }),
        plans: enough => readPlans(reader, enough),
        async planCodes() {
          const plans = await keep(connection, listers.plans, 'plans', async () => {
            const answer = await readPlans(reader);
            return 'plans' in answer ? answer.plans : [];
          });
          return plans.map(plan => String(plan.code)).sort();
        },
        keptRows: <Key extends ListKey>(tool: string, target: string, key: Key) =>
          keep(connection, tool, target, async () => {
            const answer = await reader.read(tool, target);
            return 'record' in answer ? [...((answer.record[key] as readonly RowOf<Key>[] | undefined) ?? [])] : [];
          }),
      };
      return reader;
    },
  };
}

async function readAccount(
  { account: source, upstreams, observer, accessOf }: ReaderParts,
  { caller, requestId = randomUUID() }: Connection,
  { signal, meta, rpcId }: ReadingFor,
  { tool, target, ids = {} }: { tool: string; target: string; ids: Record<string, string> | undefined },
): Promise<Read> {
  const access = accessOf(caller);
  if (access.unbound !== undefined)
    return { problem: refusalText(refuse('binding_needed', { what: 'The account', unbound: access.unbound })) };
  if (access.allows(tool) !== true)
    return { problem: `${tool} is not available to this caller, and neither is what it reads.` };
  const account = await source.ready();
  if ('code' in account) return { problem: refusalText(wordsOf(account)) };
  const upstream = upstreams.of(account.baseUrl, caller.apiKey || account.apiKey, caller.id, access);
  const call = { tool, effect: 'read', method: 'GET', target, body: undefined, ids } as const;
  const answer = await watched(
    observer,
    { tool, caller: caller.id, requestId, rpcId, meta },
    () => upstream.send(call, { requestId, signal }),
    ({ attempts, ...sent }) => ({
      ...(sent.ok ? ({ outcome: 'ok', code: null } as const) : ({ outcome: 'error', code: sent.error.code } as const)),
      attempts,
    }),
  );
  if (!answer.ok) return { problem: `${answer.error.message} ${answer.error.hint}` };
  const record = cleanDeep(answer.body);
  return { record: isObject(record) ? parseBody(record) : (record as Body) };
}

async function readPlans(
  reader: AccountReader,
  enough: (plans: Plan[]) => boolean = () => false,
): Promise<{ plans: Plan[] } | { problem: string }> {
  const plans: Plan[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await reader.read(listers.plans, `/plans?page=${page}&per_page=${pageSize}`);
    if ('problem' in answer) return answer;
    const rows = answer.record.plans ?? [];
    plans.push(...rows);
    if (enough(plans) || !answer.record.meta?.next_page || rows.length === 0) break;
  }
  return { plans };
}
