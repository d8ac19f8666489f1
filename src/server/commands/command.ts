/** What a subcommand is, and how it reads its arguments: as the server reads its settings. */
import { readValues } from '../settings/read.ts';
import { ConfigError, type Flag, type ValuesOf } from '../settings/settings.ts';

export interface Command {
  readonly flags: Readonly<Record<string, Flag>>;
  /** What its help says besides, a paragraph each. */
  readonly more?: readonly string[];
  /** Gives the exit code; undefined where the command goes on running. Throws ConfigError for what the user can correct. */
  run(argv: readonly string[]): Promise<number | undefined>;
}

/** `takes`: the name of the one argument without a flag; of several it ends with `...`. Throws ConfigError with all that is wrong. */
export function readArguments<const Flags extends Record<string, Flag>>(
  flags: Flags,
  argv: readonly string[],
  takes?: string,
): ValuesOf<Flags> & { argument: string; others: string[] } {
  const { values, bare, problems } = readValues(flags, argv, process.env, takes);
  if (problems.length > 0) throw new ConfigError(problems);
  const [argument = '', ...others] = bare;
  return { ...values, argument, others };
}
