/** The server over HTTP in this process, with the demo account unless the settings name another. */
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type HttpServer, serveHttp } from '../../../../src/server/http/serve.ts';
import { createLog } from '../../../../src/server/logs/log.ts';
import { createRuntime, type Runtime } from '../../../../src/server/runtime.ts';
import { loadConfig } from '../../../../src/server/settings/load.ts';

export interface TestServer extends HttpServer {
  runtime: Runtime;
  /** For which customers the billing API was asked, and by whom, newest last. */
  viewers: { id: string; customers: readonly string[] | undefined }[];
  /** The lines of its log. */
  lines: string[];
}

type Env = Record<string, string>;
/** What a runtime can have instead of the usual. */
type More = Omit<Parameters<typeof createRuntime>[0], 'config' | 'observer' | 'roles'>;

export async function startServer(args: readonly string[] = [], env: Env = {}, more: More = {}): Promise<TestServer> {
  const demo = env.BILLING_BASE_URL === undefined ? ['--demo'] : [];
  const { config } = loadConfig(['--http', '--port', '0', ...demo, ...args], env);
  const [viewers, lines]: [TestServer['viewers'], string[]] = [[], []];
  let runtime: Runtime | undefined;
  const server = await serveHttp({
    config,
    log: createLog('debug', { write: line => void lines.push(line) }),
    createRuntime: (observer, roles) => {
      runtime = createRuntime({ ...more, config, observer, roles });
      const { of } = runtime.upstreams;
      runtime.upstreams.of = (baseUrl, apiKey, id = '', viewer) => {
        viewers.push({ id, customers: viewer?.customers });
        return of(baseUrl, apiKey, id, viewer);
      };
      return runtime;
    },
  });
  return { ...server, runtime: runtime!, viewers, lines };
}

/** One for all tests of the file or group that asks for it. `env` is read when it starts. */
export function sharedServer(args: readonly string[] = [], env: Env | (() => Env) = {}, more: More = {}): TestServer {
  const shared = {} as TestServer;
  beforeAll(async () => {
    Object.assign(shared, await startServer(args, typeof env === 'function' ? env() : env, more));
  });
  afterAll(() => shared.close());
  return shared;
}

/** One for the test that is running. */
export async function ownServer(...given: Parameters<typeof startServer>): Promise<TestServer> {
  const server = await startServer(...given);
  onTestFinished(() => server.close());
  return server;
}
