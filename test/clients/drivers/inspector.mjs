/** The Inspector's command line: the list by its program, the rest by the function that the program calls, a client each time. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const inspector = fileURLToPath(new URL('../node_modules/.bin/mcp-inspector', import.meta.url));
// The program would need longer to load than to ask.
const { runCli } = await import('../node_modules/@modelcontextprotocol/inspector/clients/cli/build/index.js');
process.env.FORCE_COLOR = '0';

export async function connect({ command, args = [], url }) {
  const server = url ? [url] : [command, ...args];
  const ask = async (method, ...more) => {
    const { write } = process.stdout;
    let said = '';
    process.stdout.write = (text, done) => {
      said += text;
      done?.();
      return true;
    };
    try {
      await runCli(['node', inspector, ...server, '--method', method, ...more]);
    } catch (error) {
      // It throws when a tool answers with an error, after it has printed the answer.
      said ||= error.message;
    } finally {
      process.stdout.write = write;
    }
    return said;
  };
  const list = async () => {
    const options = { timeout: 60_000, maxBuffer: 1e8 };
    return (await run(process.execPath, [inspector, '--cli', ...server, '--method', 'tools/list'], options)).stdout;
  };
  return {
    processForEachCall: !url,
    list: async () => JSON.parse(await list()).tools.length,
    call: (name, input) => ask('tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(input)),
    resource: uri => ask('resources/read', '--uri', uri),
    prompt: name => ask('prompts/get', '--prompt-name', name),
    close: async () => {},
  };
}
