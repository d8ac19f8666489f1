/** The account file as JSON Schema: for editors, for the documentation, and for suggestions in errors. */
import * as z from 'zod';
import { accountFileSchema } from './schema.ts';

/** What we read of a JSON Schema. */
export interface Shape {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Shape[];
  items?: Shape;
  properties?: { [key: string]: Shape };
  additionalProperties?: Shape | boolean;
  required?: string[];
  default?: unknown;
  description?: string;
  maxLength?: number;
}

export function fileShape(): Shape {
  return z.toJSONSchema(accountFileSchema, {
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

/** The keys that the place has; none for places with any keys. */
export function knownKeys(path: readonly PropertyKey[]): string[] {
  let shape: Shape | undefined = fileShape();
  for (const step of path) {
    const inner: Shape | undefined = shape && withMembers(shape);
    shape = typeof step === 'number' ? inner?.items : inner?.properties?.[String(step)];
  }
  return Object.keys((shape && withMembers(shape))?.properties ?? {});
}

/** The object or list, also of one that may be null. */
function withMembers(shape: Shape): Shape | undefined {
  return [shape, ...(shape.anyOf ?? [])].find(each => each.properties ?? each.items);
}
