/** Bills of an account file in April 2026, for the cases of the corrections. */
import { IN_APRIL, metricEntries } from './entries.ts';
import { type Case, type Entry, previewOf } from './file-service.ts';
import { ofSubscription } from './service-world.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
export type Shown = any;

export async function invoiceOf(given: Case, body: unknown = ofSubscription()): Promise<Shown> {
  const answer = await previewOf(given, body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.invoice;
}

export const feesOf = async (given: Case, body?: unknown, type = 'charge'): Promise<Shown[]> =>
  (await invoiceOf(given, body)).fees.filter((fee: Shown) => fee.item.type === type);

export const inApril = (plan: Entry, more: Partial<Case> = {}): Case => ({
  now: IN_APRIL,
  metrics: [metricEntries.sum],
  plan: { amount_cents: 0, ...plan },
  ...more,
});
export const recurring = { ...metricEntries.sum, recurring: true };
export const vat = (rate: string) => ({ taxes: [{ code: 'vat', name: 'vat', rate }] });
