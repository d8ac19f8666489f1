// compare_plans: one customer on several plans, side by side.
start('usage-billing-plans', ({ comparison, customer, cheapest_plan_code: cheapest, baseline_plan_code: baseline }) => {
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
    el(
      'p',
      { class: 'warning' },
      'First invoices alone, which may cover part of a period: over a whole one the order of the plans can be another.',
    ),
    el(
      'p',
      { class: 'legend quiet' },
      el('i', { 'aria-hidden': 'true' }),
      'before tax',
      el('i', { class: 'tax', 'aria-hidden': 'true' }),
      'tax',
    ),
    scrolling('Plans compared', table(plans, cheapest, baseline)),
    ...failed.map(plan =>
      el('p', { class: 'alert' }, `${plan.plan_code}: ${plan.error.message ?? 'could not be computed'}`),
    ),
  ].filter(Boolean);
});

function table(plans, cheapest, baseline) {
  const difference = baseline ? `Difference to ${baseline}` : 'Difference';
  const columns = [
    'Plan',
    'Covers',
    'Fees',
    'Coupons',
    'Taxes',
    'With tax',
    difference,
    'Credits',
    'To pay',
    'At a glance',
  ];
  return el(
    'table',
    {},
    el('caption', {}, 'The first invoice on each plan, usage not included'),
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        columns.map((name, index) => el('th', { scope: 'col', class: index > 1 && index < 9 ? 'amount' : null }, name)),
      ),
    ),
    el(
      'tbody',
      {},
      plans.map(plan => row(plan, largestIn(plans, plan.currency), plan.plan_code === cheapest)),
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

function row(plan, largest, best) {
  const amount = cents => el('td', { class: 'amount' }, money(cents, plan.currency));
  const credits = (plan.credit_notes_amount_cents ?? 0) + (plan.prepaid_credit_amount_cents ?? 0);
  const net = plan.sub_total_excluding_taxes_amount_cents ?? 0;
  const tax = plan.taxes_amount_cents ?? 0;
  const share = cents => `width:${Math.max(0, Math.round((cents / largest) * 100))}%`;
  return el(
    'tr',
    {},
    el(
      'th',
      { scope: 'row' },
      plan.plan_code,
      best ? el('div', {}, el('span', { class: 'badge good' }, 'costs least at first')) : null,
    ),
    el('td', {}, plan.covers),
    amount(plan.fees_amount_cents),
    amount(plan.coupons_amount_cents ? -plan.coupons_amount_cents : 0),
    amount(plan.taxes_amount_cents),
    el('td', { class: 'amount' }, el('b', {}, money(plan.sub_total_including_taxes_amount_cents, plan.currency))),
    amount(plan.difference_cents),
    amount(credits ? -credits : 0),
    amount(plan.total_amount_cents),
    el(
      'td',
      {},
      el(
        'div',
        { class: 'bar', role: 'img', 'aria-label': `${money(net + tax, plan.currency)} with tax` },
        el('i', { style: share(net) }),
        el('i', { class: 'tax', style: share(tax) }),
      ),
    ),
  );
}
