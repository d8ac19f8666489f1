/** The requests that `check` makes by itself, and what came of each. */

import { sendOnce } from '../../../calls/api/http/get-once.ts';
import { createRenaming, failureOf, judgeAnswer } from '../../../calls/api/http/read-answer.ts';
import { type ExchangeResult, maxAnswerBytes } from '../../../calls/api/http/request.ts';
import type { Effect } from '../../../definition/define.ts';
import type { ToolError } from '../../../definition/failure.ts';
import { version } from '../../../lib/version.ts';
import { safeError } from '../../../words/safe-text.ts';
import { proxiesOf } from '../../settings/proxies.ts';
import type { Config } from '../../settings/settings.ts';

export interface Account {
  /** With the path of the interface: https://billing.example.com/api/v1. */
  base: string;
  apiKey: string;
  config: Config;
}

/** `target`: path and query. Never rejects. Without `apiKey`, no key is sent. */
export function send(
  { base, apiKey, config }: Omit<Account, 'apiKey'> & { apiKey?: string },
  method: 'GET' | 'PUT',
  target: string,
  body?: object,
): Promise<ExchangeResult> {
  const headers = ['accept', 'application/json', 'user-agent', `usage-billing-mcp/${version}`];
  if (apiKey !== undefined) headers.push('authorization', `Bearer ${apiKey}`);
  if (body !== undefined) headers.push('content-type', 'application/json');
  const sent = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
  const { timeoutMs } = config;
  return sendOnce(base + target, sent, { timeoutMs, proxies: proxiesOf(config), maxBytes: maxAnswerBytes });
}

/** The body, or the error that a call of this tool would answer. */
export function judge(
  call: { tool: string; effect: Effect },
  exchanged: ExchangeResult,
  { apiKey, config }: Account,
): { body: unknown } | { error: ToolError } {
  if (exchanged.kind === 'failed') return failureOf(call, exchanged, config.timeoutMs);
  const { idPrefix } = config;
  const renaming = createRenaming({ configured: idPrefix, shown: idPrefix, problem: null });
  const judged = judgeAnswer(call, exchanged, renaming, apiKey);
  return 'body' in judged ? judged : { error: safeError(judged.error, [apiKey]) };
}
