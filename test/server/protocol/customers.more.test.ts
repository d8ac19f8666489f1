/** Settings of customers that stop the start. */
import { describe, expect, it } from 'vitest';
import { customerKey } from '../../support/customer-tokens.ts';
import { run } from './program.ts';

describe('the program does not start', () => {
  const account = { BILLING_BASE_URL: 'https://billing.example.com', BILLING_API_KEY: 'key-of-the-tests' };
  const refused: [string, string[], Record<string, string>, RegExp][] = [
    [
      'with a requirement that nothing can meet',
      [],
      { BILLING_CUSTOMER: 'required' },
      /BILLING_CUSTOMER=required needs/,
    ],
    [
      'nor over HTTP with bearer tokens',
      ['--http'],
      { BILLING_CUSTOMER: 'required', BILLING_HTTP_AUTH: 'token', BILLING_HTTP_TOKENS: 'token-of-the-desk-0001' },
      /Set BILLING_CUSTOMER_TOKEN_KEY/,
    ],
    ['with the word beside customers', [], { BILLING_CUSTOMER: 'acme,required' }, /either required or a list/],
    ['with a short key', [], { BILLING_CUSTOMER_TOKEN_KEY: 'short' }, /must be at least 32 characters\.$/m],
    [
      'with one key for tokens and confirmations',
      [],
      { BILLING_CUSTOMER_TOKEN_KEY: customerKey, BILLING_STATE_KEY: customerKey },
      /are the same/,
    ],
  ];
  it.each(refused)('%s', async (_what, args, env, problem) => {
    const { code, stderr } = await run(args, { ...account, ...env });
    expect([code, stderr]).toEqual([2, expect.stringMatching(problem)]);
    expect(stderr).not.toContain(customerKey);
  });
});
