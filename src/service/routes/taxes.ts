/** The lookups of taxes (lookups §10). */
import { taxWithEntitiesAnswer } from '../answers/tax.ts';
import { notFound } from '../errors.ts';
import { pathValue } from '../operations/input.ts';
import { loadAccountLists } from '../store/account-lists.ts';
import type { Routes } from './context.ts';
import { plainPage } from './lists.ts';

export const taxRoutes: Routes = app => {
  app.get('/taxes', async (request, reply) => {
    const { rows, meta } = await plainPage(request, reply, 'taxes', {
      order: [
        ['name', 'asc'],
        ['created_at', 'desc'],
      ],
    });
    const lists = await loadAccountLists(request.account);
    return { taxes: rows.map(tax => taxWithEntitiesAnswer(tax, lists)), meta };
  });

  app.get('/taxes/:code', async request => {
    const lists = await loadAccountLists(request.account);
    const tax = lists.taxes.get(pathValue(request, 'code'));
    if (tax === undefined) throw notFound('tax');
    return { tax: taxWithEntitiesAnswer(tax, lists) };
  });
};
