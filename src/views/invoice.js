// preview_invoice: shows the invoice that would be issued.
start('usage-billing-invoice', ({ invoice }) => {
  if (!invoice) return [el('p', { class: 'quiet' }, 'No invoice in this result.')];
  const currency = invoice.currency;
  return [
    el(
      'div',
      { class: 'head' },
      el(
        'div',
        {},
        el('h1', {}, 'Invoice preview'),
        el('p', { class: 'quiet' }, 'A calculation: nothing is issued or stored.'),
      ),
      el('button', { type: 'button', onclick: () => window.print() }, 'Print'),
    ),
    parties(invoice),
    scrolling(
      'Invoice lines',
      el(
        'table',
        {},
        el('caption', {}, `All amounts in ${currency ?? 'the invoice currency'}`),
        el(
          'thead',
          {},
          el('tr', {}, heading('Item'), heading('Units', true), heading('Unit price', true), heading('Amount', true)),
        ),
        el(
          'tbody',
          {},
          (invoice.fees ?? []).flatMap((fee, index, fees) => line(fee, invoice, fees.slice(0, index))),
          noLines(invoice),
        ),
        totals(invoice, currency),
      ),
    ),
  ];
});

function heading(text, amount) {
  return el('th', { scope: 'col', class: amount ? 'amount' : null }, text);
}

function noLines(invoice) {
  return invoice.fees?.length ? null : el('tr', {}, el('td', { colspan: 4, class: 'quiet' }, 'No lines.'));
}

function parties(invoice) {
  const customer = invoice.customer ?? {};
  // Where the address is hidden, its first line says so for all.
  const part = name => (customer[name] === '[hidden]' ? null : customer[name]);
  const address = [
    customer.address_line1,
    part('address_line2'),
    [part('zipcode'), part('city')].filter(Boolean).join(' '),
    part('state'),
    customer.country,
  ];
  return el(
    'div',
    { class: 'parties' },
    facts([
      ['Billed to', customer.legal_name ?? customer.name ?? customer.external_id],
      ['Address', address.filter(Boolean).join(', ')],
      ['Tax number', customer.tax_identification_number],
    ]),
    facts([
      ['Issued', day(invoice.issuing_date)],
      ['Due', day(invoice.payment_due_date)],
      ['Billing entity', invoice.billing_entity_code],
    ]),
  );
}

function line(fee, invoice, earlier) {
  const currency = fee.amount_currency ?? invoice.currency;
  const item = fee.item ?? {};
  const trueUp = isTrueUp(fee, earlier);
  const group = Object.entries(item.grouped_by ?? {}).map(([key, value]) => `${key}: ${value ?? 'none'}`);
  const detail = [
    trueUp && "up to the charge's minimum",
    item.filter_invoice_display_name,
    ...group,
    period(fee, invoice.customer?.applicable_timezone),
  ]
    .filter(Boolean)
    .join(' · ');
  const row = el(
    'tr',
    {},
    el(
      'td',
      {},
      item.invoice_display_name ?? item.name ?? item.code ?? 'Item',
      detail ? el('div', { class: 'quiet' }, detail) : null,
    ),
    el('td', { class: 'amount' }, trueUp ? null : quantity(fee.units)),
    el('td', { class: 'amount' }, trueUp ? null : unitPrice(fee.precise_unit_amount, currency)),
    el('td', { class: 'amount' }, money(fee.amount_cents, currency)),
  );
  return [row, ...tiers(fee.amount_details ?? {}, currency)];
}

/** A fee of one unit and no events that follows another of the same charge, filter and group. */
function isTrueUp(fee, earlier) {
  if (fee.svc_true_up_parent_fee_id) return true;
  const bucket = ({ svc_subscription_id, svc_charge_id, svc_charge_filter_id, item }) =>
    [svc_subscription_id, svc_charge_id, svc_charge_filter_id, JSON.stringify(item?.grouped_by ?? {})].join();
  const alike = earlier.some(other => other.svc_charge_id && bucket(other) === bucket(fee));
  return alike && Number(fee.units) === 1 && fee.events_count === 0 && !Object.keys(fee.amount_details ?? {}).length;
}

/** A unit price from a division may have endless digits: six of them are enough. */
function unitPrice(decimal, currency) {
  const fraction = String(decimal ?? '').split('.')[1] ?? '';
  return fraction.length > 8 ? major(decimal, currency, 6) : major(decimal, currency);
}

/** Bounds are instants: 30 November in New York ends on 1 December in UTC. */
function period(fee, timeZone) {
  return fee.from_date && fee.to_date ? `${day(fee.from_date, timeZone)} – ${day(fee.to_date, timeZone)}` : '';
}

function tiers(details, currency) {
  const ranges = details.graduated_ranges ?? details.graduated_percentage_ranges ?? [];
  const rows = ranges.map(range => {
    const span =
      range.to_value === null || range.to_value === undefined
        ? `${quantity(range.from_value)} and more`
        : `${quantity(range.from_value)} – ${quantity(range.to_value)}`;
    const price = range.rate === undefined ? major(range.per_unit_amount, currency) : `${quantity(range.rate)} %`;
    const flat = Number(range.flat_unit_amount) ? ` + ${major(range.flat_unit_amount, currency)}` : '';
    return tier(
      `Tier ${span}`,
      quantity(range.units),
      `${price}${flat}`,
      major(range.total_with_flat_amount, currency),
    );
  });
  if (Number(details.free_units)) rows.push(tier('of which free', quantity(details.free_units), '', ''));
  if (Number(details.free_events)) rows.push(tier('free events', quantity(details.free_events), '', ''));
  if (details.per_package_size) {
    rows.push(
      tier(
        `Packages of ${quantity(details.per_package_size)}`,
        quantity(details.paid_units),
        major(details.per_package_unit_amount, currency),
        '',
      ),
    );
  }
  if (details.rate && !ranges.length)
    rows.push(
      tier(
        'Rate',
        quantity(details.paid_units ?? details.units),
        `${quantity(details.rate)} %`,
        major(details.per_unit_total_amount, currency),
      ),
    );
  if (Number(details.fixed_fee_total_amount)) {
    rows.push(
      tier(
        'Fixed fee per event',
        quantity(details.paid_events),
        major(details.fixed_fee_unit_amount, currency),
        major(details.fixed_fee_total_amount, currency),
      ),
    );
  }
  if (!ranges.length && Number(details.flat_unit_amount))
    rows.push(tier('Flat fee', '', '', major(details.flat_unit_amount, currency)));
  return rows;
}

function tier(name, units, price, amount) {
  return el(
    'tr',
    { class: 'tier' },
    el('td', {}, name),
    el('td', { class: 'amount' }, units),
    el('td', { class: 'amount' }, price),
    el('td', { class: 'amount' }, amount),
  );
}

function totals(invoice, currency) {
  const taxes = invoice.applied_taxes ?? [];
  const coupons = (invoice.credits ?? []).filter(credit => credit.item?.type === 'coupon');
  const rows = [
    ['Fees', invoice.fees_amount_cents],
    ...(coupons.length
      ? coupons.map(credit => [`Coupon ${credit.item.name ?? credit.item.code ?? ''}`, -credit.amount_cents])
      : [['Coupons', invoice.coupons_amount_cents ? -invoice.coupons_amount_cents : undefined]]),
    ['Subtotal without tax', invoice.sub_total_excluding_taxes_amount_cents],
    ...(taxes.length
      ? taxes.map(tax => [`${tax.tax_name ?? tax.tax_code} (${quantity(tax.tax_rate)} %)`, tax.amount_cents])
      : [['Taxes', invoice.taxes_amount_cents]]),
    [
      'Progressive billing',
      invoice.progressive_billing_credit_amount_cents ? -invoice.progressive_billing_credit_amount_cents : undefined,
    ],
    ['Credit notes', invoice.credit_notes_amount_cents ? -invoice.credit_notes_amount_cents : undefined],
    ['Prepaid credits', invoice.prepaid_credit_amount_cents ? -invoice.prepaid_credit_amount_cents : undefined],
  ].filter(([, cents]) => Number.isSafeInteger(cents));
  return el(
    'tfoot',
    {},
    rows.map(([name, cents]) =>
      el('tr', {}, el('th', { scope: 'row', colspan: 3 }, name), el('td', { class: 'amount' }, money(cents, currency))),
    ),
    el(
      'tr',
      { class: 'total' },
      el('th', { scope: 'row', colspan: 3 }, 'Total due'),
      el('td', { class: 'amount' }, money(invoice.total_amount_cents, currency)),
    ),
  );
}
