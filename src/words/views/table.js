// A table that readers sort, and the sums of its rows by currency.
import { day, el, locale, money, own, t } from './format.js';

/** Of more rows than these, the others are shown on demand. */
const mostRows = 20;

/**
 * Columns of a table, each `{ title, amount, cell }`: `cell(row)` gives what is shown of a row, and the keys by which it is
 * sorted, the first of them first; without keys the row stands last.
 */
export const column = {
  /** Texts of records; `show` gives more than the text. */
  text: (title, of, show = row => own(of(row))) => ({
    title,
    cell: row => ({ keys: keysOf(of(row)), show: show(row) }),
  }),
  /** Amounts in minor units, sorted within their currency. */
  money: (title, centsOf, currencyOf = row => row.currency) => ({
    title,
    amount: true,
    cell(row) {
      const [cents, currency] = [centsOf(row), currencyOf(row)];
      const show = currency ? sumOf(cents, currency) : '';
      return { keys: show ? [String(currency), wholeOf(cents)] : [], show };
    },
  }),
  /** Days and moments; `show` gives them in words. */
  date: (title, of, show = localDay) => ({
    title,
    cell(row) {
      const text = show(of(row));
      return { keys: text ? [Date.parse(of(row))] : [], show: text };
    },
  }),
};

const keysOf = text => (text === undefined || text === null || text === '' ? [] : [String(text)]);

/** The day of a moment where it is told in a time zone: `2026-10-01T20:00:00-04:00` is the first of October. */
function localDay(moment) {
  return day(/T.*[+-]\d\d:\d\d$/.test(String(moment)) ? moment.slice(0, 10) : moment);
}

/**
 * The rows in their order, and the button that shows those after the first ones. A press on a column's name sorts, the next
 * one the other way round; rows that are equal stay as they stood. Columns without a value are left out, but not the first. The
 * caption is for screen readers.
 */
export function sortable(caption, columns, rows, most = mostRows) {
  const cells = rows.map(row => columns.map(each => each.cell(row)));
  const used = columns
    .map((each, at) => ({ ...each, at }))
    .filter(({ at }) => !at || cells.some(row => isShown(row[at])));
  const lines = cells.map(row => ({ row, line: lineOf(row, used) }));
  const body = el('tbody', { role: 'rowgroup' });
  const heads = used.map(each => headOf(each, () => sort(each)));
  let all = rows.length <= most + 1;
  let by = { at: -1, turn: 1 };

  function place() {
    for (const [index, { line }] of lines.entries()) line.hidden = !all && index >= most;
    body.append(...lines.map(({ line }) => line));
  }

  function sort({ at, title }) {
    by = { at, turn: by.at === at ? -by.turn : 1 };
    lines.sort((a, b) => compared(a.row[at].keys, b.row[at].keys, by.turn));
    place();
    const order = by.turn > 0 ? 'ascending' : 'descending';
    for (const [index, head] of heads.entries())
      if (used[index].at === at) head.setAttribute('aria-sort', order);
      else head.removeAttribute('aria-sort');
    document.getElementById('said').textContent = t(`sorted_${order}`, { column: title });
  }

  place();
  const table = el(
    'table',
    { role: 'table', class: 'sortable' },
    el('caption', { class: 'unseen' }, caption),
    el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, heads)),
    body,
  );
  const fitted = el('div', {}, table);
  fitInto(fitted, table);
  if (all) return [fitted];
  const whole = t('show_all', { count: String(rows.length) });
  const fold = el('button', { type: 'button', class: 'all', 'aria-expanded': 'false' }, whole);
  fold.addEventListener('click', () => {
    all = !all;
    fold.setAttribute('aria-expanded', String(all));
    fold.textContent = all ? t('show_first', { count: String(most) }) : whole;
    place();
  });
  return [fitted, fold];
}

/** Finds the form that has room; once the table is in the page, and whenever the window changes. */
function fitInto(around, table) {
  const measure = () => {
    if (!table.isConnected) return window.removeEventListener('resize', measure);
    const height = tier => {
      arrange(table, tier);
      return table.scrollWidth <= around.clientWidth ? table.offsetHeight : Number.POSITIVE_INFINITY;
    };
    if (height(1) < Number.POSITIVE_INFINITY) return;
    const [two, three] = [height(2), height(3)];
    arrange(table, Math.min(two, three) === Number.POSITIVE_INFINITY ? 0 : two <= three ? 2 : 3);
  };
  window.addEventListener('resize', measure);
  queueMicrotask(measure);
}

/** Columns side by side, or as many `tiers` of them below each other, amounts apart; of none, each row is a card. */
function arrange(table, tiers) {
  table.classList.toggle('tiered', tiers > 1);
  table.classList.toggle('stacked', tiers === 0);
  for (const { children: cells } of table.rows) {
    const texts = [...cells].filter(cell => !cell.matches('.amount')).length;
    const columns = Math.ceil(texts / tiers);
    for (const [at, { style }] of [...cells].entries()) {
      const [place, before] = at < texts ? [at, 0] : [at - texts, columns];
      style.gridArea = tiers > 1 ? `${(place % tiers) + 1} / ${before + Math.floor(place / tiers) + 1}` : '';
    }
    table.style.setProperty('--columns', String(columns + Math.ceil((cells.length - texts) / tiers)));
  }
}

const isShown = ({ show }) => show !== null && show !== undefined && show !== '' && show.length !== 0;

function headOf({ title, amount }, onclick) {
  const button = el('button', { type: 'button', class: 'sort', onclick }, title);
  return el('th', { role: 'columnheader', scope: 'col', class: amount ? 'amount' : null }, button);
}

function lineOf(row, used) {
  const [first, ...others] = used.map(({ at, title, amount }) => {
    const name = at ? { role: 'cell' } : { role: 'rowheader', scope: 'row' };
    // On a narrow screen the title stands next to the value.
    return el(at ? 'td' : 'th', { ...name, class: amount ? 'amount' : null, 'data-title': title }, row[at].show);
  });
  return el('tr', { role: 'row' }, first, others);
}

/** Numbers by size, texts as the reader's language orders them. */
function compared(keys, others, turn) {
  if (!keys.length || !others.length) return others.length - keys.length;
  for (const [index, key] of keys.entries()) {
    const other = others[index];
    const order = typeof key === 'string' ? collator().compare(key, other) : Number(key > other) - Number(key < other);
    if (order) return order * turn;
  }
  return 0;
}

let words;
function collator() {
  if (words?.locale !== locale) words = { locale, compare: new Intl.Collator(locale, { numeric: true }).compare };
  return words;
}

/** A whole number of minor units, however large; a sum beyond 2^53 comes as text. Null for anything else. */
export function wholeOf(cents) {
  if (typeof cents === 'bigint') return cents;
  return Number.isSafeInteger(cents) || /^-?\d{1,60}$/.test(cents) ? BigInt(cents) : null;
}

/** Sums of entries `{ group, currency, cents }` by group and currency, as they come; entries without a whole amount are left out. */
export function sumsOf(entries) {
  const sums = new Map();
  for (const entry of entries) {
    const { group, currency } = entry;
    const whole = wholeOf(entry.cents);
    if (whole === null || !currency) continue;
    const key = `${group} ${currency}`;
    const { count, cents: before } = sums.get(key) ?? { count: 0, cents: 0n };
    sums.set(key, { ...entry, count: count + 1, cents: before + whole });
  }
  return [...sums.values()];
}

/** An amount of any size in words. */
export function sumOf(cents, currency) {
  return money(wholeOf(cents), currency);
}
