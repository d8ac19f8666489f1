/** Each tool on the demo account, from a real client to the embedded service: an answer, a refusal, a dry run. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentedAt, examples } from '../../scripts/docs/examples.ts';
import { demoIds } from '../../src/contract/demo-ids.ts';
import { changesAccount } from '../../src/definition/define.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import type { Runtime } from '../../src/server/runtime.ts';
import { type RunningService, startService } from '../../src/service/start.ts';
import type { Snapshot } from '../../src/service/store/snapshot.ts';
import { toolDefinitions } from '../../tools/all-tools.ts';
import { connectClient, startRuntime, type TestClient } from '../support/clients.ts';
import { refusalsOf } from '../support/output-schemas.ts';

const none = '12345678-1234-4321-8765-123456789abc';
const nobody = { external_customer_id: 'nobody' };
const nothing = { external_id: 'nothing' };

/**
 * What the account does not have, or not twice, and the code of the refusal. Lists that are empty then are no refusal. The
 * refusals of single records are in error-tokens.test.ts.
 */
const refused: Record<string, [args: JsonRecord, code: string]> = {
  compare_plans: [{ plan_codes: ['nothing', 'nothing-else'] }, 'plan_not_found'],
  create_billing_entity: [{ code: demoIds.billing_entity_code, name: 'A' }, 'invalid_arguments'],
  change_several: [
    {
      changes: [
        { tool: 'update_add_on', arguments: '{"code":"nothing","amount_cents":1}' },
        { tool: 'update_wallet', arguments: `{"svc_id":"${none}","name":"A"}` },
      ],
    },
    'add_on_not_found',
  ],
  get_customer_overview: [nobody, 'customer_not_found'],
  list_subscriptions: [nobody, 'customer_not_found'],
  get_subscription: [nothing, 'no_match'],
  list_invoices: [nobody, 'customer_not_found'],
  get_invoice: [{ svc_id: none }, 'invoice_not_found'],
  check_invoice: [{ svc_id: none }, 'invoice_not_found'],
  list_credit_notes: [nobody, 'customer_not_found'],
  list_payments: [nobody, 'customer_not_found'],
  get_statement: [nobody, 'customer_not_found'],
  get_revenue: [{ report: 'gross_revenue', ...nobody }, 'customer_not_found'],
  list_wallets: [nobody, 'customer_not_found'],
  list_wallet_transactions: [{ svc_id: none }, 'wallet_not_found'],
  get_usage: [nobody, 'customer_not_found'],
  list_catalogue: [{ kind: 'applied_coupons', ...nobody }, 'customer_not_found'],
  list_activity: [nobody, 'customer_not_found'],
};

const names = toolDefinitions.map(({ name }) => name);
const writes = toolDefinitions.filter(({ effect }) => changesAccount(effect)).map(({ name }) => name);
const exampleOf = (name: string): JsonRecord => {
  const { dry_run: _, ...args } = examples[name]?.args ?? {};
  return args;
};

let service: RunningService;
const runtimes: Runtime[] = [];
let client: TestClient;
let stranger: TestClient;
let before: Snapshot;

async function connect(key: string): Promise<TestClient> {
  const runtime = startRuntime(service.baseUrl, { BILLING_API_KEY: key, BILLING_CONFIRM: 'never' });
  runtimes.push(runtime);
  return connectClient(runtime, '2026-07-28', false);
}

beforeAll(async () => {
  service = await startService({ account: 'demo', now: documentedAt });
  before = await service.snapshot();
  client = await connect(service.apiKey);
  stranger = await connect('a-key-of-no-account');
});
afterAll(async () => {
  await Promise.all([client.close(), stranger.close()]);
  await Promise.all(runtimes.map(runtime => runtime.close()));
  await service.close();
});

describe('a dry run on the demo account shows the request and the question', () => {
  it.each(writes)('%s', async name => {
    const { isError, content } = await client.call(name, { ...exampleOf(name), dry_run: true });
    expect([isError, content.receipt]).toEqual([false, undefined]);
    expect(content.summary).toMatch(/^Dry run: nothing was changed\. .*\?/s);
    expect(refusalsOf(name, content)).toEqual([]);
    const { question, requests, ...request } = content.dry_run as JsonRecord;
    expect(question).toContain('?');
    // A set has a request for each change.
    for (const each of (requests as JsonRecord[] | undefined) ?? [request])
      expect(each).toMatchObject({
        method: expect.stringMatching(/^(POST|PUT|DELETE)$/),
        path: expect.stringContaining('/api/v1/'),
      });
  });
});

describe('what the demo account does not have is refused in words', () => {
  it.each(names.filter(name => refused[name]))('%s', async name => {
    const [args, code] = refused[name]!;
    const { isError, content } = await client.call(name, args);
    expect([isError, content.error]).toMatchObject([true, { code, changed: false, hint: expect.stringMatching(/\w/) }]);
    expect(content.summary).toMatch(/ /);
    expect(refusalsOf(name, content)).toEqual([]);
  });
});

describe('a key of no account is refused by the service', () => {
  it.each(names)('%s', async name => {
    const { isError, content } = await stranger.call(name, exampleOf(name));
    expect([isError, content.error]).toMatchObject([true, { code: 'http_401', status: 401, changed: false }]);
  });
});

it('neither a dry run nor a refusal has changed anything', async () => {
  expect(await service.snapshot()).toEqual(before);
});

describe('the example of the documents is answered, in text and structure alike', () => {
  it.each(names)('%s', async name => {
    const { isError, content, text } = await client.call(name, exampleOf(name));
    expect([isError, content.error]).toEqual([false, undefined]);
    expect(content.summary).toMatch(/^[“A-Z0-9$].*\.$/s);
    expect(JSON.parse(text)).toEqual(content);
    expect(refusalsOf(name, content)).toEqual([]);
    if (writes.includes(name)) expect(content.receipt).toMatchObject({ confirmed_by: 'policy' });
  });
});
