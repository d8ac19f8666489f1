// preview_invoice and get_invoice: what is to be paid, how it comes about, and what for.
start('usage-billing-invoice', ({ invoice, seller, whole_prices: wholePrices }) => {
  if (!invoice) return [head(t('title')), el('p', {}, t('no_invoice'))];
  const { currency, customer = {} } = invoice;
  const groups = groupsOf(invoice);
  const drawn = groups.filter(({ cents }) => cents > 0);
  return [
    head(
      dotted(invoice.number ? t('titled', { number: own(invoice.number) }) : t('title'), own(nameOf(customer))),
      dotted(
        sellerOf(invoice, seller) && t('from', { seller: own(sellerOf(invoice, seller).name) }),
        periodOf(invoice),
        invoice.number ? state(invoice) : t('nothing_issued'),
      ),
    ),
    hero(money(invoice.total_amount_cents, currency), due(invoice), path(invoice)),
    bar(drawn.map(({ cents }, index) => ({ size: cents, kind: shade(index) }))),
    ...lineNodes(groups, invoice, wholePrices ?? {}),
    totals(invoice),
    parties(invoice, sellerOf(invoice, seller)),
    printButton(),
  ];
});

function nameOf({ legal_name, name, firstname, lastname, external_id }) {
  return legal_name || name || [firstname, lastname].filter(Boolean).join(' ') || external_id;
}

/** Its name is known where it was read; a code is better than nothing. */
function sellerOf({ billing_entity_code: code }, seller) {
  return seller ?? (code ? { name: code } : null);
}

function state({ payment_status: status, payment_overdue: overdue, status: kind }) {
  if (kind && kind !== 'finalized') return t(`state_${kind}`);
  return t(overdue ? 'overdue' : `payment_${status}`);
}

function due({
  payment_due_date,
  issuing_date,
  total_due_amount_cents: owed,
  total_amount_cents: total,
  currency,
  number,
}) {
  const date = day(payment_due_date);
  if (number && owed === 0) return t('settled', { date: day(issuing_date) });
  if (number && owed !== total && Number.isSafeInteger(owed))
    return t('owed_due', { amount: money(owed, currency), date });
  return date ? t('due', { date }) : '';
}

/** The period once, if all lines share it: that of the longest list of lines. */
function periodOf({ fees, customer }) {
  const zone = customer?.applicable_timezone;
  const [first] = spansOf(fees ?? [], zone);
  return first && t('period', { period: first, city: city(zone) });
}

/** Different periods of lines, that of most lines first. */
function spansOf(fees, zone) {
  const count = new Map();
  for (const fee of fees) {
    const shown = span(fee.from_date, fee.to_date, zone);
    if (shown) count.set(shown, (count.get(shown) ?? 0) + 1);
  }
  return [...count].sort(([, a], [, b]) => b - a).map(([shown]) => shown);
}

/** `charges $435.35 − coupon $10.00 + tax $37.75 − credits $355.99`, without what is nothing. */
function path(invoice) {
  const { currency, progressive_billing_credit_amount_cents: billed = 0 } = invoice;
  const credits = (invoice.credit_notes_amount_cents ?? 0) + (invoice.prepaid_credit_amount_cents ?? 0) + billed;
  const steps = [
    ['charges', '', invoice.fees_amount_cents],
    ['coupons', '− ', invoice.coupons_amount_cents],
    ['tax', '+ ', invoice.taxes_amount_cents],
    ['credits', '− ', credits],
  ].filter(([, sign, cents]) => (sign ? cents > 0 : Number.isSafeInteger(cents)));
  if (steps.length < 2) return null;
  return steps.flatMap(([key, sign, cents]) => [
    el('span', { class: 'step' }, `${sign}${t(key)} ${money(cents, currency)}`),
    ' ',
  ]);
}

/** Lines of one charge of one subscription belong together; largest first. */
function groupsOf(invoice) {
  const groups = new Map();
  const several = new Set((invoice.fees ?? []).map(fee => fee.svc_subscription_id)).size > 1;
  for (const fee of invoice.fees ?? []) {
    const { item = {} } = fee;
    const key = [fee.svc_subscription_id, item.type ?? 'charge', fee.svc_charge_id ?? item.code ?? item.name].join();
    const group = groups.get(key) ?? { fees: [], cents: 0, subscription: several && subscriptionOf(fee, invoice) };
    group.fees.push(fee);
    group.cents += fee.amount_cents ?? 0;
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.cents - a.cents);
}

function subscriptionOf(fee, { subscriptions }) {
  const found = (subscriptions ?? []).find(one => one.svc_id === fee.svc_subscription_id);
  return found?.name ?? found?.external_id ?? fee.external_subscription_id;
}

/** Ten lines; of more the others open on demand. */
const mostLines = 10;

function lineNodes(groups, invoice, wholePrices) {
  if (!groups.length) return [el('p', { class: 'quiet' }, t('no_lines'))];
  const rows = groups.map((group, index) => [
    line(group, index, invoice, wholePrices),
    money(group.cents, invoice.currency),
  ]);
  const columns = [t('item'), t('amount')];
  const rest = rows.slice(mostLines + 1).length ? rows.slice(mostLines) : [];
  return [
    lines(t('lines'), columns, rows.slice(0, rows.length - rest.length)),
    rest.length
      ? el(
          'details',
          { class: 'rest' },
          el('summary', {}, counted('more_lines', rest.length)),
          lines(counted('more_lines', rest.length), columns, rest),
        )
      : null,
  ];
}

function line({ fees, subscription, cents }, index, invoice, wholePrices) {
  const [{ item = {} }] = fees;
  const name = own(item.invoice_display_name ?? item.name ?? item.code ?? t('item'));
  const told = fees.map((fee, at) => described(fee, fees.slice(0, at), invoice, wholePrices));
  const kept = told.filter(({ minimum, cents: amount }) => !minimum && (amount !== 0 || told.length === 1));
  const minimum = told.find(entry => entry.minimum);
  const simple = told.filter(entry => !entry.minimum).length === 1 || !kept.length;
  const [only] = kept.length ? kept : told;
  const inside = simple ? only.steps : kept.map(priced);
  const note = dotted(
    simple ? only.name : counted('lines', kept.length),
    simple && (only.steps.length ? '' : only.note),
    minimum && simple && t('used', { units: quantity(fees[0].units, 4) }),
    minimum && t('minimum'),
    own(subscription),
  );
  return folding(
    [cents > 0 ? swatch(index) : null, name, ' ', el('span', { class: 'quiet' }, note)],
    minimum && inside.length ? [...inside, t('up_to_minimum', { amount: minimum.amount })] : inside,
  );
}

/** One of several fees: its steps, or its units and price, and its amount where they do not end with it. */
function priced({ name, steps, note, amount }) {
  return dotted(name, ...(steps.length ? steps : [note]), steps.length === 1 ? '' : amount);
}

/** One fee: its own name within its charge, what it is in a few words, and the steps of its price. */
function described(fee, earlier, invoice, wholePrices) {
  const currency = fee.amount_currency ?? invoice.currency;
  const { item = {} } = fee;
  const group = Object.entries(item.grouped_by ?? {}).map(([key, value]) => own(`${key}: ${value ?? t('none')}`));
  const zone = invoice.customer?.applicable_timezone;
  const its = span(fee.from_date, fee.to_date, zone);
  const other = its && its !== spansOf(invoice.fees ?? [], zone)[0] ? its : '';
  return {
    minimum: isTrueUp(fee, earlier),
    cents: fee.amount_cents,
    amount: money(fee.amount_cents, currency),
    name: dotted(own(item.filter_invoice_display_name), ...group, other),
    note: noteOf(fee, currency, wholePrices),
    steps: stepsOf(fee.amount_details ?? {}, currency),
  };
}

function noteOf(fee, currency, wholePrices) {
  const units = quantity(fee.units, 4);
  const whole = wholePrices[fee.svc_charge_id];
  if (whole) return t('part_of_month', { units, price: major(whole, currency) });
  const plan = fee.amount_details?.plan_amount_cents;
  if (plan > fee.amount_cents) return t('part_of_period', { price: money(plan, currency) });
  const priced = isTimes(fee, currency);
  return priced
    ? ''
    : fee.units === undefined
      ? ''
      : t('times', { units, price: major(fee.precise_unit_amount, currency) });
}

/** One unit at its own price says nothing more than the amount. */
function isTimes(fee) {
  return Number(fee.units) === 1 || !isDecimal(fee.precise_unit_amount) || fee.amount_cents === 0;
}

/** A fee of one unit and no events that follows another of the same charge, filter and group. */
function isTrueUp(fee, earlier) {
  if (fee.svc_true_up_parent_fee_id) return true;
  const bucket = ({ svc_subscription_id, svc_charge_id, svc_charge_filter_id, item }) =>
    [svc_subscription_id, svc_charge_id, svc_charge_filter_id, JSON.stringify(item?.grouped_by ?? {})].join();
  const alike = earlier.some(other => other.svc_charge_id && bucket(other) === bucket(fee));
  return alike && Number(fee.units) === 1 && fee.events_count === 0 && !Object.keys(fee.amount_details ?? {}).length;
}

/** How usage was priced, a step a line: tiers, packages, percentages. Amounts are shown with the currency's digits. */
function stepsOf(details, currency) {
  const rounded = decimal => major(decimal, currency, digits[currency] ?? 2);
  const ranges = details.graduated_ranges ?? details.graduated_percentage_ranges ?? [];
  const tiers = ranges
    .filter(range => Number(range.units))
    .map(range => {
      const rate =
        range.rate === undefined
          ? major(range.per_unit_amount, currency)
          : t('percent', { rate: quantity(range.rate) });
      const flat = Number(range.flat_unit_amount)
        ? t('plus_flat', { amount: major(range.flat_unit_amount, currency) })
        : '';
      return `${t('times', { units: quantity(range.units, 4), price: rate })}${flat} = ${rounded(range.total_with_flat_amount)}`;
    });
  if (ranges.length) return tiers.length > 1 || /\+/.test(tiers[0] ?? '') ? tiers : tiers.slice(0, 1);
  const free = [
    Number(details.free_units) ? t('free_units', { units: quantity(details.free_units) }) : '',
    Number(details.free_events) ? counted('free_events', Number(details.free_events)) : '',
  ];
  const packages =
    details.per_package_size && Number(details.paid_units)
      ? t('packages', {
          size: quantity(details.per_package_size),
          price: major(details.per_package_unit_amount, currency),
          units: quantity(details.paid_units),
        })
      : '';
  const rate = details.rate
    ? `${t('times', { units: quantity(details.paid_units ?? details.units), price: t('percent', { rate: quantity(details.rate) }) })} = ${rounded(details.per_unit_total_amount)}`
    : '';
  const fixed = Number(details.fixed_fee_total_amount)
    ? `${counted('events_at', Number(details.paid_events), { price: major(details.fixed_fee_unit_amount, currency) })} = ${rounded(details.fixed_fee_total_amount)}`
    : '';
  const volume = Number(details.flat_unit_amount) ? t('flat_fee', { amount: rounded(details.flat_unit_amount) }) : '';
  return [rate, fixed, packages, volume, ...free].filter(Boolean);
}

function totals(invoice) {
  const { currency } = invoice;
  const taxes = invoice.applied_taxes ?? [];
  const coupons = (invoice.credits ?? []).filter(credit => credit.item?.type === 'coupon');
  const off = cents => (cents ? -cents : undefined);
  const rows = [
    [t('sum_charges'), invoice.fees_amount_cents],
    ...(coupons.length
      ? coupons.map(({ item, amount_cents }) => [t('sum_coupon', { name: own(item.name ?? item.code) }), -amount_cents])
      : [[t('sum_coupons'), off(invoice.coupons_amount_cents)]]),
    ...(taxes.length
      ? taxes.map(tax => [
          dotted(own(tax.tax_name ?? tax.tax_code), t('percent', { rate: quantity(tax.tax_rate) })),
          tax.amount_cents,
        ])
      : [[t('sum_taxes'), invoice.taxes_amount_cents || undefined]]),
    [t('sum_progressive'), off(invoice.progressive_billing_credit_amount_cents)],
    [t('sum_credit_notes'), off(invoice.credit_notes_amount_cents)],
    [t('sum_prepaid'), off(invoice.prepaid_credit_amount_cents)],
  ].filter(([, cents]) => Number.isSafeInteger(cents));
  return el(
    'section',
    { class: 'sum' },
    el('h2', {}, t('adds_up')),
    lines(
      null,
      [t('item'), t('amount')],
      [
        ...rows.map(([name, cents]) => [name, money(cents, currency)]),
        [el('b', {}, t('total')), el('b', {}, money(invoice.total_amount_cents, currency))],
      ],
    ),
    taxes.length || invoice.taxes_amount_cents !== 0 ? null : el('p', { class: 'quiet' }, t('no_tax')),
  );
}

/** Who sells and who buys, with what a printed invoice needs. */
function parties(invoice, seller) {
  const { customer = {} } = invoice;
  return el(
    'div',
    { class: 'parties' },
    party(t('seller'), seller && { ...seller, shown: seller.legal_name || seller.name }),
    party(t('billed_to'), { ...customer, shown: nameOf(customer) }),
    facts([
      [t('issued'), day(invoice.issuing_date)],
      [t('due_on'), day(invoice.payment_due_date)],
      [t('order_number'), own(invoice.purchase_order_number)],
    ]),
  );
}

function party(title, record) {
  if (!record?.shown) return null;
  // Where the address is hidden, its first line says so for all.
  const open = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== '[hidden]'));
  const address = [record.address_line1, open.address_line2, ...place(open)].filter(Boolean);
  return el(
    'section',
    {},
    el('h2', {}, title),
    [record.shown, ...address].map(text => el('div', {}, own(text))),
    record.tax_identification_number
      ? el('div', {}, t('tax_number', { number: own(record.tax_identification_number) }))
      : null,
    open.email ? el('div', {}, own(open.email)) : null,
  );
}

/** The line of the town as its country writes it, and the country's name. */
function place({ zipcode, city: town, state, country }) {
  const named = country && new Intl.DisplayNames([language], { type: 'region', fallback: 'code' });
  const joined = (...parts) => parts.filter(Boolean).join(' ');
  const lines = /^(US|CA|AU)$/.test(country ?? '')
    ? [[town, joined(state, zipcode)].filter(Boolean).join(', ')]
    : [joined(zipcode, town), state];
  return [...lines, named && /^[A-Z]{2}$/.test(country) ? named.of(country) : country];
}
