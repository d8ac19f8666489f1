/** Servers of a test's own, on loopback. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  server: Server;
  port: number;
  /** Without a path. */
  url: string;
  close(): Promise<void>;
}

/** A server that answers like this, or that was made in another way, such as one with TLS, on a free port. */
export async function listening(answer: RequestListener | Server): Promise<Listening> {
  const server = typeof answer === 'function' ? createServer(answer) : answer;
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  };
  return { server, port, url: `http://127.0.0.1:${port}`, close };
}

/** Answers each request with this body. */
export const answersWith =
  (body: string, status = 200): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };

/** The body of a request. */
export async function textOf(request: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
