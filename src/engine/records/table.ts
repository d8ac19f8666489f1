/**
 * How a table is declared, once: the type of its records, the columns of the database and the fields that answers show as they
 * are stored follow from it.
 */
import { type StoredValue, type WritableName, writableFields } from '../../contract/fields.ts';
import type { DateText, DecimalText, InstantText } from './values.ts';

/** `text`: ids, instants, dates, decimals. `int`: cents and counters. `flag`: booleans as 0 or 1. `json`: lists and objects. */
export type ColumnKind = 'text' | 'int' | 'flag' | 'json';

/** A column. `value` is never there: it has the type of the column's values in a record. */
export interface Column<Value = unknown> {
  readonly kind: ColumnKind;
  readonly mayBeNull: boolean;
  readonly value: Value;
}
export type Columns = Readonly<Record<string, Column>>;
export type ValuesOf<Fields extends Columns> = {
  -readonly [Name in keyof Fields]: Fields[Name]['value'];
};

/**
 * A table of `stored` columns, and of `shown` ones: groups of columns that answers show under their own names, as they are
 * stored, in the order of the group.
 */
export function table<const Stored extends Columns, const Shown extends Record<string, Columns> = Record<never, never>>(
  stored: Stored,
  shown = {} as Shown,
): { columns: Stored & Together<Shown[keyof Shown]>; shown: Shown } {
  const columns = Object.assign({}, stored, ...Object.values(shown));
  return { columns, shown };
}

type Together<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The record of a declared table. */
export type RecordOf<Table extends { columns: Columns }> = ValuesOf<Table['columns']>;

/** The values of a group of columns, in their order. */
export function pick<Fields extends Columns, Source extends { [Name in keyof Fields]: unknown }>(
  source: Source,
  fields: Fields,
): Pick<Source, keyof Fields & keyof Source> {
  const values: Partial<Source> = {};
  for (const name in fields) values[name] = source[name];
  return values as Source;
}

/** A record of which nothing is known: null where a column may be, else nothing, no, or an empty list. */
export function blankOf<Fields extends Columns>(fields: Fields): ValuesOf<Fields> {
  const entries = Object.entries(fields).map(([name, { kind, mayBeNull }]) => [
    name,
    mayBeNull ? null : blanks[kind](),
  ]);
  return Object.fromEntries(entries) as ValuesOf<Fields>;
}

const blanks = { text: () => '', int: () => 0, flag: () => false, json: () => [] };

function column<Value>(kind: ColumnKind, mayBeNull = false): Column<Value> {
  return { kind, mayBeNull } as Column<Value>;
}

export const text = column<string>('text');
export const decimal = column<DecimalText>('text');
export const instant = column<InstantText>('text');
export const day = column<DateText>('text');
export const int = column<number>('int');
export const flag = column<boolean>('flag');
/** A word of one of the contract's enums. */
export type Word<Words extends readonly string[]> = Words[number];
export const oneOf = <Words extends readonly string[]>(_words: Words): Column<Word<Words>> => column('text');
export const json = <Value>(): Column<Value> => column('json');

export const orNull = <Value>({ kind }: Column<Value>): Column<Value | null> => column(kind, true);

/** Columns for the writable fields of a resource but those in `apart`; an instant is shown in a form of its own. */
export function columnsOf<Shape extends object, Apart extends WritableName<Shape>>(
  resource: { readonly shape: Shape },
  apart: readonly Apart[],
): { readonly [Name in Exclude<WritableName<Shape>, Apart>]: Column<StoredValue<Shape[Name]>> } {
  const fields = writableFields(resource).filter(([name]) => !apart.some(each => each === name));
  const columns = fields.map(([name, { unit, change }]) => {
    if (unit === 'instant') throw new Error(`${name} is shown in a form of its own`);
    return [name, column(kindOfUnit[unit], change.clears)];
  });
  return Object.fromEntries(columns);
}

const kindOfUnit = { text: 'text', cents: 'int', currency: 'text', integer: 'int', flag: 'flag' } as const;

/** What almost every table has. `id` is shown as `svc_id`. */
export const row = { id: text, created_at: instant, updated_at: instant };
