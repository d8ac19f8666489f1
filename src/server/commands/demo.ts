/**
 * `npm run demo`: what people ask first about an account. `--all` tells its whole story, with a call of every tool, and
 * fails when a tool was not called. A real client starts the real server over stdio, with the embedded service behind it,
 * answers the questions that writes ask, and counts. Fails when a call fails. `--json` prints one line per call for
 * programs.
 */
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { confirmText, missingPages } from '../settings/confirm-text.ts';
import { loadConfig } from '../settings/load.ts';
import { type Scene, story } from './demo-story.ts';
import { hosts, pastedHosts } from './init/hosts.ts';
import { programName } from './start-checks.ts';
import { wrap } from './wrap.ts';

const flags = process.argv.slice(2);
const asJson = flags.includes('--json');
const all = flags.includes('--all');
const scenes = story.filter(({ first }) => all || first);
const colours = process.stdout.isTTY && !process.env.NO_COLOR && !asJson;
const paint = (code: number, text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
const print = (text: string) => process.stdout.write(`${text}\n`);
const answerIndent = ' '.repeat(8);
// Stops without an error when the reader closes the pipe (`npm run demo | head`).
process.stdout.on('error', () => process.exit(0));

const helpText = `Usage: npm run demo -- [options]

Asks the sandbox, a billing service with fictional customers, common first questions, and approves the prompts of writes.
Nothing is stored, and no account is needed.

Options:
  --all
      The whole story: every tool, in ${story.length} scenes
  --json
      One line per call, for programs
  --help`;

interface Answer {
  isError?: boolean;
  structuredContent?: { summary?: string; error?: { hint: string }; [field: string]: unknown };
}

async function main(): Promise<number> {
  if (flags.includes('--help') || flags.includes('-h')) {
    print(helpText);
    return 0;
  }
  const unknown = flags.filter(flag => flag !== '--all' && flag !== '--json');
  if (unknown.length > 0) {
    console.error(`The demo does not have ${unknown.join(' ')}. Use --all (every tool) or --json (for programs).`);
    return 2;
  }
  const started = performance.now();
  const client = new Client(
    { name: 'usage-billing-mcp-demo', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  let questions = 0;
  client.setRequestHandler('elicitation/create', request => {
    questions++;
    const [question, ...notes] = request.params.message.split('\n').filter(line => line.trim() !== '');
    if (!asJson) {
      show('asks', 33, question ?? '', answerIndent);
      for (const note of notes) show('    ', 0, note, answerIndent);
      print(`${answerIndent}${paint(33, 'yes')}`);
    }
    return { action: 'accept', content: { answer: 'yes' } };
  });
  const transport = new StdioClientTransport({ ...serverCommand(), stderr: 'pipe' });
  passOn(transport.stderr as Readable);
  await client.connect(transport);
  const { tools } = await client.listTools();
  const uncalled = new Set(tools.map(tool => tool.name));
  let failures = 0;
  if (!asJson)
    print(paint(1, fitted(`usage-billing-mcp with ${tools.length} tools and the sandbox billing service\n`, '  ')));
  for (const scene of scenes) {
    uncalled.delete(scene.tool);
    if (!(await play(client, scene))) failures++;
  }
  await client.close();
  if (all) for (const name of uncalled) console.error(`Not called: ${name}`);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const called = tools.length - uncalled.size;
  const counts = { tools: tools.length, called, calls: scenes.length, questions, failures, seconds: Number(seconds) };
  if (asJson) print(JSON.stringify(counts));
  else sumUp(counts);
  return failures === 0 && (uncalled.size === 0 || !all) ? 0 : 1;
}

const otherHosts = [...hosts, ...pastedHosts].map(({ id }) => id).filter(id => id !== 'cursor');

type Counts = Record<'tools' | 'called' | 'calls' | 'questions' | 'failures' | 'seconds', number>;

function sumUp({ tools, called, calls, questions, failures, seconds }: Counts): void {
  const answered = `${questions} ${questions === 1 ? 'question' : 'questions'} answered`;
  const counted = `${called} of ${tools} tools called in ${calls} calls, ${answered}, `;
  print(paint(failures === 0 ? 32 : 31, fitted(`${counted}${failures} failures, ${seconds.toFixed(1)} s`, '  ')));
  const program = programName(serverScript());
  const next = [
    ...(all ? [] : [['npm run demo -- --all', `the whole story: every tool, in ${story.length} scenes`]]),
    [`${program} init cursor`, `the demo account in a chat host (or ${otherHosts.join(', ')})`],
    [`${program} --http --demo`, 'the same over HTTP, at http://127.0.0.1:3000/mcp'],
    [`${program} check`, 'your own account: set BILLING_BASE_URL and BILLING_API_KEY first'],
  ] as [string, string][];
  print(`\n${paint(1, 'What to do next')}`);
  for (const [command, what] of next) {
    show(command, 36, '');
    print(fitted(`     ${what}`, '     '));
  }
}

async function play(client: Client, scene: Scene): Promise<boolean> {
  const { question, tool, args, refused = false } = scene;
  if (!asJson) {
    print(paint(1, fitted(`“${question}”`, ' ')));
    show(tool, 36, ` ${JSON.stringify(args)}`);
  }
  const answer = (await client.callTool({ name: tool, arguments: args })) as Answer;
  const good = (answer.isError ?? false) === refused;
  const { summary: sentences = '(no summary)', error } = answer.structuredContent ?? {};
  const summary = error === undefined ? sentences : `${sentences} ${error.hint}`;
  if (asJson) print(JSON.stringify({ question, tool, arguments: args, ok: good, summary }));
  else show(good ? '→' : '✗', good ? 32 : 31, `${summary}\n`);
  return good;
}

function show(label: string, colour: number, text: string, indent = '     '): void {
  print(fitted(text === '' ? `   ${label}` : `   ${label} ${text}`, indent).replace(label, paint(colour, label)));
}

/** A terminal would break long lines in the middle of words; elsewhere they stay whole. */
function fitted(line: string, indent: string): string {
  const { isTTY, columns } = process.stdout;
  return isTTY && columns > 0 ? wrap(line, columns, indent) : line;
}

/** Passes on what the server prints, without the line about how it asks: the demo shows that. */
function passOn(input: Readable): void {
  const start = confirmText(loadConfig(['--demo'], {}).config, missingPages(process.env));
  createInterface({ input }).on('line', line => {
    if (line !== start) console.error(line);
  });
}

/** Starts the built server or, when run from source, the source. */
function serverCommand(): { command: string; args: string[] } {
  const script = serverScript();
  const loader = script.endsWith('.ts') ? ['--import', 'tsx'] : [];
  return { command: process.execPath, args: [...loader, script, '--demo'] };
}

function serverScript(): string {
  const built = fileURLToPath(new URL('./main.js', import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL('../../main.ts', import.meta.url));
}

// A server that still runs after a failure must not keep the demo alive.
main().then(
  code => process.exit(code),
  (error: unknown) => {
    console.error('The demo failed:', error);
    process.exit(1);
  },
);
