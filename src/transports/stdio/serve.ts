/** Serves one client over stdin and stdout, in any revision of the protocol. */
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import { ReadShortcut } from '../../protocol/read-shortcut.ts';
import type { Runtime } from '../../runtime.ts';
import { StdioTransport } from './transport.ts';

/** How long a client that closed our stdin may still read what was written. */
const drainMs = 5000;

/** Resolves when the client is gone or the process was told to stop, and everything is closed. */
export async function serveStdio(runtime: Runtime): Promise<void> {
  const caller = runtime.ownCaller('stdio');
  const transport = new StdioTransport(new ReadShortcut(runtime.pipeline), caller);
  const over = new Promise<void>(resolve => {
    void transport.closed.then(resolve);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  const handle = serve(() => warmingUp(runtime, runtime.createMcpServer({ caller })), {
    transport,
    onerror: error => console.error(`Protocol error: ${error.message}`),
  });
  await over;
  await handle.close().catch(() => {});
  await runtime.close();
  await drained(process.stdout);
}

/** Resolves when the client has read what was written, when it is gone, or after `drainMs`. */
function drained(stream: NodeJS.WriteStream): Promise<void> {
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

/** Loads what calls need only after the first message has been answered, so that the start is quick. */
function warmingUp(runtime: Runtime, server: ReturnType<Runtime['createMcpServer']>) {
  setTimeout(() => void runtime.warmUp(), 0);
  return server;
}
