/** The reference of the account file in Markdown, made from its schema. */
import { fileShape, type Shape } from './json-schema.ts';

/** One table per section: every field, the values it takes, and its default. Goes into the README. */
export function describeAccountFile(): string {
  const sections = Object.entries(fileShape().properties ?? {}).map(([name, section]) => sectionText(name, section));
  return [introduction, ...sections].join('\n\n');
}

const introduction = [
  'An account file is one JSON object with the sections below; all but `organization` and `billing_entities` may be left out.',
  'Entries refer to each other by code, external id or number. Ids follow from these and stay the same on every load;',
  '`id` (a UUID) states another one, `created_at` another time than the account’s own: that of its oldest invoice, else of the load.',
  'Times are ISO 8601 with a zone, or relative to the load: `now`, `now-P30D`, `now/month-P1M`, `now/month@Asia/Tokyo`',
  '(`/day`, `/week`, `/month`, `/quarter`, `/year` go to its start; steps are ISO 8601 durations, from left to right).',
  'Amounts in `_cents` are integers in the minor unit; other amounts are decimal text. Totals and taxes of invoices and',
  'credit notes follow from their fees; a stated total that differs is an error. An account that the database has already',
  'is not loaded again.',
].join('\n');

function sectionText(name: string, section: Shape): string {
  const entry = section.items ?? section;
  return [`**\`${name}\`**`, '', '| field | takes | when absent |', '|---|---|---|', ...fieldRows(entry, '')].join(
    '\n',
  );
}

function fieldRows(shape: Shape, prefix: string): string[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, field]) => {
    if (name === 'id' || name === 'created_at') return [];
    const path = `${prefix}${name}`;
    const required = shape.required?.includes(name) === true;
    const note = field.description ? `; ${field.description}` : '';
    const absent = required
      ? '**required**'
      : field.default === undefined
        ? 'left out, or as said'
        : code(field.default);
    const inner = nested(field);
    const row = `| \`${path}\` | ${typeText(field)}${note} | ${absent} |`;
    return inner ? [row, ...fieldRows(inner.shape, `${path}${inner.mark}`)] : [row];
  });
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

function typeText(field: Shape): string {
  if (field.enum) return field.enum.map(value => `\`${value}\``).join(', ');
  if (field.anyOf) {
    const kinds = field.anyOf.filter(each => each.type !== 'null').map(typeText);
    return [...new Set(kinds)].join(' or ');
  }
  const type = Array.isArray(field.type) ? field.type.find(each => each !== 'null') : field.type;
  if (type === 'array') return field.items?.properties ? 'list of objects' : `list of ${typeText(field.items ?? {})}`;
  if (type === 'string') return field.maxLength ? `text, up to ${field.maxLength} characters` : 'text';
  return type ?? 'any JSON';
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}
