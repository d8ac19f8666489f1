/**
 * Endpoint 7 (service-behaviour §12). The body has no wrapper key; nothing is stored. A coupon that takes nothing is
 * named in the notice, with the reason: the interface has no field for it.
 */

import { bodyOf } from '../operations/input.ts';
import { preview } from '../operations/preview/preview.ts';
import { readPreviewRequest } from '../operations/preview/request.ts';
import type { Routes } from './context.ts';
import { setNotice } from './notice.ts';

export const previewRoutes: Routes = (app, context) => {
  app.post('/invoices/preview', async (request, reply) => {
    const previewRequest = readPreviewRequest(bodyOf(request));
    const { invoice, skipped_coupons } = await preview(request.account, previewRequest, context.now());
    setNotice(
      reply,
      skipped_coupons.map(
        ({ code, reason }) => `${code ? `coupon ${code}` : 'a coupon without a code'} was not applied: ${reason}`,
      ),
    );
    return { invoice };
  });
};
