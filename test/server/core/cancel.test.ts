import { expect, it } from 'vitest';
import { Cancel } from '../../../src/server/fast/cancel.ts';

it('calls every listener once, and none that was removed', () => {
  const cancel = new Cancel();
  const told: string[] = [];
  const left = (): void => void told.push('left');
  cancel.addEventListener('abort', () => told.push('first'));
  cancel.addEventListener('abort', left);
  cancel.addEventListener('abort', () => told.push('second'));
  cancel.removeEventListener('abort', left);
  expect(cancel.aborted).toBe(false);
  cancel.abort();
  cancel.abort();
  expect(told).toEqual(['first', 'second']);
  expect(cancel.aborted).toBe(true);
});
