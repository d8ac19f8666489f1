/** `npm run interface`: a published description beside the contract. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { interfaceCommand } from '../../scripts/interface/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { wholeDescription } from './whole-description.ts';

const published = readFileSync(new URL('./description.json', import.meta.url), 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: a copy of the description is altered anywhere
type Document = any;

const file = join(temporaryFolder(), 'description');

function printed(content: string) {
  writeFileSync(file, content);
  return interfaceCommand([file]);
}

/** The lines that differ from those of the description as it is: `+` where there is a new one. */
async function linesChanged(content: string): Promise<string[]> {
  const lines = underOperations((await printed(content)).text);
  return [
    ...lines.filter(line => !before.includes(line)).map(line => `+ ${line}`),
    ...before.filter(line => !lines.includes(line)).map(line => `- ${line}`),
  ];
}

/** Each difference with its operation; the last line has the counts. */
function underOperations(text: string): string[] {
  let operation = '';
  return text
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .flatMap(line => {
      if (line.startsWith('  ')) return [`${operation}: ${line.trim().replace(/ +/, ' ')}`];
      operation = line;
      return [];
    });
}

let before: string[] = [];
beforeAll(async () => {
  before = underOperations((await printed(published)).text);
});

function altered(change: (parts: Document) => void): string {
  const document = JSON.parse(published);
  const { paths, components } = document;
  const { schemas } = components;
  change({ paths, components, schemas, wallet: schemas.Wallet, fields: schemas.Wallet.properties });
  return JSON.stringify(document);
}

/** The same in the words of 3.0: `nullable` in place of the type null, one type, and no values beside a reference. */
function inVersion30(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(inVersion30);
  if (typeof node !== 'object' || node === null) return node;
  const { type, ...others } = node as { type?: unknown };
  const rest = Object.fromEntries(Object.entries(others).map(([name, inner]) => [name, inVersion30(inner)]));
  if (!Array.isArray(type)) return type === undefined ? rest : { type: inVersion30(type), ...rest };
  const [first, ...more] = type.filter(each => each !== 'null');
  const one = more.length === 0 ? { type: first } : { anyOf: [first, ...more].map(each => ({ type: each })) };
  return { ...one, nullable: type.includes('null'), ...rest };
}

/** Parameters, answers and bodies, and each path as a whole, in components, one of them behind two references. */
function byReference({ paths, components }: Document): void {
  const kept: Record<string, Document[]> = { parameters: [], responses: [], requestBodies: [], pathItems: [] };
  const refer = (kind: string, part: Document): Document => {
    const place = kept[kind]!;
    return { $ref: `#/components/${kind}/p${place.push(part) - 1}` };
  };
  for (const [path, item] of Object.entries<Document>(paths)) {
    for (const part of [item, ...Object.values<Document>(item)]) {
      if (Array.isArray(part?.parameters))
        part.parameters = part.parameters.map((each: Document) => refer('parameters', refer('parameters', each)));
      if (part?.requestBody) part.requestBody = refer('requestBodies', part.requestBody);
      if (part?.responses)
        part.responses = Object.fromEntries(
          Object.entries(part.responses).map(([status, each]) => [status, refer('responses', each)]),
        );
    }
    paths[path] = refer('pathItems', item);
  }
  for (const [kind, parts] of Object.entries(kept))
    components[kind] = { ...components[kind], ...Object.fromEntries(parts.map((part, index) => [`p${index}`, part])) };
}

const version30 = () => ({ ...(inVersion30(JSON.parse(published)) as object), openapi: '3.0.3' });

describe('the same interface in another form shows the same differences', () => {
  it.each<[string, () => string]>([
    ['OpenAPI 3.0 with nullable fields', () => JSON.stringify(version30())],
    ['YAML', () => stringify(JSON.parse(published))],
    ['YAML of OpenAPI 3.0', () => stringify(version30())],
    ['another prefix of ids', () => published.replaceAll('svc_', 'acme_')],
    ['other names of the values in paths', () => published.replaceAll('/wallets/{svc_id}', '/wallets/{id}')],
    ['paths with /api/v1', () => published.replaceAll('"/wallets', '"/api/v1/wallets')],
    ['every parameter, answer, body and path by reference', () => altered(byReference)],
    [
      'a resource in two parts',
      () =>
        altered(({ schemas, wallet, fields: { balance_cents, ...properties } }) => {
          const part = { type: 'object', properties: { balance_cents } };
          schemas.Wallet = { allOf: [{ ...wallet, properties }, part] };
        }),
    ],
    [
      'a field that may be null by a choice',
      () =>
        altered(({ fields }) =>
          Object.assign(fields, { balance_cents: { oneOf: [{ type: 'integer' }, { type: 'null' }] } }),
        ),
    ],
  ])('%s', async (_, content) => {
    expect(await linesChanged(content())).toEqual([]);
  });
});

it('one alert is sent as well as several, of which the description knows one', () => {
  const ofAlerts = before.filter(line => line.startsWith('POST /subscriptions/{external_id}/alerts: '));
  expect(ofAlerts.filter(line => line.includes(' request '))).toEqual([
    'POST /subscriptions/{external_id}/alerts: gone request alerts',
  ]);
});

describe('a change of the interface is one line', () => {
  const ofWallet = (line: string) => [`+ PUT /wallets/{svc_id}: ${line}`];
  const inFields = (field: object) => (parts: Document) => Object.assign(parts.fields, field);

  it.each<[string, (parts: Document) => unknown, string[]]>([
    ['a field that is gone', ({ fields }) => delete fields.balance_cents, ofWallet('gone answer wallet.balance_cents')],
    ['a new field of an answer', inFields({ colour: { type: 'string' } }), ofWallet('missing answer wallet.colour')],
    [
      'a new field of a request',
      ({ paths }) => {
        const { schema } = paths['/wallets/{svc_id}'].put.requestBody.content['application/json'];
        schema.properties.wallet.properties.colour = { type: 'string' };
      },
      ofWallet('missing request wallet.colour'),
    ],
    [
      'a field of another type',
      inFields({ balance_cents: { type: ['string', 'null'] } }),
      ofWallet('other answer wallet.balance_cents: text in place of number'),
    ],
    [
      'a new value, and one that is gone',
      inFields({ status: { type: 'string', enum: ['active', 'frozen'] } }),
      ofWallet('other answer wallet.status: values missing frozen; values gone terminated'),
    ],
    [
      'a field that is the resource again',
      inFields({ parent: { $ref: '#/components/schemas/Wallet' } }),
      ofWallet('missing answer wallet.parent'),
    ],
    [
      'a resource that is a part of itself',
      ({ wallet }) => Object.assign(wallet, { allOf: [{ $ref: '#/components/schemas/Wallet' }] }),
      [],
    ],
    [
      'a new filter',
      ({ paths }) => paths['/plans'].get.parameters.push({ name: 'colour[]', in: 'query', schema: { type: 'array' } }),
      ['+ GET /plans: missing query colour'],
    ],
    [
      'an operation that is gone',
      ({ paths }) => delete paths['/events/{transaction_id}'],
      ['+ GET /events/{transaction_id}: gone the operation'],
    ],
    [
      'an operation that the contract does not have',
      ({ paths }) => Object.assign(paths, { '/colours': paths['/plans'] }),
      [],
    ],
  ])('%s', async (_, change, lines) => {
    expect(await linesChanged(altered(change))).toEqual(lines);
  });
});

describe('the exit code', () => {
  it('is 1 with a difference, and the last line has the counts', async () => {
    const { exitCode, text } = await printed(published);
    expect(exitCode).toBe(1);
    expect(text).toMatch(
      /\n\d+ missing, \d+ other, \d+ gone; the description has 19 of \d+ operations, with \d+ fields\n$/,
    );
  });

  it('is 0 for a description that has all that the contract has', async () => {
    const { exitCode, text } = await printed(JSON.stringify(await wholeDescription()));
    expect(text).toMatch(/^0 missing, 0 other, 0 gone; /);
    expect(exitCode).toBe(0);
  });

  it.each<[string, string, RegExp]>([
    ['is neither JSON nor YAML', '{"openapi": ', /^\S+ is neither JSON nor YAML: .*\n$/],
    ['is a text', 'Good morning', /^\S+ is no OpenAPI description/],
    ['is of version 2', '{"swagger": "2.0", "paths": {}}', /^\S+ is no OpenAPI description/],
    [
      'refers to what it does not have',
      altered(({ schemas }) => delete schemas.Wallet),
      /refers to #\/components\/schemas\/Wallet/,
    ],
    [
      'refers to another file',
      published.replaceAll('#/components/schemas/Wallet"', 'wallet.json"'),
      /refers to wallet\.json/,
    ],
  ])('is 2 for a file that %s, with one line', async (_, content, line) => {
    const { exitCode, text } = await printed(content);
    expect(text).toMatch(line);
    expect(exitCode).toBe(2);
  });

  it('is 2 for a file that is not there', async () => {
    expect(await interfaceCommand(['absent.json'])).toEqual({ exitCode: 2, text: 'absent.json is not there\n' });
  });

  it.each([
    ['without a file', []],
    ['with two files', ['one.json', 'two.json']],
    ['with an option that is none', ['one.json', '--all']],
  ])('is 2 %s, with the usage', async (_, args) => {
    const { exitCode, text } = await interfaceCommand(args);
    expect(text).toMatch(/^npm run interface -- FILE/);
    expect(exitCode).toBe(2);
  });
});
