import { expect, it } from 'vitest';
import type { CallContext } from '../../../src/calls/call/call.ts';
import type { Pipeline } from '../../../src/calls/dispatch.ts';
import { createRecorder } from '../../../src/rehearse/run/recorder.ts';

it('counts all calls of a flood, and keeps the texts of the first thousand', async () => {
  const answers = { kind: 'result', answer: { summary: 'Two plans.', fields: { plans: [] } }, record: {} };
  const recorder = createRecorder(undefined, []);
  const pipeline = recorder.wrap({ call: async () => answers } as unknown as Pipeline);
  for (let n = 0; n < 1100; n++) await pipeline.call('list_plans', { page: 1 }, {} as CallContext);
  const calls = recorder.calls();
  expect(calls).toHaveLength(1100);
  expect(new Set(calls.slice(0, 1000).map(({ answer }) => answer))).toEqual(
    new Set(['{"summary":"Two plans.","plans":[]}']),
  );
  expect(calls.at(-1)).toMatchObject({ tool: 'list_plans', arguments: {}, answer: '(not kept)' });
  expect(calls.at(-1)?.tokens).toBe(calls[0]?.tokens);
});
