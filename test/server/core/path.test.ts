import { expect, it } from 'vitest';
import { compileEndpoint, PathValueError, queryString, splitBaseUrl } from '../../../src/calls/api/http/request.ts';

const customer = compileEndpoint('GET /customers/{id}');

it('keeps any text of a caller within one path segment', () => {
  const rows = [
    ['../plans?x=1', '/customers/%2E%2E%2Fplans%3Fx%3D1'],
    ['a/b', '/customers/a%2Fb'],
    ['a.b', '/customers/a%2Eb'],
    ['é#%', '/customers/%C3%A9%23%25'],
    ["(o'k)*!", '/customers/%28o%27k%29%2A%21'],
  ] as const;
  for (const [id, target] of rows) expect(customer.target({ path: { id } })).toBe(target);
});

it('refuses values that cannot be encoded safely', () => {
  for (const id of ['', '.', '..', '....', '\ud800']) {
    expect(() => customer.target({ path: { id } })).toThrow(PathValueError);
  }
});

it('sends values of up to 2000 characters', () => {
  expect(customer.target({ path: { id: 'é'.repeat(2000) } })).toBe(`/customers/${'%C3%A9'.repeat(2000)}`);
  expect(() => customer.target({ path: { id: 'x'.repeat(2001) } })).toThrow('id is longer than 2000 characters');
});

it('writes lists as name[]', () => {
  expect(queryString({ a: 1, tags: ['x', 'y&z'], none: undefined })).toBe('?a=1&tags[]=x&tags[]=y%26z');
  expect(queryString({ none: undefined })).toBe('');
});

it('accepts a base URL with and without /api/v1, a sub-path and a slash', () => {
  const rows = [
    ['http://h:1', '/api/v1'],
    ['http://h:1/', '/api/v1'],
    ['http://h:1/api/v1', '/api/v1'],
    ['http://h:1/api/v1/', '/api/v1'],
    ['http://h:1/billing', '/billing/api/v1'],
    ['http://h:1/billing/api/v1/', '/billing/api/v1'],
  ] as const;
  for (const [baseUrl, prefix] of rows) expect(splitBaseUrl(baseUrl)).toEqual({ origin: 'http://h:1', prefix });
});
