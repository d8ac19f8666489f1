/** Answers about another record than the one that was asked for, or that the write makes. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { isAboutNoRecord } from '../../../src/definition/define.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { toolByName } from '../../../tools/all-tools.ts';
import { connectClient, startRuntime } from '../../support/clients.ts';
import { asAskedFor, lookupBody } from '../../tools/lookup-bodies.ts';
import { type CountingUpstream, startCountingUpstream } from '../change/counting-upstream.ts';
import { samples } from '../change/samples.ts';

const id = '5f4a1d4c-6a1b-4f0e-9a51-6d0f5a6f0001';
const another = '5f4a1d4c-6a1b-4f0e-9a51-6d0f5a6f0002';
const unseen = 'This server could not read the record. Check the ID yourself.';
/** What the service shows of the right record; ids that others have are put in below. */
const right = {
  ...{ svc_id: id, code: 'c', external_id: 'e', external_subscription_id: 's', external_customer_id: 'acme' },
  ...{ wallet_code: 'w', transaction_id: 't', status: 'active', name: 'Theirs', metadata: { po: 'secret' } },
};

let upstream: CountingUpstream;
beforeAll(async () => {
  upstream = await startCountingUpstream();
});
afterAll(() => upstream.close());
beforeEach(() => {
  upstream.refuseWith(undefined);
  upstream.taken();
});

async function start(settings: Record<string, string> = { BILLING_CONFIRM: 'never' }) {
  const runtime = startRuntime(upstream.url, settings);
  const client = await connectClient(runtime, '2026-07-28', true);
  onTestFinished(async () => {
    await client.close();
    await runtime.close();
  });
  return client;
}

/** From now on the answers that `where` names are about a record with these ids in place of those that were asked for. */
function mixUp(where: 'reads' | 'writes', ids: JsonRecord) {
  upstream.answerWith(({ method, path, body }) => {
    const read = method === 'GET';
    if (/\/(plans|alerts)(\?|$)/.test(path) && read) return undefined;
    const wrong = read === (where === 'reads') ? ids : {};
    if (!read) return { ...asAskedFor(path, right, body), ...wrong };
    const answer = lookupBody(path, right) as JsonRecord | undefined;
    return answer && Object.fromEntries(Object.entries(answer).map(([key, found]) => [key, mixed(found, wrong)]));
  });
}

const mixed = (found: unknown, ids: JsonRecord) => (Array.isArray(found) ? found : { ...(found as object), ...ids });

const writes: [tool: string, ids: JsonRecord, says: string][] = [
  ['update_subscription', { external_id: 'sub-2' }, 'external id is sub-2'],
  ['update_subscription', { svc_id: another }, `${another} instead of ${id}`],
  ['create_subscription_alert', { code: 'spent' }, 'code is spent instead of spend'],
  ['create_subscription_alert', { external_subscription_id: 'sub-2' }, 'is sub-2 instead of sub-1'],
  ['update_wallet', { svc_id: another }, `${another} instead of ${id}`],
  ['update_invoice', { svc_id: another }, `instead of ${id}`],
  ['update_credit_note', { svc_id: another }, `instead of ${id}`],
  ['update_add_on', { code: 'other' }, 'code is other instead of setup'],
  ['update_add_on', { svc_id: another }, `instead of ${id}`],
  ['delete_add_on', { code: 'other' }, 'code is other instead of setup'],
  ['create_billing_entity', { code: 'de' }, 'code is de instead of fr'],
];

describe('the answer to a write that is about another record', () => {
  it.each(writes)('%s, %j: nobody knows what changed, and what came back is told', async (tool, ids, says) => {
    mixUp('writes', ids);
    const client = await start();
    const { content, isError } = await client.call(tool, samples[tool]!);
    expect(isError).toBe(true);
    expect(content).toMatchObject({ error: { code: 'invalid_answer', changed: 'unknown' } });
    expect(content.summary).toContain('another record: ');
    expect(content.summary).toContain(says);
    expect(JSON.stringify(content)).not.toContain('Theirs');
    expect(content).not.toHaveProperty('receipt');
    expect(upstream.written()).toBe(1);
  });

  const { external_id, ...alert } = samples.create_subscription_alert!;
  const alerts = [alert, { ...alert, code: 'calls', alert_type: 'lifetime_usage_amount' }];
  it.each([
    [{ alerts: [{ code: 'spend' }, { code: 'spent' }] }, 'code is spent instead of calls'],
    [{ alerts: [{ external_subscription_id: 'sub-2' }] }, 'is sub-2 instead of sub-1'],
    [{ alert: { code: 'spend' } }, 'a body without alerts'],
  ])('is also one of several alerts: %j', async (body, says) => {
    const client = await start();
    upstream.answerWith(({ method }) => (method === 'POST' ? body : undefined));
    const { content } = await client.call('create_subscription_alert', { external_id, alerts });
    expect(content).toMatchObject({ error: { code: 'invalid_answer', changed: 'unknown' } });
    expect(content.summary).toContain(says);
  });

  it('is not one that shows the new code, nor one that still shows the earlier', async () => {
    for (const code of ['new', 'setup']) {
      upstream.answerWith(() => ({ add_on: { code: 'setup', name: 'Setup' } }));
      const client = await start();
      upstream.answerWith(({ method }) => ({ add_on: { code: method === 'GET' ? 'setup' : code, name: 'Setup' } }));
      const { content } = await client.call('update_add_on', { code: 'setup', new_code: 'new' });
      expect(content.receipt).toMatchObject(code === 'new' ? { applied: ['code'] } : { not_applied: ['code'] });
    }
  });

  it('is not one whose id is written in capitals, nor one that shows no id', async () => {
    for (const ids of [{ svc_id: id.toUpperCase() }, { svc_id: undefined }]) {
      mixUp('writes', ids);
      const client = await start();
      expect((await client.call('update_invoice', samples.update_invoice!)).content).toHaveProperty('receipt');
    }
  });
});

describe('a look that gets another record', () => {
  const looks = writes.filter(([tool, ids]) => {
    return (
      !isAboutNoRecord(toolByName.get(tool)!) &&
      !(tool === 'create_subscription_alert') &&
      !('svc_id' in ids && /sub|add_on/.test(tool))
    );
  });
  it.each([
    ...looks,
    ['create_subscription_alert', { external_id: 'sub-2' }],
    ['create_subscription_alert', { status: 'terminated' }],
  ] as [string, JsonRecord][])('%s, %j: has seen nothing', async (tool, ids) => {
    mixUp('reads', ids);
    const client = await start({});
    const planned = (await client.call(tool, { ...samples[tool], dry_run: true })).content.dry_run as JsonRecord;
    expect(planned.warnings).toContain(unseen);
    expect(planned.question).not.toContain('Theirs');
  });

  it('merges nothing, and finds nothing idle', async () => {
    mixUp('reads', { svc_id: another });
    const client = await start();
    const merging = { svc_id: id, metadata: { a: '1' }, merge: true };
    expect((await client.call('update_wallet', merging)).content).toMatchObject({ error: { changed: false } });
    expect(upstream.written()).toBe(0);
    const { content } = await client.call('update_wallet', { svc_id: id, name: 'Theirs', applies_to: {} });
    expect(content).toHaveProperty('receipt');
    expect(upstream.written()).toBe(1);
  });
});

describe('a read that gets another record', () => {
  it.each<[string, JsonRecord]>([
    ['get_customer', { external_id: 'globex' }],
    ['get_event', { transaction_id: 'tx-2' }],
    ['get_wallet_alert', { wallet_code: 'other' }],
    ['get_payment', { svc_id: another }],
    ['get_invoice', { svc_id: another }],
    ['get_subscription', { external_id: 'sub-2' }],
  ])('%s, %j: shows nothing of it', async (tool, ids) => {
    upstream.answerWith(({ path }) => {
      const found = lookupBody(path, right) as JsonRecord | undefined;
      const [[key, record]] = Object.entries(found ?? { alert: asAskedFor(path, right) }) as [[string, unknown]];
      return { [key]: mixed(record, ids) };
    });
    const client = await start();
    const { content } = await client.call(tool, samples[tool]!);
    expect(content).toMatchObject({ error: { code: 'invalid_answer', changed: false } });
    expect(JSON.stringify(content)).not.toContain('Theirs');
  });
});
