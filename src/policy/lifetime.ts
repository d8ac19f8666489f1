/** How long a question or a confirmation token is good for. */
export const CONFIRMATION_TTL_MS = 10 * 60_000;
