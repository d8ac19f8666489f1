// A wallet's balance over its transactions, what usage takes of it, and down to the day on which it will be empty.
import { axis, chart, chartHeight, keys, level, line, path } from './chart-parts.js';
import { counted, day, money, note, t } from './format.js';
import { lineOf, scaleOf, stepsOf } from './scale.ts';

/**
 * Null where nothing is known of its transactions.
 * @param {any} wallet
 * @param {any} history `points` of time and cents, `before` the first of them, `whole`, `now`, `empty`
 * @param {string} [zone]
 */
export function balanceChart(wallet, history, zone) {
  if (!history) return null;
  const { points = [], before, whole, now, empty } = history;
  if (!points.length) return note(t('no_balances'));
  const { currency, balance_cents: held, ongoing_balance_cents: ongoing } = wallet;
  if (!Number.isSafeInteger(held)) return null;
  const left = Number.isSafeInteger(ongoing) ? ongoing : held;
  const at = new Date(now).getTime();
  const [first] = points;
  const start = new Date(first[0]).getTime();
  const end = empty ? Math.max(at, new Date(empty).getTime()) : at;
  /** @type {[number, number]} */
  const span = [start - (end - start) * 0.02, end];
  const sizes = [before, left, ...points.map(([, cents]) => cents)];
  const down = scaleOf(sizes, chartHeight);
  const steps = [[span[0], before], ...points.map(([time, cents]) => [new Date(time).getTime(), cents]), [at, held]];
  const until = empty && t('about_on', { date: day(empty) });
  const since = day(first[0], zone);
  const amount = cents => money(cents, currency);
  return chart(
    findingOf({ left, held, empty, count: points.length, whole }, amount),
    [
      level(down(0), 'zero'),
      path(stepsOf(steps, span, down), 'held'),
      left !== held && line(lineOf([at, held], [at, left], span, down), 'used-up'),
      empty && line(lineOf([at, left], [end, 0], span, down), 'runway'),
    ].filter(Boolean),
    {
      top: amount(Math.max(0, ...sizes)),
      below: [
        axis('', since, until ?? day(now, zone)),
        keys([left !== held && ['used-up', t('key_left')], empty && ['runway', t('key_estimate')]].filter(Boolean)),
        whole ? null : note(counted('drawn_of', points.length, { date: since })),
      ],
      table: () => [
        [t('time'), t('held')],
        [
          ...(whole ? [] : [[t('before_first'), amount(before)]]),
          ...points.map(([time, cents]) => [day(time, zone), amount(cents)]),
          ...(left === held ? [] : [[t('left'), amount(left)]]),
          ...(empty ? [[until, amount(0)]] : []),
        ],
      ],
    },
  );
}

function findingOf({ left, held, empty, count, whole }, amount) {
  if (empty) return t('empty_about', { date: day(empty) });
  if (left < 0) return t('overdrawn_by', { amount: amount(-left) });
  return whole ? counted('moved_to', count, { amount: amount(held) }) : t('held_now', { amount: amount(held) });
}
