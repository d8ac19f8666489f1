/**
 * The tools of each caller: `BILLING_READ_ONLY`, `BILLING_LOOKUPS`, `BILLING_TOOLS`, `BILLING_EXCLUDE_TOOLS`, scopes, roles.
 */

import { nearest } from '../../lib/nearest-word.ts';
import { ConfigError } from '../../server/settings/settings.ts';
import type { Rights, Scope } from '../../tool/caller.ts';
import { type ToolDefinition, toolsets } from '../../tool/define.ts';
import { changesAccount, type Effect } from '../../tool/effect.ts';
import type { OwnError } from '../../tool/failure.ts';
import { bindingNeeded } from '../../tool/unbound-caller.ts';

/** The properties that decide about access: a tool definition has them, and so has an entry of a prepared list. */
export type AccessibleTool = Pick<ToolDefinition, 'name' | 'toolset' | 'effect'> & {
  /** Set for the tools that `BILLING_LOOKUPS=false` takes away. */
  lookup?: unknown;
  /** It is about the whole account: not for callers who are bound to customers. */
  accountWide?: boolean;
  /** The properties that are different for such callers. */
  bound?: object;
};

export interface AccessSettings {
  readOnly: boolean;
  /** False: without the tools that find and list records. */
  lookups?: boolean;
  /** Names as written in the configuration, of tools and of toolsets; undefined or empty when the setting is not set. */
  tools?: readonly string[] | undefined;
  /** Names of tools. */
  excludeTools?: readonly string[] | undefined;
}

/** The part of each role that decides about tools. */
export type AccessRoles = ReadonlyMap<string, { access: AccessSettings }>;

export interface Access<Tool extends AccessibleTool = AccessibleTool> {
  /** May this caller call this tool? The error is the answer to a call of a tool that is not listed. */
  allows(tool: AccessibleTool, caller: Rights): true | OwnError;
  /**
   * May a write of this caller read the record that this tool shows? Also where the tool itself is not offered, unless the
   * operator excludes it by name.
   */
  mayRead(tool: string, caller: Rights): boolean;
  /** The index in `variants` of the list that a caller sees; there are sixteen lists, or sixteen for each role. */
  variantOf(caller: Rights): number;
  /** Every possible list, each in catalogue order, so that all can be prepared in advance. */
  variants: readonly (readonly Tool[])[];
}

const scopeOf: Record<Effect, Scope> = {
  read: 'billing:read',
  compute: 'billing:read',
  write: 'billing:write',
  delete: 'billing:delete',
};
const scopeBits: readonly Scope[] = ['billing:read', 'billing:write', 'billing:delete'];
/** Set for the lists of callers who are bound to customers. */
const boundBit = 1 << scopeBits.length;

/**
 * Toolsets and tools add up (a tool is offered when it or its toolset is named; all are when nothing is); exclusions and
 * read-only remove. Throws ConfigError for unknown names: a typo must never grant a permission.
 */
export function createAccess<Tool extends AccessibleTool>(
  settings: AccessSettings,
  tools: readonly Tool[],
  roles?: AccessRoles,
): Access<Tool> {
  checkNames(settings, tools);
  const offered = offeredTools(settings, tools);
  if (offered.size === 0 && tools.length > 0) throw new ConfigError([noToolLeft(settings)]);
  const namesByRole = roles && offeredInRoles(roles, offered, tools);
  const nameSets = namesByRole ? [...namesByRole.values()] : [offered];
  const variants = nameSets.flatMap(names =>
    Array.from({ length: 2 * boundBit }, (_, bits) => grantedTools(names, tools, bits)),
  );
  const firstVariants =
    namesByRole && new Map([...namesByRole.keys()].map((name, index) => [name, index * 2 * boundBit]));
  return {
    variants,
    variantOf: caller => {
      if (firstVariants === undefined) return bitsOf(caller);
      const firstVariant = firstVariants.get(caller.role ?? '');
      // A caller without a role gets the first list, which is empty, like a caller without a scope.
      return firstVariant === undefined ? 0 : firstVariant | bitsOf(caller);
    },
    mayRead: (tool, { scopes, unbound, role = '' }) =>
      unbound === undefined &&
      settings.excludeTools?.includes(tool) !== true &&
      (roles === undefined || (roles.has(role) && roles.get(role)?.access.excludeTools?.includes(tool) !== true)) &&
      (scopes === null || scopes.has('billing:read')),
    allows: (tool, { scopes, customers, unbound, role = '' }) => {
      if (unbound !== undefined) return bindingNeeded(tool.name, unbound);
      if (settings.readOnly && changesAccount(tool.effect)) return readOnlyError(tool);
      if (!offered.has(tool.name)) return notOfferedError(tool);
      if (namesByRole?.get(role)?.has(tool.name) === false)
        return outsideRoleError(tool, role, roles?.get(role)?.access);
      if (namesByRole?.has(role) === false) return roleError(tool, role);
      if (customers !== undefined && tool.accountWide) return boundError(tool);
      const scope = scopeOf[tool.effect];
      return scopes === null || scopes.has(scope) || scopeError(tool, scope);
    },
  };
}

/** The tools of each role, of those that the server offers. Throws ConfigError for a role without any tool. */
function offeredInRoles(
  roles: AccessRoles,
  offered: ReadonlySet<string>,
  tools: readonly AccessibleTool[],
): Map<string, ReadonlySet<string>> {
  const offeredByRole = [...roles].map(([name, { access }]): [string, ReadonlySet<string>] => [
    name,
    new Set([...offeredTools(access, tools)].filter(tool => offered.has(tool))),
  ]);
  const empty = offeredByRole.filter(([, names]) => names.size === 0);
  if (empty.length === 0) return new Map(offeredByRole);
  throw new ConfigError(
    empty.map(([name]) => `BILLING_ROLES: role ${name}: with the settings of the server it leaves no tool at all.`),
  );
}

function offeredTools(settings: AccessSettings, tools: readonly AccessibleTool[]): Set<string> {
  const { readOnly, lookups = true, tools: named = [], excludeTools } = settings;
  const offered = tools.filter(tool => {
    const chosen = named.length === 0 || named.includes(tool.toolset) || named.includes(tool.name);
    const removed = (readOnly && changesAccount(tool.effect)) || (!lookups && tool.lookup !== undefined);
    return chosen && !removed && !excludeTools?.includes(tool.name);
  });
  return new Set(offered.map(tool => tool.name));
}

function checkNames(settings: AccessSettings, tools: readonly AccessibleTool[]): void {
  const names = tools.map(tool => tool.name);
  const problems = [
    ...unknownNames('BILLING_TOOLS', settings.tools, [...toolsets, ...names]),
    ...unknownNames('BILLING_EXCLUDE_TOOLS', settings.excludeTools, names),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
}

function unknownNames(setting: string, written: readonly string[] = [], valid: readonly string[]): string[] {
  const unknown = written.filter(name => !valid.includes(name));
  if (unknown.length === 0) return [];
  const guesses = unknown.map(name => {
    const guess = nearest(name, valid);
    return `"${name}" is not known${guess === null ? '' : ` (did you mean ${guess}?)`}`;
  });
  return [`${setting}: ${guesses.join('; ')}. Valid names: ${valid.join(', ')}.`];
}

function noToolLeft(settings: AccessSettings): string {
  return `${usedSettings(settings).join(', ')}: together they leave no tool at all. Name at least one that may be used.`;
}

function usedSettings(settings: AccessSettings): string[] {
  const used: [string, boolean][] = [
    ['BILLING_READ_ONLY', settings.readOnly],
    ['BILLING_LOOKUPS', settings.lookups === false],
    ['BILLING_TOOLS', (settings.tools?.length ?? 0) > 0],
    ['BILLING_EXCLUDE_TOOLS', (settings.excludeTools?.length ?? 0) > 0],
  ];
  return used.filter(([, isUsed]) => isUsed).map(([name]) => name);
}

/** The tools of a list, in catalogue order; a caller who is bound to customers gets nothing of the whole account. */
function grantedTools<Tool extends AccessibleTool>(
  names: ReadonlySet<string>,
  tools: readonly Tool[],
  bits: number,
): readonly Tool[] {
  const inScope = tools.filter(tool => names.has(tool.name) && hasBit(bits, scopeOf[tool.effect]));
  if ((bits & boundBit) === 0) return inScope;
  return inScope.filter(tool => !tool.accountWide).map(tool => (tool.bound ? { ...tool, ...tool.bound } : tool));
}

function bitsOf({ scopes, customers }: Rights): number {
  const bound = customers === undefined ? 0 : boundBit;
  return scopeBits.reduce(
    (bits, scope, index) => bits | (scopes === null || scopes.has(scope) ? 1 << index : 0),
    bound,
  );
}

function hasBit(bits: number, scope: Scope): boolean {
  return (bits & (1 << scopeBits.indexOf(scope))) !== 0;
}

function readOnlyError(tool: AccessibleTool): OwnError {
  return {
    status: null,
    code: 'read_only',
    message: `${tool.name} was refused: this server only reads (BILLING_READ_ONLY), and the tool changes the account.`,
    hint: 'Do not try again. Tell the person that this assistant may look things up but not change them.',
    changed: false,
  };
}

function notOfferedError(tool: AccessibleTool): OwnError {
  return {
    status: null,
    code: 'tool_not_offered',
    message: `${tool.name} was refused: the operator of this server has not made it available.`,
    hint: 'Use only the tools of the list. Tell the person that this operation is not available here.',
    changed: false,
  };
}

function boundError(tool: AccessibleTool): OwnError {
  return {
    status: null,
    code: 'tool_not_offered',
    message: `${tool.name} was refused: it is about the whole account, and this caller is bound to its own customers.`,
    hint: 'Use only the tools of the list. Tell the person that this operation is not available here.',
    changed: false,
  };
}

/** The refusal of a tool that the server offers and the caller's role does not. */
function outsideRoleError(tool: AccessibleTool, role: string, access?: AccessSettings): OwnError {
  if (access?.readOnly && changesAccount(tool.effect)) {
    return {
      ...readOnlyError(tool),
      message: `${tool.name} was refused: the role ${role} only reads, and the tool changes the account.`,
    };
  }
  return { ...notOfferedError(tool), message: `${tool.name} was refused: the role ${role} does not include it.` };
}

/** The refusal of a caller without a known role. Over HTTP, such a caller is refused before it calls anything. */
function roleError(tool: AccessibleTool, role: string): OwnError {
  const has = role === '' ? 'has none' : 'has another';
  return {
    status: null,
    code: role === '' ? 'role_missing' : 'role_unknown',
    message: `${tool.name} was refused: each caller needs a role of BILLING_ROLES, and this one ${has}.`,
    hint: 'Do not try again. The person can ask whoever grants access for a role.',
    changed: false,
  };
}

function scopeError(tool: AccessibleTool, scope: Scope): OwnError {
  return {
    status: null,
    code: 'insufficient_scope',
    message: `${tool.name} was refused: it needs the scope ${scope}, which this caller has not been granted.`,
    details: { required_scope: scope },
    hint: 'Do not try again. The person can ask whoever grants access for this scope.',
    changed: false,
  };
}
