/** Every endpoint, by resource. */
import type { Routes } from '../context.ts';
import { customerRoutes } from './customers.ts';
import { eventRoutes } from './events.ts';
import { paymentRoutes } from './payments.ts';
import { planRoutes } from './plans.ts';
import { walletTransactionRoutes } from './wallet-transactions.ts';
import { webhookEndpointRoutes } from './webhook-endpoints.ts';

/** Registers all endpoints; paths are relative to `/api/v1`. */
export const allRoutes: Routes = (app, context) => {
  customerRoutes(app, context);
  eventRoutes(app, context);
  paymentRoutes(app, context);
  planRoutes(app, context);
  walletTransactionRoutes(app, context);
  webhookEndpointRoutes(app, context);
};
