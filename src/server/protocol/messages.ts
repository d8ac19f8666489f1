/** Messages as they arrive, before anything reads them. Loads nothing of the SDK. */
import { isObject, membersOf } from '../../lib/json.ts';

/** The one revision whose clients may send several messages in one batch. */
const withBatches = '2025-03-26';

const mostInBatch = 20;

/**
 * The messages of a batch; or why none of them is taken. `revision`: as the client opened the connection or named it in its
 * headers; undefined where it named none.
 */
export function messagesIn(batch: readonly unknown[], revision: string | undefined): readonly unknown[] | string {
  if (revision !== undefined && revision !== withBatches)
    return `Only revision ${withBatches} has batches: send one message per request`;
  if (batch.length === 0 || batch.length > mostInBatch) return `A batch must have 1 to ${mostInBatch} messages`;
  return batch.every(isObject) ? batch.map(asMeant) : 'Every entry of a batch must be a JSON-RPC message';
}

/** Hosts send `arguments: null` for a tool without arguments, which the protocol does not have: it is left out. */
export function asMeant<T>(message: T): T {
  const { params } = membersOf<'params'>(message);
  if (isObject(params) && membersOf<'arguments'>(params).arguments === null)
    Reflect.deleteProperty(params, 'arguments');
  return message;
}
