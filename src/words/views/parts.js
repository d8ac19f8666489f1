// The larger parts that pages are made of: headings, bars, gauges, lines, facts.
import { dotted, el, t } from './format.js';

/** The only h1 of a page, a badge or a button beside it, and a quiet line below. */
export function head(title, about, ...beside) {
  return el(
    'header',
    {},
    el('div', { class: 'head' }, el('h1', {}, title), beside),
    about?.length ? el('p', { class: 'quiet' }, about) : null,
  );
}

/** The one figure that answers the question, what it is, and how it comes about. */
export function hero(figure, about, path) {
  return el(
    'div',
    { class: 'hero' },
    el('p', {}, el('b', { class: 'figure' }, figure || '–'), ' ', el('span', { class: 'quiet' }, about)),
    path?.length ? el('p', { class: 'quiet path' }, path) : null,
  );
}

export function section(title, ...children) {
  return el('section', {}, el('h2', {}, title), ...children);
}

export function badge(text, kind) {
  return el('span', { class: `badge ${kind}` }, text);
}

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

/** Shades of a bar, largest part first; more parts share the last one. */
const shades = 6;
export function shade(index) {
  return `shade s${Math.min(index, shades - 1)}`;
}

/** The colour of a line's part of the bar, beside its name. */
export function swatch(index) {
  return el('i', { class: `swatch ${shade(index)}`, 'aria-hidden': 'true' });
}

/**
 * A bar of parts, each `{ size, kind }`, in a track as long as `whole`. For the eye only: what it shows is beside it in
 * words. Sizes are for drawing, never money.
 */
export function bar(parts, whole) {
  const sizes = parts.filter(({ size }) => size > 0);
  const sum = sizes.reduce((total, { size }) => total + size, 0);
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
  const apart = shown.every(({ share }, index) => index === 0 || share - shown[index - 1].share > 30);
  return el(
    'div',
    { class: 'gauge' },
    bar(parts, whole),
    shown.map(({ share }) => el('i', { class: 'mark', 'aria-hidden': 'true', style: `inset-inline-start:${share}%` })),
    apart
      ? el(
          'div',
          { class: 'marks' },
          shown.map(({ share, text }) => el('span', { class: sideOf(share), style: placeOf(share) }, text)),
        )
      : null,
    // On a narrow screen they stand in a row in any case.
    el('p', { class: apart ? 'quiet narrow' : 'quiet' }, dotted(...shown.map(({ text }) => text))),
  );
}

const sideOf = share => (share < 25 || share > 75 ? '' : 'mid');
const placeOf = share => (share > 75 ? `inset-inline-end:${100 - share}%` : `inset-inline-start:${share}%`);

/**
 * A table of rows, each `[name, ...cells]`. The caption is for screen readers only; a table right below its heading needs
 * none. The columns' names are for screen readers only unless `shown`.
 */
export function lines(caption, columns, rows, { shown = false } = {}) {
  const cells = (values, tag) =>
    values.map((value, index) =>
      el(tag, { class: index ? 'amount' : null, scope: tag === 'th' ? 'col' : null }, value),
    );
  return el(
    'table',
    {},
    caption ? el('caption', { class: 'unseen' }, caption) : null,
    el('thead', { class: shown ? null : 'unseen' }, el('tr', {}, cells(columns, 'th'))),
    el(
      'tbody',
      {},
      rows.map(([name, ...values]) =>
        el(
          'tr',
          {},
          el('th', { scope: 'row' }, name),
          values.map(value => el('td', { class: 'amount' }, value)),
        ),
      ),
    ),
  );
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
    fold.open = true;
    openForPrint.push(fold);
  }
});
window.addEventListener('afterprint', () => {
  for (const fold of openForPrint.splice(0)) fold.open = false;
});
