// Usage by period, from the oldest: the running one with its estimate, and the next threshold of an alert.
import { axis, chart, chartHeight, column, columns, keys, level, percentOf } from './chart-parts.js';
import { money, note, span, t } from './format.js';
import { columnsOf, scaleOf } from './scale.ts';

/** A threshold further above the columns than this would make them small: then it is in the words alone. */
const farAbove = 3;
const mostColumns = 24;

/** Of the running period and those before it without a gap; null without one before it and without a threshold. */
export function runningChart(usage, { periods = [], threshold, zone }) {
  const { currency, amount_cents: soFar } = usage;
  const estimate = Number.isSafeInteger(usage.estimate?.amount_cents) ? usage.estimate : undefined;
  const amounts = [soFar, ...periods.map(row => row.amount_cents)];
  if (!amounts.every(Number.isSafeInteger) || (!periods.length && !threshold)) return null;
  const past = periods.toReversed();
  const whole = Math.max(soFar, estimate?.amount_cents ?? soFar);
  const sizes = [...past.map(row => row.amount_cents), whole];
  const isNear = threshold <= Math.max(...sizes) * farAbove;
  const down = scaleOf(isNear ? [...sizes, threshold] : sizes, chartHeight);
  const places = columnsOf(sizes, down);
  const [solid] = columnsOf([...sizes.slice(0, -1), soFar], down).slice(-1);
  const amount = cents => money(cents, currency);
  const limit = threshold && [
    isNear ? 'limit' : 'none',
    t(isNear ? 'key_alert' : 'key_alert_above', { amount: amount(threshold) }),
  ];
  return chart(
    runningFinding(soFar, estimate?.amount_cents, past.at(-1)?.amount_cents, amount),
    [
      level(down(0), 'zero'),
      ...columns([...places.slice(0, -1), solid], () => 's1'),
      whole > soFar && column(places.at(-1), 'about'),
      isNear && level(down(threshold), 'limit'),
    ].filter(Boolean),
    {
      top: amount(Math.max(...sizes, isNear ? threshold : 0)),
      below: [
        axis(
          '',
          span((past[0] ?? usage).from_datetime, (past[0] ?? usage).to_datetime, zone),
          past.length ? t('this_period') : '',
        ),
        keys([['s1', t('key_used')], estimate && ['about', t('key_estimate')], limit].filter(Boolean)),
      ],
      table: () => [
        [t('usage_period'), t('amount')],
        [
          ...past.map(row => [span(row.from_datetime, row.to_datetime, zone), amount(row.amount_cents)]),
          [t('this_period'), amount(soFar)],
          ...(estimate ? [[t('key_estimate'), amount(estimate.amount_cents)]] : []),
          ...(limit ? [[limit[1], amount(threshold)]] : []),
        ],
      ],
    },
  );
}

function runningFinding(soFar, estimate, before, amount) {
  if (before === undefined)
    return t(estimate === undefined ? 'only_so_far' : 'estimate_alone', { amount: amount(estimate ?? soFar) });
  if (estimate === undefined) return t('so_far_after', { amount: amount(soFar), before: amount(before) });
  const values = { amount: amount(estimate), before: amount(before), rate: percentOf(before, estimate) };
  if (estimate === before) return t('pace_same', values);
  return t(!values.rate ? 'pace_after' : estimate > before ? 'pace_more' : 'pace_less', values);
}

/** Of past periods, newest first. Where one between them is missing it is not drawn, and says so. */
export function pastChart(rows, zone) {
  const past = rows.slice(0, mostColumns).toReversed();
  const [{ currency } = { currency: '' }] = past;
  if (past.length < 2 || past.some(row => row.currency !== currency || !Number.isSafeInteger(row.amount_cents)))
    return null;
  const gaps = past.slice(1).map((row, index) => Date.parse(row.from_datetime) - Date.parse(past[index].to_datetime));
  if (!gaps.every(gap => gap > 0 && gap <= 1000)) return note(t('chart_gap'));
  const sizes = past.map(row => row.amount_cents);
  const down = scaleOf(sizes, chartHeight);
  const [from, to] = sizes.slice(-2);
  const values = { amount: money(to, currency), before: money(from, currency), rate: percentOf(from, to) };
  const change = !values.rate ? 'began' : to > from ? 'rose' : 'fell';
  const periodOf = row => span(row.from_datetime, row.to_datetime, zone);
  return chart(
    t(from === to ? 'stayed' : change, values),
    [level(down(0), 'zero'), ...columns(columnsOf(sizes, down), () => 's1')],
    {
      top: money(Math.max(0, ...sizes), currency),
      below: [axis('', periodOf(past[0]), periodOf(past.at(-1)))],
      table: () => [
        [t('usage_period'), t('amount')],
        past.map(row => [periodOf(row), money(row.amount_cents, currency)]),
      ],
    },
  );
}
