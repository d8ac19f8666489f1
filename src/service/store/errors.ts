/** The expected errors of a database, the same on both databases. Any other error is a bug. */

/** The message of each error, and the codes with which the databases report it. */
const expected = {
  /** Text that neither database can store. Routes answer 422 (§1.2, `value_is_invalid`). */
  UnstorableText: ['The text contains the character U+0000, which cannot be stored.', /^22021$/],
  /** A unique value (a code, an external id) belongs to another record. Routes answer 422 `value_already_exist`. */
  ValueTaken: [
    'Another record already has this value.',
    /^(SQLITE_CONSTRAINT_UNIQUE|SQLITE_CONSTRAINT_PRIMARYKEY|23505)$/,
  ],
  /** Another writer locked the records for too long. Retry is safe (422 `lock_acquisition_failed`). */
  LockNotAcquired: [
    'Someone else is changing the records. Nothing was changed. Retry.',
    /^(SQLITE_BUSY|SQLITE_LOCKED|(40001|40P01|55P03)$)/,
  ],
  /** The disk or quota of the database is full; reading still works (507 `disk_full`). */
  DiskFull: ['The disk that holds the database is full. Nothing was changed.', /^(SQLITE_FULL|53100)$/],
} as const;
type ErrorName = keyof typeof expected;

export class StoreError extends Error {
  constructor(name: ErrorName, options?: ErrorOptions) {
    super(expected[name][0], options);
    this.name = name;
  }
}

/** A number that is not an integer, or beyond ±(2^53 − 1). Routes answer 422 (`value_is_out_of_range`). */
export class UnstorableNumber extends Error {
  constructor(column: string) {
    super(`${column} must be an integer between -(2^53 - 1) and 2^53 - 1.`);
    this.name = 'UnstorableNumber';
  }
}

/**
 * The database cannot be used: a driver is missing, a file cannot be opened, the connection was lost. The message is for
 * the operator. Routes answer 503 `database_unavailable`, or `database_lost` when the work may be stored.
 */
export class StoreUnavailable extends Error {
  /** True when waiting may help: the server cannot be reached, is starting or is stopping. */
  readonly passing: boolean;
  /** True when the connection was lost during a write, so that it is unknown whether the write is stored. */
  readonly maybeStored: boolean;

  constructor(message: string, cause?: unknown, { passing = false, maybeStored = false } = {}) {
    super(message, { cause });
    this.name = 'StoreUnavailable';
    this.passing = passing;
    this.maybeStored = maybeStored;
  }
}

/**
 * The error of either database as a `StoreError` or `StoreUnavailable`; any other error is returned unchanged. `storing`: if the
 * connection was lost, the failed write or commit may be stored nevertheless.
 */
export function toStoreError(error: unknown, { storing = false } = {}): unknown {
  const code = codeOf(error);
  const name = (Object.keys(expected) as ErrorName[]).find(each => expected[each][1].test(code));
  if (name) return new StoreError(name, { cause: error });
  if (isConnectionLost(error)) return postgresUnavailable(error, { passing: true, maybeStored: storing });
  return error;
}

/** The error that PostgreSQL cannot be used, with the driver's reason. */
export function postgresUnavailable(
  error: unknown,
  state: { passing?: boolean; maybeStored?: boolean } = { passing: isConnectionLost(error) || isCrowded(error) },
): StoreUnavailable {
  return new StoreUnavailable(`The PostgreSQL database cannot be used: ${reasonOf(error)}`, error, state);
}

/** When several addresses refuse a connection, Node throws one error without a message that lists the single errors. */
export function reasonOf(error: unknown): string {
  const { message, errors } = error as { message?: string; errors?: Error[] };
  return message || errors?.[0]?.message || codeOf(error) || 'no reason given';
}

/** The pool's error when all connections were in use for too long; no connection is lost then. */
function isCrowded(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

// biome-ignore format: names
const NETWORK = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH',
  'ENETDOWN', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN',
]);
/** Ended by the administrator, a crash or an idle timeout; server starting or stopping; too many connections. */
const SERVER_AWAY = /^(08...|25P03|57P01|57P02|57P03|57P05|53300)$/;
/** Errors of the driver itself have no code. */
const DRIVER_LOST =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired)/;

/** Is PostgreSQL lost or not up yet? False for wrong passwords and missing databases. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  // Only a missing socket file of a local server; other missing files are no lost connection.
  if (code === 'ENOENT') return (error as NodeJS.ErrnoException).syscall === 'connect';
  return NETWORK.has(code) || SERVER_AWAY.test(code) || (code === '' && DRIVER_LOST.test(error.message));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && error.code !== undefined ? String(error.code) : '';
}
