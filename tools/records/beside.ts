/** What a summary says and its record does not hold (a currency, a name): read again after the answer. */
import type { Body, RecordUnder } from '../../src/contract/answers.ts';
import type { Api, ReadAnswer } from '../../src/definition/api.ts';
import { unwrap } from '../../src/words/present-record.ts';

/** The answer with what `read` gives; as it is where that could not be read in time. `key`: of the record or the list in it. */
export async function withBeside<Key extends string>(
  api: Api,
  key: Key,
  answering: Promise<ReadAnswer<Body>>,
  read: (record: RecordUnder<Key>, api: Api) => Promise<object | null>,
): Promise<ReadAnswer> {
  const answer = await answering;
  if (!answer.ok) return answer;
  const record = unwrap(key, answer.body) as RecordUnder<Key>;
  const beside = await api.beside(aside => read(record, aside));
  return beside === null ? answer : { ...answer, beside };
}
