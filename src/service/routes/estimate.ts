/** Endpoint 17 (service-behaviour §13). Nothing is stored. */

import { isJsonObject } from '../../engine/records/values.ts';
import { validation } from '../errors.ts';
import { estimate } from '../operations/estimate.ts';
import { wrappedObject } from '../operations/input.ts';
import type { Routes } from './context.ts';

export const estimateRoutes: Routes = (app, context) => {
  app.post('/events/estimate_fees', async request => {
    const event = wrappedObject(request, 'event');
    const properties = event.properties ?? {};
    if (!isJsonObject(properties)) throw validation({ properties: ['value_is_invalid'] });
    const estimateRequest = {
      code: event.code ?? null,
      external_subscription_id: event.external_subscription_id ?? null,
      timestamp: event.timestamp ?? null,
      properties,
      precise_total_amount_cents: event.precise_total_amount_cents ?? null,
    };
    return { fees: await estimate(request.account, estimateRequest, context.now()) };
  });
};
