/** What all lists share: the list page with its `meta`, and the two variants of a list (lookups §0). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CustomerRecord, JsonObject, TableName, Tables } from '../../engine/records/index.ts';
import { pathValue } from '../operations/input.ts';
import { customerByExternalId } from '../operations/lookups.ts';
import type { ListQuery } from '../store/store.ts';
import { type ListFilters, listFilters } from './list-query.ts';
import { type ListPageMeta, listPageMeta, listPageOf } from './pages.ts';

/** The rows of the list page that the request asks for. */
export async function listPage<T extends TableName>(
  request: FastifyRequest,
  table: T,
  query: ListQuery<T>,
): Promise<{ rows: Tables[T][]; meta: ListPageMeta }> {
  const page = listPageOf(request);
  const window = { limit: page.size, offset: (page.page - 1) * page.size };
  const { rows, total } = await request.account.list(table, query, window);
  return { rows, meta: listPageMeta(page, total) };
}

export interface CustomerList {
  /** The last part of both paths. */
  name: string;
  /** The filters of the account-wide path that name a customer. Default: `external_customer_id`. */
  customerFilters?: readonly string[];
  /** Whether the account-wide filter also finds deleted customers. */
  deleted: boolean;
  /** The answer. `customers`: only their records; undefined for those of the whole account. */
  answer(
    request: FastifyRequest,
    filters: ListFilters,
    reply: FastifyReply,
    customers: CustomerRecord[] | undefined,
  ): Promise<JsonObject | object>;
}

/**
 * Registers `GET /<name>` and `GET /customers/{external_customer_id}/<name>`. An unknown customer gives an empty list on the
 * first, 404 `customer_not_found` on the second.
 */
export function customerLists(app: FastifyInstance, list: CustomerList): void {
  const { name, customerFilters = ['external_customer_id'], deleted, answer } = list;
  app.get(`/${name}`, async (request, reply) => {
    const filters = listFilters(request);
    const [external_id] = customerFilters.flatMap(filter => filters.text(filter) ?? []);
    if (external_id === undefined) return answer(request, filters, reply, undefined);
    const condition = deleted ? { external_id } : { external_id, deleted_at: null };
    return answer(request, filters, reply, await request.account.find('customers', condition));
  });
  app.get(`/customers/:external_customer_id/${name}`, async (request, reply) => {
    const customer = await customerByExternalId(request.account, pathValue(request, 'external_customer_id'));
    return answer(request, listFilters(request), reply, [customer]);
  });
}
