/** Every endpoint, by resource. */
import type { Routes } from '../context.ts';
import { addOnRoutes } from './add-ons.ts';
import { billingEntityRoutes } from './billing-entities.ts';
import { creditNoteRoutes } from './credit-notes.ts';
import { customerRoutes } from './customers.ts';
import { eventRoutes } from './events.ts';
import { invoiceRoutes } from './invoices.ts';
import { paymentRoutes } from './payments.ts';
import { planRoutes } from './plans.ts';
import { walletTransactionRoutes } from './wallet-transactions.ts';
import { walletRoutes } from './wallets.ts';
import { webhookEndpointRoutes } from './webhook-endpoints.ts';

/** Registers all endpoints; paths are relative to `/api/v1`. */
export const allRoutes: Routes = (app, context) => {
  addOnRoutes(app, context);
  billingEntityRoutes(app, context);
  creditNoteRoutes(app, context);
  customerRoutes(app, context);
  eventRoutes(app, context);
  invoiceRoutes(app, context);
  paymentRoutes(app, context);
  planRoutes(app, context);
  walletRoutes(app, context);
  walletTransactionRoutes(app, context);
  webhookEndpointRoutes(app, context);
};
