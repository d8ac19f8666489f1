// get_statement: what a customer owed, what moved it line by line, and what is owed now.
import { start } from '../bridge.js';
import { counted, day, dotted, el, money, own, quiet, span, t } from '../format.js';
import { head, hero, lines, printButton } from '../parts.js';

start('usage-billing-statement', content => {
  const { customer = {}, currency, from_date: from, to_date: to, statement = [] } = content;
  const { opening_balance_cents: opening, closing_balance_cents: closing, lines: all = statement } = content;
  const known = closing !== undefined;
  return [
    head(
      t('titled', { name: own(customer.name ?? customer.external_id) }),
      dotted(from ? span(from, to) : t('until', { date: day(to) }), currency),
    ),
    hero(
      known ? money(closing, currency) : '',
      known ? t('closing', { date: day(to) }) : t('no_balance'),
      known ? owedNow(content) : null,
    ),
    ...tables(all, content, known && [t('opening', { date: day(from) }), '', money(opening, currency)]),
    printButton(),
  ];
});

/** Lines that are always open; the earlier ones of a longer statement open on demand. */
const mostOpen = 20;

function tables(all, content, openingRow) {
  const { currency, to_date: to, closing_balance_cents: closing } = content;
  const hidden = all.length > mostOpen + 1 ? all.slice(0, all.length - mostOpen) : [];
  const columns = [t('line'), t('amount'), ...(openingRow ? [t('balance')] : [])];
  const table = (caption, rows) => lines(caption, columns, rows, { shown: true, kind: 'latest' });
  const rowsOf = some => some.map(line => row(line, currency, openingRow));
  const first = openingRow ? [openingRow] : [];
  const last = openingRow
    ? [[el('b', {}, t('closing', { date: day(to) })), '', el('b', {}, money(closing, currency))]]
    : [];
  if (!hidden.length) return [table(t('title'), [...first, ...rowsOf(all), ...last])];
  const carried = openingRow ? [[t('carried'), '', money(hidden.at(-1).balance_cents, currency)]] : [];
  const title = counted('earlier', hidden.length);
  return [
    el(
      'details',
      { class: 'more' },
      el('summary', {}, el('span', {}, title)),
      table(title, [...first, ...rowsOf(hidden)]),
    ),
    table(t('title'), [...carried, ...rowsOf(all.slice(hidden.length)), ...last]),
  ];
}

function row(line, currency, hasBalance) {
  const { date, latest_date: latest, kind, number, amount_cents: amount, balance_cents: balance } = line;
  const { credit_amount_cents: credit, refund_amount_cents: refund, refund_status: state } = line;
  const about = [
    date ? day(date) : latest && t('unknown_day', { date: day(latest) }),
    credit > 0 && t('credit', { amount: money(credit, currency) }),
    refund > 0 && t(`refund_${state ?? 'pending'}`, { amount: money(refund, currency) }),
    line.credit_status === 'voided' && t('note_voided'),
  ];
  const name = [kind ? t(kind) : '', ' ', own(number), ' ', quiet(...about)];
  return [name, money(amount, currency), ...(hasBalance ? [money(balance, currency)] : [])];
}

/** Does the balance say what the unpaid invoices say? */
function owedNow(content) {
  const { currency, to_date: to, owed_now_cents: owed, difference_cents: difference } = content;
  const { after_to_date_cents: later } = content;
  if (owed === undefined) return null;
  const since = later && t('later', { amount: money(later, currency), date: day(to) });
  if (difference)
    return dotted(
      since,
      el('b', { class: 'bad' }, t('differs', { owed: money(owed, currency), amount: money(difference, currency) })),
    );
  return dotted(since, t(owed ? 'agrees' : 'agrees_none', { owed: money(owed, currency) }));
}
