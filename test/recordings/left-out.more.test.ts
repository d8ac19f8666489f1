/** Summaries of answers that lack what the real service leaves out say the same, or that something is not shown. */

import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Json } from '../../src/engine/records/index.ts';
import { demoAccount } from '../../src/service/account-file/demo.ts';
import { loadAccount } from '../../src/service/account-file/load.ts';
import { processAllAlerts } from '../../src/service/operations/alerts.ts';
import { type Asked, openHost, type ServiceHost } from '../engine/service-host.ts';
import { type LookupWorld, lookupWorld } from '../tools/lookup-upstream.ts';
import { reads, writes } from '../words/golden-calls.ts';
import type { Value } from './compare.ts';
import { asReal } from './left-out.ts';

const now = '2026-03-15T12:00:00Z';

/** The demo account, answered as the embedded service does, and as the real one would. */
async function demo(change: (answer: Value) => Value): Promise<{ world: LookupWorld; host: ServiceHost }> {
  const [world, host] = [await lookupWorld({ BILLING_CONFIRM: 'never' }), await openHost()];
  const account = await loadAccount(host.store, (await demoAccount()) as Json, { apiKey: 'key', now: new Date(now) });
  await processAllAlerts(account, new Date(now));
  world.script(async (url, request) => {
    const method = request.method as Asked['method'];
    const path = url.pathname.replace('/api/v1', '') + url.search;
    const body = method === 'GET' ? undefined : await text(request);
    const answer = await host.ask({ apiKey: 'key', now, method, path, ...(body && { body }) });
    return { status: answer.status, body: change(answer.body) };
  });
  return { world, host };
}

let plain: Awaited<ReturnType<typeof demo>>;
let real: Awaited<ReturnType<typeof demo>>;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(now), shouldAdvanceTime: true });
  [plain, real] = [await demo(each => each), await demo(asReal)];
});
afterAll(async () => {
  vi.useRealTimers();
  for (const { world, host } of [plain, real]) {
    await world.close();
    await host.close();
  }
});

/** Amounts, dates, counts; a new entity draws the prefix of its numbers. */
const figures = (summary: string): string[] => summary.replace(/SKY-[0-9A-F]{4}/, '').match(/\d[\d,.:]*\d|\d/g) ?? [];
const notShown = /not shown|not listed|could not be read|not known/;

const calls = Object.entries({ ...reads, ...writes }).flatMap(([tool, cases]) =>
  cases.map(([asked, args]) => [tool, asked, args] as const),
);

test.each(calls)('%s: %s', async (tool, _, args) => {
  const [a, b] = [await plain.world.call(tool, args), await real.world.call(tool, args)];
  const left = figures(a.summary);
  const invented = figures(b.summary).filter(each => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const both = `${a.summary}\n${b.summary}`;
  expect(invented, both).toEqual([]);
  if (left.length > 0) expect(b.summary, both).toMatch(notShown);
});
