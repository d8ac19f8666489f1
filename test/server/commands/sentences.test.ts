import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { run, start } from '../protocol/program.ts';

const folder = temporaryFolder();
const picture = join(folder, 'picture.png');
writeFileSync(picture, Buffer.from('89504e470d0a1a0a'.repeat(500), 'hex'));
const byToken = { BILLING_HTTP_AUTH: 'token', BILLING_HTTP_TOKENS: 'token-of-the-desk-0001' };

it.each<[what: string, args: string[], env: Record<string, string>, said: string]>([
  [
    'a database in a folder that is not there',
    ['service', '--data', '/no/kept.db'],
    {},
    'The database file /no/kept.db cannot be opened: the file or folder does not exist.',
  ],
  [
    'a database that is a picture',
    ['service', '--data', picture],
    {},
    `The database file ${picture} cannot be opened: it is a file of another kind, not a SQLite database.`,
  ],
  [
    'an account file that is a folder',
    ['--demo', '--account', folder],
    {},
    `The account file ${folder} cannot be read: it is a folder.\n`,
  ],
  [
    'an account file that is not there, with its whole path',
    ['service', '--account', 'nope.json'],
    {},
    `The account file ${resolve('nope.json')} cannot be read: the file or folder does not exist.\n`,
  ],
  [
    'a database that is a folder, with its whole path',
    ['service', '--data', 'src'],
    {},
    `The billing service did not start. The database file ${resolve('src')} cannot be opened: it is a folder.\n`,
  ],
  [
    'a database of another maker',
    ['--demo', '--data', 'mysql://host/billing'],
    {},
    '--data must be the path of a SQLite file, or the address of a PostgreSQL database, postgres://user:password@host/database.',
  ],
  ['one without slashes', ['service', '--data', 'mysql:billing'], {}, 'the path of a SQLite file'],
  [
    'a file of roles that is not there',
    ['--http', '--demo'],
    { ...byToken, BILLING_ROLES: 'nope' },
    `BILLING_ROLES: ${resolve('nope')} cannot be read: the file or folder does not exist.`,
  ],
  [
    'a file of tokens that is a folder',
    ['--http', '--demo'],
    { BILLING_HTTP_AUTH: 'token', BILLING_HTTP_TOKENS_FILE: folder },
    `BILLING_HTTP_TOKENS_FILE: ${folder} cannot be read: it is a folder.`,
  ],
  ['help of a command that is not there', ['help', 'chek'], {}, 'command or argument: chek. Did you mean check?'],
  ['a command that is not there, with --help', ['chek', '--help'], {}, 'argument: chek. Did you mean check?'],
  ['a flag without its dashes, with --help', ['demo', '--help'], {}, 'argument: demo. Did you mean --demo?'],
])('%s is told in one sentence', async (_, args, env, said) => {
  const { code, stdout, stderr } = await run(args, env);
  expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
  expect(stderr).toContain(said);
});

it.each([
  [['help', 'audit'], 'Usage: usage-billing-mcp audit FILE'],
  [['--help', 'init'], 'Usage: usage-billing-mcp init HOST'],
  [['-h', 'check'], 'Usage: usage-billing-mcp check'],
  [['help'], 'Usage: usage-billing-mcp [options]'],
  [['--help', '--demo'], 'Usage: usage-billing-mcp [options]'],
])('%j is help of what it names', async (args, usage) => {
  const { code, stdout, stderr } = await run(args);
  expect([code, stderr, stdout.split('\n')[0]?.startsWith(usage)]).toEqual([0, '', true]);
});

it('a line that is no message gets one sentence, and the next one its answer', async () => {
  const rpc = ['{"jsonrpc":"2.0"}', '{"jsonrpc":"1.0","id":1,"method":"ping"}'];
  const lines = ['hello', '{"foo": 1}', '[]', '"text"', ...rpc];
  const { child, ended } = start(['--demo'], {});
  let answered = '';
  child.stdout.on('data', text => {
    answered += text;
  });
  for (const [id, line] of lines.entries()) {
    child.stdin.write(`${line}\n\n{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`);
    await until(() => answered.includes(`"id":${id}`));
  }
  child.stdin.end();
  const { stderr } = await ended;
  const said = 'Protocol error: a line on stdin is not a JSON-RPC 2.0 message and was ignored.';
  expect(stderr.trim().split('\n').slice(1)).toEqual(lines.map(() => said));
});
