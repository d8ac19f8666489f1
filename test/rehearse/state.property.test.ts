/** Differences between two accounts, for any account: new ids and orders are none, every changed field is one. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { isRecord, type JsonRecord } from '../../src/lib/json.ts';
import { stateDifferences } from '../../src/rehearse/grade/state.ts';
import type { Snapshot } from '../../src/rehearse/types.ts';
import { runs } from '../support/extent.ts';
import { temporaryFolder } from '../support/folder.ts';
import { alert, demoCopies, entity, metadata, override, rule } from './writes.ts';

type Changeable = Record<string, Record<string, JsonRecord>>;

const folder = temporaryFolder();

describe('for any account', () => {
  let before: Snapshot;
  let expected: Snapshot;

  beforeAll(async () => {
    const afterWrites = await demoCopies(folder);
    ({ before, after: expected } = await afterWrites(
      override('acme-studio', 1500),
      override('martin-starter', 1500),
      alert('sakura-arcade', 'mine', '100'),
      entity('Alpha', 'x'),
      rule('20'),
      metadata('po', 'cost'),
    ));
  });

  it('other new ids, in another order, are no difference', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), numbers => {
        const after = renamed(shuffled(expected, numbers), before);
        expect(stateDifferences({ before, after, expected }, [])).toEqual([]);
      }),
      runs(20),
    );
  });

  it('a change of any one field is a difference', () => {
    const fields = Object.entries(expected).flatMap(([table, records]) =>
      Object.entries(records)
        .slice(0, 12)
        .flatMap(([id, record]) => leaves(record).map(path => ({ table, id, path }))),
    );
    fc.assert(
      fc.property(fc.constantFrom(...fields), fc.boolean(), ({ table, id, path }, withNewIds) => {
        const after = structuredClone(expected) as Changeable;
        change(after[table]?.[id] as JsonRecord, path);
        const found = stateDifferences({ before, after: withNewIds ? renamed(after, before) : after, expected }, []);
        expect(found.join('\n'), `${table}.${path.join('.')}`).toContain(String(path.find(each => /\D/.test(each))));
      }),
      runs(200),
    );
  });
});

/** The paths of all values that count, ids of the object itself left out. */
function leaves(value: unknown, path: string[] = []): string[][] {
  if (Array.isArray(value)) return value.flatMap((entry, at) => leaves(entry, [...path, String(at)]));
  if (!isRecord(value)) return [path];
  return Object.entries(value).flatMap(([name, entry]) =>
    ['id', 'svc_id', 'updated_at'].includes(name) ? [] : leaves(entry, [...path, name]),
  );
}

function change(value: JsonRecord, path: readonly string[]): void {
  const [name = '', ...rest] = path;
  const inside = value[name];
  if (rest.length > 0) change(inside as JsonRecord, rest);
  else
    value[name] = typeof inside === 'number' ? inside + 1 : typeof inside === 'boolean' ? !inside : `${inside} changed`;
}

/** The same account, had all ids that it did not have before come out otherwise. */
function renamed(snapshot: Snapshot, before: Snapshot): Snapshot {
  const known = new Set(JSON.stringify(before).match(/[\w-]{36}/g));
  const others = new Map<string, string>();
  const text = JSON.stringify(snapshot).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, id => {
    if (!known.has(id) && !others.has(id)) others.set(id, randomUUID());
    return others.get(id) ?? id;
  });
  const ends = [...others].map(([was, is]) => [`-${was.slice(-4).toUpperCase()}"`, `-${is.slice(-4).toUpperCase()}"`]);
  return JSON.parse(ends.reduce((all, [was = '', is = '']) => all.replaceAll(was, is), text)) as Snapshot;
}

/** The same account with its records, and the entries of its lists, in another order. */
function shuffled<T>(value: T, numbers: Iterator<number>): T {
  const mixed = <Entry>(entries: Entry[]) =>
    entries
      .map(entry => [numbers.next().value as number, entry] as const)
      .sort(([left], [right]) => left - right)
      .map(([, entry]) => entry);
  if (Array.isArray(value)) return mixed(value.map(entry => shuffled(entry, numbers))) as T;
  if (!isRecord(value)) return value;
  return Object.fromEntries(mixed(Object.entries(value)).map(([name, entry]) => [name, shuffled(entry, numbers)])) as T;
}
