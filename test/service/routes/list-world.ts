/** Lists behind the real application. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Records, type World, world } from '../../engine/service-world.ts';
import type { RunDatabase } from '../../support/postgres.ts';

export const NOW = '2026-03-15T12:00:00.000Z';

export interface ListWorld extends World {
  /** The ids in the answer, in its order, with a blank between; its `meta` must count them. */
  ids(path: string): Promise<string>;
  /** The answer to a refused request, without `status` and `error`. */
  refusal(path: string): Promise<{ status: number; code: string; error_details?: unknown }>;
  /** The notice header of the answer. */
  notice(path: string): Promise<unknown>;
}

/** Runs `tests` on the database with an account that has the records. */
export function onDatabase(
  name: string,
  database: RunDatabase,
  records: Records,
  tests: (account: ListWorld) => void,
): void {
  describe.skipIf(database.missing)(`${name} on ${database.name}`, () => {
    const account = {} as ListWorld;
    beforeAll(async () => {
      Object.assign(account, await world(records, NOW, await database.fresh()), {
        ids: async (path: string) => {
          const { status, body } = await account.get(path);
          expect(body).not.toHaveProperty('error');
          expect(status).toBe(200);
          const [key = ''] = Object.keys(body);
          expect(Object.keys(body)).toEqual([key, 'meta']);
          const rows: { svc_id: string }[] = body[key];
          if (!path.includes('page=')) expect(body.meta.total_count).toBe(rows.length);
          return rows.map(row => row.svc_id).join(' ');
        },
        refusal: async (path: string) => {
          const { body } = await account.get(path);
          const { error, ...rest } = body;
          expect(error).toBe(body.status === 404 ? 'Not Found' : 'Unprocessable Entity');
          return rest;
        },
        notice: async (path: string) => (await account.get(path)).headers['x-service-notice'],
      });
    });
    afterAll(() => account.close());
    tests(account);
  });
}

export function refused(error_details: unknown) {
  return { status: 422, code: 'validation_errors', error_details };
}

export function missing(resource: string) {
  return { status: 404, code: `${resource}_not_found` };
}
