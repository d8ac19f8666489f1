/**
 * The chain of an audit log: each line names its process, its number there and the seal of that process's line before, and
 * ends with a seal. That is SHA-256 of the line without this member, or HMAC-SHA-256 where there is `BILLING_AUDIT_KEY`.
 */
import { createHmac, hash, randomBytes } from 'node:crypto';
import { jsonOrNothing, membersOf } from '../../../lib/json.ts';

export interface SealedLine {
  /** Random, new at each start. */
  process: string;
  /** From 1. */
  number: number;
  /** The seal of the process's line before; null on its first. */
  previous: string | null;
  kind: 'hash' | 'hmac';
  seal: string;
  /** The line without its seal. */
  body: string;
}

/** Gives each line its place in the chain of this process. */
export class Chain {
  readonly #process = randomBytes(8).toString('hex');
  readonly #key: string | undefined;
  #number = 0;
  #previous: string | null = null;

  constructor(key?: string) {
    this.#key = key;
  }

  /** The line with its seal; `written` counts it, so that a line that was never whole leaves no gap. */
  next(line: object): { text: string; written(): void } {
    const number = this.#number + 1;
    const body = JSON.stringify({ ...line, process: this.#process, number, previous: this.#previous });
    const seal = sealOf(body, this.#key);
    const kind = this.#key === undefined ? 'hash' : 'hmac';
    return {
      text: `${body.slice(0, -1)},"${kind}":"${seal}"}`,
      written: () => {
        this.#number = number;
        this.#previous = seal;
      },
    };
  }
}

/** Of the bytes of a text in UTF-8. */
export function sealOf(body: string | Buffer, key?: string): string {
  return key === undefined ? hash('sha256', body) : createHmac('sha256', key).update(body).digest('hex');
}

const sealAtEnd = /,"(hash|hmac)":"([\da-f]{64})"\}$/;

/** `line` holds one byte in each character. Null: it is no line of a chain. */
export function sealedIn(line: string): SealedLine | null {
  const [whole, kind, seal] = sealAtEnd.exec(line) ?? [];
  if (whole === undefined || seal === undefined) return null;
  const body = `${line.slice(0, -whole.length)}}`;
  const { process, number, previous } = membersOf<'process' | 'number' | 'previous'>(jsonOrNothing(body));
  const fits =
    typeof process === 'string' &&
    Number.isSafeInteger(number) &&
    (number as number) > 0 &&
    (previous === null || typeof previous === 'string');
  return fits ? { process, number: number as number, previous, kind: kind as SealedLine['kind'], seal, body } : null;
}

/** Does the line have a part of what lines of a chain have? Those of older versions have none. */
export function isPartlySealed(line: string): boolean {
  const { process, number, previous } = membersOf<'process' | 'number' | 'previous'>(jsonOrNothing(line));
  return sealAtEnd.test(line) || [process, number, previous].some(member => member !== undefined);
}
