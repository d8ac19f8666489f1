/** stdin and stdout as lines of text. */
import type { Readable, Writable } from 'node:stream';

/** Messages are far smaller; without a limit, a client that never ends its line fills the memory. */
const maxLineBytes = 10 * 1024 * 1024;

/** The client's side of a pipe: the process's own, or in a test a socket for each of many clients. */
export interface Pipe {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

interface LineListener {
  line(text: string): void;
  error(error: Error): void;
  /** No more lines come, or none can be written any more. May be called more than once. */
  end(): void;
}

/** Node's readline would also end a line at U+2028, which JSON may contain. */
export class StdioLines {
  readonly #listener: LineListener;
  readonly #pipe: Pipe;
  /** The beginning of a line whose end has not arrived yet. */
  #begun: Buffer[] = [];
  #closed = false;

  constructor(listener: LineListener, pipe: Pipe) {
    this.#listener = listener;
    this.#pipe = pipe;
  }

  /** Starts reading. */
  open(): void {
    const { stdin, stdout } = this.#pipe;
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

  /** Sends a line with its line break: at once, or together with others when `more` are expected soon. */
  write(line: string, more: boolean): void {
    const { stdout } = this.#pipe;
    if (more && stdout.writableCorked === 0) {
      stdout.cork();
      setImmediate(() => stdout.uncork());
    }
    // A stdout that fails says so by its `error` event.
    stdout.write(line);
  }

  /** Stops reading. */
  close(): void {
    this.#closed = true;
    this.#pipe.stdin.off('data', this.#read);
    this.#pipe.stdin.pause();
    this.#begun = [];
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
    this.#listener.error(new Error(`A message is larger than ${maxLineBytes} bytes`));
    this.#listener.end();
  }
}
