// What plans cost at more and less usage: lines from no usage to twice the assumed one.
import { axis, keySign, svg } from './chart-parts.js';
import { dotted, el, money, own, quantity, quiet, t } from './format.js';
import { placed } from './parts.js';

const chartWidth = 640;
const chartHeight = 200;

/** Null without usage, and for fewer than two plans in one currency. Drawn for the eye; the words are in the cards. */
export function curve({ cost_curve: curves, break_even: changes = [] }, plans) {
  if (!curves?.units?.length) return null;
  const { billable_metric_code: metric, units, assumed, plans: costs } = curves;
  const currency = plans[0]?.currency;
  const drawn = plans.filter(
    plan => plan.currency === currency && costs?.[plan.plan_code]?.every(Number.isSafeInteger),
  );
  if (drawn.length < 2) return null;
  const most = Math.max(1, ...drawn.flatMap(plan => costs[plan.plan_code]));
  const end = units.at(-1) || 1;
  const at = (unit, cents) =>
    `${((unit / end) * chartWidth).toFixed(1)},${(chartHeight - (cents / most) * (chartHeight - 8)).toFixed(1)}`;
  const paths = drawn.map((plan, index) =>
    svg('polyline', {
      class: `curve c${index % 4}`,
      points: units.map((unit, step) => at(unit, costs[plan.plan_code][step])).join(' '),
    }),
  );
  const across = (unit, kind) => {
    const x = ((unit / end) * chartWidth).toFixed(1);
    return svg('line', { class: kind, x1: x, x2: x, y1: 0, y2: chartHeight });
  };
  const crossings = changes.filter(point => point.units > 0 && point.units < end);
  const even = crossings.map(point => across(point.units, 'even'));
  const nameOf = ({ name, plan_code: code }) => name ?? code;
  const said = t('curve_said', {
    metric,
    most: quantity(String(end)),
    plans: drawn.map(nameOf).join(', '),
  });
  return el(
    'section',
    { class: 'curves' },
    el('h2', {}, t('curve_title', { metric: own(metric) })),
    axis('up', money(most, currency), t('curve_cost', { currency })),
    placed(
      crossings.map(({ units: at }) => ({
        share: (at / end) * 100,
        text: t('curve_even', { units: quantity(String(at)) }),
      })),
    ),
    svg(
      'svg',
      { viewBox: `0 0 ${chartWidth} ${chartHeight}`, role: 'img', 'aria-label': said, preserveAspectRatio: 'none' },
      across(assumed, 'here'),
      ...even,
      ...paths,
    ),
    axis('', dotted('0', money(0, currency)), t('curve_assumed', { units: quantity(String(assumed)) }), [
      quantity(String(end)),
      ' ',
      own(metric),
    ]),
    el(
      'ul',
      { class: 'keys' },
      drawn.map((plan, index) => {
        const [from, to] = [0, -1].map(at => money(costs[plan.plan_code].at(at), currency));
        const line = svg('polyline', { class: `curve c${index % 4}`, points: '0,4 24,4' });
        return el('li', {}, keySign(line), own(nameOf(plan)), ' ', quiet(t('curve_from_to', { from, to })));
      }),
    ),
  );
}
