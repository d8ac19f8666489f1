/** The folder that gets the files of exports, where the operator names one. */
import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Writes a new file, which only its owner may read; or says why it could not. */
export async function writeFileIn(
  folder: string,
  tool: string,
  text: string,
): Promise<{ path: string } | { problem: string }> {
  const moment = new Date().toISOString().slice(0, 19).replaceAll(':', '');
  const path = join(resolve(folder), `${tool}-${moment}Z-${randomBytes(3).toString('hex')}.csv`);
  try {
    await mkdir(resolve(folder), { recursive: true, mode: 0o700 });
    await writeFile(path, text, { flag: 'wx', mode: 0o600 }).catch(async error => {
      // A full disk leaves the part that still fitted.
      if (error.code !== 'EEXIST') await rm(path, { force: true });
      throw error;
    });
    return { path };
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return { problem: `BILLING_EXPORT_DIR, ${resolve(folder)}, is not writable (${code})` };
  }
}
