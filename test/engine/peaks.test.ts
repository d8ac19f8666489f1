import { describe, expect, it } from 'vitest';
import type { AggregationType } from '../../src/contract/enums.ts';
import { mergeUsage } from '../../src/engine/merge-usage.ts';
import { netAndPeak } from '../../src/engine/peaks.ts';
import type { UsageRow } from '../../src/engine/types.ts';
import { events, metric, usage } from './reference-records.ts';

/** Events at 00:00 on the first days of April, one a day. */
function sums(...values: (string | null)[]) {
  return events(...values.map((value, i): [string, string | null] => [`2026-04-0${i + 1}T00:00`, value]));
}
type Event = [string, string | null, 'add' | 'remove'];
/** Likewise: `+a -a +` adds a, removes it, and adds an event without the property. */
function values(changes: string) {
  const list = changes === '' ? [] : changes.split(' ');
  return events(
    ...list.map((each, i): Event => {
      return [`2026-04-0${i + 1}T00:00`, each.slice(1) || null, each.startsWith('+') ? 'add' : 'remove'];
    }),
  );
}

/** C, M and the contributions as `day: amount`. */
function shown({ net, peak, contributions }: ReturnType<typeof netAndPeak>) {
  const raised = contributions.map(({ timestamp, amount }) => `${timestamp.slice(8, 10)}: ${amount.toFixed()}`);
  return [net.toFixed(), peak.toFixed(), raised];
}

describe('C and M of a sum (§10.3)', () => {
  it.each<[string, (string | null)[], unknown[]]>([
    ['no event: both 0', [], ['0', '0', []]],
    ['10, −4: C 6, M 10', ['10', '-4'], ['6', '10', ['01: 10']]],
    ['10, −4, 3: 6 + 3 ≤ 10 contributes 0', ['10', '-4', '3'], ['9', '10', ['01: 10']]],
    ['10, −4, 7: 6 + 7 − 10 = 3', ['10', '-4', '7'], ['13', '13', ['01: 10', '03: 3']]],
    ['−3 first: C = M = −3, contributes 0', ['-3'], ['-3', '-3', []]],
    ['−3, 5: 2 + 3 = 5, and M = 5 above C = 2 (quirk)', ['-3', '5'], ['2', '5', ['02: 5']]],
    ['−3, 5, 3: 2 + 3 ≤ 5 contributes 0', ['-3', '5', '3'], ['5', '5', ['02: 5']]],
    ['−3, −2, 4: −1 + 3 = 2, M = 2', ['-3', '-2', '4'], ['-1', '2', ['03: 2']]],
    ['0, 0.5: a first 0 is an event like any other', ['0', '0.5'], ['0.5', '0.5', ['02: 0.5']]],
    ['0, −1, 1: 0 ≤ 0 contributes 0', ['0', '-1', '1'], ['0', '0', []]],
    ['abc, −3, 5: the event without a number does not exist', ['abc', '-3', null, '5'], ['2', '5', ['04: 5']]],
  ])('%s', (_name, list, expected) => {
    expect(shown(netAndPeak('sum', sums(...list)))).toEqual(expected);
  });
});

describe('C and M of a unique count (§10.3)', () => {
  it.each<[string, string, (string | null)[], unknown[]]>([
    ['no event: both 0', '', ['x'], ['0', '0', []]],
    ['add a, remove a, add b, add c: b is free, c contributes 1', '+a -a +b +c', [], ['2', '2', ['01: 1', '04: 1']]],
    ['x carried: remove x first, C = M = 0, so y contributes 1', '-x +y', ['x'], ['1', '1', ['02: 1']]],
    ['x carried: add z, remove x, add y: only z contributes', '+z -x +y', ['x'], ['1', '1', ['01: 1']]],
    [
      'x and w carried: remove x, remove w, add y, add z: 0, −1, 0, 1: only z contributes',
      '-x -w +y +z',
      ['x', 'w'],
      ['1', '1', ['04: 1']],
    ],
    ['x carried: adding x or removing what is not there changes nothing', '+x -q', ['x'], ['0', '0', []]],
    [
      'events without the property are one value: added twice, removed once',
      '+ + +a -',
      [],
      ['1', '2', ['01: 1', '03: 1']],
    ],
    ['a carried missing value is present', '+', [null], ['0', '0', []]],
  ])('%s', (_name, changes, carried, expected) => {
    expect(shown(netAndPeak('unique', values(changes), carried))).toEqual(expected);
  });
});

describe('C and M of several rows together', () => {
  const merged = (aggregation_type: AggregationType, recurring: boolean, ...rows: Partial<UsageRow>[]) => {
    const { net, peak, carried_events } = mergeUsage(rows.map(usage), metric({ aggregation_type, recurring }));
    return [net, peak, carried_events];
  };
  const history = { added_before: null, removed_before: null, added_within: null, removed_within: null };
  const before = '2026-03-05T00:00:00.000Z';

  it('add up for sums that never fall: 10 and 5 are 15; 2 and 3 earlier events are 5', () => {
    const rows = [
      { net: '10', peak: '10', carried_events: 2 },
      { net: '5', peak: '5', carried_events: 3 },
    ];
    expect(merged('sum_agg', true, ...rows)).toEqual(['15', '15', 5]);
  });

  it('come from all events where one falls: 10 and −10 in one row, 4 between them in the other: C 4, M 14', () => {
    const [up, four, down] = sums('10', '4', '-10');
    const rows = [
      { net: '0', peak: '10', events: [up!, down!] },
      { net: '4', peak: '4', events: [four!] },
    ];
    expect(merged('sum_agg', false, ...rows)).toEqual(['4', '14', 0]);
  });

  it('count a value once that two rows have, and one that is carried in another row not at all: a, a, x: C = M = 1', () => {
    const a = { ...history, value: 'a', added_within: '2026-04-02T00:00:00.000Z' };
    const x = { ...history, value: 'x', added_within: '2026-04-03T00:00:00.000Z' };
    const rows = [
      { net: '2', peak: '2', values: [a, x] },
      { net: '1', peak: '1', values: [a] },
      { values: [{ ...history, value: 'x', added_before: before }] },
    ];
    expect(merged('unique_count_agg', true, ...rows)).toEqual(['1', '1', 0]);
  });

  it('come from all events where a value was removed: add a, remove a in another row, add null: C = M = 1', () => {
    const [add, remove, missing] = values('+a -a +');
    const rows = [
      {
        net: '2',
        peak: '2',
        values: [
          { ...history, value: 'a', added_within: add!.timestamp },
          { ...history, value: null, added_within: missing!.timestamp },
        ],
        events: [add!, missing!],
      },
      { values: [{ ...history, value: 'a', removed_within: remove!.timestamp }], events: [remove!] },
    ];
    expect(merged('unique_count_agg', false, ...rows)).toEqual(['1', '1', 0]);
  });
});
