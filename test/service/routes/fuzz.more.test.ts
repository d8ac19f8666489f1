import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import { runs } from '../../support/extent.ts';
import { withPostgres } from '../../support/postgres.ts';

const KEY = 'a-key-for-the-fuzz-test';
const postgres = await withPostgres();
const databases: [string, () => Promise<string | undefined>][] = [['SQLite', async () => undefined]];
if (postgres) databases.push(['PostgreSQL', () => postgres.freshDatabase()]);

const values: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(null, true, 0, -1, 1e308, 2 ** 60, 0.1, '', ' ', 'a\0b', '\ud800', '1e5', '-0', '١٢', {}, []),
  fc.constantFrom('2026-01-01', '2030-02-30T00:00:00Z', '0000-01-01', '9999-12-31T23:59:59-14:00', 'USD', 'KWD'),
  fc.constantFrom(...Object.values(demoIds)),
);

/** An object with a few of an endpoint's fields and any values: only a few, so that more than the first check is reached. */
function fields(...names: string[]): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: nested(names, {}), weight: 5 }, { arbitrary: values, weight: 1 });
}

/** The same, with objects and lists of known structure in some fields. */
function nested(flat: string[], deep: { [name: string]: fc.Arbitrary<unknown> }): fc.Arbitrary<unknown> {
  const all: { [name: string]: fc.Arbitrary<unknown> } = {
    ...Object.fromEntries(flat.map(name => [name, values])),
    ...deep,
  };
  // Fields of known structure are chosen as often as all the others together.
  const often = Object.keys(deep);
  const drawn = fc.oneof(fc.constantFrom(...Object.keys(all)), fc.constantFrom(...(often.length > 0 ? often : flat)));
  return fc
    .uniqueArray(drawn, { minLength: 1, maxLength: 3 })
    .chain(names => fc.record(Object.fromEntries(names.map(name => [name, all[name]!]))));
}

const lists = (entry: fc.Arbitrary<unknown>) => fc.oneof(fc.array(entry, { maxLength: 4 }), values);
const money = fc.oneof(fc.nat(100_000), values);
const filter = fields('values', 'properties', 'invoice_display_name');
const charge = nested(['id', 'billable_metric_id', 'charge_model', 'min_amount_cents', 'tax_codes', 'code'], {
  properties: fields('amount', 'graduated_ranges', 'volume_ranges', 'package_size', 'free_units', 'rate'),
  filters: lists(filter),
});
const overrides = nested(['name', 'amount_currency', 'trial_period', 'tax_codes', 'description', 'usage_thresholds'], {
  amount_cents: money,
  charges: lists(charge),
  fixed_charges: lists(fields('id', 'units', 'properties', 'tax_codes', 'invoice_display_name')),
  minimum_commitment: fields('amount_cents', 'tax_codes', 'invoice_display_name'),
});
const rule = fields('svc_id', 'trigger', 'method', 'interval', 'paid_credits', 'threshold_credits', 'expiration_at');
const threshold = fields('code', 'value', 'recurring');
const alert = nested(['code', 'name', 'billable_metric_code'], {
  alert_type: fc.oneof(fc.constantFrom('current_usage_amount', 'billable_metric_current_usage_units'), values),
  thresholds: lists(threshold),
});

interface Endpoint {
  method: string;
  /** The path parts, with a known value for each id. */
  path: string[];
  body?: fc.Arbitrary<unknown>;
}

const wrap = (key: string, inner: fc.Arbitrary<unknown>) => inner.map(value => ({ [key]: value }));
const subscriptionPath = ['subscriptions', demoIds.external_subscription_id];

const endpoints: Endpoint[] = [
  {
    method: 'PUT',
    path: ['wallets', demoIds.wallet_svc_id],
    body: wrap(
      'wallet',
      nested(
        ['name', 'code', 'priority', 'expiration_at', 'metadata', 'billing_entity_code', 'purchase_order_number'],
        {
          applies_to: fields('fee_types', 'billable_metric_codes'),
          recurring_transaction_rules: lists(rule),
          payment_method: fields('payment_method_type', 'payment_method_id'),
          invoice_custom_section: fields('skip_invoice_custom_sections', 'invoice_custom_section_codes'),
          paid_top_up_min_amount_cents: money,
          paid_top_up_max_amount_cents: money,
        },
      ),
    ),
  },
  {
    method: 'PUT',
    path: subscriptionPath,
    body: wrap(
      'subscription',
      nested(['name', 'ending_at', 'subscription_at', 'on_termination_credit_note', 'activation_rules'], {
        plan_overrides: overrides,
        usage_thresholds: lists(fields('amount_cents', 'threshold_display_name', 'recurring')),
      }),
    ),
  },
  {
    method: 'PUT',
    path: ['credit_notes', demoIds.credit_note_svc_id],
    body: wrap('credit_note', fields('refund_status', 'metadata')),
  },
  {
    method: 'PUT',
    path: ['add_ons', demoIds.add_on_code],
    body: wrap('add_on', fields('name', 'code', 'description', 'amount_cents', 'amount_currency', 'tax_codes')),
  },
  { method: 'DELETE', path: ['add_ons', 'no-such-add-on'] },
  {
    method: 'PUT',
    path: ['invoices', demoIds.invoice_svc_id],
    body: wrap('invoice', nested(['payment_status'], { metadata: lists(fields('id', 'key', 'value')) })),
  },
  {
    method: 'POST',
    path: ['invoices', 'preview'],
    body: nested(['billing_time', 'subscription_at', 'billing_entity_code'], {
      plan_code: fc.oneof(fc.constant(demoIds.plan_code), values),
      customer: fields(
        'external_id',
        'name',
        'currency',
        'timezone',
        'country',
        'shipping_address',
        'integration_customers',
      ),
      coupons: lists(fields('code', 'coupon_type', 'amount_cents', 'amount_currency', 'percentage_rate', 'frequency')),
      subscriptions: fields('external_ids', 'plan_code', 'terminated_at'),
    }),
  },
  { method: 'GET', path: ['customers', demoIds.external_customer_id] },
  { method: 'GET', path: ['customers', demoIds.external_customer_id, 'portal_url'] },
  {
    method: 'POST',
    path: [...subscriptionPath, 'alerts'],
    body: fc.oneof(wrap('alert', alert), wrap('alerts', lists(alert))),
  },
  { method: 'GET', path: [...subscriptionPath, 'alerts'] },
  {
    method: 'GET',
    path: [
      'customers',
      demoIds.external_customer_id,
      'wallets',
      demoIds.wallet_code,
      'alerts',
      demoIds.wallet_alert_code,
    ],
  },
  {
    method: 'POST',
    path: ['billing_entities'],
    body: wrap(
      'billing_entity',
      nested(['code', 'name', 'default_currency', 'country', 'timezone', 'email', 'logo', 'eu_tax_management'], {
        billing_configuration: fields('invoice_footer', 'document_locale', 'invoice_grace_period'),
        net_payment_term: money,
      }),
    ),
  },
  { method: 'GET', path: ['payments', demoIds.payment_svc_id] },
  { method: 'GET', path: ['wallets', demoIds.wallet_svc_id] },
  { method: 'GET', path: ['add_ons', demoIds.add_on_code] },
  { method: 'GET', path: subscriptionPath },
  { method: 'GET', path: ['plans'] },
  { method: 'GET', path: ['wallet_transactions', demoIds.wallet_transaction_svc_id] },
  {
    method: 'POST',
    path: ['events', 'estimate_fees'],
    body: wrap(
      'event',
      nested(['timestamp', 'precise_total_amount_cents'], {
        code: fc.oneof(fc.constant(demoIds.billable_metric_code), values),
        external_subscription_id: fc.oneof(fc.constant(demoIds.external_subscription_id), values),
        properties: fields('value', 'tokens', 'minutes', 'operation_type', 'precise_total_amount_cents'),
      }),
    ),
  },
  { method: 'GET', path: ['webhook_endpoints', demoIds.webhook_endpoint_svc_id] },
  { method: 'GET', path: ['events', demoIds.event_transaction_id] },
];

describe.each(databases)('no input breaks the service on %s', (_, freshDatabase) => {
  let child: ChildProcess;
  let base: string;
  let ended = false;

  beforeAll(async () => {
    const script = fileURLToPath(new URL('./fuzz-child.ts', import.meta.url));
    const databaseUrl = await freshDatabase();
    child = spawn(process.execPath, ['--import', 'tsx', script, KEY, databaseUrl ?? ''], {
      // Otherwise it leaves what it has compiled in the folder for temporary files.
      env: { ...process.env, TSX_DISABLE_CACHE: '1' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.once('exit', () => {
      ended = true;
    });
    for await (const line of createInterface({ input: child.stdout! })) {
      base = line;
      break;
    }
  });
  afterAll(async () => {
    child.stdin?.end();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });

  /** Sends one request, as raw as HTTP allows; returns the status and the parsed body. */
  function send(
    method: string,
    path: string,
    body?: string,
  ): Promise<{ status: number; body: { [key: string]: unknown } }> {
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${KEY}`,
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      };
      const url = new URL(base);
      const options = { host: url.hostname, port: url.port, method, path: `/api/v1${path}`, headers };
      const sent = httpRequest(options, response => {
        let text = '';
        response.setEncoding('utf8').on('data', chunk => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode!, body: JSON.parse(text) }));
      });
      sent.on('error', reject).end(body);
    });
  }

  function expectClear({ status, body }: { status: number; body: { [key: string]: unknown } }, what: string): void {
    expect(status, what).toBeLessThan(500);
    if (status === 200) return;
    expect([400, 403, 404, 405, 413, 415, 422], what).toContain(status);
    expect(body.status, what).toBe(status);
    expect(typeof body.error, what).toBe('string');
  }

  it.each(endpoints.filter(endpoint => endpoint.body))(
    '$method $path accepts any body',
    async ({ method, path, body }) => {
      await fc.assert(
        fc.asyncProperty(body!, async value => {
          const text = JSON.stringify(value);
          const target = `/${path.map(encodeURIComponent).join('/')}`;
          expectClear(await send(method, target, text), text);
        }),
        runs(60),
      );
      expect(ended).toBe(false);
    },
  );

  it.each(endpoints)('$method $path accepts any path and query', async ({ method, path }) => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.constantFrom('..', '.', '%', '\0', '/', '?', '#'),
    );
    const query = fc.record(
      { page: fc.string(), per_page: fc.string(), status: fc.string(), subscription_status: fc.string() },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 3, maxLength: 3 }), query, async (parts, search) => {
        const replaced = path.map((known, index) => (index % 2 === 1 ? parts[(index - 1) / 2]! : known));
        const encoded = replaced.map(each => encodeURIComponent(Buffer.from(each).toString()));
        const target = `/${encoded.join('/')}?${new URLSearchParams(search as { [key: string]: string })}`;
        expectClear(
          await send(method, target, method === 'GET' || method === 'DELETE' ? undefined : '{"x":1}'),
          target,
        );
      }),
      runs(25),
    );
    expect(ended).toBe(false);
  });

  it('accepts any bytes as a path', async () => {
    const path = fc.string({ minLength: 1, unit: 'grapheme-ascii' }).filter(text => !/[^!-~]/.test(text));
    await fc.assert(
      fc.asyncProperty(path, async text => expectClear(await send('GET', `/customers/${text}`), text)),
      runs(60),
    );
  });

  it('has lost nothing: the account is complete', async () => {
    const { body: customer } = await send('GET', `/customers/${demoIds.external_customer_id}`);
    expect(customer).toHaveProperty('customer.external_id', demoIds.external_customer_id);
    const { body: plans } = await send('GET', '/plans');
    expect((plans.plans as { code: string }[]).map(plan => plan.code)).toContain(demoIds.plan_code);
    const { body: event } = await send('GET', `/events/${demoIds.event_transaction_id}`);
    expect(event).toHaveProperty('event.transaction_id', demoIds.event_transaction_id);
    const { body: payment } = await send('GET', `/payments/${demoIds.payment_svc_id}`);
    expect(payment).toHaveProperty('svc_id', demoIds.payment_svc_id);
    expect(ended).toBe(false);
  });
});
