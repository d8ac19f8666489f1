/** Finds `BILLING_` variables that are not settings: a misspelt restriction would have no effect. */
import { cutText } from '../../lib/text.ts';
import { removedSetting } from './removed.ts';
import type { Setting, SettingKey } from './settings.ts';

/** One problem for each unknown name, with the nearest setting. An unknown name with an empty value counts too. */
export function nameProblems(table: Record<string, Setting>, env: NodeJS.ProcessEnv): string[] {
  const known = new Set(Object.values(table).map(setting => setting.name as string | null));
  // Windows ignores the case of a variable's name.
  const isKnown = (name: string) => known.has(process.platform === 'win32' ? name.toUpperCase() : name);
  return Object.keys(env)
    .filter(name => /^billing_/i.test(name) && !isKnown(name) && !isInjected(name, env))
    .map(
      name =>
        removedSetting(name) ??
        `${shorten(name)} is not a setting. Did you mean ${nearestSetting(name, table)}? Rename or remove it.`,
    );
}

/**
 * Variables that Kubernetes sets in every container for a service called `billing`. For `billing-api` and similar
 * names, its SERVICE_HOST and SERVICE_PORT must be set too, so that a single misspelt setting is not overlooked.
 */
function isInjected(name: string, env: NodeJS.ProcessEnv): boolean {
  const service =
    /^(BILLING(?:_[A-Z0-9_]+?)??)_(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?)$/.exec(
      name,
    )?.[1];
  if (service === undefined) return false;
  return service === 'BILLING' || (`${service}_SERVICE_HOST` in env && `${service}_SERVICE_PORT` in env);
}

/** Names that other programs use, for which the setting that is nearest by letters would do something else. */
const otherWords: readonly [RegExp, SettingKey][] = [
  [/^(DISABLE|DENY|DENIED|BLOCK|FORBID|HIDE|HIDDEN)[A-Z]*_?TOOLS?$/, 'excludeTools'],
  [/^((ALLOW|ENABLE|DISABLE|DENY|NO)[A-Z]*_?)?WRIT(E|ES|ING)$/, 'readOnly'],
];

function nearestSetting(name: string, table: Record<string, Setting>): string {
  const wanted = letters(name);
  const meant = otherWords.find(([words]) => words.test(name.slice('BILLING_'.length).toUpperCase()))?.[1];
  const row = meant && table[meant];
  const rows = row ? [row] : Object.values(table);
  let best = { name: '', likeness: -1 };
  for (const { name: variable, flag } of rows) {
    // A setting with only a flag is also compared without a leading HTTP, which variables have there.
    const likeness = variable
      ? likenessOf(wanted, letters(variable))
      : likenessOf(wanted.replace(/^HTTP(?=.)/, ''), letters(flag ?? ''));
    if (likeness > best.likeness) best = { name: variable ?? `--${flag}`, likeness };
  }
  return best.name;
}

const letters = (name: string): string =>
  name
    .toUpperCase()
    .replace(/^BILLING_/, '')
    .replace(/[^A-Z0-9]/g, '');

/** How similar two words are (0 to 1): the share of letter pairs that they have in common (Dice). */
function likenessOf(left: string, right: string): number {
  const [a, b] = [pairs(left), pairs(right)];
  return (2 * [...a].filter(pair => b.has(pair)).length) / (a.size + b.size);
}

function pairs(word: string): Set<string> {
  const framed = ` ${word} `;
  return new Set(Array.from({ length: framed.length - 1 }, (_, index) => framed.slice(index, index + 2)));
}

export function shorten(text: string): string {
  return text.length > 60 ? `${cutText(text, 57)}…` : text;
}
