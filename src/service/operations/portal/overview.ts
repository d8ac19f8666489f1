/** The first portal page: what is to pay, invoices, usage, subscriptions, prepaid credits, and the customer's details. */

import type { PlanRecord, SubscriptionRecord } from '../../../engine/records/index.ts';
import { type Html, html, joined, unbroken } from './html.ts';
import { invoiceRows, type ListedInvoice } from './invoices.ts';
import {
  addressLines,
  bigAmount,
  definitionList,
  documentOf,
  footer,
  nameOf,
  type PortalPageContent,
  personOf,
  rows,
  section,
  stateOf,
  writeTo,
} from './page.ts';
import { paymentNotices, paymentOf } from './payments.ts';
import type { UsageOfSubscription } from './portal-usage.ts';
import { usageParts } from './portal-usage.ts';
import type { Reader } from './reader.ts';
import { movementRows, type WalletContent, walletFacts, walletName } from './wallet.ts';

export interface Overview extends PortalPageContent {
  /** All invoices that the customer owes: finalized, not paid, not in dispute, not issued by the customer. */
  owed: ListedInvoice[];
  /** The newest ones, and whether there are more. */
  invoices: ListedInvoice[];
  moreInvoices: boolean;
  subscriptions: { subscription: SubscriptionRecord; plan: PlanRecord; nextPlan: PlanRecord | undefined }[];
  usage: UsageOfSubscription[];
  /** With the newest movements, and whether there are more. */
  wallets: (WalletContent & { more: boolean })[];
}

export function overviewPage(overview: Overview, reader: Reader): string {
  const { customer, company } = overview;
  const name = nameOf(customer);
  const body = html`<header><p>${company}</p><h1>${name}</h1></header>
<main>
${paymentNotices(overview.payments, overview.base, reader)}
<div class="parts"><div>
${owedSection(overview, reader)}
${invoicesSection(overview, reader)}
${overview.usage.length > 0 && section('usage', reader.say('usage'), usageParts(overview.usage, reader))}
</div><div>
${subscriptionsSection(overview, reader)}
${overview.wallets.length > 0 && walletsSection(overview, reader)}
${detailsSection(overview, reader)}
</div></div>
</main>
${footer(reader)}`;
  return documentOf(`${name} · ${company}`, reader, body);
}

/** One amount for each currency, how much of it is overdue, and whom to write to where it cannot be paid here. */
function owedSection({ owed, payments, entity, now }: Overview, { say, tell, money }: Reader): Html {
  const currencies = [...new Set(owed.filter(each => each.dueCents > 0).map(({ invoice }) => invoice.currency))];
  if (currencies.length === 0) return section('to-pay', say('to_pay'), html`<p>${say('nothing_to_pay')}</p>`);
  const amounts = currencies.map(currency => {
    const ofCurrency = owed.filter(({ invoice }) => invoice.currency === currency);
    const overdueInvoices = ofCurrency.filter(({ invoice }) => stateOf(invoice, now) === 'overdue');
    const [dueCents, overdueCents] = [ofCurrency, overdueInvoices].map(some =>
      some.reduce((sum, each) => sum + each.dueCents, 0),
    ) as [number, number];
    const overdueText =
      overdueCents === dueCents ? say('all_overdue') : tell('overdue_part', { amount: money(overdueCents, currency) });
    return html`<p>${bigAmount(money(dueCents, currency))}${overdueCents > 0 && html`<span class="late">${overdueText}</span>`}</p>`;
  });
  const isPayable = owed.every(({ invoice, dueCents }) => dueCents <= 0 || paymentOf(invoice.id, payments));
  const elsewhere = !isPayable && html`<p class="soft">${say('pay_nowhere')} ${writeTo(entity, say)}</p>`;
  return section('to-pay', say('to_pay'), amounts, elsewhere);
}

function invoicesSection(overview: Overview, reader: Reader): Html {
  const { moreInvoices, base } = overview;
  const { say } = reader;
  const allLink = html`<p><a href="${base}/invoices">${say('all_invoices')}</a></p>`;
  return section('invoices', say('invoices'), invoiceRows(overview, reader), moreInvoices && allLink);
}

function subscriptionsSection({ subscriptions }: Overview, reader: Reader): Html {
  const { say, tell, money } = reader;
  const entries = subscriptions.map(({ subscription, plan, nextPlan }) => {
    const planName = planNameOf(plan);
    return {
      name: subscription.name || planName,
      details: [
        subscription.name && subscription.name !== planName ? planName : null,
        lifeOf(subscription, reader),
        nextPlan === undefined || subscription.downgrade_plan_date === null
          ? null
          : tell('changes', {
              plan: html`${planNameOf(nextPlan)}`,
              date: reader.day(subscription.downgrade_plan_date),
            }),
      ],
      ...(isOver(subscription)
        ? { amount: '' }
        : { amount: money(plan.amount_cents, plan.amount_currency), state: say(`per_${plan.interval}`) }),
    };
  });
  return section('subscriptions', say('subscriptions'), rows(entries, say('no_subscriptions')));
}

export function isOver({ status }: SubscriptionRecord): boolean {
  return status === 'terminated' || status === 'canceled';
}

function planNameOf(plan: PlanRecord): string {
  return plan.invoice_display_name || plan.name;
}

/** Since when, from when or until when: `Starts 1 Jan 2027`. */
function lifeOf(subscription: SubscriptionRecord, { say, tell, day }: Reader): Html | string {
  const { status, subscription_at, started_at, ending_at, terminated_at } = subscription;
  if (status === 'pending') return tell('starts', { date: day(subscription_at) });
  if (status === 'terminated') return tell('ended', { date: day(terminated_at ?? subscription.updated_at) });
  if (status === 'canceled') return say('cancelled');
  if (status === 'incomplete') return say('incomplete');
  const since = tell('since', { date: day(started_at ?? subscription_at) });
  return ending_at === null ? since : joined([since, tell('ends', { date: day(ending_at) })], ' · ');
}

function walletsSection({ wallets, payments, base, now }: Overview, reader: Reader): Html {
  const { say, money, credits } = reader;
  const parts = wallets.map(content => {
    const { wallet, movements, more } = content;
    const name = walletName(wallet, reader);
    const summary = {
      name,
      details: walletFacts({ ...content, now }, reader),
      amount: money(wallet.balance_cents, wallet.currency),
      state: credits(wallet.credits_balance),
    };
    const historyLink = html`<p><a href="${base}/wallets/${wallet.id}" aria-label="${say('whole_history')}: ${name}">${say('whole_history')}</a></p>`;
    return html`${rows([summary], '')}${movements.length > 0 && html`<h3>${say('history')}</h3>${movementRows({ ...content, payments, base }, reader)}`}${more && historyLink}`;
  });
  return section('wallets', say('wallets'), parts);
}

function detailsSection({ customer, entity }: Overview, reader: Reader): Html {
  const { say } = reader;
  const name = nameOf(customer);
  const person = personOf(customer);
  const shipping = customer.shipping_address === null ? null : addressLines(customer.shipping_address, reader);
  const list = definitionList([
    [say('company'), customer.legal_name === name ? null : customer.legal_name],
    [say('contact'), person === name ? null : person],
    [say('email'), customer.email],
    [say('phone'), customer.phone && unbroken(customer.phone)],
    [say('address'), addressLines(customer, reader)],
    [say('shipping_address'), shipping],
    [say('tax_number'), customer.tax_identification_number],
  ]);
  const change = entity?.email ? html`<p class="soft">${say('details_change', { email: entity.email })}</p>` : null;
  return section('details', say('details'), list, change);
}
