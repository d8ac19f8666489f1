/** JSON that is put together in bytes: what goes out is made once, and the room for it is used again. */

const startBytes = 64 * 1024;
/** Room beyond this is given back after a large answer. */
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

  /** What has been written; the same memory, so only until `clear`. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Appends a piece of JSON as UTF-8. */
  write(json: string): void {
    this.#reserve(json.length * 3);
    this.#length += this.#bytes.write(json, this.#length, 'utf8');
  }

  /**
   * The same with escapes for all that is beyond ASCII. One such character makes the whole message a string of wide
   * characters for whoever reads it, and slower to decode, to search and to parse.
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

  /** Appends the JSON that stands between two places once more, as the inside of a JSON string. */
  writeInString(from: number, to: number): void {
    this.#reserve((to - from) * 2);
    const bytes = this.#bytes;
    let at = this.#length;
    // JSON has its control characters escaped already; only quotes and backslashes are left to do.
    for (let i = from; i < to; i++) {
      const byte = bytes[i]!;
      if (byte === 0x22 || byte === 0x5c) bytes[at++] = 0x5c;
      bytes[at++] = byte;
    }
    this.#length = at;
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > keepBytes) this.#bytes = Buffer.allocUnsafeSlow(startBytes);
  }

  #reserve(size: number): void {
    const needed = this.#length + size;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
