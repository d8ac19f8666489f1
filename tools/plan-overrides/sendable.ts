/** What a plan shows of values that overrides set, as they would send it. */
import type { OverrideFields, SentFields } from '../../src/contract/plan-overrides.ts';
import type { AnyCharge, EntryIn, Plan, RecordIn } from '../../src/contract/shown.ts';
import { fieldOf, isGiven } from '../../src/lib/json.ts';

type Priced =
  | Plan
  | AnyCharge
  | EntryIn<AnyCharge['filters']>
  | EntryIn<Plan['usage_thresholds']>
  | RecordIn<Plan['minimum_commitment']>;

/** The values of a record as an override would send them, without nulls. */
export function sendable<Part extends OverrideFields>(fields: Part, record: Priced): SentFields<Part> {
  const taxes = () => ('taxes' in record ? taxCodesOf(record).sort() : undefined);
  const entries = Object.entries(fields).map(([field, kind]) => [
    field,
    // Without any, a plan has no metadata at all; an empty object removes all.
    kind === 'codes'
      ? taxes()
      : kind === 'metadata'
        ? ((fieldOf(record, field) as Plan['metadata']) ?? {})
        : fieldOf(record, field),
  ]);
  return withoutNulls(Object.fromEntries(entries)) as SentFields<Part>;
}

export function withoutNulls<Of extends object>(record: Of): Partial<Of> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => isGiven(value))) as Partial<Of>;
}

/** A copy of a plan without thresholds of its own has those of its parent. */
export function planThresholds({ usage_thresholds: thresholds, applicable_usage_thresholds: applicable }: Plan) {
  return thresholds?.length ? thresholds : (applicable ?? thresholds);
}

export function taxCodesOf({ taxes }: Pick<Plan, 'taxes'>): string[] {
  return (taxes ?? []).flatMap(tax => tax.code ?? []);
}
