/** Values that the user corrects in the prompt, in a form, of a server with the sandbox. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import {
  type Asked,
  Browser,
  callByLink,
  confirmedBy,
  connectOpening,
  errorCode,
  neededBy,
} from './support/approve.ts';
import { ownServer, sharedServer } from './support/serve.ts';

const eras = ['modern', 'older'] as const;
const auditLog = join(temporaryFolder(), 'audit.jsonl');
const server = sharedServer(['--sessions'], {
  BILLING_AUDIT_LOG: auditLog,
  BILLING_MAX_AMOUNT: 'USD:1000,EUR:1000,GBP:1000',
  BILLING_MAX_AMOUNT_PER_DAY: 'USD:50000,EUR:5000,GBP:900',
});

type Values = Record<string, string>;
/** A user who answers each prompt with the next of these fields, beside those that the form has already. */
async function calls(era: (typeof eras)[number], tool: string, args: JsonRecord, answers: Values[]) {
  const person = async ({ requestedSchema }: Asked) => {
    const fields = Object.entries(requestedSchema?.properties as Record<string, { default?: string }>);
    const filled = fields.flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]]));
    return { action: 'accept' as const, content: { ...Object.fromEntries(filled), ...answers.shift() } };
  };
  const client = await connectOpening(server.url, era, person, { elicitation: { form: {} } });
  const result = await client.call(tool, args);
  return { result, asked: client.asked, content: result.structuredContent as JsonRecord };
}
const price = async (code: string) => {
  const { result } = await calls('modern', 'list_catalogue', { kind: 'add_ons' }, []);
  const { records } = result.structuredContent as { records: { code: string; amount_cents: number }[] };
  return records.find(each => each.code === code)?.amount_cents;
};
const onboardingAt = (amount_cents: number) => ({ code: 'onboarding', amount_cents });
const propertiesOf = (asked: Asked | undefined) => asked?.requestedSchema?.properties as Record<string, JsonRecord>;
const begun = () =>
  (existsSync(auditLog) ? readFileSync(auditLog, 'utf8') : '')
    .trim()
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as JsonRecord)
    .filter(({ event }) => event === 'begun');

describe('a corrected price', () => {
  it.each(eras)('is asked about once more, and only then carried out (%s)', async era => {
    const [sent, corrected] = era === 'modern' ? [90_000, '850.00'] : [80_000, '845.50'];
    const before = begun().length;
    const { result, asked, content } = await calls(era, 'update_add_on', { code: 'onboarding', amount_cents: sent }, [
      { answer: 'yes', value_1: ` ${corrected} ` },
      { answer: 'yes' },
    ]);
    expect(asked).toHaveLength(2);
    const [first, second] = asked.map(propertiesOf);
    expect(first).toMatchObject({ value_1: { title: 'price, in USD', default: (sent / 100).toFixed(2) } });
    expect(second).toMatchObject({ value_1: { default: corrected } });
    for (const each of [first, second]) expect(each?.answer).not.toHaveProperty('default');
    expect(asked[1]?.requestedSchema?.required).toEqual(['answer']);
    expect(asked[1]?.message).toContain(`to $${corrected}?`);
    expect(confirmedBy(result)).toBe('person');
    const words = `price from $${(sent / 100).toFixed(2)} to $${corrected}`;
    expect(content).toMatchObject({ receipt: { changed_by_user: [words] } });
    expect(content.summary).toContain(`Changed by the user: ${words}.`);
    expect(await price('onboarding')).toBe(Math.round(Number(corrected) * 100));
    const [line, ...others] = begun().slice(before);
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      arguments: { amount_cents: Math.round(Number(corrected) * 100) },
      changed_by_user: [{ argument: 'amount_cents', from: `$${(sent / 100).toFixed(2)}`, to: `$${corrected}` }],
    });
  });

  // biome-ignore format: a table
  const cases: [string, Values[], number, string][] = [
    ['is not carried out where the second answer is no', [{ answer: 'yes', value_1: '1' }, { answer: 'no' }], 2, 'declined'],
    ['is refused above the limit of a write', [{ answer: 'yes', value_1: '1000.01' }], 1, 'amount_limit'],
    ['does not count beside a no', [{ answer: 'no', value_1: '1' }], 1, 'declined'],
    ['is asked for again where it is none', Array(3).fill({ answer: 'yes', value_1: 'free' }), 3, 'question_unanswered'],
    ['has no parts of a cent', Array(3).fill({ answer: 'yes', value_1: '1.001' }), 3, 'question_unanswered'],
    ['is no negative amount', Array(3).fill({ answer: 'yes', value_1: '-1' }), 3, 'question_unanswered'],
    ['cannot be carried out without an answer', [{ value_1: '1' }], 1, 'question_unanswered'],
  ];
  it.each(cases)('%s', async (_what, answers, prompts, code) => {
    const before = await price('onboarding');
    const args = onboardingAt(70_000);
    const { result, asked } = await calls('modern', 'update_add_on', args, [...answers]);
    expect(errorCode(result)).toBe(code);
    expect(asked).toHaveLength(prompts);
    expect(await price('onboarding')).toBe(before);
  });

  it('can be corrected again, and the receipt has the first and the last value', async () => {
    const answers: Values[] = [{ answer: 'yes', value_1: '61' }, { answer: 'yes', value_1: '62' }, { answer: 'yes' }];
    const { asked, content } = await calls('modern', 'update_add_on', onboardingAt(6000), answers);
    expect(asked).toHaveLength(3);
    expect(content).toMatchObject({ receipt: { changed_by_user: ['price from $60.00 to $62.00'] } });
    expect(await price('onboarding')).toBe(6200);
  });

  it('that stays the same in another form is no correction', async () => {
    const answers: Values[] = [{ answer: 'yes', value_1: '63.0' }];
    const { asked, content } = await calls('modern', 'update_add_on', onboardingAt(6300), answers);
    expect(asked).toHaveLength(1);
    expect(content.receipt).not.toHaveProperty('changed_by_user');
  });
});

it('a corrected price counts in the day’s limit as it is sent, and not as it was asked about first', async () => {
  const set = (amount_cents: number, answers: Values[]) =>
    calls('modern', 'update_add_on', { code: 'priority_support', amount_cents, amount_currency: 'GBP' }, answers);
  const yes = { answer: 'yes' };
  const left = ({ content }: { content: JsonRecord }) =>
    (content.error as { details: { left: string; currency: string } }).details;
  const above = await set(50_000, [{ ...yes, value_1: '900.01' }, yes]);
  expect([errorCode(above.result), above.asked.length]).toEqual(['day_limit', 1]);
  expect(left(above)).toMatchObject({ left: '900' });
  const within = await set(50_000, [{ ...yes, value_1: '600' }, yes]);
  expect(within.content).toMatchObject({ receipt: { changed_by_user: ['price from £500.00 to £600.00'] } });
  expect(left(await set(30_001, []))).toMatchObject({ left: '300' });
  expect(confirmedBy((await set(30_000, [yes])).result)).toBe('person');
  expect(left(await set(1, []))).toMatchObject({ left: '0' });
});

describe('other values', () => {
  it('a date is one, and a correction names it', async () => {
    const args = { external_id: 'acme-studio', ending_at: '2030-01-01T00:00:00Z' };
    const answers: Values[] = [{ answer: 'yes', value_1: '2030-02-01T00:00:00Z' }, { answer: 'yes' }];
    const { asked, content } = await calls('modern', 'update_subscription', args, answers);
    expect(propertiesOf(asked[0])).toMatchObject({ value_1: { format: 'date-time', default: args.ending_at } });
    expect(content.receipt).toMatchObject({ applied: ['ending_at'], changed_by_user: [expect.stringMatching(/Feb/)] });
  });

  it('a date in the past is refused as one that the assistant sends', async () => {
    const args = { external_id: 'acme-studio', ending_at: '2030-03-01T00:00:00Z' };
    const answers: Values[] = [{ answer: 'yes', value_1: '2020-01-01T00:00:00Z' }, { answer: 'yes' }];
    const { asked, result } = await calls('modern', 'update_subscription', args, answers);
    expect(errorCode(result)).toBe('invalid_arguments');
    expect(asked).toHaveLength(1);
  });

  const both = ['onboarding', 'glossary'].map(code => ({ ...onboardingAt(6400), code }));
  const changes = both.map(each => ({ tool: 'update_add_on', arguments: JSON.stringify(each) }));
  it.each([
    ['what the call does not name', 'update_add_on', { code: 'onboarding', name: 'Start' }],
    ['sets of changes', 'change_several', { changes }],
  ])('have no fields: %s', async (_what, tool, args) => {
    // A host that sends such a field all the same changes nothing by it.
    const { asked, result, content } = await calls('modern', tool, args, [
      { answer: 'yes', value_1: '1', amount_cents: '1' },
    ]);
    expect(asked).toHaveLength(1);
    expect(Object.keys(propertiesOf(asked[0]))).toEqual(['answer']);
    expect(confirmedBy(result)).toBe('person');
    expect(JSON.stringify(content)).not.toContain('changed_by_user');
  });
});

describe('a corrected price, on the page', () => {
  const opening = async (era: (typeof eras)[number], user: (browser: Browser) => Promise<unknown>) => {
    let looked: Promise<unknown> = Promise.resolve();
    const client = await connectOpening(server.url, era, async ({ url }) => {
      const browser = await new Browser().open(url!);
      // The call goes on once the host says that the page is open.
      looked = user(browser);
      return 'accept';
    });
    return { client, looked: () => looked };
  };
  const secondLook = async (browser: Browser) => {
    await until(async () => (await browser.open(browser.url)).html.includes('Changed by the user'));
    return browser;
  };

  it.each(eras)('is shown once more in the same window, and only then carried out (%s)', async era => {
    const [cents, corrected] = era === 'modern' ? [71_000, '700.50'] : [72_000, '705.50'];
    const lines = begun().length;
    const { client, looked } = await opening(era, async browser => {
      expect(browser.html).toMatch(/<label for="value_1"[^>]*>price, in USD<\/label><input [^>]*value="7[12]0\.00"/);
      await browser.submit({ decision: 'approve', value_1: 'free' });
      expect(browser.status).toBe(422);
      expect(browser.html).toMatch(/role="alert"[^>]*>The new value is not valid/);
      await browser.submit({ decision: 'approve', value_1: corrected });
      expect(browser.html).toContain('The new value is being checked.');
      const first = browser.url;
      await secondLook(browser);
      expect(begun()).toHaveLength(lines);
      expect(browser.url).toBe(first);
      expect(browser.html).toContain(`value="${corrected}"`);
      expect(browser.html).toContain(`to $${corrected}?`);
      await browser.submit({ decision: 'approve' });
    });
    const result = await client.call('update_add_on', { code: 'onboarding', amount_cents: cents });
    await looked();
    expect(client.asked).toHaveLength(1);
    expect(confirmedBy(result)).toBe('link');
    const words = `price from $${cents / 100}.00 to $${corrected}`;
    expect(result.structuredContent).toMatchObject({ receipt: { changed_by_user: [words] } });
    expect(await price('onboarding')).toBe(Math.round(Number(corrected) * 100));
  });

  const connectPlain = (era: (typeof eras)[number]) =>
    connectOpening(server.url, era, async () => 'cancel', { elicitation: null });

  it.each(eras)('that an answer links to is decided behind the same link, by the call that waits (%s)', async era => {
    const before = begun().length;
    const args = { code: 'onboarding', amount_cents: 70_000 };
    const last = era === 'modern' ? 691 : 692;
    const result = await callByLink(await connectPlain(era), 'update_add_on', args, async link => {
      const [browser, other] = [await new Browser().open(link), await new Browser().open(link)];
      await browser.submit({ decision: 'approve', value_1: '690.50' });
      await secondLook(browser);
      expect(browser.url).toBe(link);
      // A window that still shows the first price decides nothing about the second.
      expect((await other.submit({ decision: 'approve' })).status).toBe(403);
      await browser.submit({ decision: 'approve', value_1: `${last}` });
      await until(async () => (await browser.open(link)).html.includes(`to $${last}.00?`));
      expect(begun()).toHaveLength(before);
      await browser.submit({ decision: 'approve' });
      await until(async () => (await other.open(link)).html.includes('Approved and carried out.'));
    });
    expect(confirmedBy(result)).toBe('link');
    const words = `price from $700.00 to $${last}.00`;
    expect(result.structuredContent).toMatchObject({ receipt: { changed_by_user: [words] } });
    expect(begun()).toHaveLength(before + 1);
    expect(await price('onboarding')).toBe(100 * last);
  });

  it('behind a link is still decided there by a later call, where the first one waited too long', async () => {
    const args = { code: 'onboarding', amount_cents: 68_000 };
    const brief = await ownServer(['--ask', 'link'], {}, { durations: { linkHoldMs: 1 } });
    const client = await connectOpening(brief.url, 'modern', async () => 'cancel', { elicitation: null });
    const needed = async (confirmation?: string) =>
      neededBy(await client.call('update_add_on', { ...args, confirmation }));
    const first = await needed();
    const browser = await new Browser().open(first.link);
    await browser.submit({ decision: 'approve', value_1: '670' });
    const second = await needed(first.confirmation);
    expect(second).toMatchObject({ link: first.link, confirmation: expect.not.stringMatching(first.confirmation) });
    await (await secondLook(browser)).submit({ decision: 'approve' });
    const late = await client.call('update_add_on', { ...args, confirmation: first.confirmation });
    expect(errorCode(late)).toBe('confirmation_used');
    const result = await client.call('update_add_on', { ...args, confirmation: second.confirmation });
    expect(result.structuredContent).toMatchObject({ receipt: { changed_by_user: ['price from $680.00 to $670.00'] } });
    expect(JSON.stringify(result.structuredContent)).toContain('"amount_cents":67000');
  });

  // biome-ignore format: a table
  const endings: [string, string, string, string][] = [
    ['is declined at the second look', 'declined', '1', 'Declined. Nothing was changed.'],
    ['above the limit is refused', 'amount_limit', '1000.01', 'nothing was sent'],
  ];
  it.each(endings.flatMap(row => [['page', ...row] as const, ['link', ...row] as const]))(
    'on a %s, %s',
    async (by, _what, code, value_1, shown) => {
      const before = await price('onboarding');
      const user = async (browser: Browser) => {
        await browser.submit({ decision: 'approve', value_1 });
        if (code === 'declined') await (await secondLook(browser)).submit({ decision: 'decline' });
        await until(async () => (await browser.open(browser.url)).html.includes(shown));
      };
      const { client, looked } = await opening('modern', user);
      const result = await (by === 'page'
        ? client.call('update_add_on', onboardingAt(71_000))
        : callByLink(await connectPlain('modern'), 'update_add_on', onboardingAt(68_000), async link =>
            user(await new Browser().open(link)),
          ));
      await looked();
      expect(errorCode(result)).toBe(code);
      expect(await price('onboarding')).toBe(before);
    },
  );
});
