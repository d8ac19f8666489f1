/** Endpoint 7 (service-behaviour §12). The body has no wrapper key; nothing is stored. */
import type { Routes } from '../context.ts';
import { preview } from '../preview.ts';
import { readPreviewRequest } from '../preview-request.ts';
import { bodyOf } from './input.ts';

export const previewRoutes: Routes = (app, context) => {
  app.post('/invoices/preview', async request => {
    const wanted = readPreviewRequest(bodyOf(request));
    return { invoice: await preview(request.account, wanted, context.now()) };
  });
};
