// compare_plans: one customer on several plans, side by side.
start('usage-billing-plans', ({ comparison, customer, notes: common, ...basis }) => {
  const { cheapest_plan_code: cheapest, baseline_plan_code: baseline } = basis;
  const plans = (comparison ?? []).filter(plan => !plan.error);
  const failed = (comparison ?? []).filter(plan => plan.error);
  return [
    el(
      'div',
      { class: 'head' },
      el('h1', {}, 'Plans compared'),
      el('button', { type: 'button', onclick: () => window.print() }, 'Print'),
    ),
    customer ? el('p', { class: 'quiet' }, `For ${customer}`) : null,
    el('p', { class: 'quiet' }, 'A whole billing period on each plan. First invoices may cover part of one.'),
    el(
      'p',
      { class: 'legend quiet' },
      el('i', { 'aria-hidden': 'true' }),
      'before tax',
      el('i', { class: 'tax', 'aria-hidden': 'true' }),
      'tax',
    ),
    scrolling('Plans compared', table(plans, cheapest, baseline)),
    ...plans
      .map(plan => [plan.plan_code, [...(plan.left_out ?? []).map(what => `without ${what}`), ...(plan.notes ?? [])]])
      .filter(([, notes]) => notes.length > 0)
      .map(([code, notes]) => el('p', { class: 'quiet' }, `${code}: ${notes.join('; ')}`)),
    common?.length ? el('p', { class: 'quiet' }, `For all: ${common.join('; ')}`) : null,
    ...failed.map(plan =>
      el('p', { class: 'alert' }, `${plan.plan_code}: ${plan.error.message ?? 'could not be computed'}`),
    ),
  ].filter(Boolean);
});

function table(plans, cheapest, baseline) {
  const difference = baseline ? `Difference to ${baseline}` : 'Difference';
  const usage = plans.some(plan => plan.usage_amount_cents !== undefined);
  const years = plans.some(plan => plan.yearly_amount_cents !== undefined);
  const columns = [
    ['Plan'],
    ['Covers'],
    ...(usage ? [['Usage', plan => plan.usage_amount_cents]] : []),
    ['Fees', plan => plan.fees_amount_cents],
    ['Coupons', plan => (plan.coupons_amount_cents ? -plan.coupons_amount_cents : 0)],
    ['Taxes', plan => plan.taxes_amount_cents],
    ['With tax', plan => plan.sub_total_including_taxes_amount_cents],
    ...(years ? [['In a year', plan => plan.yearly_amount_cents]] : []),
    [difference, plan => (years ? plan.yearly_difference_cents : plan.difference_cents)],
    ['First invoice', plan => plan.first_invoice?.sub_total_including_taxes_amount_cents],
    ['To pay on it', plan => plan.first_invoice?.total_amount_cents],
    ['At a glance'],
  ];
  return el(
    'table',
    {},
    el(
      'caption',
      {},
      `A whole billing period on each plan, ${usage ? 'with the usage assumed' : 'usage not included'}`,
    ),
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        columns.map(([name, value]) => el('th', { scope: 'col', class: value ? 'amount' : null }, name)),
      ),
    ),
    el(
      'tbody',
      {},
      plans.map(plan => row(plan, columns, largestIn(plans, plan.currency), plan.plan_code === cheapest)),
    ),
  );
}

/** Bars are scaled within one currency: yen and cents have no common scale. */
function largestIn(plans, currency) {
  const amounts = plans
    .filter(plan => plan.currency === currency)
    .map(plan => plan.sub_total_including_taxes_amount_cents);
  return Math.max(1, ...amounts.map(amount => amount ?? 0));
}

function row(plan, columns, largest, best) {
  const whole = plan.sub_total_including_taxes_amount_cents ?? 0;
  const tax = plan.taxes_amount_cents ?? 0;
  const share = cents => `width:${Math.max(0, Math.round((cents / largest) * 100))}%`;
  const bound = plan.at_least ? (plan.at_most ? 'about ' : 'at least ') : plan.at_most ? 'at most ' : '';
  const cell = ([name, value]) => {
    const shown = money(value(plan), plan.currency);
    return el('td', { class: 'amount' }, name === 'With tax' ? el('b', {}, `${bound}${shown}`) : shown);
  };
  return el(
    'tr',
    {},
    el(
      'th',
      { scope: 'row' },
      plan.plan_code,
      best ? el('div', {}, el('span', { class: 'badge good' }, 'costs least')) : null,
    ),
    el('td', {}, plan.covers),
    columns.filter(([, value]) => value).map(cell),
    el(
      'td',
      {},
      el(
        'div',
        { class: 'bar', role: 'img', 'aria-label': `${money(whole, plan.currency)} with tax` },
        el('i', { style: share(whole - tax) }),
        el('i', { class: 'tax', style: share(tax) }),
      ),
    ),
  );
}
