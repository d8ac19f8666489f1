/** A real CONNECT proxy on loopback that resolves names which only it knows, and records what it sees. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listening } from './listening.ts';

export interface TunnelProxy {
  url: string;
  /** `host:port`. */
  host: string;
  /** The targets of CONNECT requests, with the headers of the request. */
  asked: { target: string; headers: IncomingHttpHeaders }[];
  /** Requests that were not CONNECT. */
  plain: string[];
  /** Bytes that clients sent through the tunnels. */
  sent: Buffer[];
  /** Handles a CONNECT instead of the proxy when it returns true. */
  instead: (socket: Socket) => boolean;
  close(): Promise<void>;
}

/** Connects every name ending in `.example.test` to `port` of this machine, whatever port was requested. */
export async function startProxy(port: () => number): Promise<TunnelProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    proxy.plain.push(`${request.method} ${request.url}`);
    response.writeHead(501).end();
  });
  server.on('connection', socket => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  server.on('connect', (request, socket: Socket, head: Buffer) => {
    const target = request.url!;
    proxy.asked.push({ target, headers: request.headers });
    if (proxy.instead(socket)) return;
    if (!/\.example\.test:\d+$/.test(target)) return void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const far = connect(port(), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      far.write(head);
      socket.on('data', chunk => proxy.sent.push(chunk));
      socket.pipe(far).pipe(socket);
    });
    sockets.add(far);
    far.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => far.destroy());
  });
  const { url, port: own, close } = await listening(server);
  const proxy: TunnelProxy = {
    ...{ url, host: `127.0.0.1:${own}`, asked: [], plain: [], sent: [], instead: () => false },
    close() {
      for (const socket of sockets) socket.destroy();
      return close();
    },
  };
  return proxy;
}
