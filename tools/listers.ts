/** The tool that lists each kind of record: who reads such a list for another purpose may do so if that tool may be used. */

/** Lists what the account defines and refers to by codes. */
export const codeLister = 'list_catalogue';

export const listers = {
  customers: 'find_customers',
  subscriptions: 'list_subscriptions',
  wallets: 'list_wallets',
  invoices: 'list_invoices',
  credit_notes: 'list_credit_notes',
  plans: 'list_plans',
  add_ons: codeLister,
  billable_metrics: codeLister,
  billing_entities: codeLister,
  coupons: codeLister,
  taxes: codeLister,
} as const;
