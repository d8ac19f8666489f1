/** Shared by all test files of a run: one PostgreSQL, one Chromium, the clients of others, each when the first file needs it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where test files ask for databases and for the browser. */
    services: string;
    /** Of all random cases. */
    seed: number;
    /** See extent.ts. */
    whole: boolean;
  }
}

interface Service {
  /** What a test file is told: in answer to a GET. To a HEAD, only whether it could be started. */
  address(): string | Promise<string>;
  stop(): Promise<unknown>;
}

export default async function setUp(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Vitest calls this for each project, too. A project has what is provided here for all.
  if (!project.isRootProject()) return undefined;
  const started = new Map<string, Promise<Service>>();
  const server = createServer(async (request, response) => {
    // A busy test file may take longer than an idle connection stays open.
    response.setHeader('connection', 'close');
    const path = request.url ?? '';
    try {
      const starting = started.get(path) ?? services[path]?.();
      if (!starting) throw new Error(`there is no ${path}`);
      started.set(path, starting);
      const service = await starting;
      response.end(request.method === 'HEAD' ? '' : await service.address());
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.message : String(error));
    }
  });
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  project.provide('services', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  project.provide('seed', project.vitest.config.sequence.seed);
  return async () => {
    server.close();
    await Promise.allSettled([...started.values()].map(async service => (await service).stop()));
  };
}

const services: Record<string, () => Promise<Service>> = {
  '/databases': async () => {
    const { startPostgres } = await import('./postgres-server.ts');
    const postgres = await startPostgres();
    return { address: postgres.freshDatabase, stop: postgres.stop };
  },
  '/browser': async () => {
    const { startBrowser } = await import('./browser-server.ts');
    const browser = await startBrowser();
    return { address: () => browser.wsEndpoint(), stop: () => browser.close() };
  },
  '/clients': async () => {
    const { installClients } = await import('./installed-clients.ts');
    await installClients();
    return { address: () => '', stop: async () => {} };
  },
};
