import { describe, expect, it } from 'vitest';
import { redactDeep, redactText, safeError } from '../../src/words/safe-text.ts';

describe('redaction', () => {
  it.each([
    ['bearer tokens', 'Authorization: Bearer abc.def-123 upstream', 'Authorization: Bearer [redacted] upstream'],
    ['portal links', 'see https://x/customer-portal/eyJhbGci.abc now', 'see https://x/customer-portal/[redacted] now'],
    [
      'links of documents, also in JSON inside JSON',
      '{"file_url":"https://x.example/1?s=a","a":"{\\"xml_url\\": \\"https://x.example/2\\"}","web_url":""}',
      '{"file_url":"[redacted]","a":"{\\"xml_url\\": \\"[redacted]\\"}","web_url":""}',
    ],
    ['passwords in addresses', 'redis://user:pass@host:6379/0', 'redis://[redacted]@host:6379/0'],
    ['the given secrets', 'the key is key-123456', 'the key is [redacted]'],
  ])('removes %s', (_what, text, safe) => {
    expect(redactText(text, ['key-123456'])).toBe(safe);
  });

  it('works at any depth, on keys too, and on fields that are named like secrets', () => {
    const named = (value: string) => ({ api_key: value, portal_url: value, file_url: value, secret: null });
    const value = { metadata: { 'key-123456': ['key-123456'] }, ...named('https://x') };
    const safe = { metadata: { '[redacted]': ['[redacted]'] }, ...named('[redacted]') };
    expect(redactDeep(value, ['key-123456'])).toEqual(safe);
  });

  it('replaces a logo by its length, and cuts very long texts', () => {
    const logo = `data:image/png;base64,${'A'.repeat(1000)}`;
    expect(redactDeep({ logo })).toEqual({ logo: '[image/png, 1022 characters]' });
    expect((redactDeep({ name: 'x'.repeat(3000) }) as { name: string }).name).toMatch(/x… \[3000 characters\]$/);
  });

  it('leaves ordinary arguments alone', () => {
    const args = { code: 'setup', amount_cents: 5, tax_codes: ['vat'], name: null, token_count: 3 };
    expect(redactDeep(args, ['key-123456'])).toEqual(args);
  });
});

describe('an error as it may be shown', () => {
  const error = { status: 422, code: 'no_way', message: 'm', hint: 'h', changed: false } as const;
  const secret = 'key-123456';

  it.each([
    ['no_way', 422, 'no_way'],
    ['x'.repeat(80), 422, 'x'.repeat(80)],
    ['x'.repeat(81), 422, 'http_422'],
    ['two words', 422, 'http_422'],
    ['(no_way', 422, 'http_422'],
    ['', 422, 'http_422'],
    [secret, 422, 'http_422'],
    ['<b>', null, 'http_error'],
  ])('with the code %j and the status %j has the code %s', (code, status, shown) => {
    expect(safeError({ ...error, code, status }, [secret]).code).toBe(shown);
  });

  it('has no secret, no markup and no very long text in message, hint and details', () => {
    const said = `${secret} \u202Ex\u0007`;
    const safe = safeError({ ...error, message: said, hint: said, details: { [secret]: [said] } }, [secret]);
    expect(JSON.stringify(safe)).not.toContain(secret);
    expect(`${safe.message}${safe.hint}${JSON.stringify(safe.details)}`).not.toMatch(/\p{C}/u);
    expect(safeError({ ...error, message: 'x'.repeat(5000) }).message).toMatch(/x… \[5000 characters\]$/);
    expect(safe).toMatchObject({ status: 422, changed: false });
    expect(safeError(error)).toEqual(error);
  });
});

describe('a short secret', () => {
  it('is only removed if it is long enough to be a secret', () => {
    expect(redactText('abcde abcdef', ['abcde'])).toBe('abcde abcdef');
    expect(redactText('abcde abcdef', ['abcdef'])).toBe('abcde [redacted]');
  });
});
