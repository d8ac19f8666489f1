import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import { type RunningService, startService } from '../../../src/service/start.ts';

const options = { account: 'demo', now: '2026-03-15T12:00:00.000Z' } as const;

async function change(service: RunningService, path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' };
  const answer = await fetch(`${service.baseUrl}${path}`, { method: 'PUT', headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
}

describe('a snapshot of an account', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService(options);
  });
  afterAll(() => service.close());

  it('is the same for two accounts that were loaded from one file at one instant', async () => {
    const other = await startService(options);
    try {
      expect(await service.snapshot()).toEqual(await other.snapshot());
    } finally {
      await other.close();
    }
  });

  it('has the records of every kind under their ids, and what a write changes', async () => {
    const before = await service.snapshot();
    expect(Object.entries(before).filter(([, records]) => Object.keys(records).length === 0)).toEqual([]);
    const [id, addOn] = Object.entries(before.add_ons ?? {}).find(([, { code }]) => code === demoIds.add_on_code) ?? [];
    expect(addOn).toMatchObject({ id, amount_currency: 'USD', deleted_at: null });
    await change(service, `/add_ons/${demoIds.add_on_code}`, { add_on: { amount_cents: 4321 } });
    const expected = structuredClone(before) as Record<string, Record<string, Record<string, unknown>>>;
    Object.assign(expected.add_ons?.[String(id)] ?? {}, { amount_cents: 4321, updated_at: options.now });
    expect(await service.snapshot()).toEqual(expected);
  });

  it('holds no key and no secret', async () => {
    const text = JSON.stringify(await service.snapshot());
    expect(text).not.toContain(service.apiKey);
    expect(text).not.toContain('hmac_key');
    expect(text).not.toContain('key_hash');
  });
});
