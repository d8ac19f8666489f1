import { it } from 'vitest';
import { withPostgres } from '../support/postgres.ts';
import { world } from './service-world.ts';
import { invoiceRecord, storedFee, planRecord, subscriptionRecord } from './world.ts';
const postgres = await withPostgres();
it.each([['sqlite'], ['pg']])('%s', async name => {
  const w = await world({ plans: [planRecord({ interval: 'quarterly' })], subscriptions: [subscriptionRecord()] }, '2026-03-10T12:00:00.000Z', name === 'pg' ? await postgres?.freshDatabase() : undefined);
  const N = 50_000;
  const usage = (code: string) => storedFee(250, { item: { ...storedFee(0).item, type: 'charge', code }, created_at: '2026-01-01T00:00:00.000Z' });
  for (let at = 0; at < N; at += 2000) {
    await w.account.insertMany('invoices', Array.from({ length: 2000 }, (_, i) => {
      const n = at + i;
      const d = new Date(Date.parse('2024-01-01') + (n % 790) * 86400000).toISOString().slice(0, 10);
      return invoiceRecord([storedFee(9900 + (n % 3), { from_date: d + 'T00:00:00.000Z', to_date: d + 'T23:59:59.999Z' }), usage('a'), usage('b'), usage('c')].map((f, k) => ({ ...f, id: `f${n}-${k}`, created_at: d + 'T00:00:00.000Z' })), { id: `i${n}`, number: `n${n}`, issuing_date: d, payment_due_date: d, payment_status: n % 10 ? 'succeeded' : 'pending', customer_id: 'c' + (n % 100) });
    }));
  }
  for (const p of ['gross_revenue', 'overdue_balance', 'invoice_collection', 'mrr', 'mrr?months=3', 'invoiced_usage']) {
    const t = performance.now();
    const r = await w.get('/analytics/' + p);
    console.log(name, p, Math.round(performance.now() - t), 'ms', r.status, JSON.stringify(r.body).length);
  }
  await w.close();
}, 600_000);
