/**
 * The conversations of guides: what a tool answers stands between two markers,
 * `<!-- answer tool {"argument":"value"} -->` and `<!-- /answer -->`, and is really asked of the demo account, or of the
 * account file of the guide.
 */

import { readFileSync } from 'node:fs';
import { resultOf } from '../../src/calls/dispatch.ts';
import { nobody } from '../../src/definition/asking.ts';
import type { Runtime } from '../../src/server/runtime.ts';

/** The guides with conversations, each with the flags of its account. */
export const conversations: Record<string, string[]> = {
  'docs/operators.md': [],
  'docs/check-a-bill.md': ['--account', 'docs/bill-sample.jsonc'],
};

const marked = /<!-- answer (\w+) (\{.*\}) -->\n[\s\S]*?<!-- \/answer -->/g;

/** The document with the answers that its account gives now. */
export async function withAnswers(file: string, runtime: Runtime): Promise<string> {
  const text = readFileSync(file, 'utf8');
  const answers: string[] = [];
  // One after the other: a write stands before the answers that tell of it.
  for (const [, tool = '', args = '{}'] of text.matchAll(marked))
    answers.push(await summaryOf(runtime, tool, JSON.parse(args)));
  return text.replace(marked, (_, tool, args) => {
    const quotedAnswer = `> \`${tool}\`: ${answers.shift()}`;
    return `<!-- answer ${tool} ${args} -->\n${quotedAnswer}\n<!-- /answer -->`;
  });
}

/** The first sentences of an answer, without the words that every answer of the demo begins with. */
async function summaryOf(runtime: Runtime, tool: string, args: unknown): Promise<string> {
  const outcome = await runtime.pipeline.call(tool, args, { caller: runtime.ownCaller(), client: nobody });
  if (outcome.kind !== 'result') throw new Error(`${tool} asks in a document`);
  const { summary } = resultOf(outcome.answer).structuredContent as { summary: string };
  return summary.replace(/^Demo data: /, '').replaceAll('\n', ' ');
}
