/** An alert on usage or on a wallet (specification, "Alert"; service-behaviour §14). */
import * as z from 'zod';
import { alertTypes } from './enums.ts';
import { flag, holding, instant, list, oneOf, text, uuid } from './fields.ts';
import { billableMetric } from './plan.ts';
import { createdAt, svcId } from './shared.ts';

export const alert = z.looseObject({
  svc_id: svcId,
  svc_organization_id: uuid('The account'),
  code: text('Code, unique on its subscription or wallet'),
  name: text('Name'),
  alert_type: oneOf('What it watches. Amounts in cents, units and credits as such', ...alertTypes),
  direction: oneOf('When it fires', 'increasing (subscriptions)', 'decreasing (wallets)'),
  billable_metric: billableMetric.nullish().describe('The metric it watches; null when none'),
  thresholds: list(
    z.looseObject({
      code: text('Code'),
      value: holding(
        'decimal',
        z.union([z.string(), z.number()]).nullish().describe('Value at which it fires (decimal string)'),
      ),
      recurring: flag('Again after every such step beyond the highest one-time value'),
    }),
    'When it fires',
  ),
  previous_value: holding(
    'decimal',
    z.union([z.number(), z.string()]).nullish().describe('Value at the last check (a number, or a decimal string)'),
  ),
  last_processed_at: instant('The last check; null before the first'),
  external_subscription_id: text('Subscription it is on; null for wallets'),
  subscription_external_id: text('The same under its deprecated name'),
  external_customer_id: text('Customer; not sent by every installation'),
  svc_wallet_id: uuid('Wallet it is on; null for subscriptions'),
  wallet_code: text('Code of that wallet'),
  created_at: createdAt,
});
