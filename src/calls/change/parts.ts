/**
 * What the writes of a process share: settings, stores, the audit log, the key that signs. Made once, and handed to each step of
 * a write (`carry-out.ts`).
 */

import type { ConfirmRules } from '../../contract/confirm-levels.ts';
import type { Observer } from '../../server/logs/types.ts';
import { confirmRules } from '../../server/settings/confirm-rules.ts';
import { type Config, settingsDigest } from '../../server/settings/settings.ts';
import type { Upstreams } from '../api/account/upstreams.ts';
import { createRenaming } from '../api/http/read-answer.ts';
import type { PipelineParts } from '../call/call.ts';
import { accountNames, type SigningOptions } from './ask/signed-state.ts';
import { countUnapproved, type UnapprovedWrites } from './ask/stop-advice.ts';
import { memoryStores, type WriteStores } from './ask/write-stores.ts';
import { type AuditLog, openAuditLog } from './audit/audit-log.ts';
import { daysInAuditLog } from './audit/day-in-audit-log.ts';

export interface WriteParts extends SigningOptions {
  settings: Config;
  /** The setting `confirm`. */
  rules: ConfirmRules;
  /** Used confirmations and counted writes: in Redis where it is configured, else in this process. */
  stores: WriteStores;
  /** Null where writes are not recorded. */
  audit: AuditLog | null;
  /** The digest of the settings in effect, for the audit log. */
  settingsDigest: string;
  /** The body with the field names of this installation of the API, for the dry run. */
  outgoing(body: unknown): unknown;
  /** Told of each answer to a question. */
  heard: Observer['heard'];
  unapproved: UnapprovedWrites;
  /** Closes Redis if a write used it. */
  close(): Promise<void>;
}

type PartsOfProcess = Pick<PipelineParts, 'config' | 'observer' | 'stateKey' | 'roles'> & {
  account: Parameters<typeof accountNames>[0];
  upstreams: Pick<Upstreams, 'idPrefix'>;
};

/** Those of this process. Opens nothing: the first write opens log and Redis. */
export function writePartsOf(parts: PartsOfProcess): WriteParts {
  const { config: settings, account, observer, stateKey: key, roles, upstreams } = parts;
  const { auditLog, auditKey, redisUrl } = settings;
  if (key.byteLength < 32) throw new RangeError('The key that signs prompts needs at least 32 bytes.');
  const shared = redisUrl ? sharedStores(redisUrl) : undefined;
  const stores = shared ?? memoryStores();
  // The file of the audit log survives this process.
  const inFile = shared === undefined && auditLog !== 'stderr' ? auditLog : undefined;
  return {
    settings,
    rules: confirmRules(settings.confirm),
    stores: inFile === undefined ? stores : { ...stores, days: daysInAuditLog(inFile) },
    audit: openAuditLog(auditLog, auditKey),
    settingsDigest: settingsDigest(settings, roles),
    key,
    accountOf: accountNames(account),
    outgoing: createRenaming(upstreams.idPrefix).outgoing,
    heard: observer.heard,
    unapproved: countUnapproved(),
    close: async () => shared?.close(),
  };
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
