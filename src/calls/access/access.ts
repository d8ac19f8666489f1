/**
 * What each caller may do and see: from `BILLING_READ_ONLY`, `BILLING_LOOKUPS`, `BILLING_TOOLS`, `BILLING_EXCLUDE_TOOLS`,
 * `BILLING_MASK`, its scopes, its role, and the customers that it is bound to.
 */

import type { ConfirmRules } from '../../contract/confirm-levels.ts';
import { type MaskedField, maskedFields } from '../../contract/masked-fields.ts';
import { type ConfirmedBy, levelFor } from '../../definition/asking.ts';
import { type Access, type AmountLimits, everyScope, type Rights, type Scope } from '../../definition/caller.ts';
import { changesAccount, type Effect, isLookup, type ToolDefinition, toolsets } from '../../definition/define.ts';
import type { Refused } from '../../definition/failure.ts';
import { nearest } from '../../lib/nearest-word.ts';
import { largestAmounts } from '../../server/settings/amount-setting.ts';
import { confirmRules, namesAmounts } from '../../server/settings/confirm-rules.ts';
import { type Config, ConfigError } from '../../server/settings/settings.ts';

/** The properties that decide about access: a tool definition has them, and so has an entry of a prepared list. */
export type AccessibleTool = Pick<ToolDefinition, 'name' | 'toolset' | 'effect' | 'answer'> & {
  /** Set for the tool that makes several changes by other tools. */
  set?: unknown;
  /** It is about the whole account: not for callers who are bound to customers. */
  accountWide?: boolean;
  /** The properties that are different for such callers. */
  bound?: object;
};

/** The settings of the server, or what a role narrows: its `confirm` can only tighten theirs. */
export interface AccessSettings
  extends Partial<
    Pick<Config, 'lookups' | 'tools' | 'excludeTools' | 'mask' | 'maxAmount' | 'maxAmountPerDay'> & {
      confirm: string | undefined;
      /** The weakest proof of a confirmation: of a role. */
      proof: ConfirmedBy | undefined;
    }
  > {
  readOnly: boolean;
}

/** What each role narrows. */
export type AccessRoles = ReadonlyMap<string, { access: AccessSettings }>;

/** With the tools that the caller sees, in catalogue order; the same list for the same rights. */
interface ListedAccess<Tool extends AccessibleTool> extends Access {
  readonly tools: readonly Tool[];
}

/** The access of a caller: always the same for the same object. */
export type AccessOf<Tool extends AccessibleTool = AccessibleTool> = (caller: Rights) => ListedAccess<Tool>;

const scopeOf: Record<Effect, Scope> = {
  read: 'billing:read',
  compute: 'billing:read',
  write: 'billing:write',
  delete: 'billing:delete',
};
/** Set for the lists of callers who are bound to customers. */
const boundBit = 1 << everyScope.length;

/**
 * Toolsets and tools add up (a tool is offered when it or its toolset is named; all are when nothing is); exclusions and
 * read-only remove. Throws ConfigError for unknown names: a typo must never grant a permission.
 */
export function createAccess<Tool extends AccessibleTool>(
  settings: AccessSettings,
  tools: readonly Tool[],
  roles?: AccessRoles,
): AccessOf<Tool> {
  checkNames(settings, tools);
  const offered = offeredTools(settings, tools);
  if (offered.size === 0 && tools.length > 0) throw new ConfigError([noToolLeft(settings)]);
  const server: ServerRules<Tool> = { settings, tools, byName: new Map(tools.map(tool => [tool.name, tool])), offered };
  const grants = roles === undefined ? undefined : grantsOfRoles(roles, server);
  const everyone = roles === undefined ? grantOf(offered, server) : undefined;
  const known = new WeakMap<Rights, ListedAccess<Tool>>();
  return caller => {
    let access = known.get(caller);
    if (access === undefined) {
      access = accessFor(server, everyone ?? grants?.get(caller.role ?? ''), caller);
      known.set(caller, access);
    }
    return access;
  };
}

interface ServerRules<Tool> {
  settings: AccessSettings;
  tools: readonly Tool[];
  byName: ReadonlyMap<string, Tool>;
  /** The names of the tools that the settings of the server leave. */
  offered: ReadonlySet<string>;
}

/** What the settings leave to the callers in one role, or to every caller where there are no roles. */
interface Grant<Tool> {
  offered: ReadonlySet<string>;
  /** Of the server, and of the role. */
  settings: readonly AccessSettings[];
  /** Sixteen lists, one for each combination of scopes and binding. */
  lists: readonly (readonly Tool[])[];
  hidden: ReadonlySet<MaskedField> | undefined;
  /** `hidden` as text, in the order of the setting. */
  mask: string;
  amounts: readonly AmountLimits[];
  dayAmounts: readonly AmountLimits[];
  confirm: readonly ConfirmRules[];
  proof: ConfirmedBy;
}

/** Of callers who have none of the roles: no tool, no amount, and nothing personal is shown. */
const nothing: Pick<Grant<never>, 'hidden' | 'mask' | 'amounts' | 'dayAmounts' | 'confirm' | 'proof'> & {
  tools: readonly never[];
} = {
  tools: [],
  hidden: new Set(maskedFields),
  mask: maskedFields.join(),
  amounts: [{ largest: new Map(), statedBy: 'BILLING_ROLES' }],
  dayAmounts: [],
  confirm: [],
  proof: 'person',
};

/** `grant`: undefined where there are roles and the caller has none of them: nothing is granted, and all is hidden. */
function accessFor<Tool extends AccessibleTool>(
  { settings, byName, offered }: ServerRules<Tool>,
  grant: Grant<Tool> | undefined,
  caller: Rights,
): ListedAccess<Tool> {
  const { id = '', customers, unbound, role = '', scopes } = caller;
  const tools = grant?.lists[bitsOf(caller)] ?? nothing.tools;
  const { hidden, mask, amounts, dayAmounts, confirm, proof } = grant ?? nothing;
  const missingScope = (name: string) => {
    const tool = byName.get(name);
    if (tool === undefined || scopes === null) return undefined;
    const scope = scopeOf[tool.effect];
    return scopes.has(scope) ? undefined : scope;
  };
  return {
    tools,
    unbound,
    customers,
    hidden,
    amounts,
    dayAmounts,
    confirm,
    proof,
    missingScope,
    // What a bound caller may not list is not kept for it by others.
    view: customers === undefined ? mask : `${mask}\0${id}\0${JSON.stringify(customers)}`,
    allows(name) {
      if (unbound !== undefined) return { code: 'binding_needed', facts: { what: name, unbound } };
      const tool = byName.get(name);
      if (tool === undefined) throw new Error(`there is no tool ${name}`);
      if (settings.readOnly && changesAccount(tool.effect)) return { code: 'read_only', facts: { tool: name } };
      const notOffered: Refused = { code: 'tool_not_offered', facts: { case: 'server', tool: name } };
      if (!offered.has(name)) return notOffered;
      if (grant === undefined)
        return { code: role === '' ? 'role_missing' : 'role_unknown', facts: { case: 'call', tool: name } };
      if (!grant.offered.has(name))
        return grant.settings.some(({ readOnly }) => readOnly) && changesAccount(tool.effect)
          ? { code: 'read_only', facts: { tool: name, role } }
          : { code: 'tool_not_offered', facts: { case: 'role', tool: name, role } };
      if (customers !== undefined && tool.accountWide)
        return { code: 'tool_not_offered', facts: { case: 'account', tool: name } };
      const missing = missingScope(name);
      if (missing !== undefined) return { code: 'insufficient_scope', facts: { tool: name, scope: missing } };
      // Without any other write there is nothing that a set could hold.
      return tool.set === undefined || tools.some(each => each.name === name) || notOffered;
    },
    mayRead: name =>
      unbound === undefined &&
      grant !== undefined &&
      !grant.settings.some(({ excludeTools }) => excludeTools?.includes(name)) &&
      (scopes === null || scopes.has('billing:read')),
  };
}

/** `role`: undefined where there are no roles. */
function grantOf<Tool extends AccessibleTool>(
  offered: ReadonlySet<string>,
  { settings: server, tools }: Pick<ServerRules<Tool>, 'settings' | 'tools'>,
  role?: { name: string; access: AccessSettings },
): Grant<Tool> {
  const settings = role === undefined ? [server] : [server, role.access];
  const limitsBy = (setting: 'maxAmount' | 'maxAmountPerDay', statedBy: string) => [
    ...limitsOf(server[setting], statedBy),
    ...(role ? limitsOf(role.access[setting], `the role ${role.name}`) : []),
  ];
  const amounts = limitsBy('maxAmount', 'BILLING_MAX_AMOUNT');
  const dayAmounts = limitsBy('maxAmountPerDay', 'BILLING_MAX_AMOUNT_PER_DAY');
  const { confirm: rules, proof = 'policy' } = role?.access ?? {};
  const stated = [rules, levelFor(proof)].filter(text => text !== undefined);
  const confirm = stated.map(text => confirmRules(text, 'never'));
  const masked = new Set(settings.flatMap(({ mask = [] }) => mask));
  const hidden = masked.size === 0 ? undefined : masked;
  const mask = maskedFields.filter(field => masked.has(field)).join();
  const lists = Array.from({ length: 2 * boundBit }, (_, bits) => grantedTools(offered, tools, bits));
  return { offered, settings, lists, hidden, mask, amounts, dayAmounts, confirm, proof };
}

function limitsOf(text: string | undefined, statedBy: string): AmountLimits[] {
  return text === undefined ? [] : [{ largest: largestAmounts(text), statedBy }];
}

/** What each role grants, of what the server offers. Throws ConfigError for a role without any tool. */
function grantsOfRoles<Tool extends AccessibleTool>(
  roles: AccessRoles,
  { settings, tools, offered }: ServerRules<Tool>,
): ReadonlyMap<string, Grant<Tool>> {
  const grants = [...roles].map(([name, { access }]) => {
    const ofRole = [...offeredTools(access, tools)].filter(tool => offered.has(tool));
    return [name, grantOf(new Set(ofRole), { settings, tools }, { name, access })] as const;
  });
  const refuseRoles = (names: readonly string[], problem: string) => {
    if (names.length > 0) throw new ConfigError(names.map(name => `BILLING_ROLES: role ${name}: ${problem}`));
  };
  const lacksDayLimit = ({ confirm = '', maxAmountPerDay = settings.maxAmountPerDay }: AccessSettings) =>
    namesAmounts(confirm) && maxAmountPerDay === undefined;
  refuseRoles(
    [...roles].filter(([, { access }]) => lacksDayLimit(access)).map(([name]) => name),
    'confirm has a rule with an amount, which needs max_amount_per_day or BILLING_MAX_AMOUNT_PER_DAY. Set one of them.',
  );
  refuseRoles(
    grants.filter(([, grant]) => grant.offered.size === 0).map(([name]) => name),
    "together with the server's settings, it leaves no tools. Allow at least one.",
  );
  return new Map(grants);
}

function offeredTools(settings: AccessSettings, tools: readonly AccessibleTool[]): Set<string> {
  const { readOnly, lookups = true, tools: named = [], excludeTools } = settings;
  const offered = tools.filter(tool => {
    const chosen = named.length === 0 || named.includes(tool.toolset) || named.includes(tool.name);
    const removed = (readOnly && changesAccount(tool.effect)) || (!lookups && isLookup(tool));
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
  const used: [string, boolean][] = [
    ['BILLING_READ_ONLY', settings.readOnly],
    ['BILLING_LOOKUPS', settings.lookups === false],
    ['BILLING_TOOLS', (settings.tools?.length ?? 0) > 0],
    ['BILLING_EXCLUDE_TOOLS', (settings.excludeTools?.length ?? 0) > 0],
  ];
  const names = used.filter(([, isUsed]) => isUsed).map(([name]) => name);
  return `${names.join(', ')}: together these settings leave no tools. Allow at least one.`;
}

/** The tools of a list, in catalogue order; a caller who is bound to customers gets nothing of the whole account. */
function grantedTools<Tool extends AccessibleTool>(
  names: ReadonlySet<string>,
  tools: readonly Tool[],
  bits: number,
): readonly Tool[] {
  const hasScope = (effect: Effect) => (bits & (1 << everyScope.indexOf(scopeOf[effect]))) !== 0;
  const inScope = tools.filter(tool => names.has(tool.name) && hasScope(tool.effect));
  const forBound = (tool: Tool) => (tool.bound ? { ...tool, ...tool.bound } : tool);
  const granted = (bits & boundBit) === 0 ? inScope : inScope.filter(tool => !tool.accountWide).map(forBound);
  // A set needs something to be made of.
  const writes = granted.some(tool => changesAccount(tool.effect) && !tool.set);
  return writes ? granted : granted.filter(tool => !tool.set);
}

function bitsOf({ scopes, customers }: Rights): number {
  const bound = customers === undefined ? 0 : boundBit;
  return everyScope.reduce(
    (bits, scope, index) => bits | (scopes === null || scopes.has(scope) ? 1 << index : 0),
    bound,
  );
}
