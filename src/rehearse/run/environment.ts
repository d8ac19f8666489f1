/** The environment of an agent's process. */
import { settings } from '../../server/settings/settings.ts';

/**
 * What the server reads besides its settings: PostgreSQL's own variables, addresses of stores, tracing with its headers.
 * `REHEARSAL_` is ours: a rehearsal inside a rehearsal passes nothing on.
 */
const otherServerVariables = /^(?:BILLING_|REHEARSAL_|OTEL_|PG[A-Z]|REDIS_|DATABASE_URL$|POSTGRES_)/i;
const names: ReadonlySet<string> = new Set(Object.values(settings).flatMap(({ name }) => name?.toUpperCase() ?? []));
const proxies = /^(?:https?|no)_proxy$/i;

/**
 * The variables of this process without those of the server, and `runVariables`. The machine's proxy leads the agent to its
 * model, so it is passed on unless it holds a password; the server itself is reached without it.
 */
export function agentEnvironment(
  env: NodeJS.ProcessEnv,
  runVariables: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  const passed = Object.entries(env).filter(
    ([name, value]) => !otherServerVariables.test(name) && (!names.has(name.toUpperCase()) || isOpenProxy(name, value)),
  );
  const past = ['127.0.0.1', ...[env.no_proxy ?? env.NO_PROXY ?? []].flat()].join(',');
  const proxied = passed.some(([name]) => proxies.test(name));
  return { ...Object.fromEntries(passed), ...(proxied && { NO_PROXY: past, no_proxy: past }), ...runVariables };
}

function isOpenProxy(name: string, value = ''): boolean {
  return proxies.test(name) && !value.includes('@');
}

/** The values among them that must not stand in a report, as far as their names tell. */
export function secretsIn(env: NodeJS.ProcessEnv): string[] {
  const telling = Object.entries(env).filter(([name]) => /KEY|TOKEN|SECRET|PASSW|CREDENTIAL/i.test(name));
  return telling.flatMap(([, value = '']) => (value.length >= 12 ? [value] : []));
}
