/** What a database can say no to, the same on both databases. Anything else that it throws is a bug. */

/** Text that no database here can hold: it contains U+0000. Routes answer 422 (§1.2, `value_is_invalid`). */
export class UnstorableText extends Error {
  constructor() {
    super('The text contains the character U+0000, which cannot be stored.');
    this.name = 'UnstorableText';
  }
}

/** A number that its column cannot hold exactly: not an integer, or beyond ±(2^53 − 1). Routes answer 422 (`value_is_out_of_range`). */
export class UnstorableNumber extends Error {
  constructor(column: string) {
    super(`${column} must be an integer between -(2^53 - 1) and 2^53 - 1.`);
    this.name = 'UnstorableNumber';
  }
}

/** A unique value (a code, an external id) already belongs to another record. Routes answer 422 `value_already_exist`. */
export class ValueTaken extends Error {
  constructor(cause: unknown) {
    super('Another record already has this value.', { cause });
    this.name = 'ValueTaken';
  }
}

/** Somebody else held the records for too long. Nothing was changed; the same call can be sent again (422 `lock_acquisition_failed`). */
export class LockNotAcquired extends Error {
  constructor(cause: unknown) {
    super('The records are being changed by somebody else. Nothing was changed; try again.', { cause });
    this.name = 'LockNotAcquired';
  }
}

/** The database cannot be used at all: a driver is missing, a file cannot be opened. The message is for a person. */
export class StoreUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreUnavailable';
  }
}

const UNIQUE = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505']);
const LOCKED = new Set(['40001', '40P01', '55P03']);
const NUL_TEXT = '22021';

/** Either database's error in the words above; an error that has no such word comes back as it is. */
export function translated(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (UNIQUE.has(code)) return new ValueTaken(error);
  if (LOCKED.has(code) || code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new LockNotAcquired(error);
  }
  if (code === NUL_TEXT) return new UnstorableText();
  return error;
}
