/** A billing service that accepts everything, answers with what it was sent, and counts what reached it. */
import type { IncomingMessage } from 'node:http';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { listening, textOf } from '../../support/listening.ts';
import { asAskedFor, lookupBody } from '../../tools/lookup-bodies.ts';

export interface Received {
  method: string;
  path: string;
  authorization: string | undefined;
  body: JsonRecord | null;
}

export interface Refusal {
  status: number;
  body: { code: string };
}

export interface CountingUpstream {
  url: string;
  received: Received[];
  /** The number of requests since the last call of this function. */
  taken(): number;
  /** The number of requests other than reads and previews since the last call of this function or of `taken`. */
  written(): number;
  /** From now on answers with this record under the wrapper key, instead of what was sent. */
  answerWith(record: ((request: Received) => unknown) | undefined): void;
  /** From now on refuses the requests for which this gives a refusal. */
  refuseWith(refuse: ((request: Received) => Refusal | undefined) | undefined): void;
  /** Runs before each answer. */
  onRequest(hook: ((request: Received) => Promise<void> | void) | undefined): void;
  close(): Promise<void>;
}

function isPreview(path: string): boolean {
  return path.endsWith('/invoices/preview');
}

export async function startCountingUpstream(): Promise<CountingUpstream> {
  const received: Received[] = [];
  let counted = 0;
  let makeAnswer: ((request: Received) => unknown) | undefined;
  let refuse: ((request: Received) => Refusal | undefined) | undefined;
  let hook: ((request: Received) => Promise<void> | void) | undefined;
  const { url, close } = await listening(async (incoming, response) => {
    const request = await read(incoming);
    received.push(request);
    await hook?.(request);
    response.setHeader('content-type', 'application/json');
    const refusal = refuse?.(request);
    if (refusal !== undefined) response.statusCode = refusal.status;
    response.end(JSON.stringify(refusal?.body ?? makeAnswer?.(request) ?? echo(request)));
  });
  const since = (): number => {
    const from = counted;
    counted = received.length;
    return from;
  };
  return {
    url,
    close,
    received,
    taken: () => received.length - since(),
    written: () => received.slice(since()).filter(({ method, path }) => method !== 'GET' && !isPreview(path)).length,
    answerWith: answer => {
      makeAnswer = answer;
    },
    refuseWith: refusing => {
      refuse = refusing;
    },
    onRequest: run => {
      hook = run;
    },
  };
}

async function read(incoming: IncomingMessage): Promise<Received> {
  const text = await textOf(incoming);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    authorization: incoming.headers.authorization,
    body: text === '' ? null : JSON.parse(text),
  };
}

export const stored = { svc_id: '00000000-0000-4000-8000-000000000000', external_id: 'sub-1', status: 'active' };

/** What was sent, as the service would show it; for reads a record with little in it. */
function echo({ method, path, body }: Received): unknown {
  if (/\/(plans|alerts)(\?|$)/.test(path) && method === 'GET') {
    return { plans: [], alerts: [], meta: { current_page: 0, total_pages: 0, total_count: 0 } };
  }
  if (path.endsWith('/estimate_fees')) return { fees: [] };
  return body ?? lookupBody(path, stored) ?? asAskedFor(path, stored);
}
