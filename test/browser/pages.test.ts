import { expect, it } from 'vitest';
import { readView, views } from '../../src/words/views/views.ts';

/** Bytes that a host loads for one page, with the script and style that all share. */
const largestPage = 46 * 1024;

it.each(views)('$title: the page is small and loads nothing from outside', ({ uri }) => {
  const html = readView(uri)!;
  const bytes = Buffer.byteLength(html);
  process.stdout.write(`${uri} ${(bytes / 1024).toFixed(1)} KB\n`);
  expect(bytes).toBeLessThanOrEqual(largestPage);
  expect(html).not.toMatch(/(src|href)=|@import|url\(/);
});
