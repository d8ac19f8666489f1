/** How long a question or a confirmation token is valid. */
export const CONFIRMATION_TTL_MS = 10 * 60_000;
