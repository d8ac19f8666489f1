/** What the directories of connectors ask of every answer: a bounded size. */
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolDefinitions } from '../../tools/all-tools.ts';
import { runs } from '../support/extent.ts';
import { range, type Size, textOf, uuid } from './large-records.ts';
import { type LookupWorld, lookupWorld } from './lookup-upstream.ts';

/** Of a whole answer; larger ones are cut or refused by hosts. */
const mostTokens = 25_000;

const customer = { external_customer_id: 'acme' };
const id = { svc_id: uuid(0) };
/** The largest answer that each tool has by default, and with `full` where it is offered. */
const calls: Record<string, object[]> = {
  get_customer: [customer],
  get_customer_portal_url: [customer],
  list_plans: [{ per_page: 100 }, { per_page: 1 }],
  preview_invoice: [{ customer: { external_id: 'acme' }, plan_code: 'pro' }],
  compare_plans: [{ plan_codes: range(10).map(n => `code_${n}`), customer: { external_id: 'acme' } }],
  estimate_fees: [{ external_subscription_id: 'main', code: 'metric_0' }],
  get_event: [{ transaction_id: 't-0' }],
  update_subscription: [{ external_id: 'main', name: 'New' }],
  list_subscription_alerts: [{ external_id: 'main' }],
  create_subscription_alert: [
    { external_id: 'main', code: 'new', alert_type: 'lifetime_usage_amount', thresholds: [{ value: 1 }] },
  ],
  get_wallet_alert: [{ ...customer, wallet_code: 'code_0', code: 'code_0' }],
  update_wallet: [{ ...id, name: 'New' }],
  get_wallet_transaction: [id],
  update_invoice: [{ ...id, payment_status: 'succeeded' }],
  update_credit_note: [{ ...id, metadata: { a: 'b' } }],
  get_payment: [id],
  update_add_on: [{ code: 'code_0', name: 'New' }],
  delete_add_on: [{ code: 'code_0' }],
  // A code that no other entity has.
  create_billing_entity: [{ code: 'new', name: 'New' }],
  change_several: [
    {
      changes: [
        { tool: 'update_wallet', arguments: { ...id, name: 'New' } },
        { tool: 'update_invoice', arguments: { ...id, payment_status: 'succeeded' } },
        { tool: 'update_credit_note', arguments: { ...id, metadata: { a: 'b' } } },
        { tool: 'update_add_on', arguments: { code: 'code_0', name: 'New' } },
      ],
    },
  ],
  get_webhook_endpoint: [id],
  find_customers: [{ per_page: 100 }, { search_term: 'Record', all: true }],
  get_customer_overview: [customer],
  list_subscriptions: [{ per_page: 100 }, { all: true }, { ending_before: '2100-01-01', per_page: 100 }],
  get_subscription: [{ external_id: 'main' }],
  list_invoices: [{ per_page: 100 }, { all: true }],
  get_invoice: [id],
  check_invoice: [id],
  list_credit_notes: [{ per_page: 100 }, { all: true }],
  list_payments: [{ per_page: 100 }],
  get_statement: [customer],
  get_revenue: 'overdue receivables gross_revenue mrr invoiced_usage invoice_collection changes open_items'
    .split(' ')
    .map(report => ({ report })),
  list_wallets: [{ per_page: 100 }, { runway: true }, { status: 'terminated', per_page: 100 }],
  list_wallet_transactions: [{ ...id, per_page: 100 }],
  get_usage: [{ ...customer, external_subscription_id: 'main' }],
  list_events: [{ per_page: 50 }],
  list_activity: [{ per_page: 100 }],
  list_catalogue: 'add_ons coupons billable_metrics taxes billing_entities applied_coupons fees'
    .split(' ')
    .map(kind => ({ kind, per_page: 100 })),
};

describe('an answer', () => {
  let world: LookupWorld;
  const largest = new Map<string, number>();
  beforeAll(async () => {
    world = await lookupWorld({ BILLING_CONFIRM: 'never', BILLING_MAX_WRITES_PER_MINUTE: '100000' });
  });
  afterAll(async () => {
    await world.close();
    process.stderr.write(`${[...largest].map(([what, tokens]) => `${what.padEnd(60)}${tokens}`).join('\n')}\n`);
  });

  it('is tried of every tool', () => {
    expect(Object.keys(calls).sort()).toEqual(toolDefinitions.map(({ name }) => name).sort());
  });

  const size = fc.record({
    rows: fc.integer({ min: 1, max: 100 }),
    lines: fc.integer({ min: 0, max: 500 }),
    text: fc.integer({ min: 0, max: 250 }),
  });
  const extremes: [Size][] = [
    [{ rows: 100, lines: 10, text: 250 }],
    [{ rows: 100, lines: 0, text: 250 }],
    [{ rows: 2, lines: 500, text: 60 }],
  ];
  const tried = Object.entries(calls).flatMap(([tool, all]) => {
    const { more } = toolDefinitions.find(({ name }) => name === tool)!;
    return all.flatMap(args => [
      [tool, args] as const,
      ...(more ? [[tool, { ...args, detail: 'full' }] as const] : []),
    ]);
  });

  it.each(tried)(
    `of %s with %o stays below ${mostTokens} tokens, however large the records are`,
    async (tool, args) => {
      const said = `${tool} ${JSON.stringify(args).slice(0, 40)}`;
      const check = async (drawn: Size) => {
        // More than 10 MB are refused: a hundred records have few lines each.
        const fitting = { ...drawn, lines: Math.min(drawn.lines, Math.floor(1_000 / drawn.rows)) };
        world.script((url, request) => textOf(url, request.method, fitting));
        const answer = await world.call(tool, args);
        expect(answer.error, `${tool} ${JSON.stringify(answer.error)}`).toBeUndefined();
        const tokens = countTokens(JSON.stringify(answer));
        largest.set(said, Math.max(largest.get(said) ?? 0, tokens));
        expect(tokens, JSON.stringify(fitting)).toBeLessThan(mostTokens);
      };
      await fc.assert(fc.asyncProperty(size, check), { ...runs(2), examples: extremes, endOnFailure: true });
    },
  );
});
