/** A Redis that can be stopped and started again with its data. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../../support/ports.ts';
import { endProcess } from './machines.ts';

export interface RestartableRedis {
  url: string;
  /** Resolves when it accepts connections. */
  start(): Promise<void>;
  halt(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
}

/** A Redis that writes everything to disk before it answers, on its own port. It is not started yet. */
export async function restartableRedis(): Promise<RestartableRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'usage-billing-redis-'));
  const port = await freePort();
  const options = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'yes', appendfsync: 'always' };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  let child: ChildProcess | undefined;
  const halt = async (signal: NodeJS.Signals) => {
    if (child) await endProcess(child, signal);
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    start: () =>
      new Promise<void>((resolve, reject) => {
        const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] });
        server.once('error', reject);
        server.once('exit', () => reject(new Error('redis-server ended at its start')));
        createInterface({ input: server.stdout }).on('line', line => line.includes('Ready to accept') && resolve());
        child = server;
      }),
    halt,
    remove: async () => {
      await halt('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
