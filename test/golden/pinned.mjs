/** Loaded before the program: its clocks stand still, so that what it writes down is the same in every run. */
const instant = Date.parse(process.env.GOLDEN_INSTANT);

globalThis.Date = class Pinned extends Date {
  constructor(...parts) {
    if (parts.length === 0) super(instant);
    else super(...parts);
  }

  static now() {
    return instant;
  }
};

// Between two tries there is a wait that no call has time for: each request is sent once.
if (process.env.GOLDEN_ONCE) Math.random = () => 1e6;

// A service that failed is tried again after some seconds, which never pass here.
performance.now = () => 0;
