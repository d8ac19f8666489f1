/**
 * Parses the body of an answer into the types of the contract. A field keeps its value, stays null, or stays absent. A value of
 * another type is removed and listed (`oddIn`), so that a sentence can say so; fields that the contract does not have stay as
 * they are. A body without odd values comes back as it is, not as a copy.
 */
import type * as z from 'zod';
import { isRecord, type JsonRecord } from '../lib/json.ts';
import type { Body, ListKey, RecordKey } from './answers.ts';
import type { Holds } from './fields.ts';
import { hiddenText } from './masked-fields.ts';
import { listPage } from './report-row.ts';
import { recordSchemas as records, rowSchemas as rows } from './resources.ts';

/** More odd values than these are not listed. */
const mostOdd = 20;
const oddNames = Symbol('odd');

/** The fields whose values were removed, by path: `fees[0].units`. */
export function oddIn(body: object): readonly string[] {
  return (body as { [oddNames]?: readonly string[] })[oddNames] ?? [];
}

/** `key`: the record that the body is where it comes without its wrapper. */
export function parseBody(body: object, key?: string): Body {
  const odd: string[] = [];
  const isBare = key !== undefined && Object.hasOwn(records, key) && !Object.hasOwn(body, key);
  const fields = isBare ? fieldsOf(key as RecordKey) : undefined;
  // A bare record may have fields with the names of wrappers: an invoice has a customer and fees.
  const parsed = readFields(body as JsonRecord, odd, name => fields?.get(name) ?? readerUnder(name));
  return odd.length === 0 ? (parsed as Body) : Object.defineProperty({ ...parsed }, oddNames, { value: odd });
}

const fieldsByKey = new Map<RecordKey, Map<string, Reader>>();

function fieldsOf(key: RecordKey): Map<string, Reader> {
  const known = fieldsByKey.get(key) ?? readersOf(records[key].shape);
  fieldsByKey.set(key, known);
  return known;
}

/** Gives the value itself, a copy without its odd parts, or `removed`. Adds the paths of odd parts, beginning at the value. */
type Reader = (value: unknown, odd: string[]) => unknown;
const removed = Symbol('removed');

const readers = new Map<string, Reader | undefined>();

function readerUnder(key: string): Reader | undefined {
  if (!readers.has(key)) readers.set(key, makeReaderUnder(key));
  return readers.get(key);
}

function makeReaderUnder(key: string): Reader | undefined {
  if (key === 'meta') return readerOf(listPage);
  if (Object.hasOwn(records, key)) return readerOf(records[key as RecordKey]);
  return Object.hasOwn(rows, key) ? rowsReader(readerOf(rows[key as ListKey])) : undefined;
}

/** Copies the object only where a field changes. A text instead of personal data stays, whatever the field holds. */
function readFields(value: JsonRecord, odd: string[], reader: (name: string) => Reader | undefined): JsonRecord {
  let copy: JsonRecord | undefined;
  for (const name in value) {
    const inner = value[name];
    if (inner === null || inner === undefined || inner === hiddenText) continue;
    const before = odd.length;
    const read = reader(name)?.(inner, odd) ?? inner;
    if (read === inner) continue;
    placeBelow(name, odd, before);
    copy ??= { ...value };
    if (read === removed) delete copy[name];
    else copy[name] = read;
  }
  return copy ?? value;
}

/** A list of a record with an odd entry is odd as a whole: without the entry, prices or lines would read as complete. */
function listReader(entry: Reader): Reader {
  const read = rowsReader(entry);
  return (value, odd) => {
    const list = read(value, odd) as unknown[] | typeof removed;
    return list === removed || list.length === (value as unknown[]).length ? list : removed;
  };
}

/** The rows of an answer, without those that are odd. */
function rowsReader(entry: Reader): Reader {
  return (value, odd) => {
    if (!Array.isArray(value)) return remove(odd);
    let copy: unknown[] | undefined;
    for (let index = 0; index < value.length; index++) {
      const before = odd.length;
      const read = entry(value[index], odd);
      if (read === value[index]) copy?.push(read);
      else {
        placeBelow(`[${index}]`, odd, before);
        copy ??= value.slice(0, index);
        if (read !== removed) copy.push(read);
      }
    }
    return copy ?? value;
  };
}

function remove(odd: string[]): typeof removed {
  odd.push('');
  return removed;
}

/** Paths are put together on the way up, so that an answer without odd values costs none. */
function placeBelow(name: string, odd: string[], from: number): void {
  for (let index = from; index < odd.length; index++) {
    const path = odd[index] ?? '';
    odd[index] = path === '' || path.startsWith('[') ? `${name}${path}` : `${name}.${path}`;
  }
  odd.splice(Math.max(from, mostOdd));
}

interface Definition {
  type: string;
  innerType?: z.ZodType;
  element?: z.ZodType;
  shape?: Record<string, z.ZodType>;
}

function readerOf(schema: z.ZodType): Reader {
  const { holds } = schema as { holds?: Holds };
  if (holds !== undefined) return plainReader(forms[holds] ?? (() => true));
  const { type, innerType, element, shape } = schema._zod.def as unknown as Definition;
  if (innerType !== undefined) return readerOf(innerType);
  if (type === 'object') return objectReader(shape ?? {});
  if (type === 'array' && element !== undefined) return listReader(readerOf(element));
  return plainReader(forms[type] ?? (() => true));
}

function readersOf(shape: Record<string, z.ZodType>): Map<string, Reader> {
  return new Map(Object.entries(shape).map(([name, schema]) => [name, readerOf(schema)]));
}

function objectReader(shape: Record<string, z.ZodType>): Reader {
  const fields = readersOf(shape);
  const reader = (name: string) => fields.get(name);
  return (value, odd) => (isRecord(value) ? readFields(value, odd, reader) : remove(odd));
}

function plainReader(fits: (value: unknown) => boolean): Reader {
  return (value, odd) => (fits(value) ? value : remove(odd));
}

const decimalText = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const wholeText = /^-?\d+$/;
const dayText = /^[+-]?\d{4,6}-\d{2}-\d{2}/;

/** By what the field holds, or by the type of its schema. */
const forms: Readonly<Record<string, (value: unknown) => boolean>> = {
  decimal: value => (typeof value === 'string' ? decimalText.test(value) : Number.isFinite(value)),
  cents: value => (typeof value === 'string' ? wholeText.test(value) : Number.isInteger(value)),
  instant: value => typeof value === 'string' && dayText.test(value),
  day: value => typeof value === 'string' && dayText.test(value),
  string: value => typeof value === 'string',
  number: value => Number.isFinite(value),
  boolean: value => typeof value === 'boolean',
};
