/** A misspelt field of a record fails `tsc`, in each kind of module: planted in a copy of the sources, which it reads once. */
import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';

const copy = temporaryFolder();

/** The file, and a text in it with what is right and what is planted in its place: `<right|misspelt>`. */
const rows: [kind: string, file: string, text: string][] = [
  ['a summary', 'tools/plans.ts', 'plan.<pending_deletion|pending_deletoin> === true'],
  ['a summary of one record', 'tools/payments.ts', 'payment.<payment_provider_code|payment_providr_code>'],
  ['a question', 'tools/credit-notes.ts', 'known?.<refund_amount_cents|refund_ammount_cents>'],
  ['a warning', 'tools/subscription-terms.ts', 'known?.<previous_plan_code|previous_plan_cod>'],
  ['a refusal', 'tools/invoices.ts', 'const { <status|statsu: status> } = known;'],
  ['a way back', 'tools/invoices.ts', "known.<invoice_type|invoice_typ> === 'credit'"],
  ['a receipt', 'tools/billing-entities.ts', 'entity.<logo_url|logo_uri>'],
  ['what a write says that it did', 'tools/add-ons.ts', 'before?.<amount_currency|amount_curency>'],
  ['a read beside a summary', 'tools/events.ts', 'isGiven(fee.<svc_charge_id|svc_chargeid>)'],
  ['a lookup', 'tools/lookups/invoices.ts', "row.<status|statsu> === 'finalized'"],
  ['the rows of a list', 'tools/lookups/payments.ts', "['<created_at|create_at>']"],
  [
    'the fields of a catalogue',
    'tools/lookups/catalogue-kinds.ts',
    "'<aggregation_type', 'field_name|agregation_type>'",
  ],
  ['a report', 'tools/quotes/months.ts', 'reported.<invoices_count|invoice_count>'],
  ['sums', 'tools/lookups/owed-words.ts', "overdue, '<total_due_amount_cents|total_due_cents>'"],
  ['the overdue report', 'tools/lookups/owed-words.ts', 'invoice.<payment_due_date|payment_due_day>'],
  ['an overview', 'tools/lookups/overview.ts', 'record.<overdue_since|overdue_sinc>'],
  ['a comparison', 'tools/quotes/comparison.ts', 'plan?.<interval|intervall> ?? '],
  ['a quote', 'tools/quotes/quote.ts', 'fee.<taxes_rate|tax_rate>'],
  ['data of a page', 'tools/chat-pages/chat-page-reads.ts', 'fee.<precise_unit_amount|precise_unitamount>'],
  ['usage', 'tools/quotes/usage-parts.ts', 'entry.<grouped_usage|groupd_usage>'],
  ['an invoice in words', 'src/words/credits.ts', 'invoice.<prepaid_credit_amount_cents|prepaid_cents>'],
  ['a price', 'src/contract/pricing/models/package.ts', "needed('<package_size|package_sise>')"],
  ['a suggestion', 'src/calls/api/meant.ts', 'row.<number|numbr> === number'],
  ['limits of amounts', 'src/calls/change/fields/override-money.ts', 'plan.<parent_id|parent> !== null'],
  ['what overrides change', 'tools/plan-overrides/changes.ts', 'entry.<threshold_display_name|threshold_name>'],
  ['what overrides lose', 'tools/plan-overrides/notes.ts', 'quantity(tax.<rate|rat>)'],
  ['what overrides show', 'tools/plan-overrides/notes.ts', 'record.<plan|plann> ?? {}'],
  ['overrides taken back', 'tools/plan-overrides/revert.ts', 'before.<invoice_display_name|invoice_displayname>'],
  ['an update taken back', 'tools/subscription-revert.ts', "before.<status|statsu> === 'pending'"],
  ['an answer of the service', 'src/service/answers/catalogue.ts', 'charge.<billable_metric_id|billabel_metric_id>,'],
  ['a record of the service', 'src/engine/records/billing.ts', "ShownThreshold['<usage_threshold|usage_treshold>']>"],
  [
    'the engine of the service',
    'src/contract/pricing/models/percentage.ts',
    "optional('<free_units_per_events|free_units_per_event>')",
  ],
  ['a grade of a rehearsal', 'src/rehearse/grade/state.ts', 'const { id, <svc_id|svcid: svc_id> }: Fields'],
  [
    'a member of a token',
    'src/server/http/approve/sign-in.ts',
    '{ state, <verifier|verifer: verifier> }: SignInUnderWay',
  ],
  [
    'a message of a host',
    'src/server/fast/handshake.ts',
    '{ <protocolVersion|protocolVersoin: protocolVersion>, capabilities,',
  ],
  ['a bound on customers', 'src/calls/access/bounds/records/previews.ts', 'body.<subscriptions|subscription> ??'],
  ['a search in masked records', 'src/calls/access/mask/search.ts', 'row.<legal_name|legalname>'],
  ['an amount of a wallet', 'src/calls/change/fields/amounts.ts', 'wallet.<rate_amount|rate_amout>'],
  ['a summary of a wallet', 'tools/wallets.ts', '{ <ongoing_balance_cents|ongoing_balance>: cents, currency }: Wallet'],
  ['what an update of a wallet refuses', 'tools/wallet-changes.ts', "known.<status|state> === 'terminated'"],
  ['the rows of wallets', 'tools/lookups/wallets.ts', 'Date.parse(wallet.<terminated_at|ended_at>'],
  ['a top-up in words', 'src/words/wallet-words.ts', 'quantity(rule.<threshold_credits|treshold_credits>)'],
  ['the key of an answer', 'tools/records/charges-by-event.ts', "(api, '<billable_metric|bilable_metric>', code)"],
];
const plants = rows.map(([kind, file, text]) => {
  const [right = '', misspelt = ''] = [1, 2].map(which => text.replace(/<([^<|>]+)\|([^<|>]+)>/, `$${which}`));
  return [kind, file, right, misspelt] as const;
});

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
