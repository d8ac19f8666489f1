/** The amounts of a summary, and the fields of the service's answers that they come from. */
import type { IncomingMessage } from 'node:http';
import { nobody } from '../../src/definition/asking.ts';
import { formatMajor, formatMinor, formatMoney } from '../../src/words/money.ts';
import type { Given } from '../support/recorded.ts';
import type { LookupWorld } from '../tools/lookup-upstream.ts';
import { pattern, type Value } from './compare.ts';

type Answer = (url: URL, request: IncomingMessage) => Promise<Given>;

/** What was asked: the address of a read, the answer itself of a preview. */
type Asked = string | object;

interface Leaf {
  asked: Asked;
  path: string[];
  value: string | number;
}

export interface Asking {
  world: LookupWorld;
  answer: Answer;
  tool: string;
  args: object;
}

export interface Ties {
  /** False: a refusal. */
  ok: boolean;
  summary: string;
  /** The fields that the amounts come from: `invoices[].total_amount_cents`; `sum of …` where one is a part of an amount. */
  fields: string[];
  /** Amounts that no field changes. */
  untied: string[];
}

const prefixes = ['CHF', 'EUR', 'USD', 'JPY', 'GBP', 'KWD'].map(each => formatMoney(0, each).replace(/[\d.]+$/, ''));
const amount = new RegExp(
  `(?:${prefixes.map(each => each.replace('$', '\\$')).join('|')})\\d+(?:,\\d{3})*(?:\\.\\d+)?`,
  'g',
);

function amountsOf(summary: string): string[] {
  return summary.match(amount) ?? [];
}

/**
 * Fields are changed by a cent, one after the other, until each amount of the summary has changed once. A change that adds or
 * removes a part of the sentence counts last: then the amounts that are no longer in it are those of the field.
 */
export async function tiesOf(asking: Asking): Promise<Ties> {
  const leaves: Leaf[] = [];
  const { ok, summary } = await ask(asking, (asked, answer) => {
    leaves.push(...leavesOf(answer).map(([path, value]) => ({ asked, path, value })));
    return answer;
  });
  const amounts = amountsOf(summary);
  const untied = new Set(amounts.keys());
  const fields = new Set<string>();
  const tie = (name: string, tied: number[]) => {
    for (const i of tied) untied.delete(i);
    if (tied.length > 0) fields.add(name);
  };
  const last: { name: string; value?: Leaf['value']; other: string }[] = [];
  const askWith = async (changed: readonly (readonly [Leaf, number])[]) => {
    const moving = (asked: Asked, answer: Value) =>
      changed.reduce((body, [leaf, cents]) => (leaf.asked === asked ? moved(body, leaf, cents) : body), answer);
    return (await ask(asking, moving)).summary;
  };
  const all = candidates(leaves, amounts);
  // Most change nothing, so several are tried at once, each by other cents. Where the answer changes, half of them come next.
  let several = 1;
  let differing = 0;
  for (let at = 0; at < all.length && untied.size > 0; ) {
    if (several > 1) {
      const group = all.slice(at, at + several);
      const together = group.flatMap(([, changed], i) => changed.map(leaf => [leaf, 100 + 2 ** i] as const));
      if ((await askWith(together)) === summary) {
        at += several;
        several = at < differing ? (differing - at) >> 1 : Math.min(16, several * 2);
      } else {
        differing = at + several;
        several >>= 1;
      }
      continue;
    }
    const [name, changed] = all[at++]!;
    const other = await askWith(changed.map(leaf => [leaf, 1]));
    several = other === summary ? 2 : 1;
    const others = amountsOf(other);
    if (others.length !== amounts.length)
      last.push({ name, other, ...(changed.length === 1 && { value: changed[0]!.value }) });
    else
      tie(
        name,
        [...untied].filter(i => others[i] !== amounts[i]),
      );
  }
  for (const { name, value, other } of last) {
    const gone = goneOf(untied, summary, other);
    tie(name, value === undefined ? gone : gone.filter(i => isSame(value, amounts[i]!)));
  }
  return { ok, summary, fields: [...fields].sort(), untied: [...untied].map(i => amounts[i]!) };
}

/** Of the untied amounts those that another sentence does not have among the same words. */
function goneOf(untied: Set<number>, summary: string, other: string): number[] {
  const left = placed(other);
  const isGone = placed(summary).map(each => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [...untied].filter(i => isGone[i]);
}

/** The amounts with the words around them. */
function placed(summary: string): string[] {
  return [...summary.matchAll(amount)].map(({ 0: text, index }) => {
    const end = index + text.length;
    const around = [summary.slice(Math.max(0, index - 12), index), summary.slice(end, end + 6)];
    return around.map(words => words.replace(/\d/g, '#')).join(text);
  });
}

let callers = 0;

/** One call by somebody who has read nothing yet. */
async function ask({ world, answer, tool, args }: Asking, change: (asked: Asked, answer: Value) => Value) {
  world.script(async (url, request) => {
    const { status, body } = await answer(url, request);
    return { status, body: change(request.method === 'GET' ? url.pathname + url.search : body, body) };
  });
  const { pipeline, ownCaller } = world.runtime;
  const outcome = await pipeline.call(tool, args, { caller: ownCaller(`caller ${callers++}`), client: nobody });
  if (outcome.kind !== 'result') throw new Error(`${tool}: ${outcome.kind}`);
  return { ok: !outcome.answer.isError, summary: outcome.answer.summary, fields: outcome.answer.fields };
}

const money = /cents|amount|balance|credit|price|rate|value/;

function leavesOf(value: Value, path: string[] = []): [string[], string | number][] {
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([key, each]) => leavesOf(each, [...path, key]));
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
  return isNumber && money.test(path.findLast(key => !/^\d+$/.test(key)) ?? '') ? [[path, value]] : [];
}

/** What is changed at once: a field that is an amount of the summary; then all fields of one name, for sums. */
function candidates(leaves: Leaf[], amounts: string[]): [string, Leaf[]][] {
  const direct = leaves.filter(leaf => amounts.some(each => isSame(leaf.value, each)));
  const byName = new Map<string, Leaf[]>();
  for (const leaf of leaves) byName.set(nameOf(leaf), [...(byName.get(nameOf(leaf)) ?? []), leaf]);
  const sums = [...byName].map(([name, all]) => [`sum of ${name}`, all] as [string, Leaf[]]);
  return [...direct.map(leaf => [nameOf(leaf), [leaf]] as [string, Leaf[]]), ...sums];
}

function isSame(value: string | number, shown: string): boolean {
  const text = String(value);
  const plain = shown.replace(/^[^\d]+/, '');
  return ['EUR', 'JPY', 'KWD'].some(currency =>
    [formatMinor(text, currency), formatMajor(text, currency)].some(each => each.replace(/^[^\d]+/, '') === plain),
  );
}

function nameOf({ path }: Leaf): string {
  return pattern(path.map(key => (/^\d+$/.test(key) ? '[]' : `.${key}`)).join('')).slice(1);
}

/** Copies only what leads to the field. */
function moved(body: Value, { path: [key = '', ...path], value }: Leaf, cents: number): Value {
  const next =
    path.length > 0
      ? moved(body[key], { asked: '', path, value }, cents)
      : typeof value === 'number'
        ? value + cents
        : plus(value, key.endsWith('_cents') ? cents : cents / 100);
  return Object.assign(Array.isArray(body) ? [...body] : { ...body }, { [key]: next });
}

function plus(decimalText: string, cent: number): string {
  return (Number(decimalText) + cent).toFixed(Math.max(2, decimalText.split('.')[1]?.length ?? 0));
}
