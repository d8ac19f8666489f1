/**
 * The file of `BILLING_ROLES`: what it may say, as a schema that is published for editors (docs/roles.schema.json), and
 * reading it. Every problem is a sentence that names the file, the line, the role and the nearest valid name.
 */
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import * as z from 'zod';
import { maskedFields } from '../../../contract/masked-fields.ts';
import { proofs } from '../../../definition/asking.ts';
import { toolsets } from '../../../definition/define.ts';
import { isTooDeep, tooDeepProblem } from '../../../lib/jsonc.ts';
import { nearest } from '../../../lib/nearest-word.ts';
import { fileReason } from '../../../lib/system-errors.ts';
import { cutText } from '../../../lib/text.ts';
import { amountProblems } from '../../../server/settings/amount-setting.ts';
import { confirmProblems } from '../../../server/settings/confirm-rules.ts';
import { ConfigError } from '../../../server/settings/settings.ts';
import type { Roles } from './role.ts';

/** No blank and no `/`: the name of a role stands in lines of the tokens file, in logs and in audit lines. */
const roleName = /^[A-Za-z0-9][\w.:-]{0,63}$/;

/** The schema of the file; `tools` are the names of the catalogue. */
export function rolesFileSchema(tools: readonly string[]) {
  const tool = z.enum(tools);
  const role = z
    .strictObject({
      toolsets: z.array(z.enum(toolsets)).min(1).describe('Only the tools for these resources').optional(),
      tools: z.array(tool).min(1).describe('Only these tools, in addition to those of toolsets').optional(),
      exclude_tools: z.array(tool).describe("Removes these from the role's tools").optional(),
      read_only: z.boolean().describe('Removes all tools that change records').optional(),
      max_amount: z
        .string()
        .describe('Largest amount per write, for each currency in major units, e.g. USD:1000,EUR:1000')
        .optional(),
      max_amount_per_day: z
        .string()
        .describe("Largest total of a caller's writes per UTC day, in the form of max_amount")
        .optional(),
      confirm: z
        .string()
        .describe('When to ask for confirmation, in the form of BILLING_CONFIRM. It only tightens that setting')
        .optional(),
      confirmed_by: z
        .enum(proofs)
        .describe('Weakest proof that confirms a write, as in the confirmed_by of receipts. Default: policy, so any')
        .optional(),
      customers: z
        .array(z.string().min(1))
        .describe('External IDs of the customers that the role can see. An empty list: none')
        .optional(),
      mask: z.array(z.enum(maskedFields)).describe('Personal data that answers omit').optional(),
    })
    .describe("What a caller with this role can do. It never exceeds the server's settings");
  return z
    .strictObject({
      $schema: z.string().describe('Address of this schema, for editors').optional(),
      claim: z
        .string()
        .min(1)
        .describe(
          'Claim of the access token that holds the role, or a list with one role of this file. Default: billing_role',
        )
        .optional(),
      roles: z.record(z.string().regex(roleName), role).describe('Roles by name'),
    })
    .describe('Roles for usage-billing-mcp (BILLING_ROLES)');
}

type RolesFile = z.infer<ReturnType<typeof rolesFileSchema>>;

/** Reads the file, with comments and commas at the end of lists. Throws ConfigError with every problem found. */
function readRolesFile(path: string, tools: readonly string[]): RolesFile {
  const file = `BILLING_ROLES: ${basename(path)}`;
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new ConfigError([`BILLING_ROLES: ${resolve(path)} cannot be read: ${fileReason(error)}.`]);
  }
  const at = (offset: number) => `${file}, line ${text.slice(0, offset).split('\n').length}: `;
  if (isTooDeep(text)) throw new ConfigError([`${at(0)}${tooDeepProblem}. Write it as in docs/hosting.md.`]);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined || root === undefined) {
    const what = error === undefined ? 'the file is empty' : `not JSON (${printParseErrorCode(error.error)})`;
    throw new ConfigError([`${at(error?.offset ?? 0)}${what}. Write it as in docs/hosting.md.`]);
  }
  const duplicates = duplicateKeys(root).map(
    key => `${at(key.offset)}${JSON.stringify(key.value)} appears twice or is not allowed here.`,
  );
  if (duplicates.length > 0) throw new ConfigError(duplicates);
  const schema = rolesFileSchema(tools);
  const roleFields = Object.keys(schema.shape.roles.valueType.shape);
  const parsed = schema.safeParse(plainValue(root));
  const problems: Problem[] = parsed.success
    ? meaningProblems(parsed.data)
    : parsed.error.issues.flatMap(issue => issueProblems(issue, root, roleFields));
  if (problems.length > 0 || !parsed.success) {
    const offset = ({ where, key = [] }: Problem) => nodeAt(root, [...where, ...key]).offset;
    const inOrder = problems.toSorted((one, other) => offset(one) - offset(other));
    throw new ConfigError(inOrder.map(problem => `${at(offset(problem))}${placeOf(problem.where)}${problem.sentence}`));
  }
  return parsed.data;
}

interface Problem {
  where: readonly PropertyKey[];
  /** The key below `where` whose line the message names. */
  key?: readonly string[];
  sentence: string;
}

/** Each key that stands twice in an object, of which JSON would silently keep the last, and each `__proto__`. */
function duplicateKeys(node: Node): Node[] {
  const children = node.children ?? [];
  const innerKeys = children.flatMap(duplicateKeys);
  if (node.type !== 'object') return innerKeys;
  const keys = children.flatMap(({ children: [key] = [] }) => (key === undefined ? [] : [key]));
  const first = new Map(keys.toReversed().map(key => [key.value, key]));
  return [...keys.filter(key => first.get(key.value) !== key || key.value === '__proto__'), ...innerKeys];
}

function plainValue({ type, value, children = [] }: Node): unknown {
  if (type === 'array') return children.map(plainValue);
  if (type !== 'object') return value;
  return Object.fromEntries(
    children.map(({ children: [key, inner] = [] }) => [String(key?.value), inner && plainValue(inner)]),
  );
}

/** The nearest node that exists: for a missing one, its parent. */
function nodeAt(root: Node, where: readonly PropertyKey[]): Node {
  for (let length = where.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(root, where.slice(0, length) as (string | number)[]);
    // The property with its key, which may stand in an earlier line than the value.
    if (node !== undefined) return node.parent?.type === 'property' ? node.parent : node;
  }
  return root;
}

/** `role support: tools: `, which stands before the sentence of a problem. */
function placeOf([top, role, ...inner]: readonly PropertyKey[]): string {
  if (top !== 'roles' || role === undefined) return '';
  const fields = inner.filter(part => typeof part === 'string');
  return [`role ${cutText(String(role), 64)}`, ...fields, ''].join(': ');
}

type Issue = z.core.$ZodIssue;

function issueProblems(issue: Issue, root: Node, roleFields: readonly string[]): Problem[] {
  const where = issue.path;
  const node = findNodeAtLocation(root, where as (string | number)[]);
  const value = node === undefined ? undefined : plainValue(node);
  if (issue.code === 'unrecognized_keys') {
    const known = where.length === 0 ? ['roles', 'claim'] : roleFields;
    return issue.keys.map(key => ({ where, key: [key], sentence: `there is no field ${withGuess(key, known)}` }));
  }
  if (issue.code === 'invalid_key') {
    const form = 'letters and digits, and after the first character also _ . : or -, at most 64 in total';
    return [{ where, sentence: `the name of a role has ${form}.` }];
  }
  if (issue.code === 'invalid_value' && typeof value === 'string') {
    const what = { tools: 'tool', exclude_tools: 'tool', toolsets: 'toolset' }[String(where[2])] ?? 'value';
    return [{ where, sentence: `there is no ${what} ${withGuess(value, issue.values.map(String))}` }];
  }
  if (issue.code === 'too_small')
    return [
      { where, sentence: `this ${issue.origin === 'array' ? 'list' : 'text'} is empty: fill it in or remove it.` },
    ];
  if (value === undefined) return [{ where, sentence: `${String(where.at(-1) ?? 'an object')} is missing.` }];
  const wanted = 'expected' in issue ? wantedWords[String(issue.expected)] : undefined;
  return [{ where, sentence: `this must be ${wanted ?? 'something else'}.` }];
}

const wantedWords: Record<string, string> = {
  array: 'a list',
  string: 'a text',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
};

function withGuess(name: string, known: readonly string[]): string {
  const guess = nearest(name, known);
  const shown = JSON.stringify(cutText(name, 64));
  return guess === null ? `${shown}. Valid: ${known.join(', ')}.` : `${shown} (did you mean ${guess}?).`;
}

/** The problems that the schema cannot find. */
function meaningProblems({ roles }: RolesFile): Problem[] {
  const entries = Object.entries(roles);
  if (entries.length === 0)
    return [{ where: ['roles'], sentence: 'the file has no roles, so no caller would have access. Add one.' }];
  return entries.flatMap(([name, { tools = [], exclude_tools = [], ...limits }]) => {
    const where = ['roles', name];
    const both = tools.filter(tool => exclude_tools.includes(tool));
    return [
      ...both.map(tool => ({
        where,
        key: ['exclude_tools'],
        sentence: `tools and exclude_tools both name ${tool}: remove it from one of them.`,
      })),
      ...(['confirm', 'max_amount', 'max_amount_per_day'] as const).flatMap(key => {
        const text = limits[key];
        const problemsOf = key === 'confirm' ? confirmProblems : amountProblems;
        const problems = text === undefined ? [] : problemsOf(text, key);
        return problems.map(sentence => ({ where, key: [key], sentence }));
      }),
    ];
  });
}

/** Reads the roles; `tools` are the names of the catalogue. Throws ConfigError with every problem of the file. */
export function readRoles(path: string, tools: readonly string[]): Roles {
  const { roles, claim = 'billing_role' } = readRolesFile(path, tools);
  const byName = new Map(
    Object.entries(roles).map(
      ([name, { toolsets = [], tools: named = [], exclude_tools, read_only, customers, mask, ...limits }]) => {
        const offered = [...toolsets, ...named];
        const narrowed = {
          excludeTools: exclude_tools,
          mask,
          maxAmount: limits.max_amount,
          maxAmountPerDay: limits.max_amount_per_day,
          confirm: limits.confirm,
          proof: limits.confirmed_by,
        };
        return [name, { name, access: { readOnly: read_only === true, tools: offered, ...narrowed }, customers }];
      },
    ),
  );
  return Object.assign(byName, { claim });
}
