/** Without the fast way, which one line switches off, the SDK answers everything, and every promise holds. */
import { mkdtempSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fast } from '../../../src/server/fast/entry.ts';
import { startFaulty } from '../../calls/api/faulty.ts';
import { connectClient } from '../../support/clients.ts';
import { environment, useProgram } from '../../support/settings.ts';

const entry = 'src/server/fast/entry.ts';
const line = '\nfast.way = byHand;\n';

// Inside node_modules, where the program finds its database.
const folder = mkdtempSync(resolve('node_modules/.without-'));
const { buildVariant } = await import(new URL('../../../scripts/variant.mjs', import.meta.url).href);
useProgram(await buildVariant(folder, { edits: [[entry, line, '\n']] }));
// Runtimes in the tests' own process, too.
const { way } = fast;
delete fast.way;
afterAll(() => {
  useProgram();
  if (way) fast.way = way;
  rmSync(folder, { recursive: true });
});

/**
 * A file for each kind of message that the fast way would answer, so that the SDK answers it here. What lies below, such as
 * settings, prompts, roles and requests to the service, is the same both ways; what is refused before either is, too.
 */
describe.each([
  // Opening, list of tools and every tool; messages in pieces, and lines that are none.
  ['stdio', () => import('../protocol/stdio.test.ts')],
  ['wire', () => import('../protocol/wire.test.ts')],
  // Plain reads, batches, many at a time, cancellation.
  ['direct', () => import('../protocol/direct.test.ts')],
  // Plain reads over HTTP: with sessions, they do not take the fast way.
  ['isolation', () => import('../http/isolation.test.ts')],
])('what is answered as in the tests of %s', async (_, cases) => {
  await cases();
});

it('asks a person whose client the SDK has let in', async () => {
  const faulty = await startFaulty();
  const client = await connectClient({ env: environment(faulty.baseUrl) }, '2025-11-25', true);
  const { content } = await client.call('update_add_on', { code: 'setup', amount_cents: 5, amount_currency: 'USD' });
  expect([client.asked.length, faulty.writes, content.error]).toEqual([1, 1, undefined]);
  await client.close();
  await faulty.close();
});
