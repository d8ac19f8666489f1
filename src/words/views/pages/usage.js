// get_usage: what was used so far by charge, beside the last period; or past periods.
import { start } from '../bridge.js';
import { city, counted, dotted, el, money, own, quantity, span, t } from '../format.js';
import { bar, folding, head, hero, lines, shade, swatch } from '../parts.js';

start('usage-billing-usage', ({ usage, previous, customer_name: name, zone, subscription_name: subscription }) => {
  if (!usage) return [];
  const whose = name ?? usage.customer?.name ?? usage.external_customer_id;
  const title = dotted(t('titled', { name: own(subscription ?? usage.external_subscription_id) }), own(whose));
  if (usage.usage_periods) return past(usage, title, zone);
  return current(usage, previous, title, zone);
});

function current(usage, previous, title, zone) {
  const { currency, amount_cents: cents, estimate } = usage;
  const rows = (usage.charges_usage ?? []).toSorted((a, b) => b.amount_cents - a.amount_cents);
  const before = new Map((previous?.charges_usage ?? []).map(row => [keyOf(row), row]));
  const gone = [...before.values()].filter(row => !rows.some(each => keyOf(each) === keyOf(row)) && row.amount_cents);
  const drawn = rows.filter(row => row.amount_cents > 0);
  const all = [...rows, ...gone.map(row => ({ ...row, units: '0', amount_cents: 0, filters: [], grouped_usage: [] }))];
  const columns = [t('charge'), t('this_period'), ...(previous ? [t('last_period')] : [])];
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
        previous && t('last_was', { amount: money(sum(previous), previous.currency ?? currency) }),
      ),
    ),
    bar(drawn.map((row, index) => ({ size: row.amount_cents, kind: shade(index) }))),
    all.length
      ? lines(
          t('by_charge'),
          columns,
          all.map((row, index) => [
            line(row, drawn.includes(row) ? index : null),
            money(row.amount_cents, currency),
            ...(previous ? [compared(before.get(keyOf(row)), row, currency)] : []),
          ]),
          { shown: Boolean(previous) },
        )
      : el('p', {}, t('no_usage')),
    usage.without_usage?.length
      ? el('p', { class: 'quiet' }, t('without_usage', { names: own([].concat(usage.without_usage).join(', ')) }))
      : null,
  ];
}

function past(usage, title, zone) {
  const periods = usage.usage_periods;
  const most = Math.max(1, ...periods.map(({ amount_cents: cents }) => cents ?? 0));
  return [
    head(title, t('past_periods')),
    ...periods.map(each => {
      const rows = each.charges_usage ?? [];
      return el(
        'section',
        { class: 'card' },
        el(
          'div',
          { class: 'row' },
          el('h2', {}, period(each, zone)),
          el('b', {}, money(each.amount_cents, each.currency)),
        ),
        bar(
          rows
            .filter(row => row.amount_cents > 0)
            .map((row, index) => ({ size: row.amount_cents, kind: shade(index) })),
          most,
        ),
        lines(
          t('by_charge'),
          [t('charge'), t('amount')],
          rows.map((row, index) => [line(row, index), money(row.amount_cents, each.currency)]),
        ),
      );
    }),
    periods.length ? null : el('p', {}, t('no_usage')),
  ];
}

const keyOf = row => row.charge_code ?? row.billable_metric_code;
const sum = ({ amount_cents: cents, charges_usage: rows }) =>
  cents ?? (rows ?? []).reduce((all, row) => all + (row.amount_cents ?? 0), 0);

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
      el(
        'span',
        { class: 'quiet' },
        dotted(
          Number(row.units) ? quantity(row.units, 2) : '',
          row.groups_count > parts.length && counted('groups', row.groups_count),
        ),
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

/** The amount of the last period, and whether this period has more or less. That this one still runs is said above. */
function compared(last, row, currency) {
  const cents = last?.amount_cents ?? 0;
  const more = Math.sign(row.amount_cents - cents);
  return [
    money(cents, currency),
    el('span', { class: 'change', 'aria-hidden': 'true' }, more > 0 ? ' ▲' : more < 0 ? ' ▼' : ''),
    el('span', { class: 'unseen' }, more > 0 ? t('more_now') : more < 0 ? t('less_now') : ''),
  ];
}
