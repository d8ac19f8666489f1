/** The same JSON put together as one string. */
export class JsonWriter {
  #text = '';

  get length(): number {
    return this.#text.length;
  }

  take(): Buffer {
    const written = Buffer.from(this.#text);
    this.#text = '';
    return written;
  }

  write(json: string): void {
    this.#text += json;
  }

  writeAscii(json: string): void {
    this.#text += json.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  }

  writeInString(from: number, to: number): void {
    this.#text += JSON.stringify(this.#text.slice(from, to)).slice(1, -1);
  }
}
