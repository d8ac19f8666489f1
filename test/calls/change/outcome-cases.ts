/**
 * Every tool with every mode, client and answer: the outcome, and the number of requests, counted by the billing service:
 * for writes the requests that are no reads.
 * Real clients of both protocol eras speak to the whole server. The table itself is kept as a snapshot.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLookup, isSet, toolsets } from '../../../src/definition/define.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import type { Runtime } from '../../../src/server/runtime.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { type Asks, connectClient, startRuntime, type TestClient } from '../../support/clients.ts';
import { type Era, eras } from '../../support/settings.ts';
import { type CountingUpstream, startCountingUpstream } from './counting-upstream.ts';
import { type Mode, modes, outcomeTable, type Sending, sendings, withTools, wordFor } from './outcome-table.ts';
import { changedSamples } from './samples.ts';
import {
  changes,
  elevenMinutesAgo,
  flipped,
  inAnswer,
  replayLast,
  type Tool,
  tampering,
  withoutAnswer,
} from './tamper.ts';

/** What the client brings, and what comes of the write. */
interface Rule {
  write: string;
  /** In mode `always`, where it is another. */
  always?: string;
  answer?: TestClient['answer'];
  content?: JsonRecord;
  /** What happens to a message of the client. */
  tamper?: TestClient['tamper'];
  /** Only in the later era does the state pass through the client. */
  only?: Era;
}

const unanswered = 'question_unanswered, 0 sent';
const empty = { write: unanswered, always: 'question_unanswered with a token, 0 sent' };

/** What the host, the person or an attacker does with a form. */
const answers: Record<string, Rule> = {
  accepted: { write: 'done (person), 1 sent' },
  'answered with no': { write: 'declined, 0 sent', content: { answer: 'no' } },
  declined: { write: 'declined, 0 sent', answer: 'decline' },
  cancelled: { write: 'cancelled, 0 sent', answer: 'cancel' },
  'accepted empty': { ...empty, content: {} },
  'accepted with another field': { ...empty, content: { confirm: true } },
  'accepted with another word': { ...empty, content: { answer: 'YES' } },
  'not answered': { write: unanswered, tamper: withoutAnswer },
  'answered twice at once': { write: 'done (person), 1 sent', only: '2025-11-25' },
  'tampered state': { write: '-32602 with confirmation_invalid, 0 sent', only: '2026-07-28' },
  'expired state': { write: 'confirmation_expired, 0 sent', only: '2026-07-28' },
  'changed arguments': { write: 'confirmation_mismatch, 0 sent', only: '2026-07-28' },
  'the answer again': { write: 'confirmation_used, 0 sent', only: '2026-07-28' },
  'the answer again, with no': { write: 'confirmation_used, 0 sent', content: { answer: 'no' }, only: '2026-07-28' },
  'the answer again, declined': { write: 'confirmation_used, 0 sent', answer: 'decline', only: '2026-07-28' },
};

/** The same of a page of this server: what is decided there, and what the host brings. */
const pageAnswers: Record<string, Rule & { decides?: 'approve' | 'decline' }> = {
  approved: { write: 'done (link), 1 sent', decides: 'approve' },
  'approved, and another field said no': {
    ...{ write: 'done (link), 1 sent', decides: 'approve' },
    tamper: inAnswer(answer => Object.assign(answer, { content: { answer: 'no' } })),
  },
  'declined there': { write: 'declined, 0 sent', decides: 'decline' },
  'declined there, and a field said yes': {
    ...{ write: 'declined, 0 sent', decides: 'decline' },
    tamper: inAnswer(answer => Object.assign(answer, { content: { answer: 'yes' } })),
  },
  'declined by the host': { write: 'declined, 0 sent', answer: 'decline' },
  'approved, and declined by the host': { write: 'declined, 0 sent', decides: 'approve', answer: 'decline' },
  'cancelled by the host': { write: 'cancelled, 0 sent', answer: 'cancel' },
  'not answered': { write: unanswered, tamper: withoutAnswer },
  'the answer again': { write: 'confirmation_used, 0 sent', decides: 'approve', only: '2026-07-28' },
};
type Answer = string;

const withAnswers = <R extends Rule>(rules: Record<string, R>) =>
  eras.flatMap(era =>
    (['auto', 'always'] as const).flatMap(mode =>
      Object.entries(rules)
        .filter(([, { only = era }]) => only === era)
        .map(([answer, rule]) => ({
          ...{ era, mode, answer, rule },
          write: (mode === 'always' && rule.always) || rule.write,
        })),
    ),
  );
const asking = withAnswers(answers);
const opening = withAnswers(pageAnswers);
const silent = eras.flatMap(era => modes.map(mode => ({ era, mode })));
const ofEras = eras.map(era => ({ era }));

interface Case {
  era: Era;
  tool: Tool;
  /** Of how many changes of the call it is one. */
  n: number;
  /** To a question; absent where there is none. */
  answer?: Answer;
}

/**
 * Everything in the later era with every answer; a read, which nobody is asked about, not with each of them. In the
 * earlier one, one write with every answer. Of three changes, a wallet in the later era, and an alert, which creates.
 */
export const once = ({ era, tool, answer, n }: Case): boolean =>
  n === 3
    ? era === '2026-07-28' && ['update_wallet', 'create_subscription_alert'].includes(tool.name)
    : era === '2026-07-28'
      ? changes(tool) || answer === undefined || answer === 'accepted'
      : tool.name === 'update_add_on' && answer !== undefined;

const ofEachKind = ['update_wallet', 'create_subscription_alert', 'delete_add_on'];

/** What is left: every tool with every mode and with a form that is accepted; every answer for a write of each kind. */
export const rest = (one: Case): boolean =>
  !once(one) && (one.answer === undefined || one.answer === 'accepted' || ofEachKind.includes(one.tool.name));

/** A comparison of two plans is two previews for each and a page of plans. A lookup reads once or several times. */
const readOutcome = (tool: Tool) => `ok, ${isLookup(tool) ? 'its reads' : tool.name === 'compare_plans' ? 5 : 1} sent`;

/** An error of the protocol. */
function refusalFor({ code, data }: { code?: number; data?: JsonRecord }): string {
  return `${code} with ${data?.code}`;
}

/** Defines the tests of these cases, and that the table of the writes that are sent by themselves is as in the file. */
export function testOutcomes(mine: (one: Case) => boolean, file: string): void {
  describe.each(sendings)('$n of the changes of a call', sending =>
    testSent(one => mine({ ...one, n: sending.n }) && (sending.n === 1 || changes(one.tool)), sending, file),
  );
}

function testSent(mine: (one: Omit<Case, 'n'>) => boolean, sending: Sending, file: string): void {
  const table = outcomeTable();
  let upstream: CountingUpstream;
  let runtime: Runtime;
  let client: TestClient;
  beforeAll(async () => {
    upstream = await startCountingUpstream();
    const gone = { status: 404, body: { code: 'add_on_not_found' } };
    upstream.refuseWith(({ path }) => (path.endsWith('/add_ons/gone') ? gone : undefined));
  });
  afterAll(() => upstream.close());

  const tools = (of: Omit<Case, 'tool' | 'n'>) => toolDefinitions.filter(tool => !isSet(tool) && mine({ ...of, tool }));
  const writes = (of: Omit<Case, 'tool' | 'n'>) => tools(of).filter(changes);
  const counted = (expected: string) => expected.replace(', 1 sent', `, ${sending.sent} sent`);
  /** One server and one client for all tests of a `describe`. */
  const connected = (settings: Record<string, string>, era: Era, asks: Asks) => {
    beforeAll(async () => {
      runtime = startRuntime(upstream.url, settings, { durations: { linkHoldMs: 50 } });
      client = await connectClient(runtime, era, asks);
    });
    afterAll(async () => {
      await client.close();
      await runtime.close();
    });
  };
  /** `done (person), 1 request` */
  const outcomeOf = async (tool: Tool, args: JsonRecord): Promise<string> => {
    upstream.taken();
    const word = await client
      .call(sending.name(tool), args)
      .then(({ isError, content }) => wordFor(isError, content), refusalFor);
    // What a write reads is counted in reads.test.ts.
    const sent = changes(tool) ? upstream.written() : upstream.taken();
    return `${word}, ${isLookup(tool) && sent > 0 ? 'its reads' : sent} sent`;
  };

  describe.each(withTools(ofEras, tools))('read-only, in $era', ({ era, tools }) => {
    connected({ BILLING_READ_ONLY: 'true' }, era, true);

    it.each(tools)('$name', async tool => {
      const outcome = await outcomeOf(tool, sending.args(tool));
      expect(outcome).toBe(changes(tool) ? 'read_only, 0 sent' : readOutcome(tool));
      expect((await client.names()).includes(tool.name)).toBe(!changes(tool));
      table.note(`read-only · ${era}`, tool.name, outcome);
    });
  });

  // The tools of a set have toolsets of their own (change-set.test.ts).
  describe.each(sending.n === 1 ? toolsets : [])('toolset %s alone', toolset => {
    describe.each(withTools(ofEras, tools))('in $era', ({ era, tools }) => {
      connected({ BILLING_TOOLS: toolset, BILLING_CONFIRM: 'never' }, era, false);

      it('offers its tools and no other', async () => {
        const listed = await client.names();
        for (const tool of tools) {
          const own = tool.toolset === toolset;
          const outcome = await outcomeOf(tool, sending.args(tool));
          const expected = changes(tool) ? counted('done (policy), 1 sent') : readOutcome(tool);
          expect(outcome).toBe(own ? expected : 'tool_not_offered, 0 sent');
          expect(listed.includes(tool.name)).toBe(own);
          table.note(`toolset ${toolset} · ${era}`, tool.name, outcome);
        }
      });
    });
  });

  describe.each(withTools(asking, tools))(
    '$mode, a client that can ask, $answer, in $era',
    ({ era, mode, answer, rule, write, tools }) => {
      connected({ BILLING_CONFIRM: mode }, era, true);

      it.each(tools)('$name', async tool => {
        const args = sending.args(tool);
        Object.assign(client, { answer: 'accept', content: { answer: 'yes' } });
        if (answer.startsWith('the answer again')) await replayLast(client, sending.name(tool), args);
        else client.tamper = rule.tamper ?? (await tampering(answer, tool, upstream.url, sending));
        client.twice = answer === 'answered twice at once';
        Object.assign(client, { answer: rule.answer ?? 'accept', content: rule.content ?? { answer: 'yes' } });
        client.asked.length = 0;
        const outcome = await outcomeOf(tool, args);
        client.tamper = undefined;
        expect(outcome).toBe(changes(tool) ? counted(write) : readOutcome(tool));
        expect(client.asked).toHaveLength(changes(tool) ? 1 : 0);
        table.note(`${mode} · asks · ${answer} · ${era}`, tool.name, outcome);
      });
    },
  );

  describe.each(withTools(opening, writes))(
    '$mode, a client that opens pages, $answer, in $era',
    ({ era, mode, answer, rule, write, tools }) => {
      connected({ BILLING_CONFIRM: mode }, era, 'url');

      it.each(tools)('$name', async tool => {
        const args = sending.args(tool);
        const { decide } = await runtime.pipeline.pages();
        client.answer = 'accept';
        client.person = url => rule.decides && decide(url!.split('/').at(-1)!, rule.decides);
        if (answer === 'the answer again') await replayLast(client, sending.name(tool), args);
        else client.tamper = rule.tamper;
        client.answer = rule.answer ?? 'accept';
        client.asked.length = 0;
        const outcome = await outcomeOf(tool, args);
        client.tamper = undefined;
        expect(outcome).toBe(counted(write));
        expect(client.asked).toHaveLength(1);
        table.note(`${mode} · opens pages · ${answer} · ${era}`, tool.name, outcome);
      });
    },
  );

  const onButtons = eras.map(era => ({ era, answer: 'pressed' }));
  describe.each(withTools(onButtons, writes))('always, a client that shows buttons, in $era', ({ era, tools }) => {
    connected({ BILLING_CONFIRM: 'always' }, era, 'buttons');

    it.each(tools)('$name', async tool => {
      const args = sending.args(tool);
      const approval = async () => (await client.call(sending.name(tool), args)).page!.approval as JsonRecord;
      const pressed = async (decision: string, asked: JsonRecord) => {
        upstream.taken();
        const { isError, content } = await client.call('decide_write', { ...asked, decision });
        return `${wordFor(isError, content)}, ${upstream.written()} sent`;
      };
      const [approved, refused, flippedOne, other] = [
        await approval(),
        await approval(),
        await approval(),
        await approval(),
      ];
      flippedOne.confirmation = flipped(flippedOne.confirmation as string);
      const uses: [string, () => Promise<string>, string][] = [
        ['not pressed', () => outcomeOf(tool, args), 'shown with buttons, 0 sent'],
        ['approved', () => pressed('approve', approved), 'done (page), 1 sent'],
        ['approved again', () => pressed('approve', approved), 'confirmation_used, 0 sent'],
        ['declined after it was approved', () => pressed('decline', approved), 'confirmation_used, 0 sent'],
        ['declined', () => pressed('decline', refused), 'declined, 0 sent'],
        ['approved after it was declined', () => pressed('approve', refused), 'confirmation_used, 0 sent'],
        ['tampered', () => pressed('approve', flippedOne), 'confirmation_invalid, 0 sent'],
        [
          'changed arguments',
          () => pressed('approve', { ...other, arguments: sending.args(tool, changedSamples) }),
          'confirmation_mismatch, 0 sent',
        ],
        [
          'used as a token',
          () => outcomeOf(tool, { ...args, confirmation: other.confirmation }),
          'confirmation_invalid, 0 sent',
        ],
      ];
      for (const [what, use, expected] of uses) {
        const outcome = await use();
        expect([what, outcome]).toEqual([what, counted(expected)]);
        table.note(`always · shows buttons · ${what} · ${era}`, tool.name, outcome);
      }
    });
  });

  const onLink = eras.map(era => ({ era, answer: 'by link' }));
  describe.each(withTools(onLink, writes))(
    'always, a client that can nothing, with a link, in $era',
    ({ era, tools }) => {
      connected({ BILLING_CONFIRM: 'always', BILLING_ASK: 'url,form,buttons,link' }, era, 'link');

      it.each(tools)('$name', async tool => {
        const args = sending.args(tool);
        const { decide } = await runtime.pipeline.pages();
        const issued = async () => {
          const { content } = await client.call(sending.name(tool), args);
          const { confirmation, link } = content.confirmation_required as Record<string, string>;
          return { confirmation: confirmation!, page: link!.split('/').at(-1)! };
        };
        const used = ({ confirmation }: { confirmation: string }, all = args) =>
          outcomeOf(tool, { ...all, confirmation });
        const [first, refused, other] = [await issued(), await issued(), await issued()];
        const expired = (await elevenMinutesAgo(tool, 'link', upstream.url, sending)).confirmation as string;
        const uses: [string, () => Promise<string>, string][] = [
          ['first call', () => outcomeOf(tool, args), 'link issued, 0 sent'],
          ['undecided', () => used(first), 'link issued, 0 sent'],
          ['approved', () => decide(first.page, 'approve').then(() => used(first)), 'done (link), 1 sent'],
          ['approved again', () => used(first), 'confirmation_used, 0 sent'],
          ['declined', () => decide(refused.page, 'decline').then(() => used(refused)), 'declined, 0 sent'],
          [
            'approved after it was declined',
            () => decide(refused.page, 'approve').then(() => used(refused)),
            'confirmation_used, 0 sent',
          ],
          [
            'tampered',
            () => decide(other.page, 'approve').then(() => used({ confirmation: flipped(other.confirmation) })),
            'confirmation_invalid, 0 sent',
          ],
          [
            'approved, changed arguments',
            () => used(other, sending.args(tool, changedSamples)),
            'confirmation_mismatch, 0 sent',
          ],
          ['expired', () => used({ confirmation: expired }), 'confirmation_expired, 0 sent'],
        ];
        for (const [what, use, expected] of uses) {
          const outcome = await use();
          expect([what, outcome]).toEqual([what, counted(expected)]);
          table.note(`always · link · ${what} · ${era}`, tool.name, outcome);
        }
      });
    },
  );

  /** What is neither form nor page: the token that comes with the answer to an empty acceptance. */
  const onToken = eras.map(era => ({ era, answer: 'the token' }));
  describe.each(withTools(onToken, writes))(
    'always, a form accepted empty, then its token, in $era',
    ({ era, tools }) => {
      connected({ BILLING_CONFIRM: 'always' }, era, true);

      it.each(tools)('$name', async tool => {
        const args = sending.args(tool);
        client.content = {};
        const { content } = await client.call(sending.name(tool), args);
        const { confirmation } = (content.error as { details: JsonRecord }).details;
        client.asked.length = 0;
        for (const [what, expected] of [
          ['its token', 'done (token), 1 sent'],
          ['its token again', 'confirmation_used, 0 sent'],
        ] as const) {
          const outcome = await outcomeOf(tool, { ...args, confirmation });
          expect([what, outcome]).toEqual([what, counted(expected)]);
          table.note(`always · asks · accepted empty, then ${what} · ${era}`, tool.name, outcome);
        }
        expect(client.asked).toEqual([]);
      });
    },
  );

  const nowhere = eras.map(era => ({ era, answer: 'none' }));
  describe.each(withTools(nowhere, writes))('always, without a way that fits the client, in $era', ({ era, tools }) => {
    connected({ BILLING_CONFIRM: 'always', BILLING_ASK: 'url,form' }, era, false);

    it.each(tools)('$name', async tool => {
      const outcome = await outcomeOf(tool, sending.args(tool));
      expect(outcome).toBe('cannot_ask, 0 sent');
      table.note(`always · cannot ask, url and form alone · ${era}`, tool.name, outcome);
    });
  });

  describe.each(withTools(silent, tools))('$mode, a client that cannot ask, in $era', ({ era, mode, tools }) => {
    const first: Record<Mode, string> = {
      auto: 'done (host), 1 sent',
      always: 'token issued, 0 sent',
      never: 'done (policy), 1 sent',
    };
    connected({ BILLING_CONFIRM: mode }, era, false);

    it.each(tools)('$name', async tool => {
      const outcome = await outcomeOf(tool, sending.args(tool));
      expect(outcome).toBe(changes(tool) ? counted(first[mode]) : readOutcome(tool));
      table.note(`${mode} · cannot ask · ${era}`, tool.name, outcome);
    });
  });

  describe.each(withTools(ofEras, writes))(
    'always, a client that cannot ask, with a token, in $era',
    ({ era, tools }) => {
      connected({ BILLING_CONFIRM: 'always' }, era, false);

      it.each(tools)('$name', async tool => {
        const args = sending.args(tool);
        const token = async (): Promise<string> => {
          const { content } = await client.call(sending.name(tool), args);
          return (content.confirmation_required as JsonRecord).confirmation as string;
        };
        const good = await token();
        const expired = (await elevenMinutesAgo(tool, false, upstream.url, sending)).confirmation;
        const uses: [string, JsonRecord, string][] = [
          ['tampered token', { ...args, confirmation: flipped(await token()) }, 'confirmation_invalid, 0 sent'],
          ['expired token', { ...args, confirmation: expired }, 'confirmation_expired, 0 sent'],
          [
            'changed arguments',
            { ...sending.args(tool, changedSamples), confirmation: good },
            'confirmation_mismatch, 0 sent',
          ],
          ['token', { ...args, confirmation: good }, 'done (token), 1 sent'],
          ['the token again', { ...args, confirmation: good }, 'confirmation_used, 0 sent'],
        ];
        for (const [what, withToken, expected] of uses) {
          const outcome = await outcomeOf(tool, withToken);
          expect([what, outcome]).toEqual([what, counted(expected)]);
          table.note(`always · cannot ask · ${what} · ${era}`, tool.name, outcome);
        }
      });
    },
  );

  describe.each(withTools(ofEras, tools))('never, a client that can ask is not asked, in $era', ({ era, tools }) => {
    connected({ BILLING_CONFIRM: 'never' }, era, true);

    it.each(tools)('$name', async tool => {
      const outcome = await outcomeOf(tool, sending.args(tool));
      expect(outcome).toBe(changes(tool) ? counted('done (policy), 1 sent') : readOutcome(tool));
      table.note(`never · asks · ${era}`, tool.name, outcome);
      expect(client.asked).toEqual([]);
    });
  });

  describe.each(withTools(ofEras, writes))('a dry run changes nothing, in $era', ({ era, tools }) => {
    connected({}, era, true);

    it.each(tools)('$name', async tool => {
      upstream.taken();
      const { content } = await client.call(sending.name(tool), { ...sending.args(tool), dry_run: true });
      const { question, requests, ...request } = content.dry_run as JsonRecord;
      const all = (requests as JsonRecord[] | undefined) ?? [request];
      expect(all).toHaveLength(sending.sent);
      expect(all[0]).toMatchObject({ method: tool.endpoint.split(' ')[0] });
      expect(question).toMatch(sending.n === 1 ? /\?(\n- .+)*$/ : /^Make .*\?\n/);
      expect(upstream.written()).toBe(0);
      table.note(`dry run · ${era}`, tool.name, 'planned, 0 sent');
      expect(client.asked).toEqual([]);
    });
  });

  if (sending.n === 1) table.isKept(file);
}
