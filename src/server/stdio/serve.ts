/** Serves one client over stdin and stdout, in any revision of the protocol. */
import * as nodeModule from 'node:module';
import type { Core } from '../core.ts';
import { StdioConnection } from './connection.ts';
import type { Pipe } from './lines.ts';

/** How long a client that closed our stdin may still read what was written. */
const drainMs = 5000;

/** How long after the first answer everything else is loaded. */
const restMs = 2000;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves when the client is gone or the process was told to stop, and everything is closed. */
export async function serveStdio(core: Core, pipe: Pipe = process): Promise<void> {
  const caller = core.ownCaller('stdio');
  const failed = (error: Error) => console.error(`Protocol error: ${error.message}`);
  const connection = new StdioConnection({
    core,
    caller,
    pipe,
    loadSdk: async opened => (await import('./sdk.ts')).serveBySdk(core, caller, opened, failed),
    // What calls need is loaded only now, so that the start is quick.
    answered: () => {
      setTimeout(() => void core.warmUp(), 0);
      setTimeout(() => void loadRest().catch(() => {}), restMs).unref();
    },
    failed,
  });
  let end = (): void => {};
  const over = new Promise<void>(resolve => {
    end = resolve;
  });
  void connection.closed.then(end);
  for (const signal of signals) process.once(signal, end);
  connection.open();
  await over;
  await connection.close();
  await core.close();
  await drained(pipe.stdout);
  for (const signal of signals) process.off(signal, end);
}

/**
 * Loads what no call has needed yet: an installer may replace the files while this program runs. What fails here says so
 * when it is needed.
 */
async function loadRest(): Promise<void> {
  await import('../../../tools/all-tools.ts');
  await import('./sdk.ts');
  // Node.js stores compiled code at its end, too, but a host may kill the program.
  (nodeModule as { flushCompileCache?(): void }).flushCompileCache?.();
}

/** Resolves when the client has read what was written, when it is gone, or after `drainMs`. */
function drained(stream: Pipe['stdout']): Promise<void> {
  if (stream.writableLength === 0 || stream.destroyed) return Promise.resolve();
  return new Promise(resolve => {
    const timer = setTimeout(resolve, drainMs);
    stream.once('error', () => resolve());
    stream.write('', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
