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

const leftOut = 'Excludes drafts, voided and self-billed invoices, and lost disputes';
const usedCredit = 'those applied to an invoice lower its total';

export const definitions = {
  invoiced: {
    sum: 'Totals of finalized invoices, after coupons and prepaid credits. This is not what was paid.',
    tax: 'included',
    topUps: 'included, listed separately',
    creditNotes: `${usedCredit}; refunds are not deducted`,
    day: 'issuing date',
  },
  billed: {
    sum: 'Invoiced amounts minus refunds, plus charges for events outside invoices. The service calls it gross revenue.',
    tax: 'included, except for charges outside invoices',
    topUps: 'included, listed separately',
    creditNotes: `${usedCredit}; refunds are deducted`,
    day: 'issuing date of the invoice, for its refunds too',
    reportSentence: `Billed means invoiced with tax, after prepaid credits and credit notes, minus refunds; it is not what was paid. ${leftOut}`,
  },
  collected: {
    sum: 'Totals of invoices whose payment_status is succeeded. Partly paid invoices are excluded.',
    tax: 'included',
    topUps: 'included',
    creditNotes: `${usedCredit}; refunds are not deducted`,
    day: 'issuing date',
    reportSentence: `Invoiced includes tax and wallet top-ups, before refunds. The collected amount uses only payment_status: a partly paid invoice counts as entirely unpaid. ${leftOut}`,
  },
  outstanding: {
    sum: 'Amounts due on finalized invoices whose payment is pending or failed. Answers say “owed”. A lost dispute does not change it.',
    tax: 'included',
    topUps: 'included',
    creditNotes: 'amounts offset against the invoice are deducted',
    day: 'none: as of now',
    reportSentence: 'Excludes self-billed invoices and drafts; a lost dispute changes nothing',
  },
  overdue: {
    sum: 'Outstanding amounts of invoices past their due date, without lost disputes. The age is in whole days.',
    tax: 'included',
    topUps: 'included',
    creditNotes: 'amounts offset against the invoice are deducted',
    day: 'due date',
    reportSentence: 'Excludes self-billed invoices, drafts, and lost disputes',
  },
  MRR: {
    sum: 'Plan fees of finalized invoices after coupons, spread over the months they pay for. A subscription canceled after its invoice still counts.',
    tax: 'included',
    topUps: 'excluded, like usage and add-ons',
    creditNotes: 'not deducted',
    day: 'the months of the fee’s period; for monthly plans, the issuing date',
    reportSentence:
      'Plan fees of issued invoices after coupons, with taxes, spread over their periods. Excludes usage, add-ons, top-ups, self-billed invoices, and lost disputes. A subscription canceled after its invoice still counts',
  },
  'usage invoiced': {
    sum: 'Usage charges on invoices, after coupons. Unlike the other sums, it includes invoices that are not finalized.',
    tax: 'excluded',
    topUps: 'excluded',
    creditNotes: 'not deducted',
    day: 'the day on which the fee was created',
    reportSentence:
      'After coupons, before tax. Includes drafts, voided and failed invoices. Excludes usage not yet invoiced, self-billed invoices, and lost disputes',
  },
} as const satisfies Record<string, Definition>;

/** Rules for all of them. */
const common = [
  '**Gross** includes tax; **net** excludes it. Every sum above is gross, except usage.',
  'Drafts, voided and deleted invoices, and invoices that could not be issued count only for usage. Self-billed invoices never count. Invoices with a lost payment dispute count only as outstanding.',
  'Each currency has its own sum; different currencies are never added up. Rows of reports are rounded half up to the minor unit, and sums add the rows.',
  'Months are calendar months. Issuing dates and due dates are the days that the invoice shows. The current month and overdue amounts depend on the day in UTC.',
  'Times are in the customer’s time zone if the answer has it, and in lists of one customer or one wallet. Otherwise they are in UTC, and the answer names UTC. Filters by day use days in UTC.',
  'A month without a row is 0. `zero_months` lists the months in which no currency has a row.',
  '“So far” marks the current month or period, which can still change.',
];

/** The text of the resource. */
export function definitionsText(): string {
  const rows = Object.entries<Definition>(definitions).map(
    ([word, { sum, tax, topUps, creditNotes, day }]) =>
      `| ${[`**${word}**`, sum, tax, topUps, creditNotes, day].join(' | ')} |`,
  );
  return `${[
    '# Definitions of sums',
    '',
    '| term | definition | tax | wallet top-ups | credit notes | date |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    ...common.map(line => `- ${line}`),
  ].join('\n')}\n`;
}
