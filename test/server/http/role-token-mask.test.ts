/** A role, a customer token and a mask on one server: a caller sees what all of them allow, wherever it asks. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountOf, type Ids, idsOf, type Seed } from '../../calls/access/bounds-world.ts';
import { serve } from '../../calls/access/mask/marked.ts';
import { customerKey, customerToken } from '../../support/customer-tokens.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { key } from '../../support/settings.ts';
import { both, places } from './support/customers.ts';
import { type CallOptions, callModern, requestLegacy } from './support/messages.ts';
import { sharedServer } from './support/serve.ts';

const seed = (external_id: string, marker: string, cents: number): Seed => ({
  ...{ external_id, marker, cents },
  name: `${marker} Ltd`,
});
const seeds = [
  seed('acme', 'acmark', 1_203_111),
  seed('globex', 'zglob', 2_345_678),
  seed('hooli', 'qhool', 3_456_789),
];
const [acme, globex, hooli] = seeds.map(idsOf) as [Ids, Ids, Ids];
const bearer = (token: string): CallOptions => ({ headers: { authorization: `Bearer ${token}` } });
const [desk, reader] = [bearer('token-of-the-desk-0001'), bearer('token-of-a-reader-001')];

const roles = join(temporaryFolder(), 'roles.json');
const of = { customers: ['acme', 'globex'], mask: ['email'] };
writeFileSync(
  roles,
  JSON.stringify({ roles: { desk: { ...of, exclude_tools: ['get_payment'] }, reader: { ...of, read_only: true } } }),
);

let service: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  service = await serve(accountOf(seeds));
});
afterAll(() => service.close());
const server = sharedServer(['--confirm', 'always'], () => ({
  ...{ BILLING_BASE_URL: service.baseUrl, BILLING_API_KEY: key, BILLING_CUSTOMER_TOKEN_KEY: customerKey },
  ...{ BILLING_HTTP_AUTH: 'token', BILLING_ROLES: roles, BILLING_MASK: 'phone' },
  BILLING_HTTP_TOKENS: 'desk:token-of-the-desk-0001 role=desk,reader:token-of-a-reader-001 role=reader',
}));

describe.each(Object.entries(places))(
  'with a token for globex and hooli in %s, in a role for acme and globex',
  (_, put) => {
    let options: CallOptions;
    beforeAll(async () => {
      options = both(desk, put(await customerToken(['globex', 'hooli'])));
    });
    const text = async (tool: string, args: object) =>
      JSON.stringify((await callModern(server.url, tool, args, options)).body);
    const code = async (tool: string, args: object, as = options) =>
      (await callModern(server.url, tool, args, as)).result.structuredContent.error?.code ?? 'ok';

    it('every list is that of globex alone, without email address and phone number', async () => {
      const lists: [string, object][] = [
        ['find_customers', {}],
        ['list_subscriptions', {}],
        ['list_invoices', {}],
        ['list_wallets', {}],
        ['list_credit_notes', {}],
        ['list_payments', {}],
        ['list_events', {}],
        ['list_catalogue', { kind: 'fees' }],
        ['get_customer_overview', { external_customer_id: 'zglob' }],
        ['get_customer', { external_customer_id: 'globex', detail: 'full' }],
      ];
      for (const [tool, args] of lists) {
        const answer = await text(tool, args);
        expect(answer, tool).toMatch(/zglob|globex/);
        expect(answer, tool).not.toMatch(/acmark|qhool|billing@|\+1 /);
      }
    });

    it.each([acme, hooli])('a record of $customer, whom only one of both names, is a missing one', async other => {
      const calls: [string, object, string][] = [
        ['get_customer', { external_customer_id: other.customer }, 'customer_not_found'],
        ['get_invoice', { svc_id: other.invoice }, 'invoice_not_found'],
        ['get_subscription', { external_id: other.subscription }, 'no_match'],
        ['update_wallet', { svc_id: other.wallet, name: 'Mine', dry_run: true }, 'wallet_not_found'],
        ['update_invoice', { svc_id: other.invoice, payment_status: 'failed' }, 'invoice_not_found'],
      ];
      for (const [tool, args, expected] of calls) expect([tool, await code(tool, args)]).toEqual([tool, expected]);
    });

    it('a search by what is hidden finds nobody, and one by what is shown finds its own customer', async () => {
      const found = async (search_term: string) => {
        const { result } = await callModern(server.url, 'find_customers', { search_term }, options);
        return [result.structuredContent.customers?.length ?? 0, result.structuredContent.shown];
      };
      expect(await found('billing@zglob')).toEqual([0, '0 of 0']);
      expect(await found('billing@acmark')).toEqual([0, '0 of 0']);
      expect(await found('zglob')).toEqual([1, '1 of 1']);
    });

    it('the tools are those of the role, without those of the whole account', async () => {
      const { result } = await requestLegacy(server.url, 'tools/list', {}, options);
      const names = result.tools.map(({ name }: { name: string }) => name);
      expect(names).toEqual(expect.arrayContaining(['get_customer', 'update_wallet']));
      for (const name of ['get_payment', 'get_revenue', 'update_add_on']) expect(names).not.toContain(name);
      expect(await code('get_payment', { svc_id: globex.payment })).toBe('tool_not_offered');
      expect(await code('get_revenue', { report: 'overdue' })).toBe('tool_not_offered');
    });

    it('a write that was asked for here is not decided in the role that only reads, nor for another customer', async () => {
      const args = { svc_id: globex.wallet, name: `Of ${_}` };
      const shows = { capabilities: { extensions: { 'io.modelcontextprotocol/ui': {} } } };
      const asked = await callModern(server.url, 'update_wallet', args, both(options, shows));
      const { approval } = asked.result._meta['usage-billing/page'];
      expect(JSON.stringify(asked.result.structuredContent)).not.toContain(approval.confirmation);
      const { confirmation } = approval;
      const pressed = { tool: 'update_wallet', arguments: args, confirmation, decision: 'approve' };
      const as = async (caller: CallOptions, customers: string[]) =>
        code('decide_write', pressed, both(caller, shows, put(await customerToken(customers))));
      expect(await as(reader, ['globex', 'hooli'])).toBe('read_only');
      expect(await code('decide_write', pressed, both(desk, shows))).toBe('binding_needed');
      expect(await as(desk, ['hooli'])).toBe('wallet_not_found');
      expect(await as(desk, ['globex', 'acme'])).toBe('confirmation_mismatch');
      expect(await as(desk, ['globex'])).toBe('ok');
    });

    it('a request without a token is refused, whatever the role allows', async () => {
      expect(await code('get_customer', { external_customer_id: 'globex' }, desk)).toBe('binding_needed');
    });
  },
);
