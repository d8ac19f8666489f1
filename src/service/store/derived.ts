/**
 * Text columns that are derived from a record when it is written, so that lists search without reading JSON and both
 * databases compare alike: a database's own lower case depends on its locale, or knows ASCII only.
 */

import type { MetadataEntry, TableName } from '../../engine/records/index.ts';
import { folded } from '../../lib/case-folding.ts';
import { fieldOf } from '../../lib/json.ts';
import type { Bound } from './binding.ts';
import { derivedEventColumns } from './events.ts';

interface Derivation {
  /** The record's fields that the text is made of. */
  from: readonly string[];
  text(fields: object): string | null;
}

/** Stands between the texts of several fields, so that no term matches across two of them. */
export const FIELD_SEPARATOR = '\u0001';

const derivedText = {
  customers: {
    search_text: searchText('name', 'firstname', 'lastname', 'external_id', 'email'),
    legal_name_text: searchText('legal_name'),
    metadata_text: metadataText(),
  },
  invoices: {
    number_text: searchText('number'),
    purchase_order_text: searchText('purchase_order_number'),
    metadata_text: metadataText(),
  },
  credit_notes: { number_text: searchText('number') },
  wallet_transactions: { metadata_text: metadataText() },
} as const satisfies { [Table in TableName]?: Record<string, Derivation> };

/** The derived text columns of a table. */
export type DerivedText<T extends TableName> = T extends keyof typeof derivedText
  ? keyof (typeof derivedText)[T] & string
  : never;

/** The columns of a table that are not part of its record, with the names of their kinds in columns.ts. */
export function derivedColumns(table: TableName): Record<string, 'text' | 'int' | 'flag'> {
  if (table === 'events') return derivedEventColumns;
  return Object.fromEntries(Object.keys(derivations(table)).map(name => [name, 'text']));
}

/** The derived texts of a record; for some of its fields, only the texts that need no other field. */
export function derivedTexts(table: TableName, fields: object): Record<string, Bound> {
  const row: Record<string, Bound> = {};
  for (const [name, { from, text }] of Object.entries(derivations(table))) {
    if (from.every(field => hasField(fields, field))) row[name] = text(fields);
  }
  return row;
}

/** Do these changed fields change a derived text that is also made of fields that do not change? */
export function needsWholeRecord(table: TableName, fields: object): boolean {
  const isChanged = (field: string) => hasField(fields, field);
  return Object.values(derivations(table)).some(({ from }) => from.some(isChanged) && !from.every(isChanged));
}

/** An entry's part of `metadata_text`; without a value, the beginning that the entries with the key have in common. */
export function metadataPart(key: string, value: string | null): string {
  const entry = JSON.stringify(value === null ? [key] : [key, value]);
  return value === null ? `\n${entry.slice(0, -1)},` : `\n${entry}\n`;
}

function hasField(fields: object, field: string): boolean {
  return fieldOf(fields, field) !== undefined;
}

function derivations(table: TableName): Record<string, Derivation> {
  return (derivedText as { [Table in TableName]?: Record<string, Derivation> })[table] ?? {};
}

function searchText(...from: string[]): Derivation {
  const text = (fields: object) => {
    const texts = from.map(field => fieldOf(fields, field)).filter(value => typeof value === 'string');
    return texts.length === 0 ? null : folded(texts.join(FIELD_SEPARATOR));
  };
  return { from, text };
}

/** One line for each entry of a metadata list: JSON has no line breaks of its own. */
function metadataText(): Derivation {
  const text = (fields: object) => {
    const entries = fieldOf(fields, 'metadata') as readonly Pick<MetadataEntry, 'key' | 'value'>[];
    return entries.length === 0
      ? null
      : `\n${entries.map(({ key, value }) => JSON.stringify([key, value])).join('\n')}\n`;
  };
  return { from: ['metadata'], text };
}
