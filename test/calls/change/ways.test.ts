/** By which way a person is asked, and what each answer in it comes to. */
import { describe, expect, it } from 'vitest';
import type { AccessRoles } from '../../../src/calls/access/access.ts';
import type { AskRoute, ClientAbilities, ConfirmedBy, Heard, Reply } from '../../../src/definition/asking.ts';
import { proofs } from '../../../src/definition/asking.ts';
import type { WriteOutcome } from '../../../src/definition/write-call.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import type { Config } from '../../../src/server/settings/settings.ts';
import {
  answered,
  type CallOptions,
  canBeAsked,
  cannotBeAsked,
  codeOf,
  countingSend,
  pagesThatProve,
  policyWith,
  serverWith,
  showing,
  silent,
  writeCall,
} from './support.ts';

const start = new Date('2026-03-15T12:00:00Z');
const passed = (ms: number) => new Date(start.getTime() + ms);

/** One server, and what it was told in answers. */
function open(settings: Partial<Config> = {}) {
  const heard: string[] = [];
  const told = (route: AskRoute, what: Heard) => void heard.push(`${route} ${what}`);
  return { ...serverWith({ confirm: 'always', ...settings }, { heard: told }), heard };
}

/** The way in which a call is asked; else how it ended. */
function wayOf(outcome: WriteOutcome): string {
  if (outcome.kind === 'ask') return outcome.page === undefined ? 'form' : 'url';
  if (outcome.kind === 'needs_token') return outcome.onPage ? 'buttons' : outcome.link ? 'link' : 'token';
  return outcome.kind === 'done' ? `done (${outcome.receipt.confirmed_by})` : codeOf(outcome);
}

const errorIn = (outcome: WriteOutcome) => {
  if (!('error' in outcome)) throw new Error(outcome.kind);
  return outcome.error;
};
const tokenIn = (outcome: WriteOutcome) => (errorIn(outcome).details as JsonRecord).confirmation as string | undefined;

describe('the way of asking', () => {
  // biome-ignore format: a table
  const rows: [mode: Config['confirm'], ask: AskRoute[], shows: AskRoute[], way: string][] = [
    ['always', ['url', 'form', 'buttons', 'token'], ['url', 'form', 'buttons'], 'url'],
    ['always', ['url', 'form', 'buttons', 'token'], ['form', 'buttons'], 'form'],
    ['always', ['url', 'form', 'buttons', 'token'], ['buttons'], 'buttons'],
    ['always', ['url', 'form', 'buttons', 'token'], [], 'token'],
    ['always', ['url', 'form', 'buttons', 'link', 'token'], ['link'], 'link'],
    ['always', ['url', 'form', 'buttons', 'link', 'token'], ['buttons', 'link'], 'buttons'],
    ['always', ['url', 'form', 'buttons', 'link'], [], 'cannot_ask'],
    ['always', ['token', 'link'], ['link'], 'token'],
    ['auto', ['url', 'form', 'buttons', 'link'], ['link'], 'done (host)'],
    ['never', ['link'], ['link'], 'done (policy)'],
    ['always', ['token', 'buttons', 'form', 'url'], ['url', 'form', 'buttons'], 'token'],
    ['always', ['buttons', 'form', 'url'], ['url', 'form', 'buttons'], 'buttons'],
    ['always', ['buttons', 'form', 'url'], ['url', 'form'], 'form'],
    ['always', ['form'], ['url', 'form', 'buttons'], 'form'],
    ['always', ['form'], ['url', 'buttons'], 'cannot_ask'],
    ['always', ['url', 'form'], [], 'cannot_ask'],
    ['always', ['url', 'form', 'buttons'], [], 'cannot_ask'],
    ['auto', ['url', 'form', 'buttons', 'token'], ['url', 'form', 'buttons'], 'url'],
    ['auto', ['form', 'url'], ['url', 'form'], 'form'],
    ['auto', ['buttons', 'token', 'form'], ['form', 'buttons'], 'form'],
    ['auto', ['url', 'form', 'buttons', 'token'], ['buttons'], 'done (host)'],
    ['auto', ['url', 'form', 'buttons', 'token'], [], 'done (host)'],
    ['auto', ['token'], ['url', 'form'], 'done (host)'],
    ['never', ['url', 'form', 'buttons', 'token'], ['url', 'form', 'buttons'], 'done (policy)'],
    ['never', ['form'], [], 'done (policy)'],
  ];
  it.each(rows)('in mode %s with BILLING_ASK=%j, of a client that shows %j, is %s', async (mode, ask, shows, way) => {
    const { upstream, call } = open({ confirm: mode, ask });
    expect(wayOf(await call(showing(...shows)))).toBe(way);
    expect(upstream.sent).toBe(way.startsWith('done') ? 1 : 0);
  });

  const links = pagesThatProve('person');
  const asking: [ConfirmedBy, Config['confirm'], AskRoute, ClientAbilities][] = [
    ['person', 'always', 'form', canBeAsked],
    ['person', 'always', 'url', { ...showing('url'), links }],
    ['person', 'always', 'link', { ...cannotBeAsked, links }],
    ['page', 'always', 'buttons', showing('buttons')],
    ['link', 'always', 'url', showing('url', 'link')],
    ['link', 'always', 'link', showing('link')],
    ['host', 'auto', 'token', cannotBeAsked],
    ['token', 'always', 'token', cannotBeAsked],
    ['policy', 'never', 'token', cannotBeAsked],
  ];
  const pairs = asking.flatMap(row => proofs.map(least => [row[0], row[2], least, row] as const));
  it.each(pairs)(
    'that proves %s by %s, for a role that takes %s or stronger, is one',
    async (by, asked, least, row) => {
      const [, confirm, , client] = row;
      const roles: AccessRoles = new Map([['r', { access: { readOnly: false, proof: least } }]]);
      const upstream = countingSend();
      const call = writeCall({ client });
      const inRole = { ...call, caller: { ...call.caller, role: 'r' } };
      const outcome = await policyWith({ confirm, ask: [asked] }, { roles }).carryOut(inRole, upstream.send);
      const way = wayOf(outcome);
      if (way === 'cannot_ask') expect(/token for/.test(errorIn(outcome).hint)).toBe(least === 'token');
      // A role only tightens: a write that no one would be asked about is left to a host whose proof is enough.
      const left = by === 'policy' && /host|token/.test(least) ? 'done (host)' : 'cannot_ask';
      const route = by === 'host' || by === 'policy' ? `done (${by})` : asked;
      expect(way).toBe(proofs.indexOf(by) <= proofs.indexOf(least) ? route : left);
      expect(upstream.sent).toBe(way.startsWith('done') ? 1 : 0);
    },
  );

  it('gives the short question to a form’s field, whole words of its first line', async () => {
    const { ask } = open();
    expect((await ask()).title).toContain('setup to 125,000 minor units?');
    const known = { name: `${'Set up '.repeat(40)}fee`, code: 'setup', amount_currency: 'USD', amount_cents: 1 };
    const { title } = await ask(canBeAsked, { known });
    expect(title).toMatch(/^Change .* “(Set up )+Se…” from …$/);
    expect(title.length).toBeLessThanOrEqual(122);
  });
});

describe('a form', () => {
  const acceptances: [string, JsonRecord | undefined][] = [
    ['nothing', undefined],
    ['no field', {}],
    ['another field', { confirm: 'yes' }],
    ['YES', { answer: 'YES' }],
    ['yes with a space', { answer: ' yes' }],
    ['true', { answer: true }],
    ['null', { answer: null }],
    ['the empty text', { answer: '' }],
    ['a list', { answer: ['yes'] }],
    ['text about it', { answer: 'yes, but only 10' }],
  ];
  const accepting = (state: string, content: JsonRecord | undefined): ClientAbilities => {
    const reply: Reply = content === undefined ? { action: 'accept' } : { action: 'accept', content };
    return { ...canBeAsked, state, reply };
  };

  it.each(acceptances)('that is accepted with %s was not answered', async (_what, content) => {
    const { upstream, heard, call, ask } = open();
    const { state } = await ask();
    const outcome = await call(accepting(state, content));
    expect(outcome).toMatchObject({
      kind: 'refused',
      error: {
        code: 'question_unanswered',
        message: expect.stringContaining('accepted the prompt without an answer'),
        details: { question: expect.stringContaining('setup to 125,000 minor units?') },
        changed: false,
      },
    });
    expect(upstream.sent).toBe(0);
    expect(heard).toEqual(['form empty']);
  });

  it('gives its question to the assistant when it was accepted empty: the token works, once', async () => {
    const { upstream, call, ask } = open();
    const { state } = await ask();
    const refused = await call(accepting(state, {}));
    const confirmation = tokenIn(refused)!;
    expect(errorIn(refused)).toMatchObject({
      details: { expires_at: '2026-03-15T12:10:00.000Z' },
      hint: expect.stringMatching(/^Show the question.*Only if the user approves/),
    });
    expect(wayOf(await call(canBeAsked, { confirmation, args: { code: 'setup', amount_cents: 1 } }))).toBe(
      'confirmation_mismatch',
    );
    expect(wayOf(await call(canBeAsked, { confirmation }))).toBe('done (token)');
    expect(wayOf(await call(canBeAsked, { confirmation }))).toBe('confirmation_used');
    expect(upstream.sent).toBe(1);
  });

  // biome-ignore format: a table
  const tokens: [string, Partial<Config>, Reply, given: boolean][] = [
    ['accepted empty', {}, { action: 'accept', content: {} }, true],
    ['accepted empty, with the token first', { ask: ['form', 'token', 'url'] }, { action: 'accept' }, true],
    ['accepted empty, where no token is listed', { ask: ['url', 'form', 'buttons'] }, { action: 'accept' }, false],
    ['accepted empty, where the host asks else', { confirm: 'auto' }, { action: 'accept' }, false],
    ['left without an answer', {}, { action: 'unanswered', reason: 'it is silent' }, false],
    ['declined', {}, { action: 'decline' }, false],
    ['cancelled', {}, { action: 'cancel' }, false],
    ['answered with no', {}, { action: 'accept', content: { answer: 'no' } }, false],
  ];
  it.each(tokens)('gives a token only where it may: %s', async (_what, settings, reply, given) => {
    const { upstream, call, ask } = open(settings);
    const { state } = await ask();
    const outcome = await call({ ...canBeAsked, state, reply });
    expect(JSON.stringify(outcome).includes('"confirmation":"v1.')).toBe(given);
    expect(JSON.stringify(outcome).includes('v1.')).toBe(given);
    expect(upstream.sent).toBe(0);
  });

  // biome-ignore format: a table
  const hosts: ['decline' | 'cancel', code: string, said: string, AskRoute[], hint: string, confirm?: 'typed'][] = [
    ['decline', 'declined', 'the chat host declined it', ['url', 'form', 'buttons', 'token'], 'BILLING_ASK=buttons,token uses another method'],
    ['cancel', 'cancelled', 'closed the prompt without an answer', ['form', 'token'], 'BILLING_ASK=token uses another method'],
    ['decline', 'declined', 'the chat host declined it', ['url', 'form'], 'add a method to BILLING_ASK'],
    ['decline', 'declined', 'the chat host declined it', ['url', 'form', 'link', 'token'], ' BILLING_ASK=link uses', 'typed'],
    ['cancel', 'cancelled', 'closed the prompt without an answer', ['form', 'token'], ' BILLING_ASK=url,link uses', 'typed'],
  ];
  it.each(hosts)(
    'that the host answers with %s (%s) is told as the host’s: %s, with another of %j: %s',
    async (action, code, said, ways, hint, confirm) => {
      const { upstream, call, ask } = open({ ask: ways, ...(confirm && { confirm: `money=${confirm}` }) });
      const { state } = await ask();
      // The field counts beside accept alone.
      const outcome = await call(answered(state, action, { answer: 'yes' }));
      expect(outcome).toMatchObject({
        kind: 'declined',
        error: { code, message: expect.stringContaining(said), changed: false },
      });
      expect(errorIn(outcome).hint).toContain('If the user saw no prompt');
      expect(errorIn(outcome).hint).toContain(hint);
      expect(JSON.stringify(outcome)).not.toContain('person said no');
      expect(upstream.sent).toBe(0);
    },
  );

  const replies = {
    yes: { action: 'accept', content: { answer: 'yes' } },
    no: { action: 'accept', content: { answer: 'no' } },
    declined: { action: 'decline' },
    cancelled: { action: 'cancel' },
    empty: { action: 'accept', content: {} },
    silent: { action: 'unanswered', reason: 'it is silent' },
  } satisfies Record<string, Reply>;
  const firstCodes = {
    ...{ yes: 'done', no: 'declined', declined: 'declined', cancelled: 'cancelled' },
    ...{ empty: 'question_unanswered', silent: 'question_unanswered' },
  };
  const pairs = Object.keys(replies).flatMap(first => Object.keys(replies).map(second => [first, second] as const));
  it.each(pairs as [keyof typeof replies, keyof typeof replies][])(
    'that is answered %s and then %s holds the first answer, and says that it is used',
    async (first, second) => {
      const { upstream, ended, ask } = open();
      const { state } = await ask();
      expect(await ended({ ...canBeAsked, state, reply: replies[first] })).toBe(firstCodes[first]);
      expect(await ended({ ...canBeAsked, state, reply: replies[second] })).toBe('confirmation_used');
      expect(upstream.sent).toBe(first === 'yes' ? 1 : 0);
    },
  );

  it('whose state is not ours is refused for that, also when it is accepted empty', async () => {
    const { upstream, ended } = open();
    for (const content of [{}, { answer: 'no' }, { answer: 'yes' }]) {
      expect(await ended(answered('v1.made.up', 'accept', content))).toBe('confirmation_invalid');
    }
    expect(upstream.sent).toBe(0);
  });

  it('without an answer until it had expired is told as unanswered', async () => {
    const { ended, ask } = open();
    const { state } = await ask();
    expect(await ended(silent(state), { now: passed(10 * 60_000) })).toBe('question_unanswered');
  });
});

describe('an answer in another way than its question’s', () => {
  type Signed = { url: string; form: string; buttons: string; link: string; token: string };
  const asked = async (server: ReturnType<typeof open>): Promise<Signed> => {
    const token = async (...shows: AskRoute[]) => (await server.offer(showing(...shows))).confirmation;
    return {
      url: (await server.ask(showing('url'))).state,
      form: (await server.ask(showing('form'))).state,
      buttons: await token('buttons'),
      link: await token('link'),
      token: await token(),
    };
  };
  const answers: Record<keyof Signed, (signed: string) => CallOptions> = {
    url: state => ({ client: answered(state, 'accept', {}, showing('url')) }),
    form: state => ({ client: answered(state) }),
    buttons: confirmation => ({ decided: { decision: 'approve', confirmation } }),
    link: confirmation => ({ confirmation, client: showing('link') }),
    token: confirmation => ({ confirmation }),
  };
  const ways = Object.keys(answers) as (keyof Signed)[];
  // A state comes back by itself: whether as a page's or as a form's, the state says.
  const crossed = ways
    .flatMap(of => ways.map(by => [of, by] as const))
    .filter(([of, by]) => of !== by && ![of, by].every(way => way === 'url' || way === 'form'))
    // Both come back as the confirmation of a call, and the text says which it is.
    .filter(([of, by]) => ![of, by].every(way => way === 'link' || way === 'token'));

  it.each(crossed)('is invalid: one for %s that comes back by %s', async (of, by) => {
    const server = open();
    const signed = await asked(server);
    expect(await server.ended(cannotBeAsked, answers[by](signed[of]))).toBe('confirmation_invalid');
    expect(server.upstream.sent).toBe(0);
  });

  it.each([
    ['the field’s yes to a page that nobody decided on', 'url', answers.form, 'url'],
    ['an acceptance without a field to a form', 'form', answers.url, 'question_unanswered'],
    ['a link whose page nobody decided on', 'link', answers.link, 'link'],
  ] as const)('is no yes: %s', async (_what, of, by, way) => {
    const server = open();
    expect(wayOf(await server.call(cannotBeAsked, by((await asked(server))[of])))).toBe(way);
    expect(server.upstream.sent).toBe(0);
  });

  it('is invalid where its way is not in force any more', async () => {
    const server = open();
    const signed = await asked(server);
    for (const way of ways) {
      const other = open({ ask: ways.filter(each => each !== way) });
      expect(await other.ended(undefined, answers[way](signed[way]))).toBe('confirmation_invalid');
      expect(other.upstream.sent).toBe(0);
    }
  });
});

describe('a connection that is remembered', () => {
  /** The same connection for each call. */
  const connection = (...shows: AskRoute[]): ClientAbilities => ({ ...showing(...shows), failed: new Set() });

  it.each([
    ['accepted without an answer', { action: 'accept', content: {} }, 'empty'],
    ['left unanswered', { action: 'unanswered', reason: 'it is silent' }, 'unanswered'],
  ] as const)('is asked in the next way after a form was %s, and told so', async (_what, reply, told) => {
    const { heard, call, ask } = open();
    const client = connection('form', 'buttons');
    const { state } = await ask(client);
    const outcome = await call({ ...client, state, reply });
    expect(errorIn(outcome).hint).toContain('as a page with buttons');
    expect(wayOf(await call(client))).toBe('buttons');
    expect(wayOf(await call(connection('form', 'buttons')))).toBe('form');
    expect(heard).toEqual([`form ${told}`]);
  });

  it('takes one way after the other, in their order', async () => {
    const { call } = open({ ask: ['form', 'url', 'token'] });
    const client = connection('url', 'form');
    const taken = [];
    for (let i = 0; i < 3; i++) {
      const outcome = await call(client);
      taken.push(wayOf(outcome));
      if (outcome.kind === 'ask') await call({ ...silent(outcome.state, undefined, client) });
    }
    expect(taken).toEqual(['form', 'url', 'token']);
  });

  it('is asked there again where no other way is left', async () => {
    for (const settings of [{ ask: ['form'] as const }, { confirm: 'auto' as const }]) {
      const { call, ask } = open(settings);
      const client = connection('form');
      const outcome = await call(silent((await ask(client)).state, undefined, client));
      expect(errorIn(outcome).hint).not.toContain('On this connection');
      const again = await ask(client);
      expect(wayOf(await call(answered(again.state, 'accept', undefined, client)))).toBe('done (person)');
    }
  });

  it('keeps its page where a wait ran out: the person was asked', async () => {
    const { call, ask } = open();
    const client = connection('url', 'form');
    const { code, hint } = errorIn(await call(silent((await ask(client)).state, true, client)));
    expect([code, hint.includes('On this connection')]).toEqual(['question_unanswered', false]);
    expect(wayOf(await call(client))).toBe('url');
  });

  it('keeps its way after a decline, a cancel and a no', async () => {
    const { call, ask } = open();
    const client = connection('form', 'buttons');
    for (const action of ['decline', 'cancel', 'accept'] as const) {
      const { state } = await ask(client);
      await call(answered(state, action, action === 'accept' ? { answer: 'no' } : undefined, client));
      expect(wayOf(await call(client))).toBe('form');
    }
  });

  it('is not moved by an empty acceptance of what this server never asked', async () => {
    const { call } = open();
    const client = connection('form', 'buttons');
    await call(answered('v1.made.up', 'accept', {}, client));
    expect(wayOf(await call(client))).toBe('form');
  });

  it('promises no other way where a connection is not remembered', async () => {
    const { call, ask } = open();
    const client = showing('form', 'buttons');
    expect(errorIn(await call(silent((await ask(client)).state, undefined, client))).hint).not.toContain(
      'On this connection',
    );
    expect(wayOf(await call(client))).toBe('form');
  });
});

describe('what is counted of answers', () => {
  // biome-ignore format: a table
  const rows: [by: 'form' | 'url', ClientAbilities['reply'], ms: number, told: string[]][] = [
    ['form', { action: 'accept', content: { answer: 'yes' } }, 1, ['form yes']],
    ['form', { action: 'accept', content: { answer: 'no' } }, 1, ['form no']],
    ['form', { action: 'decline' }, 0, ['form declined_at_once']],
    ['form', { action: 'decline' }, 999, ['form declined_at_once']],
    ['form', { action: 'decline' }, 1000, ['form declined']],
    ['form', { action: 'cancel' }, 1, ['form cancelled']],
    ['form', { action: 'accept', content: {} }, 1, ['form empty']],
    ['form', { action: 'unanswered', reason: 'r' }, 1, ['form unanswered']],
    ['url', { action: 'decline' }, 999, ['url declined_at_once']],
    ['url', { action: 'decline' }, 1000, ['url declined']],
    ['url', { action: 'cancel' }, 1, ['url cancelled']],
    ['url', { action: 'unanswered', reason: 'r' }, 1, ['url unanswered']],
    ['url', { action: 'accept' }, 1, []],
  ];
  it.each(rows)('by %s: %j after %d ms is %j', async (by, reply, ms, told) => {
    const { heard, call, ask } = open();
    const { state } = await ask(showing(by));
    await call({ ...showing(by), state, reply }, { now: passed(ms) });
    expect(heard).toEqual(told);
  });

  const byHand: [by: 'url' | 'buttons' | 'token', decision: 'approve' | 'decline', told: string, way: string][] = [
    ['url', 'approve', 'url yes', 'done (link)'],
    ['url', 'decline', 'url no', 'declined'],
    ['buttons', 'approve', 'buttons yes', 'done (page)'],
    ['buttons', 'decline', 'buttons no', 'declined'],
    ['token', 'approve', 'token yes', 'done (token)'],
  ];
  it.each(byHand)('by %s: %s is %s, and comes to %s', async (by, decision, told, way) => {
    const { policy, upstream, heard, call, ask, offer } = open();
    const agreed = async (): Promise<CallOptions> => {
      if (by === 'url') {
        const { state, page } = await ask(showing('url'));
        await policy.pages.decide(page, decision);
        return { client: answered(state, 'accept', {}, showing('url')) };
      }
      const { confirmation } = await offer(by === 'token' ? cannotBeAsked : showing(by));
      return by === 'token' ? { confirmation } : { decided: { decision, confirmation } };
    };
    expect(wayOf(await call(undefined, await agreed()))).toBe(way);
    expect(heard).toEqual([told]);
    expect(upstream.sent).toBe(decision === 'approve' ? 1 : 0);
  });

  it('is nothing for an answer that does not count', async () => {
    const { heard, call, ask } = open();
    const { state } = await ask();
    await call(answered(state), { now: passed(10 * 60_000) });
    await call(answered(state), { caller: 'eve' });
    await call(answered('v1.made.up'));
    expect(heard).toEqual([]);
    await call(answered(state));
    await call(answered(state));
    expect(heard).toEqual(['form yes']);
  });
});

describe('a link to a page of this server', () => {
  it.each(['link', 'person'] as const)('proves what its page proves: %s', async by => {
    const server = open({ ask: ['link'] });
    const client = { ...cannotBeAsked, links: pagesThatProve(by) };
    const { link, confirmation } = await server.offer(client, { now: new Date() });
    await server.policy.pages.decide(link!.split('/').at(-1)!, 'approve');
    expect(wayOf(await server.call(client, { confirmation, now: new Date() }))).toBe(`done (${by})`);
    expect(server.upstream.sent).toBe(1);
  });

  it('that cannot be offered is refused with what the operator can do', async () => {
    const { call } = open({ ask: ['url', 'form', 'buttons', 'link'] });
    const outcome = await call({ ...cannotBeAsked, links: { missing: 'set BILLING_HTTP_PUBLIC_URL' } });
    expect(errorIn(outcome)).toMatchObject({ code: 'cannot_ask', changed: false });
    expect(errorIn(outcome).hint).toMatch(/BILLING_HTTP_PUBLIC_URL.* token for any host/);
  });
});

describe('writes that were not approved', () => {
  it('lead from the second in a row on to the advice to stop, until one is approved', async () => {
    const { call, ask } = open({ ask: ['form'] });
    const hintAfter = async (outcome: WriteOutcome) => errorIn(outcome).hint.includes('Stop here: ');
    const declined = async () => call(answered((await ask()).state, 'accept', { answer: 'no' }));
    expect([await hintAfter(await call(cannotBeAsked)), await hintAfter(await declined())]).toEqual([false, true]);
    expect(errorIn(await declined()).hint).toContain('3 writes in a row');
    expect(wayOf(await call(answered((await ask()).state)))).toBe('done (person)');
    expect(await hintAfter(await declined())).toBe(false);
    expect(await hintAfter(await call(cannotBeAsked, { caller: 'bert' }))).toBe(false);
  });

  it('are named on the receipt of a token, which no user confirmed', async () => {
    const { call, offer } = open({ ask: ['token'] });
    const { confirmation } = await offer();
    expect(await call(cannotBeAsked, { confirmation })).toMatchObject({
      receipt: { confirmed_by: 'token', note: 'not confirmed by a user' },
    });
  });
});
