/**
 * `npm run demo`: the story of one account, with a call of every tool. A real client starts the real server over stdio,
 * with the embedded service behind it, answers the questions that writes ask, and counts. Fails when a call fails or a
 * tool was not called. `--json` prints one line per call for programs.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Scene, story } from './demo-story.ts';
import { wrap } from './wrap.ts';

const asJson = process.argv.includes('--json');
const colours = process.stdout.isTTY && !process.env.NO_COLOR && !asJson;
const paint = (code: number, text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
const print = (text: string) => process.stdout.write(`${text}\n`);
const answerIndent = ' '.repeat(8);
// Stops without an error when the reader closes the pipe (`npm run demo | head`).
process.stdout.on('error', () => process.exit(0));

interface Answer {
  isError?: boolean;
  structuredContent?: { summary?: string; error?: { hint: string }; [field: string]: unknown };
}

async function main(): Promise<number> {
  const started = performance.now();
  const client = new Client(
    { name: 'usage-billing-mcp-demo', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  let questions = 0;
  client.setRequestHandler('elicitation/create', request => {
    questions++;
    const [asked, ...notes] = request.params.message.split('\n').filter(line => line.trim() !== '');
    if (!asJson) {
      show('asks', 33, asked ?? '', answerIndent);
      for (const note of notes) show('    ', 0, note, answerIndent);
      print(`${answerIndent}${paint(33, 'yes')}`);
    }
    return { action: 'accept', content: {} };
  });
  await client.connect(new StdioClientTransport({ ...serverCommand(), stderr: 'inherit' }));
  const { tools } = await client.listTools();
  const uncalled = new Set(tools.map(tool => tool.name));
  let failures = 0;
  if (!asJson) print(paint(1, `usage-billing-mcp with ${tools.length} tools and an embedded billing service\n`));
  for (const scene of story) {
    uncalled.delete(scene.tool);
    if (!(await play(client, scene))) failures++;
  }
  await client.close();
  for (const name of uncalled) console.error(`Not called: ${name}`);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const called = tools.length - uncalled.size;
  const counts = { tools: tools.length, called, calls: story.length, questions, failures, seconds: Number(seconds) };
  if (asJson) print(JSON.stringify(counts));
  else {
    print(
      paint(
        1,
        `${called} of ${tools.length} tools called in ${story.length} calls, ${questions} questions answered, `,
      ) +
        paint(failures === 0 ? 32 : 31, `${failures} failures`) +
        paint(1, `, ${seconds} s`),
    );
  }
  return failures === 0 && uncalled.size === 0 ? 0 : 1;
}

async function play(client: Client, scene: Scene): Promise<boolean> {
  const { question, tool, args, refused = false } = scene;
  if (!asJson) {
    print(paint(1, `“${question}”`));
    show(tool, 36, ` ${JSON.stringify(args)}`);
  }
  const answer = (await client.callTool({ name: tool, arguments: args })) as Answer;
  const good = (answer.isError ?? false) === refused;
  const { summary: said = '(no summary)', error } = answer.structuredContent ?? {};
  const summary = error === undefined ? said : `${said} ${error.hint}`;
  if (asJson) print(JSON.stringify({ question, tool, arguments: args, ok: good, summary }));
  else show(good ? '→' : '✗', good ? 32 : 31, `${summary}\n`);
  return good;
}

/** A label and its text. A terminal would break long lines in the middle of words; elsewhere they stay whole. */
function show(label: string, colour: number, text: string, indent = '     '): void {
  const line = `   ${label} ${text}`;
  const { isTTY, columns } = process.stdout;
  const fitted = isTTY && columns > 0 ? wrap(line, columns, indent) : line;
  print(fitted.replace(label, paint(colour, label)));
}

/** Starts the built server or, when run from source, the source. */
function serverCommand(): { command: string; args: string[] } {
  const built = fileURLToPath(new URL('./main.js', import.meta.url));
  if (existsSync(built)) return { command: process.execPath, args: [built, '--demo'] };
  return {
    command: process.execPath,
    args: ['--import', 'tsx', fileURLToPath(new URL('../main.ts', import.meta.url)), '--demo'],
  };
}

// A server that still runs after a failure must not keep the demo alive.
main().then(
  code => process.exit(code),
  (error: unknown) => {
    console.error('The demo failed:', error);
    process.exit(1);
  },
);
