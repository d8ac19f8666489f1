/**
 * What a server offers besides tools: resources, prompts and completion. Everything is loaded when it is first asked
 * for; registering only makes a few closures.
 */
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
  type StandardSchemaV1,
} from '@modelcontextprotocol/server';
import type { CallContext } from '../../calls/call/call.ts';
import type { Pipeline } from '../../calls/dispatch.ts';
import { exportPrefix } from '../../calls/exports/link.ts';
import { nobody } from '../../definition/asking.ts';
import type { Caller, Connection } from '../../definition/caller.ts';
import { refusalText, refuse, type ToolError } from '../../definition/failure.ts';
import { isObject, membersOf } from '../../lib/json.ts';
import { cutText } from '../../lib/text.ts';
import type { Config } from '../settings/settings.ts';
import { extensionCapabilities } from './identity.ts';
import type { Reading } from './resources.ts';
import { invalidParams, isNewer, refuseCursor } from './revisions.ts';
import { callerOf, progressOf } from './server.ts';

export function addExtensions(
  server: Server,
  pipeline: Pipeline,
  connection: Connection,
  { locale }: Pick<Config, 'locale'>,
): void {
  server.registerCapabilities(extensionCapabilities);
  const { requestId } = connection;
  const contextOf = (caller: Caller, { mcpReq: { signal, _meta: meta, id: rpcId } }: ServerContext) => {
    return { caller, client: nobody, requestId, signal, meta, rpcId };
  };
  const callsFor = (context: CallContext): Reading['call'] => {
    return async (tool, args) => {
      const outcome = await pipeline.call(tool, args, context);
      if (outcome.kind !== 'result') throw new Error(`${tool} asks, and only reads`);
      const { summary, fields, isError } = outcome.answer;
      if (!isError) return { answer: { summary, ...fields } };
      const { error } = fields as { error: ToolError };
      return { problem: `${summary} ${error.hint}` };
    };
  };
  const resources = () => import('./resources.ts');
  const prompts = () => import('./prompts.ts');
  const skillFiles = () => import('./skill-files.ts');
  server.setRequestHandler('resources/list', async ({ params }) => {
    refuseCursor(params);
    return { resources: [...(await resources()).listResources(), ...(await skillFiles()).skillResources()] };
  });
  server.setRequestHandler('resources/templates/list', async ({ params }) => {
    refuseCursor(params);
    return { resourceTemplates: (await resources()).resourceTemplates };
  });
  server.setRequestHandler('resources/read', async (request, ctx) => {
    const { uri } = request.params;
    const context = contextOf(await callerOf(connection, ctx), ctx);
    if (uri.startsWith(exportPrefix)) {
      const file = await pipeline.readFile(uri, { ...context, progress: progressOf(ctx) });
      if ('problem' in file) throw invalidParams(file.problem);
      return { contents: (await resources()).contentsOfFile(uri, file) };
    }
    const apiAs = (tool: string) => pipeline.apiAs(tool, context);
    const reading = { locale, apiAs, call: callsFor(context) };
    const content = (await skillFiles()).readSkillFile(uri) ?? (await (await resources()).readResource(uri, reading));
    if (!content) throw new ResourceNotFoundError(uri);
    if ('problem' in content) throw new ProtocolError(ProtocolErrorCode.InternalError, content.problem);
    return { contents: [{ uri, ...content }] };
  });
  const promptsOf = async (caller: Caller) => {
    const offered = new Set(pipeline.list(caller).tools.map(({ name }) => name));
    const offers = (word: string) => !pipeline.knows(word) || offered.has(word);
    return { known: (await prompts()).promptsFor(offers), offers };
  };
  // In the newer revision, lists say how long they hold: these are of the program, and differ by caller.
  const cached = () =>
    isNewer(server.getNegotiatedProtocolVersion()) ? { ttlMs: 3_600_000, cacheScope: 'private' as const } : {};
  server.setRequestHandler('skills/list', { params: anyParams }, async (params, ctx) => {
    refuseCursor(membersOf<'cursor'>(params) as { cursor?: string });
    const { offers } = await promptsOf(await callerOf(connection, ctx));
    return { skills: (await skillFiles()).skillEntries(offers), ...cached() };
  });
  server.setRequestHandler('skills/get', { params: anyParams }, async (params, ctx) => {
    const { uri } = membersOf<'uri'>(params);
    const { offers } = await promptsOf(await callerOf(connection, ctx));
    const skill = (await skillFiles()).skillEntries(offers).find(entry => entry.uri === uri);
    if (skill === undefined) throw invalidParams(`No skill is served at ${cutText(String(uri), 100)}.`);
    return { skill, ...cached() };
  });
  server.setRequestHandler('resources/directory/read', { params: anyParams }, async params => {
    const { uri, cursor } = membersOf<'uri' | 'cursor'>(params);
    refuseCursor({ cursor: cursor as string | undefined });
    const children = typeof uri === 'string' ? (await skillFiles()).readSkillFolder(uri) : undefined;
    if (children === undefined) throw invalidParams(`There is no folder at ${cutText(String(uri), 100)}.`);
    return { resources: children, ...cached() };
  });
  server.setRequestHandler('prompts/list', async ({ params }, ctx) => {
    refuseCursor(params);
    return { prompts: [...(await promptsOf(await callerOf(connection, ctx))).known] };
  });
  server.setRequestHandler('prompts/get', async (request, ctx) => {
    const caller = await callerOf(connection, ctx);
    const { unbound } = pipeline.accessOf(caller);
    if (unbound !== undefined)
      throw invalidParams(refusalText(refuse('binding_needed', { what: 'The prompt', unbound })));
    const { name, arguments: values } = request.params;
    const { known, offers } = await promptsOf(caller);
    const filled = (await prompts()).getPrompt(name, values, known, offers);
    if ('problem' in filled) throw invalidParams(filled.problem);
    return filled.prompt;
  });
  server.setRequestHandler('completion/complete', async (request, ctx) => {
    const { complete } = await import('./completion.ts');
    const context = contextOf(await callerOf(connection, ctx), ctx);
    return { completion: await complete(request.params, tool => pipeline.apiAs(tool, context)) };
  });
}

/** The parameters of methods that the SDK does not know; their handlers check what they use. */
const anyParams: StandardSchemaV1<unknown, object> = {
  '~standard': {
    version: 1,
    vendor: 'usage-billing-mcp',
    validate: value => ({ value: isObject(value) ? value : {} }),
  },
};
