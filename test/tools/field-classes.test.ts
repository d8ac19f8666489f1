import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { kindOfPrice, pricesByModel } from '../../src/contract/charge-prices.ts';
import { cents } from '../../src/definition/args.ts';
import { argumentFields, fieldClassesOf, fieldKindsOf } from '../../src/definition/argument-fields.ts';
import { propertiesByModel } from '../../src/engine/plan-rules.ts';
import { toolDefinitions } from '../../tools/all-tools.ts';

const writes = toolDefinitions.filter(({ change }) => change !== undefined);
const fields = writes.flatMap(tool => argumentFields(tool.input).map(field => ({ tool: tool.name, ...field })));
const classes = new Map(writes.map(tool => [tool.name, fieldClassesOf(tool)]));

describe('the numbers of every write', () => {
  it('have a class each: money, credits, prices, a threshold, a count or something else', () => {
    const numeric = fields.filter(({ type }) => ['integer', 'number', 'decimal', 'anything'].includes(type));
    expect(numeric.length).toBeGreaterThan(15);
    expect(numeric.filter(({ tool, path }) => classes.get(tool)?.[path] === undefined)).toEqual([]);
  });

  it('without a class, and money of no record, are mistakes that no call survives', () => {
    expect(() =>
      fieldClassesOf({ name: 'update_wallet', result: 'wallet', input: z.object({ size: z.int() }) }),
    ).toThrow('size');
    expect(() =>
      fieldClassesOf({ name: 'update_invoice', result: 'invoice', input: z.object({ price: cents }) }),
    ).toThrow('price');
  });

  it('are money where the name says cents, and only these few are nothing that a limit judges', () => {
    const all = [...classes].flatMap(([tool, each]) =>
      Object.entries(each).map(([path, { kind }]) => ({ name: `${tool}: ${path}`, kind })),
    );
    // Own thresholds start an invoice, and spend nothing.
    const named = all.filter(({ name }) => name.endsWith('_cents') && !name.includes(': usage_thresholds'));
    expect(all.filter(({ kind }) => kind === 'money')).toEqual(named);
    const unjudged = all.filter(({ kind }) => ['threshold', 'count', 'other'].includes(kind));
    expect(unjudged.map(({ name, kind }) => `${name}: ${kind}`).sort()).toEqual([
      'create_billing_entity: billing_configuration.invoice_grace_period: other',
      'create_billing_entity: net_payment_term: other',
      'create_subscription_alert: alerts[].thresholds[].value: threshold',
      'create_subscription_alert: thresholds[].value: threshold',
      'update_subscription: activation_rules[].timeout_hours: other',
      'update_subscription: plan_overrides.fixed_charges[].units: count',
      'update_subscription: plan_overrides.trial_period: other',
      'update_subscription: usage_thresholds[].amount_cents: threshold',
      'update_wallet: priority: other',
    ]);
  });

  it('are never texts, except those that change a currency', () => {
    const looksNumeric = /amount|credits?$|balance|price|cents|units|rate$|value$|currency$/;
    const texts = fields.filter(({ type, path }) => type === 'text' && looksNumeric.test(path.split('.').at(-1)!));
    const unclassified = texts.filter(({ tool, path }) => classes.get(tool)?.[path] === undefined);
    expect(unclassified.map(({ tool, path }) => `${tool}: ${path}`)).toEqual([
      // Labels, and the default currency of a new entity, which has no amounts yet.
      'update_wallet: recurring_transaction_rules[].transaction_metadata[].value',
      'update_invoice: metadata[].value',
      'create_billing_entity: default_currency',
    ]);
  });

  it('of one write have their currency from one record', () => {
    for (const [tool, each] of classes) {
      const owners = new Set(Object.values(each).flatMap(one => ('owner' in one ? [one.owner] : [])));
      expect(owners.size, tool).toBeLessThan(2);
    }
  });
});

describe('the kinds by which fields are compared', () => {
  const kinds = writes.flatMap(tool =>
    Object.entries(fieldKindsOf(tool)).map(([path, kind]) => [`${tool.name}: ${path}`, kind] as const),
  );

  it('are moments where the name says so, decimals and prices', () => {
    const moments = fields.filter(({ path }) => path.endsWith('_at')).map(({ tool, path }) => `${tool}: ${path}`);
    expect(kinds.filter(([, kind]) => kind === 'moment').map(([name]) => name)).toEqual(moments);
    const prices = fields.filter(({ path }) => path.endsWith('properties')).map(({ tool, path }) => `${tool}: ${path}`);
    expect(kinds.filter(([, kind]) => kind === 'prices').map(([name]) => name)).toEqual(prices);
    const decimals = kinds.filter(([, kind]) => kind === 'decimal').map(([name]) => name.replace(/^.*\W/, ''));
    expect(decimals).toEqual(
      'trial_period conversion_rate units value value threshold_credits target_ongoing_balance paid_credits granted_credits'.split(
        ' ',
      ),
    );
  });

  it('are those of texts that the service rewrites: in capitals, and as the address of an image', () => {
    const rewritten = kinds.filter(([, kind]) => kind === 'capitals' || kind === 'image');
    expect(rewritten.map(([name, kind]) => `${name}: ${kind}`).sort()).toEqual([
      'create_billing_entity: country: capitals',
      'create_billing_entity: default_currency: capitals',
      'create_billing_entity: document_number_prefix: capitals',
      'create_billing_entity: logo: image',
      'update_add_on: amount_currency: capitals',
      'update_subscription: plan_overrides.amount_currency: capitals',
    ]);
  });
});

describe('the price settings of a charge', () => {
  it('are those that the embedded service accepts, model by model', () => {
    const { custom, ...priced } = propertiesByModel;
    expect(custom).toBeDefined();
    expect([...pricesByModel.keys()].sort()).toEqual(Object.keys(priced).sort());
    for (const [name, schema] of Object.entries(priced)) {
      const taken = argumentFields(schema).map(({ path }) =>
        path.replace(/^(grouped_by|pricing_group_keys|presentation_group_keys)\[\].*$/, ''),
      );
      const known = Object.entries(pricesByModel.get(name)!).flatMap(([key, field]) => {
        if ('tier' in field) return Object.keys(field.tier).map(inner => `${key}[].${inner}`);
        return field.kind === 'label' ? [] : key;
      });
      expect(known.sort(), name).toEqual(taken.filter(path => path !== '').sort());
    }
  });

  it('mean the same under the same name in every model', () => {
    for (const [key, field] of [...pricesByModel.values()].flatMap(fields => Object.entries(fields))) {
      const inner = 'tier' in field ? Object.entries(field.tier) : [[key, field] as const];
      for (const [name, { kind }] of inner) expect(kindOfPrice(name)).toBe(kind);
    }
  });
});
