/** What a summary says and its record does not hold: read after the answer, where the tool names it. */
import type { JsonRecord } from '../lib/json.ts';
import type { UpstreamAnswer } from '../tool/call.ts';
import { unwrap } from '../words/present-record.ts';
import type { Reading } from './id-suggestions.ts';
import type { CallUnderWay } from './request.ts';

/** The answer with what was read beside it; as it is where that could not be read in time. Never rejects. */
export async function withBeside(
  { tool, args }: CallUnderWay,
  search: Reading,
  answer: UpstreamAnswer,
): Promise<UpstreamAnswer> {
  if (!answer.ok || tool.beside === undefined) return answer;
  const { beside } = tool;
  const record: JsonRecord = unwrap(tool, answer.body);
  const found = await search(reads => beside(record, reads, { args }));
  return found === null ? answer : { ...answer, beside: found };
}
