// get_customer_overview: what a customer owes, uses and has left, on one screen.
import { start } from '../bridge.js';
import { counted, date, day, dotted, el, money, note, own, quantity, quiet, span, t } from '../format.js';
import { badge, bar, ends, head, hero, total } from '../parts.js';

start('usage-billing-overview', ({ overview }) => {
  if (!overview) return [];
  const { customer = {}, owed = [], overdue = [], subscriptions = [] } = overview;
  return [
    head(
      own(
        customer.name ||
          customer.legal_name ||
          [customer.firstname, customer.lastname].filter(Boolean).join(' ') ||
          customer.external_id,
      ),
      dotted(
        own(customer.external_id),
        own(customer.email),
        own(customer.country),
        customer.currency && t('billed_in', { currency: own(customer.currency) }),
        ofAll(overview, 'subscriptions', subscriptions.length),
      ),
      overdue.length ? badge(t('overdue'), 'bad') : null,
    ),
    hero(
      owed.length ? amounts(owed, 'total_due_amount_cents') : t('owes_nothing'),
      owed.length
        ? dotted(counted('owed_on', countOf(owed)), overdue.length ? lateNote(overview) : t('none_overdue'))
        : '',
    ),
    owed.length === 1 ? bar(owedParts(owed[0], overdue[0])) : null,
    el(
      'div',
      { class: 'cards' },
      subscribed(subscriptions, overview),
      wallets(overview),
      alarms(overview),
      credits(overview),
    ),
    notRead(overview),
  ];
});

const countOf = rows => total(rows, ({ count }) => count);

function lateNote({ overdue, overdue_since: since }) {
  const amount = amounts(overdue, 'total_due_amount_cents');
  const values = { amount, count: quantity(String(countOf(overdue))), date: day(since) };
  return el('b', { class: 'bad' }, t('overdue_since', values));
}

/** What is overdue of what is owed, in one currency. */
function owedParts({ total_due_amount_cents: owed }, { total_due_amount_cents: late = 0 } = {}) {
  return [
    { size: late, kind: 'late' },
    { size: owed - late, kind: 'shade s1' },
  ];
}

/** `30 subscriptions`: a section with more rows than are shown names both, `5 of 30`. */
const allOf = ({ shown }, section, count) => Number(shown?.[section]?.split(' of ')[1] ?? count);
function ofAll(overview, section, count) {
  return counted(section, allOf(overview, section, count));
}

/** How many are shown, where they are not all. */
function partOf(overview, section, count) {
  const all = allOf(overview, section, count);
  return all > count ? note(t('some_shown', { shown: quantity(String(count)), all: quantity(String(all)) })) : null;
}

const amounts = (rows, field) => rows.map(row => money(row[field], row.currency)).join(' + ');

function card(title, ...children) {
  const inside = children.flat().filter(Boolean);
  return inside.length ? el('section', { class: 'card' }, el('h2', {}, title), inside) : null;
}

function subscribed(subscriptions, overview) {
  const { usage_period: common, customer } = overview;
  const zone = customer?.applicable_timezone;
  const most = Math.max(1, ...subscriptions.map(row => row.usage?.amount_cents ?? 0));
  const used = subscriptions.filter(row => row.usage).length;
  return card(
    t('subscriptions'),
    subscriptions.flatMap(row => {
      const status = row.status === 'active' ? null : badge(t(`status_${row.status}`), 'warn');
      const of = row.plan_amount_currency ?? row.usage?.currency ?? customer?.currency;
      const period =
        row.usage &&
        span(row.usage.from_datetime ?? common?.from_datetime, row.usage.to_datetime ?? common?.to_datetime, zone);
      return [
        ends(
          el('span', {}, el('b', {}, own(row.name ?? row.external_id)), ' ', status),
          el('b', {}, row.usage ? money(row.usage.amount_cents, of) : ''),
        ),
        row.usage && used > 1 ? bar([{ size: row.usage.amount_cents, kind: 'shade s1' }], most) : null,
        note(
          planOf(row, of),
          period && t('usage_of', { period }),
          row.status === 'pending' && t('starts', { date: day(row.subscription_at, zone) }),
          row.ending_at && t('ends', { date: day(row.ending_at, zone) }),
          row.terminated_at && t('ended', { date: day(row.terminated_at, zone) }),
        ),
      ];
    }),
    subscriptions.length ? partOf(overview, 'subscriptions', subscriptions.length) : null,
  );
}

/** A plan of the product catalogue has no price here. */
function planOf({ plan_code: code, plan_amount_cents: cents }, currency) {
  const plan = own(code);
  return cents === null ? t('plan_elsewhere', { plan }) : t('plan_at', { plan, price: money(cents, currency) });
}

function wallets(overview) {
  const { wallets: rows = [], customer } = overview;
  return card(
    t('wallets'),
    rows.flatMap(({ name, code, currency, balance_cents: held, ongoing_balance_cents: left, expiration_at: until }) => {
      const rest = left ?? held ?? 0;
      const missing = Math.max(0, -rest);
      return [
        ends(el('b', {}, own(name ?? code)), el('b', { class: missing ? 'bad' : null }, money(left ?? held, currency))),
        bar(
          [
            { size: Math.max(0, rest), kind: 'shade s1' },
            { size: Math.max(0, (held ?? 0) - Math.max(0, rest)), kind: 'shade used' },
            { size: missing, kind: 'late' },
          ],
          Math.max(1, held ?? 0),
        ),
        note(
          t('left_after_usage'),
          missing > 0 && el('b', { class: 'bad' }, t('missing', { amount: money(missing, currency) })),
          t('balance', { amount: money(held, currency) }),
          until && t('expires', { date: date(until, customer?.applicable_timezone) }),
        ),
      ];
    }),
    rows.length ? partOf(overview, 'wallets', rows.length) : null,
  );
}

function alarms(overview) {
  const { alerts: rows = [] } = overview;
  return card(
    t('alerts'),
    rows.map(row => el('p', { class: 'bad' }, t('gone_off', { name: own(row.name ?? row.code) }))),
    rows.length ? partOf(overview, 'alerts', rows.length) : null,
  );
}

function credits(overview) {
  const { credit: totals = [], credit_notes: notes = [] } = overview;
  return card(
    t('credit_notes'),
    totals.map(({ count, balance_amount_cents: cents, currency }) =>
      ends(quiet(counted('credit_left', count)), el('b', {}, money(cents, currency))),
    ),
    notes.length ? note(own(notes.map(({ number }) => number).join(', '))) : null,
    notes.length ? partOf(overview, 'credit_notes', notes.length) : null,
  );
}

/** Names the sections that could not be read, so that no one takes them for empty. */
function notRead({ not_read: missing }) {
  const names = Object.keys(missing ?? {}).map(name => name.replaceAll('_', ' '));
  return names.length ? el('p', { class: 'warning' }, t('not_read', { names: own(names.join(', ')) })) : null;
}
