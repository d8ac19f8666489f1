/** Endpoint 7 (service-behaviour §12). The body has no wrapper key; nothing is stored. */

import { bodyOf } from '../operations/input.ts';
import { preview } from '../operations/preview/preview.ts';
import { readPreviewRequest } from '../operations/preview/request.ts';
import type { Routes } from './context.ts';

export const previewRoutes: Routes = (app, context) => {
  app.post('/invoices/preview', async request => {
    const wanted = readPreviewRequest(bodyOf(request));
    return { invoice: await preview(request.account, wanted, context.now()) };
  });
};
