/** The account file as JSON Schema: for editors, for the documentation, and for suggestions in errors. */
import * as z from 'zod';
import { type ChargeModel, chargeModels, fixedChargeModels } from '../../contract/enums.ts';
import { propertiesByModel } from '../../engine/plan-rules.ts';
import { accountFileSchema } from './schema.ts';

/** The keywords of a JSON Schema that are read here. */
export interface Shape {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Shape[];
  items?: Shape;
  properties?: { [key: string]: Shape };
  required?: string[];
  default?: unknown;
  description?: string;
  pattern?: string;
  maxLength?: number;
  /** In words, what counts when the value is left out; for values without a default. */
  absent?: string;
  /** What kind of text it is. */
  kind?: string;
  /** The words that the text may be. */
  words?: string[];
}

type Definitions = { [name: string]: object };

export const fileShape = (): Shape => shapeOf(accountFileSchema);

/** The properties of a charge model. */
export const modelShape = (model: ChargeModel): Shape => shapeOf(propertiesByModel[model]);

/** Made once: a file may have many unknown keys. */
let wholeFile: Shape | undefined;

/** The keys that may stand at a place of the file; none for a place that takes any keys. */
export function knownKeys(path: readonly PropertyKey[]): string[] {
  wholeFile ??= fileShape();
  let shape: Shape | undefined = wholeFile;
  for (const step of path) {
    const inner: Shape | undefined = shape && withMembers(shape);
    shape = typeof step === 'number' ? inner?.items : inner?.properties?.[String(step)];
  }
  return Object.keys((shape && withMembers(shape))?.properties ?? {});
}

/** The shape itself if it is an object or a list, else the object or list among its alternatives. */
function withMembers(shape: Shape): Shape | undefined {
  return [shape, ...(shape.anyOf ?? [])].find(each => each.properties ?? each.items);
}

/** `account.schema.json`: what editors complete and check. */
export function publishedSchema(): object {
  const definitions: Definitions = {};
  const shape = fileShape();
  const plan = shape.properties?.plans?.items?.properties;
  byModel(plan?.charges?.items, chargeModels);
  byModel(plan?.fixed_charges?.items, fixedChargeModels);
  const title = 'Account file of the embedded billing service of usage-billing-mcp';
  const published = forEditors(shape, definitions) as { definitions?: object };
  return { title, ...published, definitions: { ...published.definitions, ...definitions } };
}

function shapeOf(schema: z.ZodType): Shape {
  return z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
    // zod leaves out the default of a value that is transformed.
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      if (def.type === 'default') jsonSchema.default = (def as z.core.$ZodDefaultDef).defaultValue as never;
    },
  }) as Shape;
}

/** Adds to a charge which properties it has with each charge model, filters included. */
function byModel(charge: Shape | undefined, models: readonly ChargeModel[]): void {
  if (!charge) return;
  const allOf = models.map(model => {
    const properties = { properties: modelShape(model) };
    const filters = { filters: { items: { properties } } };
    // A charge that names no model has the default one.
    const requiresModel = charge.properties?.charge_model?.default === model ? {} : { required: ['charge_model'] };
    return {
      if: { properties: { charge_model: { const: model } }, ...requiresModel },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { ...properties, ...(charge.properties?.filters && filters) } },
    };
  });
  Object.assign(charge, { allOf });
}

/** The shape for editors: without our own keywords, and with each long list of words defined once. */
function forEditors(shape: Shape, definitions: Definitions): object {
  const { absent, kind, words, ...rest } = shape;
  const plain: { [key: string]: unknown } = {};
  for (const [key, value] of Object.entries(rest)) {
    if (!isNoise(key, value)) plain[key] = inside(key, value, definitions);
  }
  const description = [rest.description, absent && `left out: ${absent}`].filter(Boolean).join('; ');
  if (description !== '') plain.description = description;
  if (words === undefined || kind === undefined) return plain;
  const name = kind.replaceAll(' ', '_');
  definitions[name] = { type: 'string', enum: words };
  const { type: _, ...others } = plain;
  return { ...others, allOf: [{ $ref: `#/definitions/${name}` }] };
}

function inside(key: string, value: unknown, definitions: Definitions): unknown {
  const schema = (each: unknown) => (isShape(each) ? forEditors(each, definitions) : each);
  if (['default', 'const', 'enum', 'required'].includes(key)) return value;
  if (Array.isArray(value)) return value.map(schema);
  if (!['properties', 'definitions'].includes(key) || !isShape(value)) return schema(value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, schema(each)]));
}

function isShape(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null;
}

/** Bounds that every integer has, and the pattern of a format that is stated. */
function isNoise(key: string, value: unknown): boolean {
  return (
    Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER || (key === 'pattern' && String(value).includes('0000-0000'))
  );
}
