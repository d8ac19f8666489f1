/** Keys that divide usage for display change no price, whatever a charge's model, and their parts are the whole (§8). */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decimal, ZERO } from '../../src/contract/pricing/money.ts';
import type { ChargeRecord } from '../../src/engine/records/index.ts';
import { sameRuns } from '../support/extent.ts';
import { anyEvent, charges, NOW, recordsOf } from './random-usage.ts';
import { ofSubscription, world } from './service-world.ts';

const CURRENT = '/customers/acme/current_usage?external_subscription_id=sub';

const divided = charges.map(charge => ({
  ...charge,
  properties: inParts(charge.properties),
  filters: charge.filters.map(filter => ({ ...filter, properties: inParts(filter.properties) })),
}));

function inParts(properties: ChargeRecord['properties']): ChargeRecord['properties'] {
  return { ...properties, presentation_group_keys: [{ value: 'region' }, { value: 'operation_type' }] };
}

type Part = { units: string; presentation_breakdowns: { units: string }[] };
type Answers = { customer_usage: { charges_usage: Part[] }; invoice: { fees: Part[] } };

async function answersOf(events: Parameters<typeof recordsOf>[0], planCharges: ChargeRecord[]): Promise<Answers> {
  const one = await world(recordsOf(events, planCharges), NOW);
  try {
    const { customer_usage } = (await one.get(CURRENT)).body;
    const { invoice } = (await one.post('/invoices/preview', ofSubscription())).body;
    return { customer_usage, invoice };
  } finally {
    await one.close();
  }
}

/** The answers without the parts, and without the ids that each answer has of its own. */
function withoutParts(answers: Answers): unknown {
  const text = JSON.stringify(answers, (key, value) => (key === 'presentation_breakdowns' ? undefined : value));
  return JSON.parse(text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id'));
}

it('prices divided usage as undivided usage, and shows parts that are the whole or none', async () => {
  let parts = 0;
  const property = fc.asyncProperty(fc.array(anyEvent, { minLength: 1, maxLength: 40 }), async events => {
    const [plain, inPieces] = [await answersOf(events, charges), await answersOf(events, divided)];
    expect(withoutParts(inPieces)).toEqual(withoutParts(plain));
    for (const { units, presentation_breakdowns: shown } of inPieces.customer_usage.charges_usage) {
      parts += shown.length;
      const sum = shown.reduce((total, part) => total.plus(part.units), ZERO);
      if (shown.length > 0) expect(sum.toFixed()).toBe(decimal(units).toFixed());
    }
  });
  await fc.assert(property, sameRuns(100));
  expect(parts).toBeGreaterThan(0);
});
