/** Serves one client over stdin and stdout, in either protocol era. */
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import type { Runtime } from '../../runtime.ts';
import { StdioWire } from './wire.ts';

/** A client that closes our stdin may still be reading. */
const takingMs = 5000;

/** Resolves when the client has gone or the process was asked to end, and everything is closed. */
export async function serveStdio(runtime: Runtime): Promise<void> {
  const caller = runtime.ownCaller('stdio');
  const wire = new StdioWire(runtime, caller);
  const over = new Promise<void>(resolve => {
    void wire.closed.then(resolve);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  const handle = serve(() => warmingUp(runtime, runtime.createMcpServer({ caller })), {
    transport: wire,
    onerror: error => console.error(`Protocol error: ${error.message}`),
  });
  await over;
  await handle.close().catch(() => {});
  await runtime.close();
  await taken(process.stdout);
}

/** Waits until the other side has taken what was written, or is gone, or has had its time. */
function taken(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength === 0 || stream.destroyed) return Promise.resolve();
  return new Promise(resolve => {
    const timer = setTimeout(resolve, takingMs);
    stream.once('error', () => resolve());
    stream.write('', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Starts loading what calls need once the handshake has been answered, so that starting stays cheap. */
function warmingUp(runtime: Runtime, server: ReturnType<Runtime['createMcpServer']>) {
  setTimeout(() => void runtime.warmUp(), 0);
  return server;
}
