/** axe-core inside a page. It is injected: its package for Playwright needs a newer Node. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Frame } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What depends on the theme alone. What depends on the width, a region that scrolls, is found by looks.ts. */
export const themeRules = ['color-contrast', 'link-in-text-block'] as const;

/**
 * What axe finds wrong, a line each; empty for a page that is right. `only`: with these rules alone, which depend on how texts
 * look. `judged` is what it has looked at under the same rules: it looks at a page of a new `tool`, with a new kind of element or
 * with a text of a new look, and adds them.
 */
export async function findings(
  frame: Frame,
  only?: readonly string[],
  judged?: Set<string>,
  tool = '',
): Promise<string[]> {
  if (judged) {
    const known = judged.size;
    for (const kind of [tool, ...(await kindsIn(frame, only !== undefined))]) judged.add(kind);
    if (judged.size === known) return [];
  }
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(source);
  const { violations } = await frame.evaluate(
    values =>
      (window as unknown as { axe: typeof axe }).axe.run({
        // For what is right, a count would do.
        resultTypes: ['violations'],
        ...(values && { runOnly: { type: 'rule' as const, values } }),
      }),
    only && [...only],
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/**
 * Each kind of element once: its tag and classes and those around it, role, names of attributes, and whether it is empty. Each
 * look of a text once: colour, line, size, weight, classes, and the grounds that it is on.
 */
function kindsIn(frame: Frame, looksAlone: boolean): Promise<string[]> {
  return frame.evaluate(alone => {
    const around = new Map<Element, { tags: string; grounds: string }>();
    const found = new Set<string>();
    for (const one of document.body.querySelectorAll('*')) {
      const { tags = '', grounds = '' } = around.get(one.parentElement!) ?? {};
      const { backgroundColor, color, fill, fontSize, fontWeight, opacity, textDecorationLine } = getComputedStyle(one);
      const classes = one.getAttribute('class') ?? '';
      const own = { tags: `${tags}>${one.tagName} ${classes}`, grounds: `${grounds} ${backgroundColor} ${opacity}` };
      around.set(one, own);
      const look = [color, fill, fontSize, fontWeight, textDecorationLine, classes].join();
      if ([...one.childNodes].some(({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue?.trim()))
        found.add(`${own.grounds.replaceAll(' rgba(0, 0, 0, 0) 1', '')} ${look}`);
      if (alone) continue;
      const names = [...one.attributes].flatMap(({ name, value }) =>
        /^(aria-|role|scope|lang|dir|tabindex|type|hidden|open|for|href|title)/.test(name) ? [name, value && '='] : [],
      );
      found.add(`${own.tags} ${one.role} ${names.sort()} ${one.textContent === ''}`);
    }
    return [...found];
  }, looksAlone);
}
