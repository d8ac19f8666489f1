/** What can happen to a confirmation on its way back: an attacker changes it, the person is slow, or the call changes. */

import { vi } from 'vitest';
import type { AnyTool } from '../../../src/definition/define.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import type { TestClient } from '../../support/clients.ts';

export type Tool = AnyTool;

/** A set is made of these; change-set.test.ts has its own cases. */
export const changes = (tool: Tool) => tool.change !== undefined;

/** Lets one answer through, and sends it again instead of the next one. */
export async function replayLast(client: TestClient, name: string, args: JsonRecord): Promise<void> {
  let accepted: unknown;
  client.tamper = onRetry(params => {
    accepted = params.requestState;
  });
  await client.call(name, args);
  client.tamper = onRetry(params => {
    params.requestState = accepted;
  });
}

/** Changes what comes back with the state of a question. */
export function onRetry(change: (params: JsonRecord) => void): TestClient['tamper'] {
  return message => {
    const params = message.params as JsonRecord | undefined;
    if (params?.requestState !== undefined) change(params);
  };
}

/** Changes what the client answers to a question: a message of its own in the earlier era, part of the next request in the later. */
export function inAnswer(change: (answer: JsonRecord) => void): TestClient['tamper'] {
  return ({ params, result, method }) => {
    const responses = (params as JsonRecord | undefined)?.inputResponses as { confirm: JsonRecord } | undefined;
    if (responses !== undefined) change(responses.confirm);
    if (method === undefined && (result as JsonRecord | undefined)?.action !== undefined) change(result as JsonRecord);
  };
}

/** The client brings something else than accept, decline and cancel. */
export const withoutAnswer = inAnswer(answer => {
  for (const field of Object.keys(answer)) delete answer[field];
});

/** Changes one letter in the middle, in the signed part. */
export function flipped(text: string): string {
  const middle = Math.floor(text.length / 2);
  return text.slice(0, middle) + (text[middle] === 'A' ? 'B' : 'A') + text.slice(middle + 1);
}

/** Does it eleven minutes ago, by the time of day. */
export async function elevenMinutesAgo<T>(act: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 11 * 60_000 });
  try {
    return await act();
  } finally {
    vi.useRealTimers();
  }
}
