// The sums of a list by currency: of the rows that are shown, and of all that were read where the answer has those.
import { counted, dotted, el, quiet, t } from './format.js';
import { word } from './list-words.js';
import { lines, section } from './parts.js';
import { sumOf, wholeOf } from './table.js';

export const entry = (group, currency, cents) => ({ group, currency, cents });

/** The sums of the rows that are shown; where the answer has others, of more rows, also those. */
export function sums(rows, shown, told, whole) {
  const same = JSON.stringify(shown.map(keyOf).sort()) === JSON.stringify(told.map(keyOf).sort());
  const title = counted(whole ? 'sums_all' : 'sums_shown', rows.length);
  return [
    sumLines(title, shown),
    told.length && !same ? sumLines(t('sums_read'), told) : null,
    told.length ? atFirst(same ? title : t('sums_read'), told) : atFirst(title, shown),
  ];
}

/** The sums in one line, which stands for their tables in the first look. */
function atFirst(title, entries) {
  const named = new Map();
  for (const { group, name, currency, cents } of ordered(entries)) {
    const amounts = named.get(group) ?? { name: name?.() ?? wordOfSum(group), sums: [] };
    named.set(group, { ...amounts, sums: [...amounts.sums, sumOf(cents, currency)] });
  }
  const said = [...named.values()].map(({ name, sums }) => [name, ' ', sums.join(' + ')]);
  return said.length ? el('p', { class: 'first finding quiet' }, title, ': ', dotted(...said)) : null;
}

const groupOrder = [
  ...['invoiced', 'wallet_top_ups', 'owed', 'overdue', 'drafts'],
  ...['succeeded', 'processing', 'pending', 'failed'],
  ...['issued', 'available', 'refunds_pending', 'refunds_succeeded', 'refunds_failed'],
];
const wordOfSum = group => (group.startsWith('moved_') ? word('moved', group.slice(6)) : word('sum', group));
const keyOf = ({ group, currency, cents }) => `${group} ${currency} ${cents}`;

const ordered = entries =>
  [...entries].sort(
    (a, b) =>
      Number(a.currency > b.currency) - Number(a.currency < b.currency) ||
      groupOrder.indexOf(a.group) - groupOrder.indexOf(b.group),
  );

function sumLines(title, entries) {
  if (!entries.length) return null;
  const rows = ordered(entries).map(({ group, name, currency, count, cents }) => [
    [name?.() ?? wordOfSum(group), ' ', quiet(count > 0 && counted('rows_in', count), currency)],
    sumOf(cents, currency),
  ]);
  return section(title, lines(null, [t('what'), t('amount')], rows));
}

/** The answer's totals in the form of `sumsOf`: by group and currency, or by currency with all groups in one record. */
export function answered(totals) {
  if (Array.isArray(totals))
    return totals.flatMap(({ currency, ...sums }) =>
      Object.entries(sums)
        .filter(([name]) => name.endsWith('_amount_cents'))
        .map(([name, cents]) => ({
          ...entry(`moved_${name.slice(0, -'_amount_cents'.length)}`, currency, wholeOf(cents)),
          count: 0,
        })),
    );
  return Object.entries(totals ?? {}).flatMap(([group, list]) =>
    [list].flat().flatMap(({ currency, count, ...sums }) => {
      const [cents] = Object.entries(sums).flatMap(([name, sum]) => (name.endsWith('_cents') ? [wholeOf(sum)] : []));
      return cents === undefined ? [] : [{ ...entry(group, currency, cents), count }];
    }),
  );
}
