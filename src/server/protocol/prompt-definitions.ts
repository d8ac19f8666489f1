/** Prompts a person can pick in the chat host: the usual billing tasks, each with the safe order of steps. */
import type { Prompt } from '@modelcontextprotocol/server';

/** One prompt: what is listed of it, and its text. */
export interface PromptDefinition extends Prompt {
  arguments: { name: string; description: string; required: boolean }[];
  /** The message, with the values of the arguments that were given. */
  text(values: Record<string, string>): string;
}

const customer = 'external_customer_id of the customer';
const subscription = 'external_id of the subscription';

export const promptDefinitions: readonly PromptDefinition[] = [
  {
    name: 'explain_invoice',
    title: 'Explain the next invoice',
    description: "Explains what a customer's next invoice will contain, line by line.",
    arguments: [
      { name: 'external_customer_id', description: customer, required: true },
      {
        name: 'external_subscription_id',
        description: `${subscription}; all that should be on the invoice, separated by commas`,
        required: true,
      },
    ],
    text: values => `Explain the next invoice of customer ${quote(values.external_customer_id)} to the customer, in plain words.
1. Call get_customer for the name, currency, time zone and taxes.
2. Call preview_invoice with customer {"external_id": ${quote(values.external_customer_id)}} and subscriptions {"external_ids": ${JSON.stringify(list(values.external_subscription_id))}}.
3. Explain each line: what was used, how many units, at which price or tier. Then coupons, taxes, credits, and when the total is due.
Amounts in *_cents are integers in the minor unit; quote them as the summary formats them. Do not compute amounts yourself. If something cannot be previewed, say so rather than guess.`,
  },
  {
    name: 'quote_plan',
    title: 'Quote a plan',
    description: 'Quotes what a plan would cost a new or an existing customer.',
    arguments: [
      { name: 'plan_code', description: 'code of the plan', required: true },
      { name: 'external_customer_id', description: `${customer}, when it is an existing one`, required: false },
      { name: 'compare_with', description: 'code of another plan to compare with', required: false },
    ],
    text: values => {
      const who = values.external_customer_id
        ? `customer {"external_id": ${quote(values.external_customer_id)}}`
        : 'a customer described by its country, currency and time zone (ask for them when they matter for tax)';
      const codes = JSON.stringify([values.plan_code ?? '', values.compare_with ?? ''].filter(Boolean));
      const call = values.compare_with
        ? `compare_plans with plan_codes ${codes}`
        : `preview_invoice with plan_code ${quote(values.plan_code)}`;
      return `Quote the plan ${quote(values.plan_code)}.
1. Find the plan with list_plans: its interval, price, trial, whether it bills in advance, and its usage charges.
2. Call ${call} for ${who}. A preview stores nothing.
3. Give the first invoice's subtotal, tax and total with its date, and list what usage would add: the unit price of each charge, which a proposal cannot include. For an assumed usage, compare_plans with usage gives the amount.
Say plainly which figures are computed and which are list prices.`;
    },
  },
  {
    name: 'investigate_charge',
    title: 'Investigate a charge',
    description: 'Finds out why a usage charge is what it is.',
    arguments: [
      { name: 'external_customer_id', description: customer, required: true },
      { name: 'external_subscription_id', description: subscription, required: true },
      { name: 'transaction_id', description: 'a usage event in question', required: false },
    ],
    text: values => `Investigate a usage charge of customer ${quote(values.external_customer_id)} on subscription ${quote(values.external_subscription_id)}.
1. Call preview_invoice with customer {"external_id": ${quote(values.external_customer_id)}} and subscriptions {"external_ids": [${quote(values.external_subscription_id)}]}: it prices the running period's usage, tier by tier. detail "fees.units,fees.amount_details" has them for lines that its summary does not tell.
2. ${values.transaction_id ? `Call get_event for ${quote(values.transaction_id)}: is its code, time and subscription what was expected?` : 'If an event is in doubt, ask for its transaction_id and call get_event.'}
3. Compare with the plan's charge in list_plans: its price says the model, free units, tiers and minimum; detail "charges.filters" adds the prices by filter.
4. For a charge that is billed at once, call estimate_fees with the event's properties to show what one more event costs.
Change nothing. Report the arithmetic, and where the customer's expectation and the plan differ.`,
  },
  {
    name: 'change_subscription_safely',
    title: 'Change a subscription safely',
    description: 'Rehearses a change of a subscription, asks, and only then carries it out.',
    arguments: [
      { name: 'external_subscription_id', description: subscription, required: true },
      { name: 'change', description: 'what should change, in words', required: true },
    ],
    text: values => `Change the subscription ${quote(values.external_subscription_id)}: ${quote(values.change)}.
1. Read first: preview_invoice for the subscription as it is, and list_plans for the plan it has.
2. Rehearse: update_subscription with dry_run true. Read the warnings aloud: a first plan override drops taxes and the commitment unless they are sent, a subscription_at of today activates, an ending_at ends it.
3. Put what would change, from what to what, with amounts, to the person, and wait for a clear yes.
4. Call update_subscription once. Read the receipt: what was applied, what was not, what was not shown.
5. Preview again and give the difference. If the answer says changed is unknown, do not repeat the write: read and report.`,
  },
  {
    name: 'who_owes_us',
    title: 'Who owes us',
    description: 'Lists who is overdue, with how much and since when.',
    arguments: [{ name: 'currency', description: 'only amounts in this currency', required: false }],
    text: values => `Find out who owes us money${values.currency ? ` in ${quote(values.currency)}` : ''}.
1. Call get_revenue with report "overdue": what is overdue for each currency, by age.
2. Call list_invoices with payment_overdue true, all true${values.currency ? `, currency ${quote(values.currency)}` : ''}: whose invoices these are.
3. For each customer add up total_due_amount_cents by currency, never across currencies, and name the oldest due date. Largest amount first.
4. Say what shown says: how many invoices were read of how many. Drafts and voided invoices are not owed. What is due but not yet overdue: list_invoices with status finalized and payment_status pending and failed.
Change nothing, and send nothing to customers.`,
  },
  {
    name: 'explain_difference',
    title: 'Explain a difference',
    description: 'Explains line by line why two invoices of a subscription differ.',
    arguments: [
      { name: 'invoice', description: 'number or svc_id of the invoice in question', required: true },
      { name: 'earlier_invoice', description: 'number or svc_id of the one to compare with', required: false },
      { name: 'external_subscription_id', description: `${subscription}, when only its lines matter`, required: false },
    ],
    text: values => `Explain why the invoice ${quote(values.invoice)} differs from ${values.earlier_invoice ? `the invoice ${quote(values.earlier_invoice)}` : 'the one before it'}.
1. Call get_invoice with svc_id ${quote(values.invoice)} (it takes a number too) and detail "billing_periods,credits,applied_taxes": its lines, and the subscriptions and days that it bills.
2. ${values.earlier_invoice ? `Call get_invoice with svc_id ${quote(values.earlier_invoice)} likewise.` : 'Call list_invoices for its customer with status finalized and issuing_date_to the day before its issuing date; the first one with the same invoice_type is the earlier one. Check with get_invoice that it bills the same subscription.'}
3. Put the lines${values.external_subscription_id ? ` of subscription ${quote(values.external_subscription_id)}` : ''} beside each other by charge, filter and group: units, price and amount of each, and the difference. Name lines that only one of the two has.
4. Then coupons, credits, taxes, and the days covered: a part of a period, two periods on one invoice, another plan.
5. Give the largest causes first, and check that the differences of the lines, credits and taxes add up to that of the totals. Say what is left unexplained. A draft may still change.`,
  },
  {
    name: 'customer_briefing',
    title: 'Brief me on a customer',
    description: 'A short briefing on a customer before a conversation.',
    arguments: [{ name: 'external_customer_id', description: `${customer}, or a part of the name`, required: true }],
    text: values => `Brief me on the customer ${quote(values.external_customer_id)}, in at most ten lines.
1. Call get_customer_overview with external_customer_id ${quote(values.external_customer_id)}. If several customers match, ask me which is meant.
2. Say who they are, what they are subscribed to and since when, what they use this period, what is left in wallets and credits.
3. Then what needs attention: overdue invoices with amounts and dates, alerts that have gone off, changes that are scheduled, what expires soon.
4. If an amount matters, look closer: list_invoices, get_usage, preview_invoice for what comes next.
Say which sections were not read and why. Quote amounts as summaries do. Change nothing.`,
  },
];

/** A value as quoted data: it comes from outside and must not read as part of the instructions. */
export function quote(value: string | undefined): string {
  return JSON.stringify((value ?? '').slice(0, 500));
}

function list(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map(id => id.trim())
    .filter(Boolean);
}
