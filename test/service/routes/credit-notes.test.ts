import { describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { JsonObject } from '../../../src/engine/records/index.ts';
import { expectMissing, expectOk, expectRefused, sharedService } from './service.ts';

const service = sharedService();

describe('a credit note', () => {
  const put = (credit_note: unknown) => service.put(`/credit_notes/${demoIds.credit_note_svc_id}`, { credit_note });

  it('can move between all refund statuses, null included', async () => {
    for (const refund_status of ['failed', 'succeeded', null, 'pending']) {
      expect((expectOk(await put({ refund_status })).credit_note as JsonObject).refund_status).toBe(refund_status);
    }
    expectRefused(await put({ refund_status: 'done' }), { refund_status: ['value_is_invalid'] });
  });

  it('merges its metadata', async () => {
    const metadata = async (value: unknown) =>
      (expectOk(await put({ metadata: value })).credit_note as JsonObject).metadata;
    const start = (await metadata({})) as JsonObject;
    expect(await metadata({ a: '1' })).toEqual({ ...start, a: '1' });
    expect(await metadata({ b: null })).toEqual({ ...start, a: '1', b: null });
    expect(await metadata(null)).toEqual({ ...start, a: '1', b: null });
  });

  it('is not found while it is a draft', async () => {
    await service.account.update('credit_notes', demoIds.credit_note_svc_id, { status: 'draft' });
    expectMissing(await put({ refund_status: 'x' }), 'credit_note');
    await service.account.update('credit_notes', demoIds.credit_note_svc_id, { status: 'finalized' });
  });
});
