/** Prompts that a user can pick in the chat host: the skills, and the short ones of this file. */

import type { Prompt } from '@modelcontextprotocol/server';
import { cutText } from '../../lib/text.ts';
import { readSkill, skillText } from './skills.ts';

/** One prompt: what is listed of it, and its text. */
export interface PromptDefinition extends Prompt {
  arguments: PromptArgument[];
  /** The tools without which the prompt is of no use; else all that its text names. */
  needs?: readonly string[];
  /** The message, with the values of the arguments that were given; `offers`: whether the caller may use a tool. */
  text(values: Record<string, string>, offers: (word: string) => boolean): string;
}

interface PromptArgument {
  name: string;
  description: string;
  required: boolean;
}

const customer = 'External ID of the customer';
const subscription = 'External ID of the subscription';
const customerOrName = `${customer}, or part of the name`;

/** The prompt of a skill: the same text, then the values as data. */
function ofSkill(folder: string, fields: Record<string, string>, required: readonly string[] = []): PromptDefinition {
  const skill = readSkill(folder);
  return {
    name: folder.replaceAll('-', '_'),
    title: skill.title,
    description: skill.description,
    arguments: Object.entries(fields).map(([name, description]) => ({
      name,
      description,
      required: required.includes(name),
    })),
    needs: skill.needs,
    text: (values, offers) => {
      const lines = Object.keys(fields)
        .filter(name => values[name])
        .map(name => `- ${name}: ${quote(values[name])}`);
      return [
        skillText(skill, offers),
        ...(lines.length ? [['## Data of this request', '', ...lines].join('\n')] : []),
      ].join('\n\n');
    },
  };
}

export const promptDefinitions: readonly PromptDefinition[] = [
  ofSkill(
    'answer-bill-question',
    {
      external_customer_id: customerOrName,
      external_subscription_id: subscription,
      invoice: 'Number of the invoice',
      question: "The customer's question",
    },
    ['external_customer_id'],
  ),
  ofSkill('chase-overdue-invoices', { external_customer_id: customerOrName, currency: 'Only this currency, e.g. EUR' }),
  ofSkill('close-the-month', { month: 'Month to close, e.g. 2026-02' }),
  ofSkill(
    'quote-plan-change',
    {
      external_customer_id: customerOrName,
      external_subscription_id: subscription,
      plan_code: 'Code of the new plan',
    },
    ['external_customer_id'],
  ),
  ofSkill('reconcile-payments', { external_customer_id: customerOrName, month: 'Month to reconcile, e.g. 2026-02' }),
  {
    name: 'quote_plan',
    title: 'Quote a plan',
    description: 'Quotes what a plan would cost a new or existing customer, and compares it with another plan.',
    arguments: [
      { name: 'plan_code', description: 'Code of the plan', required: true },
      { name: 'external_customer_id', description: `${customer}; leave it out for a new one`, required: false },
      { name: 'compare_with', description: 'Code of another plan to compare', required: false },
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
    name: 'change_subscription_safely',
    title: 'Change a subscription safely',
    description: 'Runs a subscription change as a dry run, asks the user, and applies it only after a clear yes.',
    arguments: [
      { name: 'external_subscription_id', description: subscription, required: true },
      { name: 'change', description: 'The change, in plain words', required: true },
    ],
    text: values => `Change the subscription ${quote(values.external_subscription_id)}: ${quote(values.change)}.
1. Read first: preview_invoice for the current subscription, and list_plans for its plan.
2. Call update_subscription with dry_run true. Tell the user its warnings: a first plan override drops taxes and the commitment unless they are sent, a past subscription_at activates the subscription, and an ending_at ends it.
3. Show the user each change with the old value, the new value and amounts. Wait for a clear yes.
4. Call update_subscription once. Read the receipt: what was applied, what was not applied, and what was not shown.
5. Preview again and state the difference. If the answer says that changed is unknown, do not repeat the write: read the subscription and report.`,
  },
  {
    name: 'customer_briefing',
    title: 'Brief me on a customer',
    description:
      'Summarizes a customer in at most ten lines before a conversation: subscriptions, usage, balances and open issues.',
    arguments: [{ name: 'external_customer_id', description: customerOrName, required: true }],
    text: values => `Brief me on the customer ${quote(values.external_customer_id)}, in at most ten lines.
1. Call get_customer_overview with external_customer_id ${quote(values.external_customer_id)}. If several customers match, ask me which one I mean.
2. Say who they are, their subscriptions and start dates, usage this period, and the balance of wallets and credits.
3. Then what needs attention: overdue invoices with amounts and dates, triggered alerts, scheduled changes, and anything that expires soon.
4. If an amount matters, check it with list_invoices, get_usage, or preview_invoice for the next invoice.
Say which sections were not read and why. Quote amounts as summaries do. Do not change anything.`,
  },
];

/** A value as quoted data: it comes from outside and must not read as part of the instructions. */
export function quote(value: string | undefined): string {
  return JSON.stringify(cutText(value ?? '', 500));
}
