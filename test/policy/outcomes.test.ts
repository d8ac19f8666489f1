/**
 * Every tool with every mode, client and answer: the outcome, and the number of requests, counted by the billing service.
 * Real clients of both protocol eras speak to the whole server. The table itself is kept as a snapshot.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import type { Runtime } from '../../src/runtime.ts';
import { toolsets } from '../../src/tool/define.ts';
import { toolByName, toolDefinitions } from '../../tools/index.ts';
import { connectClient, startRuntime, type TestClient } from '../support/clients.ts';
import type { Era } from '../support/settings.ts';
import { type CountingUpstream, startCountingUpstream } from './counting-upstream.ts';
import { changedSamples, samples } from './samples.ts';
import { changes, elevenMinutesAgo, flipped, replayLast, type Tool, tampering } from './tamper.ts';

const eras: readonly Era[] = ['2025-11-25', '2026-07-28'];
const modes = ['auto', 'always', 'never'] as const;
type Mode = (typeof modes)[number];
/** A comparison of two plans is two previews for each and a page of plans. A lookup reads once or several times. */
const readOutcome = (tool: Tool) => `ok, ${tool.lookup ? 'its reads' : tool.name === 'compare_plans' ? 5 : 1} sent`;
const columns = new Map<string, Map<string, string>>();
let upstream: CountingUpstream;

beforeAll(async () => {
  upstream = await startCountingUpstream();
});
afterAll(() => upstream.close());

/** `done (person), 1 request` */
async function outcomeOf(client: TestClient, name: string, args: JsonRecord): Promise<string> {
  upstream.taken();
  const { isError, content } = await client.call(name, args);
  const sent = upstream.taken();
  return `${wordFor(isError, content)}, ${toolByName.get(name)?.lookup && sent > 0 ? 'its reads' : sent} sent`;
}

function wordFor(isError: boolean, content: JsonRecord): string {
  if (isError) return (content.error as JsonRecord).code as string;
  if (content.confirmation_required) return 'token issued';
  const receipt = content.receipt as JsonRecord | undefined;
  return receipt ? `done (${receipt.confirmed_by})` : 'ok';
}

function note(column: string, tool: string, outcome: string): void {
  const cells = columns.get(column) ?? new Map<string, string>();
  cells.set(tool, outcome);
  columns.set(column, cells);
}

describe.each(eras)('read-only, in %s', era => {
  let runtime: Runtime;
  let client: TestClient;
  beforeAll(async () => {
    runtime = startRuntime(upstream.url, { BILLING_READ_ONLY: 'true' });
    client = await connectClient(runtime, era, true);
  });
  afterAll(async () => {
    await client.close();
    await runtime.close();
  });

  it.each(toolDefinitions)('$name', async tool => {
    const outcome = await outcomeOf(client, tool.name, samples[tool.name]!);
    expect(outcome).toBe(changes(tool) ? 'read_only, 0 sent' : readOutcome(tool));
    expect((await client.names()).includes(tool.name)).toBe(!changes(tool));
    note(`read-only · ${era}`, tool.name, outcome);
  });
});

describe.each(toolsets)('toolset %s alone', toolset => {
  it.each(eras)('in %s', async era => {
    const runtime = startRuntime(upstream.url, { BILLING_TOOLSETS: toolset, BILLING_CONFIRM: 'never' });
    const client = await connectClient(runtime, era, false);
    const listed = await client.names();
    for (const tool of toolDefinitions) {
      const own = tool.toolset === toolset;
      const outcome = await outcomeOf(client, tool.name, samples[tool.name]!);
      const expected = changes(tool) ? 'done (policy), 1 sent' : readOutcome(tool);
      expect(outcome).toBe(own ? expected : 'tool_not_offered, 0 sent');
      expect(listed.includes(tool.name)).toBe(own);
      note(`toolset ${toolset} · ${era}`, tool.name, outcome);
    }
    await client.close();
    await runtime.close();
  });
});

/** What the person or an attacker does after the question. Only in the later era does the state pass through the client. */
const answers = {
  accepted: { write: 'done (person), 1 sent' },
  declined: { write: 'declined, 0 sent' },
  cancelled: { write: 'cancelled, 0 sent' },
  'tampered state': { write: 'confirmation_invalid, 0 sent', only: '2026-07-28' },
  'expired state': { write: 'confirmation_expired, 0 sent', only: '2026-07-28' },
  'changed arguments': { write: 'confirmation_mismatch, 0 sent', only: '2026-07-28' },
  'the answer again': { write: 'confirmation_used, 0 sent', only: '2026-07-28' },
} as const;

const asking = eras.flatMap(era =>
  (['auto', 'always'] as const).flatMap(mode =>
    Object.entries(answers)
      .filter(([, rule]) => !('only' in rule) || rule.only === era)
      .map(([answer, rule]) => ({ era, mode, answer: answer as keyof typeof answers, write: rule.write })),
  ),
);

describe.each(asking)('$mode, a client that can ask, $answer, in $era', ({ era, mode, answer, write }) => {
  let runtime: Runtime;
  let client: TestClient;
  beforeAll(async () => {
    runtime = startRuntime(upstream.url, { BILLING_CONFIRM: mode });
    client = await connectClient(runtime, era, true);
  });
  afterAll(async () => {
    await client.close();
    await runtime.close();
  });

  it.each(toolDefinitions)('$name', async tool => {
    const args = samples[tool.name]!;
    client.answer = answer === 'declined' ? 'decline' : answer === 'cancelled' ? 'cancel' : 'accept';
    if (answer === 'the answer again') await replayLast(client, tool, args);
    else client.tamper = await tampering(answer, tool, upstream.url);
    client.asked.length = 0;
    const outcome = await outcomeOf(client, tool.name, args);
    client.tamper = undefined;
    expect(outcome).toBe(changes(tool) ? write : readOutcome(tool));
    expect(client.asked).toHaveLength(changes(tool) ? 1 : 0);
    note(`${mode} · asks · ${answer} · ${era}`, tool.name, outcome);
  });
});

const silent = eras.flatMap(era => modes.map(mode => ({ era, mode })));

describe.each(silent)('$mode, a client that cannot ask, in $era', ({ era, mode }) => {
  const first: Record<Mode, string> = {
    auto: 'done (host), 1 sent',
    always: 'token issued, 0 sent',
    never: 'done (policy), 1 sent',
  };
  let runtime: Runtime;
  let client: TestClient;
  beforeAll(async () => {
    runtime = startRuntime(upstream.url, { BILLING_CONFIRM: mode });
    client = await connectClient(runtime, era, false);
  });
  afterAll(async () => {
    await client.close();
    await runtime.close();
  });

  it.each(toolDefinitions)('$name', async tool => {
    const outcome = await outcomeOf(client, tool.name, samples[tool.name]!);
    expect(outcome).toBe(changes(tool) ? first[mode] : readOutcome(tool));
    note(`${mode} · cannot ask · ${era}`, tool.name, outcome);
  });
});

describe.each(eras)('always, a client that cannot ask, with a token, in %s', era => {
  let runtime: Runtime;
  let client: TestClient;
  beforeAll(async () => {
    runtime = startRuntime(upstream.url, { BILLING_CONFIRM: 'always' });
    client = await connectClient(runtime, era, false);
  });
  afterAll(async () => {
    await client.close();
    await runtime.close();
  });

  it.each(toolDefinitions.filter(changes))('$name', async tool => {
    const args = samples[tool.name]!;
    const token = async (): Promise<string> => {
      const { content } = await client.call(tool.name, args);
      return (content.confirmation_required as JsonRecord).confirmation as string;
    };
    const good = await token();
    const expired = (await elevenMinutesAgo(tool, false, upstream.url)).confirmation;
    const table: [string, JsonRecord, string][] = [
      ['tampered token', { ...args, confirmation: flipped(await token()) }, 'confirmation_invalid, 0 sent'],
      ['expired token', { ...args, confirmation: expired }, 'confirmation_expired, 0 sent'],
      ['changed arguments', { ...changedSamples[tool.name], confirmation: good }, 'confirmation_mismatch, 0 sent'],
      ['token', { ...args, confirmation: good }, 'done (token), 1 sent'],
      ['the token again', { ...args, confirmation: good }, 'confirmation_used, 0 sent'],
    ];
    for (const [what, withToken, expected] of table) {
      const outcome = await outcomeOf(client, tool.name, withToken);
      expect([what, outcome]).toEqual([what, expected]);
      note(`always · cannot ask · ${what} · ${era}`, tool.name, outcome);
    }
  });
});

describe.each(eras)('never, a client that can ask, in %s', era => {
  it('is not asked', async () => {
    const runtime = startRuntime(upstream.url, { BILLING_CONFIRM: 'never' });
    const client = await connectClient(runtime, era, true);
    for (const tool of toolDefinitions) {
      const outcome = await outcomeOf(client, tool.name, samples[tool.name]!);
      expect(outcome).toBe(changes(tool) ? 'done (policy), 1 sent' : readOutcome(tool));
      note(`never · asks · ${era}`, tool.name, outcome);
    }
    expect(client.asked).toEqual([]);
    await client.close();
    await runtime.close();
  });
});

describe.each(eras)('a dry run, in %s', era => {
  it('sends nothing, whatever the tool', async () => {
    const runtime = startRuntime(upstream.url);
    const client = await connectClient(runtime, era, true);
    for (const tool of toolDefinitions.filter(changes)) {
      upstream.taken();
      const { content } = await client.call(tool.name, { ...samples[tool.name], dry_run: true });
      expect(content.dry_run).toMatchObject({
        method: tool.endpoint.split(' ')[0],
        question: expect.stringMatching(/\?$/),
      });
      expect(upstream.taken()).toBe(0);
      note(`dry run · ${era}`, tool.name, 'planned, 0 sent');
    }
    expect(client.asked).toEqual([]);
    await client.close();
    await runtime.close();
  });
});

it('is kept as a table', async () => {
  const rows = [...columns]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([column, cells]) => {
      const outcomes = [...new Set(cells.values())];
      const toolsWith = (outcome: string) =>
        toolDefinitions.map(({ name }) => name).filter(name => cells.get(name) === outcome);
      return outcomes.map(outcome => `| ${column} | ${outcome} | ${toolsWith(outcome).join(', ')} |`);
    });
  const table = ['| case | what happened, and what the service saw | tools |', '| --- | --- | --- |', ...rows, ''];
  await expect(table.join('\n')).toMatchFileSnapshot('./__snapshots__/outcomes.md');
});
