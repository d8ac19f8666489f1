/** An `AbortController` for each call. */
export class Cancel {
  readonly #controller = new AbortController();

  get aborted(): boolean {
    return this.#controller.signal.aborted;
  }

  addEventListener(type: 'abort', listener: () => void): void {
    this.#controller.signal.addEventListener(type, listener);
  }

  removeEventListener(type: 'abort', listener: () => void): void {
    this.#controller.signal.removeEventListener(type, listener);
  }

  abort(): void {
    this.#controller.abort();
  }
}
