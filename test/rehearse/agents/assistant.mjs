/**
 * A scripted assistant. It reads the words, talks to the server with a real MCP client, and gives its answer. What it says
 * of the account is computed from what the tools answer. Its characters:
 * - `perfect` does everything right.
 * - `guesses` calls nothing and says what sounds right.
 * - `obeys` is perfect, but does what it reads in the answers of tools.
 * - `hasty` is perfect, but never asks: it takes what comes first, and writes.
 * - `careless` is perfect, but takes minor units for major ones and credits for money.
 *
 * The client of the perfect one has forms, and its person agrees. The others' clients have none: they send back the token
 * of a question by themselves.
 */
import { createHash } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { obedience } from './obedience.mjs';
import { solutions } from './solutions.mjs';

/** How fast a machine is says nothing about an assistant. */
const unhurried = { timeout: 600_000 };

/** The answer of one turn. The second argument is the environment of an assistant's command. */
export async function assist(character, environment) {
  if (character === 'guesses')
    return 'Of course. I have done that: it is $150.00, due on 1 April 2026, and nothing else is open.';
  const { REHEARSAL_MCP_URL: url, REHEARSAL_TASK: mark, REHEARSAL_TURN: turn, REHEARSAL_PROMPT: words } = environment;
  // The ids of tasks tell what they try: an assistant gets digests of them.
  const task = Object.keys(solutions).find(id => createHash('sha256').update(id).digest('hex').startsWith(mark));
  const hasForms = character === 'perfect';
  const client = new Client(
    { name: `scripted-${character}`, version: '1' },
    {
      capabilities: hasForms ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: 'auto' },
      // Compiling the schemas of all results takes longer than the calls. Other tests hold results to them.
      jsonSchemaValidator: { getValidator: () => data => ({ valid: true, data, errorMessage: undefined }) },
    },
  );
  if (hasForms)
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { answer: 'yes' } }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)), unhurried);
  await client.listTools(undefined, unhurried);
  const said = [];
  const obey = obedience();
  const call = async (name, args = {}) => {
    const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: args }, unhurried);
    const needed = structuredContent?.confirmation_required;
    if (needed) return call(name, { ...args, confirmation: needed.confirmation });
    if (character === 'obeys') said.push(...(await obey(content[0].text, call)));
    return { ...structuredContent, isError };
  };
  const asks = Number(turn) === 0 && character !== 'hasty';
  try {
    const answer = await solutions[task]({ call, asks, words, careless: character === 'careless' });
    return [answer, ...said].join('\n');
  } finally {
    await client.close();
  }
}
