/** An amount beyond BILLING_MAX_AMOUNT is never sent, in any field of any write. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { type ModelPrices, pricesByModel } from '../../src/model/charge-prices.ts';
import { currencyDigits } from '../../src/model/currencies.ts';
import { demoIds } from '../../src/model/demo-ids.ts';
import type { Runtime } from '../../src/runtime.ts';
import { type FieldClass, fieldClasses } from '../../src/tool/field-classes.ts';
import { toolByName } from '../../tools/index.ts';
import { KEY, startTestService, type TestService } from '../service/routes/service.ts';
import { connectClient, startRuntime, type TestClient } from '../support/clients.ts';
import { samples } from './samples.ts';
import { countingSend, policyWith, writeCall } from './support.ts';

const limit = 100;
const maxAmount = `USD:${limit},JPY:${limit},KWD:${limit}`;
const currencies = ['USD', 'JPY', 'KWD'];

interface Field {
  tool: string;
  path: string;
  fieldClass: FieldClass;
}

const judged = ['money', 'credits', 'prices', 'currency'];
const fields: Field[] = Object.entries(fieldClasses).flatMap(([tool, classes]) =>
  Object.entries(classes)
    .filter(([, { kind }]) => judged.includes(kind))
    .map(([path, fieldClass]) => ({ tool, path, fieldClass })),
);

/** The price settings of a model with `amount` as one of its amounts. */
const pricesOf = ([name, { fields: own, ranges }]: [string, ModelPrices], amount: string) => {
  const moneyOf = (all: object) => Object.keys(all).filter(key => (all as JsonRecord)[key] === 'money');
  return [
    ...moneyOf(own).map(key => ({ name, properties: { [key]: amount } })),
    ...moneyOf(ranges?.fields ?? {}).map(key => ({
      name,
      properties: {
        [ranges!.key]: [
          { from_value: 0, to_value: 9, flat_amount: '0' },
          { from_value: 10, [key]: amount },
        ],
      },
    })),
  ];
};

/** `value` at `a.b[].c`, in the last of `entries` entries of each list. */
function placed(path: string, value: unknown, entries: number): unknown {
  if (path === '') return value;
  const [, key, lists, rest] = /^([^.[]+)((?:\[\])?)\.?(.*)$/.exec(path)!;
  const inner = placed(rest!, value, entries);
  const sibling = rest === 'amount_cents' ? { amount_cents: 1 } : {};
  return { [key!]: lists === '' ? inner : [...Array.from({ length: entries - 1 }, () => ({ ...sibling })), inner] };
}

const minor = (currency: string, major: number) => Math.round(major * 10 ** currencyDigits(currency));

const writes = fc.record({
  field: fc.constantFrom(...fields),
  currency: fc.constantFrom(...currencies),
  excess: fc.oneof(fc.constant(0), fc.constant(0.01), fc.integer({ min: 1, max: 1_000_000_000 })),
  entries: fc.integer({ min: 1, max: 3 }),
  rate: fc.constantFrom('0.01', '1', '12.5'),
  pick: fc.nat(),
  later: fc.boolean(),
});

describe('a number beyond the limit', () => {
  it('is refused in every field of every write that is money, credits or a price, and in no other field; nothing is sent', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(writes, async ({ field, currency, excess, entries, rate, pick, later }) => {
        const { tool, path, fieldClass } = field;
        // The smallest step of every currency: one yen where there are no cents.
        const major = limit + (currencyDigits(currency) === 0 ? Math.ceil(excess) : excess);
        const prices = [...pricesByModel].flatMap(model => pricesOf(model, String(major)));
        const price = prices[pick % prices.length]!;
        const value = {
          money: minor(currency, major),
          credits: (major / Number(rate)).toFixed(6),
          prices: price.properties,
          currency,
          threshold: 0,
          count: 0,
          other: 0,
        }[fieldClass.kind];
        const single = path.startsWith('recurring_transaction_rules') ? 1 : entries;
        const { name: _, ...selectors } = samples[tool]!;
        const args = { ...selectors, ...(placed(path, value, single) as JsonRecord) };
        if (path.includes('charges[]')) {
          for (const list of Object.values(args.plan_overrides as JsonRecord)) {
            for (const entry of list as JsonRecord[]) entry.id = 'x';
          }
        }
        // A rule without a trigger is refused for that.
        const timed = { trigger: 'interval', interval: 'monthly' };
        const rules = (args.recurring_transaction_rules as JsonRecord[] | undefined) ?? [];
        for (const rule of rules) Object.assign(rule, timed);
        const charges = [{ svc_id: 'x', charge_model: price.name }];
        const dear = {
          // Never what is sent already: then there would be nothing to send.
          amount_cents: fieldClass.kind === 'currency' ? minor(currency, major) : 1,
          amount_currency: fieldClass.kind === 'currency' ? 'EUR' : currency,
        };
        const parent_id = later && fieldClass.kind !== 'currency' ? 'p' : null;
        const plan = { ...dear, parent_id, charges, fixed_charges: charges };
        const known = {
          update_add_on: dear,
          update_wallet: { currency, rate_amount: rate },
          update_subscription: { plan },
        }[tool];
        const upstream = countingSend();
        const call = writeCall({ tool: toolByName.get(tool)!, args, known: known ?? null, sight: 'seen' });
        const outcome = await policyWith({ confirm: 'never', maxAmount, maxWritesPerMinute: 1000 }).carryOut(
          call,
          upstream.send,
        );
        if (excess === 0) expect(outcome.kind).toBe('done');
        else expect(outcome).toMatchObject({ kind: 'refused', error: { code: 'amount_limit', changed: false } });
        expect(upstream.sent).toBe(excess === 0 ? 1 : 0);
        seen.add(`${tool}.${path}`);
      }),
      { numRuns: 600 },
    );
    expect(seen.size).toBe(fields.length);
  });
});

describe('the embedded service under a limit', () => {
  let service: TestService;
  let runtime: Runtime;
  let client: TestClient;
  beforeAll(async () => {
    service = await startTestService();
    runtime = startRuntime(service.url, { BILLING_MAX_AMOUNT: 'USD:100,JPY:100', BILLING_API_KEY: KEY });
    client = await connectClient(runtime, '2026-07-28', false);
  });
  afterAll(async () => {
    await client.close();
    await runtime.close();
    await service.close();
  });

  const rule = (paid_credits: string) => ({
    svc_id: demoIds.wallet_svc_id,
    applies_to: {},
    recurring_transaction_rules: [{ trigger: 'interval', interval: 'monthly', method: 'fixed', paid_credits }],
  });

  it.each<[string, JsonRecord, RegExp | true]>([
    ['update_wallet', rule('100.01'), /100\.01 credits at \$1\.00 each are \$100\.01/],
    ['update_wallet', rule('100'), true],
    ['update_add_on', { code: demoIds.add_on_code, amount_currency: 'JPY' }, /is more than the ¥100 allowed/],
    ['update_add_on', { code: demoIds.add_on_code, amount_cents: 10_001 }, /is more than the \$100\.00 allowed/],
    ['update_add_on', { code: demoIds.add_on_code, amount_currency: 'USD' }, true],
    ['update_add_on', { code: demoIds.add_on_code, amount_cents: 10_000 }, true],
    ['update_add_on', { code: demoIds.add_on_code, amount_currency: 'KWD' }, /KWD, has no limit/],
    [
      'update_subscription',
      { external_id: demoIds.external_subscription_id, plan_overrides: { amount_cents: 1, amount_currency: 'EUR' } },
      /EUR, has no limit/,
    ],
    [
      'update_subscription',
      { external_id: demoIds.external_subscription_id, plan_overrides: { amount_cents: 10_000 } },
      true,
    ],
  ])('%s %j', async (tool, args, expected) => {
    const { isError, text } = await client.call(tool, args);
    if (expected === true) expect(text).not.toContain('amount_limit');
    else expect(text).toMatch(expected);
    expect(isError).toBe(expected !== true);
  });
});
