/** Prepaid credits (specification, endpoints 1 and 15; service-behaviour §3.1, §3.15). */

import * as z from 'zod';
import { feeTypes, isOneOf, lifeStatuses, walletTransactionStatuses } from '../src/contract/enums.ts';
import type { Wallet } from '../src/contract/shown.ts';
import { wallet as walletResource } from '../src/contract/wallet.ts';
import * as arg from '../src/definition/args.ts';
import { defineTool, defineWrite, type SummaryContext } from '../src/definition/define.ts';
import { argumentsOf, withSentFields } from '../src/definition/field-arguments.ts';
import { changesOf, questionWith } from '../src/words/changes.ts';
import { wordsOf } from '../src/words/code-words.ts';
import { isPast } from '../src/words/dates.ts';
import { metadataWords, pairsOf } from '../src/words/metadata-words.ts';
import * as w from '../src/words/summary.ts';
import { isUnlisted } from '../src/words/unlisted-values.ts';
import { limitsWords } from '../src/words/wallet-words.ts';
import { onDay, zoneOf } from '../src/words/zoned-times.ts';
import { readShown, type WithCustomer, withBeside } from './records/one-record.ts';
import {
  mergedMetadata,
  readWallet,
  revertOfWalletUpdate,
  sayWalletChanged,
  unsaidOfLimits,
  walletRefuses,
  walletSubject,
  walletToSend,
  walletWarnings,
  walletWords,
  withStoredParts,
} from './wallet-changes.ts';
import { rule } from './wallet-rules.ts';

const brief =
  'svc_id external_customer_id name code status currency balance_cents ongoing_balance_cents expiration_at|null';
const more = `
  priority rate_amount credits_balance credits_ongoing_balance consumed_credits paid_top_up_min_amount_cents
  paid_top_up_max_amount_cents invoice_requires_successful_payment applies_to recurring_transaction_rules
  payment_method purchase_order_number metadata applied_invoice_custom_sections terminated_at
`;

export const updateWallet = defineWrite({
  name: 'update_wallet',
  title: 'Update a wallet',
  toolset: 'wallets',
  effect: 'write',
  endpoint: 'PUT /wallets/{svc_id}',
  description:
    'Updates the settings of an active prepaid wallet and returns a receipt. Arguments you leave out keep their values, except applies_to: without it, the wallet loses its metric limits, so send it again. Cannot change balance, rate or currency, add credits, or terminate the wallet. To find wallets, use list_wallets.',
  input: z.strictObject({
    svc_id: arg.recordId('wallet'),
    ...argumentsOf(walletResource),
    billing_entity_code: arg.idText().describe('Billing entity that invoices top-ups').optional(),
    applies_to: z
      .strictObject({
        fee_types: z
          .array(z.string().refine(type => isOneOf(feeTypes, type), { error: `must be one of ${feeTypes.join(', ')}` }))
          .describe('charge, subscription, commitment, …')
          .optional(),
        billable_metric_codes: arg.texts.optional(),
      })
      // Empty, it names no metric to which the wallet stays limited.
      .meta({ keptEmpty: true })
      .describe('What the credits may pay; left out, metric limits are dropped')
      .optional(),
    recurring_transaction_rules: z
      .array(rule)
      .refine(rules => rules.length <= 1, { error: 'has more than one rule' })
      .describe('Automatic top-up, at most one rule; rules not sent end, [] ends all')
      .optional(),
    payment_method: arg.paymentMethod.optional(),
    metadata: arg.metadata.describe('Replaces all metadata; [] removes it').optional(),
    merge: arg.mergesMetadata,
    invoice_custom_section: arg.customSection.optional(),
  }),
  result: 'wallet',
  brief,
  more: withSentFields(more, brief, walletResource),
  say: (wallet, { args, now, before }: SummaryContext<object, WithCustomer<Wallet>>) => {
    const zone = zoneOf(before ?? null);
    const changed = sayWalletChanged(wallet, args, before);
    const balance = w.say`It has ${w.money(wallet.balance_cents, wallet.currency)}`;
    // The record says the rest; right after a change no one asked for it.
    return changed === null ? describeWallet(wallet, now, zone) : w.sentences(changed, balance);
  },
  change: {
    look: ['list_wallets', readWallet],
    request: ({ svc_id, ...changes }, known) => ({
      path: { svc_id },
      body: { wallet: walletToSend(changes, known ?? null) },
    }),
    prompt: (args, known) =>
      questionWith(
        walletSubject(known, args.svc_id),
        changesOf(withStoredParts(args, known), known, walletWords(known)),
        args.metadata === undefined
          ? null
          : {
              verb: args.merge ? 'add to' : 'replace',
              words: metadataWords(
                known && pairsOf(known.metadata),
                pairsOf(args.merge ? mergedMetadata(args.metadata, known) : args.metadata),
              ),
            },
      ),
    warnings: (args, known) => [...walletWarnings(args, known), ...unsaidOfLimits(args, known)],
    refuses: walletRefuses,
    names: ({ applies_to, billing_entity_code: entity }) => ({
      billing_entities: entity === undefined ? [] : [{ argument: 'billing_entity_code', code: entity }],
      billable_metrics: (applies_to?.billable_metric_codes ?? []).map(code => ({
        argument: 'applies_to.billable_metric_codes',
        code,
      })),
    }),
    revert: revertOfWalletUpdate,
  },
});

export const getWalletTransaction = defineTool({
  name: 'get_wallet_transaction',
  title: 'Get a wallet transaction',
  toolset: 'wallets',
  effect: 'read',
  endpoint: 'GET /wallet_transactions/{svc_id}',
  description:
    'Returns one wallet transaction: credits bought, granted, used or voided. amount is money in major units, credit_amount is credits. To find transactions, use list_wallet_transactions.',
  input: z.strictObject({ svc_id: arg.recordId('transaction') }),
  run: (path, api) =>
    withBeside(
      api,
      'wallet_transaction',
      api.get('/wallet_transactions/{svc_id}', { key: 'wallet_transaction', path }),
      ({ svc_wallet_id }, aside) => readShown(aside, 'wallet', svc_wallet_id),
    ),
  result: 'wallet_transaction',
  brief: `
    svc_wallet_id svc_invoice_id svc_credit_note_id svc_voided_invoice_id status transaction_status amount credit_amount
    remaining_credit_amount remaining_amount_cents priority?50 name invoice_requires_successful_payment? purchase_order_number
    payment_method{payment_method_type?provider payment_method_id} metadata{key value}
    applied_invoice_custom_sections{invoice_custom_section{code}}
  `,
  say: (transaction, { now, beside: wallet = {} }: SummaryContext<Wallet>) => {
    const { status, transaction_status: kind, transaction_type: direction } = transaction;
    const credits = creditsOf(transaction.credit_amount);
    const currency = wallet.currency ?? null;
    const worth = currency === null ? '' : w.opt` (${w.major(transaction.amount, currency)})`;
    const rest = currency === null ? '' : w.opt` (${w.money(transaction.remaining_amount_cents, currency)})`;
    const which = w.named(wallet.name, wallet.code) ?? w.code(transaction.svc_wallet_id);
    const preposition = direction === 'outbound' ? 'out of' : kind === 'purchased' ? 'for' : 'into';
    const settled = status === 'settled' ? w.say`, settled ${onDay(transaction.settled_at, null, now)}` : null;
    return w.sentences(
      status === 'failed' &&
        w.phrase`This transaction failed${w.say` ${onDay(transaction.failed_at, null, now)}`}, so its credits do not count`,
      status === 'pending' && 'This transaction is still pending',
      isUnlisted(transaction, 'status', walletTransactionStatuses) &&
        w.say`This transaction is ${wordsOf('transaction', status)}`,
      w.say`${credits}${worth} ${wordsOf('moved', kind)} ${preposition} wallet ${which}${w.opt` of customer ${w.code(wallet.external_customer_id)}`}${settled ?? ''}` ??
        credits ??
        'A wallet transaction',
      w.say`Name on the invoice: ${w.quoted(transaction.name)}`,
      // For credits that an invoice used, the source says nothing.
      (kind === 'purchased' || kind === 'granted') && w.say`Created ${wordsOf('source', transaction.source)}`,
      status !== 'failed' &&
        status !== 'pending' &&
        w.say`${creditsOf(transaction.remaining_credit_amount)}${rest} are unused`,
    );
  },
});

/** What is left, until when and for what. */
export function describeWallet(wallet: Wallet, now: Date, zone: string | null = null): string {
  const subject = w.named(wallet.name, wallet.code) ?? w.code(wallet.svc_id) ?? 'without an id';
  const balance = w.money(wallet.balance_cents, wallet.currency);
  const hasEnded = wallet.status === 'terminated';
  const empty = w.sign(wallet.balance_cents) !== null && w.sign(wallet.balance_cents) !== 1;
  const expiry = wallet.expiration_at ?? null;
  const expired = isPast(expiry, now);
  const rules = wallet.recurring_transaction_rules?.length ?? 0;
  return w.sentences(
    hasEnded && w.phrase`Wallet ${subject} has ended${w.say` (${onDay(wallet.terminated_at, zone, now)})`}`,
    isUnlisted(wallet, 'status', lifeStatuses) && w.say`Wallet ${subject} is ${wordsOf('life', wallet.status)}`,
    expired && w.say`It expired ${onDay(expiry, zone, now)}`,
    empty && `Wallet ${subject} is empty`,
    w.say`Wallet ${subject} of customer ${w.code(wallet.external_customer_id)} has ${balance} (${w.quantity(wallet.credits_balance)} credits)` ??
      w.say`Wallet ${subject} has ${balance}` ??
      `Wallet ${subject}`,
    !hasEnded && !expired && afterUsage(wallet),
    !hasEnded &&
      (expiry === null
        ? 'expiration_at' in wallet && 'It does not expire'
        : !expired && w.say`It expires ${onDay(expiry, zone, now)}`),
    // A wallet with limits pays only the fees that fit one of them (service-behaviour §11.4).
    !hasEnded && w.say`It covers only ${limitsWords(wallet.applies_to)}, including tax`,
    rules > 0 && !hasEnded && `It has ${rules === 1 ? 'a top-up rule' : `${rules} top-up rules`}`,
  );
}

/** `After the usage so far $103.71 is left`; the service counts drafts among that usage. */
function afterUsage({ ongoing_balance_cents: cents, currency }: Wallet): string | null {
  return w.sign(cents) === -1
    ? w.say`Uninvoiced usage exceeds it by ${w.money(-Number(cents), currency)}`
    : w.say`After usage so far, ${w.money(cents, currency)} is left`;
}

function creditsOf(amount: unknown): string | null {
  return w.say`${w.quantity(amount)} ${w.quantity(amount) === '1' ? 'credit' : 'credits'}`;
}
