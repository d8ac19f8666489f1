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
import { type Era, eras } from '../support/settings.ts';
import { type CountingUpstream, startCountingUpstream } from './counting-upstream.ts';
import { type Mode, modes, outcomeTable, withTools, wordFor } from './outcome-table.ts';
import { changedSamples, samples } from './samples.ts';
import { changes, elevenMinutesAgo, flipped, replayLast, type Tool, tampering } from './tamper.ts';

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
type Answer = keyof typeof answers;

const asking = eras.flatMap(era =>
  (['auto', 'always'] as const).flatMap(mode =>
    Object.entries(answers)
      .filter(([, rule]) => !('only' in rule) || rule.only === era)
      .map(([answer, rule]) => ({ era, mode, answer: answer as Answer, write: rule.write })),
  ),
);
const silent = eras.flatMap(era => modes.map(mode => ({ era, mode })));
const ofEras = eras.map(era => ({ era }));

interface Case {
  era: Era;
  tool: Tool;
  /** To a question; absent where there is none. */
  answer?: Answer;
}

/** Everything in the era with every answer; a read, which nobody is asked about, not with each of them. */
export const once = ({ era, tool, answer = 'accepted' }: Case): boolean =>
  era === '2026-07-28' && (changes(tool) || answer === 'accepted');

/** A comparison of two plans is two previews for each and a page of plans. A lookup reads once or several times. */
const readOutcome = (tool: Tool) => `ok, ${tool.lookup ? 'its reads' : tool.name === 'compare_plans' ? 5 : 1} sent`;

/** An error of the protocol. */
function refusalFor({ code, data }: { code?: number; data?: JsonRecord }): string {
  return `${code} with ${data?.code}`;
}

/** Defines the tests of these cases, and that their table is as in the file. */
export function testOutcomes(mine: (one: Case) => boolean, file: string): void {
  const table = outcomeTable();
  let upstream: CountingUpstream;
  let runtime: Runtime;
  let client: TestClient;
  beforeAll(async () => {
    upstream = await startCountingUpstream();
  });
  afterAll(() => upstream.close());

  const tools = (of: Omit<Case, 'tool'>) => toolDefinitions.filter(tool => mine({ ...of, tool }));
  const writes = (of: Omit<Case, 'tool'>) => tools(of).filter(changes);
  /** One server and one client for all tests of a `describe`. */
  const connected = (settings: Record<string, string>, era: Era, asks: boolean) => {
    beforeAll(async () => {
      runtime = startRuntime(upstream.url, settings);
      client = await connectClient(runtime, era, asks);
    });
    afterAll(async () => {
      await client.close();
      await runtime.close();
    });
  };
  /** `done (person), 1 request` */
  const outcomeOf = async (name: string, args: JsonRecord): Promise<string> => {
    upstream.taken();
    const tool = toolByName.get(name)!;
    const word = await client.call(name, args).then(({ isError, content }) => wordFor(isError, content), refusalFor);
    // What a write reads is counted in reads.test.ts.
    const sent = changes(tool) ? upstream.written() : upstream.taken();
    return `${word}, ${tool.lookup && sent > 0 ? 'its reads' : sent} sent`;
  };

  describe.each(withTools(ofEras, tools))('read-only, in $era', ({ era, tools }) => {
    connected({ BILLING_READ_ONLY: 'true' }, era, true);

    it.each(tools)('$name', async tool => {
      const outcome = await outcomeOf(tool.name, samples[tool.name]!);
      expect(outcome).toBe(changes(tool) ? 'read_only, 0 sent' : readOutcome(tool));
      expect((await client.names()).includes(tool.name)).toBe(!changes(tool));
      table.note(`read-only · ${era}`, tool.name, outcome);
    });
  });

  describe.each(toolsets)('toolset %s alone', toolset => {
    describe.each(withTools(ofEras, tools))('in $era', ({ era, tools }) => {
      connected({ BILLING_TOOLSETS: toolset, BILLING_CONFIRM: 'never' }, era, false);

      it('offers its tools and no other', async () => {
        const listed = await client.names();
        for (const tool of tools) {
          const own = tool.toolset === toolset;
          const outcome = await outcomeOf(tool.name, samples[tool.name]!);
          const expected = changes(tool) ? 'done (policy), 1 sent' : readOutcome(tool);
          expect(outcome).toBe(own ? expected : 'tool_not_offered, 0 sent');
          expect(listed.includes(tool.name)).toBe(own);
          table.note(`toolset ${toolset} · ${era}`, tool.name, outcome);
        }
      });
    });
  });

  describe.each(withTools(asking, tools))(
    '$mode, a client that can ask, $answer, in $era',
    ({ era, mode, answer, write, tools }) => {
      connected({ BILLING_CONFIRM: mode }, era, true);

      it.each(tools)('$name', async tool => {
        const args = samples[tool.name]!;
        client.answer = answer === 'declined' ? 'decline' : answer === 'cancelled' ? 'cancel' : 'accept';
        if (answer === 'the answer again') await replayLast(client, tool, args);
        else client.tamper = await tampering(answer, tool, upstream.url);
        client.asked.length = 0;
        const outcome = await outcomeOf(tool.name, args);
        client.tamper = undefined;
        expect(outcome).toBe(changes(tool) ? write : readOutcome(tool));
        expect(client.asked).toHaveLength(changes(tool) ? 1 : 0);
        table.note(`${mode} · asks · ${answer} · ${era}`, tool.name, outcome);
      });
    },
  );

  describe.each(withTools(silent, tools))('$mode, a client that cannot ask, in $era', ({ era, mode, tools }) => {
    const first: Record<Mode, string> = {
      auto: 'done (host), 1 sent',
      always: 'token issued, 0 sent',
      never: 'done (policy), 1 sent',
    };
    connected({ BILLING_CONFIRM: mode }, era, false);

    it.each(tools)('$name', async tool => {
      const outcome = await outcomeOf(tool.name, samples[tool.name]!);
      expect(outcome).toBe(changes(tool) ? first[mode] : readOutcome(tool));
      table.note(`${mode} · cannot ask · ${era}`, tool.name, outcome);
    });
  });

  describe.each(withTools(ofEras, writes))(
    'always, a client that cannot ask, with a token, in $era',
    ({ era, tools }) => {
      connected({ BILLING_CONFIRM: 'always' }, era, false);

      it.each(tools)('$name', async tool => {
        const args = samples[tool.name]!;
        const token = async (): Promise<string> => {
          const { content } = await client.call(tool.name, args);
          return (content.confirmation_required as JsonRecord).confirmation as string;
        };
        const good = await token();
        const expired = (await elevenMinutesAgo(tool, false, upstream.url)).confirmation;
        const uses: [string, JsonRecord, string][] = [
          ['tampered token', { ...args, confirmation: flipped(await token()) }, 'confirmation_invalid, 0 sent'],
          ['expired token', { ...args, confirmation: expired }, 'confirmation_expired, 0 sent'],
          ['changed arguments', { ...changedSamples[tool.name], confirmation: good }, 'confirmation_mismatch, 0 sent'],
          ['token', { ...args, confirmation: good }, 'done (token), 1 sent'],
          ['the token again', { ...args, confirmation: good }, 'confirmation_used, 0 sent'],
        ];
        for (const [what, withToken, expected] of uses) {
          const outcome = await outcomeOf(tool.name, withToken);
          expect([what, outcome]).toEqual([what, expected]);
          table.note(`always · cannot ask · ${what} · ${era}`, tool.name, outcome);
        }
      });
    },
  );

  describe.each(withTools(ofEras, tools))('never, a client that can ask is not asked, in $era', ({ era, tools }) => {
    connected({ BILLING_CONFIRM: 'never' }, era, true);

    it.each(tools)('$name', async tool => {
      const outcome = await outcomeOf(tool.name, samples[tool.name]!);
      expect(outcome).toBe(changes(tool) ? 'done (policy), 1 sent' : readOutcome(tool));
      table.note(`never · asks · ${era}`, tool.name, outcome);
      expect(client.asked).toEqual([]);
    });
  });

  describe.each(withTools(ofEras, writes))('a dry run changes nothing, in $era', ({ era, tools }) => {
    connected({}, era, true);

    it.each(tools)('$name', async tool => {
      upstream.taken();
      const { content } = await client.call(tool.name, { ...samples[tool.name], dry_run: true });
      expect(content.dry_run).toMatchObject({
        method: tool.endpoint.split(' ')[0],
        question: expect.stringMatching(/\?(\n- .+)*$/),
      });
      expect(upstream.written()).toBe(0);
      table.note(`dry run · ${era}`, tool.name, 'planned, 0 sent');
      expect(client.asked).toEqual([]);
    });
  });

  table.isKept(file);
}
