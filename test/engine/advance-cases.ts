import type { AdvanceEvent } from '../../src/engine/advance.ts';
import type { JsonObject } from '../../src/engine/records/index.ts';
import { month } from './reference-records.ts';

export const april = month('2026-04-05');

export function advance(value: string | null, fields: Partial<AdvanceEvent> = {}): AdvanceEvent {
  return {
    timestamp: '2026-04-16T10:00:00.000Z',
    value,
    operation_type: 'add',
    precise_total_amount_cents: null,
    ...fields,
  };
}

export const sum = { aggregation_type: 'sum_agg' } as const;
export const count = { aggregation_type: 'count_agg' } as const;
export const unique = { aggregation_type: 'unique_count_agg' } as const;
export const tiers: JsonObject = {
  graduated_ranges: [
    { from_value: 0, to_value: 2, per_unit_amount: '1', flat_amount: '5' },
    { from_value: 3, to_value: null, per_unit_amount: '0.5', flat_amount: '7' },
  ],
};
export const history = { added_before: null, removed_before: null, added_within: null, removed_within: null };
