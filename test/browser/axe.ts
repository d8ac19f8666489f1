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

/** What axe finds wrong by all its rules or by these, a line each; empty for a page that is right. */
export async function findings(frame: Frame, rules?: string[]): Promise<string[]> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(source);
  const { violations } = await frame.evaluate(
    runOnly =>
      // For what is right, a count would do.
      (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'], ...(runOnly && { runOnly }) }),
    rules,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
