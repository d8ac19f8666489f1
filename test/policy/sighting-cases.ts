/**
 * Every write with every mode and client, and all that can become of the look at its record: the outcome, how often somebody
 * was asked, and what the question said. Kept as a table.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import type { Runtime } from '../../src/server/runtime.ts';
import { isAboutNoRecord } from '../../src/tool/define.ts';
import { toolDefinitions } from '../../tools/index.ts';
import { connectClient, startRuntime, type TestClient } from '../support/clients.ts';
import { type Era, eras } from '../support/settings.ts';
import { lookupBody } from '../tools/lookup-bodies.ts';
import { refusal } from '../tools/lookup-upstream.ts';
import {
  type CountingUpstream,
  type Received,
  type Refusal,
  startCountingUpstream,
  stored,
} from './counting-upstream.ts';
import { type Mode, modes, outcomeTable, wordFor } from './outcome-table.ts';
import { samples } from './samples.ts';
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
}

/** Each mode with one kind of client: one that asks, where the mode leaves it the choice or asks nobody. */
export const once = ({ era, mode, asks }: Case): boolean => era === '2026-07-28' && asks === (mode !== 'always');

const sighted = eras.flatMap(era =>
  modes.flatMap(mode =>
    [true, false].flatMap(asks => Object.entries(sightings).map(([sight, rule]) => ({ era, mode, asks, sight, rule }))),
  ),
);

/** Defines the tests of these cases, and that their table is as in the file. */
export function testSightings(mine: (one: Case) => boolean, file: string): void {
  const table = outcomeTable();
  let upstream: CountingUpstream;
  beforeAll(async () => {
    upstream = await startCountingUpstream();
  });
  afterAll(() => upstream.close());

  describe.each(sighted.filter(mine))('$mode, asks: $asks, $sight, in $era', ({ era, mode, asks, sight, rule }) => {
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

    it.each(toolDefinitions.filter(changes))('$name', async tool => {
      client.asked.length = 0;
      const tokens: JsonRecord[] = [];
      const asked = () => client.asked.length + tokens.length;
      const rounds = () => Math.min(asked(), rule.changes ?? 0);
      upstream.refuseWith(request => (request.method === 'GET' ? rule.refuse?.(request, asked()) : undefined));
      upstream.answerWith(({ method, path }) =>
        method === 'GET' && !/\/(plans|alerts)(\?|$)/.test(path) ? lookupBody(path, version(rounds())) : undefined,
      );
      upstream.taken();
      let args = samples[tool.name]!;
      let answer = await client.call(tool.name, args);
      while (answer.content.confirmation_required && tokens.length < 9) {
        tokens.push(answer.content.confirmation_required as JsonRecord);
        args = { ...samples[tool.name], confirmation: tokens.at(-1)!.confirmation };
        answer = await client.call(tool.name, args);
      }
      const written = upstream.written();
      const questions = asked();
      const outcome = `${wordFor(answer.isError, answer.content)}, ${written} sent, asked ${questions} ×`;

      // A new billing entity is about no record: what is read shows only that its code is free.
      const looks = !isAboutNoRecord(tool);
      const code = looks || sight === 'key refused: 401' ? rule.refused?.(tool) : undefined;
      const someone = mode === 'always' || (mode === 'auto' && asks);
      const changesSeen = looks && someone ? (rule.answer === 'found' ? 1 : (rule.changes ?? 0)) : 0;
      const by = mode === 'never' ? 'policy' : asks ? 'person' : mode === 'always' ? 'token' : 'host';
      const expected =
        code !== undefined
          ? `${code}, 0 sent, asked 0 ×`
          : changesSeen > 2
            ? 'record_changed, 0 sent, asked 3 ×'
            : rule.answer === 'lost' && looks && someone
              ? 'record_unseen, 0 sent, asked 1 ×'
              : `done (${by}), 1 sent, asked ${someone ? 1 + changesSeen : 0} ×`;
      expect(outcome).toBe(expected);
      const spoken = [...client.asked, ...tokens.map(({ question, warnings }) => `${question}\n${warnings}`)];
      for (const [round, text] of spoken.entries()) {
        expect(text.includes('This server has not seen this record: check the id yourself.')).toBe(
          looks && rule.unseen === true && (rule.answer !== 'found' || round === 0),
        );
        // A record that was seen is named as it is now.
        const now = Math.min(round, rule.changes ?? 0);
        const seen = looks && rule.unseen !== true;
        if (seen) expect(text).toMatch(new RegExp(`(Name|No) ${now}\\b`));
        const anew = asks ? /^The record (changed|could not be seen)/.test(text) : tokens[round]!.changed !== undefined;
        expect(anew).toBe(round > 0);
      }
      table.note(`${mode} · ${asks ? 'asks' : 'cannot ask'} · ${sight} · ${era}`, tool.name, outcome);
    });
  });

  table.isKept(file);
}
