/** What this service refuses by name (lookups §14), so that its absence is not read as a wrong path or an empty list. */
import { unprocessable } from '../errors.ts';
import type { Routes } from './context.ts';

export const outOfScopeRoutes: Routes = app => {
  for (const path of ['/api_logs', '/api_logs/:id']) {
    app.get(path, () => {
      throw unprocessable('out_of_scope', { api_logs: ['This service keeps no log of requests (lookups §12).'] });
    });
  }

  app.post('/invoices/:svc_id/download_pdf', () => {
    throw unprocessable('out_of_scope', { download_pdf: ['This service makes no documents (lookups §12).'] });
  });
};
