/**
 * `npm run docs` writes what is derived from the sources: the tables of the README and docs/configuration.md,
 * how a host is connected, server.json, llms.txt, docs/interface.md, the filters in docs/lookups.md, docs/errors.md, docs/definitions.md, docs/account-file.md, the schemas for editors, and docs/tools.md and the conversations
 * with real answers of the demo account. `npm run docs -- --check` compares instead, and fails where something is out of date.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { rolesFileSchema } from '../../src/calls/access/roles/file.ts';
import { toolList } from '../../src/calls/access/tool-list.ts';
import { resultOf } from '../../src/calls/dispatch.ts';
import { definitionsText } from '../../src/contract/definitions.ts';
import {
  creditNoteFilters,
  customerFilters,
  invoiceFilters,
  subscriptionFilters,
  transactionFilters,
  walletFilters,
} from '../../src/contract/list-filters.ts';
import { nobody } from '../../src/definition/asking.ts';
import { changesAccount, toolsets } from '../../src/definition/define.ts';
import { taskFileSchema } from '../../src/rehearse/tasks/schema.ts';
import { errorPage } from '../../src/server/protocol/error-page.ts';
import { iconSvg } from '../../src/server/protocol/identity.ts';
import { createRuntime, type Runtime } from '../../src/server/runtime.ts';
import { configurationTable } from '../../src/server/settings/help.ts';
import { loadConfig } from '../../src/server/settings/load.ts';
import { modelTables, sectionTables } from '../../src/service/account-file/json-schema.ts';
import { toolDefinitions as tools } from '../../tools/all-tools.ts';
import { glamaJson, serverJson } from '../package/manifests.ts';
import { release } from '../package/release-file.ts';
import { connectingHosts, connectingReadme, contact } from './connect.ts';
import { conversations, withAnswers } from './conversations.ts';
import { documentedAt, examples } from './examples.ts';
import { filterTable } from './filters.ts';
import { interfaceReference } from './interface.ts';
import { llmsText } from './llms.ts';

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const mostLines = 60;

const intro = () => `# Tools

Each tool with its arguments and a real call. The calls use the demo account on March 15, 2026; IDs, names, and customers are
invented. \`…\` marks a long answer that is shortened here. \`<…>\` marks a value that differs in each call.

${toolsetTable()}

With \`BILLING_CONFIRM=always\`, the list also has \`decide_write\`. Only the Approve and Decline buttons of the [pages](pages.md) call it.

### Arguments

\`metadata\` and other objects with free names are lists of \`{key, value}\`. An argument marked JSON takes an object as text. Hosts with [strict conversion](clients.md) need these forms. The server also accepts the plain object, and JSON text for any object.

### Answers

Every answer has a \`summary\`: a few sentences with formatted amounts, exceptions first. It also has the fields of the record that the next step needs, under the API's own names. Only \`price\`, a charge's price in one line, is added by this server.

- Amounts in \`*_cents\` are integers in the minor unit.
- \`more\` lists the other fields that the record has.
- \`detail\` adds fields: names from \`more\`, separated by commas (\`charges.svc_id\` for a nested field), or \`full\` for the whole record. Lists of lookups have no \`more\`: the argument names what it adds. A field asked for by name that is empty is \`null\` or \`[]\`.
- No answer exceeds 25,000 tokens. The server shortens lists above \`BILLING_MAX_RESULT_TOKENS\` (in a whole record, above 16,000 estimated tokens). The summary says what it left out.
- A write returns its receipt and the fields that identify the record.
- Clients that support MCP Apps get the data of the page in \`_meta\`, which no model reads.
`;

const errorIntro = `# Error codes

What the \`code\` of an error means. The resource \`billing://errors\` gives assistants the same text. Each error also has a
\`hint\`, which says what to do, and \`changed\`. \`changed\` is \`false\`, or \`unknown\` if a write was sent and got no clear
answer. The first table has the codes of this server. The server passes on the billing API's own codes
(\`customer_not_found\`, …) unchanged.
`;

const generated: Record<string, string> = {
  'README.md': filled('README.md', connectingReadme(release)),
  'docs/hosts.md': filled('docs/hosts.md', connectingHosts(release)),
  ...Object.fromEntries(['SECURITY.md', 'CODE_OF_CONDUCT.md'].map(name => [name, filled(name, contact(release))])),
  'docs/icon.svg': `${iconSvg}\n`,
  'server.json': `${JSON.stringify(serverJson(), null, 2)}\n`,
  'docs/configuration.md': filled('docs/configuration.md', {
    configuration: configurationTable(),
  }),
  ...(await fromDemo()),
  'docs/interface.md': await interfaceReference(),
  'docs/lookups.md': filled('docs/lookups.md', {
    'customer filters': filterTable(customerFilters),
    'subscription filters': filterTable(subscriptionFilters),
    'invoice filters': filterTable(invoiceFilters),
    'wallet filters': filterTable(walletFilters),
    'transaction filters': filterTable(transactionFilters),
    'credit note filters': filterTable(creditNoteFilters),
  }),
  'docs/errors.md': errorReference(),
  'docs/definitions.md': definitionReference(),
  'docs/roles.schema.json': schemaText(rolesFileSchema(toolList.map(({ name }) => name))),
  'docs/task-file.schema.json': schemaText(taskFileSchema, 'ref'),
  'docs/account-file.md': filled('docs/account-file.md', {
    sample: `\n\`\`\`jsonc\n${readFileSync(path('docs/account-sample.jsonc'), 'utf8').trimEnd()}\n\`\`\``,
    fields: `\n${sectionTables()}\n`,
    models: `\n${modelTables()}\n`,
  }),
};
const glama = glamaJson();
if (glama !== null) generated['glama.json'] = `${JSON.stringify(glama, null, 2)}\n`;
generated['llms.txt'] = llmsText(pages(), release);
let stale = false;
for (const [name, text] of Object.entries(generated)) {
  if (process.argv.includes('--check')) {
    if (existsSync(path(name)) && readFileSync(path(name), 'utf8') === text) continue;
    process.stderr.write(`${name} is out of date: run npm run docs and commit what it writes.\n`);
    stale = true;
  } else writeFileSync(path(name), text);
}
process.exit(stale ? 1 : 0);

/** README.md, the documents and the skills, as they are after this run. */
function pages(): [string, string][] {
  const folders: [string, string[]][] = [
    ['docs', readdirSync(path('docs')).filter(name => name.endsWith('.md'))],
    ['skills', readdirSync(path('skills')).map(name => `${name}/SKILL.md`)],
  ];
  const names = folders.flatMap(([folder, files]) => files.sort().map(name => `${folder}/${name}`));
  return ['README.md', ...names].map(name => [name, generated[name] ?? readFileSync(path(name), 'utf8')]);
}

/** A document with each text between its markers `<!-- name -->` and `<!-- /name -->`. */
function filled(file: string, parts: Record<string, string>): string {
  return Object.entries(parts).reduce(
    (text, [name, part]) => {
      const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
      const [from, to] = [text.indexOf(open), text.indexOf(close)];
      if (from < 0 || to < 0) throw new Error(`the markers of "${name}" are missing`);
      return `${text.slice(0, from + open.length)}\n${part.trimEnd()}\n${text.slice(to)}`;
    },
    readFileSync(path(file), 'utf8'),
  );
}

function toolsetTable(): string {
  const link = ({ name }: { name: string }) => `[\`${name}\`](#${name})`;
  const rows = toolsets.map(toolset => {
    const toolsOfSet = tools.filter(tool => tool.toolset === toolset);
    const named = (writing: boolean) => toolsOfSet.filter(({ effect }) => changesAccount(effect) === writing).map(link);
    return `| \`${toolset}\` | ${named(false).join(', ')} | ${named(true).join(', ')} |`;
  });
  return ['| toolset | reads and computes | changes |', '|---|---|---|', ...rows].join('\n');
}

/** For editors, which complete names of tools and mark what the program refuses. `ref`: parts that occur twice are written once. */
function schemaText(schema: z.ZodType, reused: 'inline' | 'ref' = 'inline'): string {
  return `${JSON.stringify(z.toJSONSchema(schema, { io: 'input', reused }), null, 2)}\n`;
}

/** The text of `billing://errors`, its headings a level lower. */
function errorReference(): string {
  return `${errorIntro}\n${errorPage().replace(/^# /gm, '## ')}`;
}

/** The text of `billing://definitions`, with what people read before it. */
function definitionReference(): string {
  const intro =
    'Look up here what “invoiced”, “billed”, “owed”, and “MRR” mean in every answer, report, and page. The resource `billing://definitions` gives assistants the same text, and `get_revenue` links to it. [Lookups](lookups.md) §4 and §13 describe how the service counts.';
  return definitionsText().replace(/\n\n/, `\n\n${intro}\n\n`);
}

/** What shows answers of the demo account. The calls of the tools' examples change it, so conversations get their own. */
async function fromDemo(): Promise<Record<string, string>> {
  const documents: Record<string, string> = { 'docs/tools.md': await withDemo(toolReference) };
  for (const [name, flags] of Object.entries(conversations))
    documents[name] = await withDemo(runtime => withAnswers(path(name), runtime), flags);
  return documents;
}

async function withDemo(write: (runtime: Runtime) => Promise<string>, flags: string[] = []): Promise<string> {
  const { config } = loadConfig(['--demo', '--now', documentedAt, '--confirm', 'never', ...flags], {});
  const runtime = createRuntime({ config });
  try {
    return await write(runtime);
  } finally {
    await runtime.close();
  }
}

async function toolReference(runtime: Runtime): Promise<string> {
  const sections: string[] = [];
  for (const entry of toolList) sections.push(await section(runtime, entry.name));
  return `${intro()}\n${sections.join('\n')}`;
}

async function section(runtime: Runtime, name: string): Promise<string> {
  const listed = runtime.pipeline.list({ scopes: null }).tools.find(tool => tool.name === name);
  const example = examples[name];
  if (!listed || !example) throw new Error(`scripts/docs/examples.ts has no example for ${name}`);
  const outcome = await runtime.pipeline.call(name, structuredClone(example.args), {
    caller: runtime.ownCaller(),
    client: nobody,
  });
  if (outcome.kind !== 'result' || outcome.answer.isError)
    throw new Error(`the example of ${name} failed: ${JSON.stringify(outcome)}`);
  return [
    `## ${name}`,
    '',
    listed.description,
    '',
    argumentTable(listed.inputSchema),
    '',
    `> ${example.question}`,
    '',
    '```json',
    JSON.stringify({ name, arguments: example.args }, null, 2),
    '```',
    '',
    '```json',
    shorten(JSON.stringify(steady(resultOf(outcome.answer).structuredContent, name.startsWith('create_')), null, 2)),
    '```',
    '',
  ].join('\n');
}

interface Schema {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** Everything that a schema says of the arguments, those of objects included: a test knows these keywords. */
function argumentTable(schema: Schema): string {
  return ['| argument | type | |', '|---|---|---|', ...argumentRows(schema, '')].join('\n');
}

function argumentRows({ properties = {}, required = [] }: Schema, owner: string): string[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${owner}${name}`;
    const meaning = (field.description ?? '').replaceAll('|', '\\|').replaceAll('\n', ' ');
    const row = `| \`${path}\`${required.includes(name) ? ' ★' : ''} | ${typeOf(field)} | ${meaning} |`;
    return [row, ...argumentRows(field, `${path}.`), ...argumentRows(field.items ?? {}, `${path}[].`)];
  });
}

function typeOf(field: Schema): string {
  if (field.anyOf) return field.anyOf.map(typeOf).join(' or ');
  if (field.enum) return field.enum.map(value => `\`${value}\``).join(', ');
  const { minItems, maxItems } = field;
  const bounds = minItems === undefined && maxItems === undefined ? '' : `${minItems ?? 0} to ${maxItems ?? 'any'} `;
  if (field.type === 'array') return `list of ${bounds}${field.items ? typeOf(field.items) : 'values'}`;
  return field.format ?? String(field.type ?? 'any');
}

/** Replaces values that differ from call to call by a description. */
function steady(value: unknown, created: boolean): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner) => {
      if (key === 'request_id') return '<request id>';
      if (key === 'event_transaction_id' && /^[0-9a-f-]{36}$/.test(String(inner))) return '<random>';
      if (key === 'activity_id') return '<random>';
      if (created && key === 'summary') return String(inner).replace(/ Its document numbers begin with \S+\./, '');
      if (key === 'at') return '<time>';
      if (key === 'portal_url') return '<link>';
      if (created && (key === 'svc_id' || key === 'document_number_prefix')) return '<made up by the service>';
      if (typeof inner === 'string')
        return inner.replace(/https?:\/\/127\.0\.0\.1:\d+\S*customer-portal\S*/g, '<link>');
      return inner;
    }),
  );
}

function shorten(text: string): string {
  const lines = text.split('\n');
  return lines.length <= mostLines ? text : `${lines.slice(0, mostLines).join('\n')}\n…`;
}
