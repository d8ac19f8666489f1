import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { parseBody } from '../../src/contract/parse.ts';
import { presentRecord } from '../../src/words/present-record.ts';
import { estimateTokens, fitList, resultFieldsOf } from '../../src/words/result-fields.ts';
import { toolByName, toolDefinitions } from '../../tools/all-tools.ts';
import { factsOf } from '../support/facts.ts';

const content = ({ fields }: { fields: object }) => JSON.parse(JSON.stringify(fields));

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
      `${fitted.leftOut} of 50 plans are left out to keep this short; call again with per_page: ${fitted.items.length}, one page at a time, for all of them.`,
    );
  });

  it('keeps one item at least', () => {
    expect(fitList(items, 1).items).toHaveLength(1);
  });
});

describe('what a result carries', () => {
  const options = { maxTokens: 8000 };
  const shown = (name: string, record: object, detail?: 'full') =>
    content(resultFieldsOf(toolByName.get(name)!, record, { ...options, detail }));

  it('a list with its paging, including nulls in the paging, where there is more than one page', () => {
    const paging = { current_page: 2, next_page: null, prev_page: 1, total_pages: 2 };
    const body = { plans: [{ code: 'a', description: null }], meta: paging };
    const meta = { current_page: 2, next_page: null, total_pages: 2 };
    expect(shown('list_plans', body)).toEqual({ plans: [{ code: 'a' }], meta });
    const lone = { ...body, meta: { current_page: 1, next_page: null, prev_page: null, total_pages: 1 } };
    expect(shown('list_plans', lone)).toEqual({ plans: [{ code: 'a' }] });
    expect(shown('list_plans', body, 'full')).toEqual(body);
  });

  it('an empty list as an empty list', () => {
    expect(shown('list_plans', { plans: [] })).toEqual({ plans: [] });
  });

  it('a record whole with detail full', () => {
    const customer = { external_id: 'c', name: null, metadata: [] };
    expect(shown('get_customer', customer, 'full')).toEqual({ customer });
  });

  const fees = Array.from({ length: 400 }, (_, i) => ({ item: { name: 'x'.repeat(60) }, amount_cents: i }));

  it('a long invoice with its lines cut, and how to get all lines', () => {
    const invoice = { currency: 'USD', total_amount_cents: 5, fees };
    const { fields, note } = resultFieldsOf(toolByName.get('preview_invoice')!, invoice, { maxTokens: 2000 });
    expect(estimateTokens(fields)).toBeLessThanOrEqual(2100);
    expect(note).toMatch(
      /^\d+ of 400 fees are left out to keep this short; call again with detail: "full" for all of them\.$/,
    );
  });

  it('a long invoice with its lines cut after a write, without advice to repeat the write', () => {
    const writes = toolDefinitions.filter(tool => tool.more && tool.effect === 'write');
    expect(writes.map(({ name }) => name)).toContain('update_invoice');
    for (const tool of writes) {
      const lists = ['fees', 'plan', 'recurring_transaction_rules', 'items'];
      const record = { fees, plan: { charges: fees }, recurring_transaction_rules: fees, items: fees };
      const detail = lists.filter(name => tool.more?.includes(name));
      const { note } = resultFieldsOf(tool, record, { maxTokens: 2000, detail });
      expect(note, tool.name).toMatch(/^\d+ of 400 [a-z ]+ are left out to keep this short\.$/);
    }
  });

  const charges = Array.from({ length: 300 }, (_, i) => ({
    svc_id: `c6994728-5e2b-5330-bce1-${String(i).padStart(12, '0')}`,
    charge_model: 'graduated',
    properties: { graduated_ranges: [{ from_value: 0, to_value: null, per_unit_amount: '0.1', flat_amount: '0' }] },
  }));

  it('one plan that is too long with its charges cut, and how to get it whole', () => {
    const tool = toolByName.get('list_plans')!;
    const plans = [{ code: 'giant', charges }, { code: 'b' }];
    const { fields, note } = resultFieldsOf(tool, { plans }, { maxTokens: 2000 });
    expect(content({ fields }).plans).toHaveLength(1);
    expect(estimateTokens(fields)).toBeLessThanOrEqual(2100);
    expect(note).toMatch(
      /^\d+ of 300 charges .* per_page: 1, its page and detail: "full" for the whole record\. 1 of 2 plans .* per_page: 1,/,
    );
    const whole = shown('list_plans', { plans: [{ code: 'giant', charges }] }, 'full');
    expect(whole.plans[0].charges).toHaveLength(300);
  });

  it('a long list inside a record of the answer cut too', () => {
    const subscription = { external_id: 's', plan: { code: 'giant', charges } };
    const tool = toolByName.get('update_subscription')!;
    const { fields, note } = resultFieldsOf(tool, subscription, { ...options, detail: ['plan'] });
    expect(estimateTokens(fields)).toBeLessThanOrEqual(8100);
    expect(note).toMatch(/^\d+ of 300 charges are left out/);
    expect(subscription.plan.charges).toHaveLength(300);
  });

  it('nothing cut where there is no way to ask for the whole', () => {
    const wallet = { recurring_transaction_rules: charges };
    expect(resultFieldsOf(toolByName.get('update_wallet')!, wallet, { ...options, maxTokens: 50 }).note).toBeNull();
  });

  it.each(['list_plans', 'preview_invoice'])('within the ceiling as a tokenizer counts it (%s)', name => {
    const [first, second] = charges;
    const records = Array.from({ length: 500 }, (_, i) => ({
      code: `c${i}`,
      name: `Item ${i}`,
      charges: [first, second],
    }));
    const body =
      name === 'list_plans'
        ? { plans: records }
        : { invoice: { currency: 'USD', fees: records.map(item => ({ item, units: '3.5', amount_cents: 12_345 })) } };
    const config = { demo: false, maxResultTokens: 4000 };
    const presented = presentRecord(toolByName.get(name)!, body, { args: {}, config });
    expect(presented.summary).toContain('are left out');
    expect(countTokens(JSON.stringify(presented.summary) + JSON.stringify(presented.fields))).toBeLessThanOrEqual(4000);
  });
});

describe('what an answer does not show', () => {
  const config = { demo: false, maxResultTokens: 4000 };
  const summaryOf = (name: string, body: object) =>
    presentRecord(toolByName.get(name)!, parseBody(body), { args: {}, config }).summary;

  it('is not said to be none', () => {
    const invoice = { currency: 'USD', total_amount_cents: 500 };
    expect(summaryOf('preview_invoice', { invoice })).not.toContain('There is nothing to bill');
    expect(summaryOf('preview_invoice', { invoice })).toContain('Taxes (not shown)');
    const none = { ...invoice, fees: null, applied_taxes: null };
    expect(summaryOf('preview_invoice', { invoice: none })).toContain('There is nothing to bill');
    expect(factsOf(summaryOf('preview_invoice', { invoice: none }))).toContain('(none)');
  });

  it('is named where its value cannot be read', () => {
    const fees = [{ units: 'many', events_count: 1 }];
    const invoice = { number: 7, currency: 'USD', fees, total_amount_cents: 'x', issuing_date: 1, status: 'draft' };
    const note = (name: string, body: object) => /Not readable.*\./.exec(summaryOf(name, body))?.[0];
    expect(note('get_customer', { customer: { external_id: 'acme', name: 7 } })).toBe(
      "Not readable in the service's answer: name.",
    );
    expect(note('preview_invoice', { invoice })).toContain(
      "Not readable in the service's answer: number, fees[0].units, total_amount_cents and 1 more.",
    );
    expect(note('list_plans', { plans: [{ code: 'a' }, 'b'] })).toBe("Not readable in the service's answer: plans[1].");
    expect(note('get_customer', { customer: { external_id: 'acme', name: null } })).toBeUndefined();
  });
});
