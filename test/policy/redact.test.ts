import { describe, expect, it } from 'vitest';
import { redactDeep, redactText } from '../../src/policy/redact.ts';

describe('redaction', () => {
  it.each([
    [
      'bearer tokens',
      'sent Authorization: Bearer abc.def-123 upstream',
      'sent Authorization: Bearer [redacted] upstream',
    ],
    [
      'portal links',
      'see https://x.example/customer-portal/eyJhbGci.abc now',
      'see https://x.example/customer-portal/[redacted] now',
    ],
    ['passwords in addresses', 'redis://user:pass@host:6379/0', 'redis://[redacted]@host:6379/0'],
    ['the given secrets', 'the key is key-123456', 'the key is [redacted]'],
  ])('takes out %s', (_what, text, safe) => {
    expect(redactText(text, ['key-123456'])).toBe(safe);
  });

  it('works at any depth, on keys too, and on fields that are named like secrets', () => {
    const value = {
      metadata: { 'key-123456': ['key-123456'] },
      api_key: 'anything',
      portal_url: 'https://x',
      secret: null,
    };
    expect(redactDeep(value, ['key-123456'])).toEqual({
      metadata: { '[redacted]': ['[redacted]'] },
      api_key: '[redacted]',
      portal_url: '[redacted]',
      secret: null,
    });
  });

  it('tells a logo by its length, and cuts very long texts', () => {
    const logo = `data:image/png;base64,${'A'.repeat(1000)}`;
    expect(redactDeep({ logo })).toEqual({ logo: '[image/png, 1022 characters]' });
    expect((redactDeep({ name: 'x'.repeat(3000) }) as { name: string }).name).toMatch(/x… \[3000 characters\]$/);
  });

  it('leaves ordinary arguments alone', () => {
    const args = { code: 'setup', amount_cents: 5, tax_codes: ['vat'], name: null, token_count: 3 };
    expect(redactDeep(args, ['key-123456'])).toEqual(args);
  });
});
