/**
 * Conditions on rows, as expressions of Kysely that both databases read alike. Text is compared by bytes. A comparison with
 * null is not true, so its `not` is true. A value that is undefined lets every row through.
 */
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { TableName, Tables } from '../../engine/records/index.ts';
import { folded } from '../../lib/case-folding.ts';
import { encodeValue } from './columns.ts';
import { type DerivedText, FIELD_SEPARATOR, metadataPart } from './derived.ts';
import type { DialectName, Schema } from './schema.ts';

/** The rows of one account's table, under the name that they have in the statement. */
export interface Rows<T extends TableName> {
  table: T;
  alias: string;
  dialect: DialectName;
  organizationId: string;
}

export type Condition<T extends TableName> = (rows: Rows<T>) => Expression<SqlBool>;

export type Column<T extends TableName> = keyof Tables[T] & string;

/** Columns that must equal a value; a list allows any of its values; null matches null. */
export type Where<Row> = { [Field in keyof Row]?: Row[Field] | readonly Row[Field][] | null | undefined };

const build = expressionBuilder<Schema, string>();

/** Without conditions: true. */
export function every<T extends TableName>(...conditions: readonly Condition<T>[]): Condition<T> {
  return rows => build.and(conditions.map(condition => condition(rows)));
}

/** Without conditions: false. */
export function any<T extends TableName>(...conditions: readonly Condition<T>[]): Condition<T> {
  return rows => build.or(conditions.map(condition => condition(rows)));
}

/** A comparison with null is neither true nor false: without `is not true` its negation would not be true either. */
export function not<T extends TableName>(condition: Condition<T>): Condition<T> {
  return rows => sql<SqlBool>`(${condition(rows)}) is not true`;
}

export function is<T extends TableName>(fields: Where<Tables[T]>): Condition<T> {
  const wanted = Object.entries(fields).filter(([, value]) => value !== undefined);
  return rows => build.and(wanted.map(([field, value]) => equality(rows, field, value)));
}

function equality(rows: Rows<TableName>, field: string, wanted: unknown): Expression<SqlBool> {
  const column = named(rows, field);
  const values = (Array.isArray(wanted) ? wanted : [wanted]).map(value => encodeValue(rows.table, field, value));
  const nonNull = values.filter(value => value !== null);
  const conditions = nonNull.length === 1 ? [build(column, '=', nonNull[0])] : [];
  if (nonNull.length > 1) conditions.push(build(column, 'in', nonNull));
  if (nonNull.length < values.length) conditions.push(build(column, 'is', null));
  return build.or(conditions);
}

/** From one value to another, both included. */
export function range<T extends TableName, Field extends Column<T>>(
  field: Field,
  from: Tables[T][Field] | undefined,
  to?: Tables[T][Field] | undefined,
): Condition<T> {
  const bounds = [['>=', from] as const, ['<=', to] as const].filter(([, value]) => value !== undefined);
  return rows =>
    build.and(
      bounds.map(([operator, value]) => build(named(rows, field), operator, encodeValue(rows.table, field, value))),
    );
}

export function less<T extends TableName>(field: Column<T>, other: Column<T>): Condition<T> {
  return rows => build(named(rows, field), '<', build.ref(named(rows, other)));
}

/** A derived text, or an id, has the term, in upper or lower case; `%` and `_` mean themselves. */
export function contains<T extends TableName>(text: DerivedText<T> | 'id', term: string | undefined): Condition<T> {
  if (term === undefined) return every();
  return term.includes(FIELD_SEPARATOR) ? any() : holds(text, folded(term));
}

/** A derived text is this one, in upper or lower case. */
export function equals<T extends TableName>(text: DerivedText<T>, wanted: string | undefined): Condition<T> {
  if (wanted === undefined) return every();
  return rows => build(named(rows, text), '=', folded(wanted));
}

/** The metadata have this key with this value, or with any value when none is given. */
export function hasMetadata<T extends TableName>(key: string, value?: string): Condition<T> {
  return holds('metadata_text', metadataPart(key, value ?? null));
}

/** A JSON list of ids has this id. */
export function lists<T extends TableName>(field: Column<T>, id: string): Condition<T> {
  return holds(field, JSON.stringify(id));
}

/** A column equals the id, or the column `by`, of a row of another table that meets the condition. */
export function linksTo<T extends TableName, To extends TableName>(
  field: Column<T>,
  to: To,
  where: Condition<To>,
  by: Column<To> | 'id' = 'id',
): Condition<T> {
  return rows => {
    const others = { ...rows, table: to, alias: `${rows.alias}_${to}` };
    const from: string = `${to} as ${others.alias}`;
    const chosen = build.selectFrom(from).select(named(others, by)).where(ofAccount(others, where));
    return build(named(rows, field), 'in', chosen);
  };
}

/** The account's rows that meet the condition. */
export function ofAccount<T extends TableName>(rows: Rows<T>, where: Condition<T>): Expression<SqlBool> {
  return build.and([build(named(rows, 'organization_id'), '=', rows.organizationId), where(rows)]);
}

function holds<T extends TableName>(column: string, text: string): Condition<T> {
  return rows => {
    const position = sql.raw(rows.dialect === 'postgres' ? 'strpos' : 'instr');
    return sql<SqlBool>`${position}(${sql.ref(named(rows, column))}, ${text}) > 0`;
  };
}

function named({ alias }: { alias: string }, column: string): string {
  return `${alias}.${column}`;
}
