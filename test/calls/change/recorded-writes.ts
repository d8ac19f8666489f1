/** The writes of `account-101` that the real service answered with 200: each as a call of a tool, with the record before and after it. */
import { createHash } from 'node:crypto';
import { anyRecord as asRecord, isRecord, type JsonRecord } from '../../../src/lib/json.ts';
import { recording } from '../../support/recorded.ts';

export interface RecordedWrite {
  name: string;
  tool: string;
  args: JsonRecord;
  /** The fields as the recorded request sent them. */
  sent: JsonRecord;
  /** The key around the record. */
  key: string;
  /** The path of the record; of what a write creates, that of its subscription. */
  path: string;
  /** Null for what the write creates. */
  before: JsonRecord | null;
  after: JsonRecord;
}

interface Edge {
  kind: string;
  name: string;
  method: string;
  path: string;
  body?: JsonRecord;
  let?: Record<string, { path: string; where?: JsonRecord; take?: string; list?: string }>;
  reset_after?: object;
}
interface Recorded {
  requests: Edge[];
  answers: { name: string; status: number; json: JsonRecord }[];
}

/** The path's resource, with the tool that writes it, its argument for the record, and the wrapper. */
const tools: Record<string, [tool: string, id: string, key: string]> = {
  'PUT /wallets': ['update_wallet', 'svc_id', 'wallet'],
  'PUT /subscriptions': ['update_subscription', 'external_id', 'subscription'],
  'PUT /invoices': ['update_invoice', 'svc_id', 'invoice'],
  'PUT /credit_notes': ['update_credit_note', 'svc_id', 'credit_note'],
  'PUT /add_ons': ['update_add_on', 'code', 'add_on'],
  'POST /subscriptions': ['create_subscription_alert', 'external_id', 'alert'],
  'POST /billing_entities': ['create_billing_entity', '', 'billing_entity'],
};

/** In the order of the recording. Where the record before a write was not recorded, the write is left out. */
export function recordedWrites(): RecordedWrite[] {
  const { requests, answers } = recording<Recorded>('account-101');
  const seen = new Map<string, JsonRecord>();
  return requests.flatMap((edge, at): RecordedWrite[] => {
    const { status, json } = answers[at] as Recorded['answers'][number];
    const found =
      tools[`${edge.method} ${edge.path.split(/(?=[/?])/, 1)[0]}`] ?? tools[`PUT /${edge.path.split('/')[1]}`];
    if (found === undefined) return [];
    const [tool, id, key] = found;
    const record = `${key} ${JSON.stringify(Object.values(edge.let ?? {})[0] ?? edge.path.split(/[?]/)[0])}`;
    // Each of the customer's other subscriptions was written once, and was like the first of them before.
    const before = seen.get(record) ?? ownSubscription(seen, edge.path);
    const shown = status === 200 ? asRecord(json[key]) : {};
    const after = Object.keys(shown).length === 0 ? undefined : withIds(shown, key);
    if (after !== undefined && edge.method !== 'POST') seen.set(record, after);
    if (edge.reset_after) seen.delete(record);
    const creates = edge.method === 'POST';
    const wrapped = edge.body?.[key];
    if (after === undefined || edge.method === 'GET' || !isRecord(wrapped) || (before === undefined && !creates))
      return [];
    const sent = asRecord(resolved(wrapped, edge, before ?? {}));
    const value = id === '' ? {} : { [id]: id === 'svc_id' ? after.svc_id : edge.path.split(/[/?]/)[2] };
    const { code, ...rest } = sent;
    const args = tool === 'update_add_on' && code !== undefined ? { ...rest, new_code: code } : sent;
    const path = `/${[edge.path.split(/[/?]/)[1], ...Object.values(value)].join('/')}`;
    return [
      {
        name: `${edge.kind}: ${edge.name}`,
        tool,
        args: { ...value, ...args },
        sent,
        key,
        path,
        before: before ?? null,
        after,
      },
    ];
  });
}

function ownSubscription(seen: ReadonlyMap<string, JsonRecord>, path: string): JsonRecord | undefined {
  const [, id] = /^\/subscriptions\/(own\d+)$/.exec(path) ?? [];
  const first = seen.get('subscription "/subscriptions/own0"');
  return id === undefined || first === undefined ? undefined : { ...first, external_id: id };
}

/** `{c}` stands for an ID that was read before the request. */
function resolved(value: unknown, edge: Edge, before: JsonRecord): unknown {
  if (Array.isArray(value)) return value.map(entry => resolved(entry, edge, before));
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolved(each, edge, before)]));
  const [, name] = /^\{(\w)\}$/.exec(String(value)) ?? [];
  if (name === undefined) return value;
  const { where = {}, take = '' } = edge.let?.[name] ?? {};
  if (take === 'svc_billable_metric_id') return idOf('metric', where.code);
  if (typeof where.code === 'string' && where.code.startsWith('f_')) return idOf('fixed charge', where.code);
  if (typeof where.code === 'string' && where.code.startsWith('c_')) return idOf('charge', where.code);
  return take.split('.').reduce<unknown>((inner, key) => (inner as JsonRecord)?.[key], before);
}

/** The recording has no IDs: each record gets one that is the same wherever it is shown. */
function withIds(record: JsonRecord, key: string): JsonRecord {
  const named = (value: JsonRecord, kind: string, inCopy: boolean): JsonRecord => {
    const { code, key: pairKey, values } = value;
    const label = kind === key ? '' : (code ?? pairKey ?? JSON.stringify(values ?? null));
    const isCopy = kind === 'plan' ? typeof value.parent_id === 'string' : inCopy;
    const fields = Object.entries(value).map(([field, each]) => {
      if (each === '<id>')
        return [field, idOf(field === 'svc_id' ? `${isCopy ? 'copied ' : ''}${kind}` : (kinds[field] ?? kind), label)];
      if (Array.isArray(each))
        return [field, each.map(entry => (isRecord(entry) ? named(entry, singular(field), isCopy) : entry))];
      return [field, isRecord(each) ? named(each, singular(field), isCopy) : each];
    });
    return Object.fromEntries(fields);
  };
  return asRecord(named(JSON.parse(JSON.stringify(record).replaceAll('<moment>', '2027-01-15T10:00:00Z')), key, false));
}

const kinds: Record<string, string> = { svc_billable_metric_id: 'metric', svc_parent_id: 'charge', parent_id: 'plan' };
const singular = (field: string) => field.replaceAll('_', ' ').replace(/s$/, '');

function idOf(kind: string, label: unknown): string {
  const digits = createHash('sha1').update(`${kind} ${label}`).digest('hex');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
