/** One operation from its arguments to its result: check, build the request, send or carry out, present. */

import { setTimeout } from 'node:timers/promises';
import { loadTool } from '../../tools/load.ts';
import { JsonWriter } from '../lib/json-writer.ts';
import type { Caller, UpstreamAnswer } from '../tool/call.ts';
import { checkArguments } from '../tool/check.ts';
import type { AnyTool, ApiRequest, Reads } from '../tool/define.ts';
import { changesAccount } from '../tool/effect.ts';
import type { OwnError } from '../tool/failure.ts';
import { presentRecord } from '../words/present-record.ts';
import { createAvailability } from './availability.ts';
import { type ReadForPage, readsForPage, withOnPage } from './chat-page.ts';
import type { CallContext, Outcome, PipelineParts } from './context.ts';
import { type Reading, withIdGuess, withSvcId } from './id-suggestions.ts';
import { type LookupParts, lookUp, readsOf } from './lookup.ts';
import { createCatalogueCodes } from './named-codes.ts';
import { done, failed, presented, refused } from './outcome.ts';
import { createWritePolicy, type Pages } from './policy/write.ts';
import { invalid } from './refused-arguments.ts';
import { atMost, type CallUnderWay, fanOut, type Operation, send, withPlanGuess } from './request.ts';
import { writeResult } from './result.ts';
import { withinTime } from './suggestions.ts';
import { withBeside } from './summary-reads.ts';
import { type AccountReaders, createAccountReaders, type MayUse } from './upstream/account-reader.ts';
import type { Account } from './upstream/account-source.ts';
import { compileEndpoint, type Endpoint, PathValueError } from './upstream/path.ts';
import { createRenaming } from './upstream/prefix.ts';
import { type Guess, write } from './writing.ts';

export interface Operations {
  /** Runs a tool of the catalogue. Rejects only because of a bug in this program. */
  run(name: string, args: unknown, context: CallContext, requestId: string): Promise<Outcome>;
  /** Runs a made-up read without sending it, so that the code is compiled before the first call. */
  rehearse(): Promise<void>;
  readonly readers: AccountReaders;
  /** The questions on pages of this server. */
  readonly pages: Pages;
  /** Ends the wait of calls whose question is open on a page. */
  endWaits(): void;
  close(): Promise<void>;
}

/** What is known of a call whose arguments were refused. */
const nothing: Asked = {
  args: {},
  given: {},
  control: { dry_run: false, confirmation: undefined, detail: undefined },
  request: {},
  target: '',
};
/** How long closing waits for writes that are under way. */
const concludingMs = 2000;

interface Called {
  operation: Operation;
  context: CallContext;
  requestId: string;
}

type Asked = Pick<CallUnderWay, 'args' | 'given' | 'control' | 'request' | 'target'>;
type Begin = (called: Called, account: Account, asked: Asked) => { running: CallUnderWay; around: LookupParts };
/** Throws ConfigError for write settings that cannot be read. */
export function createOperations(parts: PipelineParts, mayUse: MayUse, mayRead: MayUse): Operations {
  const renaming = createRenaming(parts.config.idPrefix);
  const policy = createWritePolicy(parts.config, {
    stateKey: parts.stateKey,
    progressMs: parts.durations.progressMs,
    heard: parts.observer.heard,
    roles: parts.roles,
    accountOf: call => ({
      ...{ baseUrl: baseUrlOf(parts), apiKey: call.caller.apiKey },
      ...(parts.account.demo && { name: 'demo' }),
    }),
    ...(renaming && { outgoing: body => renaming.outgoing(body) }),
  });
  const readers = createAccountReaders({ ...parts, mayUse });
  const availability = createAvailability();
  const codes = createCatalogueCodes();
  const writes = new Set<Promise<Outcome>>();
  const loaded = new Map<string, Operation>();
  const load = async (name: string): Promise<Operation> => {
    const tool = await loadTool(name);
    const operation = { tool, endpoint: compileEndpoint(tool.endpoint), writes: changesAccount(tool.effect) };
    loaded.set(name, operation);
    return operation;
  };
  const begin: Begin = ({ operation, context, requestId }, account, asked) => {
    const caller = withKey(context.caller, account);
    const upstream = parts.upstreams.of(account.baseUrl, caller.apiKey, caller);
    // Field by field: copying two objects with `...` took a twentieth of a call.
    const running: CallUnderWay = {
      tool: operation.tool,
      endpoint: operation.endpoint,
      writes: operation.writes,
      args: asked.args,
      given: asked.given,
      control: asked.control,
      request: asked.request,
      target: asked.target,
      context,
      caller,
      requestId,
      upstream,
      deadline: performance.now() + parts.config.timeoutMs,
      attempts: 0,
    };
    return {
      running,
      around: { parts, mayUse, availability, baseUrl: account.baseUrl },
    };
  };
  return {
    async run(name, raw, context, requestId) {
      const operation = loaded.get(name) ?? (await load(name));
      const { tool, endpoint } = operation;
      const checked = checkArguments(tool, raw);
      if (!checked.ok) {
        const error = invalid(tool, checked.problems);
        const account = parts.account.current();
        if (account === undefined || 'code' in account) return refused(tool, error);
        const { running, around } = begin({ operation, context, requestId }, account, nothing);
        return refused(tool, await withSvcId(running, searching(around, running), raw, error));
      }
      const request = tool.request(checked.args);
      // A lookup makes its targets itself.
      const target = tool.lookup ? '' : targetOf(tool, endpoint, request);
      if (typeof target !== 'string') return refused(tool, target);
      const account = parts.account.current() ?? (await parts.account.ready());
      if ('code' in account) return refused(tool, { ...account, message: `${tool.name}: ${account.message}` });
      const { running, around } = begin({ operation, context, requestId }, account, {
        ...checked,
        ...{ given: raw, request, target },
      });
      if (tool.lookup)
        return await concludeRead(
          parts,
          running,
          await lookUp(around, running, tool.lookup),
          readsForPage(around, running),
        );
      const guess: Guess = error => withIdGuess(running, searching(around, running), error);
      if (!operation.writes)
        return await read(parts, readers, running, {
          ...{ guess, reads: () => readsOf(around, running) },
          ...{ search: searching(around, running), forPage: readsForPage(around, running) },
        });
      // Before the record is read, because it may change meanwhile.
      await policy.untilDecided(context.client, { signal: context.signal, progress: context.progress });
      // The person's time is not the call's.
      running.deadline = performance.now() + parts.config.timeoutMs;
      const writing = write({ ...around, codes, mayRead }, policy, running, guess);
      writes.add(writing);
      return await writing.finally(() => writes.delete(writing));
    },
    readers,
    pages: policy.pages,
    endWaits: () => policy.endWaits(),
    rehearse: async () => rehearse(await load('get_customer'), parts),
    close: async () => {
      // Even writes that were cancelled still have to record their outcome.
      await Promise.race([Promise.allSettled(writes), setTimeout(concludingMs, undefined, { ref: false })]);
      await policy.close();
    },
  };
}

/** Reads of the same call, for suggestions. They do not count as its attempts. */
function searching(around: LookupParts, running: CallUnderWay): Reading {
  const { searchMs } = around.parts.durations;
  return lookUp =>
    withinTime(atMost(searchMs, running), running.context.signal, signal =>
      lookUp(readsOf(around, { ...running, context: { ...running.context, signal } })),
    );
}

function rehearse({ tool, endpoint }: Operation, { config }: PipelineParts): void {
  const checked = checkArguments(tool, { external_customer_id: 'nobody' });
  if (!checked.ok) return;
  endpoint.target(tool.request(checked.args));
  const customer = { external_id: 'nobody', name: 'Nobody', currency: 'EUR', taxes: [{ code: 'none', rate: 1 }] };
  writeResult(new JsonWriter(), presentRecord(tool, { customer }, { args: checked.args, config }));
}

function baseUrlOf(parts: PipelineParts): string {
  const account = parts.account.current();
  return account && 'baseUrl' in account ? account.baseUrl : '';
}

/** The server's own callers have no key until the account is known. */
function withKey(caller: Caller, account: Account): Caller {
  return caller.apiKey === '' ? { ...caller, apiKey: account.apiKey } : caller;
}

async function read(
  parts: PipelineParts,
  readers: AccountReaders,
  running: CallUnderWay,
  { guess, reads, search, forPage }: { guess: Guess; reads: () => Reads; search: Reading; forPage: ReadForPage },
): Promise<Outcome> {
  const { fanOut: several } = running.tool;
  let answer = several ? await fanOut(parts, readers, running, several, reads()) : await send(parts, running);
  if (!answer.ok && !several) answer = await withPlanGuess(parts, readers, running, answer);
  if (!answer.ok) answer = { ...answer, error: await guess(answer.error) };
  if (running.tool.beside) answer = await withBeside(running, search, answer);
  return await concludeRead(parts, running, answer, forPage);
}

async function concludeRead(
  parts: PipelineParts,
  running: CallUnderWay,
  answer: UpstreamAnswer,
  forPage: ReadForPage,
): Promise<Outcome> {
  if (!answer.ok) return failed(running, answer.error, 'error');
  const { body, plain, notice, beside } = answer;
  const shown = presented(parts, running, body, { plain, notice, ...(beside && { beside }) });
  const more = shown.page === undefined ? {} : await forPage(body);
  return done(running, withOnPage(shown, more), 'ok');
}

function targetOf(tool: AnyTool, endpoint: Endpoint, request: ApiRequest): string | OwnError {
  try {
    return endpoint.target(request);
  } catch (error) {
    if (!(error instanceof PathValueError)) throw error;
    return invalid(tool, [{ argument: error.argument, message: error.message }]);
  }
}
