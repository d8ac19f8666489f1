/** What an update of a wallet says, refuses and takes back (service-behaviour §3.1). */

import type { Fields, Free, Wallet, WalletLimits } from '../src/contract/shown.ts';
import { wallet as walletResource } from '../src/contract/wallet.ts';
import type { Api, ReadAnswer } from '../src/definition/api.ts';
import type { Arguments, Refusal, Warning, WayBack } from '../src/definition/define.ts';
import { clearedFields, labelsOf } from '../src/definition/field-arguments.ts';
import { fieldOf, isGiven } from '../src/lib/json.ts';
import { type ChangeOptions, changedSentence, changesMade } from '../src/words/changes.ts';
import { hiddenInMetadata, metadataNow, pairsOf } from '../src/words/metadata-words.ts';
import { code, isAltered, listed, money, phrase, quoted, say, sentences, sign } from '../src/words/summary.ts';
import { limitsWords, paymentMethodWords, sectionWords, topUpsWords } from '../src/words/wallet-words.ts';
import { momentIn, zoneOf } from '../src/words/zoned-times.ts';
import { readList } from './records/list-pages.ts';
import { readOne, type WithCustomer, withCustomer, withoutBlankNumber } from './records/one-record.ts';
import { refusedRules, rulesAfter, rulesBack, wholeRules, withoutEmpty } from './wallet-rules.ts';

/** The wallet that an update is about, with the codes of the customer's other active wallets where one is sent. */
export type WalletAsRead = WithCustomer<Wallet> & { readonly other_codes?: readonly Wallet['code'][] };
type Known = WalletAsRead | null;
/** What is sent: fields of the wallet, and what only a request has. */
export type WalletArguments = Wallet & Fields<'merge' | 'invoice_custom_section'>;

/** The wallet with its customer; where a code is given, with the codes of the customer's other active wallets. */
export async function readWallet(
  args: { svc_id: string; code?: string | undefined },
  api: Api,
): Promise<ReadAnswer<WalletAsRead>> {
  const { svc_id } = args;
  const answer = await readOne(api, 'wallet', svc_id);
  if (!answer.ok) return answer;
  const body = await withCustomer(api, answer.body);
  const customer = body.external_customer_id ?? null;
  if (args.code === undefined || args.code === body.code || customer === null) return { ok: true, body };
  const wallets = await readList(api, 'wallets', customer, {}, { all: true });
  const others =
    wallets.ok && wallets.rows.filter(({ status, svc_id: id }) => status === 'active' && id !== body.svc_id);
  return { ok: true, body: others ? { ...body, other_codes: others.map(wallet => wallet.code) } : body };
}

/** `wallet “Prepaid” of “Acme” ($1,140.00 left)`; by its id while nothing is known of it. */
export function walletSubject(known: Known, id: unknown): string {
  const customer = known?.customer ?? {};
  const who = quoted(customer.name) ?? code(known?.external_customer_id);
  const left = money(known?.balance_cents, known?.currency);
  return phrase`wallet${say` ${quoted(known?.name) ?? code(known?.code) ?? code(id)}`}${say` of ${who}`}${say` (${left} left)`}`;
}

const labels = {
  ...labelsOf(walletResource),
  billing_entity_code: 'billing entity',
  applies_to: 'limits',
  recurring_transaction_rules: 'top-up',
  payment_method: 'payment',
  invoice_custom_section: 'invoice sections',
};

export function walletWords(known: Known): ChangeOptions {
  const zone = zoneOf(known);
  return {
    selectors: ['svc_id', 'metadata', 'merge'],
    labels,
    words: {
      expiration_at: value => momentIn(value, zone) ?? 'never',
      applies_to: value => limitsWords(value) ?? 'none',
      purchase_order_number: value => quoted(value) ?? 'none',
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
    ...(applies_to !== undefined && { applies_to: limitsAfter(applies_to, known) }),
    ...(rules !== undefined && { recurring_transaction_rules: rulesAfter(rules, known?.recurring_transaction_rules) }),
  };
}

/** The update as it is sent: limits, rules and merged metadata whole. */
export function walletToSend({ merge, ...sent }: WalletArguments, known: Known): object {
  const { applies_to, recurring_transaction_rules: rules, metadata } = sent;
  return withoutBlankNumber({
    ...sent,
    ...(applies_to !== undefined && { applies_to: limitsAfter(applies_to, known) }),
    ...(rules !== undefined && { recurring_transaction_rules: wholeRules(rules, known?.recurring_transaction_rules) }),
    ...(merge === true && metadata !== undefined && { metadata: mergedMetadata(metadata ?? {}, known) }),
  });
}

/** The service keeps limits to kinds of fees that are not sent, and drops those to metrics (§3.1): both lists are sent. */
function limitsAfter(sent: Wallet['applies_to'], known: Known): WalletLimits {
  const { fee_types = known?.applies_to?.fee_types, billable_metric_codes = [] } = sent ?? {};
  return withoutUndefined({ fee_types, billable_metric_codes });
}

export function mergedMetadata(sent: Free, known: Known | undefined): Free {
  return { ...known?.metadata, ...sent };
}

function metricLimits(wallet: Known): readonly string[] {
  return wallet?.applies_to?.billable_metric_codes ?? [];
}

/** §3.1: metric limits are lost where `applies_to` is left out; rules and metadata are replaced. */
export function walletWarnings(args: WalletArguments, known: Known): string[] {
  const { applies_to, recurring_transaction_rules: rules, metadata, merge, expiration_at } = args;
  const warnings: string[] = [];
  const dropsLimits = applies_to?.billable_metric_codes === undefined;
  if (dropsLimits && metricLimits(known).length > 0) {
    const after = limitsWords(limitsAfter(applies_to, known)) ?? 'everything';
    warnings.push(`It now pays only for ${limitsWords(known?.applies_to)}; after this change it pays for ${after}.`);
  }
  if (known === null) {
    if (dropsLimits) warnings.push('If it is limited to the usage of some metrics, this removes the limit.');
    if (rules !== undefined) warnings.push('Current top-ups that this change does not name end.');
    if (metadata !== undefined && merge !== true)
      warnings.push('Stored metadata that this change does not name is removed.');
  }
  const number = numberOfTopUps({ ...known, ...withoutUndefined(withStoredParts(args, known)) }, args);
  if (number !== null) warnings.push(`${number}.`);
  if (isGiven(expiration_at)) {
    const left = sign(known?.balance_cents) === 1 ? money(known?.balance_cents, known?.currency) : null;
    warnings.push(phrase`Any credits left at that time will be lost${say`; the wallet has ${left} now`}.`);
  }
  return warnings;
}

/** How its limits to metrics could be kept, and which are lost where nothing is said of limits. */
export function unsaidOfLimits({ applies_to }: Pick<WalletArguments, 'applies_to'>, known: Known): Warning[] {
  const codes = metricLimits(known);
  if (applies_to?.billable_metric_codes !== undefined || codes.length === 0) return [];
  const advice = `To keep the limits, also send applies_to with billable_metric_codes ${JSON.stringify(codes)}.`;
  return [{ advice }, ...(applies_to === undefined ? [{ drops: codes }] : [])];
}

/** Which purchase order number the invoices of recurring top-ups carry, where the change does not say it: a rule's or the wallet's. */
function numberOfTopUps(wallet: Wallet, args: WalletArguments): string | null {
  const [rule] = wallet.recurring_transaction_rules ?? [];
  if (rule === undefined) return null;
  const [ofRule, ofWallet] = [quoted(rule.purchase_order_number), quoted(wallet.purchase_order_number)];
  if (args.purchase_order_number !== undefined && ofRule !== null)
    return `Its top-up rule keeps its own purchase order number, ${ofRule}`;
  return args.recurring_transaction_rules !== undefined && ofRule === null && ofWallet !== null
    ? `Invoices of its top-ups carry the wallet's purchase order number, ${ofWallet}`
    : null;
}

/** What the service could only refuse (§3.1). */
export function walletRefuses(args: WalletArguments, known: Known, now: Date): Refusal | null {
  const { expiration_at, recurring_transaction_rules: rules } = args;
  if (Date.parse(expiration_at ?? '') <= now.getTime()) return { argument: 'expiration_at', message: 'is in the past' };
  const refused = rules === undefined ? null : refusedRules(rules, known, now);
  if (refused !== null) return refused;
  if (known === null)
    return args.merge === true ? { argument: 'merge', message: 'needs the wallet, which could not be read' } : null;
  if (known.status === 'terminated')
    return { argument: 'svc_id', message: 'names a terminated wallet, which cannot be changed' };
  if (known.other_codes?.includes(args.code))
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
  const keys = args.merge === true ? Object.keys(mergedMetadata(args.metadata ?? {}, known)).length : 0;
  return keys > 50 ? { argument: 'metadata', message: `would have ${keys} keys; the maximum is 50` } : null;
}

function withoutUndefined<Sent extends object>(args: Sent): Sent {
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
        : `Limits removed: ${codes}; it now pays for ${limitsWords(wallet.applies_to) ?? 'everything'}`;
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

/** How an update is taken back. Limits are always sent along, because leaving them out would drop them once more. */
export function revertOfWalletUpdate(args: WalletArguments, known: WalletAsRead, answer: Wallet): WayBack {
  const back: Arguments = { svc_id: args.svc_id };
  const clear: string[] = [];
  if (args.applies_to !== undefined || metricLimits(known).length > 0) {
    const { fee_types, billable_metric_codes } = known.applies_to ?? {};
    back.applies_to = { fee_types, billable_metric_codes };
  }
  const cannot = (field: string, why: string) => ({ impossible: `${field.replaceAll('_', ' ')} ${why}` });
  for (const field of Object.keys(withoutUndefined(args))) {
    const earlier = fieldOf(known, field) ?? null;
    if (['svc_id', 'merge', 'applies_to'].includes(field)) continue;
    if (field === 'invoice_custom_section') return cannot(field, 'cannot be read back');
    else if (field === 'metadata') back.metadata = known.metadata ?? {};
    else if (field === 'recurring_transaction_rules')
      back[field] = rulesBack(known.recurring_transaction_rules, answer.recurring_transaction_rules);
    else if (earlier !== null) back[field] = field === 'payment_method' ? withoutEmpty(earlier) : earlier;
    else if (clearableFields.includes(field)) clear.push(field);
    else return cannot(field, 'was empty, and cannot be cleared');
  }
  return { arguments: clear.length === 0 ? back : { ...back, clear } };
}

const clearableFields = clearedFields(walletResource);
