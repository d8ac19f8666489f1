/** What this service refuses by name (lookups §14), so that its absence is not read as a wrong path or an empty list. */
import { unprocessable } from '../errors.ts';
import type { Routes } from './context.ts';

export const outOfScopeRoutes: Routes = app => {
  for (const name of ['activity_logs', 'api_logs']) {
    for (const path of [`/${name}`, `/${name}/:id`]) {
      app.get(path, () => {
        throw unprocessable('out_of_scope', { [name]: ['This service keeps no log of changes (lookups §12).'] });
      });
    }
  }

  app.post('/invoices/:svc_id/download_pdf', () => {
    throw unprocessable('out_of_scope', { download_pdf: ['This service makes no documents (lookups §12).'] });
  });
};
