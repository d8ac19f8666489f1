/** Every code of the specification that reaches a sentence has words; the others are listed here, with why they have none. */
import { describe, expect, it } from 'vitest';
import { codeWords } from '../../src/contract/code-words.ts';
import * as model from '../../src/contract/enums.ts';
import { watched } from '../../src/words/alert.ts';
import { wordsOf } from '../../src/words/code-words.ts';

type EnumName = {
  [Name in keyof typeof model]: (typeof model)[Name] extends readonly string[] ? Name : never;
}[keyof typeof model];
const { isOneOf: _, ...enums } = model;

/** The table of words for each enum that sentences tell. */
const told: Partial<Record<EnumName, keyof typeof codeWords>> = {
  intervals: 'interval',
  aggregationTypes: 'aggregation',
  lifeStatuses: 'life',
  couponFrequencies: 'frequency',
  subscriptionStatuses: 'subscription',
  terminationCreditNotes: 'creditNoteAtEnd',
  terminationInvoices: 'invoiceAtEnd',
  cancellationReasons: 'cancellation',
  activationRuleStatuses: 'activationRule',
  walletTransactionStatuses: 'transaction',
  walletTransactionSources: 'source',
  transactionStatuses: 'moved',
  feeTypes: 'fee',
  shownInvoiceStatuses: 'invoice',
  invoiceAnswerStatuses: 'invoice',
  invoiceStatuses: 'invoice',
  invoicePaymentStatuses: 'invoicePayment',
  errorDetailCodes: 'problem',
  creditNoteReasons: 'creditNoteReason',
  creditStatuses: 'credit',
  refundStatuses: 'refund',
  paymentStatuses: 'payment',
  signatureAlgorithms: 'signature',
};

/** Told by words of their own, which other tests hold. */
const elsewhere: EnumName[] = [
  ...(['chargeModels', 'fixedChargeModels'] as const), // price.test.ts: a price in words
  ...(['subscriptionAlertTypes', 'walletAlertTypes', 'alertTypes'] as const), // below
  ...(['topUpTriggers', 'topUpMethods', 'paymentMethodTypes'] as const), // wallet-words.ts: a rule in words
  ...(['couponTypes', 'paymentTypes', 'transactionTypes', 'accountTypes', 'activationRuleTypes'] as const), // one word of a sentence each
  ...(['itemTypes', 'creditTypes'] as const), // they choose what is said
  ...(['activityResourceTypes', 'activitySources', 'activityTypes'] as const), // lookups-activity.test.ts: an entry in words
];

/** In records and arguments alone. */
const unsaid: EnumName[] = [
  ...([
    'feeGroupings',
    'privilegeTypes',
    'roundingFunctions',
    'weightedIntervals',
    'couponExpirations',
    'alertDirections',
  ] as const),
  ...(['customerTypes', 'zeroAmountChoices', 'documentLocales', 'documentNumberings', 'issuingDateAnchors'] as const),
  ...(['issuingDateAdjustments', 'emailSettings', 'billingTimes', 'feePaymentStatuses', 'invoiceTypes'] as const),
  ...(['invoicingReasons', 'creditNoteStatuses', 'payableTypes', 'providerPaymentMethods'] as const),
];

describe('the codes of the specification', () => {
  it('are told in words, told by a sentence of their own, or not told', () => {
    const known = [...Object.keys(told), ...elsewhere, ...unsaid].sort();
    expect(known).toEqual(Object.keys(enums).sort());
  });

  const rows = Object.entries(told).flatMap(([name, table]) =>
    enums[name as EnumName].map((code: string): [string, string] => [table, code]),
  );
  it.each(rows)('%s %s', (table, code) => {
    const words = wordsOf(table as keyof typeof codeWords, code) ?? '';
    expect(Object.keys(codeWords[table as keyof typeof codeWords])).toContain(code);
    expect(words).toMatch(/^[a-zA-Z]/);
    expect(words).not.toMatch(/_|\.$/);
  });

  it.each(enums.alertTypes)('%s says what is watched', type => {
    const words = watched(type, { metric: 'calls', wallet: 'main' });
    expect(words).not.toMatch(/_|value/);
    expect(words.includes('calls')).toBe(type.startsWith('billable_metric'));
    expect(words.includes('wallet main')).toBe(type.startsWith('wallet'));
  });
});

describe('a code that is not in the table', () => {
  it.each([
    ['do_not_honor', 'do not honor'],
    ['taxAmountTooLarge', 'tax amount too large'],
    ['requires_capture', 'requires capture'],
    ['R01', 'R01'],
    ['Declined by bank', 'Declined by bank'],
    ['constructor', 'constructor'],
    ['', null],
    [null, null],
    [{}, null],
  ])('%j is told as %j', (code, words) => {
    expect(wordsOf('provider', code)).toBe(words);
  });

  it('of a provider that asks for something is told as what is asked', () => {
    expect(wordsOf('provider', 'authentication_required')).toBe('the bank requires the customer to confirm');
  });
});
