/** What can be measured of a page as it is drawn. */
import type { Frame } from 'playwright-core';

/** The text of a page as it is shown; what is for readers of the screen alone is in it too. */
export function textOf(frame: Frame): Promise<string> {
  return frame.evaluate(() => document.getElementById('view')?.innerText ?? '');
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
    const boxes: { text: string; box: DOMRect }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      if (text === '' || node.parentElement?.closest('.unseen, script') || !node.parentElement?.checkVisibility())
        continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) if (box.width > 1) boxes.push({ text, box });
    }
    const over = (a: DOMRect, b: DOMRect) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 6;
    const out = boxes.filter(({ box }) => box.left < -1 || box.right > window.innerWidth + 1).map(({ text }) => text);
    const pairs = boxes.flatMap((one, index) =>
      boxes.slice(index + 1).flatMap(other => (over(one.box, other.box) ? [`${one.text} | ${other.text}`] : [])),
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
