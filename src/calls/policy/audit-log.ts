/**
 * The audit log: JSON Lines, two lines for each write. `begun` is on disk before the request is sent, `completed`
 * follows its answer, so that a crash in between is visible. A declined or refused write has one line, `refused`. A write
 * to which a person agreed before a call could carry it out has the line `agreed` first.
 */
import { write as writeDescriptor } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { ErrorCode } from '../../tool/error-codes.ts';
import type { FailureCode } from '../../tool/failure.ts';
import type { Finding } from './lost-answer.ts';

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
}

export interface AuditBegun extends AuditEntry {
  event: 'begun';
  method: string;
  path: string;
  /** Redacted, logos elided. */
  arguments: unknown;
  /** Who agreed: `person`, `page`, `token`, `host` or `policy`. */
  decision: string;
  request_id: string;
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

/** `stderr`, or the path of a file, created with mode 0600. Null: no log is kept. */
export function openAuditLog(target: string | undefined): AuditLog | null {
  if (target === undefined) return null;
  if (target === 'stderr') return { append: line => writeToStderr(encode(line)) };
  return { append: line => appendToFile(target, encode(line)) };
}

function encode(line: AuditLine): Buffer {
  return Buffer.from(`${JSON.stringify(line)}\n`);
}

/**
 * Opens the file for each line, so that a rotated file is followed. One O_APPEND write holds the whole line, so that
 * lines of several processes do not mix; an incomplete line left by a crash is ended first.
 */
async function appendToFile(path: string, line: Buffer): Promise<void> {
  const file = await open(path, 'a+', 0o600);
  try {
    const torn = await endsTorn(file);
    const bytes = torn ? Buffer.concat([Buffer.from('\n'), line]) : line;
    const { bytesWritten } = await file.write(bytes);
    if (bytesWritten !== bytes.length) throw new Error('the line could only be written in part');
    await file.sync();
  } finally {
    await file.close();
  }
}

async function endsTorn(file: FileHandle): Promise<boolean> {
  const { size, mode } = await file.stat();
  // A file that somebody else created is restricted to its owner too, where this process may change its mode.
  if ((mode & 0o077) !== 0 && (mode & 0o170000) === 0o100000) await file.chmod(0o600).catch(() => {});
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  const { bytesRead } = await file.read(last, 0, 1, size - 1);
  return bytesRead === 1 && last[0] !== 0x0a;
}

async function writeToStderr(line: Buffer): Promise<void> {
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
}

function writeOnce(descriptor: number, bytes: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    writeDescriptor(descriptor, bytes, (error, written) => (error ? reject(error) : resolve(written)));
  });
}
