/** Receipts of writes in front of recorded answers of the real service (service-behaviour §3). */

import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkArguments } from '../../../src/definition/check.ts';
import { anyRecords, anyRecord as asRecord, isRecord, type JsonRecord } from '../../../src/lib/json.ts';
import { toolByName } from '../../../tools/all-tools.ts';
import { requestOf } from '../../support/api.ts';
import { type LookupWorld, lookupWorld, meta } from '../../tools/lookup-upstream.ts';
import { type RecordedWrite, recordedWrites } from './recorded-writes.ts';

const writes = recordedWrites();
let world: LookupWorld;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-01-15T10:00:00Z') });
  world = await lookupWorld({ BILLING_CONFIRM: 'never', BILLING_MAX_WRITES_PER_MINUTE: '100000' });
});
afterAll(async () => {
  vi.useRealTimers();
  await world.close();
});

const listOf = (key: string, ...codes: string[]) => ({
  [key]: codes.map(code => ({ code })),
  meta: meta(codes.length),
});
const catalogues: Record<string, object> = {
  '/billable_metrics': listOf('billable_metrics', 'api', 'calls', 'seats'),
  '/taxes': listOf('taxes', 'vat', 'low'),
  '/billing_entities': listOf('billing_entities', 'entity0', 'branch'),
  '/plans': listOf('plans'),
};

/** The call's answer, and the fields that it sent. Reads are answered with the record before it, the write as recorded. */
async function made({ tool, args, key, path, before, after }: RecordedWrite) {
  let sent: JsonRecord = {};
  world.script(async (url, request) => {
    const asked = decodeURIComponent(url.pathname.replace('/api/v1', ''));
    if (request.method !== 'GET') {
      sent = asRecord(asRecord(JSON.parse(await text(request)))[key]);
      return { [key]: after };
    }
    if (asked === path && before !== null) return { [key]: before };
    if (asked === path && key === 'alert') return { subscription: { external_id: args.external_id, status: 'active' } };
    if (asked === '/subscriptions') return { subscriptions: [before], meta: meta(1) };
    return catalogues[asked];
  });
  const { content: _, ...answer } = (await world.call(tool, args)) as JsonRecord;
  return { answer, sent };
}

/** The fields of the receipt's revert, each with what it would set otherwise than it was before. */
function undone({ key, before, after }: RecordedWrite, receipt: JsonRecord): unknown[] {
  const revert = asRecord(receipt.revert);
  if (revert.arguments === undefined || before === null) return [];
  const tool = toolByName.get(String(revert.tool))!;
  const checked = checkArguments(tool, revert.arguments);
  if (!checked.ok) return checked.problems;
  const { body } = requestOf(tool, checked.args, after);
  const earlier = withCopiedIds(before, after);
  return Object.entries(asRecord(asRecord(body)[key])).map(([field, value]) =>
    isPlans(field, value, earlier) || !verdicts(value, valueIn(earlier, field)).has('differs')
      ? 'as before'
      : { [field]: value },
  );
}

/** Without thresholds of its own, a subscription has those of its plan. */
function isPlans(
  field: string,
  value: unknown,
  { applicable_usage_thresholds: applicable, plan }: JsonRecord,
): boolean {
  const ofPlan = asRecord(plan).applicable_usage_thresholds;
  return field === 'usage_thresholds' && isNothing(value) && JSON.stringify(applicable) === JSON.stringify(ofPlan);
}

/** The charges of a plan, also by the IDs of their copies. */
function withCopiedIds(before: JsonRecord, after: JsonRecord): JsonRecord {
  const [plan, copy] = [before, after].map(record => asRecord(record.plan));
  if (plan?.charges === undefined) return before;
  const charges = anyRecords(plan.charges).map(charge => ({
    ...charge,
    copied_id: anyRecords(copy?.charges).find(each => each.svc_parent_id === charge.svc_id)?.svc_id,
  }));
  return { ...before, plan: { ...plan, charges } };
}

type Verdict = 'shown' | 'differs' | 'absent';

/** What the record shows of a value, in all its parts. Decimals, moments, codes and orders of lists may be written otherwise. */
function verdicts(sent: unknown, shown: unknown): Set<Verdict> {
  if (shown === undefined) return new Set(['absent']);
  if (isNothing(sent)) return new Set([isNothing(shown) ? 'shown' : 'differs']);
  if (Array.isArray(sent))
    return new Set(Array.isArray(shown) ? sent.flatMap(entry => best(entry, shown)) : ['differs']);
  if (!isRecord(sent)) return new Set([isSame(sent, shown) ? 'shown' : 'differs']);
  if (!isRecord(shown)) return new Set(['differs']);
  const parts = Object.entries(sent).filter(([key]) => !/^(id|svc_id)$/.test(key));
  return new Set(parts.flatMap(([key, value]) => [...verdicts(value, valueIn(shown, key))]));
}

/** An entry of a list is the one that shows most of it. */
function best(entry: unknown, shown: readonly unknown[]): Verdict[] {
  const [id] = isRecord(entry) ? [entry.id ?? entry.svc_id] : [];
  const found = shown.filter(each => id === undefined || Object.values(asRecord(each)).includes(id));
  const all = found.map(each => [...verdicts(entry, each)]);
  return (
    all.find(each => each.every(verdict => verdict === 'shown')) ??
    all.find(each => !each.includes('differs')) ?? ['differs']
  );
}

function isNothing(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

function isSame(sent: unknown, shown: unknown): boolean {
  if (typeof sent === 'string' && /^\d{4}-\d\d-\d\dT/.test(sent)) return second(sent) === second(String(shown));
  const [left, right] = [sent, shown].map(value => (/^-?\d+(\.\d+)?$/.test(String(value)) ? Number(value) : value));
  return left === right || String(left).toUpperCase() === right || String(left).startsWith('data:');
}

function valueIn(shown: JsonRecord, key: string): unknown {
  if (key === 'tax_codes') return (shown.taxes as JsonRecord[] | undefined)?.map(({ code }) => code);
  if (key === 'billable_metric_id') return shown.svc_billable_metric_id;
  if (key === 'billable_metric_code') return asRecord(shown.billable_metric).code;
  if (key === 'plan_overrides') return shown.plan;
  if (key === 'usage_thresholds' && 'external_id' in shown) return shown.applicable_usage_thresholds;
  if (key === 'minimum_commitment' && 'charges' in shown) return shown.minimum_commitment ?? null;
  if (key === 'metadata' && 'charges' in shown) return shown.metadata ?? null;
  if (key === 'planet') return shown.planet ?? null;
  if (key === 'billing_configuration') return shown;
  if (key === 'logo') return shown.logo_url;
  return shown[key];
}

/** The service drops the digits after it (§1.6). */
const second = (moment: string) => Math.floor(Date.parse(moment) / 1000);
const fieldOf = (path: string) => /^\w+/.exec(path)?.[0] ?? path;
const fields = (paths: unknown) => [...new Set((paths as string[] | undefined)?.map(fieldOf))].sort();

describe.each([
  ['update_wallet', 34],
  ['update_subscription', 37],
  ['update_invoice', 6],
  ['update_credit_note', 6],
  ['update_add_on', 10],
  ['create_subscription_alert', 12],
  ['create_billing_entity', 32],
])('%s in front of recorded answers', (tool, least) => {
  it('names exactly the fields that the answer shows otherwise, and those that it does not show', async () => {
    const counts = { done: 0, idle: 0, refused: 0 };
    for (const write of writes.filter(each => each.tool === tool)) {
      const { answer, sent } = await made(write);
      const receipt = answer.receipt as JsonRecord | undefined;
      if (receipt === undefined) {
        counts[answer.changed === false ? 'idle' : 'refused']++;
        continue;
      }
      counts.done++;
      const { name, after } = write;
      const having = (verdict: Verdict) =>
        Object.keys(sent)
          .filter(field => verdicts(sent[field], valueIn(after, field)).has(verdict))
          .sort();
      const differ = having('differs').filter(field => !isPlans(field, sent[field], after));
      expect.soft([name, sent, fields(receipt.not_applied)]).toEqual([name, sent, differ]);
      expect.soft([name, sent, fields(receipt.not_shown)]).toEqual([name, sent, having('absent')]);
      const said = differ.length > 0 ? expect.soft(answer.summary) : expect.soft(answer.summary).not;
      said.toContain('Not applied: ');
      for (const back of undone(write, receipt)) expect.soft([name, back]).toEqual([name, 'as before']);
    }
    expect(counts.done).toBeGreaterThanOrEqual(least);
  });
});
