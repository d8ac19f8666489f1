/** Schemas of an OpenAPI description as shapes: references, `allOf` and choices are resolved where a field is looked at. */
import { anyRecord, type JsonRecord } from '../../src/lib/json.ts';
import type { Kind, Shape } from './shape.ts';

/** An object in a description. */
export type Node = Readonly<JsonRecord>;

export type Schemas = ReturnType<typeof schemasOf>;

/** `renamed` gives a field the name that the contract has for it. */
export function schemasOf(document: Node, renamed: (name: string) => string) {
  /** What a reference stands for, with what stands next to it. */
  const resolve = (value: unknown, passed: readonly string[] = []): Node => {
    const { $ref: reference, ...beside } = anyRecord(value);
    if (typeof reference !== 'string') return anyRecord(value);
    if (passed.includes(reference)) return beside;
    return { ...resolve(target(document, reference), [...passed, reference]), ...beside };
  };
  /** `passed`: the parts that this one is a part of, which may name themselves as a part. */
  const partOf = (value: unknown, passed: readonly unknown[] = []): Part => {
    const schema = resolve(value);
    const place = anyRecord(value).$ref ?? value;
    if (passed.includes(place)) return nothingSaid;
    const inner = [...passed, place];
    const choice = [schema.anyOf, schema.oneOf]
      .filter(Array.isArray)
      .map(choices => eitherOf(choices.filter(isSomething).map(each => partOf(each, inner))));
    const all = Array.isArray(schema.allOf) ? schema.allOf.map(each => partOf(each, inner)) : [];
    return [plainPart(schema, renamed), ...all, ...choice].reduce(bothOf);
  };
  const shapeOf = (value: unknown): Shape => lazily(partOf(value), shapeOf);
  return { resolve, shapeOf };
}

/** One schema, or several that were put together: for each field what was said of it. */
interface Part {
  kinds: ReadonlySet<Kind> | null;
  values: readonly string[] | null;
  fields: ReadonlyMap<string, unknown>;
  entries: readonly unknown[];
}

const nothingSaid: Part = { kinds: null, values: null, fields: new Map(), entries: [] };

const kindOf: Readonly<Record<string, Kind>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'flag',
  object: 'object',
  array: 'list',
};

function plainPart(schema: Node, renamed: (name: string) => string): Part {
  const properties = Object.entries(anyRecord(schema.properties)).map(
    ([name, field]) => [renamed(name), field] as const,
  );
  const entries = schema.items === undefined ? [] : [schema.items];
  const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : null;
  const types = [schema.type].flat().flatMap(type => kindOf[String(type)] ?? []);
  const implied: Kind[] = [
    ...(properties.length > 0 ? (['object'] as const) : []),
    ...(entries.length > 0 ? (['list'] as const) : []),
  ];
  const kinds = types.length > 0 ? types : implied;
  return {
    kinds: kinds.length > 0 ? new Set(kinds) : null,
    values: values?.every(value => typeof value === 'string' || value === null)
      ? values.filter(value => typeof value === 'string' && value !== '')
      : null,
    fields: new Map(properties),
    entries,
  };
}

/** Is it more than null alone? A choice between null and something else is that something. */
function isSomething(schema: unknown): boolean {
  const { type, enum: values } = anyRecord(schema);
  return type !== 'null' && !(Array.isArray(values) && values.every(value => value === null));
}

function bothOf(one: Part, other: Part): Part {
  const shared = new Set([...(one.kinds ?? [])].filter(kind => other.kinds?.has(kind)));
  return {
    kinds: one.kinds && other.kinds && shared.size > 0 ? shared : (one.kinds ?? other.kinds),
    values: one.values ?? other.values,
    ...withAllFields(one, other),
  };
}

function eitherOf(parts: readonly Part[]): Part {
  return parts.length === 0
    ? nothingSaid
    : parts.reduce((one, other) => ({
        kinds: one.kinds && other.kinds && new Set([...one.kinds, ...other.kinds]),
        values: one.values && other.values && [...new Set([...one.values, ...other.values])],
        ...withAllFields(one, other),
      }));
}

function withAllFields(one: Part, other: Part): Pick<Part, 'fields' | 'entries'> {
  const fields = new Map(one.fields);
  for (const [name, field] of other.fields) {
    const present = fields.get(name);
    fields.set(name, present === undefined ? field : { anyOf: [present, field] });
  }
  return { fields, entries: [...one.entries, ...other.entries] };
}

/** The fields are looked at when they are compared, once: a description may lead back to itself. */
function lazily({ kinds, values, fields, entries }: Part, shapeOf: (schema: unknown) => Shape): Shape {
  let fieldShapes: Shape['fields'];
  let entry: Shape['entry'];
  return {
    kinds,
    values,
    get fields() {
      fieldShapes ??= new Map([...fields].map(([name, field]) => [name, shapeOf(field)]));
      return fieldShapes;
    },
    get entry() {
      entry ??= entries.length === 0 ? null : shapeOf(entries.length === 1 ? entries[0] : { anyOf: entries });
      return entry;
    },
  };
}

/** The place in the same document that `#/components/schemas/Wallet` names. */
function target(document: Node, reference: string): unknown {
  if (!reference.startsWith('#/')) throw new Error(`refers to ${reference}: bundle it into one file first`);
  const steps = reference
    .slice(2)
    .split('/')
    .map(step => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  const place = steps.reduce<unknown>(
    (node, step) => (Array.isArray(node) ? node[Number(step)] : anyRecord(node)[step]),
    document,
  );
  if (place === undefined) throw new Error(`refers to ${reference}, which it does not have`);
  return place;
}
