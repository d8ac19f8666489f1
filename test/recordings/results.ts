/** What a replay found: which differences are accepted, which follow from others, and which are open. */
import { type Category, categories, type Difference, pattern, stable, type Value } from './compare.ts';

/** A difference that stays. `kind` and `path` are regular expressions; `kind` is about kind and name. */
export interface Accepted {
  kind?: string;
  path?: string;
  category?: Category;
  /** Null: absent, too. A record: these fields of it. */
  real?: Value;
  ours?: Value;
  why: string;
}

export interface Result {
  /** Of the account. */
  seed: number;
  kind: string;
  name: string;
  differences: Difference[];
  /** Of a computed answer: the recorded total and ours. */
  totals?: [Value, Value];
  /** The recorded answer and ours, where both have one. */
  answers?: [Value, Value];
}

/** `open`: neither accepted nor derived. */
export interface Judged extends Result {
  open: Difference[];
  derived: Difference[];
  /** The entries that excuse a difference of it. */
  excuses: Accepted[];
}

export function judge(results: Result[], accepted: Accepted[]): Judged[] {
  const rules = accepted.map(rule => ({ rule, matches: matcherOf(rule) }));
  return results.map(result => {
    const excuseOf = (each: Difference) => rules.find(({ matches }) => matches(result, each))?.rule;
    const excused = new Map(result.differences.map(each => [each, excuseOf(each)] as const));
    const derived = derivedOf(result.differences);
    const left = result.differences.filter(each => !excused.get(each));
    return {
      ...result,
      open: left.filter(each => !derived.has(each)),
      derived: left.filter(each => derived.has(each)),
      excuses: [...new Set([...excused.values()].filter(rule => rule !== undefined))],
    };
  });
}

function matcherOf(rule: Accepted): (result: Result, difference: Difference) => boolean {
  const [kind, path] = [new RegExp(rule.kind ?? ''), new RegExp(rule.path ?? '')];
  return ({ seed, kind: type, name }, { path: place, category, real, ours }) =>
    (kind.test(`${type} ${seed}: ${name}`) || kind.test(`${type} ${name}`)) &&
    path.test(pattern(place)) &&
    (rule.category === undefined || rule.category === category) &&
    (rule.real === undefined || holds(real ?? null, rule.real)) &&
    (rule.ours === undefined || holds(ours ?? null, rule.ours));
}

/** Whether a value is the one of an entry. Of a record the entry names the fields that tell it. */
function holds(value: Value, wanted: Value): boolean {
  const isRecord = (each: Value) => each !== null && typeof each === 'object' && !Array.isArray(each);
  if (!isRecord(wanted)) return stable(wanted) === stable(value);
  return isRecord(value) && Object.entries(wanted).every(([key, each]) => holds(value[key], each));
}

/** Money of one fee follows from the first of these that differs; sums of the answer follow from its fees and credits. */
const order = [
  /\.units$/,
  /events_count$/,
  /total_aggregated_units$/,
  /amount_details\./,
  /precise_unit_amount$/,
  /\.precise_amount$/,
  /\.amount_cents$/,
  /taxes_rate$/,
  /precise_coupons_amount_cents$/,
  /sub_total_excluding_taxes_precise/,
  /taxes_precise_amount$/,
  /taxes_amount_cents$/,
];
const owner = /^(.*?\b(?:fees|charges_usage|filters|grouped_usage|credits|wallets?|alerts?)\[(?:[^[\]]|\[[^\]]*\])*\])/;
const sums =
  /(^|\.)(fees_amount_cents|coupons_amount_cents|credit_notes_amount_cents|taxes_amount_cents|taxes_precise_amount|sub_total_\w+|total_\w+|prepaid_\w+|amount_cents|precise_amount|precise_total_amount|progressive_billing_credit_amount_cents|plan_amount_cents)$|applied_taxes/;

/** The differences that only follow from another one of the same answer, so that each cause counts once. */
function derivedOf(all: Difference[]): Set<Difference> {
  const money = all.filter(each => each.category === 'money');
  const ownerOf = (each: Difference) => owner.exec(each.path)?.[1];
  const rankOf = (each: Difference) =>
    (order.findIndex(one => one.test(each.path)) + order.length + 1) % (order.length + 1);
  const isBoth = ({ real, ours }: Difference) => real !== null && ours !== null;
  const derived = new Set<Difference>();
  for (const name of new Set(money.map(ownerOf).filter(Boolean))) {
    const own = money.filter(each => ownerOf(each) === name);
    const first = own.reduce((a, b) => (rankOf(b) < rankOf(a) ? b : a));
    for (const each of own) if (each !== first && isBoth(each)) derived.add(each);
  }
  if (!money.some(each => ownerOf(each) && !derived.has(each))) return derived;
  for (const each of money) if (!ownerOf(each) && isBoth(each) && sums.test(pattern(each.path))) derived.add(each);
  return derived;
}

/** How often each open difference occurs: `money · preview projection · invoice.fees[].units`. */
export function openByCause(judged: Judged[]): Map<string, { result: Judged; difference: Difference }[]> {
  const groups = new Map<string, { result: Judged; difference: Difference }[]>();
  for (const result of judged)
    for (const difference of result.open) {
      const key = `${difference.category} · ${result.kind} · ${pattern(difference.path)}`;
      groups.set(key, [...(groups.get(key) ?? []), { result, difference }]);
    }
  const rank = (key: string) => categories.indexOf(key.split(' ')[0] as Category);
  return new Map([...groups].sort(([a, x], [b, y]) => rank(a) - rank(b) || y.length - x.length));
}

export interface Figures {
  requests: number;
  alike: number;
  totals: number;
  totalsEqual: number;
  open: Record<Category, number>;
}

export function figuresOf(judged: Judged[]): Figures {
  const computed = judged.filter(({ totals }) => totals && totals[0] !== undefined);
  const all = judged.flatMap(each => each.open);
  const count = (category: Category) => all.filter(each => each.category === category).length;
  return {
    requests: judged.length,
    alike: judged.filter(({ open, derived }) => open.length + derived.length === 0).length,
    totals: computed.length,
    totalsEqual: computed.filter(({ totals }) => totals![0] === totals![1]).length,
    open: Object.fromEntries(categories.map(each => [each, count(each)])) as Record<Category, number>,
  };
}

/** How many answers each entry excuses. */
export function excusedBy(judged: Judged[], accepted: Accepted[]): { rule: Accepted; answers: number }[] {
  const answers = new Map<Accepted, number>();
  for (const rule of judged.flatMap(({ excuses }) => excuses)) answers.set(rule, (answers.get(rule) ?? 0) + 1);
  return accepted.map(rule => ({ rule, answers: answers.get(rule) ?? 0 }));
}

/** The whole report, with up to `examples` answers of each open difference. */
export function reportOf(judged: Judged[], accepted: Accepted[], examples: number): string {
  const { requests, alike, totals, totalsEqual, open } = figuresOf(judged);
  const lines = [
    `${requests} requests: ${alike} alike; totals equal in ${totalsEqual} of ${totals} computed answers`,
    `open: ${categories.map(each => `${each} ${open[each]}`).join(', ')}`,
  ];
  for (const [cause, all] of openByCause(judged)) {
    lines.push(`- ${cause}: ${all.length}`);
    for (const { result, difference } of all.slice(0, examples)) lines.push(`    ${exampleOf(result, difference)}`);
  }
  lines.push('accepted:');
  for (const { rule, answers } of excusedBy(judged, accepted))
    lines.push(`- ${answers} answers: ${rule.kind ?? 'all'} · ${rule.path ?? 'all'}: ${rule.why}`);
  return lines.join('\n');
}

function exampleOf({ seed, name }: Result, { path, real, ours }: Difference): string {
  const shown = (value: Value) => {
    const text = value === undefined ? '(absent)' : typeof value === 'string' ? value : stable(value);
    return text.length > 160 ? `${text.slice(0, 159)}…` : text;
  };
  const place = path === pattern(path) ? '' : ` · ${path}`;
  return `${seed}: ${name}${place}: real ${shown(real)} | ours ${shown(ours)}`;
}
