/** Answers the engine's questions about usage events by SQL (§8). */
import type { UsageAnswer, UsageQuery } from '../engine/types.ts';
import type { Db, DialectName } from './migrations.ts';

/** One list of rows per query key. */
export async function answerUsage(
  _db: Db,
  _dialect: DialectName,
  _organizationId: string,
  _queries: readonly UsageQuery[],
): Promise<UsageAnswer> {
  throw new Error('Usage cannot be aggregated yet.');
}
