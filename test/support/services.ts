/** What the run shares, asked for by a test file. */
import { inject } from 'vitest';

/** Throws with what the service said where it cannot start. */
export async function ask(
  path: '/databases' | '/browser' | '/clients',
  method: 'GET' | 'HEAD' = 'GET',
): Promise<string> {
  const answer = await fetch(new URL(path, inject('services')), { method });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text || 'the server ended at its start');
  return text;
}
