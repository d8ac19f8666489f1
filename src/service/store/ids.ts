/** Ids of records whose entry states none, and the secret of an account that states none. */
import { createHash, randomBytes } from 'node:crypto';

/**
 * A UUID in version 5 form, derived from the kind of record and its key (`idOf('wallet', 'acme prepaid')`). The same entry
 * always gets the same id, so links and documents stay valid.
 */
export function idOf(kind: string, key: string): string {
  const hex = createHash('sha1').update(`usage-billing-mcp\n${kind}\n${key}`).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}

/** 256 random bits as text: signs portal links when the account file sets no `hmac_key`. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}
