/** Clocks that stand still, so that what a program writes down is the same in every run. */

/** From now on, until what it gives is called. `once`: each request of the program is sent once. */
export function pin(instant, once) {
  const before = { Date, random: Math.random };
  globalThis.Date = class Pinned extends Date {
    constructor(...parts) {
      if (parts.length === 0) super(instant);
      else super(...parts);
    }

    static now() {
      return instant;
    }
  };
  // Between two tries there is a wait that no call has time for.
  if (once) Math.random = () => 1e6;
  // A service that failed is tried again after some seconds, which never pass here.
  performance.now = () => 0;
  return () => {
    globalThis.Date = before.Date;
    Math.random = before.random;
    delete performance.now;
  };
}

// Loaded before a program.
if (process.env.GOLDEN_INSTANT) pin(Date.parse(process.env.GOLDEN_INSTANT));
