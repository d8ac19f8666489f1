/** An amount beyond BILLING_MAX_AMOUNT is never sent, in any field of any write. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pricesByModel } from '../../../src/contract/charge-prices.ts';
import { currencyDigits } from '../../../src/contract/currencies.ts';
import type { PriceFields } from '../../../src/contract/pricing/fields.ts';
import { type FieldClass, fieldClassesOf } from '../../../src/definition/argument-fields.ts';
import type { WriteTool } from '../../../src/definition/define.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { toolByName } from '../../../tools/all-tools.ts';
import { runs } from '../../support/extent.ts';
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
const fields: Field[] = [...toolByName.values()]
  .filter(({ change }) => change !== undefined)
  .flatMap(tool =>
    Object.entries(fieldClassesOf(tool))
      .filter(([, { kind }]) => judged.includes(kind))
      .map(([path, fieldClass]) => ({ tool: tool.name, path, fieldClass })),
  );

interface Setting {
  name: string;
  properties: JsonRecord;
}

/** The price settings of a model with `amount` as one of its amounts. */
const pricesOf = ([name, fields]: [string, PriceFields], amount: string): Setting[] =>
  Object.entries(fields).flatMap(([list, field]): Setting[] => {
    if ('kind' in field) return field.kind === 'money' ? [{ name, properties: { [list]: amount } }] : [];
    const keys = Object.keys(field.tier).filter(key => field.tier[key]?.kind === 'money');
    return keys.map(key => {
      const tiers = [
        { from_value: 0, to_value: 9, flat_amount: '0' },
        { from_value: 10, [key]: amount },
      ];
      return { name, properties: { [list]: tiers } };
    });
  });

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
  currency: fc.constantFrom(...currencies),
  beyond: fc.oneof(fc.constant(0.01), fc.integer({ min: 1, max: 1_000_000_000 })),
  entries: fc.integer({ min: 1, max: 3 }),
  rate: fc.constantFrom('0.01', '1', '12.5'),
  pick: fc.nat(),
  later: fc.boolean(),
});

type Drawn = typeof writes extends fc.Arbitrary<infer Values> ? Values : never;

describe('a number beyond the limit', () => {
  it('is refused in every field of every write that is money, credits or a price, and in no other field; nothing is sent', async () => {
    const judge = async (
      { tool, path, fieldClass }: Field,
      excess: number,
      { currency, entries, rate, pick, later }: Drawn,
    ): Promise<void> => {
      // The smallest step of every currency: one yen where there are no cents.
      const major = limit + (currencyDigits(currency) === 0 ? Math.ceil(excess) : excess);
      const prices = [...pricesByModel].flatMap(model => pricesOf(model, String(major)));
      const price = prices[pick % prices.length]!;
      const value = {
        money: minor(currency, major),
        credits: (major / Number(rate)).toFixed(6),
        prices: price.properties,
        rate: '0.5',
        currency,
        threshold: 0,
        count: 0,
        other: 0,
      }[fieldClass.kind];
      // A wallet has one rule, and the amounts of thresholds differ.
      const single = /^recurring_transaction_rules|usage_thresholds/.test(path) ? 1 : entries;
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
      const call = writeCall({ tool: toolByName.get(tool) as WriteTool, args, known: known ?? null, reading: 'read' });
      const outcome = await policyWith({ confirm: 'never', maxAmount, maxWritesPerMinute: 1000 }).carryOut(
        call,
        upstream.send,
      );
      if (excess === 0) expect(outcome.kind).toBe('done');
      else expect(outcome).toMatchObject({ kind: 'refused', error: { code: 'amount_limit', changed: false } });
      expect(upstream.sent).toBe(excess === 0 ? 1 : 0);
    };
    await fc.assert(
      fc.asyncProperty(writes, async drawn => {
        for (const field of fields) for (const excess of [0, drawn.beyond]) await judge(field, excess, drawn);
      }),
      runs(20),
    );
  });
});
