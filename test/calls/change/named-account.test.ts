/** `BILLING_ACCOUNT_LABEL` and `BILLING_ACCOUNT_MODE`: where users see which account a write is for. */
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { questionPage } from '../../../src/server/http/approve/page.ts';
import { accountInWords } from '../../../src/words/present-record.ts';
import { type Demo, type Result, startDemo } from '../../browser/demo.ts';
import { run } from '../../server/protocol/program.ts';

const flags = ['--account-label', 'Acme', '--account-mode', 'live'];
const log = join(tmpdir(), 'audit.jsonl');
const price = { code: 'onboarding', amount_cents: 76_000 };
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
const fieldsOf = ({ structuredContent }: Result): any => structuredContent;

describe('an account that the settings name', () => {
  let server: Demo;
  let withPages: Demo;
  beforeAll(async () => {
    const now = '2026-03-15T12:00:00Z';
    server = await startDemo(now, [...flags, '--ask', 'token', '--audit-log', log], {});
    withPages = await startDemo(now, flags);
  });
  afterAll(async () => {
    await Promise.all([server?.close(), withPages?.close()]);
    rmSync(log, { force: true });
  });

  it('is in the prompt, the receipt and each line of the audit log', async () => {
    const asked = fieldsOf(await server.call('update_add_on', price));
    expect(asked.confirmation_required.question).toContain('\n\nAccount: Acme (live)');
    expect(asked.summary).toContain('Account: Acme (live)');
    const { confirmation } = asked.confirmation_required;
    const made = fieldsOf(await server.call('update_add_on', { ...price, confirmation }));
    expect(made.receipt).toMatchObject({ applied: ['amount_cents'], account: 'Acme (live)', account_mode: 'live' });
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    const named = lines.map(line => JSON.parse(line) as object);
    expect(named.length).toBeGreaterThanOrEqual(2);
    for (const line of named) expect(line).toMatchObject({ account: 'Acme (live)', account_mode: 'live' });
  });

  it('is on the page of the write in the chat', async () => {
    const { _meta } = await withPages.call('update_add_on', price);
    expect(_meta?.['usage-billing/page']).toMatchObject({
      approval: { account: 'Acme (live)', account_mode: 'live', question: expect.stringContaining('Acme (live)') },
    });
  });

  it('is printed by check', async () => {
    const { stdout } = await run(['check', '--demo', ...flags, '--tools', 'get_customer']);
    expect(stdout).toContain('✓ Account: Acme (live)');
  });
});

it('live and test differ on the approval page in word and color', () => {
  const approval = { caller: 'local', question: 'Change it?', warnings: [], account: 'Acme', expires: 0 } as never;
  const pageFor = (mode: 'live' | 'test' | undefined) => {
    const standing = { approval: { ...(approval as object), ...(mode && { mode }) } } as never;
    return questionPage('en', standing, 'open', { proof: '', still: false });
  };
  expect(pageFor('live')).toContain('<p class="mode live">live account</p>');
  expect(pageFor('test')).toContain('<p class="mode test">test account</p>');
  expect(pageFor(undefined)).not.toContain('<p class="mode');
});

it.each([
  [{ accountLabel: 'Acme', accountMode: 'test' }, 'Acme (test)'],
  [{ accountLabel: 'Acme' }, 'Acme'],
  [{ accountMode: 'live' }, 'live account'],
  [{}, undefined],
] as const)('%o is %s in words', (settings, words) => {
  expect(accountInWords(settings)).toBe(words);
});
