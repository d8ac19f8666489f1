/**
 * Records that one caller has read or written, so that a write can show the values before it. Bounded, never shared.
 */

import { isRecord, type JsonRecord } from '../lib/json.ts';
import { Recent } from '../lib/recent.ts';
import { maskKey } from '../model/masked-fields.ts';
import type { Known } from '../tool/define.ts';
import type { Caller } from './types.ts';

/** Number of records in each of the two generations. */
const maxRecords = 100;
const maxPlans = 200;
const maxCallers = 1000;
const maxSights = 20;
const sightForMs = 10_000;
/** The fields by which a tool may name its target record. */
const idFields = ['svc_id', 'external_id', 'code', 'transaction_id'] as const;

export interface Memory {
  /** What a write saw of its record within the last ten seconds; null for nothing. */
  sight(key: string): Known;
  keepSight(key: string, record: JsonRecord): void;
  /** After a write: what was seen is over. */
  forgetSights(): void;
  remember(resource: string, record: unknown): void;
  /**
   * An add-on comes with `plan_codes`: the plans that are known to charge it. A `charge` is found by its `svc_id` in the
   * plans and subscriptions that were read.
   */
  recall(resource: string, id: string): Known;
  forget(resource: string, id: string): void;
}

function createMemory(): Memory {
  // Two generations: a record that is not written again while the younger one fills up is dropped with the older one.
  // Deleting and setting an entry at each renewal would make the Map rebuild its table again and again (see Roster).
  let younger = new Map<string, JsonRecord>();
  let older = new Map<string, JsonRecord>();
  const addOnsOfPlans = new Map<string, Set<unknown>>();
  const sights = new Map<string, { at: number; record: JsonRecord }>();
  return {
    sight(key) {
      const found = sights.get(key);
      return found !== undefined && performance.now() - found.at < sightForMs ? found.record : null;
    },
    keepSight(key, record) {
      if (sights.size >= maxSights) sights.clear();
      sights.set(key, { at: performance.now(), record });
    },
    forgetSights: () => sights.clear(),
    remember(resource, record) {
      if (record === null || typeof record !== 'object') return;
      if (resource === 'plan') noteAddOns(addOnsOfPlans, record as JsonRecord);
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
      const known = younger.get(key) ?? older.get(key) ?? null;
      if (resource !== 'add_on') return known;
      const plan_codes = [...addOnsOfPlans].filter(([, addOns]) => addOns.has(id)).map(([plan]) => plan);
      return plan_codes.length === 0 ? known : { ...known, plan_codes };
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

/** Notes which add-ons a plan charges, so that deleting an add-on can name the plans that lose a charge. */
function noteAddOns(addOnsOfPlans: Map<string, Set<unknown>>, { code, fixed_charges: charges }: JsonRecord): void {
  if (typeof code !== 'string' || !Array.isArray(charges)) return;
  if (addOnsOfPlans.size >= maxPlans && !addOnsOfPlans.has(code)) return;
  addOnsOfPlans.set(code, new Set(charges.map(charge => charge?.add_on_code)));
}

/** One memory for each caller, key and mask; the longest unused is dropped first. */
export function createMemories(): (caller: Pick<Caller, 'id' | 'apiKey' | 'mask'>) => Memory {
  const memories = new Recent<Memory>(maxCallers);
  return ({ id, apiKey, mask }) => memories.of(`${id}\0${apiKey}\0${maskKey(mask)}`, createMemory);
}
