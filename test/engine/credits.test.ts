import { describe, expect, it } from 'vitest';
import { applyCreditNotes, applyPrepaidCredits, usableCreditNotes, usableWallets } from '../../src/engine/credits.ts';
import type { BillableFee } from '../../src/engine/fees.ts';
import type { WalletRecord } from '../../src/engine/records/index.ts';
import { taxFee } from '../../src/engine/taxes.ts';
import { fee } from './fee-cases.ts';
import { creditNoteRecord, taxRecord, walletRecord } from './world.ts';

describe('credit notes (§11.3)', () => {
  it('are finalized, available, of the invoice’s currency, with a balance; oldest first', () => {
    const notes = [
      creditNoteRecord('new', 10, { created_at: '2026-02-01T00:00:00.000Z' }),
      creditNoteRecord('old', 10),
      creditNoteRecord('draft', 10, { status: 'draft' }),
      creditNoteRecord('consumed', 10, { credit_status: 'consumed' }),
      creditNoteRecord('usd', 10, { currency: 'USD' }),
      creditNoteRecord('empty', 0),
      creditNoteRecord('cent', 1, { created_at: '2026-03-01T00:00:00.000Z' }),
    ];
    expect(usableCreditNotes(notes, 'EUR').map(note => note.id)).toEqual(['old', 'new', 'cent']);
  });

  it('each pay min(balance, remaining total): 70 and 30 of 100', () => {
    const notes = [70, 50].map((cents, i) => ({
      id: `n${i}`,
      number: `N${i}`,
      balance_amount_cents: cents,
      invoice: null,
    }));
    const { credits, amount_cents } = applyCreditNotes(notes, 100, 'EUR');
    expect(credits.map(credit => [credit.amount_cents, credit.before_taxes, credit.item.type])).toEqual([
      [70, false, 'credit_note'],
      [30, false, 'credit_note'],
    ]);
    expect(amount_cents).toBe(100);
  });
});

describe('prepaid credits (§11.4)', () => {
  const NOW = '2026-03-10T00:00:00.000Z';
  const pay = (wallets: Parameters<typeof walletRecord>[1][], fees: BillableFee[], total: number) => {
    const records = usableWallets(
      wallets.map((fields, i) => walletRecord(`w${i}`, fields)),
      'EUR',
      NOW,
    );
    const result = applyPrepaidCredits(records, fees, { invoice: total, due: total });
    return [...result.by_wallet];
  };
  const taxed = (one: BillableFee) => ({ ...one, record: taxFee(one) });
  const usage = fee({ cents: 500, type: 'charge', metric: 'units', taxes: [taxRecord('vat', '20')] });
  const fees = [taxed(usage), fee({ cents: 900 })];

  it('come from active wallets with a balance in the currency, by priority, then oldest', () => {
    const wallets = [
      walletRecord('late', { priority: 2 }),
      walletRecord('second', { priority: 1, created_at: '2026-01-01T00:00:00.000Z' }),
      walletRecord('first', { priority: 1 }),
      walletRecord('ended', { status: 'terminated' }),
      walletRecord('expired', { expiration_at: '2026-03-01T00:00:00.000Z' }),
      walletRecord('empty', { balance_cents: 0 }),
      walletRecord('cent', { balance_cents: 1, priority: 3 }),
      walletRecord('usd', { currency: 'USD' }),
    ];
    expect(usableWallets(wallets, 'EUR', NOW).map(wallet => wallet.id)).toEqual(['first', 'second', 'late', 'cent']);
  });

  it('pay anything without limits, never more than the total', () => {
    expect(pay([{ balance_cents: 5000 }], fees, 1500)).toEqual([['w0', 1500]]);
    expect(pay([{ balance_cents: 100 }, { balance_cents: 5000 }], fees, 1500)).toEqual([
      ['w0', 100],
      ['w1', 1400],
    ]);
  });

  it('take the largest group of fees first: the first wallet pays the plan, so the limited one still finds its 600', () => {
    const wallets: Partial<WalletRecord>[] = [
      { balance_cents: 900, priority: 1 },
      { balance_cents: 5000, fee_types: ['charge'] },
    ];
    expect(pay(wallets, fees, 1500)).toEqual([
      ['w0', 900],
      ['w1', 600],
    ]);
  });

  it('give the largest group what is missing, a cent a group at most: 11.22 + 1.38 = 12.6 → 13; nothing of 3.38', () => {
    const vat = [taxRecord('vat', '2')];
    const types = [
      ['subscription', 11],
      ['charge', 10],
      ['commitment', 10],
    ] as const;
    const three = types.map(([type, cents]) => taxed(fee({ cents, type, taxes: vat })));
    // 11.22 + 10.2 + 10.2 = 31.62, and the invoice has 32: 11.6. With 33 it lacks 1.38: 12.6.
    const ofPlan = (total: number) => pay([{ balance_cents: 500, fee_types: ['subscription'] }], three, total);
    expect(ofPlan(32)).toEqual([['w0', 12]]);
    expect(ofPlan(33)).toEqual([['w0', 13]]);
    expect(ofPlan(35)).toEqual([['w0', 11]]);
  });

  it('do not pay a fee twice: a second wallet for the same metric finds nothing left', () => {
    const limited = { balance_cents: 5000, billable_metric_codes: ['units'] };
    expect(pay([limited, limited], fees, 1500)).toEqual([['w0', 600]]);
  });
});
