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
