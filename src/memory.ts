/** What one caller has read or written: so that a write can say what was before. Bounded, never shared. */
import type { JsonRecord, Known } from '../tools/define.ts';

const maxRecords = 200;
const maxCallers = 1000;
/** Names by which a tool's target may call a record. */
const idFields = ['svc_id', 'external_id', 'code', 'transaction_id'] as const;

export interface Memory {
  remember(resource: string, record: unknown): void;
  /** An add-on comes with `plan_codes`, the plans that are known to charge it. */
  recall(resource: string, id: string): Known;
  forget(resource: string, id: string): void;
}

export function createMemory(): Memory {
  const records = new Map<string, JsonRecord>();
  const addOnsOfPlans = new Map<string, Set<unknown>>();
  return {
    remember(resource, record) {
      if (record === null || typeof record !== 'object') return;
      if (resource === 'plan') noteAddOns(addOnsOfPlans, record as JsonRecord);
      for (const field of idFields) {
        const id = (record as JsonRecord)[field];
        if (typeof id !== 'string') continue;
        const key = `${resource}\0${id}`;
        // Deleting first moves the entry to the young end: a Map keeps insertion order.
        records.delete(key);
        records.set(key, record as JsonRecord);
      }
      for (const key of records.keys()) {
        if (records.size <= maxRecords) break;
        records.delete(key);
      }
    },
    recall(resource, id) {
      const known = records.get(`${resource}\0${id}`) ?? null;
      if (resource !== 'add_on') return known;
      const plan_codes = [...addOnsOfPlans].filter(([, addOns]) => addOns.has(id)).map(([plan]) => plan);
      return plan_codes.length === 0 ? known : { ...known, plan_codes };
    },
    forget: (resource, id) => {
      records.delete(`${resource}\0${id}`);
    },
  };
}

/** Which add-ons a plan charges: so that deleting one of them can name the plans that lose a charge. */
function noteAddOns(addOnsOfPlans: Map<string, Set<unknown>>, { code, fixed_charges: charges }: JsonRecord): void {
  if (typeof code !== 'string' || !Array.isArray(charges)) return;
  if (addOnsOfPlans.size >= maxRecords && !addOnsOfPlans.has(code)) return;
  addOnsOfPlans.set(code, new Set(charges.map(charge => charge?.add_on_code)));
}

/** One memory a caller and key, the longest unused dropped first. */
export function createMemories(): (caller: { id: string; apiKey: string }) => Memory {
  const memories = new Map<string, Memory>();
  /** Who asked last: the youngest entry already. */
  let last: { id: string; apiKey: string; memory: Memory } | undefined;
  return ({ id, apiKey }) => {
    if (last && last.id === id && last.apiKey === apiKey) return last.memory;
    const key = `${id}\0${apiKey}`;
    const memory = memories.get(key) ?? createMemory();
    memories.delete(key);
    memories.set(key, memory);
    if (memories.size > maxCallers) memories.delete(memories.keys().next().value as string);
    last = { id, apiKey, memory };
    return memory;
  };
}
