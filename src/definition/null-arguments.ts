/**
 * Null arguments. Some hosts send null for every optional argument that their model leaves out. So a null clears a
 * value only where there is one to clear (`clear` lists them), and not in a call where every argument was filled in.
 */

import * as z from 'zod';
import { isRecord, type JsonRecord, ownValue } from '../lib/json.ts';
import { type AnyTool, changesAccount, definitionOf, exportable, unwrapped } from './define.ts';

/** A write's arguments that null clears, which can also be named in `clear`. */
export function clearable(tool: AnyTool): string[] {
  const { shape } = tool.input;
  return tool.effect === 'write' ? Object.keys(shape).filter(name => offersNull(shape[name])) : [];
}

/** The arguments that the listing adds to a tool's own, in every mode. */
export function addedArguments(tool: AnyTool): string[] {
  const writes = changesAccount(tool.effect);
  return [
    ...(writes ? ['dry_run'] : []),
    ...(tool.more !== undefined ? ['detail'] : []),
    ...(exportable(tool) ? ['format'] : []),
    ...(clearable(tool).length > 0 ? ['clear'] : []),
  ];
}

/** The arguments without nulls that clear nothing, at any depth; the same object if none exists. */
export function withoutStrayNulls(tool: AnyTool, args: JsonRecord): JsonRecord {
  return strip(tool.input, args) as JsonRecord;
}

/**
 * The arguments whose null means "left out" although it could clear a value, because the host fills in every
 * argument. It does so if all optional arguments of the tool are there, and with them either all added ones (`dry_run`,
 * `detail`, `clear`) or a null that clears nothing. `args` are the arguments as sent.
 */
export function filledInNulls(tool: AnyTool, args: JsonRecord): string[] {
  const offered = clearable(tool).filter(name => args[name] === null);
  if (offered.length === 0) return [];
  const { shape } = tool.input;
  const optional = Object.keys(shape).filter(name => shape[name]._zod.optin === 'optional');
  const added = addedArguments(tool);
  const isThere = (name: string): boolean => args[name] !== undefined;
  const stray = [...optional, ...added].some(name => args[name] === null && !offered.includes(name));
  return optional.every(isThere) && (stray || added.every(isThere)) ? offered : [];
}

/** Removes nulls only under names that we define; in free-form objects (metadata, prices) a null is the caller's. */
function strip(schema: z.core.$ZodType, value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { shape, element } = unwrapped(schema);
  if (Array.isArray(value)) {
    if (element === undefined) return value;
    const entries = value.map(entry => strip(element, entry, depth + 1));
    return entries.some((entry, index) => entry !== value[index]) ? entries : value;
  }
  if (shape === undefined) return value;
  // A nested object in which everything was filled in, as in `filledInNulls`.
  const filledIn = depth > 0 && isFilledIn(shape, value as JsonRecord);
  let copy: JsonRecord | undefined;
  for (const [name, entry] of Object.entries(value)) {
    const field = ownValue(shape, name);
    if (field === undefined) continue;
    const kept = strip(field, entry, depth + 1);
    const isNull = entry === null && (filledIn || !offersNull(field));
    const stray = isNull || (mayGo(field) && isEmptied(entry, kept));
    if (kept === entry && !stray) continue;
    copy ??= { ...value };
    if (stray) delete copy[name];
    else copy[name] = kept;
  }
  return copy ?? value;
}

/** Was an object filled with nothing but nulls? It says no more than a null in its place; `{}` could clear something. */
function isEmptied(value: unknown, kept: unknown): boolean {
  return kept !== value && isRecord(kept) && Object.keys(kept).length === 0;
}

/** Not an object that must be there, nor one that says something when it is empty (`keptEmpty`). */
function mayGo(schema: z.core.$ZodType): boolean {
  return schema._zod.optin === 'optional' && z.globalRegistry.get(innermost(schema))?.keptEmpty !== true;
}

function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  const { innerType } = definitionOf(schema);
  return innerType === undefined ? schema : innermost(innerType);
}

function isFilledIn(shape: Record<string, z.core.$ZodType>, value: JsonRecord): boolean {
  const fields = Object.entries(shape);
  const isThere = fields.every(([name]) => value[name] !== undefined);
  return isThere && fields.some(([name, field]) => value[name] === null && !offersNull(field));
}

/** Does null clear the value? */
function offersNull(schema: z.core.$ZodType): boolean {
  const { type, innerType } = definitionOf(schema);
  if (type === 'nullable') return z.globalRegistry.get(schema)?.quietNull !== true;
  return innerType !== undefined && offersNull(innerType);
}
