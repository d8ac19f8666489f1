// The words of a list: its codes, its moments, and the filters that led to it.
import { abbreviated, dates, day, labels, money, own, quantity, t } from './format.js';

/** What a code means, in the words of a group of labels; a code without a label is written as words. */
export function word(group, code) {
  if (typeof code !== 'string' || code === '') return '';
  const key = `${group}_${code}`;
  return Object.hasOwn(labels.en, key) ? t(key) : code.replaceAll('_', ' ');
}

/** A moment with its clock time, as it is told; a day alone stays one. */
export function moment(text) {
  if (!/T/.test(String(text))) return day(text);
  const wall = new Date(`${text.slice(0, 19)}Z`);
  if (Number.isNaN(wall.getTime())) return '';
  /** @type {Intl.DateTimeFormatOptions} */
  const style = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' };
  return abbreviated(`${dates('UTC', style).format(wall)}${/Z$/.test(text) ? ' UTC' : ''}`);
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
export function filtersOf(filters = {}, kind) {
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
