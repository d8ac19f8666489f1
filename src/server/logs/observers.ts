/** Observers of calls: several as one, and a call that one observes. */
import type { CallRecord, CallStart, Observer } from './types.ts';

/** Calls each observer's hooks; the first one's `around` is the outermost. */
export function combine(...observers: readonly Observer[]): Observer {
  const wrappers = observers.flatMap(one => (one.around ? [one.around.bind(one)] : []));
  return {
    callEnded: record => forEach(observers, one => one.callEnded?.(record)),
    attemptEnded: record => forEach(observers, one => one.attemptEnded?.(record)),
    heard: (route, heard) => forEach(observers, one => one.heard?.(route, heard)),
    answered: (request, answer) => forEach(observers, one => one.answered?.(request, answer)),
    waiting: reason => forEach(observers, one => one.waiting?.(reason)),
    breakerChanged: state => forEach(observers, one => one.breakerChanged?.(state)),
    upstreamHeaders: attempt => {
      const all = observers.map(one => one.upstreamHeaders?.(attempt)).filter(headers => headers !== undefined);
      return all.length === 0 ? undefined : Object.assign({}, ...all);
    },
    around: (call, run) => wrappers.reduceRight<typeof run>((inner, wrapper) => () => wrapper(call, inner), run)(),
  };
}

function forEach(observers: readonly Observer[], tell: (one: Observer) => void): void {
  for (const one of observers) tell(one);
}

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
