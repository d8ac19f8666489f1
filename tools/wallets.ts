/** Prepaid credits (specification, endpoints 1 and 15; service-behaviour §3.1, §3.15). */
import * as z from 'zod';
import type { JsonRecord } from '../src/lib/json.ts';
import {
  asRecord,
  asRecords,
  asText,
  asTexts,
  code,
  instant,
  listed,
  money,
  named,
  quantity,
  say,
  sentences,
  sign,
} from '../src/present/summary.ts';
import { changesOf, subjectOf, updateQuestion } from '../src/present/words.ts';
import {
  brieflyListed,
  cents,
  clearableText,
  customSection,
  dateTime,
  decimal,
  flag,
  metadata,
  paymentMethod,
  recordId,
  text,
  texts,
} from '../src/tool/args.ts';
import { defineTool, type Known } from '../src/tool/define.ts';

const selectors = ['svc_id'];

const rule = z.strictObject({
  svc_id: text.optional(),
  trigger: text.optional(),
  method: text.optional(),
  interval: text.optional(),
  threshold_credits: decimal.optional(),
  target_ongoing_balance: decimal.optional(),
  paid_credits: decimal.optional(),
  granted_credits: decimal.optional(),
  started_at: dateTime().optional(),
  expiration_at: dateTime().optional(),
  grants_target_top_up: flag.optional(),
  invoice_requires_successful_payment: flag.optional(),
  ignore_paid_top_up_limits: flag.optional(),
  purchase_order_number: text.optional(),
  transaction_name: text.optional(),
  transaction_metadata: brieflyListed(z.strictObject({ key: text, value: text })).optional(),
  payment_method: paymentMethod.optional(),
  invoice_custom_section: customSection.optional(),
});

/** The rule's other fields, as the listing names them. */
const others = Object.keys(rule.shape).slice(Object.keys(rule.shape).indexOf('granted_credits') + 1);

export const updateWallet = defineTool({
  name: 'update_wallet',
  title: 'Update a wallet',
  toolset: 'wallets',
  effect: 'write',
  endpoint: 'PUT /wallets/{svc_id}',
  description:
    'Changes the settings of an active prepaid wallet. Cannot change balance, rate or currency, add credits or terminate it. Leaving applies_to out drops the stored metric limits: resend it. Absent arguments else keep their value.',
  input: z.strictObject({
    svc_id: recordId().describe("Wallet's svc_id (UUID)"),
    name: clearableText.optional(),
    code: text.optional(),
    priority: z.int().describe('1 (used first) to 50').optional(),
    expiration_at: dateTime().nullable().describe('Future').optional(),
    invoice_requires_successful_payment: flag.optional(),
    paid_top_up_min_amount_cents: cents.nullable().optional(),
    paid_top_up_max_amount_cents: cents.nullable().optional(),
    applies_to: z
      .strictObject({
        fee_types: texts.describe('charge, subscription, commitment, …').optional(),
        billable_metric_codes: texts.optional(),
      })
      .optional(),
    recurring_transaction_rules: brieflyListed(
      rule,
      `At most one; replaces: rules not listed end, [] ends all. {svc_id (to change that rule), trigger: interval|threshold, interval: weekly|monthly|quarterly|semiannual|yearly, method: fixed|target, threshold_credits, target_ongoing_balance, paid_credits, granted_credits (decimal strings), ${others.join(', ')}}`,
    ).optional(),
    payment_method: paymentMethod.optional(),
    metadata: metadata.describe('Replaces all; {} empties').optional(),
    invoice_custom_section: customSection.optional(),
  }),
  selectors,
  request: ({ svc_id, ...wallet }) => ({ path: { svc_id }, body: { wallet } }),
  result: 'wallet',
  brief: `
    svc_id external_customer_id name code status currency balance_cents ongoing_balance_cents expiration_at|null
  `,
  more: `
    priority rate_amount credits_balance credits_ongoing_balance consumed_credits paid_top_up_min_amount_cents
    paid_top_up_max_amount_cents invoice_requires_successful_payment applies_to recurring_transaction_rules
    payment_method purchase_order_number metadata applied_invoice_custom_sections terminated_at
  `,
  detail: true,
  summary: (record, { now }) => describeWallet(asRecord(record), now),
  target: ({ svc_id }) => ({ resource: 'wallet', id: svc_id }),
  question: (args, known) =>
    updateQuestion(
      subjectOf('wallet', known, args.svc_id),
      changesOf(args, known, {
        selectors,
        labels: {
          expiration_at: 'expiry',
          paid_top_up_min_amount_cents: 'smallest paid top-up',
          paid_top_up_max_amount_cents: 'largest paid top-up',
          invoice_requires_successful_payment: 'waiting for payment before a top-up is invoiced',
          applies_to: 'limits to fees',
          recurring_transaction_rules: 'top-up rules',
        },
        currency: known?.currency,
      }),
    ),
  warnings: walletWarnings,
});

export const getWalletTransaction = defineTool({
  name: 'get_wallet_transaction',
  title: 'Get a wallet transaction',
  toolset: 'wallets',
  effect: 'read',
  endpoint: 'GET /wallet_transactions/{svc_id}',
  description:
    'One movement of a wallet: credits bought, granted, used or voided. amount is money, credit_amount credits.',
  input: z.strictObject({ svc_id: recordId() }),
  request: path => ({ path }),
  result: 'wallet_transaction',
  brief: `
    svc_wallet_id svc_invoice_id svc_credit_note_id svc_voided_invoice_id status transaction_status amount credit_amount
    remaining_credit_amount priority?50 name invoice_requires_successful_payment? purchase_order_number
    payment_method{payment_method_type?provider payment_method_id} metadata{key value}
    applied_invoice_custom_sections{invoice_custom_section{code}}
  `,
  summary: record => describeTransaction(asRecord(record)),
});

/** §3.1: metric limits are lost, rules and metadata are replaced. */
function walletWarnings(args: JsonRecord, known: Known): string[] {
  const warnings: string[] = [];
  const limits = known === null ? null : asRecord(known.applies_to).billable_metric_codes;
  if (args.applies_to === undefined && !(Array.isArray(limits) && limits.length === 0)) {
    const stored = Array.isArray(limits)
      ? ` (${limits
          .slice(0, 10)
          .map(metric => code(metric) ?? '')
          .join(', ')})`
      : ', if it has any';
    warnings.push(
      `applies_to is left out: the service drops the wallet's metric limits${stored}. Send applies_to to keep them.`,
    );
  }
  const rules = args.recurring_transaction_rules;
  if (Array.isArray(rules)) {
    const kept = new Set(asRecords(rules).map(entry => entry.svc_id));
    const ended = asRecords(known?.recurring_transaction_rules).filter(entry => !kept.has(entry.svc_id)).length;
    if (rules.length === 0 || ended > 0 || known === null)
      warnings.push(
        `recurring_transaction_rules replaces the wallet's rules: ${rules.length === 0 ? 'all end' : 'those not listed end'}.`,
      );
  }
  if (args.metadata !== undefined) {
    const lost = Object.keys(asRecord(known?.metadata)).filter(key => !Object.hasOwn(asRecord(args.metadata), key));
    const names =
      lost.length > 0
        ? `; removed: ${lost
            .slice(0, 10)
            .map(key => code(key) ?? '')
            .join(', ')}`
        : '';
    if (known === null || lost.length > 0) warnings.push(`metadata replaces everything stored${names}.`);
  }
  if (asText(args.expiration_at) !== null)
    warnings.push(`The wallet's credits expire at ${instant(args.expiration_at)}.`);
  return warnings;
}

/** What is left, until when and for what. */
export function describeWallet(wallet: JsonRecord, now: Date): string {
  const subject = named(wallet.name, wallet.code) ?? code(wallet.svc_id) ?? 'without an id';
  const balance = money(wallet.balance_cents, wallet.currency);
  const over = wallet.status === 'terminated';
  const empty = sign(wallet.balance_cents) !== null && sign(wallet.balance_cents) !== 1;
  const overdrawn = sign(wallet.ongoing_balance_cents) === -1;
  const expiry = asText(wallet.expiration_at);
  const expired = expiry !== null && Date.parse(expiry) <= now.getTime();
  const rules = asRecords(wallet.recurring_transaction_rules).length;
  return sentences(
    over && `Wallet ${subject} is terminated${say` since ${instant(wallet.terminated_at)}` ?? ''}`,
    expired && say`It expired at ${instant(expiry)}`,
    empty && `Wallet ${subject} is empty`,
    overdrawn &&
      say`Usage of the running period exceeds it: ongoing balance ${money(wallet.ongoing_balance_cents, wallet.currency)}`,
    say`Wallet ${subject} of customer ${code(wallet.external_customer_id)} holds ${balance} (${quantity(wallet.credits_balance)} credits)` ??
      say`Wallet ${subject} holds ${balance}` ??
      `Wallet ${subject}`,
    !overdrawn &&
      !over &&
      !expired &&
      say`After the usage so far ${money(wallet.ongoing_balance_cents, wallet.currency)} will be left`,
    !over &&
      (expiry === null
        ? 'expiration_at' in wallet && 'It does not expire'
        : !expired && say`It expires at ${instant(expiry)}`),
    !over && describeLimits(asRecord(wallet.applies_to)),
    rules > 0 && !over && `It has ${rules === 1 ? 'a top-up rule' : `${rules} top-up rules`}`,
  );
}

/** A wallet with limits pays only the fees that fit one of them (service-behaviour §11.4). */
function describeLimits({ fee_types, billable_metric_codes }: JsonRecord): string | null {
  const kinds = asTexts(fee_types).map(kind => code(kind)?.replaceAll('_', ' ') ?? '');
  const metrics = asTexts(billable_metric_codes).map(metric => code(metric) ?? '');
  const limits = [say`${listed(kinds)} fees`, say`usage of ${listed(metrics)}`].filter(limit => limit !== null);
  return say`It pays only ${listed(limits)}, and no more than these fees with their tax`;
}

function describeTransaction(transaction: JsonRecord): string {
  const status = code(transaction.status);
  const direction = transaction.transaction_type === 'outbound' ? 'out of' : 'into';
  const credits = quantity(transaction.credit_amount);
  return sentences(
    status === 'failed' &&
      `This transaction failed${say` at ${instant(transaction.failed_at)}` ?? ''}; its credits do not count`,
    status === 'pending' && 'This transaction is still pending',
    say`${credits} credits (worth ${quantity(transaction.amount)} in the wallet's currency) ${code(transaction.transaction_status)} ${direction} wallet ${code(transaction.svc_wallet_id)}` ??
      say`${credits} credits` ??
      'A wallet transaction',
    say`${named(transaction.name, null)} is its label`,
    say`Source: ${code(transaction.source)}`,
    status === 'settled' && say`Settled at ${instant(transaction.settled_at)}`,
    status !== 'failed' && say`${quantity(transaction.remaining_credit_amount)} credits of it are unused`,
  );
}
