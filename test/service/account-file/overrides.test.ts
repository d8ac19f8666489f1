import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../../src/engine/records/index.ts';
import { AccountFileError, readAccount } from '../../../src/service/account-file/load.ts';
import { type Case, type Service, serve } from '../../engine/file-service.ts';

const standard = { billable_metric_code: 'calls', charge_model: 'standard', properties: { amount: '1' } };
const account = (overrides: object): Case => ({
  now: '2026-03-10T12:00:00Z',
  metrics: [{ code: 'calls', aggregation_type: 'count_agg' }],
  plan: {
    charges: [standard, { ...standard, code: 'more', tax_codes: ['vat'] }],
    tax_codes: ['vat'],
    minimum_commitment: { amount_cents: 10_000 },
  },
  subscription: { plan_overrides: overrides },
  rest: { taxes: [{ code: 'vat', name: 'VAT', rate: '20' }] },
});

describe('a subscription with plan_overrides', () => {
  let service: Service;
  beforeAll(async () => {
    service = await serve(
      account({
        amount_cents: 2000,
        name: 'Special',
        charges: [{ charge_code: 'calls', properties: { amount: '0.5' } }],
      }),
    );
  });

  it('shows a plan of its own, without what the first override of the API drops', async () => {
    const { body } = await service.get('/subscriptions/sub');
    const { plan } = body.subscription;
    expect(plan).toMatchObject({
      code: 'plan',
      name: 'Special',
      amount_cents: 2000,
      taxes: [],
    });
    expect(plan).not.toHaveProperty('minimum_commitment');
    const prices = plan.charges.map((charge: { code: string; properties: { amount: string } }) => [
      charge.code,
      charge.properties.amount,
    ]);
    expect(prices).toEqual([
      ['calls', '0.5'],
      ['more', '1'],
    ]);
  });

  it('leaves the plan in the catalogue as it is, once', async () => {
    const { body } = await service.get('/plans');
    expect(body.plans.map((plan: { code: string; amount_cents: number }) => [plan.code, plan.amount_cents])).toEqual([
      ['plan', 3100],
    ]);
  });

  it('is billed with its own prices', async () => {
    const { status, body } = await service.post('/invoices/preview', {
      customer: { external_id: 'acme' },
      subscriptions: { external_ids: ['sub'] },
    });
    expect([status, body.invoice.fees_amount_cents, body.invoice.taxes_amount_cents]).toEqual([200, 2000, 0]);
  });
});

describe('plan_overrides that cannot be', () => {
  const entities = [{ code: 'main', name: 'Main' }];
  const plan = {
    code: 'p',
    name: 'P',
    interval: 'monthly',
    amount_cents: 0,
    amount_currency: 'EUR',
    charges: [standard],
  };
  const problems = (overrides: object): readonly string[] => {
    const file = {
      organization: { name: 'A' },
      billing_entities: entities,
      billable_metrics: [{ code: 'calls', name: 'Calls', aggregation_type: 'count_agg' }],
      plans: [plan],
      customers: [{ external_id: 'c' }],
      subscriptions: [
        {
          external_id: 's',
          external_customer_id: 'c',
          plan_code: 'p',
          subscription_at: 'now',
          plan_overrides: overrides,
        },
      ],
    };
    try {
      readAccount(file as Json, new Date('2026-03-10T12:00:00Z'));
      return [];
    } catch (error) {
      if (error instanceof AccountFileError) return error.problems;
      throw error;
    }
  };

  it.each([
    [{ charges: [{ charge_code: 'x' }] }, '.charges[0].charge_code: is no charge'],
    [{ fixed_charges: [{ fixed_charge_code: 'x' }] }, '.fixed_charges[0].fixed_charge_code: is no charge'],
    [
      { charges: [{ charge_code: 'calls', properties: { amount: 2.5 } }] },
      '.charges[0].properties.amount: must be text',
    ],
    [{ tax_codes: ['vat'] }, '.tax_codes[0]: there is no "vat"'],
    [{ amount_cent: 1 }, ': unknown key "amount_cent"'],
  ])('are refused: %j', (overrides, problem) => {
    expect(problems(overrides)).toEqual([expect.stringContaining(`subscriptions[0].plan_overrides${problem}`)]);
  });
});
