/**
 * Every write with every mode and client, by itself and as one of three changes, and all that can become of the look at its
 * record: the outcome, how often somebody was asked, and what the question said.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAboutNoRecord } from '../../../src/definition/define.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import type { Runtime } from '../../../src/server/runtime.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { connectClient, startRuntime, type TestClient } from '../../support/clients.ts';
import { type Era, eras } from '../../support/settings.ts';
import { lookupBody } from '../../tools/lookup-bodies.ts';
import { refusal } from '../../tools/lookup-upstream.ts';
import {
  type CountingUpstream,
  type Received,
  type Refusal,
  startCountingUpstream,
  stored,
} from './counting-upstream.ts';
import { type Mode, modes, type Sending, sendings, withTools, wordFor } from './outcome-cases.ts';
import { changes, type Tool } from './tamper.ts';

/** What becomes of the look at the record before a write. */
interface Sighting {
  /** `questions`: how many were put so far. */
  refuse?: (request: Received, questions: number) => Refusal | undefined;
  /** The service answers with another record after so many questions. */
  changes?: number;
  /** Does the question say that the record was not seen? */
  unseen?: true;
  /** `lost`: seen when somebody was asked, and not after the answer; `found`: the other way about. */
  answer?: 'lost' | 'found';
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
  'seen, then 5xx': { refuse: (_, asked) => (asked > 0 ? refused(500, 'internal_error') : undefined), answer: 'lost' },
  '5xx, then seen': {
    refuse: (_, asked) => (asked === 0 ? refused(500, 'internal_error') : undefined),
    unseen: true,
    answer: 'found',
  },
  'changed meanwhile, once': { changes: 1 },
  'changed meanwhile, twice': { changes: 2 },
  'changed meanwhile, ever again': { changes: Number.POSITIVE_INFINITY },
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

interface Case {
  era: Era;
  mode: Mode;
  asks: boolean;
  tool: Tool;
  /** Of how many changes of the call it is one. */
  n: number;
}

/**
 * Each mode with one kind of client: one that asks, where the mode leaves it the choice or asks nobody. Of three changes, a
 * wallet, and what is about no record.
 */
export const once = ({ era, mode, asks, tool, n }: Case): boolean =>
  era === '2026-07-28' &&
  asks === (mode !== 'always') &&
  (n === 1 || ['update_wallet', 'create_billing_entity'].includes(tool.name));

const ofEachKind = ['update_wallet', 'update_subscription', 'create_billing_entity', 'delete_add_on'];

/** What is left; in the older era, and of three changes, a write of each kind. */
export const rest = (one: Case): boolean =>
  !once(one) && ((one.era === '2026-07-28' && one.n === 1) || ofEachKind.includes(one.tool.name));

/** How many calls are made, by themselves and as one of three changes, and of how many writes: so that none is lost unseen. */
const sizes: Record<'once' | 'rest', Record<number, [calls: number, writes: number]>> = {
  once: { 1: [264, 8], 3: [66, 2] },
  rest: { 1: [528, 8], 3: [462, 4] },
};

const sighted = eras.flatMap(era =>
  modes.flatMap(mode =>
    [true, false].flatMap(asks =>
      Object.entries(sightings).map(([reading, rule]) => ({ era, mode, asks, reading, rule })),
    ),
  ),
);

export function testSightings(mine: (one: Case) => boolean): void {
  let upstream: CountingUpstream;
  beforeAll(async () => {
    upstream = await startCountingUpstream();
  });
  afterAll(() => upstream.close());
  const writes = toolDefinitions.filter(changes);

  describe.each(sendings)('$n of the changes of a call', sending => {
    const cases = withTools(sighted, of => writes.filter(tool => mine({ ...of, tool, n: sending.n })));

    it('has every case, and every write', () => {
      const called = cases.flatMap(({ tools }) => tools);
      expect([called.length, new Set(called).size]).toEqual(sizes[mine === once ? 'once' : 'rest'][sending.n]);
    });

    describe.each(cases)('$mode, asks: $asks, $reading, in $era', ({ era, mode, asks, reading, rule, tools }) => {
      let runtime: Runtime;
      let client: TestClient;
      beforeAll(async () => {
        runtime = startRuntime(upstream.url, { BILLING_CONFIRM: mode }, { limits: { maxRetries: 0 } });
        client = await connectClient(runtime, era, asks);
      });
      afterAll(async () => {
        upstream.refuseWith(undefined);
        upstream.answerWith(undefined);
        await client.close();
        await runtime.close();
      });

      it.each(tools)('$name', async tool => {
        client.asked.length = 0;
        const tokens: JsonRecord[] = [];
        const asked = () => client.asked.length + tokens.length;
        const rounds = () => Math.min(asked(), rule.changes ?? 0);
        upstream.refuseWith(request =>
          request.method === 'GET' ? (rule.refuse?.(request, asked()) ?? isGone(request)) : undefined,
        );
        upstream.answerWith(({ method, path }) =>
          method === 'GET' && !/\/(plans|alerts)(\?|$)/.test(path) ? lookupBody(path, version(rounds())) : undefined,
        );
        upstream.taken();
        const args = sending.args(tool);
        let answer = await client.call(sending.name(tool), args);
        while (answer.content.confirmation_required && tokens.length < 9) {
          tokens.push(answer.content.confirmation_required as JsonRecord);
          answer = await client.call(sending.name(tool), { ...args, confirmation: tokens.at(-1)!.confirmation });
        }
        const written = upstream.written();
        const outcome = `${wordFor(answer.isError, answer.content)}, ${written} sent, asked ${asked()} ×`;
        expect(outcome).toBe(expectedOf(sending, tool, { mode, asks, reading, rule }));

        // A new billing entity is about no record: what is read shows only that its code is free.
        const looks = !isAboutNoRecord(tool) || sending.n > 1;
        const spoken = [...client.asked, ...tokens.map(({ question, warnings }) => `${question}\n${warnings}`)];
        for (const [round, text] of spoken.entries()) {
          expect(text.includes('This server could not read the record. Check the ID yourself.')).toBe(
            looks && rule.unseen === true && (rule.answer !== 'found' || round === 0),
          );
          // A record that was seen is named as it is now.
          const now = Math.min(round, rule.changes ?? 0);
          const seen = looks && rule.unseen !== true;
          if (seen) expect(text).toMatch(new RegExp(`(Name|No) ${now}\\b`));
          const anew = asks
            ? /^The record (changed|could not be read)/.test(text)
            : tokens[round]!.changed !== undefined;
          expect(anew).toBe(round > 0);
        }
      });
    });
  });
}

/** The add-on whose deletion is so already. */
const isGone = ({ path }: Received) => (path.endsWith('/add_ons/gone') ? refused(404, 'add_on_not_found') : undefined);

/**
 * A write by itself is asked about anew where its record changed, or is seen for the first time. Of several, each change whose
 * record differs falls out; one that is about no record is made.
 */
function expectedOf(
  { n, sent }: Sending,
  tool: Tool,
  { mode, asks, reading, rule }: { mode: Mode; asks: boolean; reading: string; rule: Sighting },
): string {
  const looks = !isAboutNoRecord(tool);
  const ofTool = looks || reading === 'key refused: 401' ? rule.refused?.(tool) : undefined;
  // The other changes are of add-ons.
  const code = ofTool ?? (n > 1 && rule.refused ? 'add_on_not_found' : undefined);
  if (code !== undefined) return `${code}, 0 sent, asked 0 ×`;
  const someone = mode === 'always' || (mode === 'auto' && asks);
  const by = mode === 'never' ? 'policy' : asks ? 'person' : mode === 'always' ? 'token' : 'host';
  const changesSeen = rule.answer === 'found' ? 1 : (rule.changes ?? 0);
  if (n > 1) {
    const differs = someone && (changesSeen > 0 || rule.answer === 'lost');
    // A deletion is sent where nobody sees that the record is gone.
    const all = rule.unseen && !(differs && rule.answer === 'found') ? sent + 1 : sent;
    if (!differs) return `done (${by}), ${all} sent, asked ${someone ? 1 : 0} ×`;
    return looks ? 'record_changed, 0 sent, asked 1 ×' : `done (${by}), 1 sent, asked 1 ×`;
  }
  if (!looks || !someone) return `done (${by}), 1 sent, asked ${someone ? 1 : 0} ×`;
  if (changesSeen > 2) return 'record_changed, 0 sent, asked 3 ×';
  if (rule.answer === 'lost') return 'record_unseen, 0 sent, asked 1 ×';
  return `done (${by}), 1 sent, asked ${1 + changesSeen} ×`;
}
