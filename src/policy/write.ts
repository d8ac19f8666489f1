/**
 * One write, from the checked call to its receipt: amount and rate budgets, dry run, confirmation, audit, the request
 * itself (sent once, and no other), and what came of it. Everything before the request leaves the account as it was.
 */
import { randomUUID } from 'node:crypto';
import type { Send, ToolError, UpstreamAnswer, WriteCall, WriteOutcome } from '../call.ts';
import { escapeForSummary } from '../present/clean.ts';
import { checkAmounts, readAmountLimits } from './amounts.ts';
import { type AuditBegun, type AuditLog, openAuditLog } from './audit.ts';
import { type ConfirmMode, createConfirmer } from './confirm.ts';
import { targetText, writeReceipt } from './receipt.ts';
import { redactDeep, redactText, shorten } from './redact.ts';
import { memoryStores, type WriteStores } from './stores.ts';

/** The settings of the same names; a `Config` is one. */
export interface WriteSettings {
  confirm: ConfirmMode;
  maxWritesPerMinute: number;
  maxAmount?: string | undefined;
  auditLog?: string | undefined;
  redisUrl?: string | undefined;
}

export interface WriteDeps {
  /** Signs questions and tokens; 32 bytes or more, the same on every machine that shares callers. */
  stateKey: Uint8Array;
  /** Where this caller's request goes, and with which key: confirmations hold for this account only. */
  accountOf(call: WriteCall): { baseUrl: string; apiKey: string };
  /** Spent confirmations and counted writes; by default Redis where it is configured, else this process. */
  stores?: WriteStores;
  /** By default opened from the setting. */
  audit?: AuditLog | null;
}

export interface WritePolicy {
  carryOut(call: WriteCall, send: Send): Promise<WriteOutcome>;
}

/** Throws ConfigError for a limit that cannot be read. Opens nothing: the log and Redis are touched by the first write. */
export function createWritePolicy(settings: WriteSettings, deps: WriteDeps): WritePolicy {
  const stores = deps.stores ?? (settings.redisUrl ? sharedStores(settings.redisUrl) : memoryStores());
  const context: Context = {
    settings,
    stores,
    limits: settings.maxAmount === undefined ? null : readAmountLimits(settings.maxAmount),
    audit: deps.audit === undefined ? openAuditLog(settings.auditLog) : deps.audit,
    secretsOf: call => [deps.accountOf(call).apiKey, call.caller.apiKey],
    confirmer: createConfirmer({
      mode: settings.confirm,
      key: deps.stateKey,
      spent: stores.spent,
      accountOf: call => JSON.stringify(deps.accountOf(call)),
    }),
  };
  return { carryOut: (call, send) => carryOut(call, send, context) };
}

interface Context {
  settings: WriteSettings;
  stores: WriteStores;
  limits: ReturnType<typeof readAmountLimits> | null;
  audit: AuditLog | null;
  secretsOf(call: WriteCall): string[];
  confirmer: ReturnType<typeof createConfirmer>;
}

async function carryOut(call: WriteCall, send: Send, context: Context): Promise<WriteOutcome> {
  const { tool, args, known } = call;
  if (context.limits !== null) {
    const amounts = checkAmounts(tool.name, args, known, context.limits);
    if (amounts !== true) return refuse(call, amounts, context);
  }
  const warnings = (tool.warnings?.(args, known) ?? []).map(escapeForSummary);
  const question = questionOf(call);
  if (call.dryRun) return { kind: 'dry_run', plan: planOf(call, question, warnings) };
  const full = await overBudget(call, 'wait', context);
  if (full !== null) return refuse(call, full, context);

  const decision = await context.confirmer.decide(call, [question, ...warnings].join('\n\n'));
  if (decision.kind === 'ask') return decision;
  if (decision.kind === 'needs_token') return { ...decision, question, warnings };
  if (decision.kind === 'declined') {
    await recordRefusal(call, decision.error, context);
    return { kind: 'declined', error: decision.error };
  }
  if (decision.kind === 'refused') return refuse(call, decision.error, context);
  const raced = await overBudget(call, 'take', context);
  if (raced !== null) return refuse(call, raced, context);
  return sendAndRecord(call, send, decision.by, warnings, context);
}

/** The write itself: begun on record, sent once, completed on record. */
async function sendAndRecord(
  call: WriteCall,
  send: Send,
  confirmedBy: 'person' | 'host' | 'token' | 'policy',
  warnings: string[],
  context: Context,
): Promise<WriteOutcome> {
  const id = randomUUID();
  try {
    await context.audit?.append(begunLine(id, call, confirmedBy, context));
  } catch (error) {
    return { kind: 'refused', error: auditError(call, error) };
  }
  const started = performance.now();
  const answer = await send().catch((error: unknown) => unexpected(call, error, context));
  const recorded = await recordCompletion(id, call, answer, performance.now() - started, context);
  if (!answer.ok) {
    const hint = recorded ? answer.error.hint : `${answer.error.hint} ${incompleteLog}`;
    return { kind: 'failed', error: { ...answer.error, hint } };
  }
  const receipt = writeReceipt({
    ...call,
    body: answer.body,
    confirmedBy,
    warnings: recorded ? warnings : [...warnings, incompleteLog],
    requestId: answer.requestId,
    at: new Date(),
  });
  return { kind: 'done', body: answer.body, receipt };
}

const incompleteLog = 'The audit log could not be completed: it shows this write as begun, without its outcome.';

function questionOf(call: WriteCall): string {
  const { tool, args, known } = call;
  const question = tool.question?.(args, known) ?? `${tool.title}: ${targetText(tool, args)}?`;
  return escapeForSummary(question);
}

function planOf(call: WriteCall, question: string, warnings: string[]) {
  const { method, path } = methodAndPath(call);
  const body = call.request.body;
  return {
    method,
    path,
    body: body === undefined ? null : (redactLogos(body) as WriteCall['args']),
    question,
    warnings,
  };
}

/** The exact path below /api/v1, as it goes out. */
function methodAndPath({ tool, request }: WriteCall): { method: string; path: string } {
  const [method = '', template = ''] = tool.endpoint.split(' ');
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(request.path?.[name] ?? ''));
  return { method, path: path + queryText(request.query) };
}

function queryText(query: WriteCall['request']['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const entry of value) parameters.append(`${name}[]`, entry);
    else if (value !== undefined) parameters.append(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** A logo may have a megabyte; its length says enough. */
function redactLogos(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('data:') ? shorten(value) : value;
  if (Array.isArray(value)) return value.map(redactLogos);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, redactLogos(entry)]));
}

async function overBudget(call: WriteCall, step: 'wait' | 'take', context: Context): Promise<ToolError | null> {
  const limit = context.settings.maxWritesPerMinute;
  try {
    const waitMs = await context.stores.window[step](call.caller.id, limit);
    return waitMs > 0 ? budgetError(call, limit, waitMs) : null;
  } catch {
    return budgetStoreError(call);
  }
}

async function refuse(call: WriteCall, error: ToolError, context: Context): Promise<WriteOutcome> {
  await recordRefusal(call, error, context);
  return { kind: 'refused', error };
}

/** What was not sent is recorded too, but a log that cannot be written does not turn a refusal into something else. */
async function recordRefusal(call: WriteCall, error: ToolError, context: Context): Promise<void> {
  const line = {
    ...commonPart(randomUUID(), call, context),
    event: 'refused' as const,
    arguments: redactDeep(call.args, context.secretsOf(call)),
    decision: error.code,
  };
  await context.audit?.append(line).catch(() => {});
}

function begunLine(id: string, call: WriteCall, decision: string, context: Context): AuditBegun {
  const { method, path } = methodAndPath(call);
  return {
    ...commonPart(id, call, context),
    event: 'begun',
    method,
    path: redactText(path, context.secretsOf(call)),
    arguments: redactDeep(call.args, context.secretsOf(call)),
    decision,
    request_id: call.requestId,
  };
}

async function recordCompletion(
  id: string,
  call: WriteCall,
  answer: UpstreamAnswer,
  durationMs: number,
  context: Context,
): Promise<boolean> {
  const outcome = answer.ok ? 'done' : answer.error.changed === 'unknown' ? 'unknown' : 'failed';
  try {
    await context.audit?.append({
      ...commonPart(id, call, context),
      event: 'completed',
      outcome,
      status: answer.ok ? answer.status : answer.error.status,
      code: answer.ok ? null : answer.error.code,
      upstream_request_id: answer.requestId,
      attempts: answer.attempts,
      duration_ms: Math.round(durationMs),
    });
    return true;
  } catch {
    return false;
  }
}

function commonPart(id: string, call: WriteCall, context: Context) {
  const secrets = context.secretsOf(call);
  return {
    time: new Date().toISOString(),
    id,
    tool: call.tool.name,
    caller: redactText(call.caller.id, secrets),
    target: redactText(targetText(call.tool, call.args), secrets),
  };
}

/** Redis is loaded and connected by the first write that needs it. */
function sharedStores(url: string): WriteStores {
  const load = async (): Promise<WriteStores> => (await import('./redis.ts')).redisStores(url);
  return {
    spent: { spend: async (id, ttlMs) => (await load()).spent.spend(id, ttlMs) },
    window: {
      wait: async (caller, limit) => (await load()).window.wait(caller, limit),
      take: async (caller, limit) => (await load()).window.take(caller, limit),
    },
  };
}

function budgetError(call: WriteCall, limit: number, waitMs: number): ToolError {
  const seconds = Math.ceil(waitMs / 1000);
  return {
    status: null,
    code: 'write_budget',
    message: `${call.tool.name} was refused before anything was sent: ${limit} writes a minute are allowed (BILLING_MAX_WRITES_PER_MINUTE).`,
    details: { limit_per_minute: limit, retry_after_seconds: seconds },
    hint:
      limit === 0
        ? 'No write is allowed here at all. Tell the person.'
        : `Wait ${seconds} s, and tell the person why; the operator of this server can raise the limit.`,
    changed: false,
  };
}

function budgetStoreError(call: WriteCall): ToolError {
  return {
    status: null,
    code: 'write_budget_unavailable',
    message: `${call.tool.name} was refused before anything was sent: writes cannot be counted, because the shared store does not answer.`,
    hint: 'Try again in a moment; if it stays, the operator has to look at BILLING_REDIS_URL.',
    changed: false,
  };
}

function auditError(call: WriteCall, error: unknown): ToolError {
  const reason = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
  return {
    status: null,
    code: 'audit_unavailable',
    message: `${call.tool.name} was refused before anything was sent: the audit log cannot be written (${reason}).`,
    hint: 'Tell the person that the operator has to look at BILLING_AUDIT_LOG. A new attempt is confirmed anew.',
    changed: false,
  };
}

/** A bug on our side after the request may have left: the truth is that nobody knows. */
function unexpected(call: WriteCall, error: unknown, context: Context): UpstreamAnswer {
  const reason = redactText(error instanceof Error ? error.message : String(error), context.secretsOf(call));
  return {
    ok: false,
    requestId: call.requestId,
    attempts: 1,
    error: {
      status: null,
      code: 'internal_error',
      message: `${call.tool.name} ended unexpectedly after its request may have been sent: ${reason}.`,
      hint: 'Read the record before trying again.',
      changed: 'unknown',
    },
  };
}
