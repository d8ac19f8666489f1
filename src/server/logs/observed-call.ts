import type { CallRecord, CallStart, Observer } from './types.ts';

/** Runs a call and gives its outcome to the observer. `run` must not reject. */
export async function watched<T>(
  observer: Observer,
  call: CallStart,
  run: () => Promise<T>,
  recordOf: (result: T) => Pick<CallRecord, 'outcome' | 'code' | 'attempts' | 'confirmedBy'>,
): Promise<T> {
  const started = performance.now();
  const result = await (observer.around ? observer.around(call, run) : run());
  const { tool, caller, requestId } = call;
  observer.callEnded?.({ tool, caller, requestId, ...recordOf(result), durationMs: performance.now() - started });
  return result;
}
