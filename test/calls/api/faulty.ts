/** An upstream that misbehaves on command, and counts what it carried out. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

const faults = [
  'ok',
  'delayed',
  'held',
  'dropped_before_body',
  'dropped_after_body',
  'reset',
  'silent',
  'stalled',
  'truncated',
  'html',
  'wrong_type',
  'invalid_json',
  'oversized',
  'duplicated',
  'closes_after',
  'limited_seconds',
  'limited_long',
  'limited_date',
  'limited_reset_seconds',
  'limited_reset_date',
  'limited_silent',
  'provider_limited',
  'refused_422',
  'error_500',
  'error_502',
  'error_503',
  'error_504',
  'html_502',
] as const;
export type Fault = (typeof faults)[number];

const refusing = new Set<Fault>(['dropped_before_body', 'refused_422', 'error_503', 'html_502']);

/** True if the request takes effect although its answer fails. */
const carriesOut = (fault: Fault): boolean => !refusing.has(fault) && !fault.startsWith('limited_');

export interface Faulty {
  baseUrl: string;
  /** Faults of the next requests, in order; after these, what `choose` returns, by default `ok`. */
  queue: Fault[];
  choose: (request: IncomingMessage) => Fault;
  /** How long `delayed` delays. */
  delayMs: number;
  /** Answers the request that has been `held` longest. */
  release: () => void;
  /** Called when a request is left without an answer, or with the beginning of one: `silent`, `stalled`. */
  left: () => void;
  /** Requests that arrived. */
  arrived: number;
  /** Those of them that could change something. */
  writes: number;
  /** How many times the request with this id took effect. */
  carriedOut: Map<string, number>;
  sockets: Set<Socket>;
  /** Requests that wait for their answer: now, and the highest number so far. */
  underWay: number;
  busiest: number;
  close(): Promise<void>;
}

const record = JSON.stringify({ add_on: { svc_id: '6f1c2a9e-0d8b-4c1e-9a57-2b7f0a4d8e11', code: 'setup' } });

export async function startFaulty(): Promise<Faulty> {
  const held: (() => void)[] = [];
  const hold = () => new Promise<void>(resolve => held.push(resolve));
  const server = createServer((request, response) => void serve(faulty, request, response, hold));
  const faulty: Faulty = {
    baseUrl: '',
    queue: [],
    choose: () => 'ok',
    delayMs: 30,
    release: () => held.shift()?.(),
    left: () => {},
    arrived: 0,
    writes: 0,
    carriedOut: new Map(),
    sockets: new Set(),
    underWay: 0,
    busiest: 0,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  server.on('connection', socket => {
    faulty.sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => faulty.sockets.delete(socket));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  faulty.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return faulty;
}

async function serve(
  faulty: Faulty,
  request: IncomingMessage,
  response: ServerResponse,
  hold: () => Promise<void>,
): Promise<void> {
  faulty.arrived++;
  if (request.method !== 'GET') faulty.writes++;
  faulty.underWay++;
  faulty.busiest = Math.max(faulty.busiest, faulty.underWay);
  response.once('close', () => {
    faulty.underWay--;
  });
  const fault = faulty.queue.shift() ?? faulty.choose(request);
  if (fault === 'dropped_before_body') {
    request.socket.destroy();
    return;
  }
  try {
    for await (const _ of request) {
      // The whole request is read: from here on the service could carry it out.
    }
  } catch {
    return;
  }
  if (carriesOut(fault)) {
    const id = String(request.headers['x-request-id']);
    faulty.carriedOut.set(id, (faulty.carriedOut.get(id) ?? 0) + 1);
  }
  // delay: of this server's answer
  if (fault === 'delayed') await new Promise(resolve => setTimeout(resolve, faulty.delayMs));
  if (fault === 'held') await hold();
  answer(fault, response, faulty.left);
}

function answer(fault: Fault, response: ServerResponse, left: () => void): void {
  const { socket } = response;
  switch (fault) {
    case 'dropped_after_body':
      socket?.destroy();
      return;
    case 'reset':
      socket?.resetAndDestroy();
      return;
    case 'silent':
      left();
      return;
    case 'stalled':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': record.length });
      // The client, in this process, reads it before the second next turn.
      response.write(record.slice(0, 20), () => setImmediate(() => setImmediate(left)));
      return;
    case 'truncated':
      socket?.write(`HTTP/1.1 200 OK\r\ncontent-length: ${record.length}\r\n\r\n${record.slice(0, 20)}`);
      socket?.end();
      return;
    case 'html':
      send(response, 200, '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' });
      return;
    case 'wrong_type':
      send(response, 200, record, { 'content-type': 'text/plain' });
      return;
    case 'invalid_json':
      send(response, 200, record.slice(0, -3));
      return;
    case 'oversized':
      send(response, 200, JSON.stringify({ add_on: { name: 'x'.repeat(11 * 1024 * 1024) } }));
      return;
    case 'duplicated': {
      const once = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${record.length}\r\n\r\n${record}`;
      socket?.write(once + once);
      return;
    }
    case 'closes_after':
      response.on('finish', () => setImmediate(() => socket?.end()));
      send(response, 200, record);
      return;
    case 'ok':
    case 'delayed':
    case 'held':
      send(response, 200, record);
      return;
    default:
      refuse(fault, response);
      return;
  }
}

function refuse(fault: Fault, response: ServerResponse): void {
  const limited = JSON.stringify({ status: 429, error: 'Too Many Requests' });
  const soon = new Date(Date.now() + 1000).toUTCString();
  switch (fault) {
    case 'limited_seconds':
      send(response, 429, limited, { 'retry-after': '0.02' });
      return;
    case 'limited_long':
      send(response, 429, limited, { 'retry-after': '0.5' });
      return;
    case 'limited_date':
      send(response, 429, limited, { 'retry-after': soon });
      return;
    case 'limited_reset_seconds':
      send(response, 429, limited, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0.02' });
      return;
    case 'limited_reset_date':
      send(response, 429, limited, { 'x-ratelimit-reset': soon });
      return;
    case 'limited_silent':
      send(response, 429, limited);
      return;
    case 'provider_limited':
      send(
        response,
        429,
        JSON.stringify({
          status: 429,
          error: 'Too Many Provider Requests',
          code: 'too_many_provider_requests',
          error_details: { provider_name: 'x', message: 'slow down' },
        }),
      );
      return;
    case 'refused_422':
      send(
        response,
        422,
        JSON.stringify({
          status: 422,
          error: 'Unprocessable Entity',
          code: 'validation_errors',
          error_details: { amount_cents: ['value_is_out_of_range'] },
        }),
      );
      return;
    case 'html_502':
      send(response, 502, '<html><body>Bad gateway</body></html>', { 'content-type': 'text/html' });
      return;
    default: {
      const status = Number(fault.slice('error_'.length));
      send(response, status, JSON.stringify({ status, error: 'Accident' }));
      return;
    }
  }
}

function send(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}
