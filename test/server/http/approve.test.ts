import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { approvalPageOffer } from '../../../src/server/http/approve/offer.ts';
import { answersWith, listening } from '../../support/listening.ts';
import { until } from '../../support/until.ts';
import { type Asked, Browser, callByLink, confirmedBy, connectOpening, errorCode } from './support/approve.ts';
import { ownServer, sharedServer, startServer, type TestServer } from './support/serve.ts';

const eras = ['modern', 'older'] as const;
/** Resolves when a call waits for the page: it has asked whether the question is decided. */
async function waiting({ runtime }: TestServer): Promise<void> {
  const looks = vi.spyOn(await runtime.pipeline.pages(), 'look');
  await until(() => looks.mock.calls.length > 0);
  looks.mockRestore();
}

const price = (cents: number) => ({ code: 'onboarding', amount_cents: cents });
const write = 'update_add_on';
const anna = 'token-of-anna-0000001';
const bert = 'token-of-bert-0000001';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('a question on a page of the server, with a bearer token,', () => {
  const env = { BILLING_HTTP_AUTH: 'token', BILLING_HTTP_TOKENS: `anna:${anna},bert:${bert}` };
  const server = sharedServer(['--sessions'], env);

  const connect = (
    era: (typeof eras)[number],
    person: (asked: Asked) => Promise<'accept' | 'decline' | 'cancel'>,
    elicitation: { form?: Record<string, never>; url?: Record<string, never> } | null = { url: {} },
  ) => connectOpening(server.url, era, person, { headers: bearer(anna), elicitation });
  const signIn = async (url: string, token = anna) => {
    const browser = new Browser();
    await browser.open(url);
    return browser.submit({ credential: token });
  };

  it.each(eras)('is approved there by the caller who was asked (%s)', async era => {
    const browser = new Browser();
    let first = '';
    const client = await connect(era, async ({ url, mode }) => {
      expect(mode).toBe('url');
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/approve\/[\w-]{22}$/);
      first = (await browser.open(url!)).html;
      await browser.submit({ credential: anna });
      expect(browser.html).toContain('add-on “Onboarding” from');
      expect(browser.html).toContain('the demo account');
      expect(browser.html).toContain('An assistant with the token anna');
      await browser.submit({ decision: 'approve' });
      expect(browser.html).toMatch(/Approved\. .* until \d\d:\d\d UTC\./);
      return 'accept';
    });
    const result = await client.call(write, price(era === 'modern' ? 80_000 : 81_000));
    expect(confirmedBy(result)).toBe('link');
    expect(client.asked).toHaveLength(1);
    // Without sign-in the page shows nothing of the question.
    expect(first).toContain('Sign in to see the question');
    expect(first).not.toMatch(/onboarding|update_add_on|anna/i);
    if (era === 'older') expect(client.completed).toEqual([browser.url.split('/').at(-1)]);
    const carriedOut = 'Approved and carried out. You can close this page and return to the chat.';
    expect((await browser.open(browser.url)).html).toContain(carriedOut);
  });

  it.each(eras)('is approved after the client has said that the page is open, while the call waits (%s)', async era => {
    let decided: Promise<unknown> = Promise.resolve();
    const client = await connect(era, async ({ url }) => {
      const browser = await signIn(url!);
      decided = waiting(server).then(() => browser.submit({ decision: 'approve' }));
      return 'accept';
    });
    expect(confirmedBy(await client.call(write, price(era === 'modern' ? 82_000 : 83_000)))).toBe('link');
    await decided;
    expect(client.asked).toHaveLength(1);
  });

  it.each(eras)('is approved by a link with the token, which the client has, too (%s)', async era => {
    const client = await connect(era, async () => 'cancel', null);
    const result = await callByLink(client, write, price(era === 'modern' ? 84_000 : 85_000), async link => {
      const browser = await signIn(link, bert);
      expect([browser.status, browser.html]).toEqual([403, expect.not.stringMatching(/onboarding/i)]);
      await (await signIn(link)).submit({ decision: 'approve' });
    });
    expect(confirmedBy(result)).toBe('link');
  });

  it.each(eras)('is declined there, although the client says accept (%s)', async era => {
    const browser = new Browser();
    const client = await connect(era, async ({ url }) => {
      await browser.open(url!);
      await browser.submit({ credential: anna });
      await browser.submit({ decision: 'decline' });
      expect(browser.html).toContain('Declined. Nothing was changed.');
      // The first decision holds.
      await browser.submit({ decision: 'approve' });
      expect(browser.html).toMatch(/Declined|did not come from this page/);
      return 'accept';
    });
    expect(errorCode(await client.call(write, price(90_000)))).toBe('declined');
    expect((await browser.open(browser.url)).html).toContain('Declined. Nothing was changed.');
  });

  it.each(eras)('is closed when the client declines, and cannot be approved afterwards (%s)', async era => {
    let url = '';
    const shown = new Browser();
    const client = await connect(era, async asked => {
      url = asked.url!;
      await shown.open(url);
      await shown.submit({ credential: anna });
      return 'decline';
    });
    expect(errorCode(await client.call(write, price(90_000)))).toBe('declined');
    await shown.submit({ decision: 'approve' });
    expect(shown.html).toContain('The chat closed this question.');
  });

  it.each(['before', 'while'] as const)(
    'is closed when an older client cancels the call %s it waits for the page',
    async when => {
      const browser = new Browser();
      const cancel = new AbortController();
      const client = await connect('older', async ({ url }) => {
        await browser.open(url!);
        await browser.submit({ credential: anna });
        if (when === 'before') cancel.abort();
        else void waiting(server).then(() => cancel.abort());
        return 'accept';
      });
      await expect(client.call(write, price(96_000), { signal: cancel.signal })).rejects.toThrow();
      await expect.poll(async () => (await browser.open(browser.url)).html).toContain('The chat closed this question.');
    },
  );

  it('holds the first decision, also against a page that was opened earlier', async () => {
    const client = await connect('modern', async ({ url }) => {
      const [one, two] = [await signIn(url!), await signIn(url!)];
      await one.submit({ decision: 'approve' });
      await two.submit({ decision: 'decline' });
      expect(two.html).toContain('Approved.');
      return 'accept';
    });
    expect(confirmedBy(await client.call(write, price(84_000)))).toBe('link');
  });

  it('shows another caller nothing, and takes no decision from them or from anybody without a session', async () => {
    const client = await connect('modern', async ({ url }) => {
      const other = await signIn(url!, bert);
      expect([other.status, other.html.includes('This question is for someone else.')]).toEqual([403, true]);
      expect(other.html).not.toMatch(/onboarding|anna/i);
      const own = await signIn(url!);
      const origin = new URL(url!).origin;
      const proof = /name="proof" value="([^"]*)"/.exec(own.html)![1]!;
      const post = (headers: Record<string, string>, body: Record<string, string>) =>
        fetch(url!, { method: 'POST', headers, body: new URLSearchParams(body), redirect: 'manual' });
      await post({ origin }, { decision: 'approve', proof });
      const another = new Browser();
      await another.open(url!);
      await another.submit({ credential: 'not-a-token-of-anybody' });
      expect([another.status, another.html.includes('This token is unknown.')]).toEqual([401, true]);
      expect((await own.open(url!)).html).toContain('Approve this change?');
      return 'decline';
    });
    await client.call(write, price(90_000));
  });

  it('takes no form of another page, and none without its proof', async () => {
    const client = await connect('modern', async ({ url }) => {
      const browser = await signIn(url!);
      const refused: [Record<string, string>, Record<string, string>][] = [
        [{}, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
        [{}, { origin: 'https://evil.example' }],
        [{}, { origin: 'null', 'sec-fetch-site': 'cross-site' }],
        [{}, { origin: 'null' }],
        [{}, { 'sec-fetch-site': 'same-site' }],
        [{ proof: '' }, {}],
        [{ proof: 'A'.repeat(43) }, {}],
      ];
      for (const [fields, headers] of refused) {
        await browser.open(url!);
        await browser.submit({ decision: 'approve', ...fields }, headers);
        expect(
          [browser.status, browser.html.includes('did not come from this page')],
          JSON.stringify([fields, headers]),
        ).toEqual([403, true]);
      }
      await browser.open(url!);
      expect(browser.html).toContain('Approve this change?');
      await browser.submit({ decision: 'decline' });
      expect(browser.html).toContain('Declined.');
      return 'accept';
    });
    expect(errorCode(await client.call(write, price(90_000)))).toBe('declined');
  });

  it('can be shown in no frame, runs no script, is not stored, and its cookie holds no credential', async () => {
    const client = await connect('modern', async ({ url }) => {
      const browser = await signIn(url!);
      expect(browser.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
      );
      const headers = ['cache-control', 'referrer-policy', 'x-content-type-options', 'x-frame-options'];
      expect(headers.map(name => browser.headers.get(name))).toEqual(['no-store', 'same-origin', 'nosniff', 'DENY']);
      const [cookie] = browser.cookiesSet;
      expect(cookie).toMatch(/^billing_approve=[\w.-]+; Path=\/approve; Max-Age=3600; HttpOnly; SameSite=Lax$/);
      const content = Buffer.from(cookie!.split('=')[1]!.split('.')[1]!, 'base64url').toString();
      expect(Object.keys(JSON.parse(content)).sort()).toEqual(['caller', 'expires']);
      // The page is in the hands of the user: what it holds shows nothing of the cookie, which no script may read.
      const session = /=([^;]+)/.exec(cookie!)![1]!;
      const proof = /name="proof" value="([^"]*)"/.exec(browser.html)![1]!;
      expect(proof).toMatch(/^[\w-]{43}$/);
      const decoded = proof.split('.').map(part => Buffer.from(part, 'base64url').toString('latin1'));
      for (const text of [browser.html, ...decoded]) expect(text).not.toContain(session);
      return 'cancel';
    });
    expect(errorCode(await client.call(write, price(90_000)))).toBe('cancelled');
  });

  it('is put by page also to a client that claims forms too, and by form to one that claims no page', async () => {
    const both = await connect('modern', async () => 'decline', { form: {}, url: {} });
    await both.call(write, price(90_000));
    const forms = await connect('modern', async () => 'decline', { form: {} });
    await forms.call(write, price(90_000));
    expect([both.asked[0]?.mode, forms.asked[0]?.mode ?? 'form']).toEqual(['url', 'form']);
  });

  it('is a new page when the record changed meanwhile; the approval of the old one changes nothing', async () => {
    const pages: string[] = [];
    let old = new Browser();
    const client = await connect('modern', async ({ url }) => {
      pages.push(url!);
      const browser = await signIn(url!);
      if (pages.length === 1) {
        old = browser;
        const other = await connect('modern', async inner => {
          await (await signIn(inner.url!)).submit({ decision: 'approve' });
          return 'accept';
        });
        expect(confirmedBy(await other.call(write, price(70_100)))).toBe('link');
      } else expect(browser.html).toContain('The record changed since the prompt');
      await browser.submit({ decision: pages.length === 1 ? 'approve' : 'decline' });
      return 'accept';
    });
    expect(errorCode(await client.call(write, price(70_200)))).toBe('declined');
    expect(new Set(pages).size).toBe(2);
    expect((await old.open(pages[0]!)).html).toContain('Approved, but nothing was sent.');
  });

  it('asks nobody about a dry run', async () => {
    const client = await connect('modern', async () => 'accept');
    await client.call(write, { ...price(90_000), dry_run: true });
    expect(client.asked).toEqual([]);
  });

  it('says of an unknown page only that there is none, after sign-in', async () => {
    const browser = await signIn(server.url.replace('/mcp', `/approve/${'A'.repeat(22)}`));
    expect([browser.status, browser.html.includes('This question does not exist')]).toEqual([404, true]);
  });
});

describe('a question on a page', () => {
  it('needs no sign-in on loopback without authentication, but its own address', async () => {
    const { url: endpoint } = await ownServer();
    const client = await connectOpening(endpoint, 'modern', async ({ url }) => {
      const browser = await new Browser().open(url!);
      expect(browser.html).toContain('Approve this change?');
      expect((await new Browser().open(url!.replace('127.0.0.1', 'localhost'))).status).toBe(403);
      await browser.submit({ decision: 'approve' });
      return 'accept';
    });
    expect(confirmedBy(await client.call(write, price(80_000)))).toBe('link');
  });

  it('is of the credential, whatever customers its caller is bound to', async () => {
    const env = { BILLING_HTTP_AUTH: 'token', BILLING_HTTP_TOKENS: `anna:${anna}`, BILLING_CUSTOMER: 'acme-podcasts' };
    const server = await ownServer([], env);
    const person = async ({ url }: Asked) => {
      const browser = await new Browser().open(url!);
      await browser.submit({ credential: anna });
      expect(browser.html).toContain('Approve this change?');
      await browser.submit({ decision: 'approve' });
      return 'accept' as const;
    };
    const client = await connectOpening(server.url, 'modern', person, { headers: bearer(anna) });
    const name = { external_id: 'acme-studio', name: 'Main' };
    expect(confirmedBy(await client.call('update_subscription', name))).toBe('link');
  });

  it('asks for the billing key where callers bring their own, and knows the caller by it', async () => {
    const keys: string[] = [];
    const upstream = await listening((request, response) => {
      keys.push(`${request.method} ${request.headers.authorization}`);
      answersWith('{"add_on":{"code":"onboarding","amount_cents":80000}}')(request, response);
    });
    onTestFinished(upstream.close);
    const env = { BILLING_HTTP_AUTH: 'api-key', BILLING_BASE_URL: upstream.url };
    const server = await ownServer([], { ...env, BILLING_EXCLUDE_TOOLS: 'list_catalogue' });
    const key = 'key-of-some-customer';
    const person = async ({ url }: Asked) => {
      const browser = await new Browser().open(url!);
      expect(browser.html).toContain('Billing API key');
      await browser.submit({ credential: 'another-key' });
      expect(browser.status).toBe(403);
      await browser.open(url!);
      await browser.submit({ credential: key });
      expect(browser.html).toContain(`127.0.0.1:${upstream.port}`);
      await browser.submit({ decision: 'approve' });
      return 'accept' as const;
    };
    const headers = { 'x-billing-api-key': key };
    const client = await connectOpening(server.url, 'modern', person, { headers });
    expect(confirmedBy(await client.call(write, price(80_000)))).toBe('link');
    expect(keys).toEqual([`PUT Bearer ${key}`]);
    const plain = await connectOpening(server.url, 'modern', async () => 'cancel', { headers, elicitation: null });
    const result = await callByLink(plain, write, price(81_000), url => person({ message: '', url }));
    expect(confirmedBy(result)).toBe('link');
    expect(keys).toHaveLength(2);
  });

  it.each([
    ['https://example.com/billing/mcp', 'https://example.com/billing/approve/'],
    ['https://example.com/billing/mcp/', 'https://example.com/billing/approve/'],
    ['https://example.com/mcp', 'https://example.com/approve/'],
    ['https://example.com', 'https://example.com/approve/'],
    ['https://example.com/', 'https://example.com/approve/'],
  ])('is beside the endpoint %s', (publicUrl, base) => {
    const offer = approvalPageOffer({ auth: 'token', host: '0.0.0.0', publicUrl, oauth: undefined });
    expect('base' in offer && offer.base(1).href).toBe(base);
  });

  it('ends its wait when the server stops: the call that waited is answered, and not cut off', async () => {
    // Less than the longest wait for a page: a wait that went on would be cut off.
    const server = await startServer();
    let [round, closed] = [0, Promise.resolve()];
    const client = await connectOpening(server.url, 'modern', async () => {
      round++;
      if (round > 1) return 'cancel';
      closed = waiting(server).then(() => server.close());
      return 'accept';
    });
    await client.call(write, price(80_001)).catch(() => {});
    // The answer to the call was the question again.
    expect(round).toBe(2);
    await closed;
  });

  it('limits tries to sign in by address', async () => {
    const env = { BILLING_HTTP_AUTH: 'token', BILLING_HTTP_TOKENS: anna };
    const server = await ownServer(['--rate-limit', '5'], env);
    const browser = await new Browser().open(server.url.replace('/mcp', `/approve/${'A'.repeat(22)}`));
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) statuses.push((await browser.submit({ credential: `wrong-token-number-${i}` })).status);
    expect(statuses).toEqual([...Array(5).fill(401), 429]);
  });
});
