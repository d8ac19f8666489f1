// get_revenue: who owes us, by age and customer; or sums by month.
import { start } from '../bridge.js';
import { counted, dates, day, dotted, el, money, own, t } from '../format.js';
import { bar, head, hero, lines } from '../parts.js';

start('usage-billing-owed', answer => {
  const { revenue = [], customers, customer, totals, customers_shown: shown, report } = answer;
  if (report !== 'overdue' && report !== 'receivables') return monthly(answer);
  const all = report === 'receivables';
  const aged = revenue.some(row => ages.some(age => `${age}_cents` in row));
  const of = customer?.name ?? customer?.external_id;
  if (!revenue.length)
    return [
      head(of ? t('owed_by', { name: own(of) }) : t('title')),
      hero(t(all ? 'nothing_owed' : 'nothing_overdue'), ''),
    ];
  const sums = totals ?? revenue;
  return [
    head(of ? t('owed_by', { name: own(of) }) : t('title'), t(all ? 'limits_receivables' : 'limits')),
    hero(
      sums.map(row => money(row.total_due_amount_cents ?? row.amount_cents, row.currency)).join(' + '),
      dotted(
        t(all ? 'owed_in_all' : 'overdue_in_all'),
        revenue[0].count &&
          counted(
            'invoices',
            revenue.reduce((all, { count }) => all + (count ?? 0), 0),
          ),
      ),
    ),
    ...(aged ? revenue.map(row => ageing(row, revenue.length > 1)) : [byMonth(revenue)]),
    customers?.length ? debtors(customers) : null,
    shown ? el('p', { class: 'quiet' }, t('customers_shown', { shown: own(shown) })) : null,
  ];
});

/** From newest to oldest. */
const ages = ['not_yet_due', 'days_1_30', 'days_31_60', 'days_61_90', 'days_over_90', 'no_due_date'];

/** The older a debt, the darker its part of the bar. */
function ageing(row, several) {
  const { currency } = row;
  const parts = ages
    .map((age, index) => ({ age, cents: row[`${age}_cents`] ?? 0, kind: `shade s${Math.min(5 - index, 4)}` }))
    .filter(({ cents }) => cents > 0);
  return el(
    'section',
    {},
    el('h2', {}, several ? t('by_age_in', { currency }) : t('by_age')),
    bar(parts.map(({ cents, kind }) => ({ size: cents, kind }))),
    lines(
      null,
      [t('age'), t('amount')],
      parts.map(({ age, cents, kind }) => [
        [el('i', { class: `swatch ${kind}`, 'aria-hidden': 'true' }), t(age)],
        money(cents, currency),
      ]),
    ),
  );
}

function debtors(customers) {
  const most = currency =>
    Math.max(1, ...customers.filter(row => row.currency === currency).map(row => row.total_due_amount_cents));
  return el(
    'section',
    {},
    el('h2', {}, t('customers')),
    lines(
      null,
      [t('customer'), t('amount')],
      customers.map(row => [
        [
          own(row.name ?? row.external_id),
          ' ',
          el(
            'span',
            { class: 'quiet' },
            dotted(
              counted('invoices', row.count ?? 1),
              row.oldest_due_date && t('oldest', { date: day(row.oldest_due_date) }),
            ),
          ),
          bar([{ size: row.total_due_amount_cents, kind: 'shade s1' }], most(row.currency)),
        ],
        money(row.total_due_amount_cents, row.currency),
      ]),
    ),
  );
}

/** Sums by month, newest first, as the rows come; bars are scaled within one currency. */
function monthly({ report, revenue: rows = [], running_month: running }) {
  const currencies = [...new Set(rows.map(({ currency }) => currency))];
  return [
    head(t(`report_${report}`), t(`about_${report}`)),
    ...(rows.length
      ? currencies.map(currency =>
          byMonth(withZeros(rows, currency, running), currencies.length > 1 && currency, running),
        )
      : [el('p', {}, t('no_rows'))]),
  ];
}

/** The rows of a currency, and a row of 0 for each month without one, up to the running month. */
function withZeros(all, currency, running) {
  const rows = all.filter(row => row.currency === currency);
  const months = [...all.map(({ month }) => month), running].filter(month => /^\d{4}-\d\d$/.test(month)).sort();
  const missing = [];
  for (let month = months.at(-1); month >= months[0]; month = monthBefore(month))
    if (!rows.some(row => row.month === month)) missing.push({ month, currency, amount_cents: 0 });
  return missing.length
    ? [...rows, ...missing].sort((a, b) => Number(a.month < b.month) - Number(a.month > b.month))
    : rows;
}

function monthBefore(month) {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 2, 1)).toISOString().slice(0, 7);
}

function byMonth(rows, currency, running) {
  const sizes = rows.map(row => row.amount_cents ?? row.total_due_amount_cents ?? 0);
  const most = Math.max(1, ...sizes);
  const title = currency ? t('by_month_in', { currency }) : t('months');
  const month = text =>
    dates('UTC', { month: 'long', year: 'numeric' }).format(new Date(`${String(text).slice(0, 7)}-01`));
  return el(
    'section',
    {},
    el('h2', {}, title),
    lines(
      null,
      [t('month'), t('amount')],
      rows.map((row, index) => [
        [
          row.month ? month(row.month) : '',
          ' ',
          el(
            'span',
            { class: 'quiet' },
            dotted(
              row.month && row.month === running && t('so_far'),
              own(row.code),
              row.payment_status && t(`payment_${row.payment_status}`),
              row.invoices_count && counted('invoices', row.invoices_count),
            ),
          ),
          bar([{ size: sizes[index], kind: 'shade s1' }], most),
        ],
        money(sizes[index], row.currency),
      ]),
    ),
  );
}
