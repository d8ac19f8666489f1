/** Run only by test/package/harness.more.test.ts: leaves a process, a port and a file behind. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'vitest';

it('passes', async () => {
  spawn('sleep', ['100000'], { detached: true, stdio: 'ignore' }).unref();
  await new Promise<void>(listening => createServer().listen(0, '127.0.0.1', listening).unref());
  writeFileSync(join(tmpdir(), 'forgotten'), '');
});
