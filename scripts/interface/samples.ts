/** Arguments as a caller would send them, one for each field of a tool, and the shape of the request that a tool makes of them. */
import type * as z from 'zod';
import { fieldNotes } from '../../src/definition/argument-fields.ts';
import { definitionOf } from '../../src/definition/define.ts';
import { anything, listShape, objectShape, type Shape } from './shape.ts';

/** Each text is another one, so that it is known again wherever the tool puts it in the request. */
export function markedSamples() {
  const marked = new Map<unknown, Shape>();
  const mark = (shape: Shape): string => {
    const text = `sample ${marked.size}`;
    marked.set(text, shape);
    return text;
  };
  const sample = (schema: z.core.$ZodType): unknown => {
    const { type, innerType, shape, element, options, entries } = definitionOf(schema);
    if (innerType) return sample(innerType);
    if (shape) return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, sample(field)]));
    if (element) return [sample(element)];
    if (options) return sample(options.find(option => definitionOf(option).type === 'number') ?? firstOf(options));
    if (type === 'number') return 1;
    if (type === 'boolean') return true;
    if (type === 'record') return {};
    if (type !== 'string' && type !== 'enum') return mark(anything);
    const values = fieldNotes.get(schema)?.words ?? (entries && Object.values(entries)) ?? null;
    return mark({ kinds: new Set(['text']), values });
  };
  const shapeOf = (value: unknown): Shape => {
    if (Array.isArray(value)) return listShape(value.length === 0 ? anything : shapeOf(value[0]));
    if (typeof value === 'object' && value !== null)
      return objectShape(
        Object.fromEntries(
          Object.entries(value)
            .filter(([, field]) => field !== undefined)
            .map(([name, field]) => [name, shapeOf(field)]),
        ),
      );
    if (typeof value === 'number') return { kinds: new Set(['number']) };
    if (typeof value === 'boolean') return { kinds: new Set(['flag']) };
    return marked.get(value) ?? { kinds: new Set(['text']) };
  };
  return { sample, shapeOf };
}

/** Texts of the kinds that arguments of lookups have. */
const texts = ['2026-01-31', '5eb02857-a71e-4ea2-bcf9-57d3a41bc6ba', 'USD', 'US'];

/** Values that an argument of a lookup takes: each of its words, because they decide which list it reads. */
export function plainSamples(schema: z.ZodType): unknown[] {
  const words = valuesOf(schema);
  const plain: unknown[] = words ? [...words] : [1, true, false, ...texts];
  const taken = [...plain, ...plain.map(value => [value])].filter(value => schema.safeParse(value).success);
  return words ? taken : taken.slice(0, typeof taken[0] === 'boolean' ? 2 : 1);
}

/** The closed list of an argument's values; null where there is none. */
export function valuesOf(schema: z.core.$ZodType): readonly string[] | null {
  const { innerType, element, entries } = definitionOf(schema);
  const inner = innerType ?? element;
  return inner ? valuesOf(inner) : entries ? Object.values(entries) : null;
}

function firstOf(options: readonly z.core.$ZodType[]): z.core.$ZodType {
  const [first] = options;
  if (first === undefined) throw new Error('a choice of nothing');
  return first;
}
