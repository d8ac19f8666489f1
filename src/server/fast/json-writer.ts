/** Builds JSON directly as bytes in a buffer that is reused for the next message. */

const startBytes = 64 * 1024;
/** A buffer larger than this is released after use. */
const keepBytes = 1024 * 1024;

export class JsonWriter {
  #bytes: Buffer;
  #length = 0;

  constructor(size = startBytes) {
    this.#bytes = Buffer.allocUnsafeSlow(size);
  }

  /** How many bytes have been written. */
  get length(): number {
    return this.#length;
  }

  /** A copy of the written bytes; the writer is empty again. */
  take(): Buffer {
    const written = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    if (this.#bytes.length > keepBytes) this.#bytes = Buffer.allocUnsafeSlow(startBytes);
    return written;
  }

  /** Appends a piece of JSON as UTF-8. */
  write(json: string): void {
    this.#reserve(json.length * 3);
    this.#length += this.#bytes.write(json, this.#length, 'utf8');
  }

  /**
   * Appends a piece of JSON with escapes for all characters beyond ASCII. One such character makes the receiver's whole
   * message a string of wide characters, which is slower to decode, search and parse.
   */
  writeAscii(json: string): void {
    this.#reserve(json.length * 6);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0; i < json.length; i++) {
      const unit = json.charCodeAt(i);
      if (unit < 0x80) bytes[at++] = unit;
      else at += bytes.write(`\\u${unit.toString(16).padStart(4, '0')}`, at, 'latin1');
    }
    this.#length = at;
  }

  /** Appends the written bytes `from` to `to` (not included) again, escaped as the content of a JSON string. */
  writeInString(from: number, to: number): void {
    this.#reserve((to - from) * 2);
    const bytes = this.#bytes;
    let at = this.#length;
    // Control characters are already escaped in JSON; only quotes and backslashes need an escape.
    for (let i = from; i < to; i++) {
      // biome-ignore lint/style/noNonNullAssertion: both places are within what was written
      const byte = bytes[i]!;
      if (byte === 0x22 || byte === 0x5c) bytes[at++] = 0x5c;
      bytes[at++] = byte;
    }
    this.#length = at;
  }

  #reserve(size: number): void {
    const needed = this.#length + size;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
