/** stdin and stdout as lines of text. Lines that end in one turn of the event loop are sent together. */
import { JsonWriter } from '../../lib/json-writer.ts';

/** Messages are far smaller; without a limit, a client that never ends its line fills the memory. */
const maxLineBytes = 10 * 1024 * 1024;

interface LineListener {
  line(text: string): void;
  error(error: Error): void;
  /** No more lines come, or none can be written any more. May be called more than once. */
  end(): void;
}

export class StdioLines {
  readonly #listener: LineListener;
  /** The beginning of a line whose end has not arrived yet. */
  #begun: Buffer[] = [];
  #out = new JsonWriter();
  /** A writer whose bytes were sent, for reuse. */
  #spare: JsonWriter | undefined;
  #flushing = false;
  #closed = false;

  constructor(listener: LineListener) {
    this.#listener = listener;
  }

  /** Where to write the next line. Use it only until `endLine`: the next line may need another writer. */
  get out(): JsonWriter {
    return this.#out;
  }

  /** Starts reading. */
  open(): void {
    const { stdin, stdout } = process;
    const { error, end } = this.#listener;
    stdin.on('data', this.#read);
    stdin.on('error', error);
    stdin.on('end', end);
    stdin.on('close', end);
    stdout.on('error', failure => {
      if (this.#closed) return;
      error(failure);
      end();
    });
    if (stdin.readableEnded || stdin.destroyed) setImmediate(end);
  }

  /** Ends the line written to `out`. It is sent at once, or together with others when `more` are expected soon. */
  endLine(more: boolean): void {
    this.#out.write('\n');
    if (!more) this.flush();
    else if (!this.#flushing) {
      this.#flushing = true;
      setImmediate(() => this.flush());
    }
  }

  /** Sends what was written. A stdout that fails emits an `error` event. */
  flush(): void {
    this.#flushing = false;
    const out = this.#out;
    if (out.length === 0) return;
    this.#out = this.#spare ?? new JsonWriter();
    this.#spare = undefined;
    // The bytes must not change until stdout has taken them, which for a pipe may be later.
    process.stdout.write(out.written, () => {
      out.clear();
      this.#spare = out;
    });
  }

  /** Stops reading, and sends what was written. */
  close(): void {
    this.#closed = true;
    process.stdin.off('data', this.#read);
    process.stdin.pause();
    this.#begun = [];
    this.flush();
  }

  readonly #read = (chunk: Buffer): void => {
    const end = chunk.lastIndexOf(0x0a);
    if (end < 0) {
      this.#hold(chunk);
      return;
    }
    const whole = chunk.subarray(0, end);
    const text = (this.#begun.length === 0 ? whole : Buffer.concat([...this.#begun, whole])).toString('utf8');
    this.#begun = [];
    if (end + 1 < chunk.length) this.#hold(chunk.subarray(end + 1));
    for (const line of text.split('\n')) this.#listener.line(line);
  };

  #hold(part: Buffer): void {
    this.#begun.push(part);
    if (this.#begun.reduce((size, { length }) => size + length, 0) <= maxLineBytes) return;
    this.#listener.error(new Error(`A message of more than ${maxLineBytes} bytes came in`));
    this.#listener.end();
  }
}
