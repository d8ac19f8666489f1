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
    ['a slip of a name for the service', ['service', '--demo', '--port', '0'], { BILLING_APIKEY: key }, /BILLING_API_KEY\?/],
    ['a slip of a name for a host’s configuration', ['init', 'cursor'], { BILLING_APIKEY: key }, /BILLING_API_KEY\?/],
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
