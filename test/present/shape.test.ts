import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { estimateTokens, fitList } from '../../src/present/fit.ts';
import { presentRecord } from '../../src/present/record.ts';
import { resultFieldsOf } from '../../src/present/result-fields.ts';
import { shortJson } from '../../src/present/shape.ts';
import { toolByName } from '../../tools/index.ts';

const short = (value: unknown, resource: string) => JSON.parse(shortJson(value, resource));
const content = ({ fields }: { fields: string }) => JSON.parse(`{${fields}}`);

describe('the default answer leaves out', () => {
  it.each<[string, string, object, object]>([
    [
      'nulls, empty texts, lists and objects',
      'add_on',
      { code: 'a', description: null, name: '', taxes: [], metadata: {} },
      { code: 'a' },
    ],
    [
      'but no null that means something',
      'wallet',
      { expiration_at: null, ending_at: null, name: null },
      { expiration_at: null, ending_at: null },
    ],
    [
      'nor the required nulls of a wallet transaction',
      'wallet_transaction',
      { svc_invoice_id: null, name: null, settled_at: null, payment_method: null },
      { svc_invoice_id: null, name: null, settled_at: null },
    ],
    [
      'nor those of a payment',
      'payment',
      { provider_payment_id: null, external_payment_id: null, reference: '' },
      { provider_payment_id: null, external_payment_id: null },
    ],
    [
      'nor false, zero and statuses',
      'invoice',
      { payment_overdue: false, taxes_amount_cents: 0, status: 'finalized' },
      { payment_overdue: false, taxes_amount_cents: 0, status: 'finalized' },
    ],
    [
      'a currency that the record around it has',
      'invoice',
      {
        currency: 'EUR',
        credits: [
          { amount_cents: 5, amount_currency: 'EUR' },
          { amount_cents: 5, amount_currency: 'USD' },
        ],
      },
      { currency: 'EUR', credits: [{ amount_cents: 5 }, { amount_cents: 5, amount_currency: 'USD' }] },
    ],
    [
      'ids of the record around it',
      'invoice',
      { svc_id: 'i', fees: [{ svc_invoice_id: 'i', svc_subscription_id: 's', amount_cents: 1 }] },
      { svc_id: 'i', fees: [{ svc_subscription_id: 's', amount_cents: 1 }] },
    ],
    ['an address that repeats', 'customer', { city: 'Paris', shipping_address: { city: 'Paris' } }, { city: 'Paris' }],
    [
      'exact amounts that say the same as the cents',
      'invoice',
      { fees: [{ amount_cents: 1250, amount_currency: 'USD', precise_amount: '12.5' }] },
      { fees: [{ amount_cents: 1250, amount_currency: 'USD' }] },
    ],
    [
      'but not those that say more',
      'invoice',
      { fees: [{ amount_cents: 0, amount_currency: 'USD', precise_amount: '0.002' }] },
      { fees: [{ amount_cents: 0, amount_currency: 'USD', precise_amount: '0.002' }] },
    ],
    [
      'most of the customer inside an invoice',
      'invoice',
      { customer: { svc_id: 'c', external_id: 'acme', name: 'Acme', logo_url: 'x', sequential_id: 1 } },
      { customer: { external_id: 'acme', name: 'Acme' } },
    ],
    [
      'bookkeeping of nested records',
      'customer',
      {
        external_id: 'c',
        taxes: [{ svc_id: 't', code: 'vat', rate: 20, created_at: 'x' }],
        metadata: [{ svc_id: 'm', key: 'k', value: 'v' }],
      },
      { external_id: 'c', taxes: [{ code: 'vat', rate: 20 }], metadata: [{ key: 'k', value: 'v' }] },
    ],
    [
      'numbers and addresses that are the service’s own',
      'customer',
      {
        external_id: 'acme',
        svc_organization_id: 'o',
        sequential_id: 7,
        slug: 'ACM-007',
        version_number: 4,
        xml_url: 'https://x',
      },
      { external_id: 'acme' },
    ],
    [
      'what a customer has for print, and when its record was made',
      'customer',
      { external_id: 'acme', logo_url: 'https://x', url: 'https://y', created_at: 'then', updated_at: 'later' },
      { external_id: 'acme' },
    ],
    [
      'words for print of custom sections, taxes, integrations and metadata',
      'customer',
      {
        external_id: 'acme',
        applicable_invoice_custom_sections: [{ code: 's', description: 'd', details: 'e', display_name: 'f' }],
        integration_customers: [{ type: 'x', subsidiary_id: '1', targeted_object: 'o' }],
        taxes: [{ code: 'vat', description: 'd' }],
        applied_taxes: [{ tax_code: 'vat', tax_description: 'd' }],
        metadata: [{ key: 'k', value: 'v', display_in_invoice: false }],
      },
      {
        external_id: 'acme',
        applicable_invoice_custom_sections: [{ code: 's' }],
        integration_customers: [{ type: 'x' }],
        taxes: [{ code: 'vat' }],
        applied_taxes: [{ tax_code: 'vat' }],
        metadata: [{ key: 'k', value: 'v' }],
      },
    ],
    [
      'but not the same fields of another record',
      'add_on',
      { code: 'a', description: 'd', logo_url: 'https://x', created_at: 'then' },
      { code: 'a', description: 'd', logo_url: 'https://x', created_at: 'then' },
    ],
    [
      'when a record was changed, if that was when it was made',
      'add_on',
      { created_at: 'then', updated_at: 'then' },
      { created_at: 'then' },
    ],
    [
      'but not when it was changed later',
      'add_on',
      { created_at: 'then', updated_at: 'later' },
      { created_at: 'then', updated_at: 'later' },
    ],
    [
      'what a record has unless someone chose otherwise',
      'customer',
      {
        external_id: 'acme',
        account_type: 'customer',
        finalize_zero_amount_invoice: 'inherit',
        skip_invoice_custom_sections: false,
        self_billed: false,
        pending_deletion: false,
      },
      { external_id: 'acme' },
    ],
    [
      'but not what someone chose',
      'customer',
      {
        account_type: 'partner',
        finalize_zero_amount_invoice: 'skip',
        skip_invoice_custom_sections: true,
        self_billed: true,
        pending_deletion: true,
      },
      {
        account_type: 'partner',
        finalize_zero_amount_invoice: 'skip',
        skip_invoice_custom_sections: true,
        self_billed: true,
        pending_deletion: true,
      },
    ],
    [
      'an e-mail address that repeats, and no other',
      'billing_entity',
      { email: 'a@x.example', contact: { email: 'a@x.example', role: 'r' }, other: { email: 'b@x.example' } },
      { email: 'a@x.example', contact: { role: 'r' }, other: { email: 'b@x.example' } },
    ],
  ])('%s', (_what, resource, record, shaped) => {
    expect(short(record, resource)).toEqual(shaped);
  });

  it('but keeps the fields that identify a customer inside an invoice', () => {
    const customer = {
      external_id: 'acme',
      name: 'Acme',
      firstname: 'Ada',
      lastname: 'Lovelace',
      legal_name: 'Acme Ltd',
      email: 'a@x.example',
      country: 'FR',
      currency: 'USD',
      applicable_timezone: 'Europe/Paris',
      error_details: [{ error_code: 'tax_error' }],
    };
    expect(short({ currency: 'EUR', customer: { ...customer, phone: '1' } }, 'invoice')).toEqual({
      currency: 'EUR',
      customer,
    });
  });

  it('but keeps the addressee of an invoice, which its page shows', () => {
    const customer = {
      ...{ external_id: 'acme', legal_name: 'Acme GmbH', address_line1: 'Weg 1', zipcode: '10115', city: 'Berlin' },
      ...{ country: 'DE', tax_identification_number: 'DE1' },
    };
    expect(short({ customer }, 'invoice')).toEqual({ customer });
    expect(short({ customer }, 'credit_note')).toEqual({
      customer: { external_id: 'acme', legal_name: 'Acme GmbH', country: 'DE' },
    });
  });

  it('but keeps what a later call refers to', () => {
    const plan = {
      charges: [{ svc_id: 'c1', properties: { amount: '', free_units: null } }],
      fixed_charges: [{ svc_id: 'f1' }],
    };
    expect(short(plan, 'plans')).toEqual(plan);
    expect(short({ metadata: [{ svc_id: 'm', key: 'k' }] }, 'invoice')).toEqual({
      metadata: [{ svc_id: 'm', key: 'k' }],
    });
    expect(short({ recurring_transaction_rules: [{ svc_id: 'r' }] }, 'wallet')).toEqual({
      recurring_transaction_rules: [{ svc_id: 'r' }],
    });
  });

  it('leaves the customer’s own names and values alone', () => {
    const event = { properties: { a: null, b: '', currency: 'x', created_at: 'y' }, metadata: { note: null } };
    expect(short(event, 'event')).toEqual(event);
  });

  it('never drops an amount, status, code or name, whatever the record', () => {
    const kept = /(amount_cents|status|code|^name)$/;
    const record = fc.dictionary(
      fc.constantFrom('amount_cents', 'status', 'code', 'name', 'created_at', 'svc_id', 'amount_currency'),
      fc.string({ minLength: 1 }),
    );
    fc.assert(
      fc.property(
        fc.record({ fees: fc.array(record, { minLength: 1 }), code: fc.string({ minLength: 1 }) }),
        invoice => {
          const shaped = short(invoice, 'invoice') as typeof invoice;
          expect(shaped.code).toBe(invoice.code);
          invoice.fees.forEach((fee, index) => {
            for (const [key, value] of Object.entries(fee))
              if (kept.test(key)) expect(shaped.fees[index]![key]).toBe(value);
          });
        },
      ),
    );
  });

  it('escapes every text as JSON does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.string({ minLength: 1 }), (value, key) => {
        const record = JSON.parse(`{${JSON.stringify(`x_${key}`)}:${JSON.stringify(value)}}`);
        expect(shortJson(record, 'invoice')).toBe(JSON.stringify(record));
      }),
    );
  });

  it('accepts any JSON without throwing or changing it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('invoice', 'payment', 'plans', 'toString'), (value, resource) => {
        const before = JSON.stringify(value);
        shortJson(value, resource);
        expect(JSON.stringify(value)).toBe(before);
      }),
    );
  });
});

describe('a list under a token ceiling', () => {
  const items = Array.from({ length: 50 }, (_, i) => ({ code: `plan-${i}`, name: 'x'.repeat(100) }));

  it('is whole when it fits', () => {
    expect(fitList(items, 8000)).toEqual({ items, leftOut: 0, note: null });
  });

  it('is shortened, with a count and how to get the rest', () => {
    const fitted = fitList(items, 500, 'plans');
    expect(estimateTokens(fitted.items)).toBeLessThanOrEqual(520);
    expect(fitted.items.length + fitted.leftOut).toBe(50);
    expect(fitted.note).toBe(
      `${fitted.leftOut} of 50 plans are left out to keep this short; call again with per_page: ${fitted.items.length} and page by page for all of them.`,
    );
  });

  it('keeps one item at least', () => {
    expect(fitList(items, 1).items).toHaveLength(1);
  });
});

describe('what a result carries', () => {
  const options = { full: false, maxTokens: 8000 };

  it('a list with its paging, including nulls in the paging', () => {
    const body = {
      plans: [{ code: 'a', description: null }],
      meta: { current_page: 1, next_page: null, prev_page: null, total_pages: 1 },
    };
    expect(content(resultFieldsOf(toolByName.get('list_plans')!, body, options))).toEqual({
      plans: [{ code: 'a' }],
      meta: { current_page: 1, next_page: null, total_pages: 1 },
    });
    expect(content(resultFieldsOf(toolByName.get('list_plans')!, body, { ...options, full: true }))).toEqual(body);
  });

  it('an empty list as an empty list', () => {
    expect(content(resultFieldsOf(toolByName.get('list_plans')!, { plans: [] }, options))).toEqual({ plans: [] });
  });

  it('a record whole with detail full', () => {
    const customer = { external_id: 'c', name: null, metadata: [] };
    expect(content(resultFieldsOf(toolByName.get('get_customer')!, customer, { ...options, full: true }))).toEqual({
      customer,
    });
  });

  it('a payment with its provider id under the current name', () => {
    const payment = { provider_payment_id: null, external_payment_id: 'pi_1' };
    expect(content(resultFieldsOf(toolByName.get('get_payment')!, payment, options))).toEqual({
      payment: { provider_payment_id: 'pi_1', external_payment_id: 'pi_1' },
    });
  });

  it('a long invoice with its lines cut, and how to get all lines', () => {
    const fees = Array.from({ length: 400 }, (_, i) => ({
      item: { code: `line-${i}`, name: 'x'.repeat(60) },
      amount_cents: i,
    }));
    const { fields, note } = resultFieldsOf(
      toolByName.get('preview_invoice')!,
      { currency: 'USD', total_amount_cents: 5, fees },
      { full: false, maxTokens: 2000 },
    );
    expect(estimateTokens(fields)).toBeLessThanOrEqual(2100);
    expect(note).toMatch(
      /^\d+ of 400 fees are left out to keep this short; call again with detail: "full" for all of them\.$/,
    );
  });

  const charges = Array.from({ length: 300 }, (_, i) => ({
    svc_id: `c6994728-5e2b-5330-bce1-${String(i).padStart(12, '0')}`,
    charge_model: 'graduated',
    properties: { graduated_ranges: [{ from_value: 0, to_value: null, per_unit_amount: '0.1', flat_amount: '0' }] },
  }));

  it('one plan that is too long with its charges cut, and how to get it whole', () => {
    const tool = toolByName.get('list_plans')!;
    const { fields, note } = resultFieldsOf(tool, { plans: [{ code: 'giant', charges }, { code: 'b' }] }, options);
    expect(content({ fields }).plans).toHaveLength(1);
    expect(estimateTokens(fields)).toBeLessThanOrEqual(8100);
    expect(note).toMatch(
      /^\d+ of 300 charges .* per_page: 1, its page and detail: "full" for the whole\. 1 of 2 plans .* per_page: 1 /,
    );
    const whole = content(resultFieldsOf(tool, { plans: [{ code: 'giant', charges }] }, { ...options, full: true }));
    expect(whole.plans[0].charges).toHaveLength(300);
  });

  it('a long list inside a record of the answer cut too', () => {
    const subscription = { external_id: 's', plan: { code: 'giant', charges } };
    const { fields, note } = resultFieldsOf(toolByName.get('update_subscription')!, subscription, options);
    expect(estimateTokens(fields)).toBeLessThanOrEqual(8100);
    expect(note).toMatch(/^\d+ of 300 charges are left out/);
    expect(subscription.plan.charges).toHaveLength(300);
  });

  it('nothing cut where there is no way to ask for the whole', () => {
    const wallet = { recurring_transaction_rules: charges };
    expect(resultFieldsOf(toolByName.get('update_wallet')!, wallet, { ...options, maxTokens: 50 }).note).toBeNull();
  });

  it.each(['list_plans', 'preview_invoice'])('within the ceiling as a tokenizer counts it (%s)', name => {
    const records = Array.from({ length: 300 }, (_, i) => ({
      code: `c${i}`,
      name: `Item ${i}`,
      charges: charges.slice(0, 2),
    }));
    const body = name === 'list_plans' ? { plans: records } : { invoice: { currency: 'USD', fees: records } };
    const config = { demo: false, maxResultTokens: 8000 };
    const presented = presentRecord(toolByName.get(name)!, body, { args: {}, full: false, config });
    expect(presented.summary).toContain('are left out');
    expect(countTokens(JSON.stringify(presented.summary) + presented.fields)).toBeLessThanOrEqual(8000);
  });
});
