/** Servers of a test's own, on loopback. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LocalServer {
  /** Without a path. */
  url: string;
  port: number;
  close(): Promise<void>;
}

/** A server that answers like this, on a free port. */
export const serveLocally = (answer: RequestListener): Promise<LocalServer> => listening(createServer(answer));

/** A server that was made in another way, such as one with TLS, on a free port. */
export async function listening(server: Server): Promise<LocalServer> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, port, close };
}

/** Answers each request with this body. */
export const answersWith =
  (body: string, status = 200): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };
