/** Loads the settings from flags and environment; checks each one alone and then together. */
import { nameProblems } from './names.ts';
import { readValues } from './read.ts';
import { contradictions } from './rules.ts';
import { type Config, ConfigError, settings } from './settings.ts';

/** For commands that read no setting. Throws ConfigError for `BILLING_` variables that are not settings. */
export function checkNames(env: NodeJS.ProcessEnv): void {
  const problems = nameProblems(settings, env);
  if (problems.length > 0) throw new ConfigError(problems);
}

/**
 * Reads flags and environment, flags first. Throws ConfigError with every problem found. `embedded`: a program makes the
 * connections, and may say itself for which customers each one is.
 */
export function loadConfig(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  { embedded = false } = {},
): { config: Config } {
  const { values: config, setKeys, ...read } = readValues(settings, argv, env);
  const problems = [...read.problems, ...nameProblems(settings, env)];
  const all = problems.length > 0 ? problems : contradictions(config, setKeys, embedded);
  if (all.length > 0) throw new ConfigError(all);
  return { config };
}
