/**
 * What chat hosts add to a call by themselves: names of their own, blanks, and nulls for every argument that their model left
 * out. So a null clears a value only where there is one to clear (`clear` lists them), and not in a call where every
 * argument was filled in.
 */
import * as z from 'zod';
import { isRecord, type JsonRecord, ownValue } from '../lib/json.ts';
import { type AnyTool, changesAccount, definitionOf, exportable, unwrapped } from './define.ts';

/** Names that hosts add to the arguments, each with where it comes from. They are dropped in reads and writes. */
const addedByHosts: Readonly<Record<string, string>> = {
  toolCallId: 'n8n, MCP Client Tool (n8n-io/n8n issues 21500 and 21716); the Vercel AI SDK has the same name',
  tool_call_id: 'the field of chat completions in which a host keeps the id of the call',
  callId: 'the id of a call in agents whose hosts use camel case',
  call_id: 'the field of the Responses API for the same id',
  sessionId: 'n8n, chat trigger: the id of the conversation',
  session_id: 'the same with underscores',
  requestId: 'hosts that pass their own request id on',
  chatInput: 'n8n, chat trigger: the text of the user',
};

/** The arguments without the names that hosts add, unless the tool has an argument of that name. */
export function withoutHostNames(tool: AnyTool, args: JsonRecord): JsonRecord {
  const { shape } = tool.input;
  const added = Object.keys(args).filter(name => Object.hasOwn(addedByHosts, name) && !Object.hasOwn(shape, name));
  return added.length === 0 ? args : without(args, added);
}

/** Arguments that say whose or which records: a blank one must not widen a list to everybody. */
const identity =
  /(^|_)(ids?|codes?|number|email|term)$|^(metadata|group|properties|usage|compared_to)$|customer$|subscriptions?$/;

/** The arguments of a read without optional dates, words, switches and pages that are blank. */
export function withoutBlanks(tool: AnyTool, args: JsonRecord): JsonRecord {
  if (changesAccount(tool.effect)) return args;
  const { shape } = tool.input as z.ZodObject<Record<string, z.ZodType>>;
  const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';
  const isOptional = (name: string) => Object.hasOwn(shape, name) && shape[name]?._zod.optin === 'optional';
  const blank = Object.keys(args).filter(name => isBlank(args[name]) && !identity.test(name) && isOptional(name));
  return blank.length === 0 ? args : without(args, blank);
}

function without(args: JsonRecord, names: readonly string[]): JsonRecord {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));
}

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
    // An object of nothing but nulls says no more than a null in its place; `{}` could clear something.
    const isEmptied = kept !== entry && isRecord(kept) && Object.keys(kept).length === 0;
    const stray = isNull || (mayGo(field) && isEmptied);
    if (kept === entry && !stray) continue;
    copy ??= { ...value };
    if (stray) delete copy[name];
    else copy[name] = kept;
  }
  return copy ?? value;
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
