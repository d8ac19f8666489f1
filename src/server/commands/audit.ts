/**
 * `usage-billing-mcp audit FILE`: the audit log as a table, with the writes whose outcome is not known and the agreements
 * that nothing came of. With `--verify`: whether its lines are those that were written.
 */

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { AuditLine } from '../../calls/change/audit/audit-log.ts';
import { jsonOrNothing, membersOf } from '../../lib/json.ts';
import { fileReason } from '../../lib/system-errors.ts';
import { cutText } from '../../lib/text.ts';
import { escapeForSummary } from '../../words/safe-text.ts';
import { ConfigError, settings } from '../settings/settings.ts';
import { verifyAuditLog } from './audit-verify.ts';
import { type Command, readArguments } from './command.ts';
import { wrap } from './wrap.ts';

/** One attempted write, combined from its lines. */
interface Attempt {
  time: string;
  /** Empty where the account's clock was not pinned. */
  accountTime: string;
  tool: string;
  caller: string;
  target: string;
  decision: string;
  outcome: string;
  status: string;
  duration: string;
  requestId: string;
  /** What was to be written, as JSON; redacted when it was logged. */
  arguments: string;
}

type AuditReport = Awaited<ReturnType<typeof readAuditLog>>;

/** The file is something else: no line of it records a write. */
class NoAuditLog extends Error {}

const NO_OUTCOME = 'NO OUTCOME';
const ONLY_AGREED = 'agreed, not sent';
const events = ['begun', 'completed', 'refused', 'agreed'];
/** What is shown of a write without a `completed` line, by the event of its lines. */
const openOutcomes: Record<string, string> = { agreed: ONLY_AGREED, begun: NO_OUTCOME, refused: 'not sent' };
/** So many lines without a write at the beginning show that a file is no log; a huge file is then not read to its end. */
const mostStrangeLines = 100;
const columns: readonly (readonly [string, keyof Attempt, number])[] = [
  ['time', 'time', 24],
  ['account time', 'accountTime', 24],
  ['tool', 'tool', 26],
  ['target', 'target', 48],
  ['caller', 'caller', 24],
  ['decision', 'decision', 24],
  ['outcome', 'outcome', 16],
  ['status', 'status', 6],
  ['ms', 'duration', 7],
  ['request id', 'requestId', 40],
];

const flags = {
  verify: {
    ...({ name: null, flag: 'verify', type: 'boolean' } as const),
    description: 'Report missing, changed, added or reordered lines across all rotated files',
  },
  auditKey: settings.auditKey,
} as const;

export const auditCommand: Command = {
  flags,
  more: [
    'FILE is the BILLING_AUDIT_LOG file. The exit code is 1 if a write has no outcome.',
    'With --verify, several files form one log, in any order. Files ending in .gz are decompressed. The exit code is 1 if something is wrong.',
  ],
  async run(argv) {
    const { argument: file, others, verify, auditKey } = readArguments(flags, argv, 'FILE...');
    if (verify) {
      const { code, said } = await verdictOf([file, ...others], auditKey);
      (code === 2 ? process.stderr : process.stdout).write(`${said}\n`);
      return code;
    }
    if (others.length > 0) throw new ConfigError(['Without --verify, pass only one FILE.']);
    try {
      const report = await readAuditLog(createInterface({ input: createReadStream(file), crlfDelay: Infinity }));
      process.stdout.write(`${formatReport(report, process.stdout.columns)}\n`);
      return report.withoutOutcome > 0 ? 1 : 0;
    } catch (error) {
      console.error(
        error instanceof NoAuditLog
          ? `${file} is not an audit log: it has no record of a write.`
          : `${file} cannot be read: ${fileReason(error)}.`,
      );
      return 2;
    }
  },
};

const mostProblems = 200;

/** What `--verify` says, and the exit code; the one file that cannot be read is all that it says then. */
export async function verdictOf(files: readonly string[], key?: string): Promise<{ code: number; said: string }> {
  try {
    const { problems, verified, notes } = await verifyAuditLog(files, key);
    const more = problems.length - mostProblems;
    const said = [
      ...problems.slice(0, mostProblems),
      ...(more > 0 ? [`${more} more of this kind ${more === 1 ? 'is' : 'are'} not listed.`] : []),
      ...(problems.length > 0 ? [''] : [verified]),
      ...notes,
    ];
    return { code: problems.length > 0 ? 1 : 0, said: said.join('\n') };
  } catch (error) {
    const { path = files.join(', ') } = error as NodeJS.ErrnoException;
    return { code: 2, said: `${path} cannot be read: ${fileReason(error)}.` };
  }
}

/**
 * Pairs the lines by their id. A `completed` line without its `begun` line still counts as an attempt. Throws when there
 * are lines and none of them records a write. `withoutOutcome`: how many writes were begun and never completed, so that the request
 * may have been sent; `onlyAgreed`: how many were agreed to and never begun; `unreadable`: numbers of lines that record no write.
 */
export async function readAuditLog(lines: AsyncIterable<string> | Iterable<string>) {
  const attempts = new Map<string, Attempt>();
  const unreadable: number[] = [];
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    const entry = parseLine(line);
    if (entry === null) unreadable.push(number);
    if (attempts.size === 0 && unreadable.length >= mostStrangeLines) throw new NoAuditLog();
    if (entry !== null) attempts.set(text(entry.id) || `line ${number}`, merged(attempts.get(text(entry.id)), entry));
  }
  const all = [...attempts.values()];
  if (all.length === 0 && unreadable.length > 0) throw new NoAuditLog();
  const countOf = (wanted: string) => all.filter(({ outcome }) => outcome === wanted).length;
  return { attempts: all, withoutOutcome: countOf(NO_OUTCOME), onlyAgreed: countOf(ONLY_AGREED), unreadable };
}

/** The table, below each row its arguments, then one sentence for each kind of problem. `width`: of the terminal. */
export function formatReport(
  { attempts, withoutOutcome, onlyAgreed, unreadable }: AuditReport,
  width?: number,
): string {
  // Most logs are of accounts whose clock runs: they have no account time.
  const usedColumns = columns.filter(
    ([, field]) => field !== 'accountTime' || attempts.some(attempt => attempt[field] !== ''),
  );
  const tableColumns = usedColumns.map(([title, field, most]) => {
    const cell = (attempt: Attempt): string => clip(attempt[field], most);
    return { title, cell, width: Math.max(title.length, ...attempts.map(attempt => cell(attempt).length)) };
  });
  const line = (textIn: (column: (typeof tableColumns)[number]) => string): string =>
    tableColumns
      .map(column => textIn(column).padEnd(column.width))
      .join('  ')
      .trimEnd();
  const table = [
    line(({ title }) => title),
    line(({ width }) => '-'.repeat(width)),
    ...attempts.flatMap(attempt => [line(({ cell }) => cell(attempt)), ...argumentLines(attempt, width)]),
  ];
  const notes = [`${attempts.length} attempted ${attempts.length === 1 ? 'write' : 'writes'}.`];
  if (withoutOutcome > 0) {
    const what = withoutOutcome === 1 ? '1 write has' : `${withoutOutcome} writes have`;
    notes.push(`${what} no outcome: begun but never completed. Read the records to see whether they changed.`);
  }
  if (onlyAgreed > 0) {
    const what = onlyAgreed === 1 ? '1 write was' : `${onlyAgreed} writes were`;
    notes.push(`${what} approved but not carried out: nothing was sent.`);
  }
  if (unreadable.length > 0) notes.push(`Unreadable: line ${unreadable.slice(0, 20).join(', ')}.`);
  return [...table, '', ...notes].join('\n');
}

function argumentLines({ arguments: argumentText }: Attempt, width: number | undefined): string[] {
  if (argumentText === '') return [];
  return [width ? wrap(`  ${argumentText}`, width, '    ') : `  ${argumentText}`];
}

type MemberOf<Line> = Line extends unknown ? keyof Line : never;
/** A line as it was read: any member of what is written, and of any type. */
type ReadLine = { readonly [Member in MemberOf<AuditLine>]?: unknown };

export function parseLine(line: string): ReadLine | null {
  const entry = membersOf<keyof ReadLine>(jsonOrNothing(line));
  return events.includes(entry.event as string) && typeof entry.tool === 'string' ? entry : null;
}

function merged(earlier: Attempt | undefined, entry: ReadLine): Attempt {
  const completed = entry.event === 'completed';
  const code = text(entry.code);
  return {
    time: earlier?.time ?? text(entry.time),
    accountTime: earlier?.accountTime || text(entry.account_time),
    tool: text(entry.tool),
    caller: text(entry.caller),
    target: text(entry.target),
    decision: text(entry.decision) || (earlier?.decision ?? ''),
    outcome: completed ? outcomeOf(entry) : openOutcome(earlier, entry),
    status: completed ? text(entry.status) || code : (earlier?.status ?? ''),
    duration: completed ? text(entry.duration_ms) : (earlier?.duration ?? ''),
    arguments: earlier?.arguments || text(entry.arguments),
    requestId: text(entry.upstream_request_id) || text(entry.request_id) || (earlier?.requestId ?? ''),
  };
}

/** `done, seen`: the answer was lost, and the record showed the write. */
function outcomeOf({ outcome, looked }: ReadLine): string {
  return looked === 'found' ? `${text(outcome)}, seen` : text(outcome);
}

/** Lines of several processes may be in any order: an outcome that says more is kept. */
function openOutcome(earlier: Attempt | undefined, entry: ReadLine): string {
  const outcome = openOutcomes[text(entry.event)] ?? '';
  if (earlier === undefined || earlier.outcome === ONLY_AGREED) return outcome;
  return earlier.outcome === NO_OUTCOME && entry.event !== 'agreed' ? outcome : earlier.outcome;
}

function text(value: unknown): string {
  if (value === null || value === undefined) return '';
  return escapeForSummary(typeof value === 'string' ? value : JSON.stringify(value));
}

function clip(value: string, width: number): string {
  return value.length <= width ? value : `${cutText(value, width - 1)}…`;
}
