/** The top-up rule of a wallet: how it is sent whole, and what the service refuses of it (service-behaviour §3.1). */
import Big from 'big.js';
import * as z from 'zod';
import { intervals, topUpMethods, topUpTriggers } from '../src/contract/enums.ts';
import type { TopUpRule, Wallet } from '../src/contract/shown.ts';
import { walletRule as ruleResource } from '../src/contract/wallet.ts';
import { credits, customSection, paymentMethod, text, wordOf } from '../src/definition/args.ts';
import type { Arguments, Refusal } from '../src/definition/define.ts';
import { argumentsOf } from '../src/definition/field-arguments.ts';
import { briefly } from '../src/definition/free-form.ts';
import { fieldOf, isGiven, isObject } from '../src/lib/json.ts';
import { isPast } from '../src/words/dates.ts';
import { isFilled } from '../src/words/default-fields.ts';
import { code, sign } from '../src/words/summary.ts';
import { isUsualMethod } from '../src/words/wallet-words.ts';

type Rules = Wallet['recurring_transaction_rules'];

/** A top-up rule as it is sent. */
export const rule = z.strictObject({
  svc_id: text.describe('Stored rule to change; without it, a new rule').optional(),
  trigger: wordOf(topUpTriggers).optional(),
  method: wordOf(topUpMethods).optional(),
  interval: wordOf(intervals, { week: 'weekly', month: 'monthly', quarter: 'quarterly', year: 'yearly' }).optional(),
  threshold_credits: credits.optional(),
  target_ongoing_balance: credits.optional(),
  paid_credits: credits.optional(),
  granted_credits: credits.optional(),
  ...argumentsOf(ruleResource),
  transaction_metadata: z.array(z.strictObject({ key: text, value: text })).optional(),
  payment_method: briefly(paymentMethod).optional(),
  invoice_custom_section: customSection.optional(),
});

/** The rules in words: an entry with the id of a stored rule changes that rule; any other is a new one. */
export function rulesAfter(rules: Rules, stored: Rules): TopUpRule[] {
  return (rules ?? []).map(entry => ({ ...storedRule(entry, stored), ...entry }));
}

/** The rules as they are sent: the service takes whole ones only, also of a rule that is stored. */
export function wholeRules(rules: Rules, stored: Rules): TopUpRule[] {
  return (rules ?? []).map(entry => {
    const known = storedRule(entry, stored);
    if (known === undefined) return entry;
    const { invoice_custom_section: _, ...whole } = ruleAsSent(known) as Arguments;
    const { trigger = known.trigger, method = known.method } = entry;
    delete whole[trigger === 'threshold' ? 'interval' : 'threshold_credits'];
    if (method !== 'target') for (const field of targetFields) delete whole[field];
    return { ...whole, ...entry };
  });
}

const targetFields = ['target_ongoing_balance', 'grants_target_top_up'];

function storedRule({ svc_id: id }: TopUpRule, stored: Rules): TopUpRule | undefined {
  return id === undefined ? undefined : (stored ?? []).find(({ svc_id }) => svc_id === id);
}

/**
 * The stored rules as an update restores them. What was empty cannot be emptied on the rule that has it now, but for the
 * purchase order number: then the rule is made again.
 */
export function rulesBack(stored: Rules, present: Rules): Arguments[] {
  return (stored ?? []).map(earlier => {
    const sent = ruleAsSent(earlier);
    const now = storedRule(earlier, present);
    if (now === undefined) return sent;
    const added = Object.keys(ruleAsSent(now)).filter(field => !(field in sent));
    const values = added.map(field => [field, fieldOf(earlier, field)] as const);
    const isLost = values.some(([field, value]) => !isGiven(value) && field !== 'purchase_order_number');
    const emptied = values.map(([field, value]) => [field, isObject(value) ? withoutEmpty(value) : (value ?? null)]);
    return isLost ? sent : { svc_id: earlier.svc_id, ...sent, ...Object.fromEntries(emptied) };
  });
}

/** A stored rule as a new one. */
function ruleAsSent(stored: TopUpRule): Arguments {
  const fields = Object.entries(withoutEmpty(stored)).filter(
    ([field]) => field !== 'svc_id' && field in rule.shape && !isDefault(stored, field),
  );
  const sections = (stored.applied_invoice_custom_sections ?? [])
    .map(applied => code(applied.invoice_custom_section?.code))
    .filter(section => section !== null);
  return {
    ...Object.fromEntries(fields.map(([field, value]) => [field, isObject(value) ? withoutEmpty(value) : value])),
    ...(sections.length > 0 && { invoice_custom_section: { invoice_custom_section_codes: sections } }),
  };
}

/** What a new rule has where nothing is sent. */
function isDefault(stored: TopUpRule, field: string): boolean {
  const value = fieldOf(stored, field);
  if (/^(paid|granted)_credits$/.test(field)) return sign(value) === 0;
  if (field === 'payment_method') return isUsualMethod(stored.payment_method);
  return value === false && field !== 'invoice_requires_successful_payment';
}

export function withoutEmpty<Value extends object>(record: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => isFilled(value))) as Partial<Value>;
}

/** What the service could only refuse of rules: an id that no stored rule of the wallet has, and rules that say too little. */
export function refusedRules(rules: Rules, wallet: Wallet | null, now: Date): Refusal | null {
  const unknown = wallet === null ? null : unknownRule(rules, wallet);
  if (unknown !== null) return unknown;
  for (const rule of wholeRules(rules, wallet?.recurring_transaction_rules)) {
    const message = ruleProblem(rule) ?? (isPast(rule.expiration_at, now) ? 'has an expiration_at in the past' : null);
    const unread =
      wallet === null && rule.svc_id !== undefined ? ': the wallet, which would complete it, could not be read' : '';
    if (message !== null) return { argument: 'recurring_transaction_rules[0]', message: `${message}${unread}` };
  }
  return null;
}

function unknownRule(rules: Rules, { recurring_transaction_rules, status }: Wallet): Refusal | null {
  const stored = (recurring_transaction_rules ?? []).map(rule => rule.svc_id);
  const isUnknown = (rules ?? []).some(({ svc_id }) => svc_id !== undefined && !stored.includes(svc_id));
  if (!isUnknown || status === 'terminated') return null;
  const has = stored.length === 0 ? 'it has no rule' : `its rule is ${stored[0]}`;
  return {
    argument: 'recurring_transaction_rules[0].svc_id',
    message: `is not a rule of this wallet: ${has}; omit svc_id to create a new rule`,
  };
}

function ruleProblem(rule: TopUpRule): string | null {
  const { trigger, interval, threshold_credits: threshold, method, target_ongoing_balance: target } = rule;
  if (!isFilled(trigger)) return 'needs a trigger: interval or threshold';
  if (trigger === 'interval' && !isFilled(interval)) return `needs an interval: ${intervals.join(', ')}`;
  if (trigger === 'threshold' && !isFilled(threshold)) return 'needs threshold_credits';
  if (method === 'target' && !isFilled(target)) return 'needs target_ongoing_balance';
  if (method === 'target' && trigger === 'threshold' && new Big(target ?? 0).lt(threshold ?? 0))
    return 'has a target_ongoing_balance below its threshold_credits';
  return rule.grants_target_top_up !== undefined && method !== 'target'
    ? 'accepts grants_target_top_up only with method target'
    : null;
}
