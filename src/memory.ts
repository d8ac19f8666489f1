/** What one caller has read or written: so that a write can say what was before. Bounded, never shared. */
import type { JsonRecord, Known } from '../tools/define.ts';

const maxRecords = 200;
const maxCallers = 1000;
/** Names by which a tool's target may call a record. */
const idFields = ['svc_id', 'external_id', 'code', 'transaction_id'] as const;

export interface Memory {
  remember(resource: string, record: unknown): void;
  recall(resource: string, id: string): Known;
  forget(resource: string, id: string): void;
}

export function createMemory(): Memory {
  const records = new Map<string, JsonRecord>();
  return {
    remember(resource, record) {
      if (record === null || typeof record !== 'object') return;
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
    recall: (resource, id) => records.get(`${resource}\0${id}`) ?? null,
    forget: (resource, id) => {
      records.delete(`${resource}\0${id}`);
    },
  };
}

/** One memory a caller and key, the longest unused dropped first. */
export function createMemories(): (caller: { id: string; apiKey: string }) => Memory {
  const memories = new Map<string, Memory>();
  return ({ id, apiKey }) => {
    const key = `${id}\0${apiKey}`;
    const memory = memories.get(key) ?? createMemory();
    memories.delete(key);
    memories.set(key, memory);
    if (memories.size > maxCallers) memories.delete(memories.keys().next().value as string);
    return memory;
  };
}
