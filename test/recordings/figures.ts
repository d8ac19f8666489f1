/** The table of docs/fidelity.md: how many answers are alike, by what was asked. */
import { figuresOf, type Judged } from './results.ts';

const groups: readonly (readonly [name: string, kinds: RegExp])[] = [
  ['Unusual inputs of writes', /^edge /],
  ['Refused requests', /^refused /],
  ['Writes', /^write /],
  ['Invoice previews', /^preview /],
  ['Current usage', /^current usage/],
  ['Estimates', /^estimate/],
  ['Records and lists', /^/],
];

const [start, end] = ['<!-- figures -->\n', '<!-- /figures -->'];

/** The page with the figures of these results. */
export function withFigures(page: string, judged: Judged[]): string {
  const groupOf = ({ kind }: Judged) => groups.find(([, kinds]) => kinds.test(kind))![0];
  const rows = [...groups].reverse().map(([name]) =>
    rowOf(
      name,
      judged.filter(each => groupOf(each) === name),
    ),
  );
  const table = [
    '| answers | compared | alike | with a computed total | total equal |',
    '|---|---|---|---|---|',
    ...rows,
    rowOf('All', judged),
  ].join('\n');
  const [before, after] = [page.split(start)[0]!, page.split(end)[1]!];
  return `${before}${start}${table}\n${end}${after}`;
}

function rowOf(name: string, judged: Judged[]): string {
  const { requests, alike, totals, totalsEqual } = figuresOf(judged);
  const computed = totals === 0 ? ['', ''] : [totals, totalsEqual].map(shown);
  return `| ${[name, shown(requests), shown(alike), ...computed].join(' | ')} |`;
}

function shown(count: number): string {
  return count.toLocaleString('en-US');
}
