/**
 * The ids of a bound caller's customers, and of their subscriptions and wallets, read once and kept for a minute. Asking
 * for another's record then costs as much as asking for a missing one: neither id is among these.
 */

import { subscriptionStatuses } from '../../../../contract/enums.ts';
import type { Fields } from '../../../../contract/shown.ts';
import { refuse } from '../../../../definition/failure.ts';
import { isGiven, membersOf } from '../../../../lib/json.ts';
import type { SendOptions, Upstream, UpstreamCall } from '../../../api/http/client.ts';
import { saidBy } from '../../../api/http/read-answer.ts';
import { queryString, segmentOf } from '../../../api/http/request.ts';
import { isOwn } from '../facts/owners.ts';
import type { Failed } from '../facts/refusals.ts';

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

const keptForMs = 60_000;
/** The ids are read again only after this time for an id that is not among them, which may be new. */
const againAfterMs = 5_000;
const mostPages = 50;
const pageSize = 100;
const mostExternalIds = 500;

export class OwnRecords {
  readonly #upstream: Upstream;
  readonly #customers: ReadonlySet<string>;
  readonly #now: () => number;
  readonly #kept = new Map<string, { at: number; value: Promise<ReadResult<unknown>> }>();

  /** `now` gives milliseconds of a clock that never goes back. */
  constructor(upstream: Upstream, customers: ReadonlySet<string>, now = () => performance.now()) {
    this.#upstream = upstream;
    this.#customers = customers;
    this.#now = now;
  }

  /** The ids of this kind; read again when `enough` does not hold and they were not read just now. */
  async idsOf(
    kind: KindOfRecord,
    waiter: WaitingCall,
    enough: (known: KnownIds) => boolean = () => true,
  ): Promise<ReadResult<KnownIds>> {
    const read = () => this.#readIds(kind, waiter);
    const result = await this.#keep(kind, waiter, this.#now() - keptForMs, read);
    if (!result.ok || enough(result.value)) return result;
    return this.#keep(kind, waiter, this.#now() - againAfterMs, read);
  }

  /**
   * Do all subscriptions of the account with this external id belong to these customers? Subscriptions that are over may
   * share their external id with another customer's. `fresh`: as of now, for a write.
   */
  ownsAllWithId(externalId: string, waiter: WaitingCall, fresh = false): Promise<ReadResult<boolean>> {
    const readAfter = fresh ? this.#now() : this.#now() - keptForMs;
    return this.#keep(`id\0${externalId}`, waiter, readAfter, () => this.#readExternalId(externalId, waiter));
  }

  async #keep<T>(key: string, waiter: WaitingCall, readAfter: number, read: () => Promise<ReadResult<T>>) {
    const earlier = this.#kept.get(key);
    const entry = earlier !== undefined && earlier.at > readAfter ? earlier : { at: this.#now(), value: read() };
    if (entry !== earlier) {
      if (this.#kept.size > mostExternalIds) this.#kept.clear();
      this.#kept.set(key, entry);
    }
    const result = (await unlessCancelled(entry.value, waiter)) as ReadResult<T>;
    if (result.ok) return result;
    // A failed read is not kept.
    if (this.#kept.get(key) === entry) this.#kept.delete(key);
    // Another call of this caller may have made the read.
    return { ...result, error: saidBy(waiter.call.tool, result.error) };
  }

  /** Of a list, the rows of each customer in every state. An invoice must name its customer itself. */
  async #readIds(kind: KindOfRecord, waiter: WaitingCall): Promise<ReadResult<KnownIds>> {
    if (kind === 'customers') {
      const read = await readEachCustomer(this.#upstream, this.#customers, waiter);
      return read.ok ? { ok: true, value: idsIn(read.value.records) } : read;
    }
    const owner = kind === 'invoices' ? 'customer' : 'external_customer_id';
    const lists = await Promise.all(
      [...this.#customers].map(async id => ({ id, result: await this.#readPages(kind, id, waiter) })),
    );
    const rows: [string, Ids][] = [];
    for (const { id, result } of lists) {
      if (!result.ok && result.error.status !== 404) return result;
      for (const row of result.ok ? result.value : [])
        if (isOwn(row, owner, { customers: new Set([id]) })) rows.push([id, row]);
    }
    return { ok: true, value: idsIn(rows) };
  }

  async #readPages(kind: KindOfList, customer: string, waiter: WaitingCall): Promise<ReadResult<unknown[]>> {
    const status = kind === 'subscriptions' ? { status: [...subscriptionStatuses] } : {};
    const rows: unknown[] = [];
    for (let page = 1; page <= mostPages; page += 1) {
      const query = queryString({ ...status, page, per_page: pageSize });
      const answer = await get(this.#upstream, waiter, `/customers/${segmentOf(customer)}/${kind}${query}`);
      if (!answer.ok) return answer;
      const { [kind]: listed, meta } = membersOf<typeof kind | 'meta'>(answer.body);
      const pageRows = Array.isArray(listed) ? listed : [];
      rows.push(...pageRows);
      if (pageRows.length === 0 || typeof membersOf<'next_page'>(meta).next_page !== 'number') break;
    }
    return { ok: true, value: rows };
  }

  async #readExternalId(external_id: string, waiter: WaitingCall): Promise<ReadResult<boolean>> {
    const query = queryString({ external_id, status: [...subscriptionStatuses], per_page: pageSize });
    const answer = await get(this.#upstream, waiter, `/subscriptions${query}`);
    if (!answer.ok) return answer;
    const { subscriptions: rows, meta } = membersOf<'subscriptions' | 'meta'>(answer.body);
    // Of a longer list, the rest could be another's.
    const isWhole = !isGiven(membersOf<'next_page'>(meta).next_page);
    if (!Array.isArray(rows) || rows.length === 0 || !isWhole) return { ok: true, value: false };
    // A service that does not filter by the id answers with others: then nothing is proved.
    const isWanted = (row: unknown) =>
      isOwn(row, 'external_customer_id', { customers: this.#customers }) &&
      membersOf<'external_id'>(row).external_id === external_id;
    if (!rows.every(isWanted)) return { ok: true, value: false };
    if (!external_id.includes('.')) return { ok: true, value: true };
    // A proxy that decodes the dot of an id may lead to another record: does the path lead to this one?
    const { status } = membersOf<'status'>(rows[0]);
    const path = `/subscriptions/${segmentOf(external_id)}${queryString({ status: String(status) })}`;
    const answered = await get(this.#upstream, waiter, path);
    if (!answered.ok && answered.error.status !== 404) return answered;
    return { ok: true, value: answered.ok && isWanted(membersOf<'subscription'>(answered.body).subscription) };
  }
}

/** One GET in the place of the call, in its time. Not with its signal: other calls may wait for the same read. */
function get(upstream: Upstream, { call, options }: WaitingCall, target: string): ReturnType<Upstream['send']> {
  const { tool } = call;
  const read = { tool, effect: 'read', method: 'GET', target, body: undefined } as const;
  const { requestId, deadline } = options;
  return upstream.send(read, { ...(requestId !== undefined && { requestId }), deadline });
}

/** Each customer with its record, without those that the account does not have; or the answer that failed. */
export async function readEachCustomer(
  upstream: Upstream,
  customers: ReadonlySet<string>,
  waiter: WaitingCall,
): Promise<ReadResult<{ records: [id: string, record: object][]; attempts: number }>> {
  const answers = await Promise.all(
    [...customers].map(async id => ({ id, answer: await get(upstream, waiter, `/customers/${segmentOf(id)}`) })),
  );
  const records: [string, object][] = [];
  for (const { id, answer } of answers) {
    if (!answer.ok && answer.error.status !== 404) return answer;
    const record = answer.ok ? membersOf<'customer'>(answer.body).customer : undefined;
    // The record itself must say whose it is: a proxy may have read the path as another one.
    if (isOwn(record, 'external_id', { customers: new Set([id]) })) records.push([id, record]);
  }
  const attempts = answers.reduce((sum, { answer }) => sum + answer.attempts, 0);
  return { ok: true, value: { records, attempts } };
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
