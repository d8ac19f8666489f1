/**
 * What chat pages show next to an answer, read only for callers that show them: who sells, what a whole month costs,
 * what an alert's value is now, what the last period used. Each may be missing: an answer never fails because of it.
 */

import type { Body, Usage } from '../../src/contract/answers.ts';
import type * as shown from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import { customerName } from '../../src/words/summary.ts';
import { alertValueOf, chargesOf, sumOf } from '../quotes/usage-parts.ts';
import { readShown } from '../records/one-record.ts';
import { type AlertSubject, readAlertSubject } from '../records/written-record.ts';
import { mostPeriods, readBalances, readThreshold, unbrokenPeriods } from './chart-reads.ts';

/** The answer of a tool: the body of the interface, or that of a lookup. */
type Answer = Omit<Body, 'customer'> & {
  readonly customer?: Pick<shown.Customer, 'external_id'> | shown.Odd;
  readonly usage?: UsageOfSubscription | shown.Odd;
};
type UsageOfSubscription = Usage & Pick<shown.Fee, 'external_customer_id' | 'external_subscription_id'>;
/** Of the tools below, as their schemas checked them. */
type Arguments = {
  readonly [Name in
    | 'external_id'
    | 'subscription_status'
    | 'external_customer_id'
    | 'wallet_code'
    | 'period'
    | 'billable_metric_code'
    | 'charge_id'
    | 'charge_code']?: string;
} & shown.Fields<'page' | 'per_page' | 'all' | 'group'> & { readonly customer?: { readonly external_id?: string } };

type ChatPageRead = (body: Answer, args: Arguments, api: Api, fields: object) => Promise<object>;

/** By tool. The fields go to the chat page alone, next to those of the answer. */
const chatPageReads: Readonly<Record<string, ChatPageRead>> = {
  preview_invoice: ({ invoice, ...body }, _, api) => readForInvoice(invoice ?? (body as shown.Invoice), api),
  get_invoice: ({ invoice, ...body }, _, api) => readForInvoice(invoice ?? (body as shown.Invoice), api),
  compare_plans: async (_, { customer }, api) =>
    customerNameFields(await readShown(api, 'customer', customer?.external_id)),
  list_subscription_alerts: readForAlerts,
  get_wallet_alert: readForWalletAlert,
  list_wallets: readForWallets,
  get_usage: readForUsage,
  list_invoices: filtersOfCall,
  list_payments: filtersOfCall,
  list_credit_notes: filtersOfCall,
  list_wallet_transactions: filtersOfCall,
  list_subscriptions: filtersOfCall,
  list_events: filtersOfCall,
};

/** What a list was called with, but not which of its pages. */
async function filtersOfCall(_: Answer, { page, per_page, all, ...filters }: Arguments): Promise<object> {
  return { filters };
}

/** Never rejects. Fills `fields`, in the order of reading: who stops waiting has those that were read until then. */
export async function readForChatPage(
  tool: string,
  body: unknown,
  { args, api, fields }: { args: object; api: Api; fields: object },
): Promise<void> {
  try {
    Object.assign(fields, await chatPageReads[tool]?.((body ?? {}) as Answer, args, api, fields));
  } catch {
    // A chat page without these is drawn all the same.
  }
}

async function readForInvoice(invoice: shown.Invoice, api: Api): Promise<object> {
  const prorated = invoice.fees?.some(fee => fee.svc_charge_id);
  const codes = new Set(invoice.subscriptions?.map(({ plan_code }) => plan_code));
  const [seller, ...plans] = await Promise.all([
    readShown(api, 'billing_entity', invoice.billing_entity_code),
    ...(prorated ? [...codes].slice(0, 3) : []).map(code => readShown(api, 'plan', code)),
  ]);
  const prices = Object.assign({}, ...plans.map(plan => wholePrices(invoice, plan?.charges ?? [])));
  return {
    ...(seller && { seller: addressOf(seller) }),
    ...(Object.keys(prices).length > 0 && { whole_prices: prices }),
  };
}

/** By charge, a unit's price for a whole period, if a fee was charged at less because it counts for a part (§8). */
function wholePrices(invoice: shown.Invoice, charges: readonly shown.Charge[]): shown.Free {
  const prices = charges.flatMap(({ svc_id, prorated, charge_model, properties }): [string, string][] => {
    const price = properties?.amount;
    if (prorated !== true || charge_model !== 'standard' || !svc_id || !price) return [];
    const less = invoice.fees?.some(
      fee => fee.svc_charge_id === svc_id && Number(fee.precise_unit_amount) < Number(price),
    );
    return less ? [[svc_id, String(price)]] : [];
  });
  return Object.fromEntries(prices);
}

// biome-ignore format: names
const addressFields: readonly (keyof shown.BillingEntity)[] = [
  'name', 'legal_name', 'address_line1', 'address_line2', 'zipcode', 'city', 'state', 'country',
  'tax_identification_number', 'email',
];

function addressOf(entity: shown.BillingEntity): object {
  return Object.fromEntries(addressFields.map(name => [name, entity[name]]));
}

function customerNameFields(customer: shown.Customer | null): object {
  if (customer === null) return {};
  return { customer_name: customerName(customer), zone: customer.applicable_timezone };
}

/** The subscription that the alerts watch, and each alert's value now, from its current usage. */
async function readForAlerts({ alerts }: Answer, args: Arguments, api: Api): Promise<object> {
  const { external_id: id, subscription_status: status } = args;
  if (id === undefined || !api.mayUse('get_subscription')) return {};
  // The alerts are read already.
  const readsWithoutAlerts: Api = {
    ...api,
    mayUse: tool => tool !== 'list_subscription_alerts' && api.mayUse(tool),
  };
  const answer = await readAlertSubject(readsWithoutAlerts, id, status);
  if (!answer.ok) return {};
  return watchedFields(answer.body, alerts ?? [], api.now);
}

/** A subscription as it was read for its alerts, with the alerts' values, which its usage gives. */
function watchedFields(subscription: AlertSubject, alerts: readonly shown.Alert[], at: Date): object {
  const { name, external_id, plan_amount_currency: currency, customer, current_usage } = subscription;
  const values = alerts.flatMap(({ code, alert_type, billable_metric }): [string, number][] => {
    if (current_usage === undefined) return [];
    const value = alertValueOf(current_usage, alert_type ?? '', billable_metric?.code);
    return value === null ? [] : [[code ?? '', value.toNumber()]];
  });
  return {
    watched: {
      name,
      external_id,
      currency,
      ...customerNameFields(customer ?? null),
      ...(values.length > 0 && { now: Object.fromEntries(values), now_at: at.toISOString() }),
    },
  };
}

/** What the chat page of a write shows besides, from the record that was read before the write. */
export function chatPageFields(tool: string, body: unknown, before: AlertSubject, at: Date): object {
  if (tool !== 'create_subscription_alert') return {};
  const { alert, alerts, ...bare } = (body ?? {}) as Body;
  return watchedFields(before, alerts ?? [alert ?? (bare as shown.Alert)], at);
}

async function readForWalletAlert(
  _: Answer,
  { external_customer_id, wallet_code: code }: Arguments,
  api: Api,
): Promise<object> {
  const get = { key: 'wallet' as const, path: { external_customer_id: external_customer_id ?? '', code: code ?? '' } };
  const [wallet, customer] = await Promise.all([
    api.mayUse('list_wallets') ? api.get('/customers/{external_customer_id}/wallets/{code}', get) : null,
    readShown(api, 'customer', external_customer_id),
  ]);
  if (!wallet?.ok) return {};
  const { name, currency } = wallet.body.wallet ?? {};
  return { watched: { name, currency, ...customerNameFields(customer) } };
}

/** The customer's name and zone, and the balances of its first wallets with what is drawn of them. */
async function readForWallets(
  { customer, wallets }: Answer,
  args: Arguments,
  api: Api,
  fields: object,
): Promise<object> {
  const id = customer?.external_id ?? args.external_customer_id ?? null;
  const of = await readShown(api, 'customer', id);
  Object.assign(fields, customerNameFields(of));
  return await readBalances(api, wallets ?? [], { customer: id, zone: of?.applicable_timezone ?? null });
}

/** The names of customer and subscription, the time zone of the period's days, what the last periods used, and an alert's threshold. */
async function readForUsage({ usage }: Answer, args: Arguments, api: Api, fields: object): Promise<object> {
  const current: UsageOfSubscription = usage ?? {};
  const { external_customer_id: customerId, external_subscription_id: subscriptionId, amount_cents: cents } = current;
  const isCurrent = args.period !== 'past';
  // What is narrowed to a charge or group has no periods and no alerts to stand next to.
  const isAll = [args.charge_id, args.charge_code, args.group].every(part => part === undefined);
  const [periods, threshold] = await Promise.all([
    !isCurrent || !isAll || !customerId || !subscriptionId
      ? null
      : api.get('/customers/{external_customer_id}/past_usage', {
          key: 'usage_periods',
          path: { external_customer_id: customerId },
          query: {
            external_subscription_id: subscriptionId,
            billable_metric_code: args.billable_metric_code,
            periods_count: mostPeriods,
          },
        }),
    isCurrent && isAll && args.billable_metric_code === undefined && subscriptionId && typeof cents === 'number'
      ? readThreshold(api, subscriptionId, cents)
      : null,
    readShown(api, 'customer', customerId).then(customer => Object.assign(fields, customerNameFields(customer))),
    readShown(api, 'subscription', subscriptionId).then(
      subscription => subscription && Object.assign(fields, { subscription_name: subscription.name }),
    ),
  ]);
  const past = (periods?.ok && periods.body.usage_periods) || [];
  const [last] = past;
  const before = unbrokenPeriods(current, past);
  return {
    ...(last && {
      previous: {
        from_datetime: last.from_datetime,
        to_datetime: last.to_datetime,
        currency: current.currency,
        amount_cents: sumOf(last.charges_usage),
        ...chargesOf(last.charges_usage),
      },
    }),
    ...(before.length > 0 && { periods: before }),
    ...(threshold !== null && { threshold }),
  };
}
