/** Small signed texts that a browser keeps: who signed in, and a sign-in that is under way. */
import { createHmac } from 'node:crypto';
import { membersOf } from '../../../lib/json.ts';
import { sameSecret } from '../credentials.ts';

/** What is sealed: who signed in, or the sign-in and the question that it is for. */
export type Sealed = { readonly [Member in 'caller' | 'id' | 'state' | 'verifier' | 'expires']?: unknown };

export type Seal = ReturnType<typeof createSeal>;

/** The key is derived from the state key, which machines share. */
export function createSeal(stateKey: Uint8Array) {
  const key = createHmac('sha256', stateKey).update('usage-billing-mcp approval page').digest();
  const sign = (...parts: string[]) => createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
  return {
    /** A text that only this key makes; `purpose` keeps one kind from passing as another. */
    seal(purpose: string, content: Sealed, expires: number): string {
      const body = Buffer.from(JSON.stringify({ ...content, expires })).toString('base64url');
      return `${body}.${sign(purpose, body)}`;
    },
    /** The content; undefined for a text that is altered, expired, or of another purpose. */
    open(purpose: string, text: string | undefined, now: number): Sealed | undefined {
      const [body = '', signature = '', ...rest] = (text ?? '').slice(0, 4000).split('.');
      if (rest.length > 0 || !sameSecret(signature, sign(purpose, body))) return undefined;
      const content: unknown = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
      const members = membersOf<keyof Sealed>(content);
      return typeof members.expires === 'number' && members.expires > now ? members : undefined;
    },
    /** A text that proves that the page was shown in this browser: `parts` name the page and its session. */
    proof: (...parts: string[]) => sign('proof', ...parts),
  };
}
