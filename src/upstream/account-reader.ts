/** Reads of the account on behalf of resources and completion. They obey the same access rules as the tools. */
import { randomUUID } from 'node:crypto';
import type { Connection } from '../call/types.ts';
import { cleanDeep } from '../present/clean.ts';
import type { Runtime } from '../runtime.ts';
import type { JsonRecord } from '../tool/define.ts';

export interface Reader {
  runtime: Runtime;
  connection: Connection;
  signal?: AbortSignal | undefined;
}

export type Read = { record: JsonRecord } | { problem: string };

/** May this caller use the tool that reads the same? */
export function mayUse({ runtime, connection }: Reader, tool: string): boolean {
  return runtime.pipeline.list(connection.caller.scopes).tools.some(listed => listed.name === tool);
}

/** One GET, with the body as the service gave it, cleaned of hidden characters. `target` is percent-encoded. */
export async function readAccount(
  reader: Reader,
  tool: string,
  target: string,
  ids: Record<string, string> = {},
): Promise<Read> {
  if (!mayUse(reader, tool))
    return { problem: `${tool} is not available to this caller, and neither is what it reads.` };
  const { runtime, connection, signal } = reader;
  const account = await runtime.account.ready();
  if ('code' in account) return { problem: `${account.message} ${account.hint}` };
  const { caller } = connection;
  const upstream = runtime.upstreams.of(account.baseUrl, caller.apiKey || account.apiKey, caller.id);
  const answer = await upstream.send(
    { tool, effect: 'read', method: 'GET', target, body: undefined, ids },
    { requestId: connection.requestId ?? randomUUID(), signal },
  );
  if (!answer.ok) return { problem: `${answer.error.message} ${answer.error.hint}` };
  return { record: cleanDeep(answer.body) as JsonRecord };
}

const pageSize = 100;
const mostPages = 50;

/** All plans of the account, page by page, until `enough` says so. */
export async function readPlans(
  reader: Reader,
  enough: (plans: JsonRecord[]) => boolean = () => false,
): Promise<{ plans: JsonRecord[] } | { problem: string }> {
  const plans: JsonRecord[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await readAccount(reader, 'list_plans', `/plans?page=${page}&per_page=${pageSize}`);
    if ('problem' in answer) return answer;
    const found = Array.isArray(answer.record.plans) ? (answer.record.plans as JsonRecord[]) : [];
    plans.push(...found);
    const meta = answer.record.meta as JsonRecord | undefined;
    if (enough(plans) || !meta?.next_page || found.length === 0) break;
  }
  return { plans };
}
