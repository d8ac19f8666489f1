import { type Html, html } from './html.ts';
import type { Reader } from './reader.ts';

/** Which list page is shown, from 1, and whether older entries follow. */
export interface Paging {
  page: number;
  more: boolean;
}

/** Links to the list pages before and after; nothing where all entries are on one. */
export function pageLinks({ page, more }: Paging, { say }: Reader): Html {
  const newer = page > 1 && html`<a href="?page=${page - 1}">${say('newer')}</a>`;
  const older = more && html`<a href="?page=${page + 1}">${say('older')}</a>`;
  return html`${(newer || older) && html`<nav>${newer}${older}</nav>`}`;
}
