/** Names in the environment that begin like our settings and are none: a slip would leave on what was to be off. */
import type { Setting, SettingKey } from './settings.ts';

/** One problem for each name that is no setting, with the nearest one. Values do not count: an empty slip is one too. */
export function nameProblems(table: Record<string, Setting>, env: NodeJS.ProcessEnv): string[] {
  const known = new Set(Object.values(table).map(setting => setting.name as string | null));
  const names = Object.keys(env).filter(name => /^billing_/i.test(name));
  return names
    .filter(name => !known.has(sameOn(process.platform, name)) && !isInjected(name, env))
    .map(
      name => `${shorten(name)} is not a setting. Did you mean ${nearestSetting(name, table)}? Rename or remove it.`,
    );
}

/** Windows finds a variable whatever the case of its letters. */
function sameOn(platform: NodeJS.Platform, name: string): string {
  return platform === 'win32' ? name.toUpperCase() : name;
}

/**
 * What Kubernetes tells every container about a service called `billing`; about `billing-api` and the like where the names
 * that always come with it are there, so that no single name of ours gets lost among them.
 */
function isInjected(name: string, env: NodeJS.ProcessEnv): boolean {
  const service =
    /^(BILLING(?:_[A-Z0-9_]+?)??)_(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?)$/.exec(
      name,
    )?.[1];
  if (service === undefined) return false;
  return service === 'BILLING' || (`${service}_SERVICE_HOST` in env && `${service}_SERVICE_PORT` in env);
}

/** Words of other programs that lead, letter by letter, to a setting that does the opposite or something else. */
const otherWords: readonly [RegExp, SettingKey][] = [
  [/^(DISABLE|DENY|DENIED|BLOCK|FORBID|HIDE|HIDDEN)[A-Z]*_?TOOLS?$/, 'excludeTools'],
  [/^((ALLOW|ENABLE|DISABLE|DENY|NO)[A-Z]*_?)?WRIT(E|ES|ING)$/, 'readOnly'],
];

function nearestSetting(name: string, table: Record<string, Setting>): string {
  const wanted = letters(name);
  const meant = otherWords.find(([words]) => words.test(name.slice('BILLING_'.length).toUpperCase()))?.[1];
  const rows = meant === undefined ? Object.values(table) : [table[meant]!];
  let best = { name: '', likeness: -1 };
  for (const { name: variable, flag } of rows) {
    // What is a flag only is looked for with HTTP before it too, as the variables have it.
    const likeness = variable
      ? likenessOf(wanted, letters(variable))
      : likenessOf(wanted.replace(/^HTTP(?=.)/, ''), letters(flag!));
    if (likeness > best.likeness) best = { name: variable ?? `--${flag}`, likeness };
  }
  return best.name;
}

const letters = (name: string): string =>
  name
    .toUpperCase()
    .replace(/^BILLING_/, '')
    .replace(/[^A-Z0-9]/g, '');

/** The share of pairs of neighbouring letters that two words have in common (Dice), 0 to 1. */
function likenessOf(left: string, right: string): number {
  const [a, b] = [pairs(left), pairs(right)];
  return (2 * [...a].filter(pair => b.has(pair)).length) / (a.size + b.size);
}

function pairs(word: string): Set<string> {
  const framed = ` ${word} `;
  return new Set(Array.from({ length: framed.length - 1 }, (_, index) => framed.slice(index, index + 2)));
}

export function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
