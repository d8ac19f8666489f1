/** What a field holds, as far as it is compared: of the contract and of a description alike. */
import type * as z from 'zod';
import { definitionOf } from '../../src/definition/define.ts';

export type Kind = 'text' | 'number' | 'flag' | 'object' | 'list';

export interface Shape {
  /** Null where it may be anything. Null as a value counts for nothing: any field may be null. */
  readonly kinds: ReadonlySet<Kind> | null;
  /** The closed list of its values; null where there is none. */
  readonly values?: readonly string[] | null;
  /** Of an object; empty where its names are free. */
  readonly fields?: ReadonlyMap<string, Shape>;
  /** Of a list: each entry. */
  readonly entry?: Shape | null;
}

export const anything: Shape = { kinds: null };

export function objectShape(fields: Readonly<Record<string, Shape>>): Shape {
  return { kinds: new Set(['object']), fields: new Map(Object.entries(fields)) };
}

export function listShape(entry: Shape): Shape {
  return { kinds: new Set(['list']), entry };
}

/** The shape of a resource of the contract, or of a part of it. */
export function shapeOfSchema(schema: z.core.$ZodType): Shape {
  const { innerType, shape, element, options, type } = definitionOf(schema);
  const { values } = schema as { values?: readonly string[] };
  if (values !== undefined && type !== 'enum') return { kinds: new Set(['text']), values: named(values) };
  if (innerType) return shapeOfSchema(innerType);
  if (shape)
    return objectShape(Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, shapeOfSchema(field)])));
  if (element) return listShape(shapeOfSchema(element));
  if (options) {
    const kinds = options.flatMap(option => [...(shapeOfSchema(option).kinds ?? [])]);
    return { kinds: new Set(kinds) };
  }
  const kind = plainKinds[type];
  return kind === undefined ? anything : { kinds: new Set([kind]) };
}

const plainKinds: Readonly<Record<string, Kind>> = {
  string: 'text',
  enum: 'text',
  number: 'number',
  boolean: 'flag',
  record: 'object',
};

/** Without null, and without what the contract says of a value behind it. */
function named(values: readonly string[]): readonly string[] {
  return values.filter(value => !/^null\b/.test(value)).map(value => value.replace(/ \(.*\)$/, ''));
}
