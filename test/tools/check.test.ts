import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { checkArguments } from '../../src/definition/check.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { toolByName, toolDefinitions } from '../../tools/all-tools.ts';
import { argsOf as accepted, svcId as id, ofOne } from '../support/api.ts';

function check(tool: string, args: unknown) {
  return checkArguments(toolByName.get(tool)!, args);
}

function messages(tool: string, args: unknown): string[] {
  const checked = check(tool, args);
  return checked.ok ? [] : checked.problems.map(problem => problem.message);
}

describe('refusals name the argument and the fix', () => {
  const alert = { code: 'c', alert_type: 'current_usage_amount' };
  const overridden = (plan_overrides: JsonRecord) => ({ plan_overrides });
  const entity = { code: 'a', name: 'A' };
  const fees = { external_subscription_id: 's', code: 'm' };
  it.each<[string, JsonRecord, string]>([
    ['update_add_on', { amout_cents: 5 }, 'did you mean amount_cents?'],
    [
      'create_subscription_alert',
      { ...alert, thresholds: [{ value: 0.1 + 0.2 }] },
      'thresholds[0].value has more than 15 digits, so it may have been rounded: send it as text',
    ],
    [
      'create_subscription_alert',
      { ...alert, thresholds: [{ value: '1e3' }] },
      'thresholds[0].value must be a decimal number as text, e.g. "10.5"',
    ],
    [
      'update_subscription',
      overridden({ fixed_charges: [{ id: 'f', units: '1234567890.1234567' }] }),
      'plan_overrides.fixed_charges[0].units has more than 15 digits',
    ],
    ['update_add_on', { amount_currency: 'usd', amount_cents: 1 }, 'amount_currency "usd" is not a known'],
    ['create_billing_entity', { ...entity, timezone: 'Europe/Pariss' }, 'did you mean Europe/Paris?'],
    ['create_billing_entity', { ...entity, country: 'fr' }, 'did you mean FR?'],
    ['create_billing_entity', { ...entity, email_settings: ['invoice.finalised'] }, 'did you mean invoice.finalized?'],
    ['create_billing_entity', { ...entity, document_numbering: 'Per_Customer' }, 'did you mean per_customer?'],
    ['create_billing_entity', { ...entity, code: undefined }, 'code is required'],
    ['list_catalogue', {}, 'kind is required: one of add_ons,'],
    ['update_subscription', overridden({ ammount_cents: 5 }), 'plan_overrides.ammount_cents is not known'],
    [
      'update_subscription',
      overridden({ charges: [{ propertys: {} }] }),
      'plan_overrides.charges[0].propertys is not known',
    ],
    [
      'update_subscription',
      { ending_at: '2026-02-30' },
      'ending_at must be a valid ISO 8601 date-time with a zone, e.g. 2026-01-31T23:59:59Z',
    ],
    [
      'update_subscription',
      { external_id: '..', name: 'x' },
      'external_id consists only of dots, which a URL cannot contain; send the full ID or code',
    ],
    ['get_customer', { external_customer_id: '' }, 'external_customer_id must not be empty'],
    ['estimate_fees', { ...fees, external_subscription_id: ' ' }, 'external_subscription_id must not be empty'],
    [
      'estimate_fees',
      { ...fees, precise_total_amount_cents: '1234.567890123456' },
      'precise_total_amount_cents has more than 15 digits',
    ],
    [
      'get_customer',
      { external_customer_id: '\ud800' },
      'external_customer_id contains a broken character (half of a surrogate pair)',
    ],
    [
      'update_add_on',
      { amount_cents: 12.5 },
      'amount_cents must be a whole number in minor units of its currency (1250 for $12.50), not "12.5"',
    ],
    [
      'compare_plans',
      { plan_codes: ['a', null] },
      'plan_codes[1] cannot be null here: it must be text; omit it to keep the current value',
    ],
    ['update_wallet', { svc_id: 'main', name: 'x' }, 'svc_id must be a UUID'],
    ['list_plans', { page: 0 }, 'page starts at 1, not "0"'],
    ['list_plans', { per_page: 0 }, 'per_page must be at least 1'],
    ['update_wallet', { payment_method: '{"payment' }, 'payment_method is not valid JSON'],
    ['get_customer', { external_customer_id: 'c', dry_run: true }, 'dry_run is not known'],
    ['delete_add_on', { dry_run: 'maybe' }, 'dry_run must be true or false'],
    ['get_customer', { external_customer_id: 'c', detail: 'all' }, 'detail has no field "all"'],
    ['preview_invoice', { plan_code: 'p', detail: 'credit' }, 'detail has no field "credit"'],
  ])('%s %j', (tool, args, message) => {
    const whole = /^(update|delete|create_s)/.test(tool) ? ofOne(tool, args) : args;
    expect(messages(tool, whole)).toContainEqual(expect.stringContaining(message));
  });

  /** Every argument of every tool, at any depth, whose name is one of these. */
  function places(names: RegExp): [tool: string, path: string[]][] {
    const found: [string, string[]][] = [];
    const visit = (tool: string, schema: z.core.$ZodType, path: string[]): void => {
      const def = schema._zod.def as unknown as {
        shape?: Record<string, z.core.$ZodType>;
        innerType?: z.core.$ZodType;
        element?: z.core.$ZodType;
      };
      if (path.length > 0 && names.test(path.at(-1)!) && def.shape === undefined && def.innerType === undefined)
        found.push([tool, path]);
      for (const [name, inner] of Object.entries(def.shape ?? {})) visit(tool, inner, [...path, name]);
      if (def.innerType !== undefined) visit(tool, def.innerType, path);
      if (def.element !== undefined) visit(tool, def.element, [...path, '0']);
    };
    for (const tool of toolDefinitions) visit(tool.name, tool.input, []);
    return found;
  }
  const nested = (path: string[], value: unknown): unknown =>
    path.reduceRight((inner, key) => (key === '0' ? [inner] : { [key]: inner }), value);

  it.each(places(/^timezone$/))('%s %j suggests a zone for CET, and never takes it as one', (tool, path) => {
    expect(messages(tool, nested(path, 'CET')).join()).toContain('did you mean Europe/Berlin?');
  });

  it.each(places(/^country$/))('%s %j suggests the country that is meant by UK and USA', (tool, path) => {
    expect(messages(tool, nested(path, 'UK')).join()).toContain('did you mean GB?');
    expect(messages(tool, nested(path, 'USA')).join()).toContain('did you mean US?');
    expect(messages(tool, nested(path, 'XY')).join()).toContain('"XY" is not a known country');
  });

  it.each(places(/currency$/))('%s %j suggests the currency that is meant by US$ and invents none', (tool, path) => {
    expect(messages(tool, nested(path, 'US$')).join()).toContain('did you mean USD?');
    expect(messages(tool, nested(path, 'MRU')).join()).toContain('"MRU" is not a known currency');
  });

  it('finds countries and currencies at every depth', () => {
    expect(places(/^country$/).length).toBeGreaterThanOrEqual(5);
    expect(places(/currency$/).length).toBeGreaterThanOrEqual(7);
  });

  it('refuses an update without a change; status alone is not a change', () => {
    expect(messages('update_subscription', { external_id: 's', status: 'pending' })[0]).toContain(
      'send at least one of name',
    );
    expect(messages('update_wallet', { svc_id: id })[0]).toContain('contain no change');
    expect(messages('update_invoice', { svc_id: id, dry_run: true })[0]).toContain('contain no change');
  });

  it('names all types of a value that may have several in one sentence', () => {
    const thresholds = [{ value: true }, {}];
    const alert = { external_id: 's', code: 'c', alert_type: 'current_usage_amount', thresholds };
    expect(messages('create_subscription_alert', alert)).toEqual([
      'thresholds[0].value must be text or a number, not "true"',
      'thresholds[1].value is required',
    ]);
  });

  it('names several problems at once', () => {
    expect(messages('create_subscription_alert', { external_id: 's' })).toEqual([
      'alerts is required: one or several, each with code, alert_type and thresholds',
    ]);
    expect(messages('create_subscription_alert', { external_id: 's', name: 'Spend' })).toEqual([
      'code is required',
      'alert_type is required: one of current_usage_amount, billable_metric_current_usage_amount, billable_metric_current_usage_units, lifetime_usage_amount, billable_metric_lifetime_usage_units',
      'thresholds is required',
    ]);
  });
});

describe('what is accepted', () => {
  it('keeps absent arguments absent and nulls that clear', () => {
    expect(accepted('update_wallet', { svc_id: id, expiration_at: null })).toEqual({ svc_id: id, expiration_at: null });
    const cleared = { svc_id: id, refund_status: null, metadata: { a: null } };
    expect(accepted('update_credit_note', cleared)).toEqual(cleared);
  });

  it('parses objects, lists, numbers and booleans that arrive as text, at any depth', () => {
    expect(
      accepted('create_subscription_alert', {
        external_id: 's',
        code: 'c',
        alert_type: 'current_usage_amount',
        thresholds: '[{"value":1000,"recurring":"true"}]',
      }),
    ).toMatchObject({ thresholds: [{ value: 1000, recurring: true }] });
    expect(
      accepted('update_subscription', { external_id: 's', plan_overrides: '{"amount_cents":"100"}' }),
    ).toMatchObject({ plan_overrides: { amount_cents: 100 } });
    expect(accepted('list_plans', { page: '2' })).toEqual({ page: 2 });
    expect(accepted('get_customer', '{"external_customer_id":"c"}')).toEqual({ external_customer_id: 'c' });
  });

  it('does not change the caller’s own arguments', () => {
    const args = { external_id: 's', plan_overrides: '{"amount_cents":"100"}' };
    accepted('update_subscription', args);
    expect(args.plan_overrides).toBe('{"amount_cents":"100"}');
  });

  it('passes on values of open sets as given', () => {
    const args = { external_id: 's', payment_method: { payment_method_type: 'voucher' } };
    expect(accepted('update_subscription', args)).toEqual(args);
  });

  it('does not pass on a value that the service could only refuse', () => {
    expect(messages('update_subscription', { external_id: 's', on_termination_credit_note: 'something-new' })).toEqual([
      'on_termination_credit_note must be one of credit, skip, refund, offset, not "something-new"',
    ]);
  });

  it('accepts currencies that the service has beyond the specification', () => {
    expect(accepted('update_add_on', { code: 'a', amount_cents: 1250, amount_currency: 'KWD' })).toMatchObject({
      amount_currency: 'KWD',
    });
  });

  it('removes the control arguments', () => {
    expect(check('delete_add_on', { code: 'a', dry_run: true, confirmation: 't' })).toEqual({
      ok: true,
      args: { code: 'a' },
      control: { dry_run: true, confirmation: 't', detail: undefined },
    });
    expect(check('get_customer', { external_customer_id: 'c', detail: 'full' })).toMatchObject({
      args: { external_customer_id: 'c' },
      control: { detail: 'full' },
    });
  });

  it.each([
    ['Full', 'full'],
    [' phone, FULL', 'full'],
    ['Phone, city,', ['phone', 'city']],
    [
      ['phone', 'city'],
      ['phone', 'city'],
    ],
    [',', undefined],
    [null, undefined],
  ])('reads the detail %j', (detail, read) => {
    const checked = check('get_customer', { external_customer_id: 'c', detail });
    expect(checked).toMatchObject({ ok: true });
    expect((checked as { control: object }).control).toEqual(expect.objectContaining({ detail: read }));
  });
});

describe('what hosts add by themselves', () => {
  const added = {
    ...{ toolCallId: 'call_1', tool_call_id: 'call_1', callId: 'x', call_id: 'x' },
    ...{ sessionId: 's', session_id: 's', requestId: 'r', chatInput: 'hello' },
  };
  it.each([
    ['list_invoices', { external_customer_id: 'acme' }],
    ['update_add_on', { code: 'setup', amount_cents: 5 }],
  ])('is dropped: names of their own, in %s', (tool, args) => {
    expect(accepted(tool, { ...args, ...added })).toEqual(args);
  });

  it('is refused under any other name, because a misspelled filter would list the whole account', () => {
    expect(messages('list_invoices', { customer_id: 'acme' })[0]).toContain('customer_id is not known');
    expect(messages('list_invoices', { toolcallid: 'x' })).not.toEqual([]);
  });

  const blanks = ['', ' ', '\t'];
  it.each([
    [
      'list_invoices',
      { page: '', issuing_date_from: '', currency: '', all: '', invoice_type: '', status: '', amount_to: '' },
    ],
    ['list_subscriptions', { ending_before: '', status: '' }],
    ['get_usage', { external_customer_id: 'acme', external_subscription_id: 's', period: '', full_usage: '' }],
    ['get_revenue', { report: 'mrr', months: '' }],
  ])('is dropped: a blank date, word, switch or page of a read, in %s', (tool, args) => {
    for (const blank of blanks) {
      const sent = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, value || blank]));
      const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== ''));
      expect(accepted(tool, sent)).toEqual(given);
    }
  });

  it('is refused: a blank argument that says whose or which records', () => {
    for (const tool of toolDefinitions.filter(({ effect }) => effect === 'read')) {
      const shape = (tool.input as z.ZodObject).shape;
      const whose = Object.keys(shape).filter(name =>
        /(_id|code|number|search_term|external_id|user_email)$/.test(name),
      );
      for (const name of whose)
        for (const blank of blanks)
          expect([tool.name, name, check(tool.name, { [name]: blank }).ok]).toEqual([tool.name, name, false]);
    }
  });

  it('is refused: a blank value of a write', () => {
    expect(check('update_wallet', { svc_id: id, expiration_at: '' }).ok).toBe(false);
  });
});

describe('hostile arguments', () => {
  const deepText = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
  const deep = JSON.parse(deepText);

  it.each<[string, JsonRecord | string, string]>([
    ['nesting', deep, 'nested deeper'],
    ['nesting as text', deepText, 'nested deeper'],
    ['__proto__', JSON.parse('{"__proto__":{"x":1}}'), '__proto__'],
    ['size', { a: 'x'.repeat(4_000_000) }, 'larger'],
    ['count', { a: Array.from({ length: 60_000 }, () => 1) }, 'larger'],
  ])('%s is refused in words', (_what, properties, part) => {
    const args = { external_subscription_id: 's', code: 'c', properties };
    expect(messages('estimate_fees', args)[0]).toContain(part);
  });

  it('constructor and similar names are treated like any other', () => {
    expect(messages('get_customer', { external_customer_id: 'c', constructor: 1 })[0]).toContain(
      'constructor is not known',
    );
  });
});
