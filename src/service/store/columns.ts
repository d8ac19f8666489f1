/** Columns of tables, and the values of records in them. Queries are built from what `records/` declares. */
import { type TableName, type Tables, tables } from '../../engine/records/index.ts';
import type { ColumnKind } from '../../engine/records/table.ts';
import { type Bound, bound, boundJson } from './binding.ts';
import { UnstorableNumber } from './errors.ts';

/** The columns of every table, in the order in which they are created. */
export const columns = Object.fromEntries<ReadonlyMap<string, ColumnKind>>(
  Object.entries(tables).map(([table, { columns }]) => {
    const kinds = Object.entries<{ kind: ColumnKind }>(columns).map(([name, { kind }]) => [name, kind] as const);
    return [table, new Map(kinds)];
  }),
) as Record<TableName, ReadonlyMap<string, ColumnKind>>;

/** A record, or some of its fields, as column values. Throws TypeError for a field that the table does not have. */
export function encode(table: TableName, fields: object): Record<string, Bound> {
  const row: Record<string, Bound> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) row[name] = encodeValue(table, name, value);
  }
  return row;
}

/** One column's value. Throws `UnstorableText`, `UnstorableNumber`, and TypeError for a column that does not exist. */
export function encodeValue(table: TableName, name: string, value: unknown): Bound {
  const kind = columns[table].get(name);
  if (!kind) throw new TypeError(`The table ${table} has no column ${name}.`);
  if (value === null) return null;
  if (kind === 'json') return boundJson(value);
  if (kind === 'flag' && typeof value !== 'boolean') throw new TypeError(`${table}.${name} must be true or false.`);
  if (kind === 'text' && typeof value !== 'string') throw new TypeError(`${table}.${name} must be text.`);
  if (kind === 'int' && !Number.isSafeInteger(value)) throw new UnstorableNumber(name);
  return bound(value);
}

/** A row as the database holds it, with its cells by column. */
export type StoredRow = Readonly<Record<string, string | number | null>>;

/** The record of a database row. */
export function decode<T extends TableName>(table: T, row: StoredRow): Tables[T] {
  const record: Record<string, unknown> = {};
  for (const [name, kind] of columns[table]) record[name] = decodeValue(kind, row[name]);
  return record as Tables[T] & Record<string, unknown>;
}

/** The record's value for the stored value of a column. */
function decodeValue(kind: ColumnKind, stored: unknown): unknown {
  if (stored === null || stored === undefined) return null;
  if (kind === 'json') return JSON.parse(stored as string);
  return kind === 'flag' ? stored === 1 : stored;
}
