// Lists: invoices, payments, credit notes, wallet transactions, subscriptions, events, each as a table that readers sort.
import { start } from '../bridge.js';
import {
  abbreviated,
  counted,
  dates,
  day,
  digits,
  dotted,
  el,
  isDecimal,
  labels,
  major,
  money,
  own,
  quantity,
  t,
} from '../format.js';
import { head, hero, lines } from '../parts.js';
import { column, sortable, sumOf, sumsOf, wholeOf } from '../table.js';

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
    rows.some(inUtc) ? el('p', { class: 'quiet' }, t('days_in_utc')) : null,
    answer.next_page ? el('p', { class: 'quiet' }, t('next_page', { page: String(answer.next_page) })) : null,
    ...sums(rows, sumsOf(rows.flatMap(entries).filter(Boolean)), answered(answer.totals), whole),
  ].flat();
});

function partOf(shown, about, all) {
  const values = { shown: quantity(String(shown)), all: quantity(all) };
  return all ? t(about ? 'some_of_about' : 'some_of', values) : t('some_of_unknown', values);
}

/** What a code means, in the words of a group of labels; a code without a label is written as words. */
function word(group, code) {
  if (typeof code !== 'string' || code === '') return '';
  const key = `${group}_${code}`;
  return Object.hasOwn(labels.en, key) ? t(key) : code.replaceAll('_', ' ');
}

/** A moment with its clock time, as it is told; a day alone stays one. */
function moment(text) {
  if (!/T/.test(String(text))) return day(text);
  const wall = new Date(`${text.slice(0, 19)}Z`);
  if (Number.isNaN(wall.getTime())) return '';
  /** @type {Intl.DateTimeFormatOptions} */
  const style = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' };
  return abbreviated(`${dates('UTC', style).format(wall)}${/Z$/.test(text) ? ' UTC' : ''}`);
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

/** A text, and a quiet one below it. */
const beside = (text, more) => (more ? [own(text), el('div', { class: 'quiet' }, more)] : own(text));

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
      column.text(
        t('number'),
        row => row.number ?? row.svc_id,
        row =>
          beside(
            row.number ?? row.svc_id,
            dotted(
              row.invoice_type !== 'subscription' && word('type', row.invoice_type),
              row.self_billed && t('self_billed'),
            ),
          ),
      ),
      ...customer(answer),
      column.date(t('issued'), row => row.issuing_date),
      column.date(t('due'), row => row.payment_due_date),
      status(invoiceState, row => isOverdue(row) || row.payment_status === 'failed' || row.status === 'failed'),
      column.money(
        t('total'),
        row => row.total_amount_cents,
        row => row.currency,
      ),
      column.money(
        t('still_owed'),
        row => (isOwed(row) ? (row.total_due_amount_cents ?? 0) : null),
        row => row.currency,
      ),
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
      column.text(
        t('reason'),
        row => word('reason', row.reason),
        row => beside(word('reason', row.reason), own(row.description)),
      ),
      status(
        row => [word('credit', row.credit_status), word('refund', row.refund_status)],
        row => row.refund_status === 'failed',
      ),
      column.money(
        t('total'),
        row => row.total_amount_cents,
        row => row.currency,
      ),
      column.money(
        t('available'),
        row => (row.credit_status === 'available' ? (row.balance_amount_cents ?? 0) : null),
        row => row.currency,
      ),
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
        column.text(
          t('movement'),
          row => word('moved', row.transaction_status),
          row => beside(word('moved', row.transaction_status), own(row.name)),
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
      column.text(
        t('subscription'),
        row => row.name ?? row.external_id,
        row => beside(row.name ?? row.external_id, row.name && own(row.external_id)),
      ),
      ...customer(answer),
      column.text(
        t('plan'),
        row => row.plan_code,
        row =>
          beside(
            row.plan_code,
            row.next_plan_code && t('then_plan', { plan: own(row.next_plan_code), date: day(row.downgrade_plan_date) }),
          ),
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
          name: t('active_on', { plan: own(row.plan_code) }),
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

const entry = (group, currency, cents) => ({ group, currency, cents });

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

/** The sums of the rows that are shown; where the answer has others, of more rows, also those. */
function sums(rows, shown, told, whole) {
  const same = JSON.stringify(shown.map(keyOf).sort()) === JSON.stringify(told.map(keyOf).sort());
  return [
    sumLines(counted(whole ? 'sums_all' : 'sums_shown', rows.length), shown),
    told.length && !same ? sumLines(t('sums_read'), told) : null,
  ];
}

const groupOrder = [
  ...['invoiced', 'wallet_top_ups', 'owed', 'overdue', 'drafts'],
  ...['succeeded', 'processing', 'pending', 'failed'],
  ...['issued', 'available', 'refunds_pending', 'refunds_succeeded', 'refunds_failed'],
];
const wordOfSum = group => (group.startsWith('moved_') ? word('moved', group.slice(6)) : word('sum', group));
const keyOf = ({ group, currency, cents }) => `${group} ${currency} ${cents}`;

function sumLines(title, entries) {
  if (!entries.length) return null;
  const ordered = [...entries].sort(
    (a, b) =>
      Number(a.currency > b.currency) - Number(a.currency < b.currency) ||
      groupOrder.indexOf(a.group) - groupOrder.indexOf(b.group),
  );
  return el(
    'section',
    {},
    el('h2', {}, title),
    lines(
      null,
      [t('what'), t('amount')],
      ordered.map(({ group, name, currency, count, cents }) => [
        [
          name ?? wordOfSum(group),
          ' ',
          el('span', { class: 'quiet' }, dotted(count > 0 && counted('rows_in', count), currency)),
        ],
        sumOf(cents, currency),
      ]),
    ),
  );
}

/** The answer's totals in the form of `sumsOf`: by group and currency, or by currency with all groups in one record. */
function answered(totals) {
  if (Array.isArray(totals))
    return totals.flatMap(({ currency, ...sums }) =>
      Object.entries(sums)
        .filter(([name]) => name.endsWith('_amount_cents'))
        .map(([name, cents]) => ({
          ...entry(`moved_${name.slice(0, -'_amount_cents'.length)}`, currency, wholeOf(cents)),
          count: 0,
        })),
    );
  return Object.entries(totals ?? {}).flatMap(([group, list]) =>
    [list].flat().flatMap(({ currency, count, ...sums }) => {
      const [cents] = Object.entries(sums).flatMap(([name, sum]) => (name.endsWith('_cents') ? [wholeOf(sum)] : []));
      return cents === undefined ? [] : [{ ...entry(group, currency, cents), count }];
    }),
  );
}

/** By which words a filter's codes are told. */
const codes = {
  invoices: { status: 'invoice', payment_status: 'invoice_payment', invoice_type: 'type' },
  payments: { payment_status: 'payment' },
  credit_notes: { credit_status: 'credit', refund_status: 'refund', reason: 'reason' },
  wallet_transactions: { status: 'transaction', transaction_status: 'moved', transaction_type: 'direction' },
  subscriptions: { status: 'subscription' },
  events: {},
};

/** What the list was asked for, each filter with its name: `Payment: overdue`, `Issued: from 1 Jan 2026`. */
function filtersOf(filters = {}, kind) {
  const spans = new Map();
  for (const [name, value] of Object.entries(filters)) {
    const [, base = name, end = ''] = /^(.*)_(from|to)$/.exec(name) ?? [];
    spans.set(base, { ...spans.get(base), [end]: value });
  }
  return [...spans].map(([name, { '': value, from, to }]) => {
    const inWords = each => filterValue(each, name, kind, filters.currency);
    const text =
      value !== undefined
        ? inWords(value)
        : from === undefined
          ? t('until', { to: inWords(to) })
          : to === undefined
            ? t('since', { from: inWords(from) })
            : t('from_to', { from: inWords(from), to: inWords(to) });
    return t('filter', { name: word('by', name), value: text });
  });
}

function filterValue(value, name, kind, currency) {
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (name === 'amount') return currency ? money(value, currency) : t('cents', { count: quantity(String(value)) });
  if (Array.isArray(value))
    return value.flatMap((each, index) => [index ? ', ' : '', filterValue(each, name, kind, currency)]);
  if (value !== null && typeof value === 'object')
    return own(
      Object.entries(value)
        .map(([key, each]) => `${key} = ${each}`)
        .join(', '),
    );
  const group = codes[kind][name];
  if (group) return word(group, value);
  return /^\d{4}-\d\d-\d\d(T|$)/.test(String(value)) ? moment(String(value)) : own(String(value));
}
