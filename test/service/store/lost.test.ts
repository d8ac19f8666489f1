import { expect, it } from 'vitest';
import { isConnectionLost } from '../../../src/service/store/errors.ts';

const failed = (message: string, fields: object = {}) => Object.assign(new Error(message), fields);

it.each([
  ['what the driver says itself of a connection', failed('Connection terminated unexpectedly'), true],
  ['the same of one that it closed', failed('Client was closed and is not queryable'), true],
  ['the same words as the server’s answer', failed('Connection terminated', { code: '22023' }), false],
  ['the driver’s words in the middle of others', failed('No: Connection terminated'), false],
  ['an error of ours without a code', failed('undefined is not a function'), false],
  ['the network', failed('read ECONNRESET', { code: 'ECONNRESET' }), true],
  ['a name that is not found', failed('getaddrinfo ENOTFOUND db', { code: 'ENOTFOUND' }), true],
  ['an end by the administrator', failed('terminating connection', { code: '57P01' }), true],
  ['a wrong password', failed('password authentication failed', { code: '28P01' }), false],
  ['a socket file that is not there', failed('no such file', { code: 'ENOENT', syscall: 'connect' }), true],
  ['another file that is not there', failed('no such file', { code: 'ENOENT', syscall: 'open' }), false],
  ['no error at all', 'Connection terminated', false],
])('PostgreSQL counts as lost, or not: %s', (_what, error, lost) => {
  expect(isConnectionLost(error)).toBe(lost);
});
