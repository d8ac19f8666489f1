/** What differs between the contract and a description, field by field. */

import type { Operation } from './contract.ts';
import { formOf } from './description.ts';
import type { Shape } from './shape.ts';

export interface Difference {
  /** `missing`: only the description has it. `gone`: only the contract has it. `other`: they do not say the same of it. */
  readonly what: 'missing' | 'other' | 'gone';
  /** `request wallet.priority` */
  readonly where: string;
  /** What is other. */
  readonly how?: string;
}

export interface Comparison {
  readonly operations: readonly { endpoint: string; differences: readonly Difference[] }[];
  /** What the description has of the contract's operations. */
  readonly counts: { readonly operations: number; readonly fields: number };
}

/** Where the contract differs from descriptions on purpose, and why. */
const deliberate: Readonly<Record<string, string>> = {
  'POST /subscriptions/{external_id}/alerts: request alert.thresholds[].value':
    'is sent as decimal text, which keeps every digit (docs/interface.md)',
  'PUT /subscriptions/{external_id}: request status':
    'is sent in the query and in the body, because installations read one or the other (service-behaviour §3.2)',
};

/** `operations`: those of the description, by the form of their endpoint. */
export function compare(contract: readonly Operation[], operations: ReadonlyMap<string, Operation>): Comparison {
  const pairs = contract.map(operation => ({ operation, described: operations.get(formOf(operation.endpoint)) }));
  const described = pairs.flatMap(pair => pair.described ?? []);
  return {
    operations: pairs.map(({ operation, described }) => ({
      endpoint: operation.endpoint,
      differences: described
        ? differencesIn(operation, described).filter(
            ({ where }) => !Object.hasOwn(deliberate, `${operation.endpoint}: ${where}`),
          )
        : [{ what: 'gone', where: 'the operation' }],
    })),
    counts: { operations: described.length, fields: described.reduce((sum, each) => sum + fieldsOf(each), 0) },
  };
}

function differencesIn(contract: Operation, described: Operation): Difference[] {
  const query = (operation: Operation): Shape => ({ kinds: new Set(['object']), fields: operation.query });
  return [
    ...bodies('query', query(contract), query(described)),
    ...bodies('request', contract.request, described.request),
    ...(contract.answer ? bodies('answer', unwrapped(contract.answer, described.answer), described.answer) : []),
  ];
}

/** An answer may have the record without the key around it. */
function unwrapped(contract: Shape, described: Shape | null): Shape {
  const [[key, record] = [], ...others] = contract.fields ?? [];
  const names = described?.fields ?? new Map();
  const isBare = key !== undefined && names.size > 0 && !names.has(key) && others.length === 0;
  return isBare && record?.fields ? record : contract;
}

function bodies(part: Part, contract: Shape | null, described: Shape | null): Difference[] {
  if (contract && described) return inShape(part, '', contract, described);
  if (!contract && !described) return [];
  return [{ what: contract ? 'gone' : 'missing', where: part }];
}

type Part = 'query' | 'request' | 'answer';

function inShape(part: Part, path: string, contract: Shape, described: Shape): Difference[] {
  const here = `${part} ${path}`;
  if (part !== 'query' || path !== '') {
    const [taken, sent] = part === 'answer' ? [contract.kinds, described.kinds] : [described.kinds, contract.kinds];
    if (taken && sent && [...sent].some(kind => !taken.has(kind)))
      return [{ what: 'other', where: here, how: `${words(described.kinds)} in place of ${words(contract.kinds)}` }];
  }
  return [
    ...inValues(here, contract.values ?? [], described.values ?? []),
    ...inFields(part, path, contract, described),
    ...(contract.entry && described.entry ? inShape(part, `${path}[]`, contract.entry, described.entry) : []),
  ];
}

/** Where one of the two has no closed list, any value may come. */
function inValues(where: string, contract: readonly string[], described: readonly string[]): Difference[] {
  if (contract.length === 0 || described.length === 0) return [];
  const more = described.filter(value => !contract.includes(value));
  const fewer = contract.filter(value => !described.includes(value));
  const how = [
    more.length > 0 && `values missing ${more.join(', ')}`,
    fewer.length > 0 && `values gone ${fewer.join(', ')}`,
  ];
  return more.length + fewer.length === 0 ? [] : [{ what: 'other', where, how: how.filter(Boolean).join('; ') }];
}

/** Where the names of one of the two are free, any field may come; a query is never free. */
function inFields(part: Part, path: string, contract: Shape, described: Shape): Difference[] {
  const [fields, describedFields] = [contract.fields ?? new Map(), described.fields ?? new Map()];
  if ((fields.size === 0 || describedFields.size === 0) && part !== 'query') return [];
  return [...new Set([...describedFields.keys(), ...fields.keys()])].flatMap((name): Difference[] => {
    const inner = path === '' ? name : `${path}.${name}`;
    const [one, other] = [fields.get(name), describedFields.get(name)];
    if (one && other) return inShape(part, inner, one, other);
    return [{ what: one ? 'gone' : 'missing', where: `${part} ${inner}` }];
  });
}

function words(kinds: ReadonlySet<string> | null): string {
  return [...(kinds ?? ['anything'])].join(' or ');
}

/** The fields of an operation that have no inner fields. */
function fieldsOf({ query, request, answer }: Operation): number {
  return query.size + [request, answer].reduce((sum, body) => sum + (body ? leavesOf(body, []) : 0), 0);
}

/** `passed`: the shapes around this one, because a description may lead back to itself. */
function leavesOf(shape: Shape, passed: readonly string[]): number {
  const { fields = new Map<string, Shape>(), entry } = shape;
  if (entry) return leavesOf(entry, passed);
  const names = [...fields.keys()].join();
  if (fields.size === 0 || passed.includes(names)) return 1;
  return [...fields.values()].reduce((sum, field) => sum + leavesOf(field, [...passed, names]), 0);
}
