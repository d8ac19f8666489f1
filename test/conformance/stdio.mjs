/**
 * Connects the conformance suite, which speaks HTTP only, to the program on stdio: a posted message goes to it as a line,
 * and the lines that come back are the answer. Statuses, headers and sessions come from this file and prove nothing about
 * the program.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';

const protocolVersion = 'io.modelcontextprotocol/protocolVersion';
const clientCapabilities = 'io.modelcontextprotocol/clientCapabilities';
const subscriptionId = 'io.modelcontextprotocol/subscriptionId';

/**
 * The endpoint: a connection for each session of the older protocol, and one for all requests of the newer protocol. They
 * are sockets of one process, since the suite opens some fifty.
 */
export async function startStdio(main, environment) {
  const child = spawn(process.execPath, [main, 'sockets'], { stdio: ['pipe', 'pipe', 'inherit'], env: environment });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { port } = new URL(JSON.parse(line).url);
  const sessions = new Map();
  const shared = new Connection(port, { sharesIds: false });
  // The first request decides which protocol a connection speaks, and the suite's first request is one that must be refused.
  const _meta = { [protocolVersion]: '2026-07-28', [clientCapabilities]: {} };
  shared.write({ jsonrpc: '2.0', id: 'first', method: 'tools/list', params: { _meta } });

  const endpoint = createServer(async (request, response) => {
    const id = request.headers['mcp-session-id'];
    if (id && !sessions.has(id)) return response.writeHead(404).end();
    if (request.method === 'DELETE' && id) {
      sessions.get(id).end();
      sessions.delete(id);
      return response.end();
    }
    if (request.method !== 'POST') return response.writeHead(405).end();
    const message = await json(request);
    if (message.method !== 'initialize' || message.params?._meta?.[protocolVersion]) {
      return (sessions.get(id) ?? shared).take(message, response);
    }
    const session = new Connection(port, { sharesIds: true });
    const opened = randomUUID();
    sessions.set(opened, session);
    session.take(message, response.setHeader('mcp-session-id', opened));
  });
  await once(endpoint.listen(0, '127.0.0.1'), 'listening');
  const stop = () => {
    endpoint.close();
    child.stdin.end();
  };
  return { url: `http://127.0.0.1:${endpoint.address().port}/mcp`, stop };
}

class Connection {
  #socket;
  #sharesIds;
  #lastId = 0;
  /** By the id that the program knows: the response that waits for the answer, and the id that the client used. */
  #waiting = new Map();

  /** In a session, ids are the client's own; requests without a session come from many clients, and are numbered here. */
  constructor(port, { sharesIds }) {
    this.#sharesIds = sharesIds;
    this.#socket = connect(Number(port), '127.0.0.1');
    createInterface({ input: this.#socket }).on('line', line => this.#give(JSON.parse(line)));
    // Requests that still wait will get no answer.
    this.#socket.once('close', () => this.#waiting.forEach(({ response }) => void response.destroy()));
  }

  write(message) {
    this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  end() {
    this.#socket.end();
  }

  /** Takes a message that a client has posted. */
  take(message, response) {
    if (!('method' in message && 'id' in message)) {
      this.write(message);
      response.writeHead(202).end();
      return;
    }
    const id = this.#sharesIds ? message.id : ++this.#lastId;
    const token = message.params?._meta?.progressToken;
    this.#waiting.set(id, { id: message.id, token, response });
    // Without a session, closing the connection cancels the request.
    response.once('close', () => {
      if (!this.#waiting.delete(id) || this.#sharesIds) return;
      this.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    });
    const known = structuredClone({ ...message, id });
    if (token !== undefined) known.params._meta.progressToken = id;
    this.write(known);
  }

  /** Passes on what the program wrote: an answer ends the response, other messages before it make the response a stream. */
  #give(message) {
    if ('method' in message) return this.#stream(message);
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    this.#waiting.delete(message.id);
    const { id, response } = waiting;
    const answer = JSON.stringify({ ...message, id });
    if (response.headersSent) return response.end(`data: ${answer}\n\n`);
    // The newer protocol requires this status for this code, and the suite tests both in one check.
    const status = message.error?.code === -32601 && !this.#sharesIds ? 404 : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
  }

  #stream(message) {
    const known = structuredClone(message);
    const { params = {} } = known;
    const subscription = params._meta?.[subscriptionId];
    // A request from the program names no request of the client: it belongs to the latest one.
    const key = params.progressToken ?? subscription ?? [...this.#waiting.keys()].at(-1);
    const waiting = this.#waiting.get(key);
    if (!waiting) return;
    if ('progressToken' in params) params.progressToken = waiting.token;
    if (subscription !== undefined) params._meta[subscriptionId] = waiting.id;
    const { response } = waiting;
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(known)}\n\n`);
  }
}
