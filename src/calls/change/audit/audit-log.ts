/**
 * The audit log: JSON Lines, two lines for each write. `begun` is on disk before the request is sent, `completed`
 * follows its answer, so that a crash in between is visible. A declined or refused write has one line, `refused`; it follows
 * `begun` where another write took what was left of the day's limit in that moment. A write to which a user agreed before
 * a call could carry it out has the line `agreed` first. The lines of a process are a chain (audit-chain.ts).
 */
import { write as writeDescriptor } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { ErrorCode, FailureCode } from '../../../definition/failure.ts';
import type { DaySum } from '../ask/write-stores.ts';
import type { Finding } from '../fields/lost-answer.ts';
import { Chain } from './audit-chain.ts';

interface AuditEntry {
  /** This machine's time (ISO 8601, UTC), whatever the account's clock says. */
  time: string;
  /** The account's time, as answers and the receipt tell it; only where its clock is pinned (`--now`). */
  account_time?: string;
  /** The same for all lines of one write. */
  id: string;
  tool: string;
  caller: string;
  target: string;
  /** The digest of the question as it was shown; null where none was. */
  question: string | null;
  /** How `BILLING_ACCOUNT_LABEL` and `BILLING_ACCOUNT_MODE` name the account, where they do. */
  account?: string;
  account_mode?: 'live' | 'test';
  /** The digest of the settings in effect. */
  settings: string;
}

export interface AuditBegun extends AuditEntry {
  event: 'begun';
  method: string;
  path: string;
  /** Redacted, logos elided. */
  arguments: unknown;
  /** Who agreed: `person`, `page`, `link`, `token`, `host` or `policy`. */
  decision: string;
  /** That no user confirmed it, where a token stands for the answer. */
  note?: string;
  request_id: string;
  /** What the day's limit counts, where there is one. */
  counted?: DaySum;
  /** What the user changed in the prompt: the argument, and both values in words. */
  changed_by_user?: readonly { argument: string; from: string; to: string }[];
}

interface AuditCompleted extends AuditEntry {
  event: 'completed';
  /** `unknown`: the request was sent, no clear answer came, and the record did not show it either. */
  outcome: 'done' | 'failed' | 'unknown';
  status: number | null;
  code: FailureCode | null;
  upstream_request_id: string;
  attempts: number;
  /** What a look at the record showed after an answer that was lost (`code` says how); `found`: the write was carried out. */
  looked?: Finding['kind'];
  duration_ms: number;
}

interface AuditRefused extends AuditEntry {
  event: 'refused';
  arguments: unknown;
  decision: ErrorCode;
}

/** Without a `begun` of the same id, nothing was sent. */
interface AuditAgreed extends AuditEntry {
  event: 'agreed';
  decision: string;
}

export type AuditLine = AuditBegun | AuditCompleted | AuditRefused | AuditAgreed;

export interface AuditLog {
  /** Resolves when the line is on disk; rejects when it could not be written. */
  append(line: AuditLine): Promise<void>;
}

/** Writes the bytes of a line. `written` is called once they are there, also where the disk does not confirm it then. */
type WriteLine = (bytes: Buffer, written: () => void) => Promise<void>;

/** `stderr`, or the path of a file, created with mode 0600. Null: no log is kept. `key`: that of the seals. */
export function openAuditLog(target: string | undefined, key?: string): AuditLog | null {
  if (target === undefined) return null;
  return chained(target === 'stderr' ? writeToStderr : (line, written) => appendToFile(target, line, written), key);
}

/** One line after the other, so that they stand in the order of their numbers. */
function chained(write: WriteLine, key: string | undefined): AuditLog {
  const chain = new Chain(key);
  let before: Promise<unknown> = Promise.resolve();
  return {
    append(line) {
      const done = before.then(() => {
        const { text, written } = chain.next(line);
        return write(Buffer.from(`${text}\n`), written);
      });
      before = done.catch(() => {});
      return done;
    },
  };
}

/**
 * Opens the file for each line, so that a rotated file is followed. One O_APPEND write holds the whole line, so that
 * lines of several processes do not mix; an incomplete line left by a crash is ended first.
 */
async function appendToFile(path: string, line: Buffer, written: () => void): Promise<void> {
  const file = await open(path, 'a+', 0o600);
  try {
    const torn = await endsTorn(file);
    const bytes = torn ? Buffer.concat([Buffer.from('\n'), line]) : line;
    const { bytesWritten } = await file.write(bytes);
    // Where the end of the line alone is missing, the next write adds it.
    if (bytesWritten >= bytes.length - 1) written();
    if (bytesWritten !== bytes.length) throw new Error('only part of the entry could be written');
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The end of a line that another process is writing is still to come: a torn line stays as it is. */
async function endsTorn(file: FileHandle): Promise<boolean> {
  const { size, mode } = await file.stat();
  // A file that someone else created is restricted to its owner too, where this process may change its mode.
  if ((mode & 0o077) !== 0 && (mode & 0o170000) === 0o100000) await file.chmod(0o600).catch(() => {});
  let end = size;
  while (await isWithinLine(file, end)) {
    await wait(10);
    const before = end;
    end = (await file.stat()).size;
    if (end === before) return true;
  }
  return false;
}

async function isWithinLine(file: FileHandle, end: number): Promise<boolean> {
  if (end === 0) return false;
  const last = Buffer.alloc(1);
  const { bytesRead } = await file.read(last, 0, 1, end - 1);
  return bytesRead === 1 && last[0] !== 0x0a;
}

async function writeToStderr(line: Buffer, written: () => void): Promise<void> {
  let rest = line;
  for (let attempt = 0; rest.length > 0; attempt++) {
    try {
      rest = rest.subarray(await writeOnce(2, rest));
    } catch (error) {
      // The reader of the pipe is slow: wait a moment, but not for ever.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || attempt >= 100) throw error;
      await wait(10);
    }
  }
  written();
}

function writeOnce(descriptor: number, bytes: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    writeDescriptor(descriptor, bytes, (error, written) => (error ? reject(error) : resolve(written)));
  });
}
