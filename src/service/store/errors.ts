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
class LockNotAcquired extends Error {
  constructor(cause: unknown) {
    super('The records are being changed by somebody else. Nothing was changed; try again.', { cause });
    this.name = 'LockNotAcquired';
  }
}

/** The disk, or the quota, that holds the database is full. Nothing was changed; reading still works (507 `disk_full`). */
class DiskFull extends Error {
  constructor(cause: unknown) {
    super('The disk that holds the database is full. Nothing was changed.', { cause });
    this.name = 'DiskFull';
  }
}

/**
 * The database cannot be used: a driver is missing, a file cannot be opened, the connection was lost. The message is for a
 * person who runs the service. Routes answer 503 `database_unavailable`, or `database_lost` when the work may be stored.
 */
export class StoreUnavailable extends Error {
  /** True where waiting may help: the server is away, or starts or stops just now. */
  readonly passing: boolean;
  /** True when the connection was lost while something was being stored, so that nobody knows whether it is. */
  readonly maybeStored: boolean;

  constructor(message: string, cause?: unknown, { passing = false, maybeStored = false } = {}) {
    super(message, { cause });
    this.name = 'StoreUnavailable';
    this.passing = passing;
    this.maybeStored = maybeStored;
  }
}

const UNIQUE = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505']);
const LOCKED = new Set(['40001', '40P01', '55P03']);
const FULL = new Set(['SQLITE_FULL', '53100']);
const NUL_TEXT = '22021';

/**
 * Either database's error in the words above; an error that has no such word comes back as it is. `storing` says whether
 * what failed may be stored all the same when no answer came: a statement that was sent, a commit.
 */
export function translated(error: unknown, { storing = false } = {}): unknown {
  const code = codeOf(error);
  if (UNIQUE.has(code)) return new ValueTaken(error);
  if (LOCKED.has(code) || code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new LockNotAcquired(error);
  }
  if (FULL.has(code)) return new DiskFull(error);
  if (code === NUL_TEXT) return new UnstorableText();
  if (isConnectionLost(error)) return unavailable(error, { passing: true, maybeStored: storing });
  return error;
}

/** PostgreSQL cannot be used, with the reason in the driver's words. */
export function unavailable(
  error: unknown,
  how: { passing?: boolean; maybeStored?: boolean } = { passing: isConnectionLost(error) || isCrowded(error) },
): StoreUnavailable {
  return new StoreUnavailable(`The PostgreSQL database cannot be used: ${reasonOf(error)}`, error, how);
}

/** Connections refused at several addresses come as several errors in one, without a message of their own. */
export function reasonOf(error: unknown): string {
  const { message, errors } = error as { message?: string; errors?: Error[] };
  return message || errors?.[0]?.message || codeOf(error) || 'no reason given';
}

/** The pool's word for connections that were all in use for too long: none is lost then. */
function isCrowded(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Ended by the administrator, by a crash, for idleness; not yet or no longer accepting; no connection left. */
const SERVER_AWAY = /^(08...|25P03|57P01|57P02|57P03|57P05|53300)$/;
/** What the driver says itself has no code. */
const DRIVER_LOST =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired)/;

/** Did PostgreSQL go away, or is it not there yet? Wrong passwords and missing databases are not that. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  // The socket file of a server on this machine, and no other file that may be missing.
  if (code === 'ENOENT') return (error as NodeJS.ErrnoException).syscall === 'connect';
  return NETWORK.has(code) || SERVER_AWAY.test(code) || (code === '' && DRIVER_LOST.test(error.message));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && error.code !== undefined ? String(error.code) : '';
}
