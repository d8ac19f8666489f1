/** A Redis of a test file. Needs Debian's `redis-server`; where it is missing, tests are skipped, with a message. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../support/ports.ts';

export function redisIsInstalled(file: string): boolean {
  const available = spawnSync('redis-server', ['--version']).status === 0;
  if (!available) console.error(`SKIPPED: ${file} needs redis-server (apt-get install redis-server).`);
  return available;
}

export interface TestRedis {
  url: string;
  killAndStartAgain(): Promise<void>;
  stop(): Promise<void>;
}

/** Resolves when it accepts connections. */
export async function startRedis(args: readonly string[]): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'redis-'));
  const port = await freePort();
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
  const start = async (): Promise<ChildProcess> => {
    const child = spawn('redis-server', [...args, ...own], { stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise<void>((resolve, reject) => {
      child.once('exit', code => reject(new Error(`redis-server ended with ${code}`)));
      createInterface({ input: child.stdout! }).on('line', line => line.includes('Ready to accept') && resolve());
    });
    return child;
  };
  const kill = async () => {
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  let server = await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    killAndStartAgain: async () => {
      await kill();
      server = await start();
    },
    stop: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
