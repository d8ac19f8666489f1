// The first look of a page: what fits into a chat, the finding, the total and the first rows before all else. A button shows the rest.
import { el, t } from './format.js';

const mostPixels = 500;
const mostRows = 5;

/** These are seen at first, however long the page is. */
const always = 'header, main > .hero, .alert, .warning, .demo, .finding, p.bad, .whole';
/** These go first. */
const details = 'dl, details.more, .detail, .rest, .print, .parties, .all';
const charts = '.chart, .curves';
const rows = 'tbody > tr, .changes > li, .cards > .card';

/**
 * Gives `draw`, which is called once `view` has its elements: `whole` are those of which nothing may be left for later, what a
 * user is asked above all. `open` shows all of the page from now on.
 */
export function firstLook(view) {
  let [opened, whole, width] = [false, true, 0];
  const button = el('button', { type: 'button', class: 'whole', onclick: () => show(!opened) });

  function show(all) {
    opened = all;
    settle();
  }

  function settle() {
    width = window.innerWidth;
    for (const one of view.querySelectorAll('.later')) one.classList.remove('later');
    view.classList.remove('brief');
    // Measured without the button, which keeps the focus.
    button.classList.add('unseen');
    if (whole || height() <= mostPixels) return button.remove();
    button.classList.remove('unseen');
    button.textContent = t(opened ? 'show_less' : 'show_whole');
    button.setAttribute('aria-expanded', String(opened));
    // One that is moved would lose the focus.
    if (!button.isConnected) view.append(button);
    if (!opened) shorten();
  }

  function shorten() {
    view.classList.add('brief');
    for (const row of rowsIn(view).slice(mostRows)) leave(row);
    const rank = piece => (piece.closest(details) ? 0 : piece.matches(rows) ? 2 : 1);
    const pieces = [...view.children].flatMap(piecesOf).toReversed();
    for (const piece of pieces.sort((one, other) => rank(one) - rank(other)))
      if (height() > mostPixels) leave(piece);
      else break;
  }

  window.addEventListener('resize', () =>
    // A table has then found the form that has room.
    requestAnimationFrame(() => window.innerWidth !== width && settle()),
  );
  view.addEventListener('click', ({ target }) => target.closest('.sort') && settle());
  return {
    open: () => show(true),
    draw(all) {
      whole = all;
      queueMicrotask(settle);
    },
  };
}

const height = () => Math.ceil(document.documentElement.getBoundingClientRect().height);

/** In the order in which they are wanted: of a set first what failed, of an account the latest. */
function rowsIn(view) {
  const found = [...view.querySelectorAll(rows)].filter(row => !row.hidden && !row.closest(details));
  const failed = row => Number(row.matches('li:has(.bad)'));
  return found.at(-1)?.closest('.latest') ? found.toReversed() : found.sort((a, b) => failed(b) - failed(a));
}

/** What can be left for later piece by piece, in the order of the page. */
function piecesOf(node) {
  if (node.matches(`${always}, h2, thead, caption, .later, [hidden]`)) return [];
  if (node.matches(charts)) return [...node.children].filter(child => child.matches('svg'));
  const isParted = node.matches(
    'section:has(table, .chart, dl), .card, .cards, .changes, table, tbody, div:has(> table)',
  );
  if (!isParted) return [node];
  const inside = [...node.children].flatMap(piecesOf);
  return node.matches('.latest') ? inside.toReversed() : inside;
}

/** Leaves an element for later; a chart as a whole, and what then has a title alone. */
function leave(node) {
  const around = node.parentElement;
  const parts = around.matches(charts) ? [...around.children].filter(child => !child.matches('h2')) : [node];
  for (const part of parts) part.classList.add('later');
  const isLeft = child => child.hidden || child.matches('.later, h2, thead, caption');
  if (!around.matches('main, .chart') && [...around.children].every(isLeft)) leave(around);
}
