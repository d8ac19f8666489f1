/** Metadata entries of an invoice: as they are sent, stored and shown (service-behaviour §3.6). */
import type { Invoice } from '../src/contract/shown.ts';
import type { Pairs } from '../src/words/metadata-words.ts';
import { asText, code } from '../src/words/summary.ts';

export interface SentEntry {
  id?: string | undefined;
  key: string;
  value?: string | undefined;
}

/**
 * The entries as they are sent. The service knows an entry by its `id` alone, and refuses the key of a stored entry
 * without it (§3.6).
 */
export function entriesToSend(
  sent: readonly SentEntry[],
  merge: boolean | undefined,
  known: Invoice | null | undefined,
): SentEntry[] {
  const entries = known ? sent.map(entry => withStoredId(entry, known)) : [...sent];
  return merge ? mergedEntries(entries, known) : entries;
}

/** An id that is not stored, as of an entry that was removed meanwhile, counts as none. */
function withStoredId({ id, ...entry }: SentEntry, { metadata }: Invoice): SentEntry {
  const stored = metadata ?? [];
  const holder = stored.find(({ svc_id }) => svc_id === id) ?? stored.find(({ key }) => key === entry.key);
  return holder === undefined ? entry : { id: holder.svc_id ?? undefined, ...entry };
}

/** Why the service could not store these entries; null where it can. */
export function invalidEntry(sent: readonly SentEntry[] = [], known: Invoice | null): string | null {
  const stored = known?.metadata ?? [];
  for (const { id, key, value } of sent) {
    const holder = stored.find(entry => entry.key === key);
    if (id === undefined && value === undefined && holder === undefined) return `has no value for ${code(key)}`;
    const isStored = stored.some(({ svc_id }) => svc_id === id);
    if (isStored && holder !== undefined && holder.svc_id !== id)
      return `gives another entry the key ${code(key)}, which entry ${code(holder.svc_id)} has: omit the id`;
  }
  return null;
}

/** The stored entries with the sent ones in place: an entry is found by its id, else by its key. */
function mergedEntries(sent: readonly SentEntry[], known: Invoice | null | undefined): SentEntry[] {
  const stored = (known?.metadata ?? []).map(
    ({ svc_id: id, key, value }): SentEntry => ({
      id: id ?? undefined,
      key: key ?? '',
      value: typeof value === 'string' ? value : (asText(value) ?? ''),
    }),
  );
  const rest = [...sent];
  const kept = stored.map(entry => {
    const at = rest.findIndex(({ id, key }) => (id === undefined ? key === entry.key : id === entry.id));
    const [change] = at === -1 ? [] : rest.splice(at, 1);
    return change === undefined ? entry : { id: entry.id, key: change.key, value: change.value ?? entry.value };
  });
  return [...kept, ...rest];
}

/** Null where the invoice is not known. */
export function storedPairs(known: Invoice | null | undefined): Pairs | null {
  return known ? (known.metadata ?? []).map(({ key, value }) => [key ?? '', value] as const) : null;
}

/** What the metadata becomes. An entry that is sent by its id alone keeps its value. */
export function sentPairs(
  { metadata = [], merge }: { metadata?: SentEntry[]; merge?: boolean | undefined },
  known: Invoice | null,
): Pairs {
  const entries = entriesToSend(metadata, merge, known);
  const stored = new Map((known?.metadata ?? []).map(entry => [entry.svc_id, entry.value]));
  return entries.map(({ id, key, value }) => [key, value ?? (id === undefined ? '' : stored.get(id))]);
}

/** The answer has `svc_id` for what the request calls `id`. */
export function shownMetadata(metadata: Invoice['metadata']): unknown {
  return metadata?.map(({ svc_id, key, value }) => ({ id: svc_id, key, value }));
}
