import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder for temporary files, until the tests of the file or group that asks for it have ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'folder-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
