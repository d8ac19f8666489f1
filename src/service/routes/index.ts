/** All endpoints, by resource. */

import { addOnRoutes } from './add-ons.ts';
import { alertRoutes } from './alerts.ts';
import { analyticsRoutes } from './analytics.ts';
import { billableMetricRoutes } from './billable-metrics.ts';

import { billingEntityRoutes } from './billing-entities.ts';
import type { Routes } from './context.ts';
import { couponRoutes } from './coupons.ts';
import { creditNoteRoutes } from './credit-notes.ts';
import { customerRoutes } from './customers.ts';
import { estimateRoutes } from './estimate.ts';
import { eventRoutes } from './events.ts';
import { feeRoutes } from './fees.ts';
import { invoiceRoutes } from './invoices.ts';
import { paymentRequestRoutes } from './payment-requests.ts';
import { paymentRoutes } from './payments.ts';
import { planRoutes } from './plans.ts';
import { previewRoutes } from './preview.ts';
import { subscriptionPartRoutes } from './subscription-parts.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { taxRoutes } from './taxes.ts';
import { usageRoutes } from './usage.ts';
import { walletTransactionRoutes } from './wallet-transactions.ts';
import { walletRoutes } from './wallets.ts';
import { webhookEndpointRoutes } from './webhook-endpoints.ts';

/** Registers all endpoints; paths are relative to `/api/v1`. */
export const allRoutes: Routes = (app, context) => {
  addOnRoutes(app, context);
  alertRoutes(app, context);
  analyticsRoutes(app, context);
  billableMetricRoutes(app, context);
  billingEntityRoutes(app, context);
  couponRoutes(app, context);
  creditNoteRoutes(app, context);
  customerRoutes(app, context);
  estimateRoutes(app, context);
  eventRoutes(app, context);
  feeRoutes(app, context);
  invoiceRoutes(app, context);
  paymentRequestRoutes(app, context);
  paymentRoutes(app, context);
  planRoutes(app, context);
  previewRoutes(app, context);
  subscriptionPartRoutes(app, context);
  subscriptionRoutes(app, context);
  taxRoutes(app, context);
  usageRoutes(app, context);
  walletRoutes(app, context);
  walletTransactionRoutes(app, context);
  webhookEndpointRoutes(app, context);
};
