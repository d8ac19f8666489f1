/** A subscription in words: its plan, price and state, and what its plan charges (service-behaviour §3.2). */
import type { Charge, Customer, Fields, FixedCharge, Listed, Plan, Subscription } from '../contract/shown.ts';
import { wordsOf } from './code-words.ts';
import { chargeName, priceLine } from './price.ts';
import { code, count, day, listed, money, named, opt, phrase, quantity, quoted, say, sentences } from './summary.ts';
import { momentIn, onDay } from './zoned-times.ts';

const MAX_PRICES = 3;
const MAX_CHARGES = 6;
const MAX_CATALOGUE_PLANS = 10;

/** A fixed charge with the units of the plan next to those of the subscription. */
type FixedChargeAsRead = FixedCharge & { readonly plan_units?: unknown };

/** A plan with what the reads say of it: are the units of its fixed charges those of the subscription? */
export type PlanAsRead = Plan & { readonly own_quantities?: unknown };

/** Does the subscription have its own copy of the plan already? Null where the plan was not read. */
export function hasOwnPlan(plan: PlanAsRead): boolean | null {
  return plan.parent_id === undefined ? null : Boolean(plan.parent_id);
}

const ownCopy = 'its own copy of the plan';
const whosePrices: Readonly<Record<string, string>> = { true: ` (${ownCopy})`, false: ' (from the plan)' };

/** What its plan charges now, and whether these are its own prices; of more than three prices where they stand. */
export function describePlanPrices(subscription: Subscription): string | null {
  const plan = subscription.plan ?? {};
  const prices = [...(plan.fixed_charges ?? []), ...(plan.charges ?? [])].map(
    charge => say`${chargeName(charge)} ${priceLine(charge, plan.amount_currency)}`,
  );
  const priceTexts = prices.filter(price => price !== null);
  const isOwn = hasOwnPlan(plan);
  if (priceTexts.length === 0) return isOwn === true ? `It has ${ownCopy}` : null;
  const whose = whosePrices[String(isOwn)] ?? '';
  return priceTexts.length > MAX_PRICES
    ? `Its ${priceTexts.length} prices${whose} are listed in plan${planQuantities(plan)}`
    : `Current prices${whose}: ${priceTexts.join('; ')}${planQuantities(plan)}`;
}

/**
 * `Taxes: vat_20 (20%), food (5%) on “Glossary”`; null where the answer has no plan. Without taxes of the plan, those of
 * `customer` count, where it was read.
 */
export function describeTaxes(subscription: Subscription, customer: Customer | null): string | null {
  const plan = subscription.plan ?? {};
  if (plan.taxes === undefined) return null;
  const charges: Charge[] = [...(plan.fixed_charges ?? []), ...(plan.charges ?? [])];
  const taxesOf = ({ taxes }: Pick<Plan, 'taxes'>) =>
    listed((taxes ?? []).map(tax => phrase`${code(tax.code) ?? 'one'}${say` (${quantity(tax.rate)}%)`}`));
  const parts = charges.map(charge => say`${taxesOf(charge)} on ${chargeName(charge)}`);
  const commitment = say`${taxesOf(plan.minimum_commitment ?? {})} on the minimum commitment`;
  const others = listed([...parts, commitment], MAX_CHARGES);
  const isKnown = customer !== null && customer.taxes !== undefined;
  const ofCustomer = isKnown ? (say`${taxesOf(customer)}, set on the customer` ?? 'from the billing entity') : null;
  const usual = taxesOf(plan) ?? ofCustomer ?? 'from the customer, otherwise from the billing entity';
  return phrase`Taxes: ${usual}${say`; ${others}`}`;
}

/** `Units of its own: setup 5 (2 in the plan)`; null where they are the plan's. */
export function describeOwnUnits(subscription: Subscription): string | null {
  const units = (subscription.plan?.fixed_charges ?? []).map((charge: FixedChargeAsRead) => {
    const { units: now, plan_units: inPlan } = charge;
    return say`${chargeName(charge)} ${quantity(now)} (${quantity(inPlan)} in the plan)`;
  });
  return say`Units set for this subscription: ${listed(units, MAX_CHARGES)}`;
}

function planQuantities(plan: PlanAsRead): string {
  if (plan.fixed_charges === undefined && Array.isArray(plan.charges)) return ' (fixed charges are not shown)';
  return plan.own_quantities === false
    ? " (fixed charge units are from the plan: the subscription's own could not be read)"
    : '';
}

/** Charges of an override: an id says which charge is changed. */
type SentOverrides = { readonly [List in 'charges' | 'fixed_charges']?: Listed<Fields<'id' | 'code'>> };

/**
 * After an override: the prices that it set, as the subscription's own plan has them, and what else this plan charges.
 * `before`: the plan as it was read for the question.
 */
export function describePrices(
  subscription: Subscription,
  overrides: SentOverrides,
  before: Plan | undefined,
): string | null {
  const plan = subscription.plan ?? {};
  const charges = [...(plan.fixed_charges ?? []), ...(plan.charges ?? [])];
  // An override keeps the fixed charges, which the answer may not show.
  const kept = plan.fixed_charges === undefined ? (before?.fixed_charges ?? []) : [];
  // An entry with nothing but an id keeps its charge as it is.
  const sent = [...(overrides.fixed_charges ?? []), ...(overrides.charges ?? [])]
    .filter(({ id, ...set }) => id === undefined || Object.keys(set).length > 0)
    .flatMap(({ id, code }) => [id, code]);
  const ids = new Set<unknown>(sent.filter(id => id !== undefined));
  // The charges of a plan's copy have new ids.
  const isSent = (charge: Charge) => [charge.svc_id, charge.svc_parent_id, charge.code].some(id => ids.has(id));
  const newPrices = charges
    .filter(isSent)
    .slice(0, MAX_PRICES)
    .map(charge => ({ charge, price: say`${chargeName(charge)} ${priceLine(charge, plan.amount_currency)}` }))
    .filter(({ price }) => price !== null);
  const others = [...kept, ...charges].filter(charge => newPrices.every(one => one.charge !== charge)).map(chargeName);
  return sentences(
    newPrices.length > 0 && `Current prices: ${newPrices.map(({ price }) => price).join('; ')}`,
    say`Its copy of the plan ${newPrices.length > 0 ? 'also charges' : 'charges'} for ${listed(others, MAX_CHARGES)}`,
  );
}

/**
 * Its plan, price and state, and what ends or follows: `Subscription “Main” (main) of customer acme: plan pro, $99.00 a
 * month, active`. `zone` is the customer's, null where it was not read.
 */
export function describeSubscription(subscription: Subscription, now: Date, zone: string | null = null): string {
  const { plan_amount_cents: cents, plan_amount_currency: currency } = subscription;
  const subject = named(subscription.name, subscription.external_id) ?? 'without an id';
  const status = code(subscription.status);
  const interval = wordsOf('interval', subscription.plan?.interval);
  const price = isOnCataloguePlan(subscription) ? null : money(cents, currency);
  const { ending_at: ending } = subscription;
  const isPast = Date.parse(ending ?? '') < now.getTime();
  const terms = [
    `plan ${code(subscription.plan_code) ?? 'unknown'}`,
    price === null || interval === null ? price : `${price} ${interval}`,
    stateOf(subscription, now, zone),
  ].filter(term => term !== null);
  return sentences(
    phrase`Subscription ${subject}${say` of customer ${code(subscription.external_customer_id)}`}: ${terms.join(', ')}`,
    !isOver(status) && catalogueNoteOf([subscription]),
    status === 'pending' && say`It starts ${onDay(subscription.subscription_at, zone, now)}`,
    // `ending_at` does not apply to a terminated or canceled subscription: that has already ended.
    !isOver(status) && say`${isPast ? 'It was due to end' : 'It ends'} ${onDay(ending, zone, now)}`,
    !isOver(status) &&
      say`It changes to plan ${code(subscription.next_plan_code)}${opt` on ${day(subscription.downgrade_plan_date, now)}`}`,
  );
}

/** `active`, `ended on 12 Feb, 00:00 UTC`, `canceled on 1 May, before its start, because a payment failed`. */
function stateOf(subscription: Subscription, now: Date, zone: string | null): string | null {
  const { status, terminated_at, canceled_at, cancellation_reason, activation_rules } = subscription;
  const words = wordsOf('subscription', status);
  if (status === 'terminated') return phrase`${words}${say` ${onDay(terminated_at, zone, now)}`}`;
  if (status === 'incomplete') {
    const rule = (activation_rules ?? []).find(one => one.status === 'pending');
    return phrase`${words}${say` until ${momentIn(rule?.expires_at, zone, now)}`}`;
  }
  if (status !== 'canceled') return words;
  const at = onDay(canceled_at, zone, now);
  const why = opt`, because ${wordsOf('cancellation', cancellation_reason)}`;
  return `${at === null ? words : `canceled ${at}, before its start`}${why}`;
}

/** How it is billed, where that is not as usual, and what became of the payment on which its start waits. */
export function describeTerms(subscription: Subscription): string | null {
  const { status, purchase_order_number: number, consolidate_invoice, progressive_billing_disabled } = subscription;
  const waits = status !== 'active' && status !== 'terminated';
  const rules = waits ? (subscription.activation_rules ?? []) : [];
  return (
    sentences(
      // That it waits is its state.
      ...rules.map(rule =>
        status === 'incomplete' && rule.status === 'pending'
          ? null
          : say`Its first payment ${wordsOf('activationRule', rule.status)}`,
      ),
      say`Order number ${quoted(number)}`,
      !isOver(status) && consolidate_invoice === false && 'It is billed on a separate invoice',
      !isOver(status) && progressive_billing_disabled === true && 'Progressive billing is off',
    ) || null
  );
}

export function isOver(status: unknown): boolean {
  return status === 'terminated' || status === 'canceled';
}

type Price = Pick<Plan, 'amount_cents' | 'interval'>;
type PricedSubscription = Pick<Subscription, 'plan_code' | 'plan_amount_cents' | 'plan'>;

/**
 * Is it a plan of the newer product catalogue, whose price and interval the interface does not show? A field that is left out
 * says nothing: such a plan has null.
 */
export function isPricedElsewhere({ amount_cents, interval }: Price): boolean {
  return amount_cents === null || interval === null;
}

export function isOnCataloguePlan(subscription: PricedSubscription): boolean {
  return subscription.plan_amount_cents === null || isPricedElsewhere(subscription.plan ?? {});
}

/** `Plan cat is priced in the product catalogue, which this interface does not show`; null without such a plan. */
export function catalogueNote(planCodes: readonly unknown[]): string | null {
  const codes = [...new Set(planCodes.map(planCode => code(planCode) ?? 'without a code'))];
  const rest = codes.length - MAX_CATALOGUE_PLANS;
  const names = rest > 0 ? [...codes.slice(0, MAX_CATALOGUE_PLANS), count(rest, 'more plan')] : codes;
  const subject =
    codes.length === 1 ? `Plan ${listed(names)} is` : `Plans ${listed(names, MAX_CATALOGUE_PLANS + 1)} are`;
  return codes.length === 0 ? null : `${subject} priced in the product catalogue, which this interface does not show`;
}

/** The same for the plans of subscriptions. */
export function catalogueNoteOf(subscriptions: readonly PricedSubscription[]): string | null {
  return catalogueNote(subscriptions.filter(isOnCataloguePlan).map(({ plan_code }) => plan_code));
}
