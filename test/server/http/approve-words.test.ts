import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Pages, pagesOf } from '../../../src/calls/change/ask/agreements.ts';
import {
  type Approval,
  type Carried,
  memoryStores,
  type PageDecision,
} from '../../../src/calls/change/ask/write-stores.ts';
import type { WriteParts } from '../../../src/calls/change/parts.ts';
import { labelsIn, translated } from '../../../src/contract/labels/labels.ts';
import { questionPage } from '../../../src/server/http/approve/page.ts';
import { answersWith, listening } from '../../support/listening.ts';
import { type Asked, Browser, connectOpening, errorCode } from './support/approve.ts';
import { ownServer, sharedServer } from './support/serve.ts';

/** The store behind the pages of the servers below. */
const { approvals } = memoryStores();
/** What this store does instead, for one test. */
let broken: Partial<Pages> = {};
const { look } = pagesOf({ stores: { approvals } } as WriteParts);
afterEach(() => {
  broken = {};
  vi.useRealTimers();
});

/** Of servers whose pages show what is in the store above. */
const stored: Parameters<typeof sharedServer>[2] = {
  wrap: pipeline => ({ ...pipeline, pages: async () => ({ ...approvals, look, ...broken }) }),
};

let ids = 0;
/** Puts a question, and gives the address of its page. */
async function put(server: { url: string }, more: Partial<Approval> = {}) {
  const id = String(++ids).padStart(22, 'B');
  const approval: Approval = {
    ...{
      caller: 'local',
      question: 'Change the price of add-on “Onboarding” to $800.00?',
      warnings: ['It is charged.'],
    },
    ...{ account: 'the demo account', expires: Date.parse('2099-03-15T14:12:00Z') },
    write: {
      ...{ binding: 'b', store: 's', by: 'link' as const, tool: 'update_add_on', caller: 'local' },
      ...{ target: 'add_on onboarding', question: 'q' },
    },
    ...more,
  };
  await approvals.open(id, approval, 2 ** 45);
  return { id, url: server.url.replace('/mcp', `/approve/${id}`) };
}

async function read(url: string, language = 'en') {
  const response = await fetch(url, { headers: { 'accept-language': language }, redirect: 'manual' });
  const html = await response.text();
  return { status: response.status, html, text: shown(html), headers: response.headers };
}

/** What a person reads. */
const shown = (html: string) =>
  html
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');

/** Labels with narrow spaces as plain ones, as `shown` gives them. */
const told = (language: (typeof translated)[number], key: string, time = '') =>
  labelsIn(language).approval![key]!.replace('{time}', time).replace(/\s+/g, ' ');

describe('the page of a question, without sign-in on loopback,', () => {
  const server = sharedServer([], {}, stored);

  const ends: [string, PageDecision | undefined, Carried | undefined, boolean, string][] = [
    ['approved and carried out', 'approve', 'done', true, 'done'],
    ['approved and not taken by the service', 'approve', 'failed', true, 'failed'],
    ['approved, with an end that nobody knows', 'approve', 'unknown', true, 'unknown'],
    ['approved, and refused before anything was sent', 'approve', 'refused', true, 'refused'],
    ['approved, and not taken up yet', 'approve', undefined, true, 'waiting'],
    ['approved, and never taken up', 'approve', undefined, false, 'late'],
    ['approved and carried out, long ago', 'approve', 'done', false, 'done'],
    ['carried out, and then ended by the chat', 'closed', 'done', true, 'done'],
    ['declined', 'decline', undefined, true, 'declined'],
    ['declined long ago', 'decline', undefined, false, 'declined'],
    ['ended in the chat', 'closed', undefined, true, 'closed'],
    ['not decided in time', undefined, undefined, false, 'expired'],
  ];
  describe.each(ends)('which is %s,', (_name, decision, carried, inTime, key) => {
    it.each(translated)('says so, with nothing left to decide (%s)', async language => {
      const { id, url } = await put(server, inTime ? {} : { expires: Date.parse('2020-03-15T14:12:00Z') });
      if (decision === 'closed') await approvals.close(id);
      else if (decision) await approvals.decide(id, decision);
      if (carried) await approvals.carried(id, carried);
      const { html, text } = await read(url, language);
      expect(text).toContain(told(language, key, '14:12 UTC'));
      for (const other of ends.map(([, , , , end]) => end).filter(end => end !== key))
        expect(text).not.toContain(told(language, other, '14:12 UTC'));
      expect(html).toMatch(/role="status"/);
      expect(html).not.toMatch(/<form|<button/);
      // Only a page that may say something else shortly is read anew, and without a script.
      expect(html.includes('<meta http-equiv="refresh" content="5">')).toBe(key === 'waiting');
      expect(html).not.toContain('<script');
    });
  });

  it.each(translated)('stops to look by itself what came of an approval for who wants that (%s)', async language => {
    const { id, url } = await put(server);
    await approvals.decide(id, 'approve');
    const looking = await read(url, language);
    expect(looking.text).toContain(`${told(language, 'looks_again')} ${told(language, 'stop')}`);
    const still = await read(new URL(/<a href="([^"]+)">/.exec(looking.html)![1]!, url).href, language);
    expect(still.html).not.toContain('http-equiv');
    expect(still.text).toContain(told(language, 'waiting', '14:12 UTC'));
    expect(still.text).toContain(told(language, 'look_again'));
    await approvals.carried(id, 'done');
    const again = await read(new URL(/<a href="([^"]+)">/.exec(still.html)![1]!, url).href, language);
    expect(again.text).toContain(told(language, 'done'));
  });

  it('says these ends in these words', async () => {
    const english = labelsIn('en').approval!;
    expect(Object.fromEntries(ends.map(([, , , , key]) => [key, english[key]]))).toMatchInlineSnapshot(`
      {
        "closed": "The chat closed this question. You can no longer decide here.",
        "declined": "Declined. Nothing was changed. You can close this page and return to the chat.",
        "done": "Approved and carried out. You can close this page and return to the chat.",
        "expired": "This question has expired. If you still want this change, return to the chat and ask for it again.",
        "failed": "Approved, but the billing service refused it or could not be reached. Nothing was changed. The assistant knows why.",
        "late": "Approved, but the assistant did not continue in time. Nothing was changed. If you still want this change, ask for it again.",
        "refused": "Approved, but nothing was sent. Return to the chat: the assistant knows why.",
        "unknown": "Approved, but it is unknown whether it was carried out. Check the record in the billing service before anyone retries.",
        "waiting": "Approved. Waiting for the assistant, which has until {time}.",
      }
    `);
  });

  it.each([
    ['en', 'Approve this change?', 'Decide by 15 Mar 2099, 14:12 UTC', 'An assistant on this machine'],
    ['de', 'Dieser Änderung zustimmen?', 'Kann entschieden werden bis 15.03.2099, 14:12 UTC', 'auf diesem Rechner'],
    [
      'fr-CA',
      'Approuver cette modification ?',
      'Décision possible jusqu’à 15 mars 2099, 14:12 UTC',
      'sur cette machine',
    ],
    ['sv, de;q=0.3, fr;q=0.7', 'Approuver cette modification ?', '15 mars 2099', 'sur cette machine'],
    ['sv', 'Approve this change?', '15 Mar 2099', 'on this machine'],
  ])(
    'has a frame in the language of the browser (%s), and the question as it was signed',
    async (accepted, ...texts) => {
      const { url } = await put(server);
      const { html, text } = await read(url, accepted);
      for (const each of texts) expect(text).toContain(each);
      const language = texts[0]!.startsWith('Approve ') ? 'en' : texts[0]!.startsWith('Dieser') ? 'de' : 'fr';
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).toContain('<p class="question" lang="en">Change the price of add-on “Onboarding” to $800.00?</p>');
      expect(html).toContain('<p class="warning" lang="en">It is charged.</p>');
      expect(html).toContain('<dd lang="en">the demo account</dd>');
    },
  );

  it.each([
    ['local', 'An assistant on this machine'],
    ['token_anna', 'An assistant with the token anna'],
    ['token_anna/seller', 'An assistant with the token anna, in the role seller'],
    ['oauth_x', 'An assistant with your sign-in'],
  ])('names who asked by the label of the credential (%s)', (caller, asker) => {
    const approval: Approval = { caller, question: '', warnings: [], account: '', expires: 1, write: {} as never };
    expect(questionPage('en', { approval, id: 'x' }, 'open', { proof: '', still: false })).toContain(
      `<dd>${asker}</dd>`,
    );
  });

  it('says after its time that it has expired, and takes no decision, with text that is not markup', async () => {
    const expires = Date.now() + 600_000;
    const question = '<img src=x onerror="alert(1)"> & more?';
    const { id, url } = await put(server, { question, warnings: ['</p><script>'], account: '<b>', expires });
    const browser = await new Browser().open(url);
    expect(browser.html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; more?');
    expect(browser.html).not.toMatch(/<script|<img|<b>/);
    vi.useFakeTimers({ toFake: ['Date'], now: expires + 100 });
    await browser.submit({ decision: 'approve' });
    vi.useRealTimers();
    expect(browser.html).toContain('This question has expired.');
    expect(browser.html).not.toContain('<button');
    expect((await approvals.look(id))?.decision).toBeUndefined();
  });

  it.each(translated)(
    'says that it cannot be shown or decided now where its store does not answer (%s)',
    async language => {
      const { url, id } = await put(server);
      const browser = await new Browser().open(url);
      const gone = async () => {
        throw new Error('redis://secret-address is gone');
      };
      broken = { look: gone };
      const page = await read(url, language);
      expect([page.status, page.text.includes(told(language, 'not_now'))]).toEqual([500, true]);
      expect(page.text).toContain(told(language, 'not_handled'));
      expect(page.html).not.toMatch(/secret-address|Onboarding/);
      broken = { decide: gone };
      await browser.submit({ decision: 'approve' }, { 'accept-language': language });
      expect([browser.status, shown(browser.html).includes(told(language, 'not_now'))]).toEqual([500, true]);
      expect((await approvals.look(id))?.decision).toBeUndefined();
    },
  );

  it.each(translated)('says that there is none, or that a form is of another page (%s)', async language => {
    const { url } = await put(server);
    const none = await read(url.replace(/B\w+$/, 'C'.repeat(22)), language);
    expect([none.status, none.text.includes(told(language, 'nothing_there'))]).toEqual([404, true]);
    const headers = { origin: 'https://evil.example', 'accept-language': language };
    const foreign = await fetch(url, { method: 'POST', headers, body: new URLSearchParams({ decision: 'approve' }) });
    expect(foreign.status).toBe(403);
    expect(shown(await foreign.text())).toContain(told(language, 'from_elsewhere'));
  });
});

describe('before sign-in the page', () => {
  const tokens = {
    BILLING_HTTP_AUTH: 'token',
    BILLING_HTTP_TOKENS: 'anna:token-of-anna-0000001,bert:token-of-bert-0000001',
  };
  const service = { BILLING_BASE_URL: 'https://billing.example.com/some/path', BILLING_API_KEY: 'key-of-the-server' };
  const publicly = { BILLING_HTTP_PUBLIC_URL: 'http://localhost/billing/mcp' };
  const keys = { BILLING_HTTP_AUTH: 'api-key' };
  const oauth = {
    ...{ BILLING_HTTP_AUTH: 'oauth', BILLING_HTTP_PUBLIC_URL: 'http://127.0.0.1/mcp' },
    ...{ BILLING_OAUTH_ISSUER: 'http://127.0.0.1:9/realm', BILLING_OAUTH_CLIENT_ID: 'pages' },
  };
  const modes: [string, Record<string, string>, string][] = [
    ['a token', tokens, 'token_hint'],
    ['a token, for a real account', { ...tokens, ...service }, 'token_hint'],
    ['a key', keys, 'api_key_hint'],
    ['a key, for a real account', { ...keys, BILLING_BASE_URL: service.BILLING_BASE_URL, ...publicly }, 'api_key_hint'],
    ['OAuth', oauth, 'issuer_hint'],
    ['OAuth, for a real account', { ...oauth, ...service }, 'issuer_hint'],
  ];
  it.each(modes)('names product, server and billing API, and nothing of the question: %s', async (_, env, hint) => {
    const server = await ownServer([], env, stored);
    const { url, id } = await put(server, { caller: 'token_anna' });
    for (const language of translated) {
      const { status, text, html, headers } = await read(url, language);
      expect(status).toBe(200);
      const host = 'BILLING_BASE_URL' in env ? 'billing.example.com' : told(language, 'demo_service');
      for (const [name, value] of [
        ['product', 'Usage billing (usage-billing-mcp)'],
        ['server', env.BILLING_HTTP_PUBLIC_URL ?? server.url],
        ['billing_api', host],
      ] as const)
        expect(html).toContain(`<dt>${told(language, name)}</dt><dd>${value}</dd>`);
      expect(text).toContain(told(language, 'sign_in_first'));
      expect(text).toContain(told(language, hint).replace('{host}', '127.0.0.1:9'));
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).not.toMatch(
        /onboarding|\$800|charged|demo account|anna|some\/path|key-of-the-server|update_add_on/i,
      );
      expect(html).not.toContain(id);
      expect(headers.get('location')).toBeNull();
    }
  });

  it('names nothing that the chat host says of itself', async () => {
    const server = await ownServer([], tokens);
    let html = '';
    const person = async ({ url }: Asked) => {
      html = (await new Browser().open(url!)).html;
      return 'decline' as const;
    };
    const headers = { authorization: 'Bearer token-of-anna-0000001' };
    const client = await connectOpening(server.url, 'modern', person, { headers });
    expect(errorCode(await client.call('update_add_on', { code: 'onboarding', amount_cents: 1 }))).toBe('declined');
    expect(html).toContain('Sign in to see the question');
    // The name of the client.
    expect(html).not.toContain('modern');
  });

  it.each([
    ['token', tokens, 'not-a-token-of-anybody', 'token-of-bert-0000001'],
    ['key', keys, 'no key of anybody', 'another-key'],
  ])('says of a wrong %s, and of that of somebody else, what to do', async (kind, env, wrong, others) => {
    const server = await ownServer([], env, stored);
    const { url } = await put(server, { caller: `${kind}_of_anna` });
    const name = kind === 'token' ? 'token' : 'api_key';
    for (const language of translated) {
      const browser = await new Browser().open(url);
      await browser.submit({ credential: wrong }, { 'accept-language': language });
      expect(browser.status).toBe(401);
      expect(browser.html).toMatch(/role="alert"/);
      expect(shown(browser.html)).toContain(told(language, `${name}_unknown`));
      expect(browser.html).toContain(`<dd>${server.url}</dd>`);
      expect(browser.html).not.toMatch(/of.anybody|onboarding/i);
      const page = await signedIn(url, others, language);
      expect([page.status, page.text.includes(told(language, 'somebody_else'))]).toEqual([403, true]);
      expect(page.text).toContain(told(language, `own_${name}`));
      expect(page.text).not.toMatch(/onboarding|anna/i);
    }
  });

  it('says where a token comes from and whom to ask', () => {
    const { token_unknown, api_key_unknown, own_token, own_api_key, own_sign_in } = labelsIn('en').approval!;
    expect({ token_unknown, api_key_unknown, own_token, own_api_key, own_sign_in }).toMatchInlineSnapshot(`
      {
        "api_key_unknown": "This is not a billing API key. Copy the key from your chat host’s settings for this server. If there is none, ask the manager of the billing account for one.",
        "own_api_key": "If it is yours, open the link again. Sign in with the billing API key from the settings of the chat host that asked.",
        "own_sign_in": "If it is yours, open the link again. Sign in as you did in the chat host that asked.",
        "own_token": "If it is yours, open the link again. Sign in with the bearer token from the settings of the chat host that asked.",
        "token_unknown": "This token is unknown. Copy the bearer token from your chat host’s settings for this server. If there is none, ask the operator of this server for one.",
      }
    `);
  });

  it.each(translated)('says that there were too many tries (%s)', async language => {
    const server = await ownServer(['--rate-limit', '1'], tokens, stored);
    const { url } = await put(server);
    await read(url, language);
    const { status, text } = await read(url, language);
    expect([status, text.includes(told(language, 'too_many'))]).toEqual([429, true]);
  });
});

/** Signs in by the form, and gives the page that follows. */
async function signedIn(url: string, credential: string, language: string) {
  const headers = { origin: new URL(url).origin, 'sec-fetch-site': 'same-origin' };
  const body = new URLSearchParams({ credential });
  const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' });
  const cookie = answer.headers.getSetCookie().map(set => set.split(';')[0]!);
  const page = await fetch(url, { headers: { cookie: cookie.join('; '), 'accept-language': language } });
  return { status: page.status, text: shown(await page.text()) };
}

describe('after an approval, the page of a call that came back says what the billing service did:', () => {
  it.each([
    ['it refused the change', 422, 'service refused it or could not'],
    ['it cut the connection', 0, 'unknown whether it was carried out'],
    ['it made the change', 200, 'Approved and carried out.'],
  ])('%s', async (_name, status, sentence) => {
    const body = status === 200 ? { add_on: { code: 'onboarding', amount_cents: 80_000 } } : { error: 'no' };
    const answer = answersWith(JSON.stringify(body), status);
    const upstream = await listening((request, response) =>
      status === 0 ? request.socket.destroy() : answer(request, response),
    );
    onTestFinished(upstream.close);
    const account = { BILLING_BASE_URL: upstream.url, BILLING_API_KEY: 'a-key' };
    const server = await ownServer([], { ...account, BILLING_EXCLUDE_TOOLS: 'list_catalogue' });
    const browser = new Browser();
    const client = await connectOpening(server.url, 'modern', async ({ url }) => {
      await browser.open(url!);
      await browser.submit({ decision: 'approve' });
      expect(browser.html).toContain('which has until ');
      return 'accept';
    });
    await client.call('update_add_on', { code: 'onboarding', amount_cents: 80_000 });
    expect((await browser.open(browser.url)).html).toContain(sentence);
  });
});
