import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { changesAccount, isLookup } from '../../../src/definition/define.ts';
import { check as checkCommand } from '../../../src/server/commands/check.ts';
import { type RunningService, startService } from '../../../src/service/start.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { run } from '../protocol/program.ts';
import { type Door, isOperation, openDoor } from './check-services.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ port: 0, account: 'demo' });
});
afterAll(() => service.close());

const lookups = toolDefinitions.filter(isLookup);
const writes = toolDefinitions.filter(({ effect }) => changesAccount(effect));
const updates = writes.filter(
  ({ effect, endpoint, change }) => effect === 'write' && endpoint.startsWith('PUT') && change !== undefined,
);
const reads = toolDefinitions.filter(tool => !lookups.includes(tool) && !writes.includes(tool));

/** What the command says, in this process: a program of its own would need longer to start than to ask. */
async function check(url: string, env: Record<string, string> = {}, ...flags: string[]) {
  const lines: string[] = [];
  const settings = { container: '', BILLING_BASE_URL: url, BILLING_API_KEY: service.apiKey, ...env };
  const code = await checkCommand(flags, settings, line => lines.push(line));
  const stdout = `${lines.join('\n')}\n`;
  expect(stdout).not.toContain(service.apiKey);
  expect(stdout).not.toContain('Everything is right');
  return { code, stdout };
}

async function door(rules: Parameters<typeof openDoor>[1] = {}): Promise<Door> {
  const opened = await openDoor(service, rules);
  onTestFinished(() => opened.close());
  return opened;
}

/** What the table says of a tool. */
function rowOf(stdout: string, tool: string): string {
  const [row = ''] = stdout.split('\n').filter(line => new RegExp(`^ {2}\\S ${tool} `).test(line));
  return row.replace(/ {2,}/g, ' ').trim();
}

describe('the table', () => {
  it('tries every read, computation and lookup, with ids of the lists and with some that are not there', async () => {
    const through = await door();
    const settings = { BILLING_BASE_URL: through.url, BILLING_API_KEY: service.apiKey };
    const { code, stdout, stderr } = await run(['check'], settings);
    expect(stderr).toBe('');
    expect(stdout).not.toContain(service.apiKey);
    expect(stdout).toContain(
      `${reads.length} of ${reads.length} reads and computations and ${lookups.length} of ${lookups.length} lookups answer; ${writes.length} writes not tested.`,
    );
    expect(toolDefinitions.filter(({ name }) => rowOf(stdout, name) === '')).toEqual([]);
    expect(stdout).toContain('✓ ID prefix: svc_, from records');
    expect(stdout).toContain('The user confirms every write');
    expect(rowOf(stdout, 'update_wallet')).toBe('· update_wallet not tried');
    expect(code).toBe(0);
    const payments = through.seen.filter(({ path }) => path.startsWith('/payments/'));
    expect(payments.map(({ status }) => status)).toEqual([200, 404]);
    const computed = ['/invoices/preview', '/events/estimate_fees'];
    expect(through.seen.filter(({ method, path }) => method !== 'GET' && !computed.includes(path))).toEqual([]);
  });

  it('says of each write how it is confirmed', async () => {
    const through = await door();
    const confirm = 'metadata=never, money<50 USD=auto';
    const limits = { BILLING_MAX_AMOUNT_PER_DAY: 'USD:500', BILLING_REDIS_URL: 'redis://127.0.0.1:1' };
    const { stdout } = await check(through.url, { BILLING_CONFIRM: confirm, ...limits });
    expect(stdout).toContain('\n  update_add_on: metadata never, state always, money always (below 50 USD auto)\n');
    const separate = writes.filter(({ change }) => change !== undefined);
    expect(separate.filter(({ name }) => !stdout.includes(`\n  ${name}: `))).toEqual([]);
  });

  it('names what a server over HTTP lacks for approval pages, and refuses settings that would stop its start', async () => {
    const flags = ['--http', '--host', '0.0.0.0', '--allowed-hosts', '*', '--http-auth', 'token'];
    const { stdout } = await check(service.baseUrl, { BILLING_HTTP_TOKENS: 'token-of-anna-0000001' }, ...flags);
    expect(stdout).toContain('Links do not work here');
    expect(stdout).toContain('To change that, set BILLING_HTTP_PUBLIC_URL,');
    const short = await check(service.baseUrl, { BILLING_HTTP_TOKENS: 'short' }, ...flags);
    expect(short.stdout).toContain('✗ Configuration: Bearer token 1');
  });

  it('of a service with the operations alone says which lookups are not there', async () => {
    const { url } = await door({
      instead: (method, path) => (isOperation(method, path) ? undefined : [404, 'resource_not_found']),
    });
    const { code, stdout } = await check(url);
    expect(stdout).toContain(`${reads.length} of ${reads.length} reads and computations`);
    expect(rowOf(stdout, 'get_payment')).toContain('no list had one to test');
    expect(rowOf(stdout, 'list_invoices')).toBe('– list_invoices not there: GET /invoices');
    expect(stdout).toMatch(/^Not part of .*find_customers, .*list_invoices/m);
    expect(code).toBe(0);
  });

  it('of another prefix of ids names it, and goes on with it', async () => {
    const { url } = await door({ changed: text => text.replaceAll('"svc_', '"acme_') });
    const wrong = await check(url, { BILLING_ID_PREFIX: 'other_' });
    expect(wrong.stdout).toContain('BILLING_ID_PREFIX is other_');
    expect(wrong.stdout).toContain(`${reads.length} of ${reads.length} reads and computations`);
    expect(wrong.code).toBe(1);
    const right = await check(url);
    expect(right.stdout).toContain('✓ ID prefix: acme_, from records');
    expect(right.code).toBe(0);
  });

  it('finds the prefix in whichever list has a record, and takes no id of others for it', async () => {
    const { url } = await door({
      instead: (_, path) =>
        /^\/(plans|customers)$/.test(path) ? [403, 'read_action_not_allowed_for_plan'] : undefined,
      changed: text => text.replaceAll('"svc_', '"acme_').replace(/("external_id":")[^"]*/g, `$1${randomUUID()}`),
    });
    const { stdout } = await check(url, { BILLING_ID_PREFIX: 'acme_' });
    expect(stdout).toContain('✓ ID prefix: acme_, from records');
  });

  it('of a key that may do half names each right that it lacks', async () => {
    const { url } = await door({
      instead: (_, path) =>
        /^\/(invoices|payments|wallets)/.test(path)
          ? [403, `read_action_not_allowed_for_${path.split('/')[1]?.replace(/s$/, '')}`]
          : undefined,
    });
    const { code, stdout } = await check(url);
    expect(rowOf(stdout, 'get_payment')).toContain('lacks “read payment”');
    expect(rowOf(stdout, 'list_wallets')).toContain('lacks “read wallet”');
    expect(rowOf(stdout, 'get_customer')).toBe('✓ get_customer answers');
    expect(stdout).toMatch(/^The key lacks: .*read payment, read wallet\./m);
    expect(stdout).not.toContain(`${reads.length} of ${reads.length}`);
    expect(code).toBe(0);
  });

  it('names the paths that answer or are refused, the fields that records show, and the rights that each tool needs', async () => {
    const { url } = await door({
      instead: (_, path) =>
        path.startsWith('/activity_logs')
          ? [403, 'feature_unavailable']
          : path.startsWith('/payments')
            ? [403, 'read_action_not_allowed_for_payment']
            : path.startsWith('/credit_notes')
              ? [404, 'resource_not_found']
              : undefined,
      changed: text => text.replaceAll('"trial_period"', '"other_field"'),
    });
    const { stdout } = await check(url);
    expect(stdout).toMatch(/^Known paths: \d+ of \d+ answer;$/m);
    expect(stdout).toMatch(/forbidden for this key: GET \/payments, GET \/payments\/\{id\}$/m);
    expect(stdout).toMatch(/^ {2}not in the license: GET \/activity_logs$/m);
    expect(stdout).toMatch(/^ {2}not there: GET \/credit_notes$/m);
    expect(stdout).toMatch(/^ {2}not asked: .*PUT \/wallets\/\{wallet\}$/m);
    expect(stdout).toMatch(/^ {2}plan: .* not seen: trial_period$/m);
    expect(stdout).toMatch(/^ {2}customer: (\d+) of \1 seen$/m);
    expect(stdout).toMatch(/^ {2}no record shown: .*activity_log$/m);
    const rights = stdout.slice(stdout.indexOf('Permissions that the key needs:'));
    const rightsOf = (tool: string) => new RegExp(`^ {2}${tool} +(.*)$`, 'm').exec(rights)?.[1];
    expect(toolDefinitions.filter(({ name }) => rightsOf(name) === undefined)).toEqual([]);
    expect(rightsOf('preview_invoice')).toBe('read plan, write invoice');
    expect(rightsOf('update_subscription')).toBe('read subscription, write subscription');
    expect(rightsOf('create_billing_entity')).toBe('read billing entity, write billing entity');
    expect(rightsOf('get_usage')).toContain('read customer usage');
    expect(rightsOf('list_catalogue')).toContain('read tax, read webhook endpoint');
    expect(rightsOf('change_several')).toBe('those of its changes');
  });

  it('of a service that fails somewhere says where, and ends with 1', async () => {
    const { url } = await door({ instead: (_, path) => (path.startsWith('/events/') ? [500, 'internal'] : undefined) });
    const { code, stdout } = await check(url);
    expect(rowOf(stdout, 'get_event')).toMatch(/^✗ get_event fails: the service returned 500/);
    expect(code).toBe(1);
  });

  it('has what the settings offer, and counts the rest', async () => {
    const { url } = await door();
    const { stdout } = await check(url, { BILLING_TOOLS: 'payments', BILLING_READ_ONLY: 'true' });
    expect(stdout).toContain('1 lookups answer; no writes');
    expect(stdout).toContain(`Hidden by the settings, and not tested: ${toolDefinitions.length - 2} tools.`);
    expect(stdout).toContain('Writes are off (BILLING_READ_ONLY).');
  });
});

describe('--try-writes', () => {
  it('sends an empty update to ids that no record has, and no creation and no deletion', async () => {
    const through = await door();
    const { code, stdout } = await check(through.url, {}, '--try-writes');
    expect(stdout).toContain(
      `${updates.length} of ${updates.length} tested updates work; ${writes.length - updates.length} writes not tested.`,
    );
    expect(rowOf(stdout, 'delete_add_on')).toContain('not tried: it creates or deletes');
    const sent = through.seen.filter(({ method }) => method === 'PUT');
    expect(sent).toHaveLength(updates.length);
    expect(sent.filter(({ status }) => ![400, 404, 422].includes(status))).toEqual([]);
    expect(through.seen.filter(({ method }) => method === 'DELETE')).toEqual([]);
    expect(code).toBe(0);
  });

  it('says where an update is refused for its emptiness, before its record is looked for', async () => {
    const { url } = await door({ instead: method => (method === 'PUT' ? [400, 'bad_request'] : undefined) });
    const { stdout } = await check(url, {}, '--try-writes');
    expect(rowOf(stdout, 'update_wallet')).toContain('refuses an empty update (bad_request)');
  });

  it('names the right that a key lacks to write', async () => {
    const { url } = await door({
      instead: method => (method === 'PUT' ? [403, 'write_action_not_allowed_for_wallet'] : undefined),
    });
    const { stdout } = await check(url, {}, '--try-writes');
    expect(rowOf(stdout, 'update_wallet')).toContain('lacks “write wallet”');
  });

  it('is refused where nothing may be changed', async () => {
    const through = await door();
    const { code, stdout } = await check(through.url, { BILLING_READ_ONLY: 'true' }, '--try-writes');
    expect(stdout).toContain('--try-writes cannot be used with BILLING_READ_ONLY');
    expect([code, through.seen]).toEqual([2, []]);
  });
});

describe('a wrong address gets advice', () => {
  it.each([
    ['a path twice', '/api/v1/api/v1', 'Set BILLING_BASE_URL=ADDRESS/api/v1.'],
    ['a path behind it', '/api/v1/plans', 'the API is at ADDRESS/api/v1.'],
  ])('%s', async (_, path, said) => {
    const { url } = await door();
    const { code, stdout } = await check(url + path);
    expect(stdout).toContain(said.replaceAll('ADDRESS', url));
    expect(code).toBe(1);
  });
});
