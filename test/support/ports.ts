import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port on which nothing listens, for a server that cannot take port 0. It is below those that systems give by themselves to
 * listeners on port 0 and to outgoing connections, so that none of these takes it meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
