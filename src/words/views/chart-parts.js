// What charts are made of. What a chart shows is in its title, and its figures are in a table.
import { el, quantity, t } from './format.js';
import { lines } from './parts.js';
import { rateOf } from './scale.ts';

export const chartHeight = 112;

export function svg(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * A chart below its finding, which is the heading and what a screen reader says of the drawing. `table` opens below it, where
 * the page has no other: it gives the columns and rows. Time runs from left to right in every language.
 *
 * @param {string} finding
 * @param {Element[]} shapes
 * @param {{ height?: number, top?: string, below?: unknown[], table?: (() => [unknown[], unknown[][]]) | null }} about `top`: what the
 * upper edge stands for
 */
export function chart(finding, shapes, { height = chartHeight, top = '', below = [], table = null }) {
  return el(
    'section',
    { class: 'chart' },
    el('h2', {}, finding),
    top && el('p', { class: 'axis up quiet' }, top),
    svg('svg', { role: 'img', height, width: '100%' }, svg('title', {}, finding), ...shapes),
    ...below,
    table && figures(finding, table),
  );
}

/** Made when it is first opened: its rows would take longer to draw than the chart. */
function figures(caption, table) {
  const fold = el('details', {});
  const fill = () => fold.childElementCount > 1 || fold.append(lines(caption, ...table()));
  fold.append(el('summary', { onclick: fill }, t('figures')));
  return fold;
}

export const column = (place, kind) => svg('rect', { class: kind, ...place });
/** Columns of a kind each; `0` stands where one has no height. */
export function columns(places, kindOf) {
  return places.map((place, index) =>
    place.height > 0
      ? column(place, kindOf(index))
      : svg(
          'text',
          { class: 'at', x: `${Number.parseFloat(place.x) + Number.parseFloat(place.width) / 2}%`, y: place.y - 3 },
          '0',
        ),
  );
}

export const line = (place, kind) => svg('line', { class: kind, ...place });
export const level = (y, kind) => line({ x1: 0, x2: '100%', y1: y, y2: y }, kind);

/** A line through corners, each across in shares of the width and down in pixels. */
export function path(corners, kind) {
  const points = corners.map(([across, down]) => `${Math.round(across * 10_000)} ${Math.round(down * 10)}`).join(' ');
  return svg(
    'svg',
    { viewBox: `0 0 10000 ${chartHeight * 10}`, preserveAspectRatio: 'none', height: chartHeight },
    svg('polyline', { class: kind, points }),
  );
}

/** Texts along what runs across, the first and the last at its ends; `up` for those above it. */
export function axis(kind, ...texts) {
  return el(
    'p',
    { class: `axis ${kind} quiet` },
    texts.map(text => el('span', {}, text)),
  );
}

/** A shape next to its meaning. */
export const keySign = shape => svg('svg', { class: 'key', viewBox: '0 0 24 8', 'aria-hidden': 'true' }, shape);

const lineKinds = ['limit', 'runway', 'used-up'];

/** What the kinds of shapes mean, each `[kind, text]`; `none` is of a text without a shape. */
export function keys(entries) {
  const shape = kind =>
    lineKinds.includes(kind)
      ? line({ x1: 0, x2: 24, y1: 4, y2: 4 }, kind)
      : column({ x: 1, y: 1, width: 22, height: 6 }, kind);
  return el(
    'ul',
    { class: 'keys quiet' },
    entries.map(([kind, text]) => el('li', {}, kind === 'none' ? null : keySign(shape(kind)), text)),
  );
}

/** `12.5 %`; of what hardly differs, `< 0.1 %`. */
export function percentOf(from, to) {
  const rate = rateOf(from, to);
  return rate && t('percent', { rate: rate === '<0.1' ? `< ${quantity('0.1')}` : quantity(rate) });
}

/** `▲ +12.5 %`; empty where nothing can be said, because there was nothing before. */
export function movement(from, to) {
  if (from === to && from > 0) return t('unmoved');
  const by = percentOf(from, to);
  if (!by) return '';
  return [el('span', { 'aria-hidden': 'true' }, to > from ? '▲ ' : '▼ '), `${to > from ? '+' : '−'}${by}`];
}
