/**
 * How strictly a write is confirmed, by the kinds of what it changes (tools/field-kinds.ts). A write takes the strictest of the
 * fields that it names, and a set the strictest of its changes.
 */
import type Big from 'big.js';
import { finalFields, kindsByPath } from '../../../../tools/field-kinds.ts';
import {
  type ConfirmLevel,
  type ConfirmRules,
  fieldKinds as order,
  type RiskKind,
  strictest,
} from '../../../contract/confirm-levels.ts';
import type { WriteTool } from '../../../definition/define.ts';
import type { WriteCall } from '../../../definition/write-call.ts';
import { fieldOf, isObject, membersOf } from '../../../lib/json.ts';
import { escapeForSummary } from '../../../words/safe-text.ts';
import { compileEndpoint } from '../../api/http/request.ts';
import { pricedIn } from './amounts.ts';

/** What the settings say of all writes. */
interface Ruled {
  rules: ConfirmRules;
}

/** The kinds of the fields that a write names, and the paths of those that are money. */
interface Named {
  kinds: ReadonlySet<RiskKind>;
  money: readonly string[];
}

/** What the write names. */
export function namedBy(write: WriteCall): Named {
  const { tool, args } = write;
  const byPath = kindsByPath(tool.name);
  const kinds = new Set<RiskKind>();
  const money: string[] = [];
  const selectors = selectorsOf(tool, byPath);
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined || selectors.has(name)) continue;
    const isFinal = finalFields[tool.name]?.[name]?.(write) === true;
    for (const [path, kind] of fieldsIn(value, name, name, byPath)) {
      kinds.add(isFinal ? 'irreversible' : kind);
      if (kind === 'money') money.push(path);
    }
  }
  return { kinds, money };
}

/** Arguments that say which record is meant. */
function selectorsOf(tool: WriteTool, byPath: ReadonlyMap<string, RiskKind>): ReadonlySet<string> {
  const inPath = compileEndpoint(tool.endpoint).ids.map(({ name }) => name);
  return new Set([...inPath, 'status', 'subscription_status'].filter(name => !byPath.has(name)));
}

/** Each field with its path. What is emptied counts as every field that it could hold, and what has no row as irreversible. */
function* fieldsIn(
  value: unknown,
  path: string,
  pattern: string,
  byPath: ReadonlyMap<string, RiskKind>,
): Generator<[path: string, kind: RiskKind]> {
  const kind = byPath.get(pattern);
  if (kind !== undefined) {
    yield [path, kind];
    return;
  }
  const entries: [value: unknown, path: string, pattern: string][] = Array.isArray(value)
    ? value.map((entry: unknown, index) => [entry, `${path}[${index}]`, `${pattern}[]`])
    : Object.entries(isObject(value) ? value : {})
        .filter(([, entry]) => entry !== undefined)
        .map(([key, entry]) => [entry, `${path}.${key}`, `${pattern}.${key}`]);
  for (const [entry, at, name] of entries) yield* fieldsIn(entry, at, name, byPath);
  if (entries.length > 0) return;
  const below = [...byPath].filter(([name]) => name.startsWith(`${pattern}.`) || name.startsWith(`${pattern}[`));
  for (const [, each] of below) yield [path, each];
  if (below.length === 0) yield [path, 'irreversible'];
}

/** How the write is confirmed: the strictest of its fields by the settings, and by the caller's role, which only tightens. */
export function levelOf({ rules }: Ruled, write: WriteCall): ConfirmLevel {
  const all = [rules, ...write.access.confirm];
  // The setting and the role name one level each: carry-out.ts takes that of a setting alone.
  const plain = all.flatMap(each => each.plain ?? []);
  if (plain.length === all.length) return strictest(plain);
  const { kinds, money } = namedBy(write);
  const priced = all.some(({ bounds }) => bounds.length > 0) ? pricedIn(write, money) : null;
  return strictest(
    all.flatMap(each => [...kinds].map(kind => (kind === 'money' ? levelOfMoney(each, priced) : each.levels[kind]))),
  );
}

/** `priced`: all money of a write in major units of one currency; null where it cannot be priced. */
function levelOfMoney(
  { levels, bounds }: ConfirmRules,
  priced: { currency: string; amount: Big } | null,
): ConfirmLevel {
  const bound = bounds.find(({ currency, below }) => priced?.currency === currency && priced.amount.lt(below));
  return bound?.level ?? levels.money;
}

/** Of several writes; undefined of none. */
export function levelOfAll(parts: Ruled, writes: readonly WriteCall[]): ConfirmLevel | undefined {
  return writes.length === 0 ? undefined : strictest(writes.map(write => levelOf(parts, write)));
}

/** What the user types to approve: of one write its record's code or number, of a set the number of its final changes. */
export function typedText(parts: Ruled, writes: readonly WriteCall[], several: boolean): string {
  const final = writes.filter(write => levelOf(parts, write) === 'typed');
  const [only] = final;
  return several || only === undefined ? String(final.length) : escapeForSummary(codeOf(only)).trim();
}

/** As the path names the record, unless that is by an id that no one reads. */
function codeOf({ tool, args, known }: WriteCall): string {
  const { name } = compileEndpoint(tool.endpoint).ids[0] ?? { name: 'code' };
  const { code, number } = membersOf<'code' | 'number'>(known);
  const inPath = fieldOf(args, name);
  return String(name === 'svc_id' ? (code ?? number ?? inPath) : inPath);
}

/** `metadata never, money always (below 50 USD auto)`: how the writes of a tool are confirmed; null for no write by itself. */
export function confirmationOf(tool: string, { levels, bounds }: ConfirmRules): string | null {
  const kinds = new Set(kindsByPath(tool).values());
  if (kinds.size === 0) return null;
  if (finalFields[tool] !== undefined) kinds.add('irreversible');
  const below = bounds.map(bound => `below ${bound.below} ${bound.currency} ${bound.level}`).join(', ');
  const words = (kind: RiskKind) => `${kind} ${levels[kind]}${kind === 'money' && below !== '' ? ` (${below})` : ''}`;
  return order
    .filter(kind => kinds.has(kind))
    .map(words)
    .join(', ');
}
