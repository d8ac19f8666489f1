/** `check_invoice` on invoices of the real service, as they are and with one mistake each. */
import { describe, expect, it } from 'vitest';
import { accounts, billed, check, invoicesOf, planted } from './check-invoice.ts';

describe('invoices that the real service issued', () => {
  it('are judged on all three levels in nine of ten lines, and none is called wrong', async () => {
    const verdicts: Record<string, number> = {};
    const open: Record<string, number> = {};
    const wrong: string[] = [];
    for (const name of accounts) {
      const account = billed(name);
      for (const { svc_id, number } of invoicesOf(account)) {
        const { rows, judged } = await check(account, svc_id);
        if (judged.total.verdict === 'differs') wrong.push(number);
        for (const { line, verdict, fee, reasons } of rows) {
          if (verdict === 'differs') wrong.push(`${number} ${fee}`);
          if (line !== null) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
          if (verdict === 'cannot_judge') for (const { code } of reasons) open[code] = (open[code] ?? 0) + 1;
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(open).toEqual({ one_off_terms: 14, carried_level: 4, depends: 1 });
    expect(verdicts).toEqual({ agrees: 244, cannot_judge: 19 });
  });
});

describe('sixty mistakes, one in an invoice', () => {
  it('are named with the line and the right amount in 57 at least, and no total is called right', async () => {
    const missed: string[] = [];
    const calledRight: string[] = [];
    const all = planted(60);
    for (const { what, account, svc_id, fee, right } of all) {
      const { rows, judged, events } = await check(account, svc_id);
      if (judged.total.verdict === 'agrees') calledRight.push(what);
      const isNamed =
        right === null
          ? events.some(({ why, code }) => why === 'repeated' && code === fee)
          : rows.some(row => {
              const isLine = fee === '' ? row.billed_amount_cents === 0 : row.svc_id === fee || row.fee === fee;
              return row.verdict === 'differs' && isLine && row.expected_amount_cents === right;
            });
      if (!isNamed) missed.push(what);
    }
    expect(all).toHaveLength(60);
    expect(calledRight).toEqual([]);
    expect(missed.length, missed.join('; ')).toBeLessThanOrEqual(3);
  });
});
