/** Credits and refunds on invoices (specification, endpoint 3; service-behaviour §3.3). */
import * as z from 'zod';
import { refundStatuses } from '../src/contract/enums.ts';
import type { CreditNote, Free } from '../src/contract/shown.ts';
import { metadata, recordId, wordOf } from '../src/definition/args.ts';
import { type Arguments, defineWrite } from '../src/definition/define.ts';
import { isGiven } from '../src/lib/json.ts';
import { documentSubject, questionWith } from '../src/words/changes.ts';
import { problemsInWords, wordsOf } from '../src/words/code-words.ts';
import { metadataNow, metadataWords, type Pairs, pairsOf } from '../src/words/metadata-words.ts';
import { code, day, listed, money, named, opt, phrase, quoted, say, sentences, sign } from '../src/words/summary.ts';
import { readOne } from './records/one-record.ts';

export const updateCreditNote = defineWrite({
  name: 'update_credit_note',
  title: 'Update a credit note',
  toolset: 'credit_notes',
  effect: 'write',
  endpoint: 'PUT /credit_notes/{svc_id}',
  description:
    'Records the refund status of a finalized credit note or adds metadata, and returns a receipt. Moves no money. To find credit notes, use list_credit_notes.',
  input: z.strictObject({
    svc_id: recordId('credit note'),
    refund_status: wordOf(refundStatuses, {
      paid: 'succeeded',
      refunded: 'succeeded',
      done: 'succeeded',
      success: 'succeeded',
      open: 'pending',
      declined: 'failed',
    })
      .nullable()
      .optional(),
    metadata: metadata.describe('Merged: keys you send overwrite, others stay').optional(),
  }),
  result: 'credit_note',
  brief: `
    svc_id number svc_invoice_id credit_status refund_status currency total_amount_cents refund_amount_cents?
    balance_amount_cents metadata
  `,
  more: 'items applied_taxes offset_amount_cents customer description purchase_order_number applied_invoice_custom_sections error_details',
  say: (note, { args, before, now }) => {
    const changed = sayChanged(note, args, before);
    return sentences(changed, describeCreditNote(note, before !== undefined, now));
  },
  change: {
    look: ['list_credit_notes', ({ svc_id }, api) => readOne(api, 'credit_note', svc_id)],
    request: ({ svc_id, ...credit_note }) => ({ path: { svc_id }, body: { credit_note } }),
    prompt: (args, known) => {
      const total = amountOf(known?.total_amount_cents, known?.currency);
      const subject = documentSubject('credit note', known, args.svc_id, [total]);
      const metadata = args.metadata && {
        verb: 'add to' as const,
        words: metadataWords(known && pairsOf(known.metadata), mergedPairs(args.metadata, known)),
      };
      const was = wordsOf('refund', known?.refund_status);
      const refund = amountOf(known?.refund_amount_cents, known?.currency);
      const mark =
        args.refund_status === null
          ? `Clear the refund status of ${subject}`
          : phrase`Mark the refund${say` of ${refund}`} of ${subject} as ${wordsOf('refund', args.refund_status)}`;
      const marked = args.refund_status === undefined ? null : phrase`${mark}${say` (was: ${was})`}`;
      return questionWith(subject, [], metadata ?? null, marked);
    },
    warnings: ({ refund_status, metadata: sent }, known) => [
      ...(refund_status === undefined
        ? []
        : known !== null && sign(known.refund_amount_cents) !== 1
          ? ['This credit note has no refund, and the change moves no money.']
          : ['The change moves no money.']),
      ...(sent !== undefined && Object.keys(sent).length === 0 ? ['The metadata does not change.'] : []),
    ],
    refuses: ({ refund_status, metadata: sent }, known) => {
      if (refund_status === undefined && sent !== undefined && Object.keys(sent).length === 0)
        return { argument: 'metadata', message: 'is empty and changes nothing: a credit note keeps its keys' };
      const count = mergedPairs(sent, known).length;
      return count > 50 ? { argument: 'metadata', message: `would have ${count} keys; the maximum is 50` } : null;
    },
    revert: (args, known) => {
      const back: Arguments = { svc_id: args.svc_id };
      const earlier = known.metadata ?? {};
      const added = Object.keys(args.metadata ?? {}).filter(key => !Object.hasOwn(earlier, key));
      if (added.length > 0) {
        const keys = listed(added.map(key => code(key) ?? ''));
        return { impossible: `a credit note keeps its metadata keys: ${keys} cannot be removed` };
      }
      const keys = Object.keys(args.metadata ?? {});
      if (keys.length > 0) back.metadata = Object.fromEntries(keys.map(key => [key, earlier[key]]));
      if (args.refund_status !== undefined && !isGiven(known.refund_status)) back.clear = ['refund_status'];
      else if (args.refund_status !== undefined) back.refund_status = known.refund_status;
      return Object.keys(back).length === 1 ? { impossible: 'nothing was changed' } : { arguments: back };
    },
  },
});

/** A field's money, if it is above 0. */
function amountOf(cents: unknown, unit: unknown): string | null {
  return sign(cents) === 1 ? money(cents, unit) : null;
}

/** §3.3: what is sent is merged into what is stored. */
function mergedPairs(sent: Free | undefined, known: CreditNote | null): Pairs {
  return pairsOf({ ...known?.metadata, ...sent });
}

/** `Changed: the refund is marked as paid out (was: pending)`, from what the answer shows. */
function sayChanged(
  note: CreditNote,
  args: { readonly refund_status?: string | null | undefined; readonly metadata?: Free | undefined },
  before: CreditNote | undefined,
): string | null {
  const status = note.refund_status ?? null;
  const moved = args.refund_status === status && (before?.refund_status ?? undefined) !== (status ?? undefined);
  const was = opt` (was: ${wordsOf('refund', before?.refund_status)})`;
  const parts = [
    moved
      ? (status === null ? 'the refund status is cleared' : `the refund is marked as ${wordsOf('refund', status)}`) +
        was
      : null,
    args.metadata === undefined ? null : metadataNow(before ? pairsOf(before.metadata) : null, pairsOf(note.metadata)),
  ].filter(part => part !== null);
  return parts.length === 0 ? null : `Changed: ${parts.join('; ')}`;
}

/** `seen`: it was seen before the write, so that what no update can touch need not be said again. */
function describeCreditNote(note: CreditNote, seen: boolean, now: Date): string {
  const { currency: unit } = note;
  const refund = wordsOf('refund', note.refund_status);
  const errors = note.error_details ?? [];
  const customer = note.customer ?? {};
  const subject = code(note.number) ?? code(note.svc_id) ?? 'without an id';
  return sentences(
    !seen && note.refund_status === 'failed' && `The refund of credit note ${subject} failed`,
    note.credit_status === 'voided' && `Credit note ${subject} is voided`,
    errors.length > 0 && `Attention: ${problemsInWords(errors)}`,
    phrase`Credit note ${subject}${say` on invoice ${code(note.invoice_number)}`}${say` for ${named(customer.name, customer.external_id)}`}${say`: ${money(note.total_amount_cents, unit)}`}`,
    !seen && say`Issued on ${day(note.issuing_date, now)}`,
    !seen && describeItems(note),
    sign(note.refund_amount_cents) === 1 && say`Refund ${money(note.refund_amount_cents, unit)}${opt`: ${refund}`}`,
    sign(note.offset_amount_cents) === 1 &&
      say`${money(note.offset_amount_cents, unit)} of it is offset against the invoice itself`,
    sign(note.credit_amount_cents) === 1 &&
      note.credit_status !== 'voided' &&
      say`Credit ${money(note.credit_amount_cents, unit)}, of which ${money(note.balance_amount_cents, unit)} is left`,
    !seen && say`Reason: ${wordsOf('creditNoteReason', note.reason)}`,
  );
}

const MAX_ITEMS = 4;

/** `It covers $200.00 of the $750.00 of “Onboarding day”, plus taxes $17.75`: what is credited, and of how much. */
function describeItems(note: CreditNote): string | null {
  const items = (note.items ?? []).map(entry => {
    const fee = entry.fee ?? {};
    const item = fee.item ?? {};
    const name = quoted(item.invoice_display_name) ?? quoted(item.name) ?? code(item.code) ?? quoted(fee.description);
    const whole = entry.amount_cents === fee.amount_cents ? null : money(fee.amount_cents, note.currency);
    return say`${money(entry.amount_cents, note.currency)}${opt` of the ${whole}`} of ${name}`;
  });
  const itemTexts = items.filter(item => item !== null);
  const coupons = sign(note.coupons_adjustment_amount_cents) === 1 ? note.coupons_adjustment_amount_cents : null;
  const taxes = sign(note.taxes_amount_cents) === 1 ? note.taxes_amount_cents : null;
  const changes = [
    say`, less ${money(coupons, note.currency)} taken off by coupons`,
    say`, plus taxes ${money(taxes, note.currency)}`,
  ];
  return say`It covers ${listed(itemTexts, MAX_ITEMS)}${changes.filter(change => change !== null).join('')}`;
}
