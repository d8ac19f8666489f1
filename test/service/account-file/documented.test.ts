import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { chargeModels } from '../../../src/contract/enums.ts';
import type { Json } from '../../../src/engine/records/index.ts';
import { demoAccount } from '../../../src/service/account-file/demo.ts';
import {
  modelTables,
  publishedSchema,
  type Shape,
  sectionTables,
} from '../../../src/service/account-file/json-schema.ts';
import { readAccount, readAccountFile } from '../../../src/service/account-file/load.ts';
import { accountFileSchema } from '../../../src/service/account-file/schema.ts';

const now = new Date('2026-03-10T12:00:00Z');
const sample = 'docs/account-sample.jsonc';
const plain = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

interface Checker {
  (file: unknown): boolean;
  errors: { instancePath: string; params: object }[] | null;
}
// The checker of JSON Schema that the protocol's SDK brings along.
const fromSdk = createRequire(createRequire(import.meta.url).resolve('@modelcontextprotocol/sdk/client/index.js'));
const { Ajv } = fromSdk('ajv') as { Ajv: new (options: object) => { compile(schema: object): Checker } };
const check = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(plain(publishedSchema()));
const places = (file: unknown) => {
  check(file);
  return [...new Set(check.errors?.map(({ instancePath }) => instancePath))];
};

describe('the page about the account file', () => {
  const page = `${sectionTables()}\n${modelTables()}`;

  it('has a table for every section and every charge model that is priced', () => {
    const sections = Object.keys(accountFileSchema.shape).filter(name => name !== '$schema');
    for (const name of [...sections, ...chargeModels.filter(model => model !== 'custom')])
      expect(page).toContain(`### ${name}\n`);
  });

  it.each([
    '| `charges[].billable_metric_code` | one of [billable_metrics](#billable_metrics) | **required** |',
    '| `default_currency` | currency code | `"USD"` |',
    '| `description` | text | `null` |',
    '| `fixed_charges[].units` | amount | `"1"` |',
    '| `rate_amount` | amount; what one credit is worth, in major units | `"1"` |',
    '| `charges[].code` | text; left out: the metric’s code |  |',
    '| `amount_cents` | integer |',
    '| `package_size` | integer; units in a package; a started one is paid whole | **required** |',
    '| `free_units` | integer; units before the first package | `0` |',
  ])('says %s', row => {
    expect(page).toContain(row);
  });

  it('says of every field what counts when it is left out', () => {
    const silent: string[] = [];
    const walk = (shape: Shape, path: string) => {
      for (const [name, field] of Object.entries(shape.properties ?? {})) {
        const isSaid =
          shape.required?.includes(name) || 'default' in field || field.description?.includes('left out: ');
        if (!isSaid && name !== 'id' && name !== 'created_at') silent.push(`${path}${name}`);
        for (const each of [field, ...(field.anyOf ?? [])].flatMap(one => [one, one.items ?? {}]))
          walk(each, `${path}${name}.`);
      }
    };
    walk(publishedSchema(), '');
    expect(silent).toEqual([]);
  });
});

describe('the sample', () => {
  it('is on the page, can be loaded, and has nothing to warn of', async () => {
    expect(readFileSync('docs/account-file.md', 'utf8')).toContain(readFileSync(sample, 'utf8').trim());
    const { records, warnings } = readAccount(await readAccountFile(sample), now);
    expect(warnings).toEqual([]);
    expect(records.invoices[0]).toMatchObject({ total_amount_cents: 12_495 });
  });
});

describe('account.schema.json', () => {
  it('is in the package', () => {
    expect(JSON.parse(readFileSync('dist/account.schema.json', 'utf8'))).toEqual(plain(publishedSchema()));
  });

  it('accepts the demo account and the sample', async () => {
    expect(places(await demoAccount())).toEqual([]);
    expect(places(await readAccountFile(sample))).toEqual([]);
  });

  const bad: [what: string, change: (file: Record<string, Json>) => unknown, place: string][] = [
    ['an unknown key', file => ({ ...file, custmers: [] }), ''],
    [
      'an unknown currency',
      file => ({ ...file, customers: [{ external_id: 'c', currency: 'EURO' }] }),
      '/customers/0/currency',
    ],
    [
      'a fraction of a cent',
      file => ({ ...file, add_ons: [{ code: 'a', name: 'A', amount_cents: 1.5, amount_currency: 'EUR' }] }),
      '/add_ons/0/amount_cents',
    ],
    [
      'a binary fraction for a decimal',
      file => ({ ...file, taxes: [{ code: 't', name: 'T', rate: 12.5 }] }),
      '/taxes/0/rate',
    ],
    [
      'a package without its size',
      file => withCharge(file, { charge_model: 'package', properties: { amount: '1' } }),
      '/plans/0/charges/0/properties',
    ],
    [
      'properties of another model',
      file => withCharge(file, { charge_model: 'percentage', properties: { amount: '1', rate: '1' } }),
      '/plans/0/charges/0/properties',
    ],
    [
      'a filter without a price',
      file =>
        withCharge(file, {
          charge_model: 'standard',
          properties: { amount: '1' },
          filters: [{ values: {} }, { values: {}, properties: {} }],
        }),
      '/plans/0/charges/0/filters/1/properties',
    ],
  ];
  it.each(bad)('refuses %s', (_, change, place) => {
    const least = { organization: { name: 'A' }, billing_entities: [{ code: 'a', name: 'A' }] };
    expect(places(least)).toEqual([]);
    expect(places(change(least))).toContain(place);
  });
});

function withCharge(file: object, charge: object): object {
  const plan = { code: 'p', name: 'P', interval: 'monthly', amount_cents: 0, amount_currency: 'EUR' };
  return { ...file, plans: [{ ...plan, charges: [{ billable_metric_code: 'm', ...charge }] }] };
}
