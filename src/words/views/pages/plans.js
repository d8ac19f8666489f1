// compare_plans: a card for each plan, cheapest first within a currency, and from which usage on another is cheaper.
import { start } from '../bridge.js';
import { curve } from '../chart.js';
import { dotted, el, money, note, own, quantity, spoken, t, withoutDemo } from '../format.js';
import { badge, bar, ends, head, printButton } from '../parts.js';

start('usage-billing-plans', content => {
  const { comparison = [], customer_name: name, notes: common, interval, cheapest_plan_code: cheapest } = content;
  const customer = name ?? content.customer;
  const plans = comparison.filter(plan => !plan.error);
  const failed = comparison.filter(plan => plan.error);
  const withUsage = plans.some(plan => plan.usage_amount_cents !== undefined);
  document.getElementById('view').classList.toggle('wide', plans.length > 3);
  return [
    head(
      customer ? t('titled', { customer: own(customer) }) : t('title'),
      dotted(t(`whole_${interval ?? 'period'}`), t(withUsage ? 'with_usage' : 'without_usage'), t('with_tax')),
    ),
    withUsage
      ? el(
          'p',
          { class: 'legend quiet' },
          ['plan', 'usage', 'tax'].flatMap(part => [
            el('i', { class: `swatch ${kindOf[part]}`, 'aria-hidden': 'true' }),
            t(part),
            ' ',
          ]),
        )
      : null,
    el(
      'div',
      { class: 'cards' },
      plans.map(plan => card(plan, plans, content, plan.plan_code === cheapest)),
    ),
    breakEven(content, plans),
    curve(content, plans),
    common?.length ? note([t('for_all'), ' ', spoken(common.join('; '))]) : null,
    ...failed.map(({ plan_code: code, error }) =>
      el('p', { class: 'alert' }, own(code), ': ', spoken(withoutDemo(error.message)) || t('not_computed')),
    ),
    plans.length ? printButton() : null,
  ];
});

const kindOf = { plan: 'shade s0', usage: 'shade s2', tax: 'shade s4' };

const totalOf = plan => plan.sub_total_including_taxes_amount_cents ?? 0;

function card(plan, plans, content, best) {
  const { currency, first_invoice: first } = plan;
  return el(
    'section',
    { class: 'card' },
    ends(
      el('h2', {}, own(plan.name ?? plan.plan_code), ' ', best ? badge(t('costs_least'), 'good') : null),
      el('b', {}, figure(plan)),
    ),
    // Bars are scaled within one currency: yen and cents have no common scale.
    bar(partsOf(plan), Math.max(1, ...plans.map(other => (other.currency === currency ? totalOf(other) : 0)))),
    note(
      madeOf(plan),
      first &&
        t('first_invoice', {
          period: (first.covers ?? '').replace(/ \([^)]*\)$/, '').replaceAll(' ', '\u00a0'),
          amount: money(first.sub_total_including_taxes_amount_cents, currency),
        }),
      first &&
        first.total_amount_cents !== first.sub_total_including_taxes_amount_cents &&
        t('to_pay', { amount: money(first.total_amount_cents, currency) }),
      plan.yearly_amount_cents !== undefined && t('in_a_year', { amount: money(plan.yearly_amount_cents, currency) }),
      difference(plan, plans, content),
    ),
    ...[...(plan.left_out ?? []).map(what => t('left_out', { what })), ...(plan.notes ?? [])].map(text =>
      note(spoken(text)),
    ),
  );
}

/** The amount, or the bounds of one that is not certain. */
function figure(plan) {
  const { currency, range } = plan;
  const [from, to] = [range?.from_cents, range?.to_cents].map(cents => (cents == null ? null : money(cents, currency)));
  if (from && to) return t('curve_from_to', { from, to });
  const amount = from ?? to ?? money(totalOf(plan), currency);
  return range ? t(from ? 'at_least' : to ? 'at_most' : 'about', { amount }) : amount;
}

function difference(plan, plans, { interval, baseline_plan_code: baseline }) {
  const more = plan.yearly_difference_cents ?? plan.difference_cents;
  if (!more || plan.plan_code === baseline) return '';
  const than = plans.find(other => other.plan_code === baseline);
  const values = {
    amount: money(Math.abs(more), plan.currency),
    plan: own(than?.name ?? baseline),
    every: t(`a_${plan.yearly_difference_cents === undefined ? (interval ?? 'period') : 'yearly'}`),
  };
  return el('b', {}, t(more > 0 ? 'costs_more' : 'costs_less', values));
}

/** What the figure is made of; usage apart where some is assumed. */
function partsOf(plan) {
  const usage = plan.usage_amount_cents ?? 0;
  const tax = plan.taxes_amount_cents ?? 0;
  const total = totalOf(plan);
  // A coupon lowers both plan fee and usage; the bar takes it from the plan fee first.
  const own = Math.max(0, total - tax - usage);
  return [
    { size: own, kind: kindOf.plan },
    { size: Math.min(usage, total - tax), kind: kindOf.usage },
    { size: tax, kind: kindOf.tax },
  ];
}

function madeOf({
  currency,
  fees_amount_cents: fees,
  usage_amount_cents: usage,
  coupons_amount_cents: coupons,
  taxes_amount_cents: tax,
}) {
  if (!Number.isSafeInteger(fees)) return '';
  const steps = [
    `${t('plan')} ${money(fees - (usage ?? 0), currency)}`,
    usage ? `+ ${t('usage')} ${money(usage, currency)}` : '',
    coupons ? `− ${t('coupons')} ${money(coupons, currency)}` : '',
    tax ? `+ ${t('tax')} ${money(tax, currency)}` : '',
  ];
  return steps.filter(Boolean).join(' ');
}

/** The usage from which on a plan is the cheaper one, for each such change. */
function breakEven({ break_even: points }, plans) {
  if (!points?.length) return null;
  const name = code => own(plans.find(plan => plan.plan_code === code)?.name ?? code);
  return el(
    'ul',
    { class: 'finding' },
    points.map(({ cheaper_plan_code: plan, units, billable_metric_code: metric }) => {
      const values = { plan: name(plan), units: quantity(String(units)), metric: own(metric) };
      return el('li', {}, t('cheaper_from', values));
    }),
  );
}
