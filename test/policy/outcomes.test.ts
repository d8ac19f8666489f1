/**
 * Every tool with every mode, client and answer: the outcome, and the number of requests, counted by the billing service:
 * for writes the requests that are no reads.
 * Real clients of both protocol eras speak to the whole server. The table itself is kept as a snapshot.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import type { Runtime } from '../../src/runtime.ts';
import { toolsets } from '../../src/tool/define.ts';
import { toolByName, toolDefinitions } from '../../tools/index.ts';
import { connectClient, startRuntime, type TestClient } from '../support/clients.ts';
import type { Era } from '../support/settings.ts';
import { lookupBody } from '../tools/lookup-bodies.ts';
import { refusal } from '../tools/lookup-upstream.ts';
import {
  type CountingUpstream,
  type Received,
  type Refusal,
  startCountingUpstream,
  stored,
} from './counting-upstream.ts';
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
  const tool = toolByName.get(name)!;
  const word = await client.call(name, args).then(({ isError, content }) => wordFor(isError, content), refusalFor);
  // What a write reads is counted in reads.test.ts.
  const sent = changes(tool) ? upstream.written() : upstream.taken();
  return `${word}, ${tool.lookup && sent > 0 ? 'its reads' : sent} sent`;
}

function wordFor(isError: boolean, content: JsonRecord): string {
  if (isError) return (content.error as JsonRecord).code as string;
  if (content.confirmation_required) return 'token issued';
  const receipt = content.receipt as JsonRecord | undefined;
  return receipt ? `done (${receipt.confirmed_by})` : 'ok';
}

/** An error of the protocol. */
function refusalFor({ code, data }: { code?: number; data?: JsonRecord }): string {
  return `${code} with ${data?.code}`;
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
  'tampered state': { write: '-32602 with confirmation_invalid, 0 sent', only: '2026-07-28' },
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
  it('changes nothing, whatever the tool', async () => {
    const runtime = startRuntime(upstream.url);
    const client = await connectClient(runtime, era, true);
    for (const tool of toolDefinitions.filter(changes)) {
      upstream.taken();
      const { content } = await client.call(tool.name, { ...samples[tool.name], dry_run: true });
      expect(content.dry_run).toMatchObject({
        method: tool.endpoint.split(' ')[0],
        question: expect.stringMatching(/\?(\n- .+)*$/),
      });
      expect(upstream.written()).toBe(0);
      note(`dry run · ${era}`, tool.name, 'planned, 0 sent');
    }
    expect(client.asked).toEqual([]);
    await client.close();
    await runtime.close();
  });
});

/** What becomes of the look at the record before a write. */
interface Sighting {
  refuse?: (request: Received) => Refusal | undefined;
  settings?: Record<string, string>;
  /** The service answers with another record after so many questions. */
  changes?: number;
  /** Does the question say that the record was not seen? */
  unseen?: true;
  /** The code with which the write is refused before anybody is asked. */
  refused?: (tool: Tool) => string;
}

const resourceOf = (tool: Tool) => (tool.name === 'create_subscription_alert' ? 'subscription' : tool.result);
/** A list that holds nothing is how a subscription is missing. */
const emptyPage = { subscriptions: [], meta: { current_page: 1, total_pages: 0, total_count: 0 } };

const sightings: Record<string, Sighting> = {
  'record seen': {},
  'record not seen: 5xx': { refuse: () => refused(500, 'internal_error'), unseen: true },
  'read refused: 403': { refuse: () => refused(403, 'forbidden'), unseen: true },
  'path missing': { refuse: () => refused(404, 'resource_not_found'), unseen: true },
  'key refused: 401': { refuse: () => refused(401, 'unauthorized'), refused: () => 'unauthorized' },
  'record missing': {
    refuse: ({ path }) => {
      const [, resource = ''] = /^\/api\/v1\/([a-z_]+)s\//.exec(path) ?? [];
      return path.includes('/subscriptions?')
        ? { status: 200, body: emptyPage as unknown as Refusal['body'] }
        : refused(404, `${resource}_not_found`);
    },
    refused: tool => `${resourceOf(tool)}_not_found`,
  },
  'changed meanwhile, once': { changes: 1 },
  'changed meanwhile, twice': { changes: 2 },
  'changed meanwhile, ever again': { changes: Number.POSITIVE_INFINITY },
  'nothing is read': { settings: { BILLING_READ_BEFORE_WRITE: 'false' } },
};

function refused(status: number, code: string): Refusal {
  return refusal(status, code) as Refusal;
}

/** Every field that a question shows or a sample sets. The states are those of records that can still change. */
const version = (number: number) => ({
  ...stored,
  name: `Name ${number}`,
  number: `No ${number}`,
  payment_status: number % 2 === 0 ? 'pending' : 'failed',
  refund_status: number % 2 === 0 ? 'pending' : 'failed',
});

const sighted = eras.flatMap(era =>
  modes.flatMap(mode =>
    [true, false].flatMap(asks => Object.entries(sightings).map(([sight, rule]) => ({ era, mode, asks, sight, rule }))),
  ),
);

describe.each(sighted)('$mode, asks: $asks, $sight, in $era', ({ era, mode, asks, sight, rule }) => {
  let runtime: Runtime;
  let client: TestClient;
  beforeAll(async () => {
    const settings = { BILLING_CONFIRM: mode, BILLING_MAX_RETRIES: '0', ...rule.settings };
    runtime = startRuntime(upstream.url, settings);
    client = await connectClient(runtime, era, asks);
    upstream.refuseWith(request => (request.method === 'GET' ? rule.refuse?.(request) : undefined));
  });
  afterAll(async () => {
    upstream.refuseWith(undefined);
    upstream.answerWith(undefined);
    await client.close();
    await runtime.close();
  });

  it.each(toolDefinitions.filter(changes))('$name', async tool => {
    client.asked.length = 0;
    const tokens: JsonRecord[] = [];
    const rounds = () => Math.min(client.asked.length + tokens.length, rule.changes ?? 0);
    upstream.answerWith(({ method, path }) =>
      method === 'GET' && !/\/(plans|alerts)(\?|$)/.test(path) ? lookupBody(path, version(rounds())) : undefined,
    );
    upstream.taken();
    const from = upstream.received.length;
    let args = samples[tool.name]!;
    let answer = await client.call(tool.name, args);
    while (answer.content.confirmation_required && tokens.length < 9) {
      tokens.push(answer.content.confirmation_required as JsonRecord);
      args = { ...samples[tool.name], confirmation: tokens.at(-1)!.confirmation };
      answer = await client.call(tool.name, args);
    }
    const written = upstream.written();
    const questions = client.asked.length + tokens.length;
    const outcome = `${wordFor(answer.isError, answer.content)}, ${written} sent, asked ${questions} ×`;

    // A new billing entity is about no record.
    const looks = tool.sees !== undefined;
    const code = looks ? rule.refused?.(tool) : undefined;
    const someone = mode === 'always' || (mode === 'auto' && asks);
    const changesSeen = looks && someone ? (rule.changes ?? 0) : 0;
    const by = mode === 'never' ? 'policy' : asks ? 'person' : mode === 'always' ? 'token' : 'host';
    const expected =
      code !== undefined
        ? `${code}, 0 sent, asked 0 ×`
        : changesSeen > 2
          ? 'record_changed, 0 sent, asked 3 ×'
          : `done (${by}), 1 sent, asked ${someone ? 1 + changesSeen : 0} ×`;
    expect(outcome).toBe(expected);
    const spoken = [...client.asked, ...tokens.map(({ question, warnings }) => `${question}\n${warnings}`)];
    for (const [round, text] of spoken.entries()) {
      expect(text.includes('This server has not seen this record: check the id yourself.')).toBe(
        looks && rule.unseen === true,
      );
      // A record that was seen is named as it is now.
      const now = Math.min(round, rule.changes ?? 0);
      const seen = looks && rule.unseen !== true && rule.settings === undefined;
      if (seen) expect(text).toMatch(new RegExp(`(Name|No) ${now}\\b`));
      const anew = asks ? text.startsWith('The record changed') : tokens[round]!.changed !== undefined;
      expect(anew).toBe(round > 0);
    }
    const reads = upstream.received.slice(from).filter(({ method }) => method === 'GET').length;
    if (!looks || rule.settings) expect(reads).toBe(0);
    note(`${mode} · ${asks ? 'asks' : 'cannot ask'} · ${sight} · ${era}`, tool.name, outcome);
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
  const table = [
    '| case | what happened, and what the service saw (of a write: without its reads) | tools |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ];
  await expect(table.join('\n')).toMatchFileSnapshot('./__snapshots__/outcomes.md');
});
