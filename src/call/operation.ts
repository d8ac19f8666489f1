/** One operation from its arguments to its result: check, build the request, send or carry out, present. */

import { setTimeout } from 'node:timers/promises';
import { toolDefinitions } from '../../tools/index.ts';
import { accountTime } from '../config/clock.ts';
import { entryOf } from '../lib/entry-of.ts';
import type { JsonRecord } from '../lib/json.ts';
import { JsonWriter } from '../lib/json-writer.ts';
import { requestedFields } from '../policy/receipt.ts';
import { createWritePolicy, type WritePolicy } from '../policy/write.ts';
import { alreadySo } from '../present/changed.ts';
import { field } from '../present/field.ts';
import { presentRecord } from '../present/record.ts';
import { asSentence } from '../present/words.ts';
import { checkArguments } from '../tool/check.ts';
import type { AnyTool, ApiRequest, Reads } from '../tool/define.ts';
import { changesAccount } from '../tool/effect.ts';
import type { OwnError, ToolError } from '../tool/failure.ts';
import { type AccountReaders, createAccountReaders, type MayUse } from '../upstream/account-reader.ts';
import type { Account } from '../upstream/account-source.ts';
import { compileEndpoint, type Endpoint, PathValueError } from '../upstream/path.ts';
import { createRenaming } from '../upstream/prefix.ts';
import { createAvailability } from './availability.ts';
import { withBeside } from './beside.ts';
import type { CallContext, Outcome, PipelineParts } from './context.ts';
import { type Reading, withIdGuess, withSvcId } from './id-suggestions.ts';
import { invalid } from './invalid.ts';
import { type LookupParts, lookUp, readsOf } from './lookup.ts';
import { createCatalogueCodes } from './named-codes.ts';
import { fieldsOf, pageOfWrite, proposal, type ReadForPage, readsForPage, showsPage, withOnPage } from './page.ts';
import { type CallUnderWay, fanOut, type Operation, send, withPlanGuess } from './request.ts';
import { errorAnswer, type ToolAnswer, writeResult } from './result.ts';
import { type SeeParts, type Sight, see } from './see.ts';
import type { Caller, ConfirmedBy, Receipt, UpstreamAnswer, WriteCall, WriteOutcome } from './types.ts';

export interface Operations {
  /** Runs a tool of the catalogue. Rejects only because of a bug in this program. */
  run(name: string, args: unknown, context: CallContext, requestId: string): Promise<Outcome>;
  /** Runs a made-up read without sending it, so that the code is compiled before the first call. */
  rehearse(): void;
  readonly readers: AccountReaders;
  /** The questions on pages of this server. */
  readonly approvals: WritePolicy['approvals'];
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
/** Adds ids that may have been meant to the error of a record that was not found. */
type Guess = (error: ToolError) => Promise<ToolError>;

/** Throws ConfigError for write settings that cannot be read. */
export function createOperations(parts: PipelineParts, mayUse: MayUse, mayRead: MayUse): Operations {
  const renaming = createRenaming(parts.config.idPrefix);
  const policy = createWritePolicy(parts.config, {
    stateKey: parts.stateKey,
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
  const operations = new Map<string, Operation>(
    toolDefinitions.map(tool => [
      tool.name,
      { tool, endpoint: compileEndpoint(tool.endpoint), writes: changesAccount(tool.effect) },
    ]),
  );
  const begin: Begin = ({ operation, context, requestId }, account, asked) => {
    const caller = withKey(context.caller, account);
    const upstream = parts.upstreams.of(account.baseUrl, caller.apiKey, caller);
    return {
      running: { ...operation, ...asked, context, caller, requestId, upstream, attempts: 0 },
      around: { parts, mayUse, availability, baseUrl: account.baseUrl },
    };
  };
  return {
    async run(name, raw, context, requestId) {
      const operation = entryOf(operations, name);
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
      const writing = write({ ...around, codes, mayRead }, policy, running, guess);
      writes.add(writing);
      return await writing.finally(() => writes.delete(writing));
    },
    readers,
    approvals: policy.approvals,
    endWaits: () => policy.endWaits(),
    rehearse: () => rehearse(entryOf(operations, 'get_customer'), parts),
    close: async () => {
      // Even writes that were cancelled still have to record their outcome.
      await Promise.race([Promise.allSettled(writes), setTimeout(concludingMs, undefined, { ref: false })]);
      await policy.close();
    },
  };
}

/** Reads of the same call, for suggestions. They do not count as its attempts. */
function searching(around: LookupParts, running: CallUnderWay): Reading {
  return signal => readsOf(around, { ...running, context: { ...running.context, signal } });
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
  if (!answer.ok && !several) answer = await withPlanGuess(readers, running, answer);
  if (!answer.ok) answer = { ...answer, error: await guess(answer.error) };
  if (running.tool.beside) answer = await withBeside(parts, running, search, answer);
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

interface Writing extends SeeParts {
  /** May this caller see what that tool shows? */
  mayRead: MayUse;
}

async function write(around: Writing, policy: WritePolicy, running: CallUnderWay, guess: Guess): Promise<Outcome> {
  const { parts, mayRead } = around;
  const { tool, args, control, context, caller, requestId, request } = running;
  const target = tool.target?.(args);
  const memory = parts.memoryOf(context.caller);
  const key = `${tool.name}\0${JSON.stringify(request.path)}\0${JSON.stringify(request.query ?? {})}`;
  // An answer is compared with what is there now, never with what the question was made from.
  const answering = context.client.state !== undefined || control.confirmation !== undefined || context.decided;
  const recent = answering ? null : memory.sight(key);
  const declines = context.decided?.decision === 'decline';
  const sight: Sight = declines ? { kind: 'off' } : await see(around, running, name => mayRead(name, caller), recent);
  if (sight.kind === 'refused') return failed(running, unsent(await guess(sight.error)), 'refused');
  // What was not read again does not become younger.
  if (sight.kind === 'seen' && sight.record !== recent) memory.keepSight(key, sight.record);
  if (sight.kind === 'seen') running.request = tool.request(args, sight.record);
  const call: WriteCall = {
    ...{ tool, args, requestId, caller },
    request: running.request,
    dryRun: control.dry_run,
    confirmation: control.confirmation,
    ...(context.decided && { decided: context.decided }),
    ...(control.left_out && { leftOut: control.left_out }),
    known: sight.kind === 'seen' ? sight.record : target ? memory.recall(target.resource, target.id) : null,
    sight: sight.kind,
    client: context.client,
    now: new Date(),
    accountNow: accountTime(parts.config),
  };
  const outcome = await policy.carryOut(call, () => send(parts, running));
  if (outcome.kind === 'done' || outcome.kind === 'failed') memory.forgetSights();
  // On record as the service said it; the ids are for the next call.
  const told = outcome.kind === 'failed' ? { ...outcome, error: await guess(outcome.error) } : outcome;
  return concludeWrite(parts, running, told, call);
}

/** A failed look leaves the account as it was, whatever the tool does. */
function unsent(error: ToolError): ToolError {
  return { ...error, changed: false };
}

function concludeWrite(
  parts: PipelineParts,
  running: CallUnderWay,
  outcome: WriteOutcome,
  { known, sight }: WriteCall,
): Outcome {
  const { tool, args } = running;
  const advice = tool.advice?.(args, known) ?? null;
  const advised = advice === null ? '' : ` ${advice}`;
  switch (outcome.kind) {
    case 'ask':
      return outcome;
    case 'failed':
      return failed(running, outcome.error, 'error');
    case 'refused':
    case 'declined':
      return failed(running, outcome.error, outcome.kind);
    case 'idle': {
      const summary = alreadySo(outcome.fields, requestedFields(tool, running.request), known ?? {});
      return done(running, { summary: prefixed(parts, summary), fields: field('changed', 'false') }, 'ok');
    }
    case 'dry_run': {
      const summary = `Dry run: nothing was changed. ${asked(outcome.plan)}${advised}`;
      const fields = field('dry_run', JSON.stringify(outcome.plan));
      const answer = { summary: prefixed(parts, summary), fields };
      return done(running, showsPage(running) ? withOnPage(answer, proposal(running, known)) : answer, 'dry_run');
    }
    case 'needs_token': {
      if (outcome.onPage) return askedOnPage(parts, running, outcome, advised, known);
      const { kind: _, onPage: _onPage, ...needed } = outcome;
      const again = outcome.changed === undefined ? '' : ` ${outcome.changed}`;
      const summary = `Nothing was changed yet.${again} ${asked(outcome)}${advised} If the person agrees, call ${tool.name} again with the same arguments and confirmation set to the token.`;
      const fields = field('confirmation_required', JSON.stringify(needed));
      return done(running, { summary: prefixed(parts, summary), fields }, 'needs_token');
    }
    case 'done': {
      const { body, receipt, question } = outcome;
      const before = sight === 'seen' && known !== null ? { before: known } : {};
      const answer = presented(parts, running, body, { receipt, ...before });
      const told =
        answer.page === undefined
          ? answer
          : withOnPage(answer, {
              question,
              ...before,
              ...pageOfWrite(running, body, known, accountTime(parts.config)),
            });
      return done(running, told, 'ok', receipt.confirmed_by);
    }
  }
}

/** The person decides on the page: the token goes there alone, and the assistant reads that it has to wait. */
function askedOnPage(
  parts: PipelineParts,
  running: CallUnderWay,
  outcome: Extract<WriteOutcome, { kind: 'needs_token' }>,
  advised: string,
  known: JsonRecord | null,
): Outcome {
  const { tool, given } = running;
  const { kind: _, onPage: _onPage, confirmation, ...question } = outcome;
  const summary = `Nothing was changed yet: the person decides on the page that is shown with this answer. ${asked(question)}${advised} Do not call ${tool.name} again for this unless the person says so.`;
  const approval = { ...question, tool: tool.name, title: tool.title, arguments: given, confirmation };
  return done(
    running,
    {
      summary: prefixed(parts, summary),
      fields: field('decided_on_page', JSON.stringify(question)),
      page: fieldsOf({ approval, ...proposal(running, known) }),
    },
    'needs_token',
  );
}

/** Presents the service's answer and remembers the record. */
function presented(
  parts: PipelineParts,
  running: CallUnderWay,
  body: unknown,
  {
    plain,
    notice,
    receipt,
    before,
    beside,
  }: {
    plain?: boolean | undefined;
    notice?: string | undefined;
    receipt?: Receipt;
    before?: JsonRecord;
    beside?: JsonRecord;
  },
): ToolAnswer {
  const { tool, args, control, context } = running;
  const presenting = {
    args,
    recall: (resource: string, id: string) => parts.memoryOf(context.caller).recall(resource, id),
    detail: control.detail,
    page: showsPage(running),
    config: parts.config,
    plain,
    ...(notice !== undefined && { notice }),
    ...(receipt && { receipt }),
    ...(before && { before }),
    ...(beside && { beside }),
  };
  const { record, ...answer } = presentRecord(tool, body, presenting);
  remember(parts, running, record);
  return answer;
}

/** The question with its warnings, as a person would see it. */
function asked({ question, warnings }: { question: string; warnings: readonly string[] }): string {
  return [asSentence(question), ...(warnings.length === 0 ? [] : ['Note:', ...warnings])].join(' ');
}

function remember(parts: PipelineParts, running: CallUnderWay, record: JsonRecord): void {
  const { tool, context } = running;
  if (tool.effect === 'compute') return;
  const memory = parts.memoryOf(context.caller);
  if (tool.effect === 'delete') {
    const target = tool.target?.(running.args);
    if (target) memory.forget(target.resource, target.id);
  } else if (tool.list) {
    const items = record[tool.result];
    const resource = tool.result.replace(/s$/, '');
    if (Array.isArray(items)) for (const item of items.slice(0, 100)) memory.remember(resource, item);
  } else memory.remember(tool.result, record);
}

function targetOf(tool: AnyTool, endpoint: Endpoint, request: ApiRequest): string | OwnError {
  try {
    return endpoint.target(request);
  } catch (error) {
    if (!(error instanceof PathValueError)) throw error;
    return invalid(tool, [{ argument: error.argument, message: error.message }]);
  }
}

function done(
  running: CallUnderWay,
  answer: ToolAnswer,
  outcome: 'ok' | 'dry_run' | 'needs_token',
  confirmedBy?: ConfirmedBy,
): Outcome {
  const record = { outcome, code: null, attempts: running.attempts, ...(confirmedBy && { confirmedBy }) };
  return { kind: 'result', answer, record };
}

function failed(running: CallUnderWay, error: ToolError, outcome: 'error' | 'refused' | 'declined'): Outcome {
  const answer = errorAnswer(running.tool.effect, error);
  return { kind: 'result', answer, record: { outcome, code: error.code, attempts: running.attempts } };
}

function refused(tool: AnyTool, error: OwnError): Outcome {
  return {
    kind: 'result',
    answer: errorAnswer(tool.effect, error),
    record: { outcome: 'refused', code: error.code, attempts: 0 },
  };
}

function prefixed(parts: PipelineParts, summary: string): string {
  return parts.config.demo ? `Demo data: ${summary}` : summary;
}
