/** A host's configuration file: reads it, and writes it whole with a backup. */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { fileReason } from '../../../lib/file-errors.ts';

export interface ConfigFile {
  /** Where the file really is: behind symbolic links. */
  path: string;
  /** Without a byte order mark; empty when there is no file yet. */
  text: string;
  exists: boolean;
  byteOrderMark: boolean;
}

/** Why a file cannot be used, as a sentence for the person who named it. */
export class ConfigFileError extends Error {}

const mark = '\uFEFF';

/** Reads the file. Throws `ConfigFileError`. */
export function readConfig(file: string): ConfigFile {
  const path = realPath(file);
  if (path === undefined) return { path: file, text: '', exists: false, byteOrderMark: false };
  try {
    const state = statSync(path);
    if (state.isDirectory()) throw new ConfigFileError(`${file} is a folder, not a file.`);
    if (!state.isFile()) throw new ConfigFileError(`${file} is a device or a pipe, not a file.`);
    const bytes = readFileSync(path);
    const text = decoded(bytes);
    if (text === undefined) throw new ConfigFileError(`${file} is not text in UTF-8. Save it as UTF-8 first.`);
    const byteOrderMark = text.startsWith(mark);
    return { path, text: byteOrderMark ? text.slice(1) : text, exists: true, byteOrderMark };
  } catch (error) {
    throw fileError(error, `${file} cannot be read`);
  }
}

/**
 * Writes through a temporary file, after a backup; a file with several names (hard links) is written in its place, so that
 * it keeps them. Returns the backup's path, if there was a file. Throws `ConfigFileError`; the file is then as it was.
 */
export function writeConfig(file: ConfigFile, text: string, now: Date): string | undefined {
  const { path, exists } = file;
  const backup = exists ? `${path}.backup-${now.toISOString().replaceAll(/[:.]/g, '-')}` : undefined;
  const draft = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    // Fails for a file that its owner has protected: the renaming below would replace it all the same.
    if (exists) closeSync(openSync(path, 'r+'));
    // The file may hold a key: others must not read it, and it never becomes more readable than before.
    const mode = exists ? statSync(path).mode & 0o700 : 0o600;
    writeFileSync(draft, (file.byteOrderMark ? mark : '') + text, { mode });
    chmodSync(draft, mode);
    if (backup) {
      copyFileSync(path, backup);
      chmodSync(backup, mode);
    }
    if (backup && statSync(path).nlink > 1) writeInPlace(path, draft, backup);
    else renameSync(draft, path);
    return backup;
  } catch (error) {
    rmSync(draft, { force: true });
    throw fileError(error, `${path} cannot be written`);
  }
}

function writeInPlace(path: string, draft: string, backup: string): void {
  try {
    copyFileSync(draft, path);
  } catch (error) {
    copyFileSync(backup, path);
    throw error;
  }
  rmSync(draft);
}

/** undefined when there is nothing under the name. */
function realPath(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw fileError(error, `${file} cannot be read`);
  }
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
  throw new ConfigFileError(`${file} is a link to ${readlinkSync(file)}, which does not exist. Remove the link first.`);
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function fileError(error: unknown, what: string): ConfigFileError {
  if (error instanceof ConfigFileError) return error;
  return new ConfigFileError(`${what}: ${fileReason(error)}.`);
}
