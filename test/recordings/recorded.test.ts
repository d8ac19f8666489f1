/** The recorded accounts as a billing API. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Billed, type RecordedCall, recorded, recording } from '../support/recorded.ts';
import { sharedWorld } from '../tools/lookup-upstream.ts';

const world = await sharedWorld();

test.each(['01', '05', '11', '13'])('account %s answers lists, records and previews as they were recorded', async n => {
  const billed = recording<Billed>(`billed-${n}`);
  const calls = recording<RecordedCall[]>(`calls-${n}`);
  world.script(recorded(billed, calls));
  const listed = JSON.stringify(await world.call('list_invoices', {}));
  for (const { number } of billed.answers['/invoices']!.rows!.slice(0, 5)) expect(listed).toContain(number);
  const { args, requests } = calls.find(
    ({ tool, requests: all }) => tool === 'preview_invoice' && all.some(isPreview),
  )!;
  const shown = await world.call('preview_invoice', args);
  const total = JSON.parse(requests.find(isPreview)!.answer).invoice.total_amount_cents;
  expect(shown).toMatchObject({ invoice: { total_amount_cents: total } });
});

function isPreview({ url, status }: RecordedCall['requests'][number]): boolean {
  return url === '/api/v1/invoices/preview' && status === 200;
}

test('docs/fidelity.md says of which day and service the recordings are, as their README does', () => {
  const said = ['README.md', '../../docs/fidelity.md'].map(name => {
    const page = readFileSync(new URL(name, import.meta.url), 'utf8').replace(/\s+/g, ' ');
    return /recorded on .*?, from a running installation .*?\)/.exec(page)?.[0];
  });
  expect(said[0]).toMatch(/2026.*2026/);
  expect(said[1]).toBe(said[0]);
});
