/** The account file as JSON Schema: `account.schema.json` for editors, and the tables of docs/account-file.md. */
import * as z from 'zod';
import { type ChargeModel, chargeModels, fixedChargeModels } from '../../contract/enums.ts';
import { propertiesByModel } from '../../engine/plan-rules.ts';
import { accountFileSchema } from './schema.ts';

/** The keywords of a JSON Schema that are read here. */
export interface Shape {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Shape[];
  allOf?: Shape[];
  items?: Shape;
  properties?: { [key: string]: Shape };
  required?: string[];
  default?: unknown;
  description?: string;
  maxLength?: number;
  /** The section whose entries a key names. */
  refersTo?: string;
}

const title = 'Account file of the embedded billing service of usage-billing-mcp';

/** What editors complete and check. */
export function publishedSchema(): Shape & { definitions?: { [name: string]: Shape } } {
  const shape = shapeOf(accountFileSchema.meta({ title }));
  const plan = shape.properties?.plans?.items?.properties;
  byModel(plan?.charges?.items, chargeModels);
  byModel(plan?.fixed_charges?.items, fixedChargeModels);
  return shape;
}

/** A table of each section's fields, with what a field is when it is left out. */
export function sectionTables(): string {
  const sections = Object.entries(publishedSchema().properties ?? {}).filter(([name]) => name !== '$schema');
  return sections.map(([name, section]) => table(name, section.items ?? section)).join('\n\n');
}

/** A table of the properties of each charge model that is priced. */
export function modelTables(): string {
  const models = chargeModels.filter(model => model !== 'custom');
  return models.map(model => table(model, shapeOf(propertiesByModel[model]))).join('\n\n');
}

function shapeOf(schema: z.ZodType): Shape {
  return z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod;
      // zod leaves out the default of a value that is transformed.
      if (def.type === 'default') jsonSchema.default = (def as z.core.$ZodDefaultDef).defaultValue as never;
      const { absent, description, ...others } = jsonSchema;
      if (absent === undefined) return;
      const text = [description, `left out: ${absent}`].filter(Boolean).join('; ');
      for (const key of ['absent', 'description']) delete jsonSchema[key];
      Object.assign(jsonSchema, others, { description: text });
    },
  }) as Shape;
}

/** Adds to a charge which properties it has with each charge model, filters included. */
function byModel(charge: Shape | undefined, models: readonly ChargeModel[]): void {
  const allOf = models.map(model => {
    const properties = { properties: shapeOf(propertiesByModel[model]) };
    const filters = { filters: { items: { properties } } };
    // A charge that names no model has the default one.
    const requiresModel = charge?.properties?.charge_model?.default === model ? {} : { required: ['charge_model'] };
    return {
      if: { properties: { charge_model: { const: model } }, ...requiresModel },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { ...properties, ...(charge?.properties?.filters && filters) } },
    };
  });
  Object.assign(charge ?? {}, { allOf });
}

function table(heading: string, shape: Shape): string {
  const note = shape.description === undefined ? '' : `${shape.description}\n\n`;
  return [`### ${heading}\n\n${note}| field | takes | when left out |`, '|---|---|---|', ...fieldRows(shape, '')].join(
    '\n',
  );
}

function fieldRows(shape: Shape, prefix: string): string[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, field]) => {
    if (name === 'id' || name === 'created_at') return [];
    const path = `${prefix}${name}`;
    const initially = field.default === undefined ? '' : `\`${JSON.stringify(field.default)}\``;
    const leftOut = shape.required?.includes(name) ? '**required**' : initially;
    const meanings = [field, ...(field.anyOf ?? [])].flatMap(each => each.description ?? []);
    const inner = [field, ...(field.anyOf ?? [])].flatMap(each => [
      ...fieldRows(each, `${path}.`),
      ...fieldRows(each.items ?? {}, `${path}[].`),
    ]);
    return [`| \`${path}\` | ${[typeText(field), ...meanings].join('; ')} | ${leftOut} |`, ...inner];
  });
}

function typeText(field: Shape): string {
  const kind = [field, ...(field.allOf ?? [])].find(each => each.$ref)?.$ref;
  if (kind) return kind.slice(kind.lastIndexOf('/') + 1).replaceAll('_', ' ');
  if (field.refersTo) return `one of [${field.refersTo}](#${field.refersTo})`;
  if (field.enum) return field.enum.map(word => `\`${word}\``).join(', ');
  if (field.anyOf) return field.anyOf.flatMap(each => (each.type === 'null' ? [] : typeText(each))).join(' or ');
  const type = [field.type ?? 'any JSON'].flat().find(each => each !== 'null');
  if (type === 'array') return field.items?.properties ? 'list of objects' : `list of ${typeText(field.items ?? {})}`;
  if (type !== 'string') return `${type}`;
  return field.maxLength ? `text, up to ${field.maxLength} characters` : 'text';
}
