/** What get_usage takes: whose usage, of which period, and of which part of it (docs/lookups.md §6). */
import * as z from 'zod';
import { customerIdOrName, flag, idText } from '../../src/definition/args.ts';
import { keyed } from '../../src/definition/free-form.ts';
import { code, joined, listed, opt, say } from '../../src/words/summary.ts';

const chargeArguments = ['charge_id', 'charge_code', 'billable_metric_code'] as const;
/** The service takes them of the running period alone. */
const currentArguments = ['charge_id', 'charge_code', 'group', 'full_usage', 'filter_by_presentation'] as const;

const groupKey = z.string().regex(/^[^[\]]+$/, { error: 'must be an event property, without brackets' });
const group = keyed(z.string(), { key: groupKey }).meta({
  listed: { type: 'string', description: 'Only this group: JSON {event property: value}' },
});

export const usageInput = z
  .strictObject({
    external_customer_id: customerIdOrName,
    external_subscription_id: idText().optional().describe('Required if several subscriptions are active'),
    period: z.enum(['current', 'past']).describe('Default current').optional(),
    periods_count: z
      .int()
      .refine(periods => periods >= 1 && periods <= 100, { error: 'must be from 1 to 100' })
      .optional()
      .describe('Number of past periods, newest first; default 3'),
    billable_metric_code: idText().describe('Only this metric').optional(),
    charge_id: idText().describe('Only this charge, by svc_id').optional(),
    charge_code: idText().describe('Only this charge, by code').optional(),
    group: group.optional(),
    full_usage: flag.describe('Usage since the start, not only this period; needs a charge or group').optional(),
    filter_by_presentation: z.array(idText()).describe('Event properties to break usage down by').optional(),
  })
  .superRefine((args, context) => {
    const refuse = (argument: string, message: string) => {
      context.addIssue({ code: 'custom', path: [argument], message });
    };
    if (args.period !== 'past' && args.periods_count !== undefined)
      refuse('periods_count', 'goes with period: "past" only');
    for (const name of currentArguments)
      if (args.period === 'past' && args[name] !== undefined) refuse(name, 'goes with the running period only');
    const [first, second] = chargeArguments.filter(name => args[name] !== undefined);
    if (second !== undefined) refuse(second, `cannot go with ${first}: send one of them`);
    if (args.group !== undefined && Object.keys(args.group).length === 0) refuse('group', 'must not be empty');
    const narrowed = args.charge_id ?? args.charge_code ?? args.group;
    if (args.full_usage === true && narrowed === undefined)
      refuse('full_usage', 'needs charge_id, charge_code or group');
  });

export type UsageArguments = z.output<typeof usageInput>;

/** The part of the usage as the query asks for it. */
export function partOfUsage(args: UsageArguments) {
  const { billable_metric_code, charge_id, charge_code, full_usage, filter_by_presentation: keys } = args;
  return {
    billable_metric_code,
    charge_id,
    charge_code,
    group: args.group,
    full_usage,
    filter_by_presentation: keys && JSON.stringify(keys),
  };
}

/** `, metric api_calls alone,`; empty for all of the usage. */
export function partInWords(args: UsageArguments): string {
  const charge = args.charge_id ?? args.charge_code;
  const groups = Object.entries(args.group ?? {}).map(([key, value]) => say`${code(key)} ${code(value)}`);
  const metric = say`metric ${code(args.billable_metric_code)}`;
  const parts = [metric, say`charge ${code(charge)}`, say`group ${listed(groups, 3)}`];
  return opt`, ${joined(parts, ', ')} alone,`;
}
