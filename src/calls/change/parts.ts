/**
 * What the writes of a process share: settings, stores, the audit log, the key that signs. Made once, and handed to each step of
 * a write (`carry-out.ts`).
 */

import type { ConfirmRules } from '../../contract/confirm-levels.ts';
import type { AskRoute, Heard, NamedAccount } from '../../definition/asking.ts';
import { confirmRules } from '../../server/settings/confirm-rules.ts';
import { settingsDigest } from '../../server/settings/digest.ts';
import { usualDurations } from '../../server/settings/durations.ts';
import { createRenaming } from '../api/http/read-answer.ts';
import type { PipelineParts } from '../call/call.ts';
import { type ApprovalWaits, createApprovalWaits } from './ask/approval-wait.ts';
import { accountNames, type SigningOptions } from './ask/signed-state.ts';
import { countUnapproved, type UnapprovedWrites } from './ask/stop-advice.ts';
import { memoryStores, type WriteStores } from './ask/write-stores.ts';
import { type AuditLog, openAuditLog } from './audit/audit-log.ts';
import { daysInAuditLog } from './audit/day-in-audit-log.ts';

/** The settings of the same names; a `Config` is one. */
export interface WriteSettings extends NamedAccount {
  confirm: string;
  /** The ways in effect, in their order. */
  ask: readonly AskRoute[];
  maxWritesPerMinute: number;
  auditLog?: string | undefined;
  auditKey?: string | undefined;
  now?: string | undefined;
  redisUrl?: string | undefined;
}

export interface WriteDeps extends Pick<SigningOptions, 'accountOf'> {
  /** Signs questions and tokens; 32 bytes or more, the same on every machine that shares callers and Redis. */
  stateKey: Uint8Array;
  /** The body with the field names of this installation of the API, for the dry run. */
  outgoing?(body: unknown): unknown;
  /** Used confirmations and counted writes; by default in Redis where it is configured, else in this process. */
  stores?: WriteStores;
  /** How often a client is told that its call still waits for the decision on a page. */
  progressMs?: number;
  /** The longest that a call waits for the decision on a page that its first answer linked to. */
  linkHoldMs?: number;
  /** Told of each answer to a question. */
  heard?: ((route: AskRoute, heard: Heard) => void) | undefined;
  /** By default opened from the setting. */
  audit?: AuditLog | null;
  /** The digest of the settings in effect, for the audit log. */
  settingsDigest?: string;
}

export interface WriteParts extends SigningOptions {
  settings: WriteSettings;
  /** The setting `confirm`. */
  rules: ConfirmRules;
  stores: WriteStores;
  /** Null where writes are not recorded. */
  audit: AuditLog | null;
  settingsDigest: string;
  outgoing(body: unknown): unknown;
  heard: WriteDeps['heard'];
  /** Calls whose question is open on its page. */
  waits: ApprovalWaits;
  unapproved: UnapprovedWrites;
  linkHoldMs: number;
  /** Closes Redis if a write used it. */
  close(): Promise<void>;
}

/** Opens nothing: the first write opens log and Redis. */
export function writeParts(settings: WriteSettings, deps: WriteDeps): WriteParts {
  const { stateKey, accountOf, outgoing = body => body, heard, settingsDigest = '' } = deps;
  if (stateKey.byteLength < 32) throw new RangeError('The key that signs prompts needs at least 32 bytes.');
  const shared = deps.stores === undefined && settings.redisUrl ? sharedStores(settings.redisUrl) : null;
  const stores = deps.stores ?? shared ?? memoryStores();
  // The file of the audit log survives this process.
  const file = settings.auditLog === 'stderr' ? undefined : settings.auditLog;
  const inFile = shared === null && deps.stores === undefined ? file : undefined;
  return {
    settings,
    rules: confirmRules(settings.confirm),
    stores: inFile === undefined ? stores : { ...stores, days: daysInAuditLog(inFile) },
    audit: deps.audit === undefined ? openAuditLog(settings.auditLog, settings.auditKey) : deps.audit,
    settingsDigest,
    key: stateKey,
    accountOf,
    outgoing,
    heard,
    waits: createApprovalWaits(stores.approvals, deps.progressMs ?? usualDurations.progressMs),
    unapproved: countUnapproved(),
    linkHoldMs: deps.linkHoldMs ?? usualDurations.linkHoldMs,
    close: async () => shared?.close(),
  };
}

/** How long hosts wait for an answer if progress does not extend it. */
const hostLimitMs = 60_000;

/** Those of this process. */
export function writePartsOf(parts: PipelineParts): WriteParts {
  const { config, durations, account, observer, stateKey, roles, upstreams } = parts;
  return writeParts(config, {
    stateKey,
    progressMs: durations.progressMs,
    linkHoldMs: Math.max(0, Math.min(durations.linkHoldMs, hostLimitMs - durations.lookMs - config.timeoutMs)),
    heard: observer.heard,
    settingsDigest: settingsDigest(config, roles),
    accountOf: accountNames(account),
    outgoing: createRenaming(upstreams.idPrefix).outgoing,
  });
}

/** Redis is loaded and connected by the first method that is called. */
function sharedStores(url: string): WriteStores & { close(): Promise<void> } {
  let loaded: Promise<typeof import('./ask/redis.ts')> | undefined;
  const part = <K extends keyof WriteStores>(name: K): WriteStores[K] =>
    new Proxy({} as WriteStores[K], {
      get:
        (_none, method) =>
        async (...parameters: unknown[]) => {
          loaded ??= import('./ask/redis.ts');
          const stores = (await loaded).redisStores(url);
          const methods = stores[name] as unknown as Record<PropertyKey, (...parameters: unknown[]) => unknown>;
          return methods[method]?.(...parameters);
        },
    });
  return {
    spent: part('spent'),
    window: part('window'),
    days: part('days'),
    approvals: part('approvals'),
    agreements: part('agreements'),
    close: async () => (await loaded)?.closeRedis(),
  };
}
