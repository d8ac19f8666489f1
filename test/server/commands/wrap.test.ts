import { expect, it } from 'vitest';
import { wrap } from '../../../src/server/commands/wrap.ts';

it.each([
  ['one two', 7, 'one two'],
  ['one two', 6, 'one\n  two'],
  ['   → one two three', 8, '   → one\n  two\n  three'],
  ['1,000 and 2,000', 9, '1,000 and\n  2,000'],
  ['a incomprehensible b', 6, 'a\n  incomprehensible\n  b'],
  ['{"a":1,"b":[2,3],"c":{"d":"e"}}', 12, '{"a":1,\n  "b":[2,3],\n  "c":{"d":"e"}}'],
  ['ends in a break\n', 80, 'ends in a break\n'],
  ['', 80, ''],
])('breaks %j at %i columns', (text, columns, expected) => {
  expect(wrap(text, columns, '  ')).toBe(expected);
});
