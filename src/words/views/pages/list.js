// Lists: invoices, payments, credit notes, wallet transactions, subscriptions, events, each as a table that readers sort.
import { start } from '../bridge.js';
import { counted, day, digits, dotted, el, isDecimal, major, note, own, quantity, t } from '../format.js';
import { answered, entry, sums } from '../list-sums.js';
import { filtersOf, moment, word } from '../list-words.js';
import { head, hero } from '../parts.js';
import { column, sortable, sumsOf } from '../table.js';

start('usage-billing-list', answer => {
  const kind = Object.keys(lists).find(name => Array.isArray(answer[name]));
  if (!kind) return [];
  const rows = answer[kind].map(row => ({ ...answer.every_row, ...row }));
  const { columns, entries } = lists[kind](answer);
  const title = t(`list_${kind}`);
  const of = subjectOf(answer, rows);
  const [, about, all] = /^\d+ of (about )?(\d+)$/.exec(answer.shown) ?? [];
  const whole = Number(all ?? rows.length) <= rows.length && !answer.next_page;
  return [
    head(of ? t('of_whom', { list: title, name: own(of) }) : title),
    hero(
      whole ? quantity(String(rows.length)) : partOf(rows.length, about, all),
      dotted(counted(`n_${kind}`, whole ? rows.length : Number(all ?? 0)), ...filtersOf(answer.filters, kind)),
    ),
    rows.length ? sortable(title, columns, rows) : null,
    rows.some(inUtc) ? note(t('days_in_utc')) : null,
    answer.next_page ? note(t('next_page', { page: String(answer.next_page) })) : null,
    ...sums(rows, sumsOf(rows.flatMap(entries).filter(Boolean)), answered(answer.totals), whole),
  ].flat();
});

function partOf(shown, about, all) {
  const values = { shown: quantity(String(shown)), all: quantity(all) };
  return all ? t(about ? 'some_of_about' : 'some_of', values) : t('some_of_unknown', values);
}

/** A status in words, of several parts; where it alarms, the first of them does. */
const status = (of, badOf = row => row === null) =>
  column.text(
    t('status'),
    row => of(row).join(', '),
    row => {
      const [first, ...others] = of(row).filter(Boolean);
      return dotted(badOf(row) ? el('b', { class: 'bad' }, first) : first, ...others);
    },
  );

/** A text above a quiet one, where there is one. */
const above = (title, of, moreOf) =>
  column.text(title, of, row => {
    const more = moreOf(row);
    return more ? [own(of(row)), el('div', { class: 'quiet' }, more)] : own(of(row));
  });

/** Days of moments that are told in no other time zone; what has its clock time says so itself. */
const inUtc = row =>
  [row.created_at, row.started_at, row.subscription_at, row.terminated_at].some(at => /T.*Z$/.test(String(at)));

/** Whose list it is, where it is of one: a wallet, a subscription, or a customer. */
function subjectOf({ wallet, customer: found, filters }, rows) {
  const named = wallet ? (wallet.name ?? wallet.code) : (found?.name ?? found?.external_id);
  if (named) return named;
  if (filters?.external_customer_id) return (rows[0] && customerOf(rows[0])) ?? filters.external_customer_id;
  return filters?.external_subscription_id;
}

const customerOf = row => row.customer?.name ?? row.customer?.external_id ?? row.external_customer_id;
/** Of a list of one customer, which the heading names, it would be in each row. */
const customer = ({ customer: found, filters }) =>
  found || filters?.external_customer_id ? [] : [column.text(t('customer'), customerOf)];

const isFinalized = ({ status: state = 'finalized' }) => state === 'finalized';
const isOwed = row => isFinalized(row) && !row.self_billed && /^(pending|failed)$/.test(row.payment_status);
const isOverdue = row => isOwed(row) && row.payment_overdue === true;
const isInvoiced = row => isFinalized(row) && !row.self_billed && !row.payment_dispute_lost_at;

/** By the name of their rows: the columns, and what each row adds to which sum. Sums follow the rules of the answer's. */
const lists = {
  invoices: answer => ({
    columns: [
      above(
        t('number'),
        row => row.number ?? row.svc_id,
        row =>
          dotted(
            row.invoice_type !== 'subscription' && word('type', row.invoice_type),
            row.self_billed && t('self_billed'),
          ),
      ),
      ...customer(answer),
      column.date(t('issued'), row => row.issuing_date),
      column.date(t('due'), row => row.payment_due_date),
      status(invoiceState, row => isOverdue(row) || row.payment_status === 'failed' || row.status === 'failed'),
      column.money(t('total'), row => row.total_amount_cents),
      column.money(t('still_owed'), row => (isOwed(row) ? (row.total_due_amount_cents ?? 0) : null)),
    ],
    entries: row => [
      isInvoiced(row) && entry('invoiced', row.currency, row.total_amount_cents),
      isInvoiced(row) && row.invoice_type === 'credit' && entry('wallet_top_ups', row.currency, row.total_amount_cents),
      isOwed(row) && entry('owed', row.currency, row.total_due_amount_cents ?? 0),
      isOverdue(row) && entry('overdue', row.currency, row.total_due_amount_cents ?? 0),
      row.status === 'draft' && entry('drafts', row.currency, row.total_amount_cents),
    ],
  }),
  payments: answer => ({
    columns: [
      column.text(t('of_invoices'), row => [row.invoice_numbers ?? []].flat().join(', ')),
      ...customer(answer),
      column.date(t('date'), row => row.created_at),
      status(
        row => [word('payment', paid(row)), paid(row) === 'failed' && word('why', row.status)],
        row => paid(row) === 'failed',
      ),
      column.text(t('provider'), row => row.payment_provider_code ?? (row.type === 'manual' ? t('by_hand') : '')),
      column.text(t('reference'), row => row.reference),
      column.money(
        t('amount'),
        row => row.amount_cents,
        row => row.amount_currency,
      ),
    ],
    entries: row => [entry(paid(row), row.amount_currency, row.amount_cents)],
  }),
  credit_notes: answer => ({
    columns: [
      column.text(t('number'), row => row.number ?? row.svc_id),
      ...customer(answer),
      column.text(t('of_invoice'), row => row.invoice_number),
      column.date(t('issued'), row => row.issuing_date),
      above(
        t('reason'),
        row => word('reason', row.reason),
        row => own(row.description),
      ),
      status(
        row => [word('credit', row.credit_status), word('refund', row.refund_status)],
        row => row.refund_status === 'failed',
      ),
      column.money(t('total'), row => row.total_amount_cents),
      column.money(t('available'), row => (row.credit_status === 'available' ? (row.balance_amount_cents ?? 0) : null)),
    ],
    entries: row =>
      row.credit_status === 'voided'
        ? []
        : [
            entry('issued', row.currency, row.total_amount_cents),
            row.credit_status === 'available' && entry('available', row.currency, row.balance_amount_cents ?? 0),
            row.refund_amount_cents > 0 &&
              row.refund_status &&
              entry(`refunds_${row.refund_status}`, row.currency, row.refund_amount_cents),
          ],
  }),
  wallet_transactions: ({ wallet, totals }) => {
    const currency = wallet?.currency ?? totals?.[0]?.currency;
    return {
      columns: [
        column.date(t('date'), row => row.created_at, moment),
        above(
          t('movement'),
          row => word('moved', row.transaction_status),
          row => own(row.name),
        ),
        status(
          row => [word('transaction', row.status ?? 'settled')],
          row => row.status === 'failed',
        ),
        decimals(t('credits'), row => row.credit_amount),
        decimals(t('amount'), row => row.amount, currency),
        column.money(
          t('left'),
          row => row.remaining_amount_cents,
          () => currency,
        ),
      ],
      entries: row => [
        (row.status ?? 'settled') === 'settled' &&
          row.transaction_status &&
          entry(`moved_${row.transaction_status}`, currency, minorOf(row.amount, currency)),
      ],
    };
  },
  subscriptions: answer => ({
    columns: [
      above(
        t('subscription'),
        row => row.name ?? row.external_id,
        row => row.name && own(row.external_id),
      ),
      ...customer(answer),
      above(
        t('plan'),
        row => row.plan_code,
        ({ next_plan_code: next, downgrade_plan_date: date }) =>
          next && t('then_plan', { plan: own(next), date: day(date) }),
      ),
      status(row => [word('subscription', row.status ?? 'active')]),
      column.date(t('began'), row => row.started_at ?? row.subscription_at),
      column.date(t('trial_ends'), row => row.trial_ends_at),
      column.date(t('ends'), row => row.ending_at ?? row.terminated_at ?? row.canceled_at),
      column.date(t('next_invoice'), row => row.next_invoice),
      column.money(
        t('plan_price'),
        row => row.plan_amount_cents,
        row => row.plan_amount_currency,
      ),
    ],
    // Of one plan alone: the prices of several are for periods of their own.
    entries: row => [
      (row.status ?? 'active') === 'active' &&
        row.plan_code && {
          ...entry(`plan ${row.plan_code}`, row.plan_amount_currency, row.plan_amount_cents),
          name: () => t('active_on', { plan: own(row.plan_code) }),
        },
    ],
  }),
  events: ({ filters }) => ({
    columns: [
      column.date(t('date'), row => row.timestamp, moment),
      column.text(t('metric'), row => row.code),
      ...(filters?.external_subscription_id
        ? []
        : [column.text(t('subscription'), row => row.external_subscription_id)]),
      column.text(t('event_id'), row => row.transaction_id),
      column.text(t('properties'), row =>
        Object.entries(row.properties ?? {})
          .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
          .join(', '),
      ),
      decimals(t('exact_cents'), row => row.precise_total_amount_cents),
    ],
    entries: () => [],
  }),
};

/** In a longer list, no status is that of what succeeded. */
const paid = ({ payment_status: state = 'succeeded' }) => state;

function invoiceState(row) {
  if (!isFinalized(row)) return [word('invoice', row.status)];
  return [
    isOverdue(row) && t('overdue'),
    (!isOverdue(row) || row.payment_status === 'failed') && word('invoice_payment', row.payment_status),
    row.payment_dispute_lost_at && t('dispute_lost'),
  ];
}

/** Decimal texts, in a currency or as they are. */
const decimals = (title, of, currency = null) => ({
  title,
  amount: true,
  cell(row) {
    const show = currency ? major(of(row), currency) : quantity(of(row), 15);
    return { keys: show ? [Number(of(row))] : [], show };
  },
});

/** `187.5` → 18750 in minor units, from its digits; null where it is none. */
function minorOf(decimal, currency) {
  if (!currency || currency === 'MRO' || !isDecimal(decimal)) return null;
  const [units, fraction = ''] = String(decimal).split('.');
  const places = digits[currency] ?? 2;
  return /[1-9]/.test(fraction.slice(places)) ? null : `${units}${fraction.slice(0, places).padEnd(places, '0')}`;
}
