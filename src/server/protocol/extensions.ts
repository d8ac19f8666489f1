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
} from '@modelcontextprotocol/server';
import type { CallContext } from '../../calls/call/call.ts';
import type { Pipeline } from '../../calls/dispatch.ts';
import { exportPrefix } from '../../calls/exports/link.ts';
import { nobody } from '../../definition/asking.ts';
import type { Caller, Connection } from '../../definition/caller.ts';
import { refusalText, refuse, type ToolError } from '../../definition/failure.ts';
import type { Config } from '../settings/settings.ts';
import { extensionCapabilities } from './identity.ts';
import type { Reading } from './resources.ts';
import { refuseCursor } from './revisions.ts';
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
  server.setRequestHandler('resources/list', async ({ params }) => {
    refuseCursor(params);
    return { resources: (await resources()).listResources() };
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
      if ('problem' in file) throw new ProtocolError(ProtocolErrorCode.InvalidParams, file.problem);
      return { contents: (await resources()).contentsOfFile(uri, file) };
    }
    const apiAs = (tool: string) => pipeline.apiAs(tool, context);
    const reading = { locale, apiAs, call: callsFor(context) };
    const content = await (await resources()).readResource(uri, reading);
    if (!content) throw new ResourceNotFoundError(uri);
    if ('problem' in content) throw new ProtocolError(ProtocolErrorCode.InternalError, content.problem);
    return { contents: [{ uri, ...content }] };
  });
  const promptsOf = async (caller: Caller) => {
    const offered = new Set(pipeline.list(caller).tools.map(({ name }) => name));
    const offers = (word: string) => !pipeline.knows(word) || offered.has(word);
    return { known: (await prompts()).promptsFor(offers), offers };
  };
  server.setRequestHandler('prompts/list', async ({ params }, ctx) => {
    refuseCursor(params);
    return { prompts: [...(await promptsOf(await callerOf(connection, ctx))).known] };
  });
  server.setRequestHandler('prompts/get', async (request, ctx) => {
    const caller = await callerOf(connection, ctx);
    const { unbound } = pipeline.accessOf(caller);
    if (unbound !== undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        refusalText(refuse('binding_needed', { what: 'The prompt', unbound })),
      );
    const { name, arguments: values } = request.params;
    const { known, offers } = await promptsOf(caller);
    const filled = (await prompts()).getPrompt(name, values, known, offers);
    if ('problem' in filled) throw new ProtocolError(ProtocolErrorCode.InvalidParams, filled.problem);
    return filled.prompt;
  });
  server.setRequestHandler('completion/complete', async (request, ctx) => {
    const { complete } = await import('./completion.ts');
    const context = contextOf(await callerOf(connection, ctx), ctx);
    return { completion: await complete(request.params, tool => pipeline.apiAs(tool, context)) };
  });
}
