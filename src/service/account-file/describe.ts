/** The documentation of the account file: docs/account-file.md. */
import { type ChargeModel, chargeModels } from '../../contract/enums.ts';
import { fileShape, modelShape, type Shape } from './json-schema.ts';

/** Where another page lists these words of a field in the section, as a link; null where none does. */
type LinkOf = (section: string, field: string, words: readonly unknown[]) => string | null;

/** The document: how to use a file, a sample, every field with its values and its default, and the charge models. */
export function accountFilePage(sample: string, linkOf: LinkOf = () => null): string {
  const sections = Object.entries(fileShape().properties ?? {}).filter(([name]) => name !== '$schema');
  const models = chargeModels.filter(model => model !== 'custom');
  return [
    introduction,
    `## A sample\n\nThe file [account-sample.jsonc](account-sample.jsonc):\n\n\`\`\`jsonc\n${sample.trimEnd()}\n\`\`\``,
    `## Every field\n\n${fieldNotes}`,
    ...sections.map(([name, section]) =>
      table(`### ${name}`, section.items ?? section, { linkOf: (field, words) => linkOf(name, field, words) }),
    ),
    `## Properties of charge models\n\n${modelNotes}`,
    ...models.map(modelText),
  ]
    .join('\n\n')
    .concat('\n');
}

const introduction = `# The account file

The embedded billing service starts with the account of a file: \`usage-billing-mcp service --account my-account.json\`, or
\`usage-billing-mcp --demo --account my-account.json\` for the server itself. The file is JSON; comments and trailing commas are
accepted. \`dist/account.schema.json\` of the installed package, or of a checkout after \`npm ci\`, describes it for editors,
which then complete and check it: name it in \`$schema\`.

All problems of a file are told at once, each with its place, and then nothing is loaded and nothing is started. An entry with a
value of a wrong form is checked against further rules once that is corrected. Events that count for nothing
(before or outside of a subscription, of none, without the number that a sum needs) are warned of on stderr. An account that
the database has already is not loaded again; \`service --reset\` deletes everything there first.`;

const fieldNotes = `An account file is one object with the sections below; all but \`organization\` and \`billing_entities\` may be left out.
Entries refer to each other by code, external id or number. Ids follow from these and stay the same on every load;
\`id\` (a UUID) states another one, \`created_at\` another time than the account’s own: that of its oldest invoice, else of the load.

Times are ISO 8601 with a zone, or relative to the load: \`now\`, \`now-P30D\`, \`now/month-P1M\`, \`now/month@Asia/Tokyo\`
(\`/day\`, \`/week\`, \`/month\`, \`/quarter\`, \`/year\` go to its start; steps are ISO 8601 durations, from left to right).
Amounts in \`_cents\` are integers in the minor unit; other amounts are decimal text, such as \`"12.5"\`. Totals and taxes of
invoices and credit notes follow from their fees; a stated total that differs is an error. The words of the API are those that
the table of [the interface](interface.md) lists for the same field; editors and error messages list them too.

\`plan_overrides\` of a subscription do what the API’s first override does: the taxes of the plan and of its charges, and its
minimum commitment, are dropped where the override does not state them.`;

const modelNotes = `What \`properties\` of a charge take, and those of its filters. Prices are in major units, rates in percent. A fixed charge
has one of the models \`standard\`, \`graduated\` and \`volume\`. How each model computes is in
[service-behaviour.md](service-behaviour.md), §9.`;

const meanings: Record<string, string> = {
  amount: 'of one unit; of one package with the model package',
  package_size: 'units in a package; a started one is paid whole',
  free_units: 'units before the first package',
  from_value: 'the first range starts at 0, each further one where the one before ends or one unit later',
  to_value: 'null on the last range',
  per_unit_amount: 'of one unit',
  flat_amount: 'once, when the range is reached',
  graduated_ranges: 'each prices its own units',
  graduated_percentage_ranges: 'each takes a percentage of its own units',
  volume_ranges: 'the one of the total prices all units',
  rate: 'percent',
  fixed_amount: 'of each event',
  free_units_per_events: 'so many first events are free',
  free_units_per_total_aggregation: 'units that are free',
  per_transaction_min_amount: 'least amount of one event',
  per_transaction_max_amount: 'greatest amount of one event',
  grouped_by: 'the same as pricing_group_keys',
  pricing_group_keys: 'event properties: one fee for each combination of their values',
  presentation_group_keys: 'event properties that divide usage for display; no effect on prices',
};

function modelText(model: ChargeModel): string {
  const shape = modelShape(model);
  const dynamic = model === 'dynamic' ? '\n\nThe price comes with each event, in `precise_total_amount_cents`.' : '';
  return table(`### ${model}${dynamic}`, shape, { meaning: name => meanings[name] });
}

/** What a table says beyond the types of its fields. */
interface Notes {
  meaning?(field: string): string | undefined;
  linkOf?(field: string, words: readonly unknown[]): string | null;
}

function table(heading: string, shape: Shape, notes: Notes): string {
  return [heading, '', '| field | takes | when left out |', '|---|---|---|', ...fieldRows(shape, '', notes)].join('\n');
}

function fieldRows(shape: Shape, prefix: string, notes: Notes): string[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, field]) => {
    if (name === 'id' || name === 'created_at') return [];
    const path = `${prefix}${name}`;
    const note = field.description ?? notes.meaning?.(name);
    const type = typeText(field, words => notes.linkOf?.(name, words) ?? words.map(word => `\`${word}\``).join(', '));
    const row = `| \`${path}\` | ${type}${note ? `; ${note}` : ''} | ${whenLeftOut(shape, name, field)} |`;
    const inner = nested(field);
    return inner ? [row, ...fieldRows(inner.shape, `${path}${inner.mark}`, notes)] : [row];
  });
}

function whenLeftOut(shape: Shape, name: string, field: Shape): string {
  if (shape.required?.includes(name)) return '**required**';
  if (field.absent !== undefined) return field.absent;
  return field.default === undefined ? 'none' : code(field.default);
}

/** The fields inside a field that is an object, a list of objects, or an object that may be null. */
function nested(field: Shape): { shape: Shape; mark: string } | null {
  const candidates = [field, ...(field.anyOf ?? [])];
  for (const each of candidates) {
    if (each.properties) return { shape: each, mark: '.' };
    if (each.items?.properties) return { shape: each.items, mark: '[].' };
  }
  return null;
}

function typeText(field: Shape, wordsText: (words: readonly unknown[]) => string): string {
  if (field.kind) return field.kind;
  if (field.enum) return wordsText(field.enum);
  if (field.anyOf) {
    const kinds = field.anyOf.filter(each => each.type !== 'null').map(each => typeText(each, wordsText));
    return [...new Set(kinds)].join(' or ');
  }
  const type = Array.isArray(field.type) ? field.type.find(each => each !== 'null') : field.type;
  if (type === 'array')
    return field.items?.properties ? 'list of objects' : `list of ${typeText(field.items ?? {}, wordsText)}`;
  if (type === 'string' && field.pattern?.includes('{1,30}')) return 'decimal text';
  if (type === 'string') return field.maxLength ? `text, up to ${field.maxLength} characters` : 'text';
  return type ?? 'any JSON';
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}
