// Sums by month, the months without any as 0; and what is owed, by age, as one bar.
import { axis, chart, chartHeight, column, columns, keys, level, percentOf, svg } from './chart-parts.js';
import { abbreviated, dates, money, t } from './format.js';
import { total } from './parts.js';
import { columnsOf, partsOf, scaleOf } from './scale.ts';

const mostMonths = 24;

export function monthName(text) {
  const style = dates('UTC', { month: 'long', year: 'numeric' });
  return abbreviated(style.format(new Date(`${String(text).slice(0, 7)}-01`)));
}

/** Of rows of one currency, one a month without a gap, newest first; null where an amount is missing, or months have parts. */
export function monthsChart(rows, running) {
  const shown = rows.slice(0, mostMonths).toReversed();
  const isSplit = shown.some(row => row.code || row.payment_status);
  if (shown.length < 2 || isSplit || !shown.every(row => row.month && Number.isSafeInteger(row.amount_cents)))
    return null;
  const sizes = shown.map(row => row.amount_cents);
  const down = scaleOf(sizes, chartHeight);
  const hasRunning = shown.at(-1).month === running;
  return chart(
    monthFinding(hasRunning ? shown.slice(0, -1) : shown),
    [
      level(down(0), 'zero'),
      ...columns(columnsOf(sizes, down), index => (shown[index].month === running ? 'about' : 's1')),
    ],
    {
      top: money(Math.max(0, ...sizes), shown[0].currency),
      below: [
        axis('', monthName(shown[0].month), monthName(shown.at(-1).month)),
        hasRunning && keys([['about', t('key_running')]]),
      ].filter(Boolean),
    },
  );
}

/** Of the newest whole month, next to the one before it. */
function monthFinding(whole) {
  const [before, last] = whole.length > 1 ? whole.slice(-2) : [undefined, whole[0]];
  const amount = money(last.amount_cents, last.currency);
  const month = monthName(last.month);
  if (!before) return t('month_alone', { month, amount });
  const [from, to] = [before.amount_cents, last.amount_cents];
  const rate = percentOf(from, to);
  const kind = from === to ? 'month_same' : !rate ? 'month_after' : to > from ? 'month_more' : 'month_less';
  return t(kind, { month, amount, rate, before: monthName(before.month), was: money(from, before.currency) });
}

const barHeight = 20;
/** Of the width of the narrowest screen, what a letter of a label takes, in shares. */
const letter = 0.024;

/** What is owed in one currency by age, each `{ age, kind, cents }`; the ages are written below the parts with room for it. */
export function ageChart(parts, currency, all) {
  const filled = parts.filter(({ cents }) => cents > 0);
  const places = partsOf(filled.map(({ cents }) => cents));
  const labels = places.flatMap(({ width, middle }, index) => {
    const text = t(filled[index].age);
    const hasRoom = text.length * letter <= Number.parseFloat(width) / 100;
    return hasRoom ? [svg('text', { x: middle, y: barHeight + 15, class: 'at' }, text)] : [];
  });
  return chart(
    ageFinding(parts, currency, all),
    [
      ...places.map(({ x, width }, index) => column({ x, width, y: 0, height: barHeight }, filled[index].kind)),
      ...labels,
    ],
    { height: barHeight + (labels.length ? 20 : 0) },
  );
}

function ageFinding(parts, currency, all) {
  const sumOf = isWanted => total(parts, ({ age, cents }) => (isWanted(age) ? cents : 0));
  const whole = sumOf(() => true);
  const oldest = sumOf(age => age === 'days_over_90');
  const late = sumOf(age => age.startsWith('days_'));
  const said = (key, cents) => t(key, { amount: money(cents, currency), all: money(whole, currency) });
  if (oldest > 0) return said('late_90', oldest);
  if (!all) return said('late_not_90', 0);
  return late > 0 ? said('late_some', late) : said('late_none', 0);
}
