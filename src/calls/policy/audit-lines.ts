/** Reads the lines of audit logs, also of rotated ones, as they stand on disk. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createGunzip } from 'node:zlib';

/** A line with one byte in each character, and the offset of the byte after it. `whole`: it has its end. */
export interface LineOnDisk {
  bytes: string;
  end: number;
  whole: boolean;
}

/** From that byte on. A name that ends with `.gz` is read as gzip writes it. */
export async function* linesOnDisk(path: string, start = 0): AsyncGenerator<LineOnDisk> {
  const file = createReadStream(path, { start });
  const unpacked = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  // A pipe does not pass the errors of its source on.
  if (unpacked !== file) file.on('error', error => unpacked.destroy(error));
  let rest = '';
  let end = start;
  for await (const chunk of unpacked) {
    const lines = (rest + (chunk as Buffer).toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const bytes of lines) {
      end += bytes.length + 1;
      yield { bytes, end, whole: true };
    }
  }
  if (rest !== '') yield { bytes: rest, end: end + rest.length, whole: false };
}

/** The text of a line's bytes. */
export function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The files beside a log whose names begin with its name and that were written to since, the earliest first. */
export async function rotatedSince(log: string, since: Date): Promise<string[]> {
  const folder = dirname(log);
  const names = await readdir(folder);
  const rotated = names.filter(name => name.startsWith(basename(log)) && name !== basename(log));
  const paths = rotated.map(name => join(folder, name));
  const states = await Promise.all(paths.map(async path => ({ path, state: await stat(path) })));
  return states
    .filter(({ state }) => state.isFile() && state.mtime >= since)
    .sort((one, other) => one.state.mtimeMs - other.state.mtimeMs)
    .map(({ path }) => path);
}
