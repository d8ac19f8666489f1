/** What can be measured of a page as it is drawn. */
import type { Frame } from 'playwright-core';

/** The text of a page as it is shown, with plain spaces; what is for readers of the screen alone is in it too. */
export async function textOf(frame: Frame): Promise<string> {
  const text = await frame.evaluate(() => {
    const view = document.getElementById('view');
    if (view?.ariaBusy !== 'false') throw new Error('the page has drawn nothing');
    return view.innerText;
  });
  return text.replace(/[\u00a0\u2009\u202f]/g, ' ');
}

/**
 * The page as a reader meets it: its height, what of it is left for later, and whether a list is no table. `expanded`: after
 * its button, where it has one, was pressed if need be.
 */
export function firstLook(frame: Frame, expanded?: boolean) {
  return frame.evaluate(wanted => {
    if (wanted !== null) document.querySelector<HTMLElement>(`.whole[aria-expanded=${!wanted}]`)?.click();
    const rows = [...document.querySelectorAll<HTMLElement>('tbody tr')].filter(row => !row.closest('.detail'));
    const shown = rows.map(row => row.checkVisibility());
    return {
      height: Math.ceil(document.documentElement.getBoundingClientRect().height),
      rows: shown.filter(Boolean).length,
      // Whether rows are shown from the first or up to the last, without a gap. */
      isOnePart: /^(1*0*|0*1*)$/.test(shown.map(Number).join('')),
      left: document.querySelectorAll('.later').length,
      isStacked: document.querySelector('.stacked') !== null,
      expanded: document.querySelector('.whole')?.getAttribute('aria-expanded') ?? null,
    };
  }, expanded ?? null);
}

/** Pixels by which the page is wider than its frame. */
export function sideways(frame: Frame): Promise<number> {
  return frame.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}

/** What its elements are, whatever they say: the tags that the Tab key reaches, and those that are seldom right. */
export function structureOf(frame: Frame) {
  return frame.evaluate(() => {
    const count = (selector: string) => document.querySelectorAll(selector).length;
    const stops = [...document.querySelectorAll<HTMLElement>('[tabindex], a[href], button, summary, input, select')];
    return {
      stops: stops.filter(one => one.tabIndex >= 0).map(({ tagName }) => tagName),
      headings: count('h1'),
      live: count('#view[aria-live], #view [aria-live]'),
      said: document.getElementById('said')?.textContent,
      foreign: count('#view img, #view script, #view a'),
      pwned: 'pwned' in window,
      language: [document.documentElement.lang, document.documentElement.dir, document.getElementById('view')?.lang],
      theme: document.documentElement.dataset.theme,
    };
  });
}

/**
 * Texts that stick out of the frame, pairs of texts that are drawn over each other, what scrolls and has no Tab stop, and by how
 * much the page is too wide.
 */
export function misplaced(frame: Frame): Promise<string[]> {
  return frame.evaluate(() => {
    const boxes: { node: Node; text: string; box: DOMRect }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      if (text === '' || node.parentElement?.closest('.unseen, script') || !node.parentElement?.checkVisibility())
        continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      // What is cut is drawn as far as its element reaches.
      const cut = node.parentElement.closest('.long')?.getBoundingClientRect();
      for (const whole of range.getClientRects()) {
        const [left, right] = [
          Math.max(whole.left, cut?.left ?? whole.left),
          Math.min(whole.right, cut?.right ?? whole.right),
        ];
        if (right - left > 1) boxes.push({ node, text, box: new DOMRect(left, whole.top, right - left, whole.height) });
      }
    }
    const over = (a: DOMRect, b: DOMRect) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 6;
    const out = boxes.filter(({ box }) => box.left < -1 || box.right > window.innerWidth + 1).map(({ text }) => text);
    const sorted = boxes.sort((one, other) => one.box.top - other.box.top);
    const pairs: string[] = [];
    for (const [index, one] of sorted.entries())
      for (let next = index + 1; next < sorted.length && sorted[next]!.box.top < one.box.bottom; next++) {
        const other = sorted[next]!;
        if (one.node !== other.node && over(one.box, other.box)) pairs.push(`${one.text} | ${other.text}`);
      }
    const tooWide = document.documentElement.scrollWidth - window.innerWidth;
    if (tooWide > 0) out.push(`${tooWide} px too wide`);
    for (const one of document.querySelectorAll('main *'))
      if (one.scrollWidth > one.clientWidth && /auto|scroll/.test(getComputedStyle(one).overflowX))
        if (!one.matches('[tabindex]') && !one.querySelector('button, summary')) out.push(one.outerHTML);
    return [...out, ...pairs];
  });
}

/** Parts of bars that have no size or the colour of the bar behind them. */
export function hiddenBars(frame: Frame): Promise<string[]> {
  return frame.evaluate(() =>
    [...document.querySelectorAll('.bar > *')].flatMap(part => {
      const [own, behind] = [part, part.parentElement!].map(each => getComputedStyle(each).backgroundColor);
      const { width, height } = part.getBoundingClientRect();
      return own === behind || height < 3 || width <= 0 ? [part.outerHTML] : [];
    }),
  );
}

/**
 * Figures that are broken over two lines; longer ones are ids, and spaces of other widths are inside a figure. Words of names
 * that are broken so, but in scripts without spaces. Texts that are cut and have no title that says them whole.
 */
export function broken(frame: Frame): Promise<string[]> {
  return frame.evaluate(() => {
    const found: string[] = [];
    const view = document.getElementById('view')!;
    const walker = document.createTreeWalker(view, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const [around, text] = [node.parentElement, node.textContent ?? ''];
      if (!around?.checkVisibility() || around.closest('.unseen')) continue;
      const pieces = [...text.matchAll(/[^ \n]*\d[^ \n]*/gu)].filter(([piece]) => piece.length <= 28);
      if (around.closest('[dir=auto]')) pieces.push(...text.matchAll(/[\p{Script=Latin}\p{Script=Arabic}]{4,}/gu));
      for (const { 0: piece, index } of pieces) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + piece.length);
        const tops = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top));
        if (Math.max(...tops) - Math.min(...tops) > 6) found.push(piece);
      }
    }
    for (const one of view.querySelectorAll('*'))
      if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflow === 'hidden')
        if (!one.closest('.unseen, .bar') && one.getAttribute('title') !== one.textContent) found.push(one.outerHTML);
    return found;
  });
}
