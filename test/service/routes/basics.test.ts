import { describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { JsonObject } from '../../../src/engine/records/index.ts';
import { expectMissing, expectOk, expectRefused, KEY, OTHER_KEY, sharedService } from './service.ts';

const service = sharedService();

const nobody = '00000000-0000-4000-8000-000000000000';
const unauthorized = { status: 401, error: 'Unauthorized' };

describe('a key', () => {
  it.each([
    ['no header', ''],
    ['no key', 'Bearer'],
    ['an unknown key', 'Bearer nobody-knows-it'],
    ['a key without a scheme', KEY],
  ])('is refused: %s', async (_, authorization) => {
    const reply = await service.call('GET', '/plans', undefined, { authorization });
    expect(reply.body).toEqual(unauthorized);
    expect(reply.status).toBe(401);
  });

  it.each(['Bearer', 'bearer', 'Token', 'X'])('is the second word after any scheme: %s', async scheme => {
    const reply = await service.call('GET', '/plans', undefined, { authorization: `${scheme}   ${KEY}` });
    expect(reply.status).toBe(200);
  });

  it.each([
    ['an unknown route', 'GET', '/nothing-here', undefined],
    ['a broken path', 'GET', '/customers/%E0%A4%A', undefined],
    ['malformed JSON', 'PUT', `/wallets/${nobody}`, '{'],
    ['an unknown record', 'GET', `/payments/${nobody}`, undefined],
    ['a body that is too large', 'POST', '/billing_entities', 'x'.repeat(3_000_000)],
  ])('is checked before %s', async (_, method, path, body) => {
    const reply = await service.call(method, path, body, { authorization: 'Bearer wrong' });
    expect(reply.body).toEqual(unauthorized);
    expect(reply.status).toBe(401);
  });

  it('gives access to its own account only', async () => {
    const other = { authorization: `Bearer ${OTHER_KEY}` };
    expectMissing(
      await service.call('GET', `/customers/${demoIds.external_customer_id}`, undefined, other),
      'customer',
    );
    expectMissing(await service.call('GET', `/payments/${demoIds.payment_svc_id}`, undefined, other), 'payment');
    const body = { wallet: { name: 'Mine now' } };
    expectMissing(await service.call('PUT', `/wallets/${demoIds.wallet_svc_id}`, body, other), 'wallet');
    expectMissing(await service.call('DELETE', `/add_ons/${demoIds.add_on_code}`, undefined, other), 'add_on');
    const plans = expectOk(await service.call('GET', '/plans', undefined, other));
    expect(plans.plans).toEqual([]);
  });
});

describe('a request that leads nowhere', () => {
  it.each([
    ['GET', '/nothing-here'],
    ['POST', '/plans'],
    ['DELETE', '/customers/acme-podcasts'],
    ['PATCH', `/wallets/${nobody}`],
  ])('%s %s is 404 resource_not_found', async (method, path) => {
    expectMissing(await service.call(method, path), 'resource');
  });

  it.each([
    ['GET', '/api_logs', 'api_logs'],
    ['GET', `/api_logs/${nobody}`, 'api_logs'],
    ['GET', '/analytics/usage', 'usage_analytics'],
    ['POST', `/invoices/${nobody}/download_pdf`, 'download_pdf'],
  ])('%s %s is refused by name: out of scope', async (method, path, name) => {
    const { status, body } = await service.call(method, path);
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'out_of_scope', error_details: { [name]: [expect.any(String)] } });
  });

  it.each([
    ['GET', '/wallet_transactions', 'wallet_transaction'],
    ['GET', '/payments', 'payment'],
    ['GET', '/webhook_endpoints', 'webhook_endpoint'],
    ['PUT', '/wallets', 'wallet'],
    ['PUT', '/invoices', 'invoice'],
    ['PUT', '/credit_notes', 'credit_note'],
  ])('%s %s/{svc_id} is 404 for unknown ids, whether UUIDs or not', async (method, path, resource) => {
    const body = method === 'PUT' ? { [resource]: { name: 'x' } } : undefined;
    for (const id of [nobody, 'not-a-uuid', '%00', '..%2f..', '1']) {
      const reply = await service.call(method, `${path}/${id}`, body);
      if (id === '%00') expectRefused(reply, { svc_id: ['value_is_invalid'] });
      else expectMissing(reply, resource);
    }
  });

  it('is 400 when its path is not percent-encoded text', async () => {
    const reply = await service.get('/customers/%E0%A4%A');
    expect(reply.body).toEqual({ status: 400, error: 'Bad Request' });
  });
});

describe('a single record for the amount limit of a write', () => {
  it('is the wallet, terminated or not', async () => {
    const { wallet } = expectOk(await service.get(`/wallets/${demoIds.wallet_svc_id}`));
    expect(wallet).toMatchObject({ svc_id: demoIds.wallet_svc_id, currency: 'USD', rate_amount: '1.0' });
    for (const id of [nobody, 'not-a-uuid']) expectMissing(await service.get(`/wallets/${id}`), 'wallet');
  });

  it('is the add-on with a code that is in use', async () => {
    const { add_on } = expectOk(await service.get(`/add_ons/${demoIds.add_on_code}`));
    expect(add_on).toMatchObject({ code: demoIds.add_on_code, amount_currency: 'USD' });
    expectMissing(await service.get('/add_ons/nothing'), 'add_on');
  });

  it('is the subscription with a status, active by default, with its plan', async () => {
    const path = `/subscriptions/${demoIds.external_subscription_id}`;
    for (const query of ['', '?status=active']) {
      const { subscription } = expectOk(await service.get(path + query));
      expect(subscription).toMatchObject({ status: 'active', plan: { code: 'studio', parent_id: null } });
    }
    expectMissing(await service.get(`${path}?status=terminated`), 'subscription');
    expectMissing(await service.get('/subscriptions/nobody'), 'subscription');
  });

  it('is the one without an end, or with the latest end, where several have the status', async () => {
    const [first] = await service.account.find('subscriptions', { external_id: demoIds.external_subscription_id });
    const ended = ['2026-01-31T00:00:00.000Z', null, '2026-02-28T00:00:00.000Z'].map((ending_at, index) => ({
      ...first!,
      id: `${index}0000000-0000-4000-8000-000000000000`,
      external_id: 'often',
      status: 'terminated' as const,
      ending_at,
    }));
    for (const subscription of ended.slice(0, 1)) await service.account.insert('subscriptions', subscription);
    const found = async () => {
      const { subscription } = expectOk(await service.get('/subscriptions/often?status=terminated'));
      return (subscription as JsonObject).svc_id;
    };
    expect(await found()).toBe(ended[0]!.id);
    await service.account.insert('subscriptions', ended[2]!);
    expect(await found()).toBe(ended[2]!.id);
    await service.account.insert('subscriptions', ended[1]!);
    expect(await found()).toBe(ended[1]!.id);
  });
});

describe('a body', () => {
  const wrappers: [string, string, string][] = [
    ['PUT', `/wallets/${nobody}`, 'wallet'],
    ['PUT', '/subscriptions/x', 'subscription'],
    ['PUT', '/add_ons/x', 'add_on'],
    ['PUT', `/invoices/${nobody}`, 'invoice'],
    ['POST', `/subscriptions/${demoIds.external_subscription_id}/alerts`, 'alert'],
    ['POST', '/billing_entities', 'billing_entity'],
    ['POST', '/events/estimate_fees', 'event'],
  ];
  it.each(wrappers)('%s %s needs its wrapper, which must not be empty', async (method, path, key) => {
    const message = `BadRequest: param is missing or the value is empty or invalid: ${key}`;
    for (const body of [{}, { [key]: {} }, { [key]: null }, { [key]: [] }, { [key]: 'text' }, [], 1, '""', '']) {
      const reply = await service.call(method, path, body);
      expect(reply.body).toEqual({ status: 400, error: message });
      expect(reply.status).toBe(400);
    }
  });

  it.each(['{', '{"wallet":', 'nonsense', `${'['.repeat(500)}${']'.repeat(500)}`])(
    'is 400 when malformed',
    async body => {
      const reply = await service.put(`/wallets/${nobody}`, body);
      expect(reply.body).toEqual({ status: 400, error: 'Bad Request' });
    },
  );

  it('has at most 2 MiB', async () => {
    const reply = await service.post('/billing_entities', { billing_entity: { name: 'x'.repeat(2 * 1024 * 1024) } });
    expect(reply.body).toEqual({ status: 413, error: 'Payload Too Large', code: 'request_body_too_large' });
  });

  it.each([
    ['a value', { wallet: { name: 'a\0b' } }, 'name'],
    ['a key', { wallet: { metadata: { 'a\0b': 'c' } } }, 'metadata'],
    ['a list', { wallet: { applies_to: { fee_types: ['\0'] } } }, 'applies_to'],
    ['an unknown field', { wallet: { unknown: '\0' } }, 'unknown'],
  ])('gets 422 when it has U+0000 in %s', async (_, body, field) => {
    expectRefused(await service.put(`/wallets/${demoIds.wallet_svc_id}`, body), { [field]: ['value_is_invalid'] });
  });

  it('may hold unknown keys', async () => {
    const body = '{"wallet":{"unknown":1,"__proto__":{"name":"x"},"constructor":{"prototype":{"name":"y"}}},"more":[]}';
    expectOk(await service.put(`/wallets/${demoIds.wallet_svc_id}`, body));
    expect(({} as { name?: string }).name).toBeUndefined();
  });
});

describe('text in paths', () => {
  const ids = ['../plans?x=1', 'a/b', 'a.b', '..', '%2F', 'c%d', 'ü – 日本', 'a b+c', '#', 'x'.repeat(250), ';&=@:'];

  it.each(ids)('reaches the service as it is: %s', async id => {
    const customer = (await service.account.find('customers'))[0]!;
    await service.account.update('customers', customer.id, { external_id: id });
    // Unless encoded, dot segments would be removed by the client's URL parser.
    const path = encodeURIComponent(id).replaceAll('.', '%2E');
    const raw = await rawGet(`/api/v1/customers/${path}`);
    await service.account.update('customers', customer.id, { external_id: customer.external_id });
    expect((raw.customer as JsonObject).external_id).toBe(id);
  });
});

/** Sends a GET without a URL library, so that the path stays as it is. */
async function rawGet(path: string): Promise<JsonObject> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const options = { path, headers: { authorization: `Bearer ${KEY}` } };
    request(service.url, options, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
    })
      .on('error', reject)
      .end();
  });
}

describe('pages', () => {
  const meta = async (query: string) => {
    const body = expectOk(await service.get(`/plans${query}`));
    return { ...(body.meta as JsonObject), rows: (body.plans as JsonObject[]).length };
  };

  it.each(['', '?page=1', '?page=0', '?page=-4', '?page=x', '?per_page=0', '?per_page=100'])(
    'with all records are page 1: %s',
    async query => {
      const total = await service.account.count('plans', { parent_id: null });
      const whole = {
        current_page: 1,
        next_page: null,
        prev_page: null,
        total_pages: 1,
        total_count: total,
        rows: total,
      };
      expect(await meta(query)).toEqual(whole);
    },
  );

  it('are as long as requested and follow each other without gaps', async () => {
    const total = await service.account.count('plans', { parent_id: null });
    const seen = new Set<unknown>();
    for (let page = 1; page <= total; page += 1) {
      const body = expectOk(await service.get(`/plans?page=${page}&per_page=1`));
      expect(body.meta).toEqual({
        current_page: page,
        next_page: page === total ? null : page + 1,
        prev_page: page === 1 ? null : page - 1,
        total_pages: total,
        total_count: total,
      });
      seen.add((body.plans as JsonObject[])[0]!.svc_id);
    }
    expect(seen.size).toBe(total);
  });

  it.each([
    ['?page=99', 99],
    ['?page=1000000&per_page=7', 1_000_000],
  ])('past the end are empty: %s', async (query, page) => {
    expect(await meta(query)).toMatchObject({ current_page: page, next_page: null, prev_page: page - 1, rows: 0 });
  });

  it.each(['?per_page=x', '?per_page=-1', '?per_page=2.5'])(
    'have 25 records when the length is not a valid number: %s',
    async query => {
      const seen = expectOk(await service.get(`/plans${query}`));
      expect(seen.meta).toMatchObject({ current_page: 1 });
      const { listPageOf } = await import('../../../src/service/routes/lists.ts');
      const fake = { query: Object.fromEntries(new URLSearchParams(query)) };
      expect(listPageOf(fake as never)).toEqual({ page: 1, size: 25 });
    },
  );

  it('of no records are page 0', async () => {
    const reply = await service.call('GET', '/plans?page=3', undefined, { authorization: `Bearer ${OTHER_KEY}` });
    const none = { current_page: 0, next_page: null, prev_page: null, total_pages: 0, total_count: 0 };
    expect(reply.body).toEqual({ plans: [], meta: none });
  });
});
