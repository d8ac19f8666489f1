/** The part of `AbortSignal` that the steps of a call use. Creating a full `AbortSignal` is slow compared to a call. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
