import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

const anyId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** A random id is 17 to 32 tokens, by chance; this one is 24, as they are on average. */
const averageId = '8a63c0ad-8c85-409d-adbe-5d6d77620702';

/** The o200k tokens of an answer, the same in each run, whatever ids its records got. */
export const answerTokens = (text: string) => countTokens(text.replaceAll(anyId, averageId));
