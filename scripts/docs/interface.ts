/** docs/interface.md: the operations and resources of the billing API, from the tools and the model. */
import * as z from 'zod';
import { objectIn, type Writable } from '../../src/contract/fields.ts';
import { resourceSchemas } from '../../src/contract/resources.ts';
import * as shared from '../../src/contract/shared.ts';
import { toolDefinitions as tools } from '../../tools/all-tools.ts';
import { contractOperations, type Operation } from '../interface/contract.ts';
import type { Shape } from '../interface/shape.ts';

/** The numbers by which the sources cite operations ("endpoint 7"). */
const operations = [
  'update_wallet',
  'update_subscription',
  'update_credit_note',
  'update_add_on',
  'delete_add_on',
  'update_invoice',
  'preview_invoice',
  'get_customer',
  'create_subscription_alert',
  'list_subscription_alerts',
  'get_wallet_alert',
  'create_billing_entity',
  'get_payment',
  'list_plans',
  'get_wallet_transaction',
  'get_customer_portal_url',
  'estimate_fees',
  'get_webhook_endpoint',
  'get_event',
];

/** Headings that differ from the capitalised name of the resource. */
const titles: Record<string, string> = { add_on: 'Add-on', event: 'Usage event' };

const intro = `# The billing interface

This server calls a usage-based billing API over HTTP. Rules of calculation and details of behaviour are in
[service-behaviour.md](service-behaviour.md), reads beyond these operations in [lookups.md](lookups.md).

## Conventions

- Every path is relative to \`{base URL}/api/v1\`. Bodies are JSON; every request carries \`Authorization: Bearer <API key>\`.
- Fields that begin with \`svc_\` are the service's own ids, which are UUIDs; \`external_\` fields are your ids.
- Fields that end in \`_cents\` are integers in the currency's minor unit: 1250 is $12.50, ¥1,250 and KD 1.250.
- Quantities, credits, rates and exact amounts are decimal strings. Instants are ISO 8601 in UTC, days are \`YYYY-MM-DD\`.
- Requests and answers wrap the fields in the resource's name (\`{"wallet": {…}}\`). Any field of an answer may be null, and
  answers may have fields that are not listed here: \`more\` names them, and \`detail: "full"\` shows them.
- A list comes in pages: a request gives \`page\` and \`per_page\`, and \`meta\` in the answer gives the position.
- A refusal has a status, a body with \`status\`, \`error\` and \`code\`, and, for 422, \`error_details\` by field. Of a body as
  \`application/problem+json\`, which gateways send, \`title\` and \`detail\` are told.
- In requests the value of an alert's threshold is decimal text, the \`units\` of a fixed charge are a number, and a preview
  always has \`customer\`: \`{}\` where it is for nobody in particular.
- A request field that this server does not know is refused with the nearest name. Installations that are older than a field
  ignore it, and the receipt says so.
- Of subscriptions, an update also sends \`usage_thresholds\`, which go before those of the plan (\`[]\` removes its own, and
  \`plan_overrides.usage_thresholds\` is deprecated), and \`activation_rules\` while the subscription is pending.
- One request may make several alerts, all or none: \`alerts\`, a list, stands in place of \`alert\` in request and answer. Where
  an installation refuses some of them, \`error_details\` has their errors by index.`;

export async function interfaceReference(): Promise<string> {
  const { named, objects, resources } = sections();
  const sent = await contractOperations();
  return [
    intro,
    '## Operations',
    ...operations.map((name, index) => operation(name, index, sent)),
    '## Reads of the lookups',
    readsTable(sent),
    '## Resources',
    ...resources.map(([title, schema]) => section(title, schema, named)),
    '## Shared objects',
    ...objects.map(([title, schema]) => section(title, schema, named)),
    '',
  ].join('\n\n');
}

function linkTo(title: string): string {
  return `[${title}](#${title.toLowerCase().replaceAll(' ', '-')})`;
}

/** The resources and the objects that they share, each with its heading. */
function sections() {
  const named = new Map<z.ZodType, string>();
  const objects: [string, z.ZodObject][] = [];
  for (const [name, schema] of Object.entries(shared)) {
    const object = objectIn(schema);
    if (!object || [...named.keys()].includes(object)) continue;
    const title = titleOf(name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`));
    named.set(object, title);
    objects.push([title, object]);
  }
  const resources = Object.entries(resourceSchemas).map(([name, schema]) => [titleOf(name), schema] as const);
  for (const [title, schema] of resources) named.set(schema, title);
  return { named, objects, resources };
}

function operation(name: string, index: number, sent: readonly Operation[]): string {
  const tool = tools.find(one => one.name === name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  const { request = null, query = [] } = sent.find(({ endpoint }) => endpoint === tool.endpoint) ?? {};
  const fields = [
    ...[...query].map(([parameter, shape]) => [`?${parameter}`, shape] as const),
    ...(request ? requestFields(request) : []),
  ];
  const rows = fields.map(([path, shape]) => `| \`${path}\` | ${shapeWords(shape)} |`);
  return [
    `### ${index + 1}. ${tool.title}`,
    `\`${tool.endpoint}\`, by the tool [\`${name}\`](tools.md#${name}). ${tool.description}`,
    ...(rows.length === 0 ? [] : [['| request | value |', '|---|---|', ...rows].join('\n')]),
  ].join('\n\n');
}

/** What is read beyond the operations, with the names in the query. */
function readsTable(sent: readonly Operation[]): string {
  const known = new Set(tools.filter(({ name }) => operations.includes(name)).map(({ endpoint }) => endpoint));
  const rows = sent
    .filter(({ endpoint }) => !known.has(endpoint as `GET /${string}`))
    .map(({ endpoint, query }) => `| \`${endpoint}\` | ${[...query.keys()].map(name => `\`${name}\``).join(', ')} |`);
  return ['| read | query |', '|---|---|', ...rows].join('\n');
}

/** Every field of a body, each by its path. */
function requestFields({ fields, entry }: Shape, path = ''): (readonly [path: string, shape: Shape])[] {
  if (entry) return requestFields(entry, `${path}[]`);
  return [...(fields ?? [])].flatMap(([name, shape]) => {
    const here = path === '' ? name : `${path}.${name}`;
    const inner = requestFields(shape, here);
    return inner.length > 0 ? inner : [[here, shape] as const];
  });
}

const kindWords = { text: 'text', number: 'number', flag: 'true or false', object: 'names and values', list: 'list' };

/** `text: weekly, monthly`, `list of text`. */
function shapeWords({ kinds, values, entry }: Shape): string {
  if (entry) return `list of ${shapeWords(entry)}`;
  if (values) return values.map(value => `\`${value}\``).join(', ');
  return kinds === null ? 'any value' : [...kinds].map(kind => kindWords[kind]).join(' or ');
}

function section(title: string, schema: z.ZodObject, named: ReadonlyMap<z.ZodType, string>): string {
  const rows = fieldsOf(schema, '', named).map(
    ([path, meaning]) => `| \`${path}\` | ${meaning.replaceAll('|', '\\|')} |`,
  );
  return [`### ${title}`, '', '| field | meaning |', '|---|---|', ...rows].join('\n');
}

function fieldsOf(schema: z.ZodObject, prefix: string, named: ReadonlyMap<z.ZodType, string>): [string, string][] {
  return Object.entries(schema.shape).flatMap(([name, field]): [string, string][] => {
    const object = objectIn(field);
    const path = `${prefix}${name}${object && isList(field) ? '[]' : ''}`;
    const meaning = [(field as z.ZodType).description, ...sentWords(field, schema)].filter(Boolean).join('; ');
    const title = object && named.get(object);
    if (title) return [[path, [meaning, `see ${linkTo(title)}`].filter(Boolean).join('; ')]];
    return [[path, meaning], ...(object ? fieldsOf(object, `${path}.`, named) : [])];
  });
}

/** What a request may send of a field: `can be changed: 1 to 50`; of a record that is only made, `can be sent`. */
function sentWords(field: unknown, schema: z.ZodObject): string[] {
  const { change } = field as Partial<Writable>;
  if (change === undefined) return [];
  const { least, most, longest, clears } = change;
  const isUpdated = tools.some(
    ({ endpoint, result }) => endpoint.startsWith('PUT') && resourceSchemas[result] === schema,
  );
  const bounds = [
    longest === undefined ? '' : `up to ${longest} characters`,
    most === undefined ? '' : `${least ?? 'any'} to ${most}`,
    most === undefined && least !== undefined ? `at least ${least}` : '',
    clears && isUpdated ? 'null clears' : '',
  ];
  return [[isUpdated ? 'can be changed' : 'can be sent', bounds.filter(Boolean).join(', ')].filter(Boolean).join(': ')];
}

function isList(field: unknown): boolean {
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable) return isList(field.unwrap());
  return field instanceof z.ZodArray;
}

function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return titles[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
