/** Endpoints 8 and 16 (service-behaviour §3.8, §3.16), and the list of customers (lookups §2). */
import { customerFilters } from '../../contract/list-filters.ts';
import { customerAnswer, customerListAnswer } from '../answers/account.ts';
import { pathValue } from '../operations/input.ts';
import { customerByExternalId } from '../operations/lookups.ts';
import { loadAccountLists } from '../store/account-lists.ts';
import { any, type Condition, contains, every, is } from '../store/conditions.ts';
import type { Routes } from './context.ts';
import { fieldConditions, type ListFilters } from './list-query.ts';
import { reads } from './lists.ts';
import { portalUrl } from './portal.ts';

export const customerRoutes: Routes = (app, context) => {
  reads('customers', {
    where: { deleted_at: null },
    filter: customerCondition,
    entities: { of: ids => is({ billing_entity_id: ids }) },
    answers: async (account, rows) => {
      const lists = await loadAccountLists(account);
      return rows.map(customer => customerListAnswer(customer, lists));
    },
  })(app, context);

  app.get('/customers/:external_customer_id', async request => {
    const customer = await customerByExternalId(request.account, pathValue(request, 'external_customer_id'));
    return { customer: customerAnswer(customer, await loadAccountLists(request.account)) };
  });

  app.get('/customers/:external_customer_id/portal_url', async request => {
    const customer = await customerByExternalId(request.account, pathValue(request, 'external_customer_id'));
    return { customer: { portal_url: portalUrl(context, request.account.organization.id, customer.id) } };
  });
};

function customerCondition(filters: ListFilters): Condition<'customers'> {
  const external_id = filters.text('external_id');
  const term = filters.term('search_term');
  if (filters.text('has_customer_type') === 'false' && filters.text('customer_type') !== undefined) {
    filters.refuse('customer_type', 'must be absent when has_customer_type is false');
  }
  // The external id switches the search off.
  if (external_id !== undefined && term !== undefined) filters.ignore('search_term');
  return every(
    external_id === undefined && term !== undefined
      ? any(contains('search_text', term), contains('legal_name_text', term))
      : is({ external_id }),
    ...fieldConditions<'customers'>(filters, customerFilters),
  );
}
