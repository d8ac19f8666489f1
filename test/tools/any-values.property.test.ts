/** What holds for arguments and for answers of any values. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spokenWarnings } from '../../src/calls/change/steps/prompt.ts';
import { parseBody } from '../../src/contract/parse.ts';
import { checkArguments } from '../../src/definition/check.ts';
import { isSet, makesAnswer } from '../../src/definition/define.ts';
import { anyRecord, isRecord, type JsonRecord } from '../../src/lib/json.ts';
import { toolByName, toolDefinitions } from '../../tools/all-tools.ts';
import { requestOf } from '../support/api.ts';
import { runs } from '../support/extent.ts';

const now = new Date('2026-02-01T12:00:00Z');

describe('hostile arguments', () => {
  it('never throws, for any JSON and any tool', () => {
    fc.assert(
      fc.property(fc.constantFrom(...toolDefinitions), fc.jsonValue({ maxDepth: 6 }), (tool, value) => {
        const checked = checkArguments(tool, value);
        if (!checked.ok)
          for (const { argument, message } of checked.problems) expect(message.startsWith(argument)).toBe(true);
      }),
      runs(2000),
    );
  });

  it('never throws on known names with arbitrary values', () => {
    const argumentsOf = (tool: (typeof toolDefinitions)[number]) =>
      fc.record(Object.fromEntries(Object.keys(tool.input.shape).map(name => [name, fc.jsonValue({ maxDepth: 4 })])), {
        requiredKeys: [],
      });
    const calls = fc.constantFrom(...toolDefinitions).chain(tool => argumentsOf(tool).map(args => ({ tool, args })));
    fc.assert(
      fc.property(calls, ({ tool, args }) => {
        const checked = checkArguments(tool, args);
        if (checked.ok) expect(typeof requestOf(tool, checked.args)).toBe('object');
        else expect(checked.problems.length).toBeGreaterThan(0);
      }),
      runs(2000),
    );
  });
});

/** True if the record itself has none of the texts that the assertion searches for. */
const clean = (value: unknown) => !/undefined|NaN|\[object|"[^"]*null[^"]*"/.test(JSON.stringify(value));

describe('any input', () => {
  /** Records with the interface's own names and any values: closer to a broken service than random JSON. */
  const names = `
    name code external_id svc_id status currency amount_currency amount_cents total_amount_cents balance_cents fees
    item units precise_unit_amount amount_details graduated_ranges applied_taxes credits meta current_page
    total_pages next_page thresholds value previous_value direction plans alerts charges error_details details
    issuing_date payment_due_date expiration_at next_action redirect_to_url url customer metadata properties taxes
    rate grouped_by filters per_package_size tax_rate billing_periods trial_period comparison plan_code
    cheapest_plan_code baseline_plan_code sub_total_including_taxes_amount_cents difference_cents covers error
  `
    .trim()
    .split(/\s+/);
  const { record } = fc.letrec(tie => ({
    leaf: fc.oneof(
      fc.string(),
      fc.double(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom('1.5', '-3', '2026-01-31T00:00:00Z', '2026-01-31', 'USD', 'XXX'),
    ),
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'xsmall', withCrossShrink: true },
      tie('leaf'),
      fc.array(tie('record'), { maxLength: 3 }),
      tie('record'),
    ),
    record: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 8 }),
  }));

  /** Other tools make the bodies of their summaries themselves: their own tests have the odd answers to their reads. */
  const ofAnswers = toolDefinitions.filter(tool => !makesAnswer(tool) && !isSet(tool));

  /** As every answer is parsed before a tool sees it. */
  const parsed = ({ answer, result }: Pick<(typeof toolDefinitions)[number], 'answer' | 'result'>, value: unknown) => {
    const body = parseBody(answer && isRecord(value) ? value : { [result]: value }) as JsonRecord;
    return answer ? body : anyRecord(body[result]);
  };

  it('no summary throws or shows a missing value', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ofAnswers), fc.oneof(record, fc.jsonValue()), (tool, value) => {
        fc.pre(clean(value));
        const text = tool.say(parsed(tool, value), { args: {}, now });
        expect(typeof text).toBe('string');
        expect(text).not.toMatch(/undefined|NaN|\[object|\bnull\b/);
      }),
      { ...runs(1000), examples: ofAnswers.map(tool => [tool, null] as [typeof tool, null]) },
    );
  });

  it('no question throws, whatever was read before', () => {
    const id = '5eb02857-a71e-4ea2-bcf9-57d3a41bc6ba';
    const args: Record<string, object> = {
      update_add_on: { code: 'a', name: 'B', amount_cents: 5, tax_codes: ['x'] },
      delete_add_on: { code: 'a' },
      update_subscription: { external_id: 's', plan_overrides: { charges: [{ id }] }, subscription_at: '2026-01-01' },
      update_wallet: { svc_id: id, name: 'N', metadata: { a: 'b' }, recurring_transaction_rules: [] },
      update_invoice: { svc_id: id, payment_status: 'failed', metadata: [] },
      update_credit_note: { svc_id: id, refund_status: 'failed' },
    };
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(args)), record, (name, known) => {
        fc.pre(clean(known));
        const tool = toolByName.get(name)!;
        const { prompt, warnings } = tool.change!;
        const seen = parsed(tool, known);
        const text = [prompt(args[name], seen), ...spokenWarnings(warnings(args[name], seen))].join(' ');
        expect(text).not.toMatch(/undefined|NaN|\[object/);
      }),
      runs(500),
    );
  });
});
