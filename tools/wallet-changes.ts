/** What an update of a wallet says, refuses and takes back (service-behaviour §3.1). */

import * as z from 'zod';
import { intervals, topUpMethods, topUpTriggers } from '../src/contract/enums.ts';
import type { Fields, Free, TopUpRule, Wallet } from '../src/contract/shown.ts';
import { walletRule as ruleResource, wallet as walletResource } from '../src/contract/wallet.ts';
import { credits, customSection, paymentMethod, text, wordOf } from '../src/tool/args.ts';
import { argumentsOf, labelsOf } from '../src/tool/field-arguments.ts';
import { briefly } from '../src/tool/free-form.ts';
import type { ReadAnswer, Reads } from '../src/tool/reads.ts';
import { changedSentence, changesMade, hiddenInMetadata, metadataNow, pairsOf } from '../src/words/change-sentences.ts';
import { isFilled } from '../src/words/default-fields.ts';
import type { ChangeOptions } from '../src/words/questions.ts';
import {
  asRecord,
  asRecords,
  asText,
  asTexts,
  code,
  isAltered,
  listed,
  money,
  quoted,
  say,
  sentences,
  sign,
} from '../src/words/summary.ts';
import { limitsWords, paymentMethodWords, sectionWords, topUpsWords } from '../src/words/wallet-words.ts';
import { whenIn, zoneOf } from '../src/words/zoned-times.ts';
import { listPath, readRows } from './reads/pages.ts';
import { readWithCustomer, type WithCustomer } from './reads/written-record.ts';

const selectors = ['svc_id'];

/** The wallet that an update is about, with the codes of the customer's other active wallets where one is sent. */
export type WalletAsRead = WithCustomer<Wallet> & Fields<'other_codes'>;
type Known = WalletAsRead | null;
/** What is sent: fields of the wallet, and what only a request has. */
export type WalletArguments = Wallet & Fields<'merge' | 'invoice_custom_section'>;

/** A top-up rule as it is sent. */
export const rule = z.strictObject({
  svc_id: text.describe('To change that rule').optional(),
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

/** The wallet with its customer; where a code is given, with the codes of the customer's other active wallets. */
export async function readWallet(
  args: { svc_id: string; code?: string | undefined },
  reads: Reads,
): Promise<ReadAnswer<WalletAsRead>> {
  const { svc_id } = args;
  const answer = await readWithCustomer(reads, '/wallets/{svc_id}', 'wallet', { svc_id });
  const customer = answer.ok ? asText(answer.body.external_customer_id) : null;
  if (!answer.ok || args.code === undefined || args.code === answer.body.code || customer === null) return answer;
  const { path, values } = listPath('wallets', customer);
  const wallets = await readRows(reads, path, { key: 'wallets', path: values }, { all: true });
  if (!wallets.ok) return answer;
  const others = wallets.rows.filter(wallet => wallet.status === 'active' && wallet.svc_id !== answer.body.svc_id);
  return { ok: true, body: { ...answer.body, other_codes: others.map(wallet => wallet.code) } };
}

/** `wallet “Prepaid” of “Acme” ($1,140.00 left)`; by its id while nothing is known of it. */
export function walletSubject(known: Known, id: unknown): string {
  const customer = asRecord(known?.customer);
  const who = quoted(customer.name) ?? code(known?.external_customer_id);
  const left = money(known?.balance_cents, known?.currency);
  return `wallet ${quoted(known?.name) ?? code(known?.code) ?? code(id)}${say` of ${who}` ?? ''}${say` (${left} left)` ?? ''}`;
}

export function walletWords(known: Known): ChangeOptions {
  const zone = zoneOf(known);
  return {
    selectors: [...selectors, 'metadata', 'merge'],
    labels: {
      ...labelsOf(walletResource),
      billing_entity_code: 'billing entity',
      applies_to: 'limits',
      recurring_transaction_rules: 'top-up',
      payment_method: 'payment',
      invoice_custom_section: 'invoice sections',
    },
    words: {
      expiration_at: value => whenIn(value, zone) ?? 'never',
      applies_to: value => limitsWords(value) ?? 'none',
      recurring_transaction_rules: value => topUpsWords(value, zone),
      payment_method: paymentMethodWords,
      invoice_custom_section: sectionWords,
    },
    currency: known?.currency,
  };
}

/** The arguments with the stored values that they keep: limits and a rule can be sent in part. */
export function withStoredParts(args: WalletArguments, known: Known): WalletArguments {
  const { applies_to, recurring_transaction_rules: rules } = args;
  return {
    ...args,
    ...(applies_to !== undefined && { applies_to: { ...asRecord(known?.applies_to), ...asRecord(applies_to) } }),
    ...(rules !== undefined && { recurring_transaction_rules: rulesAfter(rules, known) }),
  };
}

/** An entry with the id of a stored rule changes that rule; any other is a new one. */
function rulesAfter(rules: Wallet['recurring_transaction_rules'], known: Known): TopUpRule[] {
  const stored = asRecords(known?.recurring_transaction_rules);
  return asRecords(rules).map(entry => ({
    ...(entry.svc_id !== undefined && stored.find(({ svc_id }) => svc_id === entry.svc_id)),
    ...entry,
  }));
}

export function mergedMetadata(sent: Free, known: Known | undefined): Free {
  return { ...asRecord(known?.metadata), ...sent };
}

export function metricLimits(wallet: Known): string[] {
  return asTexts(asRecord(wallet?.applies_to).billable_metric_codes);
}

/** §3.1: metric limits are lost where `applies_to` is left out; rules and metadata are replaced. */
export function walletWarnings(args: WalletArguments, known: Known): string[] {
  const { applies_to, recurring_transaction_rules: rules, metadata, merge, expiration_at } = args;
  const warnings: string[] = [];
  if (applies_to === undefined && metricLimits(known).length > 0) {
    const after = limitsWords({ fee_types: asRecord(known?.applies_to).fee_types }) ?? 'everything';
    warnings.push(`It pays only for ${limitsWords(known?.applies_to)} now; after this it pays for ${after}.`);
  }
  if (known === null) {
    if (applies_to === undefined) warnings.push('If it is limited to the usage of some metrics, it no longer is.');
    if (rules !== undefined) warnings.push('Top-ups that it has now and that are not named here end.');
    if (metadata !== undefined && merge !== true)
      warnings.push('Metadata that is stored now and not named here is removed.');
  }
  const number = numberOfTopUps({ ...known, ...withoutUndefined(withStoredParts(args, known)) }, args);
  if (number !== null) warnings.push(`${number}.`);
  if (asText(expiration_at) !== null) {
    const left = sign(known?.balance_cents) === 1 ? money(known?.balance_cents, known?.currency) : null;
    warnings.push(`Credits that are left then are lost${say`; it holds ${left} now` ?? ''}.`);
  }
  return warnings;
}

/** Which purchase order number the invoices of recurring top-ups carry, where the change does not say it: a rule's or the wallet's. */
function numberOfTopUps(wallet: Wallet, args: WalletArguments): string | null {
  const [rule] = asRecords(wallet.recurring_transaction_rules);
  if (rule === undefined) return null;
  const [ofRule, ofWallet] = [quoted(rule.purchase_order_number), quoted(wallet.purchase_order_number)];
  if (args.purchase_order_number !== undefined && ofRule !== null)
    return `Its top-up rule keeps a purchase order number of its own, ${ofRule}`;
  return args.recurring_transaction_rules !== undefined && ofRule === null && ofWallet !== null
    ? `Invoices of its top-ups carry the wallet's purchase order number, ${ofWallet}`
    : null;
}

/** What the service could only refuse (§3.1). */
export function walletRefuses(
  args: WalletArguments,
  known: Known,
  now: Date,
): { argument: string; message: string } | null {
  const isPast = (value: unknown): boolean => Date.parse(asText(value) ?? '') <= now.getTime();
  if (isPast(args.expiration_at)) return { argument: 'expiration_at', message: 'is in the past' };
  const rules = 'recurring_transaction_rules';
  const unknown = known === null ? null : unknownRule(args, known);
  if (unknown !== null) return unknown;
  if (args[rules] !== undefined && (known !== null || asRecords(args[rules]).every(rule => rule.svc_id === undefined)))
    for (const rule of rulesAfter(args[rules], known)) {
      const message = ruleProblem(rule) ?? (isPast(rule.expiration_at) ? 'has an expiration_at in the past' : null);
      if (message !== null) return { argument: `${rules}[0]`, message };
    }
  if (known === null)
    return args.merge === true ? { argument: 'merge', message: 'needs the wallet, which could not be read' } : null;
  if (known.status === 'terminated')
    return { argument: 'svc_id', message: 'names a terminated wallet, which takes no changes' };
  if (Array.isArray(known.other_codes) && known.other_codes.includes(args.code))
    return { argument: 'code', message: 'is the code of another active wallet of this customer' };
  const { paid_top_up_min_amount_cents: min, paid_top_up_max_amount_cents: max } = {
    ...known,
    ...withoutUndefined(args),
  };
  if (typeof min === 'number' && typeof max === 'number' && max < min) {
    const field = args.paid_top_up_max_amount_cents === undefined ? 'min' : 'max';
    const [smallest, largest] = [money(min, known.currency), money(max, known.currency)];
    const message = `makes the largest paid top-up (${largest}) smaller than the smallest (${smallest})`;
    return { argument: `paid_top_up_${field}_amount_cents`, message };
  }
  if (args.merge === true && args.metadata !== undefined && isAltered(known, 'metadata'))
    return { argument: 'merge', message: hiddenInMetadata };
  const keys = args.merge === true ? Object.keys(mergedMetadata(asRecord(args.metadata), known)).length : 0;
  return keys > 50 ? { argument: 'metadata', message: `would have ${keys} keys, of at most 50` } : null;
}

/** An entry with an id that no stored rule of the wallet has. */
function unknownRule(args: WalletArguments, wallet: WalletAsRead): { argument: string; message: string } | null {
  const rules = 'recurring_transaction_rules';
  const stored = asRecords(wallet[rules]).map(rule => rule.svc_id);
  const isUnknown = asRecords(args[rules]).some(({ svc_id }) => svc_id !== undefined && !stored.includes(svc_id));
  if (!isUnknown || wallet.status === 'terminated') return null;
  const has = stored.length === 0 ? 'it has no rule' : `its rule is ${asText(stored[0])}`;
  return {
    argument: `${rules}[0].svc_id`,
    message: `is no rule of this wallet: ${has}; without svc_id a new one is made`,
  };
}

function ruleProblem(rule: TopUpRule): string | null {
  const { trigger, interval, threshold_credits: threshold, method, target_ongoing_balance: target } = rule;
  if (!isFilled(trigger)) return 'needs a trigger: interval or threshold';
  if (trigger === 'interval' && !isFilled(interval)) return `needs an interval: ${intervals.join(', ')}`;
  if (trigger === 'threshold' && !isFilled(threshold)) return 'needs threshold_credits';
  if (method === 'target' && !isFilled(target)) return 'needs target_ongoing_balance';
  return rule.grants_target_top_up === true && method !== 'target' ? 'grants a target only with method target' : null;
}

export function withoutUndefined<Sent extends object>(args: Sent): Sent {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined)) as Sent;
}

/** `Changed: the priority of wallet “Prepaid” is now 3 (was 50)`, from what the answer shows, and the limits. */
export function sayWalletChanged(
  wallet: Wallet,
  args: WalletArguments,
  before: WalletAsRead | undefined,
): string | null {
  const [earlier, now] = [metricLimits(before ?? null), metricLimits(wallet)];
  const codes = listed(
    earlier.map(metric => code(metric) ?? ''),
    50,
  );
  const limits =
    args.applies_to !== undefined || codes === null
      ? null
      : earlier.every(metric => now.includes(metric))
        ? `Limits kept: ${codes}`
        : `Limits dropped: ${codes}; it pays for ${limitsWords(wallet.applies_to) ?? 'everything'} now`;
  const options = walletWords({ ...wallet, customer: before?.customer });
  const metadata =
    args.metadata === undefined
      ? null
      : metadataNow(before ? pairsOf(before.metadata) : null, pairsOf(wallet.metadata));
  const { name, code: key } = before ?? wallet;
  const subject = walletSubject({ name, code: key }, args.svc_id);
  const changed = changedSentence(subject, changesMade(args, before, wallet, options), metadata);
  return sentences(changed, limits, numberOfTopUps(wallet, args)) || null;
}
