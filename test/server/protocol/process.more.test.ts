/** What the command line prints and refuses, in all its forms: the essential ones are in process.test.ts. */
import { describe, expect, it } from 'vitest';
import { version } from '../../../src/lib/version.ts';
import { key } from '../../support/settings.ts';
import { expectHelp, expectRefused, type Refused, runHere } from './program.ts';

describe('the command line', () => {
  it('-V prints the version alone', async () => {
    expect(await runHere(['-V'])).toEqual({ code: 0, signal: null, stdout: `${version}\n`, stderr: '' });
  });

  it.each([[['-h']], [['help']], [['--demo', '--help']], [['check', '--help']], [['help', 'service']]])(
    '%j prints help, whatever else is set',
    args => expectHelp(args),
  );

  // biome-ignore format: a table
  const refused: Refused[] = [
    ['an address without a key', [], { BILLING_BASE_URL: 'https://a.example' }, /BILLING_BASE_URL .*BILLING_API_KEY/],
    ['an address that is none', [], { BILLING_BASE_URL: 'billing.example.com', BILLING_API_KEY: key }, /BILLING_BASE_URL must be/],
    ['a proxy without a scheme', [], { BILLING_BASE_URL: 'https://a.example', BILLING_API_KEY: key, HTTPS_PROXY: `user:${key}@proxy:3128` }, /HTTPS_PROXY .*must be the http:\/\/ or https:\/\/ address of a proxy/],
    ['the demo beside an account', ['--demo'], { BILLING_BASE_URL: 'https://a.example', BILLING_API_KEY: key }, /cannot be used with/],
    ['a slip of a name for the service', ['service', '--demo', '--port', '0'], { BILLING_APIKEY: key }, /BILLING_API_KEY\?/],
    ['a slip of a name for a host’s configuration', ['init', 'cursor'], { BILLING_APIKEY: key }, /BILLING_API_KEY\?/],
    ['a state key over HTTP without Redis', ['--http', '--demo'], { BILLING_STATE_KEY: key.repeat(4) }, /needs BILLING_REDIS_URL/],
    ['two tokens of one name', ['--http', '--demo', '--http-auth', 'token'], { BILLING_HTTP_TOKENS: `desk:${key}-0001,desk:${key}-0002` }, /tokens 1 and 2 have the same name/],
    ['a boolean in another word', ['--demo'], { BILLING_READ_ONLY: 'yes' }, /true, false, 1 or 0/],
    ['a tool that does not exist', ['--demo', '--tools', 'get_custmer'], {}, /did you mean get_customer\?/],
    ['a flag without its dashes', ['demo'], {}, /Did you mean --demo\?/],
    ['a command after a flag', ['--demo', 'check'], {}, /The command must come first: usage-billing-mcp check/],
    ['a command without its argument', ['init'], {}, /HOST is missing. See --help./],
    ['an audit log in a folder that does not exist', ['--audit-log', '/no/log'], {}, /does not exist \(\/no\/log\)/],
    ['an audit log to print that does not exist', ['audit', '/no/log'], {}, /^\/no\/log cannot be read: the file or folder does not exist/],
    ['a package’s description as an audit log', ['audit', 'package.json'], {}, /^package\.json is not an audit log: it has no/],
    ['an account file that does not exist', ['service', '--account', '/no/file'], {}, /\/no\/file cannot be read/],
    ['a reset of what is kept in memory', ['service', '--demo', '--reset'], {}, /--reset needs --data\. In memory/],
  ];
  it.each(refused)('refuses %s with exit code 2, on stderr', expectRefused);
});
