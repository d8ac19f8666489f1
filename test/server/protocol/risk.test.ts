/** Rules of `BILLING_CONFIRM`: what is sent without a prompt, by which prompt, and what is not sent. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { type CountingUpstream, startCountingUpstream } from '../../calls/change/counting-upstream.ts';
import { connectClient, startRuntime } from '../../support/clients.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { eras } from '../../support/settings.ts';

const rules = 'metadata=never, state=auto, money<50 USD=never, irreversible=typed';
const folder = temporaryFolder();
let upstream: CountingUpstream;
beforeAll(async () => {
  upstream = await startCountingUpstream();
});
afterAll(() => upstream.close());
beforeEach(() => {
  upstream.taken();
});

describe.each(eras)('a client of %s without any capability', era => {
  const cases: [string, string, JsonRecord, string, number][] = [
    ['metadata', 'update_add_on', { code: 'setup', name: 'New' }, 'policy', 1],
    ['a state', 'update_add_on', { code: 'setup', new_code: 'new' }, 'host', 1],
    ['little money', 'update_add_on', { code: 'setup', amount_cents: 4999, amount_currency: 'USD' }, 'policy', 1],
    ['money at the bound', 'update_add_on', { code: 'setup', amount_cents: 5000, amount_currency: 'USD' }, 'token', 0],
    ['a deletion', 'delete_add_on', { code: 'setup' }, 'cannot_ask', 0],
  ];
  it.each(cases)('%s', async (_what, tool, args, ends, sent) => {
    const audit = join(folder, `${era}-${tool}-${ends}.jsonl`);
    const env = { BILLING_CONFIRM: rules, BILLING_ASK: 'form,token', BILLING_AUDIT_LOG: audit };
    const limits = { BILLING_MAX_AMOUNT_PER_DAY: 'USD:500' };
    const runtime = startRuntime(upstream.url, { ...env, ...limits });
    const client = await connectClient(runtime, era, false);
    try {
      const { content } = await client.call(tool, args);
      const { receipt, error, confirmation_required: token } = content as Record<string, JsonRecord | undefined>;
      expect(token === undefined ? (error?.code ?? receipt?.confirmed_by) : 'token').toBe(ends);
      expect(upstream.written()).toBe(sent);
      const lines = await readFile(audit, 'utf8').catch(() => '');
      expect(lines.includes('"event":"begun"')).toBe(sent > 0);
    } finally {
      await client.close();
      await runtime.close();
    }
  });
});
