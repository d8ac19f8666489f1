/** What refusals say of single tools. It is no member of them, because a request that fails knows its tool by name alone. */

/** For each write: how to find out whether it was carried out after an unclear answer. */
export const readBack: Readonly<Record<string, string>> = {
  update_subscription:
    'read the subscription’s state first (preview_invoice, list_subscription_alerts, or the account itself)',
  create_subscription_alert: 'call list_subscription_alerts and look for the code',
  update_wallet: 'compare the wallet in the account itself, or its alerts with get_wallet_alert',
  update_invoice: 'look at the invoice in the account itself; the same update may be sent again without harm',
  update_credit_note: 'look at the credit note in the account itself; the same update may be sent again without harm',
  update_add_on: 'the same update may be sent again without harm once the person agrees',
  delete_add_on: 'deleting it again answers add_on_not_found if it is already gone',
  create_billing_entity: 'creating it again answers value_already_exist for code if it is already there',
};

/** The next step where a value is taken. An entry of an invoice is known by its id alone (§3.6). */
export const stepsAfterTaken: Readonly<Record<string, string>> = {
  update_invoice:
    'The invoice has an entry with this key: send its id, which is the svc_id of the entry in get_invoice.',
};

/** What callers who are bound to customers may ask for, where a call is about the whole account. */
export const insteadOfAccount: Readonly<Record<string, string>> = {
  list_catalogue: 'For this caller, kind takes billable_metrics, applied_coupons and fees; list_plans lists the plans.',
};
