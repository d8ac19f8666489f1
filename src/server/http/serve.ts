/** Serves over HTTP, from start to orderly stop. Loaded only with `--http`. */
import type { AddressInfo } from 'node:net';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Roles } from '../../calls/access/roles/role.ts';
import { toolList as tools } from '../../calls/access/tool-list.ts';
import { listenProblem } from '../../lib/system-errors.ts';
import { createLog, logCalls } from '../logs/log.ts';
import { createMetrics } from '../logs/metrics.ts';
import { combine } from '../logs/observers.ts';
import { createTracing } from '../logs/trace.ts';
import type { Observer } from '../logs/types.ts';
import { createRuntime, type Runtime } from '../runtime.ts';
import { type Config, ConfigError } from '../settings/settings.ts';
import { usualLimits } from '../settings/usual.ts';
import { buildApp, type HttpApp } from './app.ts';
import { approvalPageOffer, confirmTextWith } from './approve/offer.ts';
import { settingsFrom } from './configure.ts';
import { createAccepted } from './credentials.ts';
import { readinessChecks } from './probes.ts';
import type { HttpSettings } from './settings.ts';

export interface HttpServer {
  /** The endpoint, `http://host:port/mcp`. */
  url: string;
  /** Accepts no more requests, waits for running ones as long as configured, then closes everything. */
  close(): Promise<void>;
}

export interface ServeOptions {
  config: Config;
  /** Makes the runtime with this process's observers, and with the roles where there are some; absent: the usual one. */
  createRuntime?(observer: Observer, roles?: Roles): Runtime;
  log?: Logger;
}

/** Starts serving. Throws ConfigError when the settings would be unsafe, or the port or address cannot be used. */
export async function serveHttp(options: ServeOptions): Promise<HttpServer> {
  const roles = await rolesOf(options.config);
  return serve(options, settingsFrom(options.config, roles));
}

/** The roles of `BILLING_ROLES`; a server without them loads nothing for them. */
async function rolesOf({ roles: path }: Config): Promise<Roles | undefined> {
  if (path === undefined) return undefined;
  const { readRoles } = await import('../../calls/access/roles/file.ts');
  const names = tools.map(({ name }) => name);
  return readRoles(path, names);
}

async function serve(options: ServeOptions, settings: HttpSettings): Promise<HttpServer> {
  const log = options.log ?? createLog(options.config.logLevel);
  let sessions = () => 0;
  const metrics = createMetrics(
    tools.map(tool => tool.name),
    () => sessions(),
  );
  const accepted = settings.auth === 'api-key' ? createAccepted() : undefined;
  const observer = combine(await createTracing('tcp'), metrics.observer, logCalls(log), accepted?.observer ?? {});
  const { config } = options;
  const { roles } = settings;
  const runtime = options.createRuntime?.(observer, roles) ?? createRuntime({ config, observer, roles });
  const redis =
    settings.redisUrl === undefined
      ? undefined
      : await (await import('./redis.ts')).connectRedis(settings.redisUrl, log);
  const built = await buildApp({
    settings,
    runtime,
    log,
    metrics,
    accepted,
    redis,
    checks: readinessChecks(runtime, redis),
  });
  sessions = () => built.sessions?.size ?? 0;
  let stopped: Promise<void> | undefined;
  const close = () => {
    stopped ??= stop(built, runtime, redis);
    return stopped;
  };
  try {
    await listen(built, settings);
  } catch (error) {
    await close();
    const problem = listenProblem(error, settings.host, settings.port);
    throw problem === null ? error : new ConfigError([problem]);
  }
  void runtime.warmUp();
  return { url: addressOf(built), close };
}

/** Serves until SIGTERM or SIGINT, then exits with 0, at the latest shortly after the waiting time. */
export async function runHttp(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  const settings = settingsFrom(config, await rolesOf(config));
  const server = await serve({ config, log }, settings);
  announce(server.url, config, settings, log);
  const end = async (signal: string) => {
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(0), usualLimits.drainMs + 3_000).unref();
    await server.close().catch(error => log.error({ err: String(error) }, 'stopping failed'));
    process.exit(0);
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}

/** Silences Fastify's own log line about it: ours says more. */
async function listen({ app }: HttpApp, { host, port }: HttpSettings): Promise<void> {
  const { level } = app.log;
  app.log.level = 'silent';
  await app.listen({ host, port });
  app.log.level = level;
}

/** One plain line for a user at a terminal; log lines for programs. */
function announce(url: string, config: Config, settings: HttpSettings, log: Logger): void {
  const auth = config.httpAuth ?? 'none';
  const pages = approvalPageOffer(settings);
  const text = confirmTextWith(config, pages, settings.roles);
  if (process.stderr.isTTY && log.isLevelEnabled('info')) {
    const account = config.demo ? 'the demo account' : (config.baseUrl ?? 'no billing account');
    console.error(`Serving MCP at ${url} for ${audiences[auth]}, with ${account}. Stop with Ctrl-C.`);
    console.error(text);
    return;
  }
  log.info({ url, auth }, 'serving');
  log.info({ confirm: config.confirm, ask: config.ask }, text);
  if ('missing' in pages) log.info({ fix: pages.missing }, 'no page for approving writes');
}

const audiences: Record<NonNullable<Config['httpAuth']>, string> = {
  none: 'anyone on this machine',
  token: 'callers with a token',
  'api-key': 'callers with a billing key',
  oauth: 'users who sign in',
};

async function stop(built: HttpApp, runtime: Runtime, redis: Redis | undefined): Promise<void> {
  built.beginStop();
  runtime.pipeline.endWaits();
  built.app.server.close();
  const deadline = performance.now() + runtime.limits.drainMs;
  while (built.inFlight() > 0 && performance.now() < deadline) await new Promise(resolve => setTimeout(resolve, 20));
  await built.handler.close();
  await built.sessions?.close();
  // Connections that are still open are idle, streams without an end, or too slow.
  built.app.server.closeAllConnections();
  await built.app.close();
  await runtime.close();
  redis?.disconnect();
}

function addressOf({ app }: HttpApp): string {
  const { address, family, port } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/mcp`;
}
