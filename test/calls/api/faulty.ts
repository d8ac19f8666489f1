/** An upstream that misbehaves on command, and counts what it carried out. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { listening } from '../../support/listening.ts';

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
  const { server, url, close } = await listening((request, response) => void serve(faulty, request, response, hold));
  const faulty: Faulty = {
    baseUrl: url,
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
    close,
  };
  server.on('connection', socket => {
    faulty.sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => faulty.sockets.delete(socket));
  });
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

type Answered = [status: number, body: string, headers?: Record<string, string>];

const limited = (headers: Record<string, string> = {}): Answered => [
  429,
  JSON.stringify({ status: 429, error: 'Too Many Requests' }),
  headers,
];
const accident = (status: number): Answered => [status, JSON.stringify({ status, error: 'Accident' })];
const html = { 'content-type': 'text/html' };
const soon = () => new Date(Date.now() + 1000).toUTCString();
const refused = (status: number, error: string, code: string, error_details: object): Answered => [
  status,
  JSON.stringify({ status, error, code, error_details }),
];

/** What is answered, by fault. */
const answers = {
  ok: () => [200, record],
  delayed: () => [200, record],
  held: () => [200, record],
  html: () => [200, '<!doctype html><title>Sign in</title>', html],
  wrong_type: () => [200, record, { 'content-type': 'text/plain' }],
  invalid_json: () => [200, record.slice(0, -3)],
  oversized: () => [200, JSON.stringify({ add_on: { name: 'x'.repeat(11 * 1024 * 1024) } })],
  limited_seconds: () => limited({ 'retry-after': '0.02' }),
  limited_long: () => limited({ 'retry-after': '0.5' }),
  limited_date: () => limited({ 'retry-after': soon() }),
  limited_reset_seconds: () => limited({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0.02' }),
  limited_reset_date: () => limited({ 'x-ratelimit-reset': soon() }),
  limited_silent: () => limited(),
  provider_limited: () =>
    refused(429, 'Too Many Provider Requests', 'too_many_provider_requests', {
      ...{ provider_name: 'x', message: 'slow down' },
    }),
  refused_422: () =>
    refused(422, 'Unprocessable Entity', 'validation_errors', { amount_cents: ['value_is_out_of_range'] }),
  error_500: () => accident(500),
  error_502: () => accident(502),
  error_503: () => accident(503),
  error_504: () => accident(504),
  html_502: () => [502, '<html><body>Bad gateway</body></html>', html],
} satisfies Record<string, () => Answered>;

const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${record.length}\r\n\r\n`;
type Act = (response: ServerResponse, left: () => void) => void;

/** What is done to the connection in place of a plain answer, by fault. */
const acts = {
  dropped_before_body: ({ socket }) => socket?.destroy(),
  dropped_after_body: ({ socket }) => socket?.destroy(),
  reset: ({ socket }) => socket?.resetAndDestroy(),
  silent: (_, left) => left(),
  stalled: (response, left) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': record.length });
    // The client, in this process, reads it before the second next turn.
    response.write(record.slice(0, 20), () => setImmediate(() => setImmediate(left)));
  },
  truncated: ({ socket }) => socket?.end(head + record.slice(0, 20)),
  duplicated: ({ socket }) => socket?.write(head + record + head + record),
  closes_after: response => {
    const { socket } = response;
    response.on('finish', () => setImmediate(() => socket?.end()));
    send(response, answers.ok());
  },
} satisfies Record<string, Act>;

export type Fault = keyof typeof answers | keyof typeof acts;

function answer(fault: Fault, response: ServerResponse, left: () => void): void {
  if (fault in acts) acts[fault as keyof typeof acts](response, left);
  else send(response, answers[fault as keyof typeof answers]());
}

function send(response: ServerResponse, [status, body, headers]: Answered): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}

export interface Outcome {
  fault: Fault;
  /** `ok` or the code of a call whose first request alone gets the fault. */
  read: [ended: string, attempts: number];
  write: [ended: string, attempts: number, changed: false | 'unknown' | null];
  /** How often a write took effect. */
  carried: number;
}

// biome-ignore format: a table
export const outcomes: readonly Outcome[] = [
  { fault: 'ok',                    read: ['ok', 1],                write: ['ok', 1, null], carried: 1 },
  { fault: 'delayed',               read: ['ok', 1],                write: ['ok', 1, null], carried: 1 },
  { fault: 'dropped_before_body',   read: ['ok', 2],                write: ['connection_lost', 1, 'unknown'], carried: 0 },
  { fault: 'dropped_after_body',    read: ['ok', 2],                write: ['connection_lost', 1, 'unknown'], carried: 1 },
  { fault: 'reset',                 read: ['ok', 2],                write: ['connection_lost', 1, 'unknown'], carried: 1 },
  { fault: 'silent',                read: ['ok', 2],                write: ['timeout', 1, 'unknown'], carried: 1 },
  { fault: 'stalled',               read: ['ok', 2],                write: ['timeout', 1, 'unknown'], carried: 1 },
  { fault: 'truncated',             read: ['ok', 2],                write: ['connection_lost', 1, 'unknown'], carried: 1 },
  { fault: 'html',                  read: ['invalid_answer', 1],    write: ['invalid_answer', 1, 'unknown'], carried: 1 },
  { fault: 'wrong_type',            read: ['ok', 1],                write: ['ok', 1, null], carried: 1 },
  { fault: 'invalid_json',          read: ['invalid_answer', 1],    write: ['invalid_answer', 1, 'unknown'], carried: 1 },
  { fault: 'oversized',             read: ['answer_too_large', 1],  write: ['answer_too_large', 1, 'unknown'], carried: 1 },
  { fault: 'duplicated',            read: ['ok', 1],                write: ['ok', 1, null], carried: 1 },
  { fault: 'closes_after',          read: ['ok', 1],                write: ['ok', 1, null], carried: 1 },
  { fault: 'limited_seconds',       read: ['ok', 2],                write: ['ok', 2, null], carried: 1 },
  { fault: 'limited_date',          read: ['ok', 2],                write: ['ok', 2, null], carried: 1 },
  { fault: 'limited_reset_seconds', read: ['ok', 2],                write: ['ok', 2, null], carried: 1 },
  { fault: 'limited_reset_date',    read: ['ok', 2],                write: ['ok', 2, null], carried: 1 },
  { fault: 'limited_silent',        read: ['ok', 2],                write: ['ok', 2, null], carried: 1 },
  { fault: 'provider_limited',      read: ['too_many_provider_requests', 1], write: ['too_many_provider_requests', 1, 'unknown'], carried: 1 },
  { fault: 'refused_422',           read: ['validation_errors', 1], write: ['validation_errors', 1, false], carried: 0 },
  { fault: 'error_500',             read: ['http_500', 1],          write: ['http_500', 1, 'unknown'], carried: 1 },
  { fault: 'error_502',             read: ['ok', 2],                write: ['http_502', 1, 'unknown'], carried: 1 },
  { fault: 'error_503',             read: ['ok', 2],                write: ['http_503', 1, 'unknown'], carried: 0 },
  { fault: 'error_504',             read: ['ok', 2],                write: ['http_504', 1, 'unknown'], carried: 1 },
  { fault: 'html_502',              read: ['ok', 2],                write: ['http_502', 1, 'unknown'], carried: 0 },
];
