import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Gate, type Lane } from '../../../src/calls/api/http/limits.ts';
import { runs } from '../../support/extent.ts';
import { limitMs } from '../../support/until.ts';

it('a fair gate never lets in more than the limit, never loses a place, and serves every caller that waits long enough', async () => {
  const scenario = fc.record({
    limit: fc.integer({ min: 1, max: 6 }),
    fair: fc.boolean(),
    calls: fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }), fc.boolean()), {
      maxLength: 40,
    }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ limit, fair, calls }) => {
      const gate = new Gate(limit, { fair, queue: 1000 });
      const lanes = Array.from({ length: 4 }, () => gate.lane());
      let inside = 0;
      const outcomes = await Promise.all(
        calls.map(async ([who, turns, cancelled]) => {
          const lane = lanes[who]!;
          const stop = new AbortController();
          const waiting = lane.tryEnter() || lane.enter(limitMs, stop.signal);
          if (cancelled) stop.abort();
          if (!(await waiting)) return cancelled;
          inside++;
          const fits = inside <= limit;
          for (let i = 0; i < turns; i++) await null;
          inside--;
          lane.leave();
          return fits;
        }),
      );
      expect(outcomes.every(Boolean)).toBe(true);
      const free = new Gate(limit).lane();
      const all = (lane: Lane) => Array.from({ length: limit + 1 }, () => lane.tryEnter()).filter(Boolean).length;
      if (!fair) expect(all(gate.lane())).toBe(all(free));
    }),
    runs(200),
  );
});
