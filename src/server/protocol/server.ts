/** Makes MCP servers: `tools/list` answers with a prepared list, and one handler serves every `tools/call`. */

import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { CallContext, Outcome } from '../../calls/call/call.ts';
import { type Pipeline, resultOf } from '../../calls/dispatch.ts';
import type { Ask, ClientAbilities, EditableValue, Reply } from '../../definition/asking.ts';
import { CONFIRMATION_TTL_MS } from '../../definition/asking.ts';
import type { Caller, Connection } from '../../definition/caller.ts';
import type { OwnError } from '../../definition/failure.ts';
import { cutText } from '../../lib/text.ts';
import type { Durations } from '../settings/usual.ts';
import { type Identity, pagesExtension, toolCapabilities } from './identity.ts';
import { askOlder, invalidParams, isNewer, refuseCursor, takesLinks, unanswered } from './revisions.ts';

/** A list does not change while the program runs, but it depends on each caller's scopes. */
const cacheHints = { 'tools/list': { ttlMs: 3_600_000, cacheScope: 'private' } } as const;
type Envelope = { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;

const questionKey = 'confirm';

/** One required field, without a default: a host that accepts by itself brings no yes. */
const yesOrNo = ({ title, typed, values = [] }: Ask) => ({
  type: 'object' as const,
  properties: {
    answer: { type: 'string' as const, title, enum: ['yes', 'no'] },
    // Only the message names the text.
    ...(typed && { typed: { type: 'string' as const, title: 'To approve: the text to type', maxLength: 300 } }),
    ...Object.fromEntries(values.map(value => [value.name, fieldFor(value)])),
  },
  required: ['answer'],
});

/** Filled in with the present value: a user who leaves it changes nothing. */
const fieldFor = ({ title, text, unit }: EditableValue) => ({
  type: 'string' as const,
  title,
  default: text,
  ...(unit === 'date' && { format: 'date-time' as const }),
});

/** A server of tools for one connection or one request, for both protocol eras. `addExtensions` adds the rest. */
export function createServer(
  { pipeline, durations }: { pipeline: Pipeline; durations: Durations },
  connection: Connection,
  { serverInfo, instructions }: Identity,
): Server {
  const server = new Server(serverInfo, { capabilities: { ...toolCapabilities }, instructions, cacheHints });
  server.setRequestHandler('tools/list', async ({ params }, ctx) => {
    refuseCursor(params);
    return pipeline.list(await callerOf(connection, ctx), showsPages(server, ctx));
  });
  server.setRequestHandler('tools/call', async (request, ctx): Promise<CallToolResult | InputRequiredResult> => {
    const { name, arguments: args } = request.params;
    if (!pipeline.knows(name)) {
      throw invalidParams(`Unknown tool: ${cutText(String(name), 100)}`);
    }
    const context: CallContext = {
      caller: await callerOf(connection, ctx),
      client: abilities(server, ctx, connection, durations),
      requestId: connection.requestId,
      signal: ctx.mcpReq.signal,
      meta: ctx.mcpReq._meta,
      rpcId: ctx.mcpReq.id,
      progress: progressOf(ctx),
    };
    let outcome = await pipeline.call(name, args, context);
    let opened: string | undefined;
    // Again only where the record changed meanwhile: the policy bounds how often.
    while (outcome.kind === 'ask') {
      const { message, state, page } = outcome;
      const requestedSchema = yesOrNo(outcome);
      const url = page === undefined ? undefined : connection.pageOf?.(page);
      if (isNewer(server.getNegotiatedProtocolVersion())) {
        const question =
          url === undefined
            ? inputRequired.elicit({ message, requestedSchema })
            : inputRequired.elicitUrl({ message, url });
        return inputRequired({ inputRequests: { [questionKey]: question }, requestState: state });
      }
      // Asked here because the SDK would answer with its own text when the question cannot be asked.
      const asking = () =>
        page === undefined || url === undefined
          ? askOlder(ctx, { mode: 'form', message, requestedSchema })
          : page === opened
            ? unanswered('the wait for the decision on the page ended', true)
            : askOlder(ctx, { mode: 'url', message, url, elicitationId: page });
      const reply = await whileTelling(context.progress, durations.progressMs, ctx.mcpReq.signal, asking).catch(error =>
        closed(pipeline, page, error),
      );
      opened = page;
      const held = page === undefined ? {} : { holdMs: CONFIRMATION_TTL_MS };
      const client: ClientAbilities = { ...context.client, reply, state, ...held };
      outcome = await pipeline.call(name, args, { ...context, client });
      if (ctx.mcpReq.signal.aborted) {
        return closed(pipeline, outcome.kind === 'ask' ? outcome.page : undefined, new Error('The call was canceled'));
      }
      if (page !== undefined && reply.action === 'accept') await tellClosed(ctx, page);
    }
    return answerOf(outcome, context.client, server.getNegotiatedProtocolVersion());
  });
  return server;
}

/**
 * The result; or an error of the protocol where the client brought a state that this server did not sign: the protocol
 * requires that such a request is rejected. It says the same as the result would.
 */
function answerOf(
  { answer, record }: Extract<Outcome, { kind: 'result' }>,
  { state }: ClientAbilities,
  revision?: string,
): CallToolResult {
  const { link, ...plain } = answer;
  const result = resultOf(link === undefined || takesLinks(revision) ? answer : plain);
  if (state === undefined || record.code !== 'confirmation_invalid') return result;
  const { error } = result.structuredContent as { error: OwnError };
  throw invalidParams(`${answer.summary} ${error.hint}`, error);
}

/** While the user thinks, the client is told now and then that the call is alive: its time for an answer begins again. */
async function whileTelling<T>(
  progress: CallContext['progress'],
  everyMs: number,
  signal: AbortSignal,
  asking: () => T | Promise<T>,
): Promise<T> {
  const timer = setInterval(() => signal.aborted || progress?.('Waiting for the user to answer'), everyMs);
  try {
    return await asking();
  } finally {
    clearInterval(timer);
  }
}

/** The call ends with this error: no one comes back for what is decided on its page, so the page says so. */
async function closed(pipeline: Pipeline, page: string | undefined, error: unknown): Promise<never> {
  if (page !== undefined) await pipeline.pages().then(({ close }) => close(page).catch(() => {}));
  throw error;
}

/** The page of an older client's question can be closed. */
async function tellClosed(ctx: ServerContext, elicitationId: string): Promise<void> {
  const message = { method: 'notifications/elicitation/complete', params: { elicitationId } } as const;
  await ctx.mcpReq.notify(message).catch(() => {});
}

function abilities(
  server: Server,
  ctx: ServerContext,
  { canBeAsked = true, pageOf, links, failed }: Connection,
  { approvalPageHoldMs }: Durations,
): ClientAbilities {
  const { mcpReq } = ctx;
  const state = mcpReq.requestState();
  return {
    shows(route) {
      if (route === 'buttons') return showsPages(server, ctx);
      const elicitation = canBeAsked ? capabilitiesOf(server, ctx)?.elicitation : undefined;
      return route === 'url' ? pageOf !== undefined && elicitation?.url !== undefined : asksByForm(elicitation);
    },
    links,
    holdMs: approvalPageHoldMs,
    failed,
    reply: replyIn(ctx),
    state: typeof state === 'string' ? state : undefined,
  };
}

function replyIn({ mcpReq }: ServerContext): Reply | undefined {
  const response = inputResponse(mcpReq.inputResponses, questionKey);
  if (response.kind === 'elicit') {
    const { action, content } = response;
    return content === undefined ? { action } : { action, content };
  }
  // A client that retries without an answer would do the same for every further question.
  const isRetry = mcpReq.requestState() !== undefined || mcpReq.inputResponses !== undefined;
  return isRetry ? unanswered('its answer is not accept, decline or cancel') : undefined;
}

function capabilitiesOf(server: Server, { mcpReq }: ServerContext): ClientCapabilities | undefined {
  return (mcpReq.envelope as Envelope)?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
}

function showsPages(server: Server, ctx: ServerContext): boolean {
  return capabilitiesOf(server, ctx)?.extensions?.[pagesExtension] !== undefined;
}

/** `elicitation: {}` means forms; a client that lists only `url` cannot show a form. */
function asksByForm(elicitation: ClientCapabilities['elicitation']): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Who makes a request: in a session, whoever sent it; and bound to the customers that its `_meta` proves. */
export function callerOf(
  { caller, callerOf: of }: Connection,
  { http, mcpReq }: ServerContext,
): Caller | Promise<Caller> {
  const [authInfo, meta] = [http?.authInfo, mcpReq._meta];
  return of === undefined || (authInfo === undefined && meta === undefined) ? caller : of({ authInfo, meta });
}

/** Tells the client that a request goes on, where it wants to be told. */
export function progressOf(ctx: ServerContext): ((message: string) => void) | undefined {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return message => {
    progress++;
    const params = { progressToken, progress, message };
    ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
