/**
 * Selections of a record's fields, written as `code name? ending_at|null charges{code price}`: which fields a tool's
 * default answer keeps, in this order, and which names `detail` takes.
 */
import type { AnyTool } from './define.ts';

export interface Selected {
  name: string;
  /**
   * `name?`: left out also where it is 0 or false; `name?usual`: where it has this usual value; `name?=code`: where it
   * is the record's `code` written otherwise. Null and empty values are left out anyway. Null without a mark.
   */
  usual: string | null;
  /** `name|null`: stays where it is null, which means something (never ends, no upper bound). */
  nullable: boolean;
  /** Named by `detail`: stays also where it is empty, so that "none" differs from "not shown". */
  asked?: true;
  /** `name{…}`: the kept fields of a record or of each record of a list; null for the whole value. */
  fields: readonly Selected[] | null;
}

/** Throws for a text that is no selection: these are written in definitions only. */
export function parseSelection(text: string): readonly Selected[] {
  const words = text.match(/[{}]|[^\s{}]+/g) ?? [];
  let next = 0;
  const group = (inside: boolean): Selected[] => {
    const selection: Selected[] = [];
    for (let word = words[next++]; word !== undefined; word = words[next++]) {
      if (word === '}' && inside) return selection;
      const [, name, usual = null, nullable] = /^([a-z0-9_]+)(?:\?(=?[A-Za-z0-9_.]*)|(\|null))?$/.exec(word) ?? [];
      if (name === undefined) throw new Error(`"${word}" is not allowed in the selection "${text}"`);
      const nested = words[next] === '{';
      if (nested) next++;
      selection.push({ name, usual, nullable: nullable !== undefined, fields: nested ? group(true) : null });
    }
    if (inside) throw new Error(`a brace is not closed in the selection "${text}"`);
    return selection;
  };
  return group(false);
}

/** The names of a selection; those of nested fields with a full stop (`charges.properties`). */
export function pathsOf(selection: readonly Selected[]): string[] {
  return selection.flatMap(({ name, fields }) =>
    fields === null ? [name] : pathsOf(fields).map(inner => `${name}.${inner}`),
  );
}

/** The names that a tool's `detail` takes besides `full`: what its default answer leaves out, then what it shortens. */
export function detailNames(tool: Pick<AnyTool, 'brief' | 'more'>): string[] {
  const more = parseSelection(tool.more ?? '');
  const shortened = [...more, ...parseSelection(tool.brief)].filter(({ fields }) => fields !== null);
  return [...new Set([...pathsOf(more), ...shortened.map(({ name }) => name)])];
}

/** The selection with these fields added, each as a whole. */
export function withNames(selection: readonly Selected[], names: readonly string[]): readonly Selected[] {
  return names.reduce((all, name) => withPath(all, name.split('.')), selection);
}

function withPath(selection: readonly Selected[], [name = '', ...rest]: readonly string[]): readonly Selected[] {
  const existing = selection.find(field => field.name === name);
  const base = existing ?? { name, usual: null, nullable: false, fields: [] };
  if (rest.length > 0 && base.fields === null) return selection;
  const fields = rest.length === 0 || base.fields === null ? null : withPath(base.fields, rest);
  const added = { ...base, usual: null, fields, ...(rest.length === 0 && { asked: true as const }) };
  return existing === undefined ? [...selection, added] : selection.map(field => (field === existing ? added : field));
}
