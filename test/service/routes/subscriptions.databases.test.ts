import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { JsonObject, PlanRecord, SubscriptionRecord } from '../../../src/engine/records/index.ts';
import { withDatabase } from '../../support/postgres.ts';
import { expectMissing, expectNotAllowed, expectOk, expectRefused, sharedService } from './service.ts';

const { name, missing, fresh } = await withDatabase();

describe.skipIf(missing)(`a subscription update on ${name}`, () => {
  const service = sharedService(fresh);

  const put = (id: string, subscription: unknown, more: object = {}) =>
    service.put(`/subscriptions/${encodeURIComponent(id)}`, { subscription, ...more });

  /** A new subscription like the demo's, with an id of its own. */
  async function subscription(changes: Partial<SubscriptionRecord> = {}): Promise<SubscriptionRecord> {
    const external_id = demoIds.external_subscription_id;
    const source = (await service.account.first('subscriptions', { external_id }))!;
    const id = randomUUID();
    const record = { ...source, id, external_id: id, fixed_charge_units: {}, ...changes };
    await service.account.insert('subscriptions', record);
    return record;
  }

  /** A plan of the catalogue with charges, a fixed charge, taxes and a commitment. */
  async function richPlan(changes: Partial<PlanRecord> = {}): Promise<PlanRecord> {
    const plans = await service.account.find('plans', { parent_id: null });
    const source =
      plans.find(each => each.charges.length > 1 && each.charges[0]!.charge_model === 'standard') ?? plans[0]!;
    const withFixed = plans.find(each => each.fixed_charges.length > 0)!;
    const id = randomUUID();
    const at = source.created_at;
    const plan: PlanRecord = {
      ...source,
      id,
      code: id,
      charges: source.charges.map(charge => ({ ...charge, id: randomUUID(), tax_codes: [demoIds.tax_code] })),
      fixed_charges: [{ ...withFixed.fixed_charges[0]!, id: randomUUID() }],
      tax_codes: [demoIds.tax_code],
      minimum_commitment: {
        id: randomUUID(),
        amount_cents: 5_000,
        invoice_display_name: null,
        tax_codes: [],
        created_at: at,
        updated_at: at,
      },
      ...changes,
    };
    await service.account.insert('plans', plan);
    return plan;
  }

  function threshold(amount_cents: number) {
    const at = '2026-01-01T00:00:00Z';
    const times = { created_at: at, updated_at: at };
    return { id: randomUUID(), threshold_display_name: null, amount_cents, recurring: false, ...times };
  }

  it('changes the only one whatever its status, and of several the active one by default', async () => {
    const only = await subscription({ status: 'terminated' });
    expectOk(await put(only.external_id, { name: 'late' }));
    const pending = await subscription({ external_id: only.external_id, status: 'pending', started_at: null });
    expectMissing(await put(only.external_id, { name: 'x' }), 'subscription');
    const active = await subscription({ external_id: only.external_id });
    const chosen = async (body: object, query = '') => {
      const reply = await service.put(`/subscriptions/${only.external_id}${query}`, {
        subscription: { name: 'n' },
        ...body,
      });
      return (expectOk(reply).subscription as JsonObject).svc_id;
    };
    expect(await chosen({})).toBe(active.id);
    expect(await chosen({ status: 'active' })).toBe(active.id);
    expect(await chosen({ status: 'pending' })).toBe(pending.id);
    expect(await chosen({}, '?status=pending')).toBe(pending.id);
    expectMissing(await put('nobody', { name: 'x' }), 'subscription');
  });

  it('is refused in the service’s order', async () => {
    const { external_id: id } = await subscription();
    const offences: [JsonObject, JsonObject][] = [
      [
        {
          subscription_at: 'soon',
          ending_at: '2026-03-15T23:00:00Z',
          on_termination_credit_note: 'burn',
          on_termination_invoice: 'burn',
        },
        {
          subscription_at: ['invalid_date'],
          ending_at: ['invalid_date'],
          on_termination_credit_note: ['invalid_value'],
          on_termination_invoice: ['invalid_value'],
        },
      ],
      [{ payment_method: { payment_method_id: 'x' } }, { payment_method: ['invalid_payment_method'] }],
      [
        {
          usage_thresholds: [{ amount_cents: 1 }],
          plan_overrides: { usage_thresholds: [{ amount_cents: 2 }], tax_codes: ['nope'] },
        },
        { usage_thresholds: ['incompatible_params'], 'plan_overrides.usage_thresholds': ['incompatible_params'] },
      ],
    ];
    for (const [index, [offence, details]] of offences.entries()) {
      const later = Object.assign({}, ...offences.slice(index).map(([each]) => each)) as JsonObject;
      expectRefused(await put(id, { ...later, ...offence }), details);
    }
    const fixed = { fixed_charges: [{ id: randomUUID(), units: '1' }] };
    expectMissing(await put(id, { plan_overrides: { ...fixed, tax_codes: ['nope'] } }), 'tax');
    expectMissing(await put(id, { plan_overrides: fixed }), 'fixed_charge');
  });

  it('is not allowed while incomplete, nor a new purchase order after the end', async () => {
    const incomplete = await subscription({ status: 'incomplete' });
    expectNotAllowed(await put(incomplete.external_id, { subscription_at: 'x' }), 'subscription_incomplete');
    const ended = await subscription({ status: 'terminated', purchase_order_number: 'A' });
    const refused = await put(ended.external_id, { purchase_order_number: 'B' });
    expectNotAllowed(refused, 'purchase_order_number_not_editable');
    expectOk(await put(ended.external_id, { purchase_order_number: 'A' }));
  });

  it('distinguishes absent from null', async () => {
    const { external_id: id } = await subscription({ name: 'N', purchase_order_number: 'P' });
    const read = async (body: object) => expectOk(await put(id, body)).subscription as JsonObject;
    expect(await read({ ending_at: '2026-12-31' })).toMatchObject({
      name: 'N',
      purchase_order_number: 'P',
      ending_at: '2026-12-31T00:00:00Z',
    });
    const cleared = await read({ name: null, purchase_order_number: null, ending_at: '' });
    expect(cleared).toMatchObject({ name: null, purchase_order_number: null, ending_at: null });
  });

  it('starts a pending one once its start has passed, and moves its start otherwise', async () => {
    const waiting = () => subscription({ status: 'pending', started_at: null, activated_at: null });
    const start = async (id: string, subscription_at: string) =>
      expectOk(await put(id, { subscription_at })).subscription as JsonObject;
    for (const at of ['2026-03-16T00:00:00Z', '2026-03-15T23:00:00Z']) {
      expect(await start((await waiting()).external_id, at)).toMatchObject({
        status: 'pending',
        subscription_at: at,
        started_at: null,
        activated_at: null,
      });
    }
    for (const at of ['2026-03-15T00:00:00Z', '2026-02-01T08:30:00Z']) {
      expect(await start((await waiting()).external_id, at)).toMatchObject({
        status: 'active',
        subscription_at: at,
        started_at: at.replace('Z', '.000Z'),
        activated_at: at,
      });
    }
    const running = await subscription();
    const same = await start(running.external_id, '2026-02-01T08:30:00Z');
    expect(same.subscription_at).toBe(running.subscription_at.replace('.000Z', 'Z'));
  });

  it('has thresholds of its own, which go before those of its plan until they are removed', async () => {
    const parent = await richPlan({ usage_thresholds: [threshold(100)] });
    const { external_id: id } = await subscription({ plan_id: parent.id });
    const applicable = async (body: object) =>
      ((expectOk(await put(id, body)).subscription as JsonObject).applicable_usage_thresholds as JsonObject[]).map(
        ({ amount_cents, recurring }) => [amount_cents, recurring],
      );
    expect(await applicable({ name: 'x' })).toEqual([[100, false]]);
    const own = [
      { amount_cents: 300, threshold_display_name: 'Own' },
      { amount_cents: 500, recurring: true },
    ];
    const both = [
      [300, false],
      [500, true],
    ];
    expect(await applicable({ usage_thresholds: own })).toEqual(both);
    expect(await applicable({ plan_overrides: { usage_thresholds: [{ amount_cents: 200 }] } })).toEqual(both);
    expect(await applicable({ progressive_billing_disabled: true })).toEqual([]);
    expect(await applicable({ progressive_billing_disabled: false })).toEqual(both);
    expect(await applicable({ usage_thresholds: [] })).toEqual([[200, false]]);
    // The list of the overrides is deprecated: an empty one never touches inherited thresholds.
    expect(await applicable({ plan_overrides: { usage_thresholds: [] } })).toEqual([[100, false]]);
    const shared = await subscription({ plan_id: parent.id });
    const first = expectOk(await put(shared.external_id, { plan_overrides: { usage_thresholds: [] } }));
    expect(first.subscription).toMatchObject({ applicable_usage_thresholds: [{ amount_cents: 100 }] });
  });

  it.each([
    [[{ amount_cents: 0 }], { amount_cents: ['value_is_out_of_range'] }],
    [[{ threshold_display_name: 'A' }], { usage_thresholds: ['missing_amount_cents'] }],
    [[{ amount_cents: 5 }, { amount_cents: 5 }], { usage_thresholds: ['duplicated_values'] }],
    [
      [
        { amount_cents: 5, recurring: true },
        { amount_cents: 6, recurring: true },
      ],
      { usage_thresholds: ['multiple_recurring_thresholds'] },
    ],
  ])('refuses thresholds of its own: %j', async (usage_thresholds, details) => {
    const { external_id: id } = await subscription();
    expectRefused(await put(id, { usage_thresholds }), details);
  });

  it('has activation rules only while it is pending, and says that they stay inactive', async () => {
    const { external_id: id } = await subscription({ status: 'pending', started_at: null, activated_at: null });
    const rules = [{ type: 'payment', timeout_hours: 48 }];
    const reply = await put(id, { activation_rules: rules });
    const times = { expires_at: null, created_at: '2026-03-15T12:00:00Z', updated_at: '2026-03-15T12:00:00Z' };
    const shown = { svc_id: expect.any(String), type: 'payment', status: 'inactive', ...times };
    expect((expectOk(reply).subscription as JsonObject).activation_rules).toEqual([{ ...shown, timeout_hours: 48 }]);
    expect(reply.headers['x-service-notice']).toContain('stay inactive');
    expect(expectOk(await put(id, { activation_rules: [] })).subscription).toMatchObject({ activation_rules: [] });
    for (const odd of [[{ type: 'manual' }], [{}], ['payment']])
      expectRefused(await put(id, { activation_rules: odd }), { activation_rules: ['invalid_type'] });
    expectRefused(await put(id, { activation_rules: {} }), { activation_rules: ['value_is_invalid'] });
    for (const status of ['active', 'terminated', 'canceled'] as const) {
      const other = await subscription({ status });
      expectRefused(await put(other.external_id, { activation_rules: rules }), {
        activation_rules: ['subscription_not_pending'],
      });
    }
  });

  it('shows what it is billed by and how', async () => {
    const { external_id: id } = await subscription({ purchase_order_number: null });
    const plain = { consolidate_invoice: true, progressive_billing_disabled: false, purchase_order_number: null };
    const read = async (body: object) => expectOk(await put(id, body)).subscription;
    expect(await read({ name: 'x' })).toMatchObject(plain);
    const changed = { consolidate_invoice: false, progressive_billing_disabled: true, purchase_order_number: 'PO-7' };
    expect(await read(changed)).toMatchObject(changed);
    expectRefused(await put(id, { consolidate_invoice: 'no' }), { consolidate_invoice: ['value_is_invalid'] });
    expectRefused(await put(id, { purchase_order_number: 'x'.repeat(256) }), {
      purchase_order_number: ['value_is_too_long'],
    });
    expectMissing(await put(id, { billing_entity_code: 'nowhere' }), 'billing_entity');
  });

  describe('with plan overrides', () => {
    it('makes a copy of the plan the first time, and later changes that copy', async () => {
      const parent = await richPlan();
      const { external_id: id } = await subscription({ plan_id: parent.id });
      let notice: unknown;
      const read = async (plan_overrides: object) => {
        const reply = await put(id, { plan_overrides });
        notice = reply.headers['x-service-notice'];
        return (expectOk(reply).subscription as JsonObject).plan as JsonObject;
      };
      const first = await read({ amount_cents: 777, name: 'Special', amount_currency: 'EUR', trial_period: 10 });
      expect(first).toMatchObject({
        parent_id: parent.id,
        code: parent.code,
        amount_cents: 777,
        name: 'Special',
        amount_currency: 'EUR',
        trial_period: 10,
      });
      expect(first.svc_id).not.toBe(parent.id);
      expect(first.taxes).toEqual([]);
      expect(first.minimum_commitment ?? null).toBeNull();
      const lost = parent.charges.map(charge => `taxes ${demoIds.tax_code} of charge ${charge.code}`);
      expect(notice).toContain([`plan taxes ${demoIds.tax_code}`, ...lost, 'the minimum commitment'].join('; '));
      const copies = first.charges as JsonObject[];
      expect(copies.map(charge => charge.svc_parent_id)).toEqual(parent.charges.map(charge => charge.id));
      expect(copies.every(charge => (charge.taxes as JsonObject[]).length === 0)).toBe(true);
      const second = await read({ amount_cents: 888, amount_currency: 'JPY', trial_period: 3 });
      expect(second.charges).toEqual(first.charges);
      expect(notice).toBeUndefined();
      expect(second).toMatchObject({
        svc_id: first.svc_id,
        amount_cents: 888,
        name: 'Special',
        amount_currency: 'EUR',
        trial_period: 10,
      });
      expect(await service.account.get('plans', parent.id)).toEqual(parent);
      const listed = expectOk(await service.get('/plans')).plans as JsonObject[];
      expect(listed.some(plan => plan.svc_id === first.svc_id)).toBe(false);
    });

    it('keeps metadata on the copy of the plan, and has no pricing units', async () => {
      const parent = await richPlan();
      const { external_id: id } = await subscription({ plan_id: parent.id });
      const read = async (metadata: object) => {
        const reply = expectOk(await put(id, { plan_overrides: { metadata } }));
        return (reply.subscription as JsonObject).plan as JsonObject;
      };
      expect(await read({ team: 'a', note: null })).toMatchObject({ metadata: { team: 'a', note: null } });
      expect(await read({})).not.toHaveProperty('metadata');
      expect(await service.account.get('plans', parent.id)).toEqual(parent);
      expectRefused(await put(id, { plan_overrides: { metadata: { team: 7 } } }), { metadata: ['value_is_invalid'] });
      const charges = [{ id: parent.charges[0]!.id, applied_pricing_unit: { conversion_rate: '0.5' } }];
      const { status, body } = await put(id, { plan_overrides: { charges } });
      expect({ status, body }).toMatchObject({ status: 422, body: { code: 'out_of_scope' } });
      expect((body as JsonObject).error_details).toHaveProperty('applied_pricing_unit');
    });

    it('changes the listed charges: by the parent’s ids with all others, then by the copy’s ids, and deletes the others', async () => {
      const parent = await richPlan();
      const { external_id: id } = await subscription({ plan_id: parent.id });
      let notice: unknown;
      const read = async (charges: object[]) => {
        const reply = await put(id, { plan_overrides: { charges } });
        notice = reply.headers['x-service-notice'];
        return ((expectOk(reply).subscription as JsonObject).plan as JsonObject).charges as JsonObject[];
      };
      const target = parent.charges.find(charge => charge.charge_model === 'standard')!;
      const at = parent.charges.indexOf(target);
      const before = await read([{ id: target.id, properties: { amount: '9.99' }, filters: [] }, { id: randomUUID() }]);
      expect(before).toHaveLength(parent.charges.length);
      expect(before[at]).toMatchObject({ properties: { amount: '9.99' }, filters: [] });
      const price = { properties: { amount: '9.99' } };
      const after = await read([{ id: before[at]!.svc_id, invoice_display_name: 'Shown', ...price }]);
      expect(after).toEqual([{ ...before[at]!, invoice_display_name: 'Shown' }]);
      const others = before.filter((_, index) => index !== at).map(charge => charge.code);
      expect(notice).toContain(`deleted: ${others.join(', ')}`);
      const added = await read([
        { id: after[0]!.svc_id, invoice_display_name: 'Shown', ...price },
        { billable_metric_id: target.billable_metric_id, charge_model: 'standard', properties: { amount: '1' } },
      ]);
      expect(added).toHaveLength(2);
      expect(added[0]).toEqual(after[0]);
      expectRefused(
        await put(id, { plan_overrides: { charges: [{ id: target.id, invoice_display_name: 'Parent’s' }] } }),
        {
          charge_model: ['value_is_invalid', 'value_is_mandatory'],
        },
      );
      expect(await read([])).toEqual([]);
    });

    it.each([
      [{ properties: { amount: 5 } }, { properties: ['invalid_amount'] }],
      [{ properties: { amount: '-1' } }, { properties: ['invalid_amount'] }],
      [{ properties: {} }, { properties: ['invalid_amount'] }],
      [{ filters: [{ values: { nowhere: 'x' }, properties: { amount: '1' } }] }, { filters: ['value_is_invalid'] }],
      [{ filters: [{ values: { nowhere: ['x'] }, properties: { amount: '1' } }] }, { filters: ['value_is_invalid'] }],
    ])('refuses a charge that cannot be billed: %j', async (change, details) => {
      const parent = await richPlan();
      const { external_id: id, plan_id } = await subscription({ plan_id: parent.id });
      const target = parent.charges.find(charge => charge.charge_model === 'standard')!;
      const reply = await put(id, { plan_overrides: { charges: [{ id: target.id, ...change }] } });
      expectRefused(reply, details);
      expect((await service.account.first('subscriptions', { external_id: id }))!.plan_id).toBe(plan_id);
    });

    it.each(['12', 12])(
      'makes no copy for a quantity of a fixed charge alone (%j), and moves it into the copy later',
      async quantity => {
        const parent = await richPlan();
        const { external_id: id } = await subscription({ plan_id: parent.id });
        const charge = parent.fixed_charges[0]!;
        const units = { fixed_charges: [{ id: charge.id, units: quantity, apply_units_immediately: true }] };
        expectOk(await put(id, { plan_overrides: units }));
        const stored = () => service.account.first('subscriptions', { external_id: id });
        const changes = [
          { units: charge.units, changed_at: null, at_once: true },
          { units: '12', at_once: true },
        ];
        expect(await stored()).toMatchObject({ plan_id: parent.id, fixed_charge_units: { [charge.id]: changes } });
        const reply = expectOk(await put(id, { plan_overrides: { amount_cents: 1 } }));
        const plan = (reply.subscription as JsonObject).plan as JsonObject;
        const { fixed_charges } = (await service.get(`/subscriptions/${id}/fixed_charges`)).body;
        expect(fixed_charges).toMatchObject([{ svc_parent_id: charge.id, units: '12.0' }]);
        const [copy] = fixed_charges as [JsonObject];
        const moved = { [copy.svc_id as string]: changes };
        expect(await stored()).toMatchObject({ plan_id: plan.svc_id, fixed_charge_units: moved });
      },
    );

    it('makes one copy when two first overrides arrive at once', async () => {
      const parent = await richPlan();
      const { external_id: id } = await subscription({ plan_id: parent.id });
      const replies = await Promise.all([
        put(id, { plan_overrides: { amount_cents: 11 } }),
        put(id, { plan_overrides: { description: 'both' } }),
      ]);
      expect(replies.map(reply => reply.status)).toEqual([200, 200]);
      const copies = await service.account.find('plans', { parent_id: parent.id });
      expect(copies).toMatchObject([{ amount_cents: 11, description: 'both' }]);
    });
  });
});
