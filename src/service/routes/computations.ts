/** Endpoints 7 and 17 (service-behaviour §12, §13). Nothing is stored. */
import { estimate } from '../operations/estimate.ts';
import { bodyOf, wrappedObject } from '../operations/input.ts';
import { preview } from '../operations/preview/preview.ts';
import type { Routes } from './context.ts';
import { setNotice } from './notice.ts';
import { readPreviewRequest } from './preview-request.ts';

export const computationRoutes: Routes = (app, context) => {
  // The body has no wrapper key. A coupon that takes nothing is named in the notice: the interface has no field for it.
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

  app.post('/events/estimate_fees', async request => {
    return { fees: await estimate(request.account, wrappedObject(request, 'event'), context.now()) };
  });
};
