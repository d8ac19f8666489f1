/** axe-core inside a page. It is injected: its package for Playwright needs a newer Node. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { BrowserContext, Frame } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Puts it into every page of the context from the start: cheaper than to send it to each. */
export async function withAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript(source);
}

/** What depends on the width alone; what depends on the theme alone. All else is found in any look of a page. */
export const widthRules = ['scrollable-region-focusable'] as const;
export const themeRules = ['color-contrast', 'link-in-text-block'] as const;

/** What axe finds wrong, a line each; empty for a page that is right. `only`: with these rules alone. */
export async function findings(frame: Frame, only?: readonly string[]): Promise<string[]> {
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
