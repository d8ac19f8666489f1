/** What a summary says and its record does not hold: read after the answer, where the tool names it. */
import type { UpstreamAnswer } from '../tool/upstream-answer.ts';
import { unwrap } from '../words/present-record.ts';
import type { Call } from './context.ts';
import type { Reading } from './id-suggestions.ts';

/** The answer with what was read beside it; as it is where that could not be read in time. Never rejects. */
export async function withBeside(
  { tool, args }: Call,
  reading: Reading,
  answer: UpstreamAnswer,
): Promise<UpstreamAnswer> {
  if (!answer.ok || tool.beside === undefined) return answer;
  const { beside } = tool;
  const record = unwrap(tool, answer.body);
  const fields = await reading(reads => beside(record, reads, { args }));
  return fields === null ? answer : { ...answer, beside: fields };
}
