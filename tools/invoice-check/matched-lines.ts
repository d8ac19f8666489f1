/** Pairs the billed lines with the expected ones: by what they bill, its filter and its group. */

import { fromCents, ZERO } from '../../src/contract/pricing/money.ts';
import type { Fee } from '../../src/contract/shown.ts';
import type { BillableFee } from '../../src/engine/fees.ts';
import { billable, type FeeContext } from '../../src/engine/preview-fees.ts';
import type { ChargeRecord } from '../../src/engine/records/index.ts';
import { isTrueUp } from '../../src/words/true-up.ts';
import type { Blocked, CheckedLine, CheckRecords, JudgeablePart } from './check-records.ts';
import { centsOf, codesOf, decimalOf, feeRecord, planRecord } from './engine-records.ts';

export interface MatchContext {
  readonly advance: ReadonlyMap<Fee, CheckedLine>;
  readonly charges: ReadonlyMap<string, ChargeRecord>;
  readonly context: FeeContext;
  readonly parts: readonly JudgeablePart[];
}

/** Each billed line with the expected one; then the expected lines that were not billed. */
export function matchedLines(
  records: CheckRecords,
  expected: readonly BillableFee[],
  blockOf: (fee: Fee) => Blocked | null,
  { advance, charges, context, parts }: MatchContext,
): CheckedLine[] {
  // A commitment is not missing where it depends on what is open.
  const isOpen = ({ item, subscription_id: id }: BillableFee['record']) =>
    item.type === 'commitment' &&
    (records.open?.has(id ?? '') === true || parts.some(part => part.subject.subscription.id === id && part.lacks));
  const left = new Map<BillableFee, LineKey>();
  for (const fee of expected) {
    const key = keyOfExpected(fee);
    // A true-up repeats the filter and the group of the line that it belongs to, and follows it.
    const isTrueUp =
      fee.record.item.type === 'charge' && [...left.values()].some(other => wholeKey(other) === wholeKey(key));
    left.set(fee, { ...key, true_up: isTrueUp });
  }
  const take = (fee: Fee, keyOf: (key: LineKey) => string) => {
    const wanted = keyOf(keyOfBilled(fee, records.invoice.fees ?? []));
    const [same = null] = [...left].find(([, key]) => keyOf(key) === wanted) ?? [];
    if (same !== null) left.delete(same);
    return same;
  };
  const lines = (records.invoice.fees ?? []).map((billed): CheckedLine => {
    const inAdvance = advance.get(billed);
    const charge = charges.get(billed.svc_charge_id ?? '') ?? null;
    if (inAdvance !== undefined) return { ...inAdvance, charge };
    const block = blockOf(billed);
    const isJudged = block === null && billed.item?.type !== 'add_on';
    const expectedLine = isJudged ? take(billed, wholeKey) : asBilled(billed, records, context);
    const line = { billed, expected: expectedLine, blocked: block, charge };
    return block === null && !isJudged ? { ...line, other_price: otherPrice(billed, records) } : line;
  });
  // A line with another group or filter than its usage is that line in the wrong place.
  const paired = lines.map((line): CheckedLine => {
    const { billed, blocked: block, expected: same } = line;
    if (billed === null || block !== null || same !== null || billed.item?.type === 'add_on') return line;
    const moved = take(billed, looseKey);
    return moved === null
      ? line
      : { ...line, expected: moved, ...(billed.item?.type === 'charge' && { misplaced: true }) };
  });
  const missing = [...left.keys()]
    .filter(({ record }) => record.amount_cents !== 0 && !isOpen(record))
    .map((each): CheckedLine => {
      const charge = charges.get(each.record.charge_id ?? '') ?? null;
      return { billed: null, expected: each, blocked: null, charge };
    });
  return [...paired, ...missing];
}

/** A line that is not recomputed, with the taxes that it should have. */
function asBilled(fee: Fee, records: CheckRecords, context: FeeContext): BillableFee {
  const record = feeRecord(fee);
  const { plan } = records.contracts.get(fee.svc_subscription_id ?? '') ?? {};
  const type = fee.item?.type;
  const source =
    type === 'charge'
      ? plan?.charges?.find(({ svc_id }) => svc_id === fee.svc_charge_id)?.taxes
      : type === 'add_on'
        ? records.add_ons.get(fee.item?.code ?? '')?.taxes
        : null;
  const metric = type === 'charge' ? (fee.item?.code ?? null) : null;
  const line = billable(record, planRecord(plan ?? {}), codesOf(source), metric, context);
  const isOpen = records.open?.has(fee.svc_id ?? '') === true || type !== 'add_on';
  return isOpen && fee.taxes_rate != null ? withBilledTax(line, decimalOf(fee.taxes_rate)) : line;
}

function otherPrice({ item, precise_unit_amount, amount_currency }: Fee, { add_ons }: CheckRecords): string | null {
  const addOn = add_ons.get(item?.code ?? '');
  if (addOn === undefined) return 'The add-on could not be read.';
  const price = fromCents(centsOf(addOn.amount_cents), amount_currency ?? '');
  const isSame =
    addOn.amount_currency === amount_currency && price.minus(decimalOf(precise_unit_amount)).abs().lt('0.000001');
  return isSame ? null : 'The price of the add-on is different.';
}

/** Where the line is not judged, its tax is taken as it was billed. */
function withBilledTax(line: BillableFee, rate: string): BillableFee {
  const rates = line.taxes.reduce((sum, tax) => sum.plus(tax.rate), ZERO);
  if (rates.eq(rate)) return line;
  const tax = { id: rate, created_at: '', updated_at: '', name: rate, code: rate, rate };
  return { ...line, taxes: [{ ...tax, description: null, applied_to_organization: false }] };
}

interface LineKey {
  readonly type: string;
  readonly subscription: string;
  readonly what: string;
  readonly filter: string;
  readonly groups: string;
  readonly true_up: boolean;
}

function wholeKey(key: LineKey): string {
  return JSON.stringify(key);
}

/** The same without the group and the filter, and for fixed charges without the subscription that bears them. */
function looseKey({ type, subscription, what, true_up }: LineKey): string {
  return JSON.stringify([type, type === 'fixed_charge' ? '' : subscription, what, true_up]);
}

function keyOfBilled(fee: Fee, fees: readonly Fee[]): LineKey {
  const type = fee.item?.type ?? '';
  return {
    type,
    subscription: fee.svc_subscription_id ?? '',
    what: type === 'fixed_charge' ? (fee.item?.code ?? '') : (fee.svc_charge_id ?? ''),
    filter: fee.svc_charge_filter_id ?? '',
    groups: groupsText(fee.item?.grouped_by),
    true_up: isTrueUp(fee, fees),
  };
}

function keyOfExpected({ record }: BillableFee): LineKey {
  const { item } = record;
  return {
    type: item.type,
    subscription: record.subscription_id ?? '',
    what: item.type === 'fixed_charge' ? item.code : (record.charge_id ?? ''),
    filter: record.charge_filter_id ?? '',
    groups: groupsText(item.grouped_by),
    true_up: false,
  };
}

function groupsText(groups: unknown): string {
  return JSON.stringify(Object.entries((groups ?? {}) as object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
