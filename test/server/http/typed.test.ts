/** Writes that cannot be undone: the user types a text, in a form or on the page, of a server with the sandbox. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { Browser, confirmedBy, connectOpening, errorCode, type Person } from './support/approve.ts';
import { sharedServer, type TestServer } from './support/serve.ts';

const eras = ['modern', 'older'] as const;
const [glossary, support] = ['glossary', 'priority_support'] as const;
let server: TestServer;
/** Each part begins with all three add-ons of the sandbox. */
const withServer = (...args: string[]) => {
  const own = sharedServer(['--sessions', ...args], { BILLING_CONFIRM: 'metadata=never, irreversible=typed' });
  beforeAll(() => {
    server = own;
  });
};

const connect = (era: (typeof eras)[number], person: Person, elicitation: object) =>
  connectOpening(server.url, era, person, { elicitation });
const yes = (typed?: string) => ({
  action: 'accept' as const,
  content: { answer: 'yes', ...(typed !== undefined && { typed }) },
});
const isThere = async (code: string) => {
  const client = await connect('modern', async () => 'cancel', {});
  const { structuredContent } = await client.call('list_catalogue', { kind: 'add_ons' });
  return JSON.stringify(structuredContent).includes(`"${code}"`);
};

describe('a deletion, in a form', () => {
  withServer();
  const wrong: [string, string | undefined][] = [
    ['no text', undefined],
    ['an empty text', ''],
    ['another text', 'yes'],
    ['part of the text', 'onboardin'],
    ['the text in capitals', 'ONBOARDING'],
  ];
  it.each(wrong)('is asked again three times at most, and not carried out: %s', async (_what, typed) => {
    const client = await connect('modern', async () => yes(typed), { form: {} });
    const result = await client.call('delete_add_on', { code: 'onboarding' });
    expect(errorCode(result)).toBe('question_unanswered');
    expect(client.asked).toHaveLength(3);
    expect(client.asked[1]?.message).toMatch(/^The typed text does not match\./);
    expect(await isThere('onboarding')).toBe(true);
  });

  it.each(eras)('is carried out with the text, which only the message names (%s)', async era => {
    const code = era === 'modern' ? glossary : support;
    const client = await connect(era, async () => yes(` ${code} `), { form: {} });
    const result = await client.call('delete_add_on', { code });
    expect(confirmedBy(result)).toBe('person');
    const [{ message, requestedSchema } = { message: '' }] = client.asked;
    expect(message).toMatch(new RegExp(`To approve, type: ${code}$`));
    expect(requestedSchema).toMatchObject({ required: ['answer'], properties: { typed: { type: 'string' } } });
    const { typed, answer } = requestedSchema!.properties as JsonRecord;
    for (const field of [typed, answer]) expect(field).not.toHaveProperty('default');
    expect(JSON.stringify(typed)).not.toContain(code);
    expect(await isThere(code)).toBe(false);
  });

  it('is declined without any text', async () => {
    const client = await connect('modern', async () => ({ action: 'accept', content: { answer: 'no' } }), { form: {} });
    expect(errorCode(await client.call('delete_add_on', { code: 'onboarding' }))).toBe('declined');
  });

  it('takes no text from the assistant', async () => {
    const client = await connect('modern', async () => yes(), { form: {} });
    for (const typed of [{ typed: 'onboarding' }, { confirmation: 'onboarding' }, { answer: 'yes' }]) {
      const result = await client.call('delete_add_on', { code: 'onboarding', ...typed });
      expect(errorCode(result)).toMatch(/invalid_arguments|confirmation_invalid/);
    }
    expect(await isThere('onboarding')).toBe(true);
  });
});

describe('a deletion, without forms and pages', () => {
  withServer('--ask', 'buttons,token');

  it('cannot be confirmed with a token, and another write can', async () => {
    const client = await connect('modern', async () => 'cancel', {});
    const result = await client.call('delete_add_on', { code: 'onboarding' });
    expect(errorCode(result)).toBe('cannot_ask');
    expect(JSON.stringify(result)).toMatch(/type a text/);
    const other = await client.call('update_add_on', { code: 'onboarding', amount_cents: 1 });
    expect(other.structuredContent).toHaveProperty('confirmation_required');
  });
});

describe('a set', () => {
  withServer();
  it('asks for one text, the number of its final changes', async () => {
    const changes = [
      { tool: 'delete_add_on', arguments: JSON.stringify({ code: glossary }) },
      { tool: 'update_add_on', arguments: JSON.stringify({ code: support, name: 'Fourth' }) },
    ];
    const answers = [yes(glossary), yes('2'), yes('1')];
    const client = await connect('modern', async () => answers.shift()!, { form: {} });
    const result = await client.call('change_several', { changes });
    expect(client.asked.map(({ message }) => message.split('\n').at(-1))).toEqual(Array(3).fill('To approve, type: 1'));
    expect(confirmedBy(result)).toBe('person');
    expect(await isThere(glossary)).toBe(false);
  });
});

describe('a deletion, on the page', () => {
  withServer();
  it.each(eras)('is carried out with the text alone (%s)', async era => {
    const code = era === 'modern' ? glossary : support;
    const client = await connect(
      era,
      async ({ url }) => {
        const browser = await new Browser().open(url!);
        expect(browser.html).toContain(`To approve, type: ${code}`);
        await browser.submit({ decision: 'approve' });
        expect(browser.html).toMatch(/role="alert"[^>]*>The text does not match/);
        await browser.submit({ decision: 'approve', typed: `${code}x` });
        expect(browser.html).toMatch(/role="alert"[^>]*>The text does not match/);
        expect(browser.html).not.toContain(`value="${code}`);
        await browser.submit({ decision: 'approve', typed: code });
        expect(browser.html).toContain('Approved.');
        return 'accept';
      },
      { url: {} },
    );
    expect(confirmedBy(await client.call('delete_add_on', { code }))).toBe('link');
    expect(await isThere(code)).toBe(false);
  });

  it('is declined without the text', async () => {
    const client = await connect(
      'modern',
      async ({ url }) => {
        const browser = await new Browser().open(url!);
        await browser.submit({ decision: 'decline' });
        expect(browser.html).toContain('Declined.');
        return 'accept';
      },
      { url: {} },
    );
    expect(errorCode(await client.call('delete_add_on', { code: 'onboarding' }))).toBe('declined');
  });
});
