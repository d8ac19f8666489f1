/**
 * What the words of sums mean, the same in every answer. `billing://definitions` and docs/definitions.md show these
 * texts, reports end with `reportSentence`, and a test computes the sums of the demo account by them.
 */

/** Where an assistant finds all of them; each report links it. */
export const definitionsUri = 'billing://definitions';

interface Definition {
  /** What is added up. */
  sum: string;
  /** Is tax in it, are wallet top-ups, and what do credit notes take off? */
  tax: string;
  topUps: string;
  creditNotes: string;
  /** The day that puts a record into its month. */
  day: string;
  /** The sentence with which a report about it ends. */
  reportSentence?: string;
}

const leftOut = 'Drafts, voided and self-billed invoices and lost disputes are left out';
const usedCredit = 'those used on an invoice have lowered its total';

export const definitions = {
  invoiced: {
    sum: 'The totals of finalized invoices, after coupons and prepaid credits. This is not what was paid.',
    tax: 'in',
    topUps: 'in, told apart',
    creditNotes: `${usedCredit}; refunds are not taken off`,
    day: 'issuing date',
  },
  billed: {
    sum: 'What was invoiced, less refunds, and what was charged at events outside invoices. The service calls it gross revenue.',
    tax: 'in; out where it was charged outside invoices',
    topUps: 'in, told apart',
    creditNotes: `${usedCredit}; refunds are taken off`,
    day: 'issuing date of the invoice, for its refunds too',
    reportSentence: `Billed is what was invoiced, with tax, after prepaid credits and credit notes, less refunds: not what was paid. ${leftOut}`,
  },
  collected: {
    sum: 'What was invoiced on invoices whose payment_status is succeeded. Of a partly paid invoice nothing is in it.',
    tax: 'in',
    topUps: 'in',
    creditNotes: `${usedCredit}; refunds are not taken off`,
    day: 'issuing date',
    reportSentence: `Invoiced is with tax and wallet top-ups, before refunds. Collected goes by payment_status alone: a partly paid invoice counts with its whole total as not paid yet. ${leftOut}`,
  },
  outstanding: {
    sum: 'What is still to be paid on finalized invoices whose payment is pending or failed. Answers say “owed”. A lost dispute does not change it.',
    tax: 'in',
    topUps: 'in',
    creditNotes: 'what was set off against the invoice is taken off',
    day: 'none: as of now',
    reportSentence: 'Self-billed invoices and drafts are left out; a lost dispute changes nothing',
  },
  overdue: {
    sum: 'What is outstanding on invoices past their due date, without lost disputes. The age is in whole days.',
    tax: 'in',
    topUps: 'in',
    creditNotes: 'what was set off against the invoice is taken off',
    day: 'due date',
    reportSentence: 'Self-billed invoices, drafts and lost disputes are left out',
  },
  MRR: {
    sum: 'Plan fees of finalized invoices after coupons, spread over the months that they pay for. A subscription that was cancelled after its invoice still counts.',
    tax: 'in',
    topUps: 'out, as usage and add-ons',
    creditNotes: 'not taken off',
    day: 'the months of the fee’s period; of monthly plans the issuing date',
    reportSentence:
      'Plan fees of issued invoices after coupons, with taxes, spread over their periods: no usage, add-ons or top-ups, and a subscription cancelled since its invoice still counts. Self-billed invoices and lost disputes are left out',
  },
  'usage invoiced': {
    sum: 'Usage charges on invoices, after coupons. Here alone the service counts invoices that are not finalized too.',
    tax: 'out',
    topUps: 'out',
    creditNotes: 'not taken off',
    day: 'day on which the fee was made',
    reportSentence:
      'After coupons, before tax. Drafts, voided and failed invoices are in it; usage not yet invoiced, self-billed invoices and lost disputes are not',
  },
} as const satisfies Record<string, Definition>;

/** What holds for all of them. */
const common = [
  '**Gross** is with tax, **net** is without. Every sum above is gross, but for usage.',
  'Drafts, voided and deleted invoices and those that failed to be issued are in none of them, but for usage; self-billed invoices are in none; those with a lost payment dispute are in what is outstanding alone.',
  'Sums are told by currency. Different currencies are never added up. Rows of reports are rounded half up to the minor unit, and sums add the rows.',
  'Months are calendar months. An issuing date and a due date are days as the invoice shows them; which month is running, and what is past due, goes by the day in UTC.',
  'A moment is told in the time zone of the customer where the answer has it, and in lists of one customer or one wallet, with one more read; else in UTC, and the answer says so. The days by which a list is cut are days in UTC.',
  'A month without a row is 0. `zero_months` names the months in which no currency has any; where only other currencies have rows, this one has 0.',
  '“So far” is said of the running month or period alone, which may still change.',
];

/** The text of the resource. */
export function definitionsText(): string {
  const rows = Object.entries<Definition>(definitions).map(
    ([word, { sum, tax, topUps, creditNotes, day }]) =>
      `| ${[`**${word}**`, sum, tax, topUps, creditNotes, day].join(' | ')} |`,
  );
  return `${[
    '# What the words of sums mean',
    '',
    '| word | what is added up | tax | wallet top-ups | credit notes | its day |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    ...common.map(line => `- ${line}`),
  ].join('\n')}\n`;
}
