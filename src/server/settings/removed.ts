/** What was a setting. The nearest of the present ones would do something else, so that each says what to do instead. */

interface Removed {
  readonly name: `BILLING_${string}`;
  readonly flag: string | null;
  /** Follows "… is no longer a setting: ". */
  readonly instead: string;
}

// biome-ignore format: one row a setting reads as the table it is
export const removedSettings: readonly Removed[] = [
  { name: 'BILLING_READ_BEFORE_WRITE', flag: null, instead: 'a write always reads its record first. Remove it. Where the service or the key cannot read the record, the question says so.' },
  { name: 'BILLING_MAX_RETRIES', flag: 'max-retries', instead: 'a request that is safe to repeat is repeated 3 times at most, while BILLING_TIMEOUT_MS allows; remove it, or set that.' },
  { name: 'BILLING_MAX_CONCURRENCY', flag: 'max-concurrency', instead: 'at most 32 requests to the billing API run at a time; remove it.' },
  { name: 'BILLING_HTTP_BODY_LIMIT', flag: 'body-limit', instead: 'a request body has 2 MiB at most; remove it, and set a smaller limit in the proxy in front.' },
  { name: 'BILLING_HTTP_REQUEST_TIMEOUT_MS', flag: 'request-timeout-ms', instead: 'a request has 30 seconds to arrive; remove it, and set a shorter time in the proxy in front.' },
  { name: 'BILLING_HTTP_MAX_SESSIONS', flag: 'max-sessions', instead: 'at most 1000 sessions are open at a time, and a further client is served without one; remove it.' },
  { name: 'BILLING_HTTP_SESSION_IDLE_MS', flag: 'session-idle-ms', instead: 'a session ends after 15 minutes without a request; remove it.' },
  { name: 'BILLING_HTTP_DRAIN_MS', flag: 'drain-ms', instead: 'a stop waits for running calls 20 seconds at most; remove it, and give whatever stops the process longer than that.' },
  { name: 'BILLING_HTTP_CORS', flag: 'cors', instead: 'browsers get answers wherever BILLING_HTTP_ALLOWED_ORIGINS names their pages; remove it, and set that.' },
  { name: 'BILLING_OAUTH_JWKS_URI', flag: 'oauth-jwks-uri', instead: 'the key set is the one that the metadata of BILLING_OAUTH_ISSUER names (jwks_uri); remove it.' },
  { name: 'BILLING_ROLE_CLAIM', flag: 'role-claim', instead: 'write it into the file of BILLING_ROLES, as "claim" beside "roles".' },
  { name: 'BILLING_TOOLSETS', flag: 'toolsets', instead: 'name the resources in BILLING_TOOLS, which takes tools and resources.' },
  { name: 'BILLING_DATABASE_URL', flag: 'database-url', instead: 'give the same address to BILLING_DATA (--data), which takes a file or a database.' },
];

/** The sentence for a variable or flag as it was written; undefined where it was never a setting. */
export function removedSetting(written: string): string | undefined {
  const row = removedSettings.find(({ name, flag }) => written.toUpperCase() === name || written === `--${flag}`);
  return row && `${written} is no longer a setting: ${row.instead}`;
}
