/** Clients that open pages, and a person with a browser that has no more than fetch and cookies. */
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitationCompleteNotificationSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import type { JsonRecord } from '../../../../src/lib/json.ts';

export type Asked = { mode?: string | undefined; url?: string; message: string; requestedSchema?: JsonRecord };
type Action = 'accept' | 'decline' | 'cancel';
/** What happens when the client is asked; `asked` holds the address of the page. */
export type Person = (asked: Asked) => Promise<Action | { action: Action; content: Record<string, string> }>;

/** How a client says that it can be asked. */
type Claims = { form?: Record<string, never>; url?: Record<string, never> };

export interface PageClient {
  call(name: string, args: JsonRecord, options?: { signal?: AbortSignal }): Promise<JsonRecord>;
  asked: Asked[];
  /** Ids of questions that the server called complete. */
  completed: string[];
}

/** A client of the test that is running. `elicitation`: what it claims; null: nothing. */
export async function connectOpening(
  url: string,
  era: 'modern' | 'older',
  person: Person,
  { headers = {}, elicitation = { url: {} } }: { headers?: Record<string, string>; elicitation?: Claims | null } = {},
): Promise<PageClient> {
  const asked: Asked[] = [];
  const completed: string[] = [];
  const reply = async (params: Asked) => {
    asked.push(params);
    const answer = await person(params);
    return typeof answer === 'string' ? { action: answer } : answer;
  };
  const options = { requestInit: { headers } };
  const about = { name: era, version: '1' };
  const capabilities = elicitation === null ? {} : { elicitation };
  if (era === 'modern') {
    const versionNegotiation = { mode: { pin: '2026-07-28' } };
    const client = new ModernClient(about, { capabilities, versionNegotiation });
    if (elicitation !== null) client.setRequestHandler('elicitation/create', ({ params }) => reply(params as Asked));
    await client.connect(new ModernTransport(new URL(url), options));
    onTestFinished(() => client.close());
    return {
      ...{ asked, completed },
      call: async (name, args, more) => (await client.callTool({ name, arguments: args }, more)) as JsonRecord,
    };
  }
  const client = new LegacyClient(about, { capabilities });
  if (elicitation !== null) client.setRequestHandler(ElicitRequestSchema, ({ params }) => reply(params as Asked));
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => {
    completed.push(params.elicitationId);
  });
  await client.connect(new LegacyTransport(new URL(url), options));
  onTestFinished(() => client.close());
  return {
    ...{ asked, completed },
    call: async (name, args, more) => (await client.callTool({ name, arguments: args }, undefined, more)) as JsonRecord,
  };
}

/** A write whose answer links to its page: what the repeated call comes to once the user was there. */
export async function callByLink(
  client: Pick<PageClient, 'call'>,
  name: string,
  args: JsonRecord,
  user: (link: string) => Promise<unknown>,
): Promise<JsonRecord> {
  const { link, confirmation } = neededBy(await client.call(name, args));
  const [result] = await Promise.all([client.call(name, { ...args, confirmation }), user(link)]);
  return result;
}

/** What a browser keeps and does: cookies, redirects, the origin of its forms. */
export class Browser {
  readonly #cookies = new Map<string, string>();
  status = 0;
  html = '';
  headers = new Headers();
  url = '';
  /** The `Set-Cookie` headers that came. */
  readonly cookiesSet: string[] = [];

  async open(url: string): Promise<this> {
    return this.#send(url, {});
  }

  /** Sends the form of the page that is shown, with these fields beside its hidden ones. */
  async submit(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<this> {
    const hidden = [...this.html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
    const all = { ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])), ...fields };
    const origin = { origin: new URL(this.url).origin, 'sec-fetch-site': 'same-origin' };
    return this.#send(this.url, {
      method: 'POST',
      body: new URLSearchParams(all as Record<string, string>),
      headers: { ...origin, ...headers },
    });
  }

  async #send(url: string, init: RequestInit): Promise<this> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(cookie !== '' && { cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const set of response.headers.getSetCookie()) {
      this.cookiesSet.push(set);
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/Max-Age=0/.test(set)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    const to = response.headers.get('location');
    if (to !== null) return this.#send(new URL(to, url).href, {});
    Object.assign(this, { url, status: response.status, headers: response.headers, html: await response.text() });
    return this;
  }
}

export const errorCode = (result: JsonRecord): unknown =>
  (result.structuredContent as { error?: { code?: unknown } }).error?.code;
export const confirmedBy = (result: JsonRecord): unknown =>
  (result.structuredContent as { receipt?: { confirmed_by?: unknown } }).receipt?.confirmed_by;
export const neededBy = (result: JsonRecord) =>
  (result.structuredContent as { confirmation_required: { link: string; confirmation: string } }).confirmation_required;
