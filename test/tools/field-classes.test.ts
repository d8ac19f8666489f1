import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { type FieldKind, fieldKinds } from '../../src/calls/policy/field-kinds.ts';
import { kindOfPrice, pricesByModel } from '../../src/contract/charge-prices.ts';
import { propertiesByModel } from '../../src/service/engine/plan-rules.ts';
import { changesAccount } from '../../src/tool/effect.ts';
import { fieldClasses } from '../../src/tool/field-classes.ts';
import { toolDefinitions } from '../../tools/index.ts';

interface Leaf {
  path: string;
  kind: 'number' | 'decimal' | 'anything' | 'text' | 'rest';
  /** How the values are compared, as the schema has it. */
  compared?: FieldKind;
}

/** Every field of a schema that has no inner fields. */
function leavesOf(schema: z.ZodType, path = ''): Leaf[] {
  const def = schema.def as {
    type: string;
    innerType?: z.ZodType;
    shape?: Record<string, z.ZodType>;
    element?: z.ZodType;
    valueType?: z.ZodType;
    options?: z.ZodType[];
  };
  if (def.innerType) return leavesOf(def.innerType, path);
  if (def.shape) {
    return Object.entries(def.shape).flatMap(([key, field]) => leavesOf(field, path === '' ? key : `${path}.${key}`));
  }
  if (def.element) return leavesOf(def.element, `${path}[]`);
  if (def.options) {
    const kinds = def.options.flatMap(option => leavesOf(option, path));
    return [kinds.find(({ kind }) => kind === 'number') ?? kinds[0]!];
  }
  if (def.valueType) {
    const values = leavesOf(def.valueType, path);
    return values.map(leaf => (leaf.kind === 'anything' ? { path, kind: 'anything', compared: 'prices' } : leaf));
  }
  const { type } = def;
  const { decimal, format } = schema.meta() ?? {};
  if (type === 'number' || type === 'int' || type === 'bigint')
    return [
      { path, kind: 'number', ...((def as { format?: string }).format === undefined && { compared: 'decimal' }) },
    ];
  if (type === 'unknown' || type === 'any') return [{ path, kind: 'anything', compared: 'prices' }];
  if (type === 'string' && decimal === true) return [{ path, kind: 'decimal', compared: 'decimal' }];
  if (type === 'string') return [{ path, kind: 'text', ...(format === 'date-time' && { compared: 'moment' }) }];
  return [{ path, kind: 'rest' }];
}

const writes = toolDefinitions.filter(({ effect }) => changesAccount(effect));
const leaves = writes.flatMap(tool => leavesOf(tool.input).map(leaf => ({ tool: tool.name, ...leaf })));
const classOf = (tool: string, path: string) => fieldClasses[tool]?.[path];

describe('the numbers of every write', () => {
  it('have a class each: money, credits, prices, a threshold, a count or something else', () => {
    const numeric = leaves.filter(({ kind }) => ['number', 'decimal', 'anything'].includes(kind));
    expect(numeric.length).toBeGreaterThan(15);
    expect(numeric.filter(({ tool, path }) => classOf(tool, path) === undefined)).toEqual([]);
  });

  it('are never texts, except those that change a currency', () => {
    const looksNumeric = /amount|credits?$|balance|price|cents|units|rate$|value$|currency$/;
    const texts = leaves.filter(({ kind, path }) => kind === 'text' && looksNumeric.test(path.split('.').at(-1)!));
    const unclassified = texts.filter(({ tool, path }) => classOf(tool, path) === undefined);
    expect(unclassified.map(({ tool, path }) => `${tool}: ${path}`)).toEqual([
      // Labels, and the default currency of a new entity, which has no amounts yet.
      'update_wallet: recurring_transaction_rules[].transaction_metadata[].value',
      'update_invoice: metadata[].value',
      'create_billing_entity: default_currency',
    ]);
  });

  it('are fields that exist', () => {
    for (const [tool, classes] of Object.entries(fieldClasses)) {
      const paths = leaves.filter(leaf => leaf.tool === tool).map(({ path }) => path);
      expect(
        Object.keys(classes).filter(path => !paths.includes(path)),
        tool,
      ).toEqual([]);
    }
  });

  it('of one write have their currency from one record', () => {
    for (const [tool, classes] of Object.entries(fieldClasses)) {
      const owners = new Set(Object.values(classes).flatMap(each => ('owner' in each ? [each.owner] : [])));
      expect(owners.size, tool).toBeLessThan(2);
    }
  });
});

describe('the kinds by which fields are compared', () => {
  /** What the service stores in capitals, and what comes back as an address, no schema says. */
  const rewritten = [
    'create_billing_entity: country',
    'create_billing_entity: default_currency',
    'create_billing_entity: document_number_prefix',
    'create_billing_entity: logo',
    'update_add_on: amount_currency',
    'update_subscription: plan_overrides.amount_currency',
  ];
  const kinds = Object.entries(fieldKinds).flatMap(([tool, fields]) =>
    Object.entries(fields).map(([path, kind]) => [`${tool}: ${path}`, kind] as const),
  );

  it('are those of the schemas: decimals, moments and prices, and no other field', () => {
    const compared = leaves.flatMap(({ tool, path, compared: kind }) => (kind ? [[`${tool}: ${path}`, kind]] : []));
    expect(compared.length).toBeGreaterThan(10);
    expect(kinds.filter(([name]) => !rewritten.includes(name)).sort()).toEqual(compared.sort());
  });

  it('are texts that are rewritten otherwise, and exist', () => {
    const texts = leaves.filter(({ kind }) => kind === 'text').map(({ tool, path }) => `${tool}: ${path}`);
    expect(rewritten.filter(name => !texts.includes(name))).toEqual([]);
    const others = kinds.filter(([, kind]) => kind === 'capitals' || kind === 'image').map(([name]) => name);
    expect(others.sort()).toEqual(rewritten);
  });
});

describe('the price settings of a charge', () => {
  it('are those that the embedded service accepts, model by model', () => {
    const { custom, ...priced } = propertiesByModel;
    expect(custom).toBeDefined();
    expect([...pricesByModel.keys()].sort()).toEqual(Object.keys(priced).sort());
    for (const [name, schema] of Object.entries(priced)) {
      const { fields, ranges } = pricesByModel.get(name)!;
      const taken = leavesOf(schema).map(({ path }) => path.replace(/^grouped_by\[\]$|^pricing_group_keys\[\]$/, ''));
      const known = [
        ...Object.entries(fields)
          .filter(([, kind]) => kind !== 'label')
          .map(([key]) => key),
        ...Object.keys(ranges?.fields ?? {}).map(key => `${ranges!.key}[].${key}`),
      ];
      expect(known.sort(), name).toEqual(taken.filter(path => path !== '').sort());
    }
  });

  it('mean the same under the same name in every model', () => {
    for (const { fields, ranges } of pricesByModel.values()) {
      for (const [key, kind] of Object.entries({ ...fields, ...ranges?.fields })) expect(kindOfPrice(key)).toBe(kind);
    }
  });
});
