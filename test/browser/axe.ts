/** axe-core inside a page. It is injected: its package for Playwright needs a newer Node. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Frame } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What depends on the theme alone. What depends on the width, a region that scrolls, is found by looks.ts. */
export const themeRules = ['color-contrast', 'link-in-text-block'] as const;

/**
 * What axe finds wrong, a line each; empty for a page that is right. `only`: with these rules alone. `judged` are the kinds of
 * elements that it has looked at under the same rules: it looks at a page of a new `tool` or with a new kind, and adds them.
 */
export async function findings(
  frame: Frame,
  only?: readonly string[],
  judged?: Set<string>,
  tool = '',
): Promise<string[]> {
  if (judged) {
    const known = judged.size;
    for (const kind of [tool, ...(await kindsIn(frame))]) judged.add(kind);
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

/** Each kind of element once: its tag, role, names of attributes, whether it is empty, and the classes of it and those around it. */
function kindsIn(frame: Frame): Promise<string[]> {
  return frame.evaluate(() => {
    const around = new Map<Element, string>();
    const kinds = [...document.body.querySelectorAll('*')].map(one => {
      const classes = `${around.get(one.parentElement!) ?? ''}>${one.tagName} ${one.getAttribute('class') ?? ''}`;
      around.set(one, classes);
      const names = [...one.attributes].flatMap(({ name, value }) =>
        /^(aria-|role|scope|lang|dir|tabindex|type|hidden|open|for|href|title)/.test(name) ? [name, value && '='] : [],
      );
      return `${classes} ${one.role} ${names.sort()} ${one.textContent === ''}`;
    });
    return [...new Set(kinds)];
  });
}
