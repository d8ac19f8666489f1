/** What can happen to a confirmation on its way back: an attacker changes it, the person is slow, or the call changes. */

import { checkArguments } from '../../../src/definition/check.ts';
import type { AnyTool, WriteTool } from '../../../src/definition/define.ts';
import type { WriteCall } from '../../../src/definition/write-call.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { toolByName } from '../../../tools/all-tools.ts';
import type { TestClient } from '../../support/clients.ts';
import { key, stateKeyText } from '../../support/settings.ts';
import type { Sending } from './outcome-table.ts';
import { changedSamples, samples } from './samples.ts';
import { canBeAsked, cannotBeAsked, policyWith, showing, writeCall } from './support.ts';

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

/** How the answer is changed on its way; undefined for not at all. */
export async function tampering(
  answer: string,
  tool: Tool,
  url: string,
  sending: Sending,
): Promise<TestClient['tamper']> {
  if (!changes(tool)) return undefined;
  if (answer === 'tampered state') {
    return onRetry(params => {
      params.requestState = flipped(params.requestState as string);
    });
  }
  if (answer === 'changed arguments') {
    return onRetry(params => {
      params.arguments = sending.args(tool, changedSamples);
    });
  }
  if (answer !== 'expired state') return undefined;
  const { state } = (await elevenMinutesAgo(tool, true, url, sending)) as { state: string };
  return onRetry(params => {
    params.requestState = state;
  });
}

function onRetry(change: (params: JsonRecord) => void): TestClient['tamper'] {
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

/** The confirmation that the same server would have issued eleven minutes ago. */
export async function elevenMinutesAgo(
  tool: Tool,
  asks: boolean | 'link',
  url: string,
  sending: Sending,
): Promise<JsonRecord> {
  const policy = policyWith(
    { confirm: 'always' },
    { stateKey: new TextEncoder().encode(stateKeyText), accountOf: () => ({ baseUrl: url, apiKey: key }) },
  );
  const now = new Date(Date.now() - 11 * 60_000);
  const client = asks === 'link' ? showing('link') : asks ? canBeAsked : cannotBeAsked;
  const call = writeCall({ tool: tool as WriteTool, args: samples[tool.name]!, client, caller: 'stdio', key, now });
  if (sending.name(tool) !== tool.name)
    return (await policy.ask(asSet(call, sending.args(tool)), nothingSaid)) as never;
  const outcome = await policy.carryOut(call, () => Promise.reject(new Error('nothing is sent')));
  return outcome as unknown as JsonRecord;
}

const nothingSaid = { question: 'Sure?', warnings: [], facts: {}, partly: true };

/** The set that these arguments make, as its question is bound to it. */
function asSet(call: WriteCall, { changes: sent }: JsonRecord): WriteCall {
  const all = sent as { tool: string; arguments: string }[];
  const understood = all.map(({ tool, arguments: text }) => {
    const checked = checkArguments(toolByName.get(tool)!, text);
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
    return { tool, arguments: checked.args };
  });
  const tool = toolByName.get('change_several') as WriteTool;
  return {
    ...call,
    tool,
    args: { changes: understood, on_failure: 'stop' },
    request: { body: { changes: understood } },
  };
}
