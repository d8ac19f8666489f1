/** Each amount of a summary over recorded answers is a field of them, or a sum of such fields. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { toolByName, toolDefinitions } from '../../tools/all-tools.ts';
import { type Billed, type RecordedCall, recorded, recording } from '../support/recorded.ts';
import { sharedWorld } from '../tools/lookup-upstream.ts';
import { tiesOf } from './amounts.ts';

const world = await sharedWorld();
afterEach(() => {
  vi.useRealTimers();
});

/** Calls of a tool with an account; all with `ALL_CASES=1`. */
const mostOfTool = process.env.ALL_CASES ? Number.POSITIVE_INFINITY : 2;
const found: Record<string, Set<string>> = {};
const changes = (tool: string) => !['read', 'compute'].includes(toolByName.get(tool)!.effect);

describe.each(['01', '05', '11', '13'])('account %s', n => {
  const billed = recording<Billed>(`billed-${n}`);
  const calls = recording<RecordedCall[]>(`calls-${n}`);
  const reads = calls
    .filter(
      ({ tool }, at) => !changes(tool) && calls.slice(0, at).filter(each => each.tool === tool).length < mostOfTool,
    )
    .map(call => [call.tool, call.args, call.requests] as const);

  test.each(reads)('%s %j names no amount that is not in the answers', async (tool, args, requests) => {
    // The clock goes on from there: what waits for a limit of requests reads it.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(billed.now), shouldAdvanceTime: true });
    await world.renew();
    const { ok, fields, untied, summary } = await tiesOf({ world, answer: recorded(billed, calls), tool, args });
    const isRefused = requests.length === 0 || requests.some(({ status }) => status >= 400);
    expect(ok || isRefused, summary).toBe(true);
    found[tool] = new Set([...(found[tool] ?? []), ...fields]);
    expect(
      untied.filter(each => !isSumOfNothing(tool, each)),
      summary,
    ).toEqual([]);
  });
});

/** A balance without lines, used up or not enough, a month that the report leaves out, a period without charges. */
function isSumOfNothing(tool: string, shown: string): boolean {
  return (
    ['get_statement', 'get_revenue', 'get_usage', 'list_wallets', 'get_wallet_alert'].includes(tool) &&
    !/[1-9]/.test(shown)
  );
}

test('each tool that reads was called', () => {
  // check-invoice.test.ts compares what it says with these accounts.
  const names = toolDefinitions.map(({ name }) => name).filter(name => !changes(name) && name !== 'check_invoice');
  expect(names.filter(name => !(name in found))).toEqual([]);
});

test('the amounts of each tool come from the fields in amounts.txt', async () => {
  const lines = Object.entries(found).flatMap(([tool, fields]) => [
    tool,
    ...[...fields].sort().map(each => `  ${each}`),
  ]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('amounts.txt');
});
