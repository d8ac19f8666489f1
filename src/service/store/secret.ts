/** The secret that signs portal links when the account file sets no `hmac_key`. */
import { randomBytes } from 'node:crypto';

/** 256 random bits as text. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}
