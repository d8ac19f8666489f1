/** All endpoints, by resource. */
import { addOnRoutes } from './add-ons.ts';
import { alertRoutes } from './alerts.ts';
import { analyticsRoutes } from './analytics.ts';
import { billingEntityRoutes } from './billing-entities.ts';
import { catalogues } from './catalogues.ts';
import type { Routes } from './context.ts';
import { appliedCouponRoutes } from './coupons.ts';
import { creditNoteRoutes } from './credit-notes.ts';
import { customerRoutes } from './customers.ts';
import { estimateRoutes } from './estimate.ts';
import { invoiceRoutes } from './invoices.ts';
import { outOfScopeRoutes } from './out-of-scope.ts';
import { paymentRoutes } from './payments.ts';
import { previewRoutes } from './preview.ts';
import { subscriptionPartRoutes } from './subscription-parts.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { usageRoutes } from './usage.ts';
import { walletTransactionRoutes } from './wallet-transactions.ts';
import { walletRoutes } from './wallets.ts';

const resources: readonly Routes[] = [
  ...catalogues,
  addOnRoutes,
  alertRoutes,
  analyticsRoutes,
  billingEntityRoutes,
  appliedCouponRoutes,
  creditNoteRoutes,
  customerRoutes,
  estimateRoutes,
  invoiceRoutes,
  outOfScopeRoutes,
  paymentRoutes,
  previewRoutes,
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
