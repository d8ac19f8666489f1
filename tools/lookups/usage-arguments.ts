/** What get_usage takes: whose usage, of which period, and of which part of it (docs/lookups.md §6). */
import * as z from 'zod';
import { flag, idText, pathText } from '../../src/definition/args.ts';
import { keyed } from '../../src/definition/free-form.ts';
import { code, listed, say } from '../../src/words/summary.ts';

const chargeArguments = ['charge_id', 'charge_code', 'billable_metric_code'] as const;
/** The service takes them of the running period alone. */
const currentArguments = ['charge_id', 'charge_code', 'group', 'full_usage', 'filter_by_presentation'] as const;

const groupKey = z.string().regex(/^[^[\]]+$/, { error: 'must be an event property, without brackets' });
const group = keyed(z.string(), { key: groupKey }).meta({
  listed: { type: 'string', description: 'JSON {key: value}' },
});

export const usageInput = z
  .strictObject({
    external_customer_id: pathText().describe('Id or name'),
    external_subscription_id: idText().optional().describe('Optional where one is active'),
    period: z.enum(['current', 'past']).optional(),
    periods_count: z
      .int()
      .refine(periods => periods >= 1 && periods <= 100, { error: 'must be from 1 to 100' })
      .optional()
      .describe('Past ones, newest first; default 3'),
    billable_metric_code: idText().optional(),
    charge_id: idText().optional(),
    charge_code: idText().optional(),
    group: group.optional(),
    full_usage: flag.describe('All time').optional(),
    filter_by_presentation: z.array(idText()).optional(),
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
  const parts = [
    say`metric ${code(args.billable_metric_code)}`,
    say`charge ${code(charge)}`,
    say`group ${listed(
      groups.filter(part => part !== null),
      3,
    )}`,
  ].filter(part => part !== null);
  return parts.length === 0 ? '' : `, ${parts.join(', ')} alone,`;
}
