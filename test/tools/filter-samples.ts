/** A value of each filter that the contract describes, as a tool takes it and as it is sent. */
import { type ListFilters, queryNames } from '../../src/contract/list-filters.ts';

type Filter = ListFilters[string];

const samples: Record<Filter['unit'], string | number | boolean> = {
  word: '',
  text: 'Bergen',
  country: 'FR',
  currency: 'USD',
  flag: true,
  day: '2026-01-01',
  cents: 100,
  entity: 'eu',
  pairs: 'gold',
};

export function filterSamples(filters: ListFilters): { args: Record<string, unknown>; query: string } {
  const all = Object.entries(filters).map(([name, filter]) => ({ name, filter, value: sampleOf(filter) }));
  const args = all.flatMap(({ name, filter: { unit, list, range }, value }) => {
    if (range !== undefined) return [`${name}_from`, `${name}_to`].map(bound => [bound, value] as const);
    return [[name, unit === 'pairs' ? { tier: value } : list ? [value] : value] as const];
  });
  const query = all.flatMap(({ name, filter, value }) =>
    queryNames({ [name]: filter }).map(sent => `${sent.replace('<key>', 'tier')}=${value}`),
  );
  return { args: Object.fromEntries(args), query: query.join('&') };
}

function sampleOf({ unit, words }: Filter) {
  return words?.[0] ?? samples[unit];
}
