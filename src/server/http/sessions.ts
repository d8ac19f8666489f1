/**
 * Optional sessions for clients of the older protocol, which can receive questions only over a stream that stays open.
 * They live in this process: with several machines, a proxy has to keep each session on one of them.
 */
import { randomUUID } from 'node:crypto';
import {
  type AuthInfo,
  isInitializeRequest,
  isJSONRPCRequest,
  isLegacyRequest,
  type McpServer,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { credentialOf } from '../../calls/access/intersect-customers.ts';
import type { Caller } from '../../definition/caller.ts';
import { withReadableReply } from '../protocol/revisions.ts';
import { passedOn } from './answers.ts';
import { rpcError } from './errors.ts';

export interface SessionLimits {
  /**
   * The greatest number of sessions at a time. When all are in use, a further client is served without a session. With
   * `shared`, this also applies to a caller that has at least as many sessions as are free, so that no caller has all.
   */
  max: number;
  /** Several callers share the sessions. */
  shared?: boolean;
  /** Milliseconds without a request after which a session ends. */
  idleMs: number;
}

export type LegacySessions = ReturnType<typeof createSessions>;

interface Session {
  transport: WebStandardStreamableHTTPServerTransport;
  server: McpServer | Server;
  /**
   * Only this caller may use the session, and only with the scopes that it was opened with. Where the opener had proved
   * no customer, the first request that proves one makes the session that customer's.
   */
  owner: Owner;
  /** The caller or address whose share this session counts for. */
  countedAs: unknown;
  /** Number of open requests and streams; a session is idle at 0. */
  open: number;
  usedAt: number;
}

/** Sessions on servers of the given factory, which is called once for each session. */
export function createSessions(
  factory: (authInfo: AuthInfo) => McpServer | Server,
  limits: SessionLimits,
  now: () => number = () => performance.now(),
) {
  const sessions = new Map<string, Session>();

  const end = async (id: string) => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.server.close().catch(() => {});
  };
  const sweep = async () => {
    const limit = now() - limits.idleMs;
    const idle = [...sessions].filter(([, session]) => session.open === 0 && session.usedAt < limit);
    await Promise.all(idle.map(([id]) => end(id)));
  };
  const timer = setInterval(sweep, Math.min(limits.idleMs, 30_000)).unref();

  const open = async (authInfo: AuthInfo): Promise<Session> => {
    const server = factory(authInfo);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => void sessions.set(id, session),
      onsessionclosed: id => void sessions.delete(id),
    });
    const session: Session = {
      transport,
      server,
      owner: ownerOf(authInfo),
      countedAs: authInfo.extra?.countedAs,
      open: 0,
      usedAt: now(),
    };
    await server.connect(transport);
    return session;
  };
  const serve = async (session: Session, request: Request, authInfo: AuthInfo, parsedBody?: unknown) => {
    session.open++;
    const done = () => {
      session.open--;
      session.usedAt = now();
    };
    const answer = await session.transport.handleRequest(request, { authInfo, parsedBody }).catch(error => {
      done();
      throw error;
    });
    return whenRead(answer, done, request.method === 'GET');
  };
  const isFull = (authInfo: AuthInfo) => {
    const left = limits.max - sessions.size;
    if (left <= 0 || !limits.shared) return left <= 0;
    const held = [...sessions.values()].filter(session => session.countedAs === authInfo.extra?.countedAs).length;
    return held > 0 && held >= left;
  };
  const find = (request: Request, authInfo: AuthInfo, body?: unknown) => {
    const session = sessions.get(request.headers.get('mcp-session-id') ?? '');
    return session && mayUse(session, ownerOf(authInfo), body) ? session : undefined;
  };

  return {
    /** Answers a POST that belongs to a session or opens one; undefined: serve it without a session. */
    async tryHandle(request: Request, authInfo: AuthInfo, posted: unknown): Promise<Response | undefined> {
      const body = withReadableReply(posted);
      if (!(await isLegacyRequest(request, body))) return undefined;
      if (request.headers.has('mcp-session-id')) {
        const session = find(request, authInfo, body);
        return session ? serve(session, request, authInfo, body) : unknownSession();
      }
      if (!isInitializeRequest(body)) return undefined;
      await sweep();
      // When full, served without a session: the client can do everything except receive questions.
      return isFull(authInfo) ? undefined : serve(await open(authInfo), request, authInfo, body);
    },
    /** Answers GET (the stream for questions) and DELETE (the end of a session). */
    async handle(request: Request, authInfo: AuthInfo): Promise<Response> {
      const session = find(request, authInfo);
      if (session) return serve(session, request, authInfo);
      if (request.headers.has('mcp-session-id')) return unknownSession();
      const message = 'Method not allowed: open a session first, or send POST';
      return Response.json(rpcError(-32000, message), { status: 405, headers: { allow: 'POST' } });
    },
    get size(): number {
      return sessions.size;
    },
    async close() {
      clearInterval(timer);
      await Promise.all([...sessions.keys()].map(end));
    },
  };
}

type Owner = ReturnType<typeof ownerOf>;

/**
 * Whose a session is: the credential with its scopes, and the customers that it was proved for; `unbound`: none was, although one
 * has to be.
 */
function ownerOf({ clientId, scopes, extra }: AuthInfo) {
  const caller = extra?.caller as Caller | undefined;
  const credential = [caller ? credentialOf(caller) : clientId, ...[...scopes].sort()].join(' ');
  return { credential, id: clientId, unbound: caller?.unbound !== undefined };
}

/**
 * A request without a valid customer token is refused by the tool it calls, in words that a client can act on, and does
 * not lose the session. It cannot answer a question of the session, because an answer is not a request.
 */
function mayUse(session: Session, sender: Owner, body: unknown): boolean {
  const { owner } = session;
  if (owner.credential !== sender.credential) return false;
  if (owner.id === sender.id && owner.unbound === sender.unbound) return true;
  if (sender.unbound) return isJSONRPCRequest(body);
  if (!owner.unbound) return false;
  session.owner = sender;
  return true;
}

/** The status that tells a client to open a new session. */
function unknownSession(): Response {
  return Response.json(rpcError(-32001, 'Session not found'), { status: 404 });
}

/**
 * The same response; calls `done` when its body has been read to the end or given up. `greet` starts the stream with a
 * comment, so that the headers are sent at once: the first event may come much later.
 */
function whenRead(response: Response, done: () => void, greet: boolean): Response {
  if (!response.body) {
    done();
    return response;
  }
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (greet) controller.enqueue(new TextEncoder().encode(': open\n\n'));
  };
  return new Response(passedOn(response.body, { start, end: done }), response);
}
