/** Builds write calls for the policy's tests, from the real tools. */

import { type AccessRoles, createAccess } from '../../../src/calls/access/access.ts';
import { pagesOf } from '../../../src/calls/change/ask/agreements.ts';
import { type ApprovalWait, createApprovalWaits } from '../../../src/calls/change/ask/approval-wait.ts';
import { awaitedOnPage } from '../../../src/calls/change/ask/signed-state.ts';
import type { AuditLine, AuditLog } from '../../../src/calls/change/audit/audit-log.ts';
import { type WriteParts, writePartsOf } from '../../../src/calls/change/parts.ts';
import type { Line } from '../../../src/calls/change/set.ts';
import { carryOut } from '../../../src/calls/change/steps/carry-out.ts';
import type { UpstreamAnswer } from '../../../src/definition/api.ts';
import {
  type AskRoute,
  askRoutes,
  type ClientAbilities,
  type Decided,
  nobody,
  type PageLinks,
} from '../../../src/definition/asking.ts';
import { checkArguments } from '../../../src/definition/check.ts';
import type { KnownRecord, WriteTool } from '../../../src/definition/define.ts';
import type { RecordReading, WriteCall, WriteOutcome } from '../../../src/definition/write-call.ts';
import type { CancelSignal } from '../../../src/lib/cancel-signal.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import type { Config } from '../../../src/server/settings/settings.ts';
import { usualDurations } from '../../../src/server/settings/usual.ts';
import { updateAddOn } from '../../../tools/add-ons.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { requestOf } from '../../support/api.ts';

/** Sends the write's own request, once. */
export type Send = () => Promise<UpstreamAnswer>;
/** Looks at the record again, after an answer that was lost. */
type Look = () => Promise<RecordReading>;

const baseUrl = 'https://billing.example.com';
export const apiKey = 'key-0123456789abcdef';
const usualKey = new Uint8Array(32).fill(7);

/** A client that can put questions in these ways, and has not answered yet. */
export const showing = (...routes: AskRoute[]): ClientAbilities => ({
  ...{ shows: route => routes.includes(route), holdMs: 50, reply: undefined, state: undefined },
  ...(routes.includes('link') && { links: pagesThatProve('link') }),
});

/** Approval pages, which nobody serves. */
export const pagesThatProve = (by: PageLinks['by']): PageLinks => ({
  by,
  addressOf: async id => `https://mcp.example.com/approve/${id}`,
});

export const cannotBeAsked = nobody;

export const canBeAsked = showing('form');

/** That client with its answer: with the field's yes, unless told otherwise. */
export function answered(
  state: string | undefined,
  action: 'accept' | 'decline' | 'cancel' = 'accept',
  content: JsonRecord | undefined = action === 'accept' ? { answer: 'yes' } : undefined,
  client = canBeAsked,
): ClientAbilities {
  return { ...client, state, reply: content === undefined ? { action } : { action, content } };
}

/** That client, which brought no answer. */
export const silent = (state: string | undefined, late?: true, client = canBeAsked): ClientAbilities => ({
  ...client,
  ...{ state, reply: { action: 'unanswered', reason: 'it is silent', ...(late && { late }) } },
});

export interface CallOptions {
  tool?: WriteTool;
  args?: JsonRecord;
  client?: ClientAbilities;
  known?: KnownRecord;
  /** Default: as where nothing is read before a write. */
  reading?: WriteCall['reading'];
  dryRun?: boolean;
  confirmation?: string;
  decided?: Decided;
  signal?: CancelSignal;
  caller?: string;
  key?: string;
  now?: Date;
}

export function writeCall(options: CallOptions = {}): WriteCall {
  const tool = options.tool ?? updateAddOn;
  const checked = checkArguments(tool, options.args ?? { code: 'setup', amount_cents: 125_000 });
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return {
    tool,
    args: checked.args,
    request: requestOf(tool, checked.args, (options.reading === 'read' && options.known) || undefined),
    control: { dry_run: options.dryRun ?? false, confirmation: options.confirmation, detail: undefined },
    context: {
      client: options.client ?? cannotBeAsked,
      ...(options.decided && { decided: options.decided }),
      signal: options.signal,
    },
    known: options.known ?? null,
    reading: options.reading ?? 'none',
    caller: { id: options.caller ?? 'ada', apiKey: options.key ?? apiKey },
    access: { amounts: [], dayAmounts: [], confirm: [], proof: 'policy' },
    requestId: 'request-1',
    now: options.now ?? new Date('2026-03-15T12:00:00Z'),
  };
}

/** A billing service that counts the requests that it gets. */
export function countingSend(body: unknown = { add_on: { code: 'setup', amount_cents: 125_000 } }) {
  const counter = {
    sent: 0,
    send: (async () => {
      counter.sent++;
      return { ok: true, status: 200, body, requestId: 'upstream-1', attempts: 1 } satisfies UpstreamAnswer;
    }) as Send,
  };
  return counter;
}

export function memoryLog(): AuditLog & { lines: AuditLine[] } {
  const lines: AuditLine[] = [];
  return { lines, append: async line => void lines.push(line) };
}

type Deps = Partial<WriteParts> & { roles?: AccessRoles; stateKey?: Uint8Array };

/** `maxAmount`, `maxAmountPerDay` and roles limit the amounts of the callers, as on a server with these settings. */
export function policyWith(
  { maxAmount, maxAmountPerDay, ...settings }: Partial<Config> = {},
  { roles, stateKey = usualKey, ...others }: Deps = {},
) {
  const accessOf = createAccess({ readOnly: false, maxAmount, maxAmountPerDay }, toolDefinitions, roles);
  const ofProcess = writePartsOf({
    config: { confirm: 'auto', ask: askRoutes, maxWritesPerMinute: 30, timeoutMs: 0, ...settings } as Config,
    account: { demo: false, current: () => ({ baseUrl, apiKey }) },
    upstreams: { idPrefix: { configured: undefined, shown: undefined, problem: null } },
    observer: {},
    stateKey,
  });
  const parts = { ...ofProcess, settingsDigest: '', ...others };
  const pages = pagesOf(parts);
  const waits = createApprovalWaits(pages, parts, usualDurations);
  return {
    pages,
    untilDecided: async (client: ClientAbilities, wait: ApprovalWait, confirmation?: string) => {
      const control = { dry_run: false, confirmation, detail: undefined };
      const awaited = awaitedOnPage({ context: { client }, control }, parts);
      if (awaited) await waits.untilDecided(awaited, client.holdMs, wait);
    },
    endWaits: () => waits.end(),
    close: () => parts.close(),
    carryOut: async (call: WriteCall, send: Send, look?: Look): Promise<WriteOutcome> => {
      const write = { ...call, access: accessOf({ scopes: null, ...call.caller }) };
      const set = { write, changes: [{ ...line, seen: { kind: 'open' as const, write } }], goesOn: false };
      const lookAgain = () => Promise.reject(new Error('a write by itself is looked at once'));
      const outcome = await carryOut(parts, set, { send, lookAgain, ...(look && { lookAfter: look }) });
      if (outcome.kind === 'invalid_set' || outcome.kind === 'several') throw new Error('a write ended as a set');
      return outcome;
    },
  };
}

export type Policy = ReturnType<typeof policyWith>;
export type TestServer = ReturnType<typeof serverWith>;

/** A server that asks, with the service behind it, which answers with `body`. */
export function serverWith(settings: Partial<Config> = {}, deps: Deps = {}, body?: unknown) {
  const policy = policyWith(settings, deps);
  const upstream = countingSend(body);
  const call = (client: ClientAbilities = cannotBeAsked, options: CallOptions = {}, send: Send = upstream.send) =>
    policy.carryOut(writeCall({ client, ...options }), send);
  const ended = async (...args: Parameters<typeof call>) => codeOf(await call(...args));
  /** A question in a form or on a page. */
  const ask = async (client: ClientAbilities = canBeAsked, options: CallOptions = {}) => {
    const outcome = await call(client, options);
    if (outcome.kind !== 'ask') throw new Error(codeOf(outcome));
    return { ...outcome, page: outcome.page! };
  };
  /** A question that comes with a confirmation: a token, one for buttons, or one with a link. */
  const offer = async (client: ClientAbilities = cannotBeAsked, options: CallOptions = {}) => {
    const outcome = await call(client, options);
    if (outcome.kind !== 'needs_token') throw new Error(codeOf(outcome));
    return outcome;
  };
  return { policy, upstream, call, ended, ask, offer };
}

/** A write by itself: its request comes with the test. */
const line = { at: 0 } as Line;

/** The error's code, or how the write ended without one. */
export const codeOf = (outcome: WriteOutcome) => ('error' in outcome ? outcome.error.code : outcome.kind);

/** `Applied: name. Confirmed by: person.`: what a receipt says besides the way back. */
export function receiptText({ applied, not_applied, not_shown, left_out, confirmed_by }: JsonRecord): string {
  const said = {
    Applied: applied,
    'Not applied': not_applied,
    'Not shown': not_shown,
    'Left out': left_out,
    'Confirmed by': confirmed_by,
  };
  return Object.entries(said)
    .map(([label, value]) => [label, [value ?? []].flat().join(', ')])
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `${label}: ${text}.`)
    .join(' ');
}
