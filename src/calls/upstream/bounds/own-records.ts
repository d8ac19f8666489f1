/**
 * What a bound caller's customers have: their own ids, subscriptions and wallets, read once and kept for a minute. Asking
 * for another's record then costs as much as asking for a missing one: both are simply not among these.
 */

import { subscriptionStatuses } from '../../../contract/enums.ts';
import { isRecord, type JsonRecord } from '../../../lib/json.ts';
import type { SendOptions, Upstream, UpstreamCall } from '../client.ts';
import { unsentError } from '../errors.ts';
import { queryString } from '../path.ts';
import { isOwn } from './owners.ts';
import type { Failed } from './refusals.ts';
import { segmentOf } from './request-target.ts';

/** The call for which something is read: its reads are logged and limited as reads of its tool. */
export interface Reading {
  call: UpstreamCall;
  options: SendOptions;
}

type Kept<T> = { ok: true; value: T } | Failed;

/** Own ids: of customers and wallets `svc_id`, of customers and subscriptions the external id with its customer's. */
export interface Known {
  svcIds: ReadonlySet<string>;
  /** External id → external ids of the customers that have it. */
  owners: ReadonlyMap<string, ReadonlySet<string>>;
}

type KindOfRecord = 'customers' | 'subscriptions' | 'wallets';

export interface OwnRecords {
  /** The records of this kind; read again when `enough` does not hold and they were not read just now. */
  known(kind: KindOfRecord, reading: Reading, enough?: (known: Known) => boolean): Promise<Kept<Known>>;
  /**
   * Do all subscriptions of the account with this external id belong to these customers? Subscriptions that are over may
   * share their external id with another customer's. `fresh`: as of now, for a write.
   */
  allOwn(externalId: string, reading: Reading, fresh?: boolean): Promise<Kept<boolean>>;
}

const keptForMs = 60_000;
/** How soon a record that is not among them may be looked for again: it may be new. */
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
  const kept = new Map<string, { at: number; value: Promise<Kept<unknown>> }>();
  const keep = async <T>(key: string, reading: Reading, youngest: number, read: () => Promise<Kept<T>>) => {
    const earlier = kept.get(key);
    const fresh = earlier !== undefined && earlier.at > youngest ? earlier : { at: now(), value: read() };
    if (fresh !== earlier) {
      if (kept.size > mostExternalIds) kept.clear();
      kept.set(key, fresh);
    }
    const found = (await whileWanted(fresh.value, reading)) as Kept<T>;
    // What could not be read is asked for again.
    if (!found.ok && kept.get(key) === fresh) kept.delete(key);
    return found.ok ? found : saidBy(reading, found);
  };
  const readKind = (kind: KindOfRecord, reading: Reading) =>
    kind === 'customers' ? readCustomers(upstream, customers, reading) : readLists(upstream, customers, kind, reading);
  return {
    async known(kind, reading, enough = () => true) {
      const found = await keep(kind, reading, now() - keptForMs, () => readKind(kind, reading));
      if (!found.ok || enough(found.value)) return found;
      return keep(kind, reading, now() - againAfterMs, () => readKind(kind, reading));
    },
    allOwn: (externalId, reading, fresh = false) =>
      keep(`id\0${externalId}`, reading, fresh ? now() : now() - keptForMs, () =>
        readExternalId(upstream, customers, externalId, reading),
      ),
  };
}

/** One GET in the place of the call, in its time. Not with its signal: others may wait for the same. */
export function get(upstream: Upstream, { call, options }: Reading, target: string): ReturnType<Upstream['send']> {
  const { tool } = call;
  const read = { tool, effect: 'read', method: 'GET', target, body: undefined } as const;
  const { requestId, deadline } = options;
  return upstream.send(read, { ...(requestId !== undefined && { requestId }), deadline });
}

async function readCustomers(
  upstream: Upstream,
  customers: ReadonlySet<string>,
  reading: Reading,
): Promise<Kept<Known>> {
  const answers = await Promise.all(
    [...customers].map(async id => ({ id, answer: await get(upstream, reading, `/customers/${segmentOf(id)}`) })),
  );
  const rows: [string, JsonRecord][] = [];
  for (const { id, answer } of answers) {
    if (!answer.ok && answer.error.status !== 404) return answer;
    const record = answer.ok && isRecord(answer.body) ? answer.body.customer : undefined;
    // The record says itself whose it is: a proxy may have read the path as another one.
    if (isOwn(record, 'external_id', { customers: new Set([id]) })) rows.push([id, record]);
  }
  return { ok: true, value: knownOf(rows) };
}

/** All subscriptions or wallets of each customer, in every state. */
async function readLists(
  upstream: Upstream,
  customers: ReadonlySet<string>,
  kind: 'subscriptions' | 'wallets',
  reading: Reading,
): Promise<Kept<Known>> {
  const status = kind === 'subscriptions' ? { status: [...subscriptionStatuses] } : {};
  const lists = await Promise.all(
    [...customers].map(async id => ({ id, rows: await readPages(upstream, kind, id, status, reading) })),
  );
  const rows: [string, JsonRecord][] = [];
  for (const { id, rows: found } of lists) {
    if (!found.ok && found.error.status !== 404) return found;
    const theirs = found.ok ? found.value : [];
    for (const row of theirs)
      if (isOwn(row, 'external_customer_id', { customers: new Set([id]) })) rows.push([id, row]);
  }
  return { ok: true, value: knownOf(rows) };
}

async function readPages(
  upstream: Upstream,
  kind: 'subscriptions' | 'wallets',
  customer: string,
  filters: { status?: string[] },
  reading: Reading,
): Promise<Kept<unknown[]>> {
  const rows: unknown[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const query = queryString({ ...filters, page, per_page: pageSize });
    const answer = await get(upstream, reading, `/customers/${segmentOf(customer)}/${kind}${query}`);
    if (!answer.ok) return answer;
    const body = isRecord(answer.body) ? answer.body : {};
    const found = Array.isArray(body[kind]) ? body[kind] : [];
    rows.push(...found);
    if (found.length === 0 || !isRecord(body.meta) || typeof body.meta.next_page !== 'number') break;
  }
  return { ok: true, value: rows };
}

async function readExternalId(
  upstream: Upstream,
  customers: ReadonlySet<string>,
  external_id: string,
  reading: Reading,
): Promise<Kept<boolean>> {
  const query = queryString({ external_id, status: [...subscriptionStatuses], per_page: pageSize });
  const answer = await get(upstream, reading, `/subscriptions${query}`);
  if (!answer.ok) return answer;
  const rows = isRecord(answer.body) ? answer.body.subscriptions : undefined;
  if (!Array.isArray(rows) || rows.length === 0) return { ok: true, value: false };
  // A service that does not filter by the id answers with others: then nothing is proved.
  const isIt = (row: unknown) => isOwn(row, 'external_customer_id', { customers }) && row.external_id === external_id;
  if (!rows.every(isIt)) return { ok: true, value: false };
  return external_id.includes('.') ? pathLeadsTo(upstream, rows[0], isIt, reading) : { ok: true, value: true };
}

/** A proxy that decodes the dot of an id may lead to another one: is it this record that its path leads to? */
async function pathLeadsTo(
  upstream: Upstream,
  { external_id, status }: JsonRecord,
  isIt: (record: unknown) => boolean,
  reading: Reading,
): Promise<Kept<boolean>> {
  const query = queryString({ status: String(status) });
  const answer = await get(upstream, reading, `/subscriptions/${segmentOf(String(external_id))}${query}`);
  if (!answer.ok && answer.error.status !== 404) return answer;
  return { ok: true, value: answer.ok && isRecord(answer.body) && isIt(answer.body.subscription) };
}

function knownOf(rows: readonly [customer: string, record: JsonRecord][]): Known {
  const owners = new Map<string, Set<string>>();
  const svcIds = new Set<string>();
  for (const [customer, { external_id, svc_id }] of rows) {
    if (typeof svc_id === 'string') svcIds.add(svc_id.toLowerCase());
    if (typeof external_id !== 'string') continue;
    const of = owners.get(external_id) ?? new Set();
    owners.set(external_id, of.add(customer));
  }
  return { svcIds, owners };
}

/** Ends the wait where the call is cancelled; the read goes on, for those who wait too. */
async function whileWanted<T>(value: Promise<Kept<T>>, { call, options }: Reading): Promise<Kept<T>> {
  const { signal, requestId = '' } = options;
  if (signal === undefined) return value;
  let stop = (): void => {};
  const cancelled = new Promise<Failed>(resolve => {
    stop = () => resolve({ ok: false, error: unsentError(call, 'cancelled'), requestId, attempts: 0 });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([value, cancelled]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The error as the tool that waits says it: another call of this caller may have made the read. */
function saidBy({ call }: Reading, failed: Failed): Failed {
  const message = failed.error.message.replace(/^\w+:/, `${call.tool}:`);
  return { ...failed, error: { ...failed.error, message } };
}
