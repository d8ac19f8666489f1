/** A misspelt field of a record fails `tsc`, in each kind of module: planted in a copy of the sources, which it reads once. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const copy = mkdtempSync(join(tmpdir(), 'misspelt-fields-'));
afterAll(() => rmSync(copy, { recursive: true }));

/** The file, what is right in it, and what is planted in its place. */
const plants: [kind: string, file: string, right: string, misspelt: string][] = [
  ['a summary', 'tools/plans.ts', 'plan.pending_deletion === true', 'plan.pending_deletoin === true'],
  ['a summary of one record', 'tools/payments.ts', 'payment.payment_provider_code', 'payment.payment_providr_code'],
  ['a question', 'tools/credit-notes.ts', 'known?.refund_amount_cents', 'known?.refund_ammount_cents'],
  ['a warning', 'tools/subscription-terms.ts', 'known?.previous_plan_code', 'known?.previous_plan_cod'],
  ['a refusal', 'tools/invoices.ts', 'const { status } = known;', 'const { statsu: status } = known;'],
  ['a way back', 'tools/invoices.ts', "known.invoice_type === 'credit'", "known.invoice_typ === 'credit'"],
  ['a receipt', 'tools/billing-entities.ts', 'entity.logo_url', 'entity.logo_uri'],
  ['what a write says that it did', 'tools/add-ons.ts', 'before?.amount_currency', 'before?.amount_curency'],
  ['a read beside a summary', 'tools/events.ts', 'isGiven(fee.svc_charge_id)', 'isGiven(fee.svc_chargeid)'],
  ['a lookup', 'tools/lookups/invoices.ts', "row.status === 'finalized'", "row.statsu === 'finalized'"],
  ['the rows of a list', 'tools/lookups/payments.ts', "['created_at']", "['create_at']"],
  [
    'the fields of a catalogue',
    'tools/lookups/catalogue-kinds.ts',
    "'aggregation_type', 'field_name'",
    "'agregation_type'",
  ],
  ['a report', 'tools/quotes/months.ts', 'reported.invoices_count', 'reported.invoice_count'],
  ['sums', 'tools/lookups/owed-words.ts', "overdue, 'total_due_amount_cents'", "overdue, 'total_due_cents'"],
  ['the overdue report', 'tools/lookups/owed-words.ts', 'invoice.payment_due_date', 'invoice.payment_due_day'],
  ['an overview', 'tools/lookups/overview.ts', 'record.overdue_since', 'record.overdue_sinc'],
  ['a comparison', 'tools/quotes/comparison.ts', 'plan?.interval ?? ', 'plan?.intervall ?? '],
  ['a quote', 'tools/quotes/quote.ts', 'fee.taxes_rate', 'fee.tax_rate'],
  ['data of a page', 'tools/chat-pages/chat-page-reads.ts', 'fee.precise_unit_amount', 'fee.precise_unitamount'],
  ['usage', 'tools/quotes/usage-parts.ts', 'entry.grouped_usage', 'entry.groupd_usage'],
  ['an invoice in words', 'src/words/credits.ts', 'invoice.prepaid_credit_amount_cents', 'invoice.prepaid_cents'],
  ['a price', 'src/contract/pricing/models/package.ts', "needed('package_size')", "needed('package_sise')"],
  ['a suggestion', 'src/calls/api/meant.ts', 'row.number === number', 'row.numbr === number'],
  ['limits of amounts', 'src/calls/change/fields/override-money.ts', 'plan.parent_id !== null', 'plan.parent !== null'],
  ['what overrides change', 'tools/plan-overrides/changes.ts', 'entry.threshold_display_name', 'entry.threshold_name'],
  ['what overrides lose', 'tools/plan-overrides/notes.ts', 'quantity(tax.rate)', 'quantity(tax.rat)'],
  ['what overrides show', 'tools/plan-overrides/notes.ts', 'record.plan ?? {}', 'record.plann ?? {}'],
  [
    'overrides taken back',
    'tools/plan-overrides/revert.ts',
    'before.invoice_display_name',
    'before.invoice_displayname',
  ],
  [
    'an update taken back',
    'tools/subscription-revert.ts',
    "before.status === 'pending'",
    "before.statsu === 'pending'",
  ],
  [
    'an answer of the service',
    'src/service/answers/catalogue.ts',
    'charge.billable_metric_id,',
    'charge.billabel_metric_id,',
  ],
  [
    'a record of the service',
    'src/engine/records/billing.ts',
    "ShownThreshold['usage_threshold']>",
    "ShownThreshold['usage_treshold']>",
  ],
  [
    'the engine of the service',
    'src/contract/pricing/models/percentage.ts',
    "optional('free_units_per_events')",
    "optional('free_units_per_event')",
  ],
  ['a grade of a rehearsal', 'src/rehearse/grade/state.ts', '({ webhook_url })', '({ webhook_uri })'],
  [
    'a member of a token',
    'src/server/http/approve/sign-in.ts',
    'const { state, verifier } =',
    'const { state, verifer: verifier } =',
  ],
  [
    'a message of a host',
    'src/server/fast/handshake.ts',
    '{ protocolVersion, capabilities,',
    '{ protocolVersoin: protocolVersion, capabilities,',
  ],
  [
    'a bound on customers',
    'src/calls/access/bounds/records/previews.ts',
    'body.subscriptions ??',
    'body.subscription ??',
  ],
  ['a search in masked records', 'src/calls/access/mask/search.ts', 'row.legal_name', 'row.legalname'],
  ['an amount of a wallet', 'src/calls/change/fields/amounts.ts', 'wallet.rate_amount', 'wallet.rate_amout'],
  [
    'a summary of a wallet',
    'tools/wallets.ts',
    '{ ongoing_balance_cents: cents, currency }: Wallet',
    '{ ongoing_balance: cents, currency }: Wallet',
  ],
  [
    'what an update of a wallet refuses',
    'tools/wallet-changes.ts',
    "known.status === 'terminated'",
    "known.state === 'terminated'",
  ],
  ['the rows of wallets', 'tools/lookups/wallets.ts', 'Date.parse(wallet.terminated_at', 'Date.parse(wallet.ended_at'],
  [
    'a top-up in words',
    'src/words/wallet-words.ts',
    'quantity(rule.threshold_credits)',
    'quantity(rule.treshold_credits)',
  ],
  ['the key of an answer', 'tools/records/charges-by-event.ts', "key: 'billable_metric'", "key: 'bilable_metric'"],
];

let output = '';
beforeAll(async () => {
  for (const part of ['src', 'tools', 'tsconfig.json', 'package.json'])
    cpSync(part, join(copy, part), { recursive: true });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  for (const [, file, right, misspelt] of plants) {
    const text = readFileSync(join(copy, file), 'utf8');
    expect(text, file).toContain(right);
    writeFileSync(join(copy, file), text.replace(right, misspelt));
  }
  const tsc = ['node_modules/typescript/bin/tsc', '--noEmit', '--checkers', '1'];
  const run = promisify(execFile)(process.execPath, tsc, { cwd: copy });
  output = (await run.catch(error => error)).stdout;
});

it.each(plants)('%s', (_kind, file, right, misspelt) => {
  const lines = readFileSync(join(copy, file), 'utf8').split('\n');
  const at = lines.findIndex(line => line.includes(misspelt)) + 1;
  expect(output, `${right} → ${misspelt}`).toMatch(new RegExp(`^${file.replaceAll('.', '\\.')}\\(${at},`, 'm'));
});
