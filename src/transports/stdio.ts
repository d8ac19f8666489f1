/** Serves one client over stdin and stdout, in either protocol era. */
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import type { Runtime } from '../runtime.ts';
import { StdioWire } from './stdio-wire.ts';

/** Resolves when the client has gone or the process was asked to end, and everything is closed. */
export async function serveStdio(runtime: Runtime): Promise<void> {
  const caller = runtime.ownCaller('stdio');
  const over = new Promise<void>(resolve => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    // A client that went away closes our stdout; there is nobody left to tell.
    process.stdout.once('error', () => resolve());
  });
  const handle = serve(() => warmingUp(runtime, runtime.createMcpServer({ caller })), {
    transport: new StdioWire(runtime, caller),
    onerror: error => console.error(`Protocol error: ${error.message}`),
  });
  await over;
  await handle.close().catch(() => {});
  await runtime.close();
}

/** Starts loading what calls need once the handshake has been answered, so that starting stays cheap. */
function warmingUp(runtime: Runtime, server: ReturnType<Runtime['createMcpServer']>) {
  setTimeout(() => void runtime.warmUp(), 0);
  return server;
}
