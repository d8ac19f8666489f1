/**
 * The codes of the interface that sentences say, each with its word (specification). The lists of values in enums.ts are
 * made of these tables. A word says what the code says, and no more.
 */

export const codeWords = {
  /** After a price: `$99.00 a month`. */
  interval: {
    weekly: 'a week',
    monthly: 'a month',
    quarterly: 'a quarter',
    semiannual: 'a half-year',
    yearly: 'a year',
  },
  subscription: {
    pending: 'not started',
    active: 'active',
    terminated: 'ended',
    canceled: 'canceled before its start',
    incomplete: 'waiting for its first payment',
  },
  /** What became of a payment on which a start waits. */
  activationRule: {
    inactive: 'is requested when it starts',
    pending: 'has not arrived yet',
    satisfied: 'has arrived',
    declined: 'was declined',
    failed: 'failed',
    expired: 'did not arrive in time',
    not_applicable: 'is not needed',
  },
  cancellation: {
    payment_failed: 'a payment failed',
    timeout: 'its time ran out',
    manual: 'it was canceled manually',
  },
  creditNoteAtEnd: {
    credit: 'as credit',
    skip: 'none',
    refund: 'refunded',
    offset: 'set against the invoice',
  },
  invoiceAtEnd: { generate: 'issued', skip: 'none' },
  /** Said where the status is not the usual one, `finalized`. */
  invoice: {
    draft: 'a draft: its amounts may still change',
    finalized: 'issued',
    voided: 'voided',
    failed: 'could not be issued',
    pending: 'not issued yet',
    generating: 'being made',
    open: 'still open, and not issued',
    closed: 'closed without being issued',
    deleted: 'deleted',
  },
  invoicePayment: {
    pending: 'not paid yet',
    succeeded: 'paid',
    failed: 'payment failed',
  },
  payment: {
    succeeded: 'paid',
    failed: 'failed',
    pending: 'pending',
    processing: 'being processed',
  },
  creditNoteReason: {
    duplicated_charge: 'the charge was duplicated',
    product_unsatisfactory: 'the product was not satisfactory',
    order_change: 'the order was changed',
    order_cancellation: 'the order was canceled',
    fraudulent_charge: 'the charge was fraudulent',
    other: 'of another reason',
  },
  credit: { available: 'can be used', consumed: 'used up', voided: 'voided' },
  refund: { pending: 'not paid out yet', succeeded: 'paid out', failed: 'failed' },
  moved: {
    purchased: 'bought',
    granted: 'granted',
    voided: 'voided',
    invoiced: 'used on invoices',
  },
  transaction: {
    pending: 'pending',
    settled: 'settled',
    failed: 'failed',
  },
  source: {
    manual: 'by hand',
    interval: 'by a scheduled rule',
    threshold: 'by a low-balance rule',
  },
  life: { active: 'active', terminated: 'ended' },
  frequency: {
    once: 'once',
    recurring: 'on several invoices',
    forever: 'on every invoice',
  },
  aggregation: {
    count_agg: 'number of events',
    sum_agg: 'sum',
    max_agg: 'highest value',
    unique_count_agg: 'number of different values',
    weighted_sum_agg: 'sum weighted by time',
    latest_agg: 'latest value',
    custom_agg: 'computed by a custom rule',
  },
  fee: {
    charge: 'usage fees',
    add_on: 'add-ons',
    subscription: 'plan fees',
    credit: 'wallet top-ups',
    commitment: 'minimum commitments',
    fixed_charge: 'fixed charges',
    product: 'products',
  },
  problem: {
    not_provided: 'an unnamed error',
    tax_error: 'the tax could not be computed',
    tax_voiding_error: 'the tax could not be reversed',
    invoice_generation_error: 'the invoice could not be created',
  },
  signature: { jwt: 'JWT', hmac: 'HMAC' },
  /** Codes of payment and tax providers, which no document lists: of any other code, its own words are said. */
  provider: {
    requires_action: 'waiting for the customer',
    authentication_required: 'the bank requires the customer to confirm',
    card_declined: 'the card was declined',
    insufficient_funds: 'the account has too little money',
    expired_card: 'the card has expired',
    taxDateTooFarInFuture: 'the tax date is too far in the future',
  },
};
