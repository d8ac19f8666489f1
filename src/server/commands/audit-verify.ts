/**
 * `audit --verify FILE...`: whether the lines of an audit log are those that were written, in their order: over the files
 * into which it was rotated, given in any order.
 */
import { realpath } from 'node:fs/promises';
import { isPartlySealed, type SealedLine, sealedIn, sealOf } from '../../calls/change/audit/audit-chain.ts';
import { linesOnDisk, textOf } from '../../calls/change/audit/audit-lines.ts';
import { jsonOrNothing, membersOf } from '../../lib/json.ts';
import { escapeForSummary } from '../../words/safe-text.ts';

interface Place {
  file: string;
  line: number;
}

type Link = Place & Pick<SealedLine, 'number' | 'previous' | 'seal'> & { altered: boolean; time: string };

interface Read {
  lines: number;
  /** By process, a list for each file, in the order of its lines. */
  chains: Map<string, Link[][]>;
  problems: string[];
  notes: string[];
  /** Lines with an HMAC that no key was there to check. */
  unchecked: number;
  /** Lines of an older version, without a chain. */
  unchained: number;
}

export async function verifyAuditLog(files: readonly string[], key?: string) {
  const read: Read = { lines: 0, chains: new Map(), problems: [], notes: [], unchecked: 0, unchained: 0 };
  const seen = new Set<string>();
  for (const file of files) {
    // A pipe has no other name.
    const real = await realpath(file).catch(() => file);
    if (!seen.has(real)) await readFile(file, key, read);
    seen.add(real);
  }
  const follows = new Set<string>();
  const ends = [...read.chains].map(([process, lists]) => {
    const inOrder = lists.toSorted(([one], [other]) => (one?.number ?? 0) - (other?.number ?? 0));
    // One by one: there may be more than a call takes arguments.
    for (const problem of chainProblems(process, inOrder.flat())) read.problems.push(problem);
    for (const problem of fileProblems(process, inOrder, follows)) read.problems.push(problem);
    return endOf(process, inOrder.flat());
  });
  const { problems, notes, unchecked } = read;
  if (unchecked > 0)
    problems.push(
      `${counted(unchecked, 'line has', 'lines have')} an HMAC that was not checked: set BILLING_AUDIT_KEY.`,
    );
  notes.push(`${counted(read.lines, 'line', 'lines')} of ${counted(ends.length, 'process', 'processes')}.`);
  const more = ends.length - mostEnds;
  const unlisted = more > 0 ? [`${counted(more, 'more process is', 'more processes are')} not listed.`] : [];
  return {
    /** What is wrong, a sentence each. */
    problems,
    /** What can be said where nothing is wrong. */
    verified: verifiedOf(read),
    /** What else is to be known, a sentence each. */
    notes: [...notes, ...ends.slice(0, mostEnds), ...unlisted, blindSpots(key)],
  };
}

function verifiedOf({ lines, unchained }: Read): string {
  if (lines === 0) return 'Nothing was verified: the log has no lines. A log that was emptied looks the same.';
  if (unchained === 0) return 'Nothing is missing, changed or out of order.';
  const without = `${counted(unchained, 'line has', 'lines have')} no chain and ${unchained === 1 ? 'was' : 'were'} not verified`;
  if (unchained === lines) return `Nothing was verified: ${without}.`;
  return `${without}. Of the other ${counted(lines - unchained, 'line', 'lines')}, nothing is missing, changed or out of order.`;
}

async function readFile(file: string, key: string | undefined, read: Read): Promise<void> {
  const { problems, chains } = read;
  const lists = new Map<string, Link[]>();
  const older: number[] = [];
  let line = 0;
  for await (const { bytes, whole } of linesOnDisk(file)) {
    line++;
    if (bytes === '') continue;
    read.lines++;
    const at = place({ file, line });
    const sealed = sealedIn(bytes);
    if (sealed === null) {
      const problem = looseProblem(bytes, whole, lists.size > 0);
      if (problem === null) older.push(line);
      else problems.push(`${at} ${problem}`);
      continue;
    }
    const altered = sealProblem(sealed, key);
    if (altered !== null) problems.push(`${at} ${altered}`);
    if (sealed.kind === 'hmac' && key === undefined) read.unchecked++;
    const { process, number, previous, seal } = sealed;
    const time = membersOf<'time'>(jsonOrNothing(textOf(sealed.body))).time;
    const list = lists.get(process) ?? [];
    lists.set(process, list);
    // A copy: a part of the line would keep all of it in memory.
    const copied = Buffer.from(seal).toString('latin1');
    list.push({ file, line, number, previous, seal: copied, altered: altered !== null, time: String(time) });
  }
  for (const [process, list] of lists) chains.set(process, [...(chains.get(process) ?? []), list]);
  if (older.length === 0) return;
  read.unchained += older.length;
  const said = `${place({ file, line: older[0] ?? 1 }, older.at(-1))}: written by an older version without a chain`;
  if (key === undefined)
    read.notes.push(
      `${said}. They were not verified: lines may be missing or changed there, or their chain may have been removed.`,
    );
  else problems.push(`${said}, and written without BILLING_AUDIT_KEY.`);
}

/** What is wrong with a line that is no whole line of a chain; null for one of an older version. */
function looseProblem(bytes: string, whole: boolean, afterChain: boolean): string | null {
  if (bytes.endsWith('\r')) return 'was changed: it ends with CR LF, so another program wrote it.';
  const entry = jsonOrNothing(bytes);
  if (entry === undefined) return whole ? cut : `${cut} It is the last of its file.`;
  if (typeof membersOf<'event'>(entry).event !== 'string') return 'is not an audit log entry.';
  if (isPartlySealed(bytes)) return 'was changed: its position in a chain or its hash is incomplete.';
  return afterChain ? 'is not in a chain: an older version or another program wrote it.' : null;
}

const cut =
  'is incomplete: a crash or a full disk cut it off, or it was changed. A write whose first line was cut off was not sent.';

/** Why a line is not as it was written; null where it is, or where no one can know. */
function sealProblem({ kind, seal, body }: SealedLine, key: string | undefined): string | null {
  const bytes = Buffer.from(body, 'latin1');
  if (kind === 'hash') {
    if (sealOf(bytes) !== seal) return 'was changed: its hash does not match.';
    return key === undefined ? null : 'was written without BILLING_AUDIT_KEY: anyone can compute its hash.';
  }
  if (key === undefined || sealOf(bytes, key) === seal) return null;
  return 'was changed or written with another BILLING_AUDIT_KEY: its HMAC does not match.';
}

/** Numbers that are missing, stand twice or in another order, and lines that do not follow the one before. */
function chainProblems(process: string, links: readonly Link[]): string[] {
  const problems: string[] = [];
  const first = new Map<number, Link>();
  let highest = 0;
  for (const link of links) {
    const twin = first.get(link.number);
    const name = `number ${link.number} of process ${shown(process)}`;
    if (twin !== undefined) problems.push(`${place(link)} is ${name}, as ${place(twin)} is.`);
    else if (link.number < highest)
      problems.push(`${place(link)} is out of order: it is ${name}, after number ${highest}.`);
    if (twin === undefined) first.set(link.number, link);
    highest = Math.max(highest, link.number);
  }
  let before = 0;
  for (const number of [...first.keys()].sort((one, other) => one - other)) {
    if (number > before + 1) problems.push(gapOf(process, before + 1, number - 1, first));
    before = number;
  }
  for (const link of first.values()) {
    const earlier = first.get(link.number - 1);
    const expected = link.number === 1 ? null : earlier?.seal;
    if (expected === undefined || link.previous === expected || link.altered || earlier?.altered) continue;
    problems.push(
      earlier === undefined
        ? `${place(link)} is number 1 of process ${shown(process)}, but refers to an earlier line: it was changed.`
        : `${place(link)} does not follow ${place(earlier)}, number ${earlier.number} of process ${shown(process)}: one of them was changed or recreated with its hash.`,
    );
  }
  return problems;
}

/** The files stand in the order that each process gives them; `follows` has what earlier processes said. */
function fileProblems(process: string, lists: readonly (readonly Link[])[], follows: Set<string>): string[] {
  const problems: string[] = [];
  for (const [index, [link]] of lists.entries()) {
    for (const [earlier] of lists.slice(0, index)) {
      if (link === undefined || earlier === undefined) continue;
      const [files, reverse] = [JSON.stringify([earlier.file, link.file]), JSON.stringify([link.file, earlier.file])];
      if (follows.has(reverse))
        problems.push(
          `Out of order: process ${shown(process)} goes on from ${shown(earlier.file)} to ${shown(link.file)}, and another process the other way.`,
        );
      follows.add(files);
    }
  }
  return problems;
}

function gapOf(process: string, from: number, to: number, first: ReadonlyMap<number, Link>): string {
  const [before, after] = [first.get(from - 1), first.get(to + 1)];
  const numbers = from === to ? `number ${from}` : `numbers ${from} to ${to}`;
  const where =
    before === undefined ? `before ${after && place(after)}` : `between ${place(before)} and ${after && place(after)}`;
  return `Missing: ${numbers} of process ${shown(process)}, ${where}.`;
}

function endOf(process: string, links: readonly Link[]): string {
  const numbers = links.map(({ number }) => number);
  const last = links[numbers.indexOf(numbers.reduce((one, other) => Math.max(one, other), 0))];
  return `Process ${shown(process)} ends with number ${last?.number}, ${last && place(last)}, of ${shown(last?.time ?? '')}: ${last?.seal.slice(0, 16)}…`;
}

const mostEnds = 50;

function blindSpots(key: string | undefined): string {
  const anew = key === undefined ? 'a chain that was recreated' : 'a chain that was recreated with the key';
  return `This check cannot detect missing lines at the end of a process, a process that is missing completely, ${anew}, or the order of lines across processes. To detect these, compare the ends above with a copy stored elsewhere.`;
}

function place({ file, line }: Place, to = line): string {
  return `${shown(file)}, ${to === line ? `line ${line}` : `lines ${line} to ${to}`}`;
}

function shown(text: string): string {
  return escapeForSummary(text.slice(0, 200));
}

function counted(number: number, one: string, several: string): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? one : several}`;
}
