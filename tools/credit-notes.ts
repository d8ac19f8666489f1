/** Credits and refunds on invoices (specification, endpoint 3; service-behaviour §3.3). */
import * as z from 'zod';
import type { JsonRecord } from '../src/lib/json.ts';
import {
  asRecord,
  asRecords,
  code,
  day,
  listed,
  money,
  named,
  quoted,
  say,
  sentences,
  sign,
} from '../src/present/summary.ts';
import { changesOf, subjectOf, updateQuestion } from '../src/present/words.ts';
import { metadata, recordId, text } from '../src/tool/args.ts';
import { defineTool } from '../src/tool/define.ts';
import { describeErrors } from './customers.ts';

const selectors = ['svc_id'];

export const updateCreditNote = defineTool({
  name: 'update_credit_note',
  title: 'Update a credit note',
  toolset: 'credit_notes',
  effect: 'write',
  endpoint: 'PUT /credit_notes/{svc_id}',
  description: 'Records how the refund of a credit note went, or adds metadata. Moves no money. Finalized notes only.',
  input: z.strictObject({
    svc_id: recordId(),
    refund_status: text.nullable().describe('pending, succeeded or failed').optional(),
    metadata: metadata.describe('Merges: sent keys overwrite, others stay').optional(),
  }),
  selectors,
  request: ({ svc_id, ...credit_note }) => ({ path: { svc_id }, body: { credit_note } }),
  result: 'credit_note',
  brief: `
    svc_id number svc_invoice_id credit_status refund_status currency total_amount_cents refund_amount_cents?
    balance_amount_cents metadata
  `,
  more: 'items applied_taxes offset_amount_cents customer description purchase_order_number applied_invoice_custom_sections error_details',
  detail: true,
  summary: record => describeCreditNote(asRecord(record)),
  target: ({ svc_id }) => ({ resource: 'credit_note', id: svc_id }),
  question: (args, known) => {
    const refund = money(known?.refund_amount_cents, known?.currency);
    const subject = `${subjectOf('credit note', known, args.svc_id, 'number')}${refund === null ? '' : ` with a refund of ${refund}`}`;
    return updateQuestion(subject, changesOf(args, known, { selectors }));
  },
  warnings: ({ refund_status, metadata: sent }) => [
    ...(refund_status === undefined ? [] : ['A refund status is a note only: it moves no money.']),
    ...(sent !== undefined && Object.keys(sent).length === 0
      ? ['metadata merges here: null or {} changes nothing.']
      : []),
  ],
});

function describeCreditNote(note: JsonRecord): string {
  const { currency: unit } = note;
  const refund = code(note.refund_status);
  const errors = asRecords(note.error_details);
  const customer = asRecord(note.customer);
  const subject = code(note.number) ?? code(note.svc_id) ?? 'without an id';
  return sentences(
    refund === 'failed' && `The refund of credit note ${subject} failed`,
    note.credit_status === 'voided' && `Credit note ${subject} is voided`,
    errors.length > 0 && `Attention: ${describeErrors(errors)}`,
    `Credit note ${subject}${say` on invoice ${code(note.invoice_number)}` ?? ''}${say` for ${named(customer.name, customer.external_id)}` ?? ''}${say` is over ${money(note.total_amount_cents, unit)}` ?? ''}`,
    describeItems(note),
    sign(note.refund_amount_cents) === 1 &&
      say`Refund ${money(note.refund_amount_cents, unit)}${say`, status ${refund}` ?? ''}`,
    sign(note.offset_amount_cents) === 1 &&
      say`${money(note.offset_amount_cents, unit)} of it is set against the invoice itself`,
    sign(note.credit_amount_cents) === 1 &&
      say`Credit ${money(note.credit_amount_cents, unit)}, of which ${money(note.balance_amount_cents, unit)} is unused${say` (${code(note.credit_status)})` ?? ''}`,
    say`Reason: ${code(note.reason)}`,
    say`Issued ${day(note.issuing_date)}`,
  );
}

const MAX_ITEMS = 4;

/** `It covers $200.00 of the $750.00 of “Onboarding day”, plus taxes $17.75`: what is credited, and of how much. */
function describeItems(note: JsonRecord): string | null {
  const items = asRecords(note.items).map(entry => {
    const fee = asRecord(entry.fee);
    const item = asRecord(fee.item);
    const name = quoted(item.invoice_display_name) ?? quoted(item.name) ?? code(item.code) ?? quoted(fee.description);
    const whole = entry.amount_cents === fee.amount_cents ? null : money(fee.amount_cents, note.currency);
    return say`${money(entry.amount_cents, note.currency)}${say` of the ${whole}` ?? ''} of ${name}`;
  });
  const told = items.filter(item => item !== null);
  const coupons = sign(note.coupons_adjustment_amount_cents) === 1 ? note.coupons_adjustment_amount_cents : null;
  const taxes = sign(note.taxes_amount_cents) === 1 ? note.taxes_amount_cents : null;
  const changes = [
    say`, less ${money(coupons, note.currency)} that coupons had taken off`,
    say`, plus taxes ${money(taxes, note.currency)}`,
  ];
  return say`It covers ${listed(told, MAX_ITEMS)}${changes.filter(change => change !== null).join('')}`;
}
