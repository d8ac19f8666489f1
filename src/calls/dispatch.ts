/**
 * The entry point of a tool call: checks that the tool exists and that the caller may use it, then runs the operation,
 * which is loaded when it is first needed. Every failure becomes a result; nothing is thrown at the protocol.
 */

import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Access, Rights } from '../definition/caller.ts';
import { changesAccount } from '../definition/define.ts';
import type { Refused } from '../definition/failure.ts';
import type { ListedTool } from '../definition/listing.ts';
import { watched } from '../server/logs/observers.ts';
import { confirmRules, usesLevel } from '../server/settings/confirm-rules.ts';
import { createAccess } from './access/access.ts';
import { type ToolListEntry, toolList } from './access/tool-list.ts';
import type { CallContext, Outcome, PipelineParts } from './call/call.ts';
import { decideTool, decisionIn } from './call/page-buttons.ts';
import { errorAnswer, type ToolAnswer } from './call/result.ts';
import type { Operations } from './steps.ts';

export interface Pipeline {
  /** What the caller may do and see. */
  accessOf(caller: Rights): Access;
  /** The answer to `tools/list` for this caller; the same object for the same rights. `apps`: the client shows pages. */
  list(caller: Rights, apps?: boolean): { tools: ListedTool[] };
  /** Is this a tool of the catalogue, offered or not, or the one for the buttons of pages? */
  knows(name: string): boolean;
  /** Is this a tool that changes nothing and has no page? */
  plain(name: string): boolean;
  /** Runs one call, of a tool that it knows. Never rejects. */
  call(name: string, args: unknown, context: CallContext): Promise<Outcome>;
  /** For reads of the account outside tool calls, under the same rules. */
  apiAs: Operations['apiAs'];
  /** The file that a link of an earlier call gives to this caller; or why it gives none. */
  readFile: Operations['readFile'];
  /** The questions that are put on pages of this server. */
  pages(): Promise<Operations['pages']>;
  /** Ends the wait of calls whose question is open on a page: the server stops. */
  endWaits(): void;
  /** Loads what the first call needs. */
  load(): Promise<void>;
  close(): Promise<void>;
}

/** Throws ConfigError when a setting names a tool or a resource that does not exist. */
export function createPipeline(parts: PipelineParts): Pipeline {
  const accessOf = createAccess(parts.config, toolList, parts.roles);
  const byName = new Map(toolList.map(entry => [entry.name, entry]));
  const { confirm, ask } = parts.config;
  // A role can ask for it where the setting does not.
  const ofRoles = [...(parts.roles?.values() ?? [])].flatMap(({ access }) => access.confirm ?? []);
  const rules = [confirmRules(confirm), ...ofRoles.map(text => confirmRules(text, 'never'))];
  const byAnyWay = rules.some(each => usesLevel(each, 'always'));
  const byToken = byAnyWay && (ask.includes('token') || ask.includes('link'));
  const byButtons = byAnyWay && ask.includes('buttons');
  const lists = new WeakMap<readonly ToolListEntry[], Record<'plain' | 'apps', { tools: ListedTool[] }>>();
  const listsOf = (entries: readonly ToolListEntry[]) => {
    const tools = entries.map(entry => (byToken ? entry.confirming : entry.listed));
    const decides = byButtons && entries.some(({ effect }) => changesAccount(effect));
    const plain = { tools };
    return { plain, apps: decides ? { tools: [...tools, decideTool] } : plain };
  };
  let loading: Promise<Operations> | undefined;
  let loaded: Operations | undefined;
  const load = (): Promise<Operations> => {
    loading ??= import('./steps.ts').then(({ Operations }) => {
      loaded = new Operations(parts, accessOf);
      return loaded;
    });
    return loading;
  };

  const run = async (
    entry: ToolListEntry,
    args: unknown,
    context: CallContext,
    requestId: string,
  ): Promise<Outcome> => {
    try {
      const access = accessOf(context.caller);
      const allowed = access.allows(entry.name);
      if (allowed !== true) return failed(entry, allowed, 'refused');
      const operations = loaded ?? (await load());
      const outcome = await operations.run(entry.name, { sentArguments: args, context, requestId, access });
      return withRemark(outcome, parts.upstreams.idPrefix.problem);
    } catch (error) {
      return failed(entry, bug(entry, error, requestId), 'error');
    }
  };

  const watch = (tool: string, context: CallContext, work: (requestId: string) => Promise<Outcome>) => {
    const requestId = context.requestId ?? randomUUID();
    const { observer } = parts;
    // Without these observer hooks, a call makes no record and waits for no further promise.
    if (!observer.callEnded && !observer.around) return work(requestId);
    const { caller, rpcId, meta } = context;
    return watched(
      observer,
      { tool, caller: caller.id, requestId, rpcId, meta },
      () => work(requestId),
      outcome => (outcome.kind === 'ask' ? { outcome: 'asked', code: null, attempts: 0 } : outcome.record),
    );
  };
  const call = (entry: ToolListEntry, args: unknown, context: CallContext): Promise<Outcome> =>
    watch(entry.name, context, requestId => run(entry, args, context, requestId));
  /** A button was pressed: the write itself, under its own name and rules, with what was decided. */
  const decide = (raw: unknown, context: CallContext): Promise<Outcome> => {
    const decision = decisionIn(raw);
    const entry = decision && byName.get(decision.tool);
    if (!entry || !changesAccount(entry.effect))
      return watch(decideTool.name, context, () => failed({ effect: 'write' }, undecidable, 'refused'));
    return call(entry, decision.args, { ...context, decided: decision.decided });
  };

  return {
    accessOf,
    list(caller, apps = false) {
      const { tools } = accessOf(caller);
      const made = lists.get(tools) ?? listsOf(tools);
      lists.set(tools, made);
      return made[apps ? 'apps' : 'plain'];
    },
    knows: name => byName.has(name) || (byButtons && name === decideTool.name),
    plain: name => {
      const entry = byName.get(name);
      return entry !== undefined && !changesAccount(entry.effect) && entry.listed._meta === undefined;
    },
    call: (name, args, context) => {
      const entry = byName.get(name);
      return entry === undefined ? decide(args, context) : call(entry, args, context);
    },
    apiAs: async (tool, context) => (loaded ?? (await load())).apiAs(tool, context),
    readFile: async (uri, context) => (loaded ?? (await load())).readFile(uri, context),
    pages: async () => (await load()).pages,
    endWaits: () => loaded?.endWaits(),
    load: async () => (await load()).rehearse(),
    close: async () => {
      await loaded?.close();
    },
  };
}

/** The answer as a result: structured content, and the same as compact JSON text, because hosts differ in which one they show. */
export function resultOf({ summary, fields, page, link, isError }: ToolAnswer): CallToolResult {
  const structuredContent = { summary, ...fields };
  const text = JSON.stringify(structuredContent);
  const result: CallToolResult = { content: [{ type: 'text', text }], structuredContent };
  if (link !== undefined) result.content.push({ type: 'resource_link', ...link });
  if (page !== undefined) result._meta = { [pageKey]: page };
  return isError ? { ...result, isError } : result;
}

/** In `_meta` of a result: the record as its page draws it (`views/bridge.js` reads it). */
const pageKey = 'usage-billing/page';

function withRemark(outcome: Outcome, remark: string | null): Outcome {
  if (remark === null || outcome.kind !== 'result') return outcome;
  return { ...outcome, answer: { ...outcome.answer, summary: `${outcome.answer.summary} ${remark}` } };
}

/** The words are loaded by the first refusal: a start needs none. */
async function failed(
  { effect }: Pick<ToolListEntry, 'effect'>,
  refused: Refused,
  outcome: 'refused' | 'error',
): Promise<Outcome> {
  const { wordsOf } = await import('../definition/failure.ts');
  const answer = errorAnswer(effect, wordsOf(refused));
  return { kind: 'result', answer, record: { outcome, code: refused.code, attempts: 0 } };
}

/** The call of the buttons' tool names no write, or holds no decision or no token. */
const undecidable: Refused = { code: 'invalid_arguments', facts: { case: 'buttons', tool: decideTool.name } };

/** A bug in this program. The stack goes to stderr; the assistant gets only what it can act on. */
function bug({ name, effect }: ToolListEntry, error: unknown, requestId: string): Refused {
  console.error(`${name} (${requestId}) failed unexpectedly:`, error);
  const facts = { case: 'call' as const, tool: name, requestId, writes: changesAccount(effect) };
  return { code: 'internal_error', facts };
}
