/** The demo account behind a proxy that counts writes and can fail them, and clients that send it sets of changes. */
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { ChangeMade } from '../../../src/definition/write-call.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import type { Runtime } from '../../../src/server/runtime.ts';
import { type RunningService, startService } from '../../../src/service/start.ts';
import { type Asks, connectClient, startRuntime, type TestClient } from '../../support/clients.ts';
import { listening, textOf } from '../../support/listening.ts';
import type { Era } from '../../support/settings.ts';

/** A write that reached the proxy. */
interface Written {
  method: string;
  path: string;
  body: JsonRecord;
}

/** A status in place of the service’s answer; `lost`: it is carried out, and its answer is not brought; `cut`: it is not. */
type Fault = number | 'lost' | 'cut' | undefined;

export interface SetWorld {
  service: RunningService;
  url: string;
  /** Since the last call of `writes()`. */
  writes(): Written[];
  /** Decides what becomes of each write from now on. */
  fail(fault: ((written: Written) => Fault | Promise<Fault>) | undefined): void;
  /** Decides what becomes of each read from now on. */
  failReads(fault: ((path: string) => number | 'cut' | undefined) | undefined): void;
  connect(
    settings?: Record<string, string>,
    asks?: Asks,
    era?: Era,
    more?: Parameters<typeof startRuntime>[2],
  ): Promise<{ client: TestClient; runtime: Runtime }>;
  /** A request of somebody else, with what the service answers. */
  send(method: string, path: string, body?: unknown): Promise<JsonRecord>;
  /** The record at a path, as the service has it. */
  read(path: string, key: string): Promise<JsonRecord>;
  /** A write of somebody else. */
  put(path: string, body: object): Promise<void>;
  close(): Promise<void>;
}

export async function setWorld(): Promise<SetWorld> {
  const service = await startService({ account: 'demo', now: '2026-03-15T12:00:00Z' });
  let written: Written[] = [];
  let fault: Parameters<SetWorld['fail']>[0];
  let readFault: Parameters<SetWorld['failReads']>[0];
  const proxy = await listening(async (request, response) => {
    const text = await textOf(request);
    const { method = '', url = '' } = request;
    const isWrite = method === 'PUT' || method === 'DELETE' || (method === 'POST' && !url.endsWith('/preview'));
    const write = { method, path: url, body: text === '' ? {} : JSON.parse(text) };
    if (isWrite) written.push(write);
    const failing = isWrite ? await fault?.(write) : readFault?.(url);
    if (typeof failing === 'number') {
      response.writeHead(failing, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ status: failing, error: 'No', code: isWrite ? 'made_to_fail' : notFound(url) }));
      return;
    }
    if (failing === 'cut') return void request.socket.destroy();
    const answer = await fetch(new URL(url, service.baseUrl), {
      method,
      headers: { 'content-type': 'application/json', authorization: request.headers.authorization ?? '' },
      ...(text !== '' && { body: text }),
    });
    const body = await answer.text();
    if (failing === 'lost') request.socket.destroy();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
  });
  const closing: (() => Promise<void>)[] = [];
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return (await (await fetch(`${service.baseUrl}${path}`, { method, headers, ...sent })).json()) as JsonRecord;
  };
  return {
    service,
    url: proxy.url,
    send,
    writes: () => {
      const taken = written;
      written = [];
      return taken;
    },
    fail: decide => {
      fault = decide;
    },
    failReads: decide => {
      readFault = decide;
    },
    async connect(settings = {}, asks = false, era = '2026-07-28', more = {}) {
      const usual = { BILLING_API_KEY: service.apiKey, BILLING_CONFIRM: 'never' };
      const runtime = startRuntime(proxy.url, { ...usual, ...settings }, more);
      const client = await connectClient(runtime, era, asks);
      closing.push(async () => {
        await client.close();
        await runtime.close();
      });
      return { client, runtime };
    },
    read: async (path, key) => ok((await send('GET', path))[key]) as JsonRecord,
    put: async (path, body) => void ok((await send('PUT', path, body)).error === undefined),
    close: async () => {
      for (const close of closing) await close();
      await proxy.close();
      await service.close();
    },
  };
}

function ok<T>(answer: T): NonNullable<T> {
  if (!answer) throw new Error('the service answered something else');
  return answer;
}

/** The code with which the service says that there is no record at this path. */
const notFound = (url: string) => `${/\/(\w+)s\/[^/]*$/.exec(url)?.[1]}_not_found`;

/** A change as it is sent: its arguments as JSON text. */
export const change = (tool: string, args: object) => ({ tool, arguments: JSON.stringify(args) });

/** Changes of three records: an add-on, a wallet and a subscription of one customer. */
export const three = (word: string) => [
  change('update_add_on', { code: demoIds.add_on_code, description: `Setup ${word}` }),
  change('update_wallet', { svc_id: demoIds.wallet_svc_id, name: `Wallet ${word}` }),
  change('update_subscription', { external_id: demoIds.external_subscription_id, name: `Studio ${word}` }),
];

/** So many changes as a set holds, of names and descriptions of the demo account’s records. */
export async function fullSet(call: (tool: string, args: JsonRecord) => Promise<JsonRecord>, word: string) {
  const rows = async (tool: string, key: string, args: JsonRecord) => (await call(tool, args))[key] as JsonRecord[];
  const subscriptions = await rows('list_subscriptions', 'subscriptions', { status: ['active'], per_page: 20 });
  const wallets = await rows('list_wallets', 'wallets', { per_page: 20 });
  const addOns = await rows('list_catalogue', 'records', { kind: 'add_ons' });
  const changes = [
    ...subscriptions.map(({ external_id }) => change('update_subscription', { external_id, name: `Plan ${word}` })),
    ...wallets.map(({ svc_id }) => change('update_wallet', { svc_id, name: `Wallet ${word}` })),
    ...wallets.map(({ svc_id }) => change('update_wallet', { svc_id, purchase_order_number: `PO ${word}` })),
    ...wallets.map(({ svc_id }) => change('update_wallet', { svc_id, metadata: { checked: word } })),
    ...addOns.flatMap(({ code }) =>
      ['name', 'invoice_display_name', 'description'].map(field =>
        change('update_add_on', { code, [field]: `Fee ${word}` }),
      ),
    ),
    ...subscriptions.map(({ external_id, ending_at }) => {
      const day = ending_at === '2027-12-30T00:00:00Z' ? 31 : 30;
      return change('update_subscription', { external_id, ending_at: `2027-12-${day}T00:00:00Z` });
    }),
  ];
  return changes.slice(0, 25);
}

/** `done idle not_done`, and the codes of what was not done. */
export const outcomesOf = (content: JsonRecord): string[] =>
  ((content.changes ?? []) as ChangeMade[]).map(({ outcome, code }) => (code ? `${outcome} (${code})` : outcome));
