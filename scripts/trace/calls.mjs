import { demoIds } from '../../src/contract/demo-ids.ts';

const { external_customer_id, external_subscription_id, wallet_svc_id } = demoIds;

/** The calls whose way through the files is counted, and how many files it may pass. */
export const calls = [
  { tool: 'get_customer', args: { external_customer_id }, most: 24 },
  { tool: 'get_usage', args: { external_customer_id, external_subscription_id }, most: 40 },
  { tool: 'update_wallet', args: { svc_id: wallet_svc_id, name: 'Savings' }, most: 45 },
  { tool: 'update_subscription', args: { external_id: external_subscription_id, name: 'Office' }, most: 54 },
];
