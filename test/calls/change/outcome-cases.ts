/**
 * Every tool with every mode, client and answer: the outcome, and the number of requests, counted by the billing service:
 * for writes the requests that are no reads. Real clients of both protocol eras speak to the whole server.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLookup, isSet, toolsets } from '../../../src/definition/define.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import type { Runtime } from '../../../src/server/runtime.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { type Asks, connectClient, startRuntime, type TestClient } from '../../support/clients.ts';
import { type Era, eras } from '../../support/settings.ts';
import { type CountingUpstream, startCountingUpstream } from './counting-upstream.ts';
import { changedSamples, samples } from './samples.ts';
import {
  changes,
  elevenMinutesAgo,
  flipped,
  inAnswer,
  onRetry,
  replayLast,
  type Tool,
  withoutAnswer,
} from './tamper.ts';

export const modes = ['auto', 'always', 'never'] as const;
export type Mode = (typeof modes)[number];

/** How a write is sent: by itself, or as the first of `n` changes. Reads are sent by themselves. */
export interface Sending {
  n: number;
  name(tool: Tool): string;
  /** The arguments for the sample of the tool. */
  args(tool: Tool, all?: Readonly<Record<string, JsonRecord>>): JsonRecord;
  /** How many writes reach the service. */
  sent: number;
}

const describing = (code: string) => ({ tool: 'update_add_on', arguments: { code, description: 'Of a set' } });
/** Two more changes, and one that is so already. */
const others = [describing('second'), describing('third'), { tool: 'delete_add_on', arguments: { code: 'gone' } }];

export const sendings: readonly Sending[] = [
  { n: 1, name: ({ name }) => name, args: ({ name }, all = samples) => all[name]!, sent: 1 },
  {
    n: 3,
    name: () => 'change_several',
    args: ({ name }, all = samples) => ({
      changes: [{ tool: name, arguments: all[name]! }, ...others].map(change => ({
        ...change,
        arguments: JSON.stringify(change.arguments),
      })),
    }),
    sent: 3,
  },
];

/** Each of these with the tools of its own part; without those that have none. */
export function withTools<Case>(cases: readonly Case[], tools: (of: Case) => Tool[]): (Case & { tools: Tool[] })[] {
  return cases.map(each => ({ ...each, tools: tools(each) })).filter(({ tools }) => tools.length > 0);
}

/** `16 + 2`: so many calls of writes, and so many of each read. */
function sizeOf(called: readonly Tool[]): string {
  const reads = toolDefinitions.filter(tool => !changes(tool) && !isSet(tool)).length;
  const writes = called.filter(changes).length;
  return called.length === writes ? `${writes}` : `${writes} + ${(called.length - writes) / reads}`;
}

/** The code of the error, `token issued`, `link issued`, `shown with buttons`, or `done (person)`. */
export function wordFor(isError: boolean, content: JsonRecord): string {
  if (isError) {
    const { code, details } = content.error as { code: string; details?: JsonRecord };
    return details?.confirmation ? `${code} with a token` : code;
  }
  if (content.confirmation_required)
    return (content.confirmation_required as JsonRecord).link === undefined ? 'token issued' : 'link issued';
  if (content.decided_on_page) return 'shown with buttons';
  const receipt = content.receipt as JsonRecord | undefined;
  return receipt ? `done (${receipt.confirmed_by})` : 'ok';
}

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
  /** On a page of this server. */
  decides?: 'approve' | 'decline';
}

const unanswered = 'question_unanswered, 0 sent';
const empty = { write: unanswered, always: 'question_unanswered with a token, 0 sent' };
const declined = { write: 'declined, 0 sent' };
const used = { write: 'confirmation_used, 0 sent', only: '2026-07-28' } as const;

/** What the host, the person or an attacker does with a form. */
const answers: Record<string, Rule> = {
  accepted: { write: 'done (person), 1 sent' },
  'answered with no': { ...declined, content: { answer: 'no' } },
  declined: { ...declined, answer: 'decline' },
  cancelled: { write: 'cancelled, 0 sent', answer: 'cancel' },
  'accepted empty': { ...empty, content: {} },
  'accepted with another field': { ...empty, content: { confirm: true } },
  'accepted with another word': { ...empty, content: { answer: 'YES' } },
  'not answered': { write: unanswered, tamper: withoutAnswer },
  'answered twice at once': { write: 'done (person), 1 sent', only: '2025-11-25' },
  'tampered state': {
    ...{ write: '-32602 with confirmation_invalid, 0 sent', only: '2026-07-28' },
    tamper: onRetry(params => Object.assign(params, { requestState: flipped(params.requestState as string) })),
  },
  'expired state': { write: 'confirmation_expired, 0 sent', only: '2026-07-28' },
  'changed arguments': { write: 'confirmation_mismatch, 0 sent', only: '2026-07-28' },
  'the answer again': used,
  'the answer again, with no': { ...used, content: { answer: 'no' } },
  'the answer again, declined': { ...used, answer: 'decline' },
};

const another = (answer: string) => inAnswer(brought => Object.assign(brought, { content: { answer } }));
const approved: Rule = { write: 'done (link), 1 sent', decides: 'approve' };
/** The same of a page of this server: what is decided there, and what the host brings. */
const pageAnswers: Record<string, Rule> = {
  approved,
  'approved, and another field said no': { ...approved, tamper: another('no') },
  'declined there': { ...declined, decides: 'decline' },
  'declined there, and a field said yes': { ...declined, decides: 'decline', tamper: another('yes') },
  'declined by the host': { ...declined, answer: 'decline' },
  'approved, and declined by the host': { ...declined, decides: 'approve', answer: 'decline' },
  'cancelled by the host': { write: 'cancelled, 0 sent', answer: 'cancel' },
  'not answered': { write: unanswered, tamper: withoutAnswer },
  'the answer again': { ...used, decides: 'approve' },
};

const withAnswers = (rules: Record<string, Rule>) =>
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

interface Case {
  era: Era;
  tool: Tool;
  /** Of how many changes of the call it is one. */
  n: number;
  /** To a question; absent where there is none. */
  answer?: string;
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

/** What `once` and `rest` call in each section, by themselves and as one of three changes: so that no case is lost unseen. */
// biome-ignore format: a table
const sizes: Record<string, [once: string, onceOfThree: string, rest: string, restOfThree: string]> = {
  'read-only':                                       ['8 + 1', '2', '8 + 1', '14'],
  'offers its tools and no other':                   ['136 + 17', '', '136 + 17', ''],
  forms:                                             ['242 + 2', '56', '62 + 2', '102'],
  pages:                                             ['160', '36', '48', '66'],
  'always, a client that shows buttons':             ['9', '2', '3', '4'],
  'always, a client that can nothing, with a link':  ['9', '2', '3', '4'],
  'always, a form accepted empty, then its token':   ['9', '2', '3', '4'],
  'always, without a way that fits the client':      ['9', '2', '3', '4'],
  'auto, a client that cannot ask':                  ['8 + 1', '2', '8 + 1', '14'],
  'always, a client that cannot ask':                ['8 + 1', '2', '8 + 1', '14'],
  'never, a client that cannot ask':                 ['8 + 1', '2', '8 + 1', '14'],
  'always, a client that cannot ask, with a token':  ['8', '2', '8', '14'],
  'never, a client that can ask is not asked':       ['8 + 1', '2', '8 + 1', '14'],
  'a dry run changes nothing':                       ['8', '2', '8', '14'],
};

/** A comparison of two plans is two previews for each and a page of plans. A lookup reads once or several times. */
const readOutcome = (tool: Tool) => `ok, ${isLookup(tool) ? 'its reads' : tool.name === 'compare_plans' ? 5 : 1} sent`;

/** An error of the protocol. */
function refusalFor({ code, data }: { code?: number; data?: JsonRecord }): string {
  return `${code} with ${data?.code}`;
}

export function testOutcomes(mine: (one: Case) => boolean): void {
  describe.each(sendings)('$n of the changes of a call', sending =>
    testSent(
      one => mine({ ...one, n: sending.n }) && (sending.n === 1 || changes(one.tool)),
      sending,
      (mine === once ? 0 : 2) + (sending.n === 1 ? 0 : 1),
    ),
  );
}

/** What is done with one write, and what comes of it. */
type Uses = [what: string, use: () => Promise<string>, expected: string][];

function testSent(mine: (one: Omit<Case, 'n'>) => boolean, sending: Sending, part: number): void {
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
  const called: Record<string, Tool[]> = {};
  const casesOf = <Of>(section: string, cases: readonly Of[], of: (one: Of) => Tool[]) => {
    const all = withTools(cases, of);
    called[section] = [...(called[section] ?? []), ...all.flatMap(one => one.tools)];
    return all;
  };
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
  const call = (tool: Tool, args: JsonRecord) => client.call(sending.name(tool), args);
  /** `done (person), 1 request` */
  const outcomeOf = async (tool: Tool, args: JsonRecord): Promise<string> => {
    upstream.taken();
    const word = await call(tool, args).then(({ isError, content }) => wordFor(isError, content), refusalFor);
    // What a write reads is counted in reads.test.ts.
    const sent = changes(tool) ? upstream.written() : upstream.taken();
    return `${word}, ${isLookup(tool) && sent > 0 ? 'its reads' : sent} sent`;
  };
  /** Each of these tools in each era, with one server and one client. `answer`: to a question, where one is put. */
  const inEras = (
    title: string,
    of: { settings: Record<string, string>; asks: Asks; tools: typeof tools; answer?: string },
    test: (tool: Tool) => Promise<void>,
  ) =>
    describe.each(
      casesOf(
        title,
        eras.map(era => ({ era, ...(of.answer && { answer: of.answer }) })),
        of.tools,
      ),
    )(`${title}, in $era`, ({ era, tools }) => {
      connected(of.settings, era, of.asks);
      it.each(tools)('$name', tool => test(tool));
    });
  const ended = async (uses: Uses) => {
    for (const [what, use, expected] of uses) expect([what, await use()]).toEqual([what, counted(expected)]);
  };

  inEras('read-only', { settings: { BILLING_READ_ONLY: 'true' }, asks: true, tools }, async tool => {
    expect(await outcomeOf(tool, sending.args(tool))).toBe(changes(tool) ? 'read_only, 0 sent' : readOutcome(tool));
    expect((await client.names()).includes(tool.name)).toBe(!changes(tool));
  });

  // The tools of a set have toolsets of their own (change-set.test.ts).
  describe.each(sending.n === 1 ? toolsets : [])('toolset %s alone', toolset => {
    inEras(
      'offers its tools and no other',
      { settings: { BILLING_TOOLS: toolset, BILLING_CONFIRM: 'never' }, asks: false, tools },
      async tool => {
        const own = tool.toolset === toolset;
        const expected = changes(tool) ? counted('done (policy), 1 sent') : readOutcome(tool);
        expect(await outcomeOf(tool, sending.args(tool))).toBe(own ? expected : 'tool_not_offered, 0 sent');
        expect((await client.names()).includes(tool.name)).toBe(own);
      },
    );
  });

  describe.each(casesOf('forms', withAnswers(answers), tools))(
    '$mode, a client that can ask, $answer, in $era',
    ({ era, mode, answer, rule, write, tools }) => {
      connected({ BILLING_CONFIRM: mode }, era, true);

      it.each(tools)('$name', async tool => {
        const args = sending.args(tool);
        Object.assign(client, { answer: 'accept', content: { answer: 'yes' } });
        client.tamper = rule.tamper;
        const replay = () => replayLast(client, sending.name(tool), args);
        if (answer.startsWith('the answer again')) await replay();
        if (answer === 'expired state') await elevenMinutesAgo(replay);
        if (answer === 'changed arguments')
          client.tamper = onRetry(params => Object.assign(params, { arguments: sending.args(tool, changedSamples) }));
        client.twice = answer === 'answered twice at once';
        Object.assign(client, { answer: rule.answer ?? 'accept', content: rule.content ?? { answer: 'yes' } });
        client.asked.length = 0;
        const outcome = await outcomeOf(tool, args);
        client.tamper = undefined;
        expect(outcome).toBe(changes(tool) ? counted(write) : readOutcome(tool));
        expect(client.asked).toHaveLength(changes(tool) ? 1 : 0);
      });
    },
  );

  describe.each(casesOf('pages', withAnswers(pageAnswers), writes))(
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
      });
    },
  );

  const always = { BILLING_CONFIRM: 'always' };
  inEras(
    'always, a client that shows buttons',
    { settings: always, asks: 'buttons', tools: writes, answer: 'pressed' },
    async tool => {
      const args = sending.args(tool);
      const approval = async () => (await call(tool, args)).page!.approval as JsonRecord;
      const pressed = async (decision: string, asked: JsonRecord) => {
        upstream.taken();
        const { isError, content } = await client.call('decide_write', { ...asked, decision });
        return `${wordFor(isError, content)}, ${upstream.written()} sent`;
      };
      const [yes, no, changed, other] = [await approval(), await approval(), await approval(), await approval()];
      changed.confirmation = flipped(changed.confirmation as string);
      const otherArguments = { ...other, arguments: sending.args(tool, changedSamples) };
      await ended([
        ['not pressed', () => outcomeOf(tool, args), 'shown with buttons, 0 sent'],
        ['approved', () => pressed('approve', yes), 'done (page), 1 sent'],
        ['approved again', () => pressed('approve', yes), 'confirmation_used, 0 sent'],
        ['declined after it was approved', () => pressed('decline', yes), 'confirmation_used, 0 sent'],
        ['declined', () => pressed('decline', no), 'declined, 0 sent'],
        ['approved after it was declined', () => pressed('approve', no), 'confirmation_used, 0 sent'],
        ['tampered', () => pressed('approve', changed), 'confirmation_invalid, 0 sent'],
        ['changed arguments', () => pressed('approve', otherArguments), 'confirmation_mismatch, 0 sent'],
        [
          'used as a token',
          () => outcomeOf(tool, { ...args, confirmation: other.confirmation }),
          'confirmation_invalid, 0 sent',
        ],
      ]);
    },
  );

  inEras(
    'always, a client that can nothing, with a link',
    { settings: { ...always, BILLING_ASK: 'url,form,buttons,link' }, asks: 'link', tools: writes, answer: 'by link' },
    async tool => {
      const args = sending.args(tool);
      const { decide } = await runtime.pipeline.pages();
      const issued = async () => {
        const { content } = await call(tool, args);
        const { confirmation, link } = content.confirmation_required as Record<string, string>;
        return { confirmation: confirmation!, page: link!.split('/').at(-1)! };
      };
      const using = (confirmation: string, all = args) => outcomeOf(tool, { ...all, confirmation });
      const [first, no, other] = [await issued(), await issued(), await issued()];
      const { confirmation: expired } = await elevenMinutesAgo(issued);
      const changed = sending.args(tool, changedSamples);
      await ended([
        ['first call', () => outcomeOf(tool, args), 'link issued, 0 sent'],
        ['undecided', () => using(first.confirmation), 'link issued, 0 sent'],
        ['approved', () => decide(first.page, 'approve').then(() => using(first.confirmation)), 'done (link), 1 sent'],
        ['approved again', () => using(first.confirmation), 'confirmation_used, 0 sent'],
        ['declined', () => decide(no.page, 'decline').then(() => using(no.confirmation)), 'declined, 0 sent'],
        [
          'approved after it was declined',
          () => decide(no.page, 'approve').then(() => using(no.confirmation)),
          'confirmation_used, 0 sent',
        ],
        [
          'tampered',
          () => decide(other.page, 'approve').then(() => using(flipped(other.confirmation))),
          'confirmation_invalid, 0 sent',
        ],
        ['approved, changed arguments', () => using(other.confirmation, changed), 'confirmation_mismatch, 0 sent'],
        ['expired', () => using(expired), 'confirmation_expired, 0 sent'],
      ]);
    },
  );

  /** What is neither form nor page: the token that comes with the answer to an empty acceptance. */
  inEras(
    'always, a form accepted empty, then its token',
    { settings: always, asks: true, tools: writes, answer: 'the token' },
    async tool => {
      const args = sending.args(tool);
      client.content = {};
      const { content } = await call(tool, args);
      const { confirmation } = (content.error as { details: JsonRecord }).details;
      client.asked.length = 0;
      const using = () => outcomeOf(tool, { ...args, confirmation });
      await ended([
        ['its token', using, 'done (token), 1 sent'],
        ['its token again', using, 'confirmation_used, 0 sent'],
      ]);
      expect(client.asked).toEqual([]);
    },
  );

  inEras(
    'always, without a way that fits the client',
    { settings: { ...always, BILLING_ASK: 'url,form' }, asks: false, tools: writes, answer: 'none' },
    async tool => expect(await outcomeOf(tool, sending.args(tool))).toBe('cannot_ask, 0 sent'),
  );

  const first: Record<Mode, string> = {
    auto: 'done (host), 1 sent',
    always: 'token issued, 0 sent',
    never: 'done (policy), 1 sent',
  };
  for (const mode of modes)
    inEras(
      `${mode}, a client that cannot ask`,
      { settings: { BILLING_CONFIRM: mode }, asks: false, tools },
      async tool =>
        expect(await outcomeOf(tool, sending.args(tool))).toBe(
          changes(tool) ? counted(first[mode]) : readOutcome(tool),
        ),
    );

  inEras(
    'always, a client that cannot ask, with a token',
    { settings: always, asks: false, tools: writes },
    async tool => {
      const args = sending.args(tool);
      const token = async () =>
        ((await call(tool, args)).content.confirmation_required as JsonRecord).confirmation as string;
      const using = (confirmation: unknown, all = args) => outcomeOf(tool, { ...all, confirmation });
      const [good, tampered] = [await token(), flipped(await token())];
      const expired = await elevenMinutesAgo(token);
      const changed = sending.args(tool, changedSamples);
      await ended([
        ['tampered token', () => using(tampered), 'confirmation_invalid, 0 sent'],
        ['expired token', () => using(expired), 'confirmation_expired, 0 sent'],
        ['changed arguments', () => using(good, changed), 'confirmation_mismatch, 0 sent'],
        ['token', () => using(good), 'done (token), 1 sent'],
        ['the token again', () => using(good), 'confirmation_used, 0 sent'],
      ]);
    },
  );

  inEras(
    'never, a client that can ask is not asked',
    { settings: { BILLING_CONFIRM: 'never' }, asks: true, tools },
    async tool => {
      const expected = changes(tool) ? counted('done (policy), 1 sent') : readOutcome(tool);
      expect(await outcomeOf(tool, sending.args(tool))).toBe(expected);
      expect(client.asked).toEqual([]);
    },
  );

  inEras('a dry run changes nothing', { settings: {}, asks: true, tools: writes }, async tool => {
    upstream.taken();
    const { content } = await call(tool, { ...sending.args(tool), dry_run: true });
    const { question, requests, ...request } = content.dry_run as JsonRecord;
    const all = (requests as JsonRecord[] | undefined) ?? [request];
    expect(all).toHaveLength(sending.sent);
    expect(all[0]).toMatchObject({ method: tool.endpoint.split(' ')[0] });
    expect(question).toMatch(sending.n === 1 ? /\?(\n- .+)*$/ : /^Make .*\?\n/);
    expect(upstream.written()).toBe(0);
    expect(client.asked).toEqual([]);
  });

  it('has every case', () => {
    const expected = Object.entries(sizes).flatMap(([section, parts]) => (parts[part] ? [[section, parts[part]]] : []));
    const sizesOf = Object.entries(called).map(([section, tools]) => [section, sizeOf(tools)]);
    expect(Object.fromEntries(sizesOf)).toEqual(Object.fromEntries(expected));
    const writes = new Set(Object.values(called).flat().filter(changes));
    expect(writes.size).toBe(part === 1 ? 2 : 8);
  });
}
