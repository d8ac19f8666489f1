import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUpstreams, type Upstreams } from '../../../src/calls/api/account/upstreams.ts';
import type { UpstreamCall } from '../../../src/calls/api/http/client.ts';
import type { ToolError } from '../../../src/definition/failure.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { anyone } from './anyone.ts';

const uuid = '5eb02857-a71e-4ea2-bcf9-57d3a41bc6ba';
const read: UpstreamCall = {
  ...({ tool: 'get_customer', effect: 'read', method: 'GET', target: '/customers/a', body: undefined } as const),
  ids: { external_customer_id: 'a' },
};
const preview = {
  tool: 'preview_invoice',
  effect: 'compute',
  method: 'POST',
  target: '/invoices/preview',
  body: {},
} as const;
const write = { tool: 'update_add_on', effect: 'write', method: 'PUT', target: '/add_ons/a', body: {} } as const;

let api: Server;
let upstreams: Upstreams;
let next: { status: number; text: string; headers: Record<string, string> };

beforeAll(async () => {
  api = createServer((request, response) => {
    request.resume();
    response.writeHead(next.status, { 'content-type': 'application/json', ...next.headers });
    response.end(next.text);
  });
  await new Promise<void>(resolve => api.listen(0, '127.0.0.1', resolve));
  upstreams = createUpstreams({ timeoutMs: 3000, maxRetries: 0, maxConcurrency: 4, idPrefix: 'svc_' });
});
afterAll(async () => {
  await upstreams.close();
  api.closeAllConnections();
  api.close();
});

let keys = 0;
async function refused(call: UpstreamCall, status: number, body: unknown, headers = {}): Promise<ToolError> {
  next = { status, text: typeof body === 'string' ? body : JSON.stringify(body), headers };
  const { port } = api.address() as AddressInfo;
  // Each call has its own key, so that the rate limit in one refusal does not delay the next call.
  const answer = await upstreams.of(`http://127.0.0.1:${port}`, `secret-${keys++}`, ...anyone()).send(call);
  if (answer.ok) throw new Error('was not refused');
  return answer.error;
}

const forbidden = { status: 403, error: 'Forbidden' };
const notFound = { status: 404, error: 'Not Found' };
const unprocessable = { status: 422, error: 'Unprocessable Entity' };
type Row = [status: number, body: object, code: string, said: RegExp, hint: RegExp];
// biome-ignore format: a table
const rows: Row[] = [
  [400, { status: 400, error: 'BadRequest: param is missing or the value is empty or invalid: wallet' }, 'http_400', /param is missing/, /Compare the arguments/],
  [400, { status: 400, error: 'coupons_must_be_an_array' }, 'coupons_must_be_an_array', /coupons_must_be_an_array/, /Send coupons as a list/],
  [400, { status: 400, error: 'subscriptions_must_be_an_object' }, 'subscriptions_must_be_an_object', /subscriptions/, /Send subscriptions as an object/],
  [401, { status: 401, error: 'Unauthorized' }, 'http_401', /Unauthorized/, /BILLING_API_KEY/],
  [403, { ...forbidden, code: 'feature_unavailable' }, 'feature_unavailable', /Forbidden/, /license of the billing service/],
  [403, { ...forbidden, code: 'write_action_not_allowed_for_wallet' }, 'write_action_not_allowed_for_wallet', /Forbidden/, /lacks the permission “write wallet”/],
  [404, { ...notFound, code: 'customer_not_found' }, 'customer_not_found', /there is no customer "a" \(customer_not_found\)/, /^Check the ID/],
  [404, { ...notFound, code: 'wallet_transaction_not_found' }, 'wallet_transaction_not_found', /there is no such wallet transaction/, /^Check the ID/],
  [404, { ...notFound, code: 'resource_not_found' }, 'resource_not_found', /Not Found/, /BILLING_BASE_URL/],
  [405, { status: 405, error: 'Method Not Allowed', code: 'update_on_voided_invoice' }, 'update_on_voided_invoice', /Not Allowed/, /voided invoice cannot be changed/],
  [405, { status: 405, error: 'Method Not Allowed', code: 'something_new' }, 'something_new', /Not Allowed/, /state does not allow/],
  [422, { ...unprocessable, code: 'validation_errors', error_details: { amount_cents: ['value_is_out_of_range'] } }, 'validation_errors', /amount_cents must be greater than 0/, /Correct amount_cents.*minor unit/],
  [422, { ...unprocessable, code: 'validation_errors', error_details: { 0: { code: ['value_already_exist'] } } }, 'validation_errors', /value_already_exist/, /Correct 0/],
  [422, { ...unprocessable, code: 'validation_errors', error_details: 'invalid expression' }, 'validation_errors', /invalid expression/, /Correct the arguments/],
  [422, { ...unprocessable, code: 'lock_acquisition_failed' }, 'lock_acquisition_failed', /Unprocessable/, /Someone else is changing/],
  [429, { status: 429, error: 'Too Many Requests' }, 'http_429', /Too Many/, /Wait a moment/],
  [503, { status: 503, error: 'Service Unavailable', code: 'database_unavailable', error_details: 'The database does not answer.' }, 'database_unavailable', /database does not answer/, /^Retry in a minute/],
  [507, { status: 507, error: 'Insufficient Storage', code: 'disk_full', error_details: 'The disk is full.' }, 'disk_full', /disk is full/, /^Tell the user that the disk/],
];

describe('a refusal', () => {
  for (const [status, body, code, said, hint] of rows) {
    it(`${status} ${code} is one sentence with a next step, and nothing has changed`, async () => {
      for (const call of [read, write]) {
        const error = await refused({ ...call, ids: read.ids }, status, body);
        expect(error).toMatchObject({ status, code, changed: false });
        expect(error.message).toMatch(said);
        expect(error.message).toContain(call.tool);
        expect(error.hint).toMatch(hint);
      }
    });
  }

  // biome-ignore format: a table
  it.each<[string, number, object, string]>([
    ['both', 502, { type: 'about:blank', title: 'Bad Gateway', status: 502, detail: 'The service is being moved.' }, 'the service returned 502 (http_502): Bad Gateway: The service is being moved.'],
    ['a title alone', 403, { title: 'Quota exceeded' }, 'the service returned 403 (http_403): Quota exceeded'],
    ['a detail alone', 400, { detail: 'customer is <b>required</b>' }, 'the service returned 400 (http_400): customer is  required '],
    ['the same twice', 404, { title: 'Not Found', detail: 'Not Found' }, 'the service returned 404 (http_404): Not Found'],
    ['the service’s own words besides', 403, { ...forbidden, code: 'feature_unavailable', title: 'No' }, 'the service returned 403 (feature_unavailable): Forbidden'],
    ['neither as text', 418, { title: 7, detail: { a: 1 } }, 'the service returned 418 (http_418): no readable reason'],
  ])('as application/problem+json with %s is told in its words', async (_, status, body, said) => {
    const { message } = await refused(read, status, body, { 'content-type': 'application/problem+json' });
    expect(message).toBe(`get_customer: ${said}`);
  });

  it('says how long a rate limit lasts, in whatever form the API gives it', async () => {
    const soon = new Date(Date.now() + 90_000);
    const forms = [
      { 'retry-after': '90' },
      { 'retry-after': soon.toUTCString() },
      { 'x-ratelimit-reset': '90' },
      { 'x-ratelimit-reset': `${Math.floor(soon.getTime() / 1000)}` },
      { 'x-ratelimit-reset': soon.toISOString() },
    ];
    for (const headers of forms) {
      const { hint } = await refused(write, 429, { status: 429, error: 'Too Many Requests' }, headers);
      expect(Number(/Wait (\d+) s/.exec(hint)?.[1]), JSON.stringify(headers)).toBeGreaterThan(80);
    }
  });

  it('explains the mistake when the service’s own id was used instead of the customer’s', async () => {
    const call = { ...read, ids: { external_customer_id: uuid } };
    const { hint } = await refused(call, 404, { ...notFound, code: 'customer_not_found' });
    expect(hint).toMatch(/that the service generated/);
  });

  it('names an id of the same kind in the demo', async () => {
    const { hint } = await refused({ ...read, demoIds: { plan: 'studio', customer: 'acme' } }, 404, {
      ...notFound,
      code: 'plan_not_found',
    });
    expect(hint).toContain('Example from the demo: studio.');
  });

  for (const text of [
    '',
    'null',
    '[]',
    '"no"',
    '42',
    '{"error":{"a":1}}',
    '{"code":7}',
    'Bad gateway',
    '<html>no</html>',
  ]) {
    for (const status of [302, 400, 418, 500]) {
      it(`${status} with ${text || 'nothing'} still gives a clear sentence`, async () => {
        const error = await refused(read, status, text);
        expect(error.message).toMatch(
          new RegExp(`^get_customer: the service returned ${status} \\(http_${status}\\): .{5,}`),
        );
        expect(error.message + error.hint).not.toMatch(/undefined|null|\[object|<html/);
        expect(error.hint).not.toBe('');
      });
    }
  }

  it('never repeats the key, whatever the service says', async () => {
    const body = { ...unprocessable, code: 'validation_errors', error_details: { key: [`secret-${keys}`] } };
    const secret = `secret-${keys}`;
    expect(JSON.stringify(await refused(write, 422, body))).not.toContain(secret);
  });
});

describe('a write that got no clear answer', () => {
  it('may be stored when the service lost its database meanwhile', async () => {
    const lost = { status: 503, error: 'Service Unavailable', code: 'database_lost' };
    expect(await refused(write, 503, lost)).toMatchObject({ code: 'database_lost', changed: 'unknown' });
  });

  const writes = toolDefinitions.filter(tool => tool.change !== undefined);
  for (const { name, effect } of writes) {
    it(`of ${name} says what to read before the write is repeated`, async () => {
      const error = await refused({ ...write, tool: name, effect }, 500, { status: 500 });
      expect(error.changed).toBe('unknown');
      expect(error.hint).toMatch(/^Do not repeat it yet: (?!read the record first).{20,}/);
    });
  }

  it('does not include a read or a computation, which change nothing', async () => {
    for (const call of [read, preview]) {
      const error = await refused(call, 500, { status: 500 });
      expect(error.changed).toBe(false);
      expect(error.hint).not.toContain('repeat');
    }
  });

  for (const code of ['provider_error', 'third_party_error']) {
    it(`includes one that failed at a third party (${code})`, async () => {
      expect((await refused(write, 422, { ...unprocessable, code })).changed).toBe('unknown');
    });
  }
});
