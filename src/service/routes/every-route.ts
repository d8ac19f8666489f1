/** All endpoints, by resource. */
import { unprocessable } from '../errors.ts';
import { addOnRoutes } from './add-ons.ts';
import { alertRoutes } from './alerts.ts';
import { analyticsRoutes } from './analytics.ts';
import { billingEntityRoutes } from './billing-entities.ts';
import { catalogues } from './catalogues.ts';
import { computationRoutes } from './computations.ts';
import type { Routes } from './context.ts';
import { creditNoteRoutes } from './credit-notes.ts';
import { customerRoutes } from './customers.ts';
import { invoiceRoutes } from './invoices.ts';
import { paymentRoutes } from './payments.ts';
import { subscriptionPartRoutes, subscriptionRoutes } from './subscriptions.ts';
import { usageRoutes } from './usage.ts';
import { walletRoutes, walletTransactionRoutes } from './wallets.ts';

/** What this service refuses by name (lookups §14), so that its absence is not read as a wrong path or an empty list. */
const outOfScopeRoutes: Routes = app => {
  for (const path of ['/api_logs', '/api_logs/:id']) {
    app.get(path, () => {
      throw unprocessable('out_of_scope', { api_logs: ['This service keeps no log of requests (lookups §12).'] });
    });
  }

  app.post('/invoices/:svc_id/download_pdf', () => {
    throw unprocessable('out_of_scope', { download_pdf: ['This service makes no documents (lookups §12).'] });
  });
};

const resources: readonly Routes[] = [
  ...catalogues,
  addOnRoutes,
  alertRoutes,
  analyticsRoutes,
  billingEntityRoutes,
  creditNoteRoutes,
  customerRoutes,
  invoiceRoutes,
  outOfScopeRoutes,
  paymentRoutes,
  computationRoutes,
  subscriptionPartRoutes,
  subscriptionRoutes,
  usageRoutes,
  walletTransactionRoutes,
  walletRoutes,
];

/** Registers all endpoints; paths are relative to `/api/v1`. */
export const allRoutes: Routes = (app, context) => {
  for (const routes of resources) routes(app, context);
};
