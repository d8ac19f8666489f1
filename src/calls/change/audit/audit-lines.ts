/** Reads the lines of audit logs, also of rotated ones, as they stand on disk. */
import { createReadStream } from 'node:fs';
import { readdir, readlink, stat } from 'node:fs/promises';
import { dirname, join, parse, resolve } from 'node:path';
import { createGunzip } from 'node:zlib';

/** A line with one byte in each character, and the offset of the byte after it. `whole`: it has its end. */
export interface LineOnDisk {
  bytes: string;
  end: number;
  whole: boolean;
}

/** Of a longer line, which is none of an audit log, only the beginning is kept. */
const mostKept = 2 ** 25;

/** From that byte on. A name that ends with `.gz` is read as gzip writes it. */
export async function* linesOnDisk(path: string, start = 0): AsyncGenerator<LineOnDisk> {
  const file = createReadStream(path, { start });
  const unpacked = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  // A pipe does not pass the errors of its source on.
  if (unpacked !== file) file.on('error', error => unpacked.destroy(error));
  let parts: string[] = [];
  let length = 0;
  let end = start;
  for await (const chunk of unpacked) {
    const pieces = (chunk as Buffer).toString('latin1').split('\n');
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) {
        end += length + 1;
        yield { bytes: parts.join(''), end, whole: true };
        [parts, length] = [[], 0];
      }
      if (length < mostKept) parts.push(piece);
      length += piece.length;
    }
  }
  if (length > 0) yield { bytes: parts.join(''), end: end + length, whole: false };
}

/** The text of a line's bytes. */
export function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/**
 * The files next to a log that were written to since, the earliest first: those whose names begin with its name, or have a
 * number or a date before its extension (`audit-20260315.jsonl.gz`). A log that is reached through symbolic links is rotated
 * next to the file or next to a link.
 */
export async function rotatedSince(log: string, since: Date): Promise<string[]> {
  const paths = await Promise.all((await namesOf(log)).map(rotatedBeside));
  const states = await Promise.all([...new Set(paths.flat())].map(async path => ({ path, state: await stat(path) })));
  const seen = new Set<number>();
  return states
    .filter(({ state }) => state.isFile() && state.mtime >= since)
    .filter(({ state }) => !seen.has(state.ino) && seen.add(state.ino))
    .sort((one, other) => one.state.mtimeMs - other.state.mtimeMs)
    .map(({ path }) => path);
}

/** The path, and what its symbolic links lead to, also where no file is there yet. */
async function namesOf(path: string): Promise<string[]> {
  const names = [resolve(path)];
  for (const name of names) {
    const target = await readlink(name).catch(() => undefined);
    const next = target && resolve(dirname(name), target);
    if (next && !names.includes(next)) names.push(next);
  }
  return names;
}

async function rotatedBeside(log: string): Promise<string[]> {
  const { dir: folder, base, name: stem, ext } = parse(log);
  const isRotated = (name: string) =>
    name.startsWith(base) ? name !== base : name.startsWith(stem) && isDated(name.slice(stem.length), ext);
  return (await readdir(folder)).filter(isRotated).map(name => join(folder, name));
}

/** `-20260315.jsonl.gz`, `.1.jsonl`; `ext`: of the log. */
function isDated(rest: string, ext: string): boolean {
  const [date = ''] = /^[-._]?\d[\dT._-]*(?=\.|$)/.exec(rest) ?? [];
  return date !== '' && `${rest.slice(date.length)}.`.startsWith(`${ext}.`);
}

/** The name says that the file is packed in a way that is not read here. */
export function isUnreadablyPacked(path: string): boolean {
  return /\.(7z|br|bz2|lz4|lzma|lzo|xz|z|zip|zst)$/i.test(path);
}
