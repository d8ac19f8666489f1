/**
 * The files of a warm call in the order in which their functions first run, so that its way can be read. The embedded service
 * runs in a process of its own. A write is asked about by form, and answered with yes.
 *
 *   npm run trace                    the calls of `calls.mjs`
 *   npm run trace -- get_customer '{"external_customer_id":"acme-podcasts"}'
 *   npm run trace -- --check         only how many files, and whether that is more than may be
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { connectClient, startRuntime } from '../../test/support/clients.ts';
import { layers } from '../layers/table.mjs';
import { calls } from './calls.mjs';

const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
const [tool, json] = positionals;
const known = calls.filter(call => tool === undefined || call.tool === tool);
const wanted = json === undefined ? known : [{ tool, args: JSON.parse(json) }];
if (wanted.length === 0) throw new Error(`${tool} needs its arguments as JSON`);
const key = 'key-of-the-trace';
const service = spawn(
  process.execPath,
  ['--import', 'tsx', 'src/main.ts', 'service', '--demo', '--port', '0', '--now', '2026-03-15T12:00:00Z'],
  { env: { ...process.env, BILLING_API_KEY: key }, stdio: ['ignore', 'pipe', 'inherit'] },
);
const runtime = startRuntime(await addressOf(service.stdout), { BILLING_API_KEY: key });
const client = await connectClient(runtime, '2025-11-25', true);
for (const call of wanted) show(call, await traced(call));
await client.close();
await runtime.close();
service.kill();

/** The first call loads what the second one runs. */
async function traced({ tool, args }) {
  await client.call(tool, args);
  const files = [];
  globalThis.functionBegins = file => {
    if (!files.includes(file)) files.push(file);
  };
  const { content } = await client.call(tool, changed(args));
  globalThis.functionBegins = undefined;
  return { files, summary: String(content.summary) };
}

function show({ tool, most }, { files, summary }) {
  const longest = Math.max(...files.map(file => file.length));
  if (!values.check)
    for (const [at, file] of files.entries())
      process.stdout.write(`${String(at + 1).padStart(3)} ${file.padEnd(longest)}  ${layerOf(file)}\n`);
  const inLayers = new Set(files.map(layerOf)).size;
  const limit = most === undefined ? '' : ` (at most ${most})`;
  process.stdout.write(`${tool}: ${files.length} files${limit} in ${inLayers} layers: ${summary.slice(0, 100)}\n`);
  if (values.check && files.length > most) process.exitCode = 1;
}

async function addressOf(output) {
  for await (const line of createInterface(output)) {
    const address = /^BILLING_BASE_URL=(.+)$/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error('the embedded service did not start');
}

/** A write that would change nothing is not sent: its text is another one the second time. */
function changed(args) {
  const isText = ([name, value]) => typeof value === 'string' && /^(name|description)$/.test(name);
  return Object.fromEntries(Object.entries(args).map(each => (isText(each) ? [each[0], `${each[1]} 2`] : each)));
}

function layerOf(file) {
  const lengthIn = ({ paths }) => Math.max(...paths.map(path => (file.startsWith(path) ? path.length : 0)));
  return [...layers].sort((one, other) => lengthIn(other) - lengthIn(one))[0]?.name ?? '';
}
