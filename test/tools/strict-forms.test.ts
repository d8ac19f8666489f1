/** What a model in strict mode writes, and what leaves the server for it. */
import { afterAll, describe, expect, it } from 'vitest';
import { checkArguments } from '../../src/definition/check.ts';
import { listTool } from '../../src/definition/listing.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { toolByName, toolDefinitions } from '../../tools/all-tools.ts';
import { samples } from '../calls/change/samples.ts';
import type { Schema } from './host-limits.ts';
import { nestedCalls, startStrict } from './sent-by.ts';
import { asStrict, isJsonText, isPairs } from './strict-rules.ts';

const id = '5f4a1d4c-6a1b-4f0e-9a51-6d0f5a6f0001';
const strict = await startStrict();
afterAll(() => strict.close());
const schemaOf = (name: string) => listTool(toolByName.get(name)!).inputSchema as Schema;

/** Every argument that is listed in another form than the object that it is: with calls that send it as an object. */
const forms: { tool: string; pairs?: readonly string[]; json?: readonly string[]; args: JsonRecord }[] = [
  { tool: 'compare_plans', json: ['usage[].filter', 'usage[].groups'], args: nestedCalls.compare_plans },
  {
    tool: 'estimate_fees',
    pairs: ['properties'],
    args: { ...samples.estimate_fees, properties: { gb: 12.5, region: 'eu', cached: true, at: null, '7': 'x' } },
  },
  {
    tool: 'update_subscription',
    pairs: ['plan_overrides.metadata'],
    json: ['charges[].properties', 'charges[].filters', 'fixed_charges[].properties'].map(
      name => `plan_overrides.${name}`,
    ),
    args: nestedCalls.update_subscription,
  },
  { tool: 'update_wallet', pairs: ['metadata'], args: nestedCalls.update_wallet },
  { tool: 'update_credit_note', pairs: ['metadata'], args: { svc_id: id, metadata: { reason: 'late', '10': 'x' } } },
  { tool: 'find_customers', json: ['metadata'], args: { metadata: { tier: 'gold', lost: '' } } },
  { tool: 'list_invoices', json: ['metadata'], args: { metadata: { tier: 'gold', lost: '' } } },
  {
    tool: 'get_usage',
    json: ['group'],
    args: { external_customer_id: 'acme', group: { region: 'eu' } },
  },
  {
    tool: 'change_several',
    json: ['changes[].arguments'],
    args: {
      changes: [
        { tool: 'update_add_on', arguments: { code: 'setup', name: 'Setup' } },
        { tool: 'update_wallet', arguments: { svc_id: id, metadata: { team: 'emea' }, expiration_at: null } },
      ],
    },
  },
];

/** In place of a sample whose arguments are taken, but not listed. */
const listed: Record<string, JsonRecord> = {
  create_subscription_alert: {
    external_id: 'sub-1',
    alerts: [{ code: 'spend', alert_type: 'current_usage_amount', thresholds: [{ value: 1000 }] }],
  },
};

/** `customer.shipping_address`, `usage[]`: where a schema has something of this kind. */
function places(schema: Schema, is: (inner: Schema) => boolean, place = ''): string[] {
  if (is(schema)) return [place];
  // Of a list of JSON texts, the list says what they hold.
  if (schema.type === 'array' && is({ ...schema, type: 'string' })) return [`${place}[]`];
  const { properties = {}, items, anyOf = [], description } = schema;
  const dot = place === '' ? '' : '.';
  return [
    ...Object.entries(properties).flatMap(([name, field]) => places(field, is, `${place}${dot}${name}`)),
    ...(items ? places(items, is, `${place}[]`) : []),
    ...anyOf.flatMap(option => places({ description, ...option }, is, place)),
  ];
}

describe('an argument that is listed as pairs or JSON text', () => {
  it('is in one of the calls here', () => {
    const found = (is: (schema: Schema) => boolean) =>
      toolDefinitions
        .map(({ name }) => ({ tool: name, places: places(schemaOf(name), is) }))
        .filter(({ places: some }) => some.length > 0);
    const called = (kind: 'pairs' | 'json') =>
      [...new Set(forms.filter(form => form[kind]).map(({ tool }) => tool))].map(tool => ({
        tool,
        places: forms.flatMap(form => (form.tool === tool ? (form[kind] ?? []) : [])),
      }));
    expect(found(isPairs)).toEqual(called('pairs'));
    expect(found(isJsonText)).toEqual(called('json'));
  });

  it.each(forms)('sends for $tool what the plain object sends', async ({ tool, args }) => {
    const given = asStrict(schemaOf(tool), args) as JsonRecord;
    expect(given).not.toEqual(args);
    expect(await strict.sentBy(tool, given)).toEqual(await strict.sentBy(tool, args));
    const [checked, expected] = [given, args].map(each => checkArguments(toolByName.get(tool)!, each));
    expect(checked).toMatchObject({ ok: true });
    expect(checked).toHaveProperty('args', (expected as { args: JsonRecord }).args);
  });

  const pair = (key: string, value: unknown = 'x') => ({ key, value });
  const placed = (args: JsonRecord, place: string, value: unknown): JsonRecord => {
    const [name = '', ...inner] = place.split('.');
    return { ...args, [name]: inner.length === 0 ? value : placed(args[name] as JsonRecord, inner.join('.'), value) };
  };

  it.each<[string, JsonRecord, string]>([
    ...forms.flatMap(({ tool, pairs = [], args }) =>
      pairs.flatMap((argument): [string, JsonRecord, string][] => [
        [
          tool,
          placed(args, argument, [pair('a'), pair('b'), pair('a')]),
          `${argument}[2].key is "a", which another pair also has: send each key once`,
        ],
        [
          tool,
          placed(args, argument, [pair('__proto__')]),
          `${argument}[0].key is "__proto__", a name that is never accepted`,
        ],
        [tool, placed(args, argument, [{ key: 'a' }]), `${argument}[0].value is required`],
        [tool, placed(args, argument, ['a=b']), `${argument}[0] must be an object, not "a=b"`],
        [
          tool,
          placed(args, argument, [{ ...pair('a'), valeu: 1 }]),
          `${argument}[0].valeu is not known: did you mean value?`,
        ],
        [tool, placed(args, argument, 5), `${argument} must be an object of names and values or a list, not "5"`],
      ]),
    ),
    [
      'update_subscription',
      { external_id: 's', plan_overrides: { charges: ['{"id":"c"'] } },
      'charges[0] is not valid JSON',
    ],
    [
      'update_subscription',
      { external_id: 's', plan_overrides: { charges: ['{"id":"c","propertys":{}}'] } },
      'plan_overrides.charges[0].propertys is not known',
    ],
    ['update_wallet', { svc_id: id, payment_method: 'manual' }, 'payment_method must be an object'],
    [
      'compare_plans',
      { plan_codes: ['p'], usage: ['{"billable_metric_code":"m","units":"many"}'] },
      'units must be a number',
    ],
  ])('is refused by %s in %j', async (tool, args, message) => {
    strict.taken();
    const { isError, text } = await strict.client.call(tool, args);
    expect({ isError, text }).toMatchObject({
      isError: true,
      text: expect.stringContaining(JSON.stringify(message).slice(1, -1)),
    });
    expect(strict.taken()).toEqual([]);
  });

  it.each(toolDefinitions.map(({ name }) => name))('null for everything left out of %s sends the same', async name => {
    const sample = listed[name] ?? samples[name]!;
    const given = asStrict(schemaOf(name), sample) as JsonRecord;
    expect(await strict.sentBy(name, given)).toEqual(await strict.sentBy(name, sample));
  });

  const nulls = (schema: Schema): JsonRecord =>
    Object.fromEntries(Object.keys(schema.properties ?? {}).map(name => [name, null]));
  const inOverrides = { external_id: 's', plan_overrides: { amount_cents: 5 } };

  it.each<[string, string, JsonRecord]>([
    ...['plan_overrides', 'payment_method', 'invoice_custom_section'].map((name): [string, string, JsonRecord] => [
      'update_subscription',
      name,
      { external_id: 's', name: 'Main' },
    ]),
    ['update_subscription', 'plan_overrides.minimum_commitment', inOverrides],
    ...['payment_method', 'invoice_custom_section'].map((name): [string, string, JsonRecord] => [
      'update_wallet',
      name,
      { svc_id: id, name: 'Main' },
    ]),
    ['preview_invoice', 'customer.shipping_address', { plan_code: 'p', customer: { country: 'FR' } }],
    ['preview_invoice', 'subscriptions', { plan_code: 'p', customer: { country: 'FR' } }],
    ['create_billing_entity', 'billing_configuration', samples.create_billing_entity!],
  ])('sends for %s with nothing but nulls in %s what it sends without', async (tool, place, args) => {
    const schema = place.split('.').reduce((at, name) => {
      const field = at.properties![name]!;
      return field.anyOf?.[0] ?? field;
    }, schemaOf(tool));
    expect(Object.keys(nulls(schema)).length).toBeGreaterThan(0);
    expect(await strict.sentBy(tool, placed(args, place, nulls(schema)))).toEqual(await strict.sentBy(tool, args));
  });

  it('sends limits of a wallet that name nothing as empty ones', async () => {
    const args = { svc_id: id, name: 'Main', applies_to: { fee_types: null, billable_metric_codes: null } };
    expect(await strict.sentBy('update_wallet', args)).toEqual(
      await strict.sentBy('update_wallet', { ...args, applies_to: {} }),
    );
  });

  it('refuses a write of nothing but nulls', async () => {
    const args = { svc_id: id, payment_method: { payment_method_id: null, payment_method_type: null } };
    strict.taken();
    const { isError, text } = await strict.client.call('update_wallet', args);
    expect({ isError, sent: strict.taken() }).toEqual({ isError: true, sent: [] });
    expect(text).toContain('contain no change');
  });
});
