/**
 * Other installations of the same API prefix their record-id fields with something else than `svc_`. Renames these keys
 * both ways, but never the customer's own keys: metadata, event properties, grouping keys, filter values.
 */
import { isRecord, type JsonRecord } from '../../lib/json.ts';

const servicePrefix = 'svc_';
const customerKeys = new Set(['metadata', 'properties', 'grouped_by', 'values', 'presentation_by']);

export interface Renaming {
  /** `acme_id` → `svc_id`, in answers. */
  incoming(body: unknown): unknown;
  /** `svc_id` → `acme_id`, in requests. */
  outgoing(body: unknown): unknown;
}

/** Undefined when there is nothing to rename. */
export function createRenaming(prefix: string): Renaming | undefined {
  if (prefix === servicePrefix) return undefined;
  return {
    incoming: body => rename(body, prefix, servicePrefix),
    outgoing: body => rename(body, servicePrefix, prefix),
  };
}

function rename(value: unknown, from: string, to: string): unknown {
  if (Array.isArray(value)) return value.map(item => rename(item, from, to));
  if (value === null || typeof value !== 'object') return value;
  const renamed: JsonRecord = {};
  for (const [key, inner] of Object.entries(value)) {
    const name = key.startsWith(from) ? to + key.slice(from.length) : key;
    define(renamed, name, customerKeys.has(key) ? renameEntries(key, inner, from, to) : rename(inner, from, to));
  }
  return renamed;
}

/** Entries of metadata in list form are records of the service (`svc_id`, key, value): their own keys are renamed. */
function renameEntries(key: string, value: unknown, from: string, to: string): unknown {
  if (key !== 'metadata' || !Array.isArray(value)) return value;
  return value.map(entry => {
    if (!isRecord(entry)) return entry;
    const renamed: JsonRecord = {};
    for (const [name, inner] of Object.entries(entry)) {
      define(renamed, name.startsWith(from) ? to + name.slice(from.length) : name, inner);
    }
    return renamed;
  });
}

/** A plain assignment would run the setter of `__proto__`. */
function define(target: JsonRecord, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  else target[name] = value;
}
