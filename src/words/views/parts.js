// The larger parts that pages are made of: headings, bars, gauges, lines, facts.
import { counted, dotted, el, note, quiet, t } from './format.js';

/** The only h1 of a page, a badge or a button next to it, and a quiet line below. */
export function head(title, about, ...beside) {
  return el(
    'header',
    {},
    el('div', { class: 'head' }, el('h1', {}, title), beside),
    about?.length ? note(about) : null,
  );
}

/** The one figure that answers the question, what it is, and how it comes about. `kind` is `bad` for one that alarms. */
export function hero(figure, about, path = null, kind = '') {
  return el(
    'div',
    { class: 'hero' },
    el('p', {}, el('b', { class: `figure ${kind}` }, figure || '–'), ' ', quiet(about)),
    path?.length ? el('p', { class: 'quiet path' }, path) : null,
  );
}

export const section = (title, ...children) => el('section', {}, el('h2', {}, title), ...children);
/** What stands at both ends of a line. */
export const ends = (...beside) => el('div', { class: 'row' }, ...beside);
export const badge = (text, kind) => el('span', { class: `badge ${kind}` }, text);

/** The sum of what `of` gives for each. */
export const total = (each, of) => each.reduce((sum, one) => sum + of(one), 0);

/** A definition list without its empty entries; null without any. */
export function facts(entries) {
  const filled = entries.filter(
    ([, value]) => value !== undefined && value !== null && value !== '' && value !== false,
  );
  if (!filled.length) return null;
  return el(
    'dl',
    {},
    filled.map(([term, value]) => el('div', {}, el('dt', {}, term), el('dd', {}, value))),
  );
}

/** Shades of a bar, largest part first; more parts share one that is none of them. */
const shades = 6;
export function shade(index) {
  return `shade ${index < shades ? `s${index}` : 'many'}`;
}

/** The colour of a line's part of the bar, next to its name; null where several parts share it. */
export function swatch(index) {
  return index < shades ? el('i', { class: `swatch ${shade(index)}`, 'aria-hidden': 'true' }) : null;
}

/**
 * A bar of parts, each `{ size, kind }`, in a track as long as `whole`. For the eye only: what it shows is next to it in
 * words. Sizes are for drawing, never money.
 */
export function bar(parts, whole) {
  const sizes = [];
  for (const { size, kind } of parts.filter(part => part.size > 0))
    if (sizes.at(-1)?.kind === kind) sizes.at(-1).size += size;
    else sizes.push({ size, kind });
  const sum = total(sizes, ({ size }) => size);
  const all = Math.max(whole ?? sum, sum, Number.MIN_VALUE);
  return el(
    'div',
    { class: 'bar', 'aria-hidden': 'true' },
    sizes.map(({ size, kind }) => el('i', { class: kind, style: `width:${((size / all) * 100).toFixed(2)}%` })),
  );
}

/** A bar with marks at sizes, each `{ at, text }`; their texts stand below, or in a row where they would collide. */
export function gauge(parts, marks, whole) {
  const shown = marks
    .filter(({ at }) => at >= 0 && at <= whole)
    .map(({ at, text }) => ({ text, share: (at / whole) * 100 }))
    .sort((a, b) => a.share - b.share);
  return el(
    'div',
    { class: 'gauge' },
    bar(parts, whole),
    shown.map(({ share }) => el('i', { class: 'mark', 'aria-hidden': 'true', style: `inset-inline-start:${share}%` })),
    placed(shown),
  );
}

/** Texts at their shares of the width, from the least; in a row where they would collide, and on a narrow screen. */
export function placed(shown) {
  const apart = shown.every(({ share }, index) => index === 0 || share - shown[index - 1].share > 30);
  return [
    apart && shown.length
      ? el(
          'div',
          { class: 'marks' },
          shown.map(({ share, text }) => el('span', { class: sideOf(share), style: placeOf(share) }, text)),
        )
      : null,
    el('p', { class: apart ? 'quiet narrow' : 'quiet' }, dotted(...shown.map(({ text }) => text))),
  ];
}

const sideOf = share => (share < 25 || share > 75 ? '' : 'mid');
const placeOf = share => (share > 75 ? `inset-inline-end:${100 - share}%` : `inset-inline-start:${share}%`);

/**
 * A table of rows, each `[name, ...cells]`. The caption is for screen readers only; a table right below its heading needs
 * none. The columns' names are for screen readers only unless `shown`. On a narrow screen a name stands above its cells
 * where they are several; the roles keep it a table then.
 */
export function lines(caption, columns, rows, { shown = false, kind = '' } = {}) {
  return el(
    'table',
    { role: 'table', class: columns.length > 2 ? `several ${kind}` : kind || null },
    caption ? el('caption', { class: 'unseen' }, caption) : null,
    el(
      'thead',
      { role: 'rowgroup', class: shown ? null : 'unseen' },
      el(
        'tr',
        { role: 'row' },
        columns.map((title, index) =>
          el('th', { role: 'columnheader', scope: 'col', class: index ? 'amount' : null }, title),
        ),
      ),
    ),
    el(
      'tbody',
      { role: 'rowgroup' },
      rows.map(([name, ...values]) =>
        el(
          'tr',
          { role: 'row' },
          el('th', { role: 'rowheader', scope: 'row' }, name),
          values.map(value => el('td', { role: 'cell', class: 'amount' }, value)),
        ),
      ),
    ),
  );
}

/** Of more rows than eleven, ten are shown; the others open on demand, and their sum stands next to how many they are. */
const mostLines = 10;

/**
 * @param {string} caption
 * @param {unknown[]} columns
 * @param {unknown[][]} rows
 * @param {(hidden: number) => unknown} sum of the last rows, as many as are hidden
 */
export function foldedLines(caption, columns, rows, sum, look = {}) {
  if (rows.length <= mostLines + 1) return [lines(caption, columns, rows, look)];
  const hidden = rows.slice(mostLines);
  const title = counted('more_lines', hidden.length);
  return [
    lines(caption, columns, rows.slice(0, mostLines), look),
    el(
      'details',
      { class: 'more' },
      el('summary', {}, el('span', {}, title), el('b', { class: 'amount' }, sum(hidden.length))),
      lines(title, columns, hidden, look),
    ),
  ];
}

/** A name that opens to the lines inside; the name alone where there are none. */
export function folding(name, inside) {
  const filled = inside.filter(line => line?.length);
  if (!filled.length) return el('div', {}, name);
  return el(
    'details',
    {},
    el('summary', {}, name),
    el(
      'ul',
      { class: 'inside' },
      filled.map(line => el('li', {}, line)),
    ),
  );
}

/** In a sandbox without modals nothing is printed, and no error says so: then the page does. */
export function printButton() {
  const state = el('span', { class: 'quiet', role: 'status' });
  const print = () => {
    let began = false;
    window.addEventListener('beforeprint', () => (began = true), { once: true });
    window.print();
    setTimeout(() => (state.textContent = began ? '' : t('no_print')), 300);
  };
  return el('div', { class: 'print' }, el('button', { type: 'button', onclick: print }, t('print')), state);
}

/** What is folded on the screen is opened while the page is printed. */
const openForPrint = [];
window.addEventListener('beforeprint', () => {
  for (const fold of document.querySelectorAll('details')) {
    if (fold.open) continue;
    // A press: it fills what is empty until then.
    fold.querySelector('summary').click();
    openForPrint.push(fold);
  }
});
window.addEventListener('afterprint', () => {
  for (const fold of openForPrint.splice(0)) fold.open = false;
});
