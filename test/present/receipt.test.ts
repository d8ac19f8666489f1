/** What of a write its answer repeats. */
import { describe, expect, it } from 'vitest';
import { shortReceipt } from '../../src/present/receipt.ts';

describe('a receipt in an answer', () => {
  const receipt = {
    ...{ requested: { rules: [], name: 'B' }, applied: ['rules', 'name'], not_applied: [], not_shown: [] },
    ...{ warnings: ['All end.'], resource: { type: 'wallet', id: 'w' }, confirmed_by: 'person', request_id: 'r' },
  } as unknown as Parameters<typeof shortReceipt>[0];

  it('leaves out what is empty in entries of a replaced list, and keeps what was null or false', () => {
    const rule = { svc_id: 'x', interval: null, sections: [], pay: { id: null }, ignore: false, credits: '0.0' };
    const { before } = shortReceipt({ ...receipt, before: { name: null, rules: [rule], limits: { end: null } } });
    expect(before).toEqual({
      ...{ name: null, rules: [{ svc_id: 'x', ignore: false, credits: '0.0' }], limits: { end: null } },
    });
  });
});
