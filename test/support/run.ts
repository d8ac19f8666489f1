/** Shared by all test files of a run: one PostgreSQL server, started when the first file needs it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { startPostgres, type TestPostgres } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where test files ask for databases. */
    postgres: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<TestPostgres> | undefined;
  const server = createServer(async (request, response) => {
    // A busy test file may take longer than an idle connection stays open.
    response.setHeader('connection', 'close');
    try {
      started ??= startPostgres();
      const postgres = await started;
      response.end(request.url === '/databases' ? await postgres.freshDatabase() : '');
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.message : String(error));
    }
  });
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  project.provide('postgres', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    await (await started?.catch(() => undefined))?.stop();
  };
}
