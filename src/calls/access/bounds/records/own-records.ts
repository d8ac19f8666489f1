/**
 * The ids of a bound caller's customers, and of their subscriptions and wallets, read once and kept for a minute. Asking
 * for another's record then costs as much as asking for a missing one: neither id is among these.
 */

import { subscriptionStatuses } from '../../../../contract/enums.ts';
import type { Fields } from '../../../../contract/shown.ts';
import { refuse } from '../../../../definition/failure.ts';
import { isGiven, membersOf } from '../../../../lib/json.ts';
import type { SendOptions, Upstream, UpstreamCall } from '../../../api/http/client.ts';
import { queryString } from '../../../api/http/request.ts';
import { isOwn } from '../facts/owners.ts';
import type { Failed } from '../facts/refusals.ts';
import { segmentOf } from '../facts/request-target.ts';

/** The call that waits for a read, which is logged and limited as a read of its tool. */
export interface WaitingCall {
  call: UpstreamCall;
  options: SendOptions;
}

type ReadResult<T> = { ok: true; value: T } | Failed;

/** `svcIds`: of customers, wallets and invoices. `owners`: of customers and subscriptions. */
export interface KnownIds {
  svcIds: ReadonlySet<string>;
  /** External id → external ids of the customers that have it. */
  owners: ReadonlyMap<string, ReadonlySet<string>>;
}

type Ids = Fields<'svc_id' | 'external_id'>;
type KindOfList = 'subscriptions' | 'wallets' | 'invoices';
type KindOfRecord = 'customers' | KindOfList;

export interface OwnRecords {
  /** The ids of this kind; read again when `enough` does not hold and they were not read just now. */
  idsOf(kind: KindOfRecord, waiter: WaitingCall, enough?: (known: KnownIds) => boolean): Promise<ReadResult<KnownIds>>;
  /**
   * Do all subscriptions of the account with this external id belong to these customers? Subscriptions that are over may
   * share their external id with another customer's. `fresh`: as of now, for a write.
   */
  ownsAllWithId(externalId: string, waiter: WaitingCall, fresh?: boolean): Promise<ReadResult<boolean>>;
}

const keptForMs = 60_000;
/** The ids are read again only after this time for an id that is not among them, which may be new. */
const againAfterMs = 5_000;
const mostPages = 50;
const pageSize = 100;
const mostExternalIds = 500;

/** `now` gives milliseconds of a clock that never goes back. */
export function createOwnRecords(
  upstream: Upstream,
  customers: ReadonlySet<string>,
  now: () => number = () => performance.now(),
): OwnRecords {
  const kept = new Map<string, { at: number; value: Promise<ReadResult<unknown>> }>();
  const keep = async <T>(key: string, waiter: WaitingCall, readAfter: number, read: () => Promise<ReadResult<T>>) => {
    const earlier = kept.get(key);
    const entry = earlier !== undefined && earlier.at > readAfter ? earlier : { at: now(), value: read() };
    if (entry !== earlier) {
      if (kept.size > mostExternalIds) kept.clear();
      kept.set(key, entry);
    }
    const result = (await unlessCancelled(entry.value, waiter)) as ReadResult<T>;
    // A failed read is not kept.
    if (!result.ok && kept.get(key) === entry) kept.delete(key);
    return result.ok ? result : errorOfTool(waiter, result);
  };
  const readKind = (kind: KindOfRecord, waiter: WaitingCall) =>
    kind === 'customers' ? readCustomers(upstream, customers, waiter) : readLists(upstream, customers, kind, waiter);
  return {
    async idsOf(kind, waiter, enough = () => true) {
      const result = await keep(kind, waiter, now() - keptForMs, () => readKind(kind, waiter));
      if (!result.ok || enough(result.value)) return result;
      return keep(kind, waiter, now() - againAfterMs, () => readKind(kind, waiter));
    },
    ownsAllWithId: (externalId, waiter, fresh = false) =>
      keep(`id\0${externalId}`, waiter, fresh ? now() : now() - keptForMs, () =>
        readExternalId(upstream, customers, externalId, waiter),
      ),
  };
}

/** One GET in the place of the call, in its time. Not with its signal: other calls may wait for the same read. */
export function get(upstream: Upstream, { call, options }: WaitingCall, target: string): ReturnType<Upstream['send']> {
  const { tool } = call;
  const read = { tool, effect: 'read', method: 'GET', target, body: undefined } as const;
  const { requestId, deadline } = options;
  return upstream.send(read, { ...(requestId !== undefined && { requestId }), deadline });
}

async function readCustomers(
  upstream: Upstream,
  customers: ReadonlySet<string>,
  waiter: WaitingCall,
): Promise<ReadResult<KnownIds>> {
  const answers = await Promise.all(
    [...customers].map(async id => ({ id, answer: await get(upstream, waiter, `/customers/${segmentOf(id)}`) })),
  );
  const rows: [string, Ids][] = [];
  for (const { id, answer } of answers) {
    if (!answer.ok && answer.error.status !== 404) return answer;
    const record = answer.ok ? membersOf<'customer'>(answer.body).customer : undefined;
    // The record itself must say whose it is: a proxy may have read the path as another one.
    if (isOwn(record, 'external_id', { customers: new Set([id]) })) rows.push([id, record]);
  }
  return { ok: true, value: idsIn(rows) };
}

/** All subscriptions, wallets or invoices of each customer, in every state. An invoice must name its customer itself. */
async function readLists(
  upstream: Upstream,
  customers: ReadonlySet<string>,
  kind: KindOfList,
  waiter: WaitingCall,
): Promise<ReadResult<KnownIds>> {
  const status = kind === 'subscriptions' ? { status: [...subscriptionStatuses] } : {};
  const lists = await Promise.all(
    [...customers].map(async id => ({ id, result: await readPages(upstream, kind, id, status, waiter) })),
  );
  const rows: [string, Ids][] = [];
  for (const { id, result } of lists) {
    if (!result.ok && result.error.status !== 404) return result;
    for (const row of result.ok ? result.value : [])
      if (isOwn(row, kind === 'invoices' ? 'customer' : 'external_customer_id', { customers: new Set([id]) }))
        rows.push([id, row]);
  }
  return { ok: true, value: idsIn(rows) };
}

async function readPages(
  upstream: Upstream,
  kind: KindOfList,
  customer: string,
  filters: { status?: string[] },
  waiter: WaitingCall,
): Promise<ReadResult<unknown[]>> {
  const rows: unknown[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const query = queryString({ ...filters, page, per_page: pageSize });
    const answer = await get(upstream, waiter, `/customers/${segmentOf(customer)}/${kind}${query}`);
    if (!answer.ok) return answer;
    const { [kind]: listed, meta } = membersOf<typeof kind | 'meta'>(answer.body);
    const pageRows = Array.isArray(listed) ? listed : [];
    rows.push(...pageRows);
    if (pageRows.length === 0 || typeof membersOf<'next_page'>(meta).next_page !== 'number') break;
  }
  return { ok: true, value: rows };
}

async function readExternalId(
  upstream: Upstream,
  customers: ReadonlySet<string>,
  external_id: string,
  waiter: WaitingCall,
): Promise<ReadResult<boolean>> {
  const query = queryString({ external_id, status: [...subscriptionStatuses], per_page: pageSize });
  const answer = await get(upstream, waiter, `/subscriptions${query}`);
  if (!answer.ok) return answer;
  const { subscriptions: rows, meta } = membersOf<'subscriptions' | 'meta'>(answer.body);
  // Of a longer list, the rest could be another's.
  const isWhole = !isGiven(membersOf<'next_page'>(meta).next_page);
  if (!Array.isArray(rows) || rows.length === 0 || !isWhole) return { ok: true, value: false };
  // A service that does not filter by the id answers with others: then nothing is proved.
  const isWanted = (row: unknown) =>
    isOwn(row, 'external_customer_id', { customers }) && membersOf<'external_id'>(row).external_id === external_id;
  if (!rows.every(isWanted)) return { ok: true, value: false };
  return external_id.includes('.') ? pathLeadsTo(upstream, rows[0], isWanted, waiter) : { ok: true, value: true };
}

/** A proxy that decodes the dot of an id may lead to another record: does the path lead to this one? */
async function pathLeadsTo(
  upstream: Upstream,
  { external_id, status }: Ids & Fields<'status'>,
  isWanted: (record: unknown) => boolean,
  waiter: WaitingCall,
): Promise<ReadResult<boolean>> {
  const query = queryString({ status: String(status) });
  const answer = await get(upstream, waiter, `/subscriptions/${segmentOf(String(external_id))}${query}`);
  if (!answer.ok && answer.error.status !== 404) return answer;
  return { ok: true, value: answer.ok && isWanted(membersOf<'subscription'>(answer.body).subscription) };
}

function idsIn(rows: readonly [customer: string, record: Ids][]): KnownIds {
  const owners = new Map<string, Set<string>>();
  const svcIds = new Set<string>();
  for (const [customer, { external_id, svc_id }] of rows) {
    if (typeof svc_id === 'string') svcIds.add(svc_id.toLowerCase());
    if (typeof external_id !== 'string') continue;
    const customersOfId = owners.get(external_id) ?? new Set();
    owners.set(external_id, customersOfId.add(customer));
  }
  return { svcIds, owners };
}

/** Ends the wait where the call is cancelled; the read goes on for the other calls that wait. */
async function unlessCancelled<T>(
  value: Promise<ReadResult<T>>,
  { call, options }: WaitingCall,
): Promise<ReadResult<T>> {
  const { signal, requestId = '' } = options;
  if (signal === undefined) return value;
  let stop = (): void => {};
  const cancelled = new Promise<Failed>(resolve => {
    const error = refuse('cancelled', { case: 'unsent', tool: call.tool });
    stop = () => resolve({ ok: false, error, requestId, attempts: 0 });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([value, cancelled]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The error with the name of the waiting call's tool: another call of this caller may have made the read. */
function errorOfTool({ call }: WaitingCall, failed: Failed): Failed {
  const message = failed.error.message.replace(/^\w+:/, `${call.tool}:`);
  return { ...failed, error: { ...failed.error, message } };
}
