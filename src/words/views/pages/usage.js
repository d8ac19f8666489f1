// get_usage: what was used so far by charge, next to the last period; or past periods.
import { start } from '../bridge.js';
import { movement } from '../chart-parts.js';
import { pastChart, runningChart } from '../chart-usage.js';
import { city, counted, dotted, el, money, note, own, quantity, quiet, span, t } from '../format.js';
import { bar, ends, foldedLines, folding, head, hero, shade, swatch, total } from '../parts.js';

start('usage-billing-usage', content => {
  const { usage, previous, periods, threshold, customer_name: name, zone, subscription_name: subscription } = content;
  if (!usage) return [];
  // The page lists the charges that the summary leaves out.
  content.summary = content.summary?.replace(/ and [\d,]+ more(?=\.( |$))/, '');
  const whose = name ?? usage.customer?.name ?? usage.external_customer_id;
  const title = dotted(t('titled', { name: own(subscription ?? usage.external_subscription_id) }), own(whose));
  if (usage.usage_periods) return past(usage, title, zone);
  return current(usage, previous, title, zone, runningChart(usage, { periods, threshold, zone }));
});

function current(usage, previous, title, zone, chart) {
  const { currency, amount_cents: cents, estimate } = usage;
  const rows = largestFirst(usage);
  const before = new Map((previous?.charges_usage ?? []).map(row => [keyOf(row), row]));
  const gone = [...before.values()].filter(row => !rows.some(each => keyOf(each) === keyOf(row)) && row.amount_cents);
  const drawn = rows.filter(row => row.amount_cents > 0);
  const all = [...rows, ...gone.map(row => ({ ...row, units: '0', amount_cents: 0, filters: [], grouped_usage: [] }))];
  const was = previous?.amount_cents ?? sumOf(previous?.charges_usage ?? []);
  const columns = [t('charge'), t('this_period'), ...(previous ? [t('last_period'), t('movement')] : [])];
  return [
    head(title, dotted(period(usage, zone), t('no_plan_fee'))),
    hero(
      money(cents, currency),
      dotted(
        t('so_far'),
        usage.taxes_amount_cents ? t('with_tax', { amount: money(usage.total_amount_cents, currency) }) : '',
      ),
      dotted(
        estimate && t('estimate', { amount: money(estimate.amount_cents, currency) }),
        previous && t('last_was', { amount: money(was, previous.currency ?? currency) }),
      ),
    ),
    chart,
    barOf(drawn),
    ...(all.length
      ? foldedLines(
          t('by_charge'),
          columns,
          all.map((row, index) => [
            line(row, drawn.includes(row) ? index : null),
            money(row.amount_cents, currency),
            ...(previous ? compared(before.get(keyOf(row)), row, currency) : []),
          ]),
          hidden => money(sumOf(all.slice(-hidden)), currency),
          { shown: Boolean(previous) },
        )
      : [el('p', {}, t('no_usage'))]),
    usage.without_usage?.length
      ? note(t('without_usage', { names: own([].concat(usage.without_usage).join(', ')) }))
      : null,
  ];
}

function past(usage, title, zone) {
  const periods = usage.usage_periods;
  const currencies = new Set(periods.map(({ currency }) => currency));
  const most = Math.max(1, ...periods.map(({ amount_cents: cents }) => cents ?? 0));
  return [
    head(title, t('past_periods')),
    currencies.size === 1 && periods.length > 1
      ? hero(money(sumOf(periods), periods[0].currency), counted('in_periods', periods.length))
      : null,
    pastChart(periods, zone),
    ...periods.map(each => {
      const rows = largestFirst(each);
      return el(
        'section',
        { class: 'card' },
        ends(el('h2', {}, period(each, zone)), el('b', {}, money(each.amount_cents, each.currency))),
        barOf(
          rows.filter(row => row.amount_cents > 0),
          most,
        ),
        foldedLines(
          t('by_charge'),
          [t('charge'), t('amount')],
          rows.map((row, index) => [line(row, index), money(row.amount_cents, each.currency)]),
          hidden => money(sumOf(rows.slice(-hidden)), each.currency),
        ),
      );
    }),
    periods.length ? null : el('p', {}, t('no_usage')),
  ];
}

const keyOf = row => row.charge_code ?? row.billable_metric_code;
const largestFirst = ({ charges_usage: rows }) => (rows ?? []).toSorted((a, b) => b.amount_cents - a.amount_cents);
const barOf = (rows, most) =>
  bar(
    rows.map((row, at) => ({ size: row.amount_cents, kind: shade(at) })),
    most,
  );
const sumOf = rows => total(rows, row => row.amount_cents ?? 0);

function period({ from_datetime: from, to_datetime: to }, zone) {
  return t('period', { period: span(from, to, zone), city: city(zone) });
}

/** A charge with its units; it opens to its filters and groups. */
function line(row, index) {
  const parts = [
    ...(row.filters ?? []),
    ...(row.grouped_usage ?? []).flatMap(group =>
      group.filters?.length ? group.filters.map(each => ({ ...each, grouped_by: group.grouped_by })) : [group],
    ),
  ];
  return folding(
    [
      index === null || !row.amount_cents ? null : swatch(index),
      own(row.name ?? row.billable_metric_code),
      ' ',
      quiet(
        Number(row.units) ? quantity(row.units) : '',
        row.events_count > 0 && counted('in_events', row.events_count),
        row.groups_count > parts.length && counted('groups', row.groups_count),
      ),
    ],
    parts.filter(part => Number(part.units) || part.amount_cents).length > 1
      ? parts.map(part => dotted(partName(part), `${quantity(part.units, 2)}`))
      : [],
  );
}

function partName({ invoice_display_name: shown, values, grouped_by: groups }) {
  const said = [...Object.entries(groups ?? {}), ...Object.entries(values ?? {})].map(
    ([key, value]) => `${key}: ${[].concat(value ?? t('none')).join(', ')}`,
  );
  return own(shown ?? (said.join(', ') || t('others')));
}

/** The amount of the last period, and by how much this one has more or less. That this one still runs is said above. */
function compared(last, row, currency) {
  const [from, to] = [last?.amount_cents ?? 0, row.amount_cents ?? 0];
  return [money(from, currency), from === to ? t('unmoved') : from === 0 ? t('new') : movement(from, to)];
}
