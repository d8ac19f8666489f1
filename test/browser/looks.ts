/** What can be measured of a page as it is drawn. */
import type { Frame } from 'playwright-core';

/** The text of a page as it is shown, with plain spaces; what is for readers of the screen alone is in it too. */
export async function textOf(frame: Frame): Promise<string> {
  const text = await frame.evaluate(() => document.getElementById('view')?.innerText ?? '');
  return text.replace(/[\u00a0\u2009\u202f]/g, ' ');
}

/** The page as a reader meets it: its height, what of it is left for later, and whether a list is no table. */
export function firstLook(frame: Frame) {
  return frame.evaluate(() => {
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
  });
}

/** Pixels by which the page is wider than its frame. */
export function sideways(frame: Frame): Promise<number> {
  return frame.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}

/** Elements that the Tab key reaches, by their tags. */
export function tabStops(frame: Frame): Promise<string[]> {
  return frame
    .locator('[tabindex], a[href], button, summary, input, select')
    .evaluateAll(elements => elements.filter(one => (one as HTMLElement).tabIndex >= 0).map(({ tagName }) => tagName));
}

/** Texts that stick out of the frame, and pairs of texts that are drawn over each other. */
export function collisions(frame: Frame): Promise<string[]> {
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
    const pairs = boxes.flatMap((one, index) =>
      boxes
        .slice(index + 1)
        .flatMap(other => (one.node !== other.node && over(one.box, other.box) ? [`${one.text} | ${other.text}`] : [])),
    );
    return [...out, ...pairs];
  });
}

/** Parts of bars that have no size or the colour of the bar behind them. */
export function hiddenBars(frame: Frame): Promise<string[]> {
  return frame.locator('.bar > *').evaluateAll(parts =>
    parts.flatMap(part => {
      const [own, behind] = [part, part.parentElement!].map(each => getComputedStyle(each).backgroundColor);
      const { width, height } = part.getBoundingClientRect();
      return own === behind || height < 3 || width <= 0 ? [part.outerHTML] : [];
    }),
  );
}

/** Pieces of texts that stand on more than one line: of each text those that the pattern finds. */
function onTwoLines(frame: Frame, within: string, pattern: string, longest: number): Promise<string[]> {
  return frame.evaluate(
    given => {
      const found: string[] = [];
      const walker = document.createTreeWalker(document.getElementById('view')!, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!node.parentElement?.closest(given.within) || !node.parentElement.checkVisibility()) continue;
        if (node.parentElement.closest('.unseen')) continue;
        for (const piece of (node.textContent ?? '').matchAll(new RegExp(given.pattern, 'gu'))) {
          if (piece[0].length > given.longest) continue;
          const range = document.createRange();
          range.setStart(node, piece.index);
          range.setEnd(node, piece.index + piece[0].length);
          const tops = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top));
          if (Math.max(...tops) - Math.min(...tops) > 6) found.push(piece[0]);
        }
      }
      return found;
    },
    { within, pattern, longest },
  );
}

/** Figures that are broken over two lines; longer ones are ids. Spaces of other widths are inside a figure. */
export function brokenFigures(frame: Frame): Promise<string[]> {
  return onTwoLines(frame, '#view', '[^ \\n]*\\d[^ \\n]*', 28);
}

/** Words of names that are broken over two lines, but in scripts without spaces. */
export function brokenWords(frame: Frame): Promise<string[]> {
  return onTwoLines(frame, '[dir=auto]', '[\\p{Script=Latin}\\p{Script=Arabic}]{4,}', 200);
}

/** Texts that are cut and have no title that says them whole. */
export function hiddenText(frame: Frame): Promise<string[]> {
  return frame.locator('#view *').evaluateAll(elements =>
    elements
      .filter(one => getComputedStyle(one).overflow === 'hidden' && one.scrollWidth > one.clientWidth + 1)
      .filter(one => !one.closest('.unseen, .bar') && one.getAttribute('title') !== one.textContent)
      .map(one => one.outerHTML),
  );
}
