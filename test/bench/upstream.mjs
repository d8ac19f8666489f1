// A billing API that answers at once: GET /api/v1/customers/{id} with a body of about 4 KB, other customers' data invented
// from the specification's fields. GET /__stats returns the number of requests, so that no server can win by not asking.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { fileURLToPath } from 'node:url';

export const apiKey = 'bench-key';

const address = {
  ...{ address_line1: '5230 Penfield Ave', address_line2: null },
  ...{ city: 'Woodland Hills', state: 'CA', country: 'US', zipcode: '91364' },
};
const at = '2026-01-01T00:00:00Z';
const uuid = n => `5eb02857-a71e-4ea2-bcf9-57d3a41b${String(n).padStart(4, '0')}`;

export const customer = {
  svc_id: uuid(1),
  sequential_id: 101,
  slug: 'BENCH-1A2B-101',
  external_id: 'cust_1',
  applicable_timezone: 'America/Los_Angeles',
  billing_entity_code: 'acme_corp',
  ...address,
  currency: 'USD',
  email: 'dinesh@example.test',
  legal_name: 'Coleman-Blair',
  legal_number: '49-008-2965',
  logo_url: 'https://files.example.test/logo.png',
  name: 'Gavin Belson',
  firstname: 'Gavin',
  lastname: 'Belson',
  account_type: 'customer',
  phone: '1-171-883-3711 x245',
  tax_identification_number: 'EU123456789',
  timezone: 'America/Los_Angeles',
  url: 'https://customer.example.test',
  net_payment_term: 30,
  created_at: at,
  updated_at: at,
  finalize_zero_amount_invoice: 'inherit',
  skip_invoice_custom_sections: false,
  billing_configuration: {
    invoice_grace_period: 3,
    payment_provider: 'provider',
    payment_provider_code: 'main',
    provider_customer_id: 'cus_12345',
    sync: true,
    sync_with_provider: true,
    document_locale: 'en',
    provider_payment_methods: ['card', 'sepa_debit'],
  },
  shipping_address: address,
  metadata: [1, 2, 3, 4].map(n => ({
    svc_id: uuid(20 + n),
    key: `field_${n}`,
    value: `a value of some length, number ${n}, as people keep them here`,
    display_in_invoice: n % 2 === 0,
    created_at: at,
  })),
  integration_customers: [
    {
      svc_id: uuid(30),
      type: 'accounting',
      integration_code: 'books',
      external_customer_id: 'ext-9',
      subsidiary_id: '2',
      targeted_object: 'companies',
      email: 'books@example.test',
      sync_with_provider: true,
    },
  ],
  taxes: [1, 2].map(n => ({
    svc_id: uuid(40 + n),
    name: `Tax ${n}`,
    code: `tax_${n}`,
    description: 'A tax of this region, as it applies to services that are rendered electronically',
    rate: 10 * n,
    applied_to_organization: false,
    created_at: at,
  })),
  applicable_invoice_custom_sections: [1, 2].map(n => ({
    svc_id: uuid(50 + n),
    name: `Section ${n}`,
    code: `section_${n}`,
    description: 'Shown at the foot of every invoice',
    details:
      'These are the terms that apply to the invoice above, in one long sentence that customers rarely read to its end.',
    display_name: `Terms ${n}`,
    applied_to_organization: true,
    organization_id: uuid(60),
    created_at: at,
  })),
  error_details: [{ svc_id: uuid(70), error_code: 'tax_error', details: { tax_error: 'taxDateTooFarInFuture' } }],
};

/** Starts the API as a process of its own, on a free port of the loopback address. */
export async function startUpstream() {
  const stdio = ['ignore', 'pipe', 'inherit'];
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'serve'], { stdio });
  const [line] = await once(child.stdout, 'data');
  const origin = `http://127.0.0.1:${String(line).trim()}`;
  const environment = { BILLING_BASE_URL: origin, BILLING_API_KEY: apiKey };
  return { origin, environment, stop: () => child.kill() };
}

if (process.argv[2] === 'serve') {
  const stats = { requests: 0 };
  const body = Buffer.from(JSON.stringify({ customer }));
  const server = http.createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume();
    if (request.url === '/__stats') return response.end(JSON.stringify(stats));
    stats.requests += 1;
    const status = request.headers.authorization === `Bearer ${apiKey}` ? 200 : 401;
    const answer = status === 200 ? body : Buffer.from('{"status":401,"error":"Unauthorized"}');
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer);
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
}
