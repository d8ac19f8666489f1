// preview_invoice, get_invoice and check_invoice: what is to be paid, how it comes about, what for, and what of it is wrong.
import { start } from '../bridge.js';
import { city, day, dotted, el, language, money, note, own, quantity, t } from '../format.js';
import { checkBadge, checkNode, groupsOf, lineNodes, spansOf } from '../invoice-lines.js';
import { bar, facts, head, hero, lines, printButton, section, shade } from '../parts.js';

start('usage-billing-invoice', content => {
  // Only a check has `total`, and what is wrong besides the lines.
  const { invoice, seller, whole_prices: wholePrices, total: checked, wrong_besides: besides = [] } = content;
  if (!invoice) return [head(t('title')), el('p', {}, t('no_invoice'))];
  // The page has the lines that the summary leaves out.
  content.summary = content.summary?.replace(/ [\d,]+ smaller lines? not told here\./, '');
  const { currency, customer = {} } = invoice;
  const groups = groupsOf(invoice);
  const drawn = groups.filter(({ cents }) => cents > 0);
  return [
    head(
      dotted(invoice.number ? t('titled', { number: own(invoice.number) }) : t('title'), own(nameOf(customer))),
      dotted(
        !checked && sellerOf(invoice, seller) && t('from', { seller: own(sellerOf(invoice, seller).name) }),
        periodOf(invoice),
        invoice.number ? state(invoice) : t('nothing_issued'),
      ),
    ),
    hero(
      money(invoice.total_amount_cents, currency),
      due(invoice),
      checked ? verdict(checked, invoice) : path(invoice),
    ),
    bar(drawn.map(({ cents }, index) => ({ size: cents, kind: shade(index) }))),
    ...lineNodes(groups, invoice, wholePrices ?? {}),
    besides.length
      ? section(
          t('wrong_besides'),
          besides.map(each => checkNode(each, invoice.currency, true)),
        )
      : null,
    totals(invoice, checked),
    checked ? null : parties(invoice, sellerOf(invoice, seller)),
    printButton(),
  ];
});

function nameOf({ legal_name, name, firstname, lastname, external_id }) {
  return legal_name || name || [firstname, lastname].filter(Boolean).join(' ') || external_id;
}

/** The seller, with its name where it was read; else with its code instead of the name. */
function sellerOf({ billing_entity_code: code }, seller) {
  return seller ?? (code ? { name: code } : null);
}

/** Nothing is to be paid, and never was. */
function isZero({ total_amount_cents: total, total_due_amount_cents: owed }) {
  return total === 0 && !owed;
}

function state(invoice) {
  const { payment_status: status, payment_overdue: overdue, status: kind } = invoice;
  if (kind && kind !== 'finalized') return t(`state_${kind}`);
  if (isZero(invoice)) return '';
  return t(overdue ? 'overdue' : `payment_${status}`);
}

function due(invoice) {
  const { payment_due_date, issuing_date, total_due_amount_cents: owed, currency, number } = invoice;
  const total = invoice.total_amount_cents;
  const date = day(payment_due_date);
  if (isZero(invoice)) return t('nothing_due');
  if (number && owed === 0) return t('settled', { date: day(issuing_date) });
  if (number && owed !== total && Number.isSafeInteger(owed))
    return t('owed_due', { amount: money(owed, currency), date });
  return date ? t('due', { date }) : '';
}

/** The period that most lines have; a line with another one names its own. */
function periodOf({ fees, customer }) {
  const zone = customer?.applicable_timezone;
  const [first] = spansOf(fees ?? [], zone);
  return first && t('period', { period: first, city: city(zone) });
}

/** What the check says of the whole: the right total, and how far the billed one is from it. */
function verdict({ billed, expected, verdict: kind }, { currency }) {
  const over = expected === null ? 0 : billed - expected;
  if (over === 0) return [checkBadge(kind), ' '];
  const off = t(over > 0 ? 'too_much' : 'too_little', { amount: money(Math.abs(over), currency) });
  return [checkBadge(kind), ' ', dotted(t('should_be', { amount: money(expected, currency) }), off)];
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

const credited = ({ credit_notes_amount_cents: notes, prepaid_credit_amount_cents: prepaid }) => notes || prepaid;

function totals(invoice, checked) {
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
    [t('sum_before_credits'), credited(invoice) ? invoice.sub_total_including_taxes_amount_cents : undefined],
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
        [
          el('b', {}, t(isZero(invoice) ? 'total_zero' : 'total')),
          el('b', {}, money(invoice.total_amount_cents, currency)),
        ],
        ...(checked?.verdict === 'differs' && checked.expected !== null
          ? [[el('b', {}, t('right_total')), el('b', {}, money(checked.expected, currency))]]
          : []),
      ],
    ),
    taxes.length || invoice.taxes_amount_cents !== 0 ? null : note(t('no_tax')),
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
      [t('due_on'), isZero(invoice) ? '' : day(invoice.payment_due_date)],
      [t('order_number'), own(invoice.purchase_order_number)],
    ]),
  );
}

function party(title, record) {
  if (!record?.shown) return null;
  // Where the address is hidden, only its first line says so.
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

/**
 * The line of the town as its country writes it, and the country's name.
 * @param {{ [field: string]: string }} address
 */
function place({ zipcode, city: town, state, country }) {
  const named = country && new Intl.DisplayNames([language], { type: 'region', fallback: 'code' });
  const joined = (...parts) => parts.filter(Boolean).join(' ');
  const lines = /^(US|CA|AU)$/.test(country ?? '')
    ? [[town, joined(state, zipcode)].filter(Boolean).join(', ')]
    : [joined(zipcode, town), state];
  return [...lines, named && /^[A-Z]{2}$/.test(country) ? named.of(country) : country];
}
