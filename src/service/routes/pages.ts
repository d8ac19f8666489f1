/** List pages (service-behaviour §1.5). */
import type { FastifyRequest } from 'fastify';
import { queryValue } from '../operations/input.ts';

const DEFAULT_SIZE = 100;
const SIZE_OF_NONSENSE = 25; // used when `per_page` is not a whole number
const LARGEST = 1_000_000_000; // keeps offsets within 64-bit integers

export interface ListPage {
  page: number;
  size: number;
}

export interface ListPageMeta {
  current_page: number;
  next_page: number | null;
  prev_page: number | null;
  total_pages: number;
  total_count: number;
}

/** The list page that the query asks for: page 0 becomes page 1; `per_page` has no practical maximum. */
export function listPageOf(request: FastifyRequest): ListPage {
  const page = count(queryValue(request, 'page')) ?? 1;
  const perPage = queryValue(request, 'per_page');
  const size = perPage === undefined || perPage === '' ? DEFAULT_SIZE : (count(perPage) ?? SIZE_OF_NONSENSE);
  return { page: Math.max(page, 1), size: size === 0 ? DEFAULT_SIZE : size };
}

/** `meta` of a page of a list with `total` rows. Without rows it is page 0 of 0; a page past the end keeps its number. */
export function listPageMeta({ page, size }: ListPage, total: number): ListPageMeta {
  if (total === 0) return { current_page: 0, next_page: null, prev_page: null, total_pages: 0, total_count: 0 };
  const pages = Math.ceil(total / size);
  return {
    current_page: page,
    next_page: page < pages ? page + 1 : null,
    prev_page: page > 1 ? page - 1 : null,
    total_pages: pages,
    total_count: total,
  };
}

function count(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Math.min(Number(text), LARGEST) : undefined;
}
