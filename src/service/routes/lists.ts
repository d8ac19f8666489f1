/** The lists and single records of a table, of one shape (lookups §0), and their pages (service-behaviour §1.5). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CustomerRecord, TableName, Tables } from '../../engine/records/index.ts';
import { notFound, orNotFound } from '../errors.ts';
import { pathId, pathValue, queryValue } from '../operations/input.ts';
import { customerByExternalId } from '../operations/lookups.ts';
import { type Column, type Condition, every, is, type Where } from '../store/conditions.ts';
import type { AccountStore, ListQuery } from '../store/store.ts';
import type { Routes } from './context.ts';
import { billingEntityIds, type ListFilters, listFilters } from './list-query.ts';

const DEFAULT_SIZE = 100;
const SIZE_OF_NONSENSE = 25; // used when `per_page` is not a whole number
const LARGEST = 1_000_000_000; // keeps offsets within 64-bit integers

/** `page` counts from 1; `size` is the number of records on a page. */
export interface ListPage {
  page: number;
  size: number;
}

/** The list page that the query asks for: page 0 becomes page 1; `per_page` has no practical maximum. */
export function listPageOf(request: FastifyRequest): ListPage {
  const page = count(queryValue(request, 'page')) ?? 1;
  const perPage = queryValue(request, 'per_page');
  const size = perPage === undefined || perPage === '' ? DEFAULT_SIZE : (count(perPage) ?? SIZE_OF_NONSENSE);
  return { page: Math.max(page, 1), size: size === 0 ? DEFAULT_SIZE : size };
}

export function windowOf({ page, size }: ListPage) {
  return { limit: size, offset: (page - 1) * size };
}

/** `meta` of a page of a list with `total` rows. Without rows it is page 0 of 0; a page past the end keeps its number. */
export function listPageMeta({ page, size }: ListPage, total: number) {
  if (total === 0) return { current_page: 0, next_page: null, prev_page: null, total_pages: 0, total_count: 0 };
  const pages = Math.ceil(total / size);
  return {
    current_page: page,
    next_page: page < pages ? page + 1 : null,
    prev_page: page > 1 ? page - 1 : null,
    total_pages: pages,
    total_count: total,
  };
}

function count(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Math.min(Number(text), LARGEST) : undefined;
}

/** The rows of the list page that the request asks for. */
export async function listPage<T extends TableName>(request: FastifyRequest, table: T, query: ListQuery<T>) {
  const page = listPageOf(request);
  const { rows, total } = await request.account.list(table, query, windowOf(page));
  return { rows, meta: listPageMeta(page, total) };
}

interface Reads<T extends TableName> {
  /** The key of a single record in its answer, and in the code of its 404. Without it there are only lists. */
  one?: string;
  /** What the path of a single record names. */
  by?: 'svc_id' | 'activity_id' | (Column<T> & ('code' | 'transaction_id'));
  /** Of all that are shown. */
  where?: Where<Tables[T]>;
  /** The list can be narrowed to a customer. */
  ofCustomer?: OfCustomer;
  /** Reads the list's filters. A wrong one is refused afterwards. */
  filter?: (
    filters: ListFilters,
    list: { ofCustomer: boolean; now: Date; account: AccountStore },
  ) => Condition<T> | Promise<Condition<T>>;
  /** The list can be narrowed to billing entities. */
  entities?: {
    of: (ids: string[]) => Condition<T>;
    /** What becomes of a scalar `billing_entity_codes=`. Default: ignored. */
    scalar?: 'refused';
  };
  order?: ListQuery<T>['order'];
  answers: (
    account: AccountStore,
    rows: readonly Tables[T][],
    to: { now: Date; reply: FastifyReply },
  ) => object[] | Promise<object[]>;
}

interface OfCustomer {
  /** The filters of the account-wide path that name a customer. Default: `external_customer_id`. */
  filters?: readonly string[];
  /** Whether these find deleted customers, too. */
  deleted: boolean;
  /** An unknown customer is an error on both paths. */
  required?: boolean;
  /** Is there a path of each customer? Default: yes. */
  ownPath?: boolean;
}

/**
 * `GET /<table>`, `GET /customers/{external_customer_id}/<table>` (see `ownPath`) and `GET /<table>/{…}`. An unknown customer
 * gives an empty list on the first, 404 `customer_not_found` on the second.
 */
export function reads<T extends TableName>(table: T, parts: Reads<T>): Routes {
  const { one, by = 'svc_id', where = {}, ofCustomer, filter, entities, order, answers } = parts;
  return (app, context) => {
    const list = async (
      request: FastifyRequest,
      reply: FastifyReply,
      filters: ListFilters,
      customers?: readonly CustomerRecord[],
    ) => {
      const { account } = request;
      const now = context.now();
      const filtered = await filter?.(filters, { ofCustomer: customers !== undefined, now, account });
      const codes = entities && filters.texts('billing_entity_codes', entities.scalar);
      filters.finish(reply);
      const ids = { customer_id: customers?.map(customer => customer.id) };
      const conditions = [is<T>({ ...where, ...ids } as object), filtered ?? every()];
      if (entities && codes) conditions.push(entities.of(await billingEntityIds(account, codes)));
      const { rows, meta } = await listPage(request, table, { where: every(...conditions), ...(order && { order }) });
      return { [table]: await answers(account, rows, { now, reply }), meta };
    };
    app.get(`/${table}`, async (request, reply) => {
      const filters = listFilters(request);
      return list(request, reply, filters, ofCustomer && (await namedCustomers(request.account, filters, ofCustomer)));
    });
    if (ofCustomer !== undefined && ofCustomer.ownPath !== false) {
      app.get(`/customers/:external_customer_id/${table}`, async (request, reply) => {
        const customer = await customerByExternalId(request.account, pathValue(request, 'external_customer_id'));
        return list(request, reply, listFilters(request), [customer]);
      });
    }
    if (one === undefined) return;
    app.get(`/${table}/:${by}`, async (request, reply) => {
      const { account } = request;
      const row = orNotFound(
        await account.first(table, { ...where, ...named(request, by, one) } as Where<Tables[T]>),
        one,
      );
      const [answer] = await answers(account, [row], { now: context.now(), reply });
      return { [one]: answer };
    });
  };
}

/** They are read first: with their ids, an index gives their rows in order. */
async function namedCustomers(account: AccountStore, filters: ListFilters, of: OfCustomer) {
  const { filters: names = ['external_customer_id'], deleted, required = false } = of;
  const [external_id] = names.flatMap(name => filters.text(name) ?? []);
  if (external_id === undefined) return undefined;
  const customers = await account.find('customers', deleted ? { external_id } : { external_id, deleted_at: null });
  if (required && customers.length === 0) throw notFound('customer');
  return customers;
}

/** An id in the path is read in any case; that of a log need be no UUID. */
function named(request: FastifyRequest, by: string, resource: string): object {
  if (by === 'svc_id') return { id: pathId(request, resource) };
  const value = pathValue(request, by);
  return by === 'activity_id' ? { id: value.toLowerCase() } : { [by]: value };
}
