/** Finds `BILLING_` variables that are not settings: a misspelt restriction would have no effect. */
import { cutText } from '../../lib/text.ts';
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

/** What was a setting. The nearest of the present ones would do something else, so that each says what to do instead. */
interface Removed {
  readonly name: `BILLING_${string}`;
  readonly flag: string | null;
  /** Follows "… is no longer a setting: ". */
  readonly instead: string;
}

// biome-ignore format: one row a setting reads as the table it is
export const removedSettings: readonly Removed[] = [
  { name: 'BILLING_READ_BEFORE_WRITE', flag: null, instead: 'a write always reads its record first. Remove it. If the service or the key cannot read the record, the prompt warns the user.' },
  { name: 'BILLING_MAX_RETRIES', flag: 'max-retries', instead: 'the server retries safe requests up to 3 times within BILLING_TIMEOUT_MS. Remove it, or set that instead.' },
  { name: 'BILLING_MAX_CONCURRENCY', flag: 'max-concurrency', instead: 'at most 32 requests to the billing API run at a time. Remove it.' },
  { name: 'BILLING_HTTP_BODY_LIMIT', flag: 'body-limit', instead: 'a request body can have at most 2 MiB. Remove it, and set a smaller limit in your reverse proxy.' },
  { name: 'BILLING_HTTP_REQUEST_TIMEOUT_MS', flag: 'request-timeout-ms', instead: 'a request must arrive within 30 seconds. Remove it, and set a shorter time in your reverse proxy.' },
  { name: 'BILLING_HTTP_MAX_SESSIONS', flag: 'max-sessions', instead: 'at most 1000 sessions are open at a time, and further clients are served without one. Remove it.' },
  { name: 'BILLING_HTTP_SESSION_IDLE_MS', flag: 'session-idle-ms', instead: 'a session ends after 15 minutes without a request. Remove it.' },
  { name: 'BILLING_HTTP_DRAIN_MS', flag: 'drain-ms', instead: 'a stop waits at most 20 seconds for running calls. Remove it, and give your process manager a longer timeout.' },
  { name: 'BILLING_HTTP_CORS', flag: 'cors', instead: 'BILLING_HTTP_ALLOWED_ORIGINS decides which web pages get answers. Remove it, and set that.' },
  { name: 'BILLING_OAUTH_JWKS_URI', flag: 'oauth-jwks-uri', instead: 'the server reads the key set from the metadata of BILLING_OAUTH_ISSUER (jwks_uri). Remove it.' },
  { name: 'BILLING_ROLE_CLAIM', flag: 'role-claim', instead: 'write it into the file of BILLING_ROLES, as "claim" next to "roles".' },
  { name: 'BILLING_TOOLSETS', flag: 'toolsets', instead: 'name the resources in BILLING_TOOLS, which accepts tools and resources.' },
  { name: 'BILLING_DATABASE_URL', flag: 'database-url', instead: 'pass the same address to BILLING_DATA (--data), which accepts a file or a database.' },
];

/** The sentence for a variable or flag as it was written; undefined where it was never a setting. */
export function removedSetting(written: string): string | undefined {
  const row = removedSettings.find(({ name, flag }) => written.toUpperCase() === name || written === `--${flag}`);
  return row && `${written} is no longer a setting: ${row.instead}`;
}
