/** A host's configuration file: reads it, and writes it in its place after a backup. */
import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { fileReason } from '../../../lib/system-errors.ts';

/** Why a file cannot be used, as a sentence for the user who named it. */
export class ConfigFileError extends Error {}

/** The text of the file, with its byte order mark; empty when there is no file yet. Throws `ConfigFileError`. */
export function readConfig(path: string): string {
  try {
    if (!fs.statSync(path).isFile()) throw new ConfigFileError(`${path} is a folder or a device, not a file.`);
    const bytes = fs.readFileSync(path);
    const text = bytes.toString('utf8');
    if (!Buffer.from(text).equals(bytes)) throw new ConfigFileError(`${path} is not UTF-8 text.`);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw fileError(error, `${path} cannot be read`);
  }
}

/**
 * Writes the file in its place, so that links to it stay. Returns the backup's path, if there was a file. Throws
 * `ConfigFileError`; the file is then as it was.
 */
export function writeConfig(path: string, text: string, now: Date): string | undefined {
  const backup = fs.existsSync(path) ? `${path}.backup-${now.toISOString().replaceAll(/[:.]/g, '-')}` : undefined;
  try {
    fs.mkdirSync(dirname(path), { recursive: true });
    if (backup !== undefined) {
      fs.closeSync(fs.openSync(path, 'r+'));
      // The file may hold a key: others must not read it, and it never becomes more readable than before.
      fs.chmodSync(path, fs.statSync(path).mode & 0o700);
      fs.copyFileSync(path, backup);
    }
    writeOver(path, text, backup);
    return backup;
  } catch (error) {
    throw fileError(error, `${path} cannot be written`);
  }
}

function writeOver(path: string, text: string, backup: string | undefined): void {
  try {
    fs.writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    if (backup !== undefined) fs.copyFileSync(backup, path);
    throw error;
  }
}

function fileError(error: unknown, what: string): ConfigFileError {
  if (error instanceof ConfigFileError) return error;
  return new ConfigFileError(`${what}: ${fileReason(error)}.`);
}
