/**
 * The interface's codes in a person's words; the record keeps the codes. Each table has every value of its enum
 * (specification), which the types check. A word says what the code says, and no more.
 */

import type {
  AggregationType,
  CancellationReason,
  CouponFrequency,
  CreditNoteReason,
  CreditStatus,
  ErrorDetailCode,
  FeeType,
  Interval,
  InvoicePaymentStatus,
  InvoiceStatus,
  LifeStatus,
  PaymentStatus,
  RefundStatus,
  SignatureAlgorithm,
  SubscriptionStatus,
  TerminationCreditNote,
  TerminationInvoice,
  TransactionStatus,
  WalletTransactionSource,
  WalletTransactionStatus,
} from '../contract/enums.ts';
import { type JsonRecord, ownValue } from '../lib/json.ts';
import { asRecord, code, listed } from './summary.ts';

type Words<Code extends string> = Readonly<Record<Code, string>>;

/** After a price: `$99.00 a month`. */
const interval: Words<Interval> = {
  weekly: 'a week',
  monthly: 'a month',
  quarterly: 'a quarter',
  semiannual: 'a half-year',
  yearly: 'a year',
};

const subscription: Words<SubscriptionStatus> = {
  pending: 'not started',
  active: 'active',
  terminated: 'ended',
  canceled: 'canceled before its start',
  incomplete: 'waiting for its first payment',
};

const cancellation: Words<CancellationReason> = {
  payment_failed: 'a payment failed',
  timeout: 'its time ran out',
};

const creditNoteAtEnd: Words<TerminationCreditNote> = {
  credit: 'as credit',
  skip: 'none',
  refund: 'refunded',
  offset: 'set against the invoice',
};

const invoiceAtEnd: Words<TerminationInvoice> = { generate: 'issued', skip: 'none' };

/** Said where the status is not the usual one, `finalized`. */
const invoice: Words<InvoiceStatus> = {
  draft: 'a draft: its amounts may still change',
  finalized: 'issued',
  voided: 'voided',
  failed: 'could not be issued',
  pending: 'not issued yet',
  generating: 'being made',
  open: 'still open, and not issued',
  closed: 'closed without being issued',
  deleted: 'deleted',
};

const invoicePayment: Words<InvoicePaymentStatus> = {
  pending: 'not paid yet',
  succeeded: 'paid',
  failed: 'payment failed',
};

const payment: Words<PaymentStatus> = {
  succeeded: 'paid',
  failed: 'failed',
  pending: 'pending',
  processing: 'being processed',
};

const creditNoteReason: Words<CreditNoteReason> = {
  duplicated_charge: 'something was charged twice',
  product_unsatisfactory: 'the product was not satisfactory',
  order_change: 'the order was changed',
  order_cancellation: 'the order was cancelled',
  fraudulent_charge: 'the charge was fraudulent',
  other: 'another one',
};

const credit: Words<CreditStatus> = { available: 'can be used', consumed: 'used up', voided: 'voided' };

const refund: Words<RefundStatus> = { pending: 'not paid out yet', succeeded: 'paid out', failed: 'failed' };

const moved: Words<TransactionStatus> = {
  purchased: 'bought',
  granted: 'granted',
  voided: 'voided',
  invoiced: 'used on invoices',
};

const transaction: Words<WalletTransactionStatus> = {
  pending: 'pending',
  settled: 'settled',
  failed: 'failed',
};

const source: Words<WalletTransactionSource> = {
  manual: 'by hand',
  interval: 'by a rule of the calendar',
  threshold: 'by a rule for a low balance',
};

const life: Words<LifeStatus> = { active: 'active', terminated: 'ended' };

const frequency: Words<CouponFrequency> = {
  once: 'once',
  recurring: 'on several invoices',
  forever: 'on every invoice',
};

const aggregation: Words<AggregationType> = {
  count_agg: 'number of events',
  sum_agg: 'sum',
  max_agg: 'highest value',
  unique_count_agg: 'number of different values',
  weighted_sum_agg: 'sum weighted by time',
  latest_agg: 'latest value',
  custom_agg: 'computed by a rule of its own',
};

const fee: Words<FeeType> = {
  charge: 'usage fees',
  add_on: 'add-ons',
  subscription: 'plan fees',
  credit: 'wallet top-ups',
  commitment: 'minimum commitments',
  fixed_charge: 'fixed charges',
  product: 'products',
};

const problem: Words<ErrorDetailCode> = {
  not_provided: 'an error without a name',
  tax_error: 'the tax could not be computed',
  tax_voiding_error: 'the tax could not be taken back',
  invoice_generation_error: 'the invoice could not be made',
};

const signature: Words<SignatureAlgorithm> = { jwt: 'JWT', hmac: 'HMAC' };

/** Codes of payment and tax providers, which no document lists: of any other code, its own words are said. */
const provider: Readonly<Record<string, string>> = {
  requires_action: 'it waits for the customer',
  authentication_required: 'the bank wants the customer to confirm',
  card_declined: 'the card was declined',
  insufficient_funds: 'the account has too little money',
  expired_card: 'the card has expired',
  taxDateTooFarInFuture: 'the tax date is too far in the future',
};

export const codeWords = {
  interval,
  subscription,
  cancellation,
  creditNoteAtEnd,
  invoiceAtEnd,
  invoice,
  invoicePayment,
  payment,
  creditNoteReason,
  credit,
  refund,
  moved,
  transaction,
  source,
  life,
  frequency,
  aggregation,
  fee,
  problem,
  signature,
  provider,
} as const;

/** The words of a code; an unknown code is written as words: `do_not_honor` as `do not honor`. Null for no code. */
export function wordsOf(table: keyof typeof codeWords, value: unknown): string | null {
  const text = code(value);
  if (text === null) return null;
  return ownValue(codeWords[table] as Readonly<Record<string, string>>, text) ?? plainWords(text);
}

/** `the tax could not be computed (the tax date is too far in the future)`: of customers, invoices and credit notes. */
export function problemsInWords(errors: readonly JsonRecord[]): string {
  const kinds = errors.map(error => {
    const details = Object.values(asRecord(error.details)).map(detail => wordsOf('provider', detail));
    const why = listed(
      details.filter(detail => detail !== null),
      3,
    );
    return `${wordsOf('problem', error.error_code) ?? 'an error'}${why === null ? '' : ` (${why})`}`;
  });
  return listed(kinds, 5) ?? 'an unknown error';
}

/** `taxDateTooFarInFuture` → `tax date too far in future`; what does not look like a code stays as it is. */
function plainWords(text: string): string {
  if (!/^[a-z][A-Za-z0-9]*(_[a-z0-9]+)*$/.test(text)) return text;
  return text.replaceAll('_', ' ').replace(/(?<=[a-z0-9])[A-Z](?=[a-z])/g, letter => ` ${letter.toLowerCase()}`);
}
