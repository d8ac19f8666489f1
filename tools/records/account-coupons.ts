/** Coupons as the account has them (docs/lookups.md §10). */
import type { Coupon } from '../../src/contract/answers.ts';
import type { Invoice } from '../../src/contract/shown.ts';
import { type Api, isWhole } from '../../src/definition/api.ts';
import { type StoredCoupons, unusedCoupons } from '../../src/words/requested-coupons.ts';

/** The account's coupons by code; null where they cannot be read or are more than one page. */
export async function readCoupons(api: Api): Promise<ReadonlyMap<string, Coupon> | null> {
  if (!api.mayUse('list_catalogue')) return null;
  const list = await api.list('/coupons', { key: 'coupons' }, { per_page: 100 });
  return list.ok && isWhole(list) ? new Map(list.rows.map(coupon => [coupon.code ?? '', coupon])) : null;
}

/** The requested coupons that a preview does not use, by code; null for one that the account does not have. */
export async function readUnusedCoupons(
  api: Api,
  invoice: Invoice,
  requested: readonly Coupon[] | undefined,
): Promise<StoredCoupons> {
  const codes = unusedCoupons(invoice, requested).map(({ code }) => code ?? '');
  const stored = codes.length === 0 ? null : await readCoupons(api);
  return new Map(stored === null ? [] : codes.map(code => [code, stored.get(code) ?? null]));
}
