// get_revenue: who owes us, by age and customer; or sums by month.
import { start } from '../bridge.js';
import { ageChart, monthName, monthsChart } from '../chart-months.js';
import { movement } from '../chart-parts.js';
import { counted, day, dotted, el, money, note, own, quiet, t } from '../format.js';
import { bar, head, hero, lines, section, total } from '../parts.js';

start('usage-billing-owed', answer => {
  const { revenue = [], customers, customer, totals, customers_shown: shown, report } = answer;
  if (report === 'changes' || report === 'open_items') return single(answer);
  if (report !== 'overdue' && report !== 'receivables') return monthly(answer);
  const all = report === 'receivables';
  const aged = revenue.some(row => Object.keys(ages).some(age => `${age}_cents` in row));
  const of = customer?.name ?? customer?.external_id;
  const title = of ? t('owed_by', { name: own(of) }) : t('title');
  if (!revenue.length) return [head(title), hero(t(all ? 'nothing_owed' : 'nothing_overdue'), '')];
  const sums = totals ?? revenue;
  return [
    head(title, t(all ? 'limits_receivables' : 'limits')),
    hero(
      sums.map(row => money(row.total_due_amount_cents ?? row.amount_cents, row.currency)).join(' + '),
      dotted(
        t(all ? 'owed_in_all' : 'overdue_in_all'),
        revenue[0].count &&
          counted(
            'invoices',
            total(revenue, ({ count }) => count ?? 0),
          ),
        customers?.length && !shown && counted('of_customers', new Set(customers.map(row => row.external_id)).size),
      ),
    ),
    ...(aged ? revenue.map(row => ageing(row, all)) : [byMonth(revenue)]),
    customers?.length ? debtors(customers) : null,
    shown ? note(t('customers_shown', { shown: own(shown) })) : null,
  ];
});

/** From newest to oldest: the older a debt, the darker its part of the bar, and the oldest stands out. */
const ages = {
  not_yet_due: 'shade s3',
  days_1_30: 'shade s2',
  days_31_60: 'shade s1',
  days_61_90: 'shade s0',
  days_over_90: 'late',
  no_due_date: 'shade many',
};

/** Every age, also those without a debt. A report of what is overdue knows nothing of what is not yet due. */
function ageing(row, all) {
  const { currency } = row;
  const parts = Object.entries(ages)
    .map(([age, kind]) => ({ age, kind, cents: row[`${age}_cents`] ?? 0 }))
    .filter(({ age, cents }) => cents || (age !== 'no_due_date' && (all || age !== 'not_yet_due')));
  const marked = ({ age, cents }, text) => {
    if (!cents) return quiet(text);
    return age === 'days_over_90' ? el('b', { class: 'bad' }, text) : text;
  };
  return el(
    'section',
    {},
    ageChart(parts, currency, all),
    lines(
      null,
      [t('age'), t('amount')],
      parts.map(part => [
        [el('i', { class: `swatch ${part.kind}`, 'aria-hidden': 'true' }), marked(part, t(part.age))],
        marked(part, money(part.cents, currency)),
      ]),
      { kind: 'detail' },
    ),
  );
}

function debtors(customers) {
  const most = currency =>
    Math.max(1, ...customers.filter(row => row.currency === currency).map(row => row.total_due_amount_cents));
  const rows = customers.map(row => [
    [
      own(row.name ?? row.external_id),
      ' ',
      quiet(
        counted('invoices', row.count ?? 1),
        row.oldest_due_date && t('oldest', { date: day(row.oldest_due_date) }),
      ),
      bar([{ size: row.total_due_amount_cents, kind: 'shade s1' }], most(row.currency)),
    ],
    money(row.total_due_amount_cents, row.currency),
  ]);
  return section(t('customers'), lines(null, [t('customer'), t('amount')], rows));
}

/** Changes by customer, or open items: one line each, as the rows come. */
function single({ report, revenue: rows = [] }) {
  const line = row => [
    [
      own(row.name ?? row.number ?? row.external_id ?? ''),
      ' ',
      quiet(t(`kind_${row.item ?? row.change}`), row.date && day(row.date)),
    ],
    money(row.difference_cents ?? row.amount_cents, row.currency),
  ];
  return [
    head(t(`report_${report}`)),
    rows.length ? lines(null, [t('customer'), t('amount')], rows.map(line)) : el('p', {}, t('no_rows')),
  ];
}

/** Sums by month, newest first, as the rows come; bars are scaled within one currency. */
function monthly(answer) {
  const { report, revenue: rows = [], running_month: running, totals = [] } = answer;
  const currencies = [...new Set(rows.map(({ currency }) => currency))];
  const months = monthsOf(answer);
  // MRR is of a month: its sum over months means nothing.
  const sums =
    report === 'mrr'
      ? currencies.flatMap(currency => withZeros(rows, currency, months).filter(({ month }) => month === running))
      : totals;
  return [
    head(t(`report_${report}`), t(`about_${report}`)),
    ...(rows.length
      ? [
          hero(
            sums.map(({ amount_cents: cents, currency }) => money(cents, currency)).join(' + '),
            report === 'mrr' ? dotted(monthName(running), t('so_far')) : counted('in_months', months.length),
          ),
          ...currencies.map(currency =>
            byMonth(withZeros(rows, currency, months), currencies.length > 1 && currency, running),
          ),
        ]
      : [el('p', {}, t('no_rows'))]),
  ];
}

/** All months of a report, newest first: those with rows, those without, and the running one. */
function monthsOf({ revenue: rows = [], running_month: running, zero_months: zeros }) {
  const named = [...rows.map(({ month }) => month), running, ...(String(zeros ?? '').match(/\d{4}-\d\d/g) ?? [])]
    .filter(month => /^\d{4}-\d\d$/.test(month))
    .sort();
  const months = [];
  for (let month = named.at(-1); month >= named[0]; month = monthBefore(month)) months.push(month);
  return months;
}

/** The rows of a currency, and a row of 0 for each month without one. */
function withZeros(all, currency, months) {
  const rows = all.filter(row => row.currency === currency);
  const missing = months
    .filter(month => !rows.some(row => row.month === month))
    .map(month => ({ month, currency, amount_cents: 0 }));
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
  const chart = monthsChart(rows, running);
  return el(
    'section',
    {},
    chart ?? el('h2', {}, title),
    lines(
      null,
      [t('month'), t('amount'), ...(chart ? [t('movement')] : [])],
      rows.map((row, index) => [
        [
          row.month ? monthName(row.month) : '',
          ' ',
          quiet(
            row.month && row.month === running && t('so_far'),
            own(row.code),
            row.payment_status && t(`payment_${row.payment_status}`),
            row.invoices_count && counted('invoices', row.invoices_count),
          ),
          sizes[index] && !chart ? bar([{ size: sizes[index], kind: 'shade s1' }], most) : null,
        ],
        money(sizes[index], row.currency),
        ...(chart ? [row.month === running ? '' : movement(sizes[index + 1], sizes[index])] : []),
      ]),
      { shown: Boolean(chart) },
    ),
  );
}
