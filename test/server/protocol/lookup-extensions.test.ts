/** Resources, completion and prompts that stand on lookups. */
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { detailNames } from '../../../src/definition/selection.ts';
import { getPrompt, prompts } from '../../../src/server/protocol/prompts.ts';
import { toolByName } from '../../../tools/all-tools.ts';
import { lookupBody } from '../../tools/lookup-bodies.ts';
import { type LookupWorld, lookupWorld, meta, refusal, type Script } from '../../tools/lookup-upstream.ts';
import { connectHere } from './hosts.ts';

let world: LookupWorld | undefined;
let client: Client | undefined;
afterEach(async () => {
  await client?.close();
  await world?.close();
  client = undefined;
  world = undefined;
});

async function connect(script: Script, env: Record<string, string> = {}): Promise<Client> {
  world = await lookupWorld(env);
  world.script(script);
  client = await connectHere(world.runtime, '2025-11-25', {}, world.runtime.ownCaller());
  return client;
}

const svc_id = 'cccccccc-cccc-4ccc-8ccc-cccccccccccc';
const everything: Script = url => {
  const name = url.pathname.endsWith('/customers') ? 'Northwind' : 'A';
  const record = { svc_id, external_id: 'northwind', number: 'NW-1', name, status: 'active', currency: 'USD' };
  return lookupBody(url.pathname, record);
};
const read = async (uri: string, script: Script = everything, env = {}) => {
  const { contents } = await (await connect(script, env)).readResource({ uri });
  return JSON.parse((contents[0] as { text: string }).text);
};

describe('the resource of', () => {
  it('a customer’s overview is what the tool answers', async () => {
    const answer = await read('billing://customers/northwind/overview');
    const told = await world!.call('get_customer_overview', { external_customer_id: 'northwind' });
    expect(answer).toEqual(told);
  });

  it('an invoice is the whole record, found by its number', async () => {
    const answer = await read('billing://invoices/NW-1');
    expect(answer.invoice).toMatchObject({ svc_id, number: 'NW-1', name: 'A' });
    expect(world!.asked[0]).toMatch(/^\/invoices\?.*search_term=NW-1/);
  });

  it.each([
    ['billing://customers/northwind/overview', 'get_customer_overview'],
    ['billing://invoices/NW-1', 'get_invoice'],
  ])('%s is not read for a caller who may not use %s', async (uri, tool) => {
    await expect(read(uri, everything, { BILLING_EXCLUDE_TOOLS: tool })).rejects.toThrow(tool);
    expect(world!.asked).toEqual([]);
  });

  it('a record that does not exist says so, with the next step', async () => {
    const script = {
      '/customers/nobody': refusal(404, 'customer_not_found'),
      '/customers': { customers: [], meta: meta(0) },
    };
    const uri = 'billing://customers/nobody/overview';
    await expect(read(uri, script)).rejects.toThrow(/customer_not_found.*find_customers/);
  });

  it.each([
    'billing://invoices/NW-1/overview',
    'billing://plans/a/overview',
    'billing://customers/overview/overview/x',
  ])('%s does not exist', async uri => {
    await expect(read(uri)).rejects.toThrow(/not found/i);
  });
});

describe('completion', () => {
  const completed = async (name: string, value: string, script: Script, given?: Record<string, string>, env = {}) => {
    const asking = client && world ? client : await connect(script, env);
    const ref = { type: 'ref/prompt', name: 'customer_briefing' } as const;
    const params = { ref, argument: { name, value }, ...(given && { context: { arguments: given } }) };
    return (await asking.complete(params)).completion.values;
  };
  const customers = {
    customers: [
      { external_id: 'acme', name: 'Acme', legal_name: 'Northern Acme Ltd' },
      { external_id: 'c-17', name: 'Northwind Logistics' },
      { external_id: 'northwind', name: 'NW' },
    ],
    meta: meta(3),
  };
  const subscriptions = {
    subscriptions: [
      { external_id: 'acme-main', name: 'Main', plan_code: 'studio' },
      { external_id: 'acme-old', name: null, plan_code: 'starter' },
    ],
    meta: meta(2),
  };

  it('of a customer gives ids by letters of a name or id, those that begin with them first', async () => {
    const found = await completed('external_customer_id', 'North', { '/customers': customers });
    expect(found).toEqual(['northwind', 'acme', 'c-17']);
    expect(world!.asked).toEqual(['/customers?search_term=north&per_page=100']);
  });

  it.each([
    ['a blank for a non-breaking one', 'Café No', 'Café\u00a0Noir'],
    ['composed letters for decomposed ones', 'Café'.normalize('NFC'), 'Café Noir'.normalize('NFD')],
    ['decomposed letters for composed ones', 'Café'.normalize('NFD'), 'Café Noir'.normalize('NFC')],
    ['nothing but such letters', '김'.normalize('NFD'), '김치'.normalize('NFC')],
  ])('of a customer finds a name as people read it: %s', async (_, typed, name) => {
    const script: Script = url => {
      const term = url.searchParams.get('search_term') ?? '';
      const rows = [{ external_id: 'c-17', name }].filter(row => row.name.toLowerCase().includes(term));
      return { customers: rows, meta: meta(rows.length) };
    };
    expect(await completed('external_customer_id', typed, script)).toEqual(['c-17']);
  });

  it('asks once in half a minute for the same letters', async () => {
    for (let i = 0; i < 3; i++) await completed('external_customer_id', 'no', { '/customers': customers });
    await completed('external_customer_id', 'nor', {});
    expect(world!.asked).toEqual(['/customers?search_term=no&per_page=100', '/customers?search_term=nor&per_page=100']);
  });

  it('of a subscription gives those of the customer that was chosen before', async () => {
    const script = { '/customers/acme/subscriptions': subscriptions };
    expect(await completed('external_subscription_id', 'stud', script, { external_customer_id: 'acme' })).toEqual([
      'acme-main',
    ]);
    expect(world!.asked[0]).toMatch(/^\/customers\/acme\/subscriptions\?status\[\]=pending|active/);
  });

  it('of a subscription without a customer gives the account’s', async () => {
    const script = { '/subscriptions': subscriptions };
    expect(await completed('external_subscription_id', 'acme', script)).toEqual(['acme-main', 'acme-old']);
  });

  it.each<[string, string, { env?: Record<string, string>; given?: Record<string, string> }, Script]>([
    ['which may not use it', 'customer', { env: { BILLING_LOOKUPS: 'false' } }, { '/customers': customers }],
    ['of an account without the path', 'customer', {}, {}],
    ['with a customer that no path can hold', 'subscription', { given: { external_customer_id: '..' } }, {}],
  ])('is empty for a caller %s', async (_, of, { env, given }, script) => {
    expect(await completed(`external_${of}_id`, 'n', script, given, env)).toEqual([]);
  });
});

describe('the prompts', () => {
  it('name tools that exist, with names of details that these take', () => {
    for (const { name, arguments: wanted = [] } of prompts) {
      const found = getPrompt(name, Object.fromEntries(wanted.map(argument => [argument.name, 'x'])));
      const [message] = 'prompt' in found ? found.prompt.messages : [];
      const { text } = (message?.content ?? { text: '' }) as { text: string };
      const named = text.match(/\b(?:get|list|find|preview|compare|estimate|update)_[a-z_]+/g) ?? [];
      expect(named.filter(tool => !toolByName.has(tool))).toEqual([]);
      for (const [, tool, details] of text.matchAll(/Call (\w+) [^\n]*detail "([a-z_,]+)"/g)) {
        const known = ['full', ...detailNames(toolByName.get(tool!)!)];
        expect(details!.split(',').filter(detail => !known.includes(detail))).toEqual([]);
      }
    }
  });
});
