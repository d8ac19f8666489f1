/** Reads an account file and stores it in one transaction. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { InstantText, Json } from '../../engine/records/index.ts';
import { parseMostlyJson } from '../../lib/jsonc.ts';
import { fileReason } from '../../lib/system-errors.ts';
import { problemAt } from '../../lib/value-problems.ts';
import type { OpenStore } from '../store/open.ts';
import type { AccountStore } from '../store/store.ts';
import { AccountBuilder, AccountFileError, type AccountRecords } from './account-builder.ts';
import { organizationOf } from './account-entries.ts';
import { linkCreditFees, linkUsedNotes } from './credit-note-entries.ts';
import type { InvoiceEntries } from './invoice-entries.ts';
import { readEntries } from './read-entries.ts';
import { lists } from './schema.ts';
import { resolveTimes } from './times.ts';

export { AccountFileError };

export interface LoadOptions {
  apiKey: string;
  /** The time from which relative times count. */
  now: Date;
  /** Deletes everything that the store holds, in the same transaction, so that a refused file deletes nothing. */
  reset?: boolean;
  /** Called with one sentence for each thing that the file says but probably does not mean. */
  onWarning?: (warning: string) => void;
  /** Called when the store has the account already, so that the file is not loaded. */
  onExisting?: () => void;
}

/**
 * Loads an account file. When the store already has the account (same organization), its records stay unchanged and only
 * the API key is added. Throws `AccountFileError` with every problem; nothing is stored then.
 */
export async function loadAccount(
  store: OpenStore,
  file: Json,
  { apiKey, now, reset, onExisting, onWarning }: LoadOptions,
): Promise<AccountStore> {
  const { organization, records, warnings } = readAccount(file, now);
  const load = () =>
    store.transaction(async () => {
      if (reset) await store.clear();
      const exists = (await store.account(organization.id)) !== null;
      const account = await store.addAccount(organization, apiKey);
      if (exists) {
        onExisting?.();
        return account;
      }
      for (const warning of warnings) onWarning?.(warning);
      for (const table of Object.keys(records) as (keyof AccountRecords)[]) {
        if (records[table].length) await account.insertMany(table, records[table]);
      }
      return account;
    });
  try {
    return await load();
  } catch (error) {
    // Another instance that started at the same time may have stored the account first.
    if ((await store.account(organization.id)) === null) throw error;
    return load();
  }
}

/** An account file as records. Throws `AccountFileError` with all problems of the file. */
export function readAccount(file: Json, now: Date) {
  const { organization: stated, entries, facts } = readEntries(resolveTimes(file, now));
  const organization = organizationOf(stated, oldestInvoice(entries.invoices, now.toISOString()));
  const builder = new AccountBuilder(organization, { ...facts, problems: [...nulProblems(file), ...facts.problems] });
  const build = (...names: (keyof typeof lists)[]) => {
    for (const name of names)
      builder.each<never>(name, entries[name] as ReadonlyMap<number, never>, lists[name].building(builder));
  };
  build('taxes', 'invoice_custom_sections', 'billing_entities', 'billable_metrics', 'add_ons', 'plans', 'coupons');
  build('customers', 'subscriptions', 'invoices', 'credit_notes');
  linkUsedNotes(builder, entries.invoices);
  build('wallets');
  linkCreditFees(builder, entries.invoices);
  build('alerts', 'payment_requests', 'payments', 'webhook_endpoints', 'events');
  // An invoice is checked again when its credit notes and wallets are there.
  const problems = [...new Set(builder.problems)];
  if (problems.length > 0) throw new AccountFileError(problems);
  return { organization, records: builder.records, warnings: builder.warnings() };
}

/** The day of the oldest invoice, else now. Reports begin with the month in which the account was created (lookups §13). */
function oldestInvoice(invoices: InvoiceEntries, now: InstantText): InstantText {
  const instants = [...invoices.values()].flatMap(({ issuing_date: issued, payment_due_date: due, created_at }) => [
    `${issued}T00:00:00.000Z`,
    `${due ?? issued}T00:00:00.000Z`,
    created_at ?? now,
  ]);
  return instants.reduce((first, instant) => (instant < first ? instant : first), now);
}

/**
 * The JSON of a file, which may have comments and trailing commas. Throws `AccountFileError` with the file's name when it
 * cannot be read or is not JSON.
 */
export async function readAccountFile(path: string): Promise<Json> {
  const refused = (why: string) => new AccountFileError([`The account file ${resolve(path)} ${why}`]);
  const bytes = await readFile(path, 'utf8').catch((error: Error) => {
    throw refused(`cannot be read: ${fileReason(error)}`);
  });
  const text = bytes.replace(/^\uFEFF/, '');
  const parsed = parseMostlyJson(text);
  if ('problem' in parsed || parsed.value === undefined)
    throw refused(`is not valid JSON${'problem' in parsed ? ` (${parsed.problem})` : ': it is empty'}`);
  return parsed.value as Json;
}

/** Neither database can store U+0000. Checked here, so that the problem names the place in the file. */
function nulProblems(json: Json, path: readonly PropertyKey[] = []): string[] {
  if (typeof json === 'string' && json.includes('\0')) {
    return [problemAt(path, 'holds the character U+0000, which cannot be stored')];
  }
  if (typeof json !== 'object' || json === null) return [];
  const list = Array.isArray(json);
  return Object.entries(json).flatMap(([key, value]) =>
    key.includes('\0')
      ? [problemAt(path, 'has a key with the character U+0000')]
      : nulProblems(value, [...path, list ? Number(key) : key]),
  );
}
