/** Makes the golden record: what programs answer, ask the service, log and put on record, scene by scene. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonRecord } from '../../src/lib/json.ts';
import type { RunningService } from '../../src/service/start.ts';
import { refusalsOf } from '../support/output-schemas.ts';
import { Numbers } from './numbered.ts';
import {
  apiKey,
  type Message,
  runCommand,
  type Server,
  startDemo,
  startHere,
  startHttp,
  startLine,
  startStdio,
} from './programs.ts';
import { type Call, commands, isAsked, roles, type Scene, scenes, serviceCalls, type Way } from './scenes.ts';

/** One call of a scene, whole. */
interface Entry {
  name: string;
  text: string;
}

/** By scene, in the order of the scenes. */
export type GoldenRecord = ReadonlyMap<string, readonly Entry[]>;

/** A line for each call: a digest of its text, its scene and its name. */
export function linesOf(record: GoldenRecord): string[] {
  const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
  return [...record].flatMap(([scene, entries]) =>
    entries.map(({ name, text }) => `${digest(text)} ${scene} · ${name}`),
  );
}

/** `only`: scenes whose name holds this. */
export async function makeRecord(only?: string): Promise<GoldenRecord> {
  // Of the scenes that leave the account as it is: it starts with the first of them.
  let shared: Promise<RunningService> | undefined;
  const serviceOf = ({ still }: Scene) => {
    if (!still) return startDemo();
    shared ??= startDemo();
    return shared;
  };
  const works: [string, () => Promise<Entry[]>][] = [
    ...scenes().map(scene => [titleOf(scene), () => play(scene, serviceOf)] as [string, () => Promise<Entry[]>]),
    ['the commands', playCommands],
    ['the service', playService],
  ];
  const wanted = works.filter(([name]) => only === undefined || name.includes(only));
  const record = new Map<string, Entry[]>(wanted.map(([name]) => [name, []]));
  const oneByOne = async (some: typeof works) => {
    for (const [name, work] of some) record.set(name, await work());
  };
  // While programs start, the scenes in this process are played.
  const here = new Set(scenes().flatMap(scene => (isHere(scene) ? [titleOf(scene)] : [])));
  await Promise.all([
    oneByOne(wanted.filter(([name]) => here.has(name))),
    oneByOne(wanted.filter(([name]) => !here.has(name))),
  ]);
  await (await shared)?.close();
  return record;
}

const titleOf = ({ name, revision }: Scene) => `${name}, ${revision}`;

/** Played in this process: for the record it is the same as a program over stdio, which one scene of each revision starts. */
const isHere = ({ name, http }: Scene) => http === undefined && name !== 'the protocol';

async function play(scene: Scene, serviceOf: (scene: Scene) => Promise<RunningService>): Promise<Entry[]> {
  const folder = await mkdtemp(join(tmpdir(), 'golden-'));
  const numbers = new Numbers([folder]);
  const service = await serviceOf(scene);
  const line = await startLine(service);
  const audit = join(folder, 'audit.jsonl');
  const rolesPath = join(folder, 'roles.jsonc');
  await writeFile(rolesPath, roles);
  const set = Object.entries(scene.settings ?? {}).map(([name, value]) => [name, value.replace('<roles>', rolesPath)]);
  const settings = {
    ...{ BILLING_BASE_URL: line.url, BILLING_API_KEY: apiKey, BILLING_AUDIT_LOG: audit },
    ...{ BILLING_MAX_WRITES_PER_MINUTE: '100000', BILLING_STATE_KEY: 'state-key-of-the-golden-record-0123456789' },
    ...Object.fromEntries(set),
  };
  // Over HTTP this key needs a store that several machines share.
  if (scene.http) delete (settings as { BILLING_STATE_KEY?: string }).BILLING_STATE_KEY;
  const client = scene.http ? await overHttp(scene, settings) : await overStdio(scene, settings);
  line.fault = scene.fault;
  const entries: Entry[] = [];
  line.passed();
  for (const call of scene.calls) {
    const said = await carryOut(client, call);
    checkStructure(call, said);
    const passed = line.passed();
    entries.push({ name: call.name, text: numbers.in([...said, ...(passed && ['--- upstream', passed])].join('\n')) });
  }
  const stderr = await client.stop();
  entries.push({ name: 'stderr', text: numbers.in(stderr) });
  entries.push({ name: 'audit log', text: numbers.in(withoutChain(await readFile(audit, 'utf8').catch(() => ''))) });
  await line.close();
  if (!scene.still) await service.close();
  await rm(folder, { recursive: true });
  return entries;
}

/** Throws where a client of either SDK would refuse an answer for its structure. */
function checkStructure({ name, request: { params } }: Call, said: readonly string[]): void {
  const contents = said
    .map(line => line.replace(/^data: /, ''))
    .flatMap(line => (line.startsWith('{"') ? (messageIn(line).result?.structuredContent ?? []) : []));
  const refusals = contents.flatMap(content => refusalsOf(String(params.name), content));
  if (refusals.length > 0) throw new Error(`${name}: ${refusals.join('; ')}`);
}

interface Client {
  /** Sends a request; the answer comes last. */
  send(method: string, params: object, reply?: (asked: Message) => object, token?: string): Promise<string[]>;
  /** A page of the server, as a browser without scripts gets it. */
  open?(url: string, form?: Record<string, string>): Promise<string>;
  stop(): Promise<string>;
}

const clientInfo = { name: 'golden', version: '1' };
const envelopeOf = ({ capabilities = {} }: Scene) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});

async function overStdio(scene: Scene, settings: Record<string, string>): Promise<Client> {
  const server: Server = isHere(scene) ? await startHere(settings, scene.fault !== undefined) : startStdio(settings);
  const older = scene.revision === '2025-11-25';
  let last = 0;
  const send: Client['send'] = (method, params, reply) => {
    const request = { id: ++last, method, params: older ? params : { ...params, _meta: envelopeOf(scene) } };
    return server.exchange(request, reply);
  };
  if (older) {
    await send('initialize', { protocolVersion: scene.revision, capabilities: scene.capabilities ?? {}, clientInfo });
    await server.exchange({ method: 'notifications/initialized' });
  }
  return { send, stop: () => server.stop() };
}

async function overHttp(scene: Scene, settings: Record<string, string>): Promise<Client> {
  const server = await startHttp(scene.http?.args ?? [], settings);
  let cookie = '';
  let shown = '';
  return {
    async send(method, params, _, token) {
      const { name, uri } = params as { name?: string; uri?: string };
      const answer = await fetch(server.url, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          ...{ 'mcp-protocol-version': scene.revision, 'mcp-method': method, 'mcp-name': name ?? uri ?? '' },
          ...(token && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelopeOf(scene) } }),
      });
      return [String(answer.status), ...(await answer.text()).split('\n').filter(each => each !== '')];
    },
    async open(url, form) {
      const hidden = [...shown.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
      const fields = { ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])), ...form };
      const answer = await fetch(url, {
        ...(form && { method: 'POST', body: new URLSearchParams(fields) }),
        headers: { ...(cookie && { cookie }), ...(form && { origin: new URL(url).origin }) },
        redirect: 'manual',
      });
      cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
      shown = await answer.text();
      return `${answer.status} ${shown}`;
    },
    stop: () => server.stop(),
  };
}

async function carryOut(client: Client, { request: { method, params }, way, token }: Call): Promise<string[]> {
  const reply = way && 'form' in way ? () => way.form : undefined;
  const said = await client.send(method, params, reply, token);
  if (way === undefined) return said;
  const first: Message = messageIn(said.at(-1));
  const next = await answerTo(first, way, client, params);
  if (next === null) return said;
  const again = await client.send(method, next.params, reply);
  return [...said, ...next.seen, ...again, ...(await next.after())];
}

/** A line of a stream of events, or the message itself. */
function messageIn(line = ''): Message {
  return JSON.parse(line.replace(/^data: /, ''));
}

interface Next {
  params: object;
  /** Pages that were seen meanwhile. */
  seen: string[];
  after(): Promise<string[]>;
}

/** What the client sends after the question; null: nothing more. */
async function answerTo(first: Message, way: Way, client: Client, params: JsonRecord): Promise<Next | null> {
  const nothing = async (): Promise<string[]> => [];
  const { result } = first;
  const { requestState } = result ?? {};
  if ('form' in way) {
    if (!isAsked(first)) return null;
    const { result: answer } = way.form as { result?: object };
    const inputResponses = answer ? { confirm: answer } : {};
    return { params: { ...params, inputResponses, requestState }, seen: [], after: nothing };
  }
  if ('page' in way) {
    const url = result?.inputRequests?.confirm?.params?.url;
    if (url === undefined || client.open === undefined) return null;
    const seen = [await client.open(url), await client.open(url, { decision: way.page })];
    const inputResponses = { confirm: { action: 'accept' } };
    return { params: { ...params, inputResponses, requestState }, seen, after: async () => [await client.open!(url)] };
  }
  const args = params.arguments as JsonRecord;
  if ('token' in way) {
    const { confirmation } = result?.structuredContent?.confirmation_required ?? {};
    if (confirmation === undefined) return null;
    const altered = `${confirmation.slice(0, -2)}${confirmation.endsWith('AA') ? 'BB' : 'AA'}`;
    const sent = { ...args, confirmation: way.token === 'sent' ? confirmation : altered };
    return { params: { ...params, arguments: sent }, seen: [], after: nothing };
  }
  const approval = result?._meta?.['usage-billing/page']?.approval;
  if (approval === undefined) return null;
  const { tool, arguments: given, confirmation } = approval;
  const pressed = { tool, arguments: given, confirmation, decision: way.buttons };
  return { params: { name: 'decide_write', arguments: pressed }, seen: [], after: nothing };
}

/** Lines of the audit log without what is new in each process: its name, its seals, and digests of texts with its address. */
function withoutChain(lines: string): string {
  return lines.replaceAll(/"(process|previous|hash|question|settings)":"[^"]+"/g, '"$1":"…"');
}

async function playCommands(): Promise<Entry[]> {
  const folder = await mkdtemp(join(tmpdir(), 'golden-'));
  const numbers = new Numbers([folder]);
  const service = await startDemo();
  const audit = join(folder, 'audit.jsonl');
  const begun = {
    ...{ time: '2026-03-15T12:00:00.000Z', id: '1', tool: 'update_add_on', caller: 'stdio', target: 'add_on a' },
    ...{ event: 'begun', method: 'PUT', path: '/api/v1/add_ons/a', arguments: { code: 'a' } },
    ...{ decision: 'person', request_id: 'r' },
  };
  await writeFile(audit, `${JSON.stringify(begun)}\n`);
  const filled = (value: string) =>
    value.replace('<audit>', audit).replace('<service>', service.baseUrl).replace('<key>', apiKey);
  const entries: Entry[] = [];
  for (const [args, settings] of commands) {
    const set = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, filled(value)]));
    const text = await runCommand(args.map(filled), set);
    const name = [...args, ...Object.keys(settings)].join(' ') || 'nothing';
    entries.push({ name, text: numbers.in(text) });
  }
  await service.close();
  await rm(folder, { recursive: true });
  return entries;
}

async function playService(): Promise<Entry[]> {
  const numbers = new Numbers([]);
  const service = await startDemo();
  const entries: Entry[] = [];
  for (const { method, path, body, headers } of serviceCalls) {
    const answer = await fetch(`${service.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    entries.push({ name: `${method} ${path}`, text: numbers.in(`${answer.status}\n${text}`) });
    const link = path.endsWith('/portal_url') ? JSON.parse(text).customer?.portal_url : undefined;
    if (link === undefined) continue;
    const page = await fetch(link);
    entries.push({ name: 'portal', text: numbers.in(`${page.status}\n${await page.text()}`) });
  }
  await service.close();
  return entries;
}
