/** The Inspector's command line: a process for each request. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const inspector = fileURLToPath(new URL('../node_modules/.bin/mcp-inspector', import.meta.url));

export async function connect({ command, args = [], url }) {
  const server = url ? [url] : [command, ...args];
  const ask = async (method, ...more) => {
    const asked = [inspector, '--cli', ...server, '--method', method, ...more];
    const options = { env: { ...process.env, FORCE_COLOR: '0' }, timeout: 60_000, maxBuffer: 1e8 };
    // It ends with a status of its own when a tool answers with an error.
    return run(process.execPath, asked, options).then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }) => stdout || stderr,
    );
  };
  return {
    processForEachCall: !url,
    list: async () => JSON.parse(await ask('tools/list')).tools.length,
    call: (name, input) => ask('tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(input)),
    resource: uri => ask('resources/read', '--uri', uri),
    prompt: name => ask('prompts/get', '--prompt-name', name),
    close: async () => {},
  };
}
