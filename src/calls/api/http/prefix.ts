/**
 * Other installations of the same API prefix their record-id fields with something else than `svc_`. Renames these keys
 * both ways, but never the customer's own keys: metadata, event properties, grouping keys, filter values.
 */
import { fieldNames } from '../../../contract/field-names.ts';
import { fieldOf, isObject, isRecord, isText, type JsonRecord } from '../../../lib/json.ts';

const servicePrefix = 'svc_';
const customerKeys = new Set(['metadata', 'properties', 'grouped_by', 'values', 'presentation_by']);

export interface Renaming {
  /** `acme_id` → `svc_id`, in answers. The first answer that shows a prefix decides, unless one is configured. */
  incoming(body: unknown): unknown;
  /** `svc_id` → `acme_id`, in requests. */
  outgoing(body: unknown): unknown;
  /** A sentence where the latest answer has another prefix than is configured, or than an answer had before; else null. */
  problem(): string | null;
}

export function createRenaming(configured: string | undefined): Renaming {
  let prefix = configured;
  let other: string | null = null;
  return {
    incoming(body) {
      const shown = prefix !== undefined && hasOwnId(body, `${prefix}id`) ? prefix : prefixIn(body);
      prefix ??= shown ?? undefined;
      if (shown !== null) other = shown === prefix ? null : shown;
      return renamed(body, prefix, servicePrefix);
    },
    outgoing: body => renamed(body, servicePrefix, prefix),
    problem() {
      if (other === null) return null;
      const earlier = configured === undefined ? 'earlier ones begin with' : 'BILLING_ID_PREFIX is';
      return `IDs in this answer begin with ${other}, but ${earlier} ${prefix}, so some IDs are not shown. Tell the person: the operator has to set BILLING_ID_PREFIX=${other}, or to remove it.`;
    },
  };
}

/** Does a record of the body have this ID of its own? Most answers do, and need no closer look. */
function hasOwnId(body: unknown, key: string): boolean {
  if (!isObject(body)) return false;
  for (const name in body) {
    const value = fieldOf(body, name);
    const record = Array.isArray(value) ? value[0] : value;
    if (isObject(record) && Object.hasOwn(record, key)) return true;
  }
  return false;
}

/** Keys of the contract, and the words that its other keys begin with: none of these is an installation's prefix. */
const contractNames = new Set(Object.values(fieldNames).flat());
const contractWords = new Set(
  [...contractNames].flatMap(name =>
    name.startsWith(servicePrefix) || !name.includes('_') ? [] : [name.split('_')[0]],
  ),
);
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * `acme_`, as the first record shows it: a key such as `acme_id` or `acme_customer_id` with a UUID, beside fields of the
 * contract. Null where no record does. Of each list, the first record is looked at.
 */
export function prefixIn(body: unknown): string | null {
  if (Array.isArray(body)) return prefixIn(body[0]);
  if (!isObject(body)) return null;
  const entries = Object.entries(body);
  const prefixes = entries.map(([key, value]) => prefixOf(key, value)).filter(prefix => prefix !== null);
  const prefix = prefixes.includes(servicePrefix) ? servicePrefix : prefixes[0];
  if (prefix !== undefined && entries.some(([key]) => isNamedBy(key, prefix))) return prefix;
  for (const [key, value] of entries) {
    const inner =
      typeof value !== 'object' || customerKeys.has(key) || key === 'integration_customers' ? null : prefixIn(value);
    if (inner !== null) return inner;
  }
  return null;
}

function prefixOf(key: string, value: unknown): string | null {
  if (!key.endsWith('id')) return null;
  const [, prefix, rest] = /^([a-z][a-z\d]*_)((?:\w+_)?id)$/.exec(key) ?? [];
  if (prefix === undefined || !isText(value) || !uuid.test(value) || contractWords.has(prefix.slice(0, -1)))
    return null;
  return contractNames.has(servicePrefix + rest) ? prefix : null;
}

/** Is it another field of the contract, with or without this prefix? */
function isNamedBy(key: string, prefix: string): boolean {
  return contractNames.has(key) || (key.startsWith(prefix) && key !== `${prefix}id`);
}

function renamed(value: unknown, from: string | undefined, to: string | undefined): unknown {
  return from === undefined || to === undefined || from === to ? value : rename(value, from, to);
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
