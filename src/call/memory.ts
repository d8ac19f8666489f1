/**
 * Records that one caller has read or written, for what a later answer says beside its own record. No write rests on them:
 * it reads anew. Bounded, never shared.
 */

import { isRecord, type JsonRecord } from '../lib/json.ts';
import { Recent } from '../lib/recent.ts';
import { maskKey } from '../model/masked-fields.ts';
import type { Known } from '../tool/define.ts';
import type { Caller } from './types.ts';

/** Number of records in each of the two generations. */
const maxRecords = 100;
const maxCallers = 1000;
/** The fields by which a tool may name its target record. */
const idFields = ['svc_id', 'external_id', 'code', 'transaction_id'] as const;

export interface Memory {
  remember(resource: string, record: unknown): void;
  /** A `charge` is found by its `svc_id` in the plans and subscriptions that were read. */
  recall(resource: string, id: string): Known;
  forget(resource: string, id: string): void;
}

function createMemory(): Memory {
  // Two generations: a record that is not written again while the younger one fills up is dropped with the older one.
  // Deleting and setting an entry at each renewal would make the Map rebuild its table again and again (see Roster).
  let younger = new Map<string, JsonRecord>();
  let older = new Map<string, JsonRecord>();
  return {
    remember(resource, record) {
      if (record === null || typeof record !== 'object') return;
      for (const field of idFields) {
        const id = (record as JsonRecord)[field];
        if (typeof id !== 'string') continue;
        const key = `${resource}\0${id}`;
        if (field === 'external_id' && keepsActive(younger.get(key) ?? older.get(key), record as JsonRecord)) continue;
        younger.set(key, record as JsonRecord);
      }
      if (younger.size < maxRecords) return;
      older = younger;
      younger = new Map();
    },
    recall(resource, id) {
      if (resource === 'charge') return chargeIn([...younger.values(), ...older.values()], id);
      const key = `${resource}\0${id}`;
      return younger.get(key) ?? older.get(key) ?? null;
    },
    forget: (resource, id) => {
      const key = `${resource}\0${id}`;
      younger.delete(key);
      older.delete(key);
    },
  };
}

/**
 * Subscriptions may share their external id; customers do not. A write that names it means the active one, so that one
 * in another state does not take its place.
 */
function keepsActive(known: JsonRecord | undefined, record: JsonRecord): boolean {
  if (known?.status !== 'active' || record.status === 'active') return false;
  return known.svc_id !== undefined && record.svc_id !== undefined && known.svc_id !== record.svc_id;
}

function chargeIn(records: readonly JsonRecord[], id: string): Known {
  for (const record of records) {
    const { charges } = isRecord(record.plan) ? record.plan : record;
    const found = Array.isArray(charges) ? charges.find(charge => isRecord(charge) && charge.svc_id === id) : undefined;
    if (found !== undefined) return found;
  }
  return null;
}

/** One memory for each caller, key and mask; the longest unused is dropped first. */
export function createMemories(): (caller: Pick<Caller, 'id' | 'apiKey' | 'mask'>) => Memory {
  const memories = new Recent<Memory>(maxCallers);
  return ({ id, apiKey, mask }) => memories.of(`${id}\0${apiKey}\0${maskKey(mask)}`, createMemory);
}
