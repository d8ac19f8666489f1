// The lines of an invoice: fees of one charge together, and what each opens to.

import { isTrueUp } from '../true-up.ts';
import {
  counted,
  digits,
  dotted,
  isDecimal,
  major,
  money,
  note,
  own,
  quantity,
  quiet,
  span,
  spoken,
  t,
} from './format.js';
import { badge, foldedLines, folding, swatch, total } from './parts.js';

/** Lines of one charge of one subscription belong together; what a check found wrong first, then the largest. */
export function groupsOf(invoice) {
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
  const rank = ({ fees }) => (wrongIn(fees).length ? 0 : 1);
  return [...groups.values()].sort((a, b) => rank(a) - rank(b) || b.cents - a.cents);
}

/** The lines of a check that do not agree. */
function wrongIn(fees) {
  return fees.flatMap(({ check }) => (check && check.verdict !== 'agrees' ? [check] : []));
}

export function checkBadge(verdict) {
  return badge(t(`check_${verdict}`), { agrees: 'good', differs: 'bad' }[verdict] ?? 'warn');
}

/** A line of a check that does not agree: what it should be, and why. */
export function checkNode({ fee, verdict, expected_amount_cents: right, reasons = [] }, currency, named) {
  const amount = verdict === 'differs' ? money(right, currency) : '';
  const parts = [named && own(fee), amount && t('should_be', { amount }), ...reasons.map(({ text }) => spoken(text))];
  return note([checkBadge(verdict), ' ', dotted(...parts)]);
}

function subscriptionOf(fee, { subscriptions }) {
  const found = (subscriptions ?? []).find(one => one.svc_id === fee.svc_subscription_id);
  return found?.name ?? found?.external_id ?? fee.external_subscription_id;
}

/** Different periods of lines, that of most lines first. */
export function spansOf(fees, zone) {
  const count = new Map();
  for (const fee of fees) {
    const shown = span(fee.from_date, fee.to_date, zone);
    if (shown) count.set(shown, (count.get(shown) ?? 0) + 1);
  }
  return [...count].sort(([, a], [, b]) => b - a).map(([shown]) => shown);
}

export function lineNodes(groups, invoice, wholePrices) {
  if (!groups.length) return [note(t('no_lines'))];
  const amount = some =>
    money(
      total(some, ({ cents }) => cents),
      invoice.currency,
    );
  const rows = groups.map((group, index) => [line(group, index, invoice, wholePrices), amount([group])]);
  return foldedLines(t('lines'), [t('item'), t('amount')], rows, hidden => amount(groups.slice(-hidden)));
}

function line({ fees, subscription, cents }, index, invoice, wholePrices) {
  const [{ item = {} }] = fees;
  const name = own(item.invoice_display_name ?? item.name ?? item.code ?? t('item'));
  const told = fees.map(fee => described(fee, fees, invoice, wholePrices));
  const kept = told.filter(({ minimum, cents: amount }) => !minimum && (amount !== 0 || told.length === 1));
  const minimum = told.find(entry => entry.minimum);
  const simple = told.filter(entry => !entry.minimum).length === 1 || !kept.length;
  const [only] = kept.length ? kept : told;
  const inside = simple ? only.steps : kept.map(priced);
  const about = dotted(
    simple ? only.name : counted('lines', kept.length),
    simple && (only.steps.length ? '' : only.note),
    minimum && simple && t('used', { units: quantity(fees[0].units, 4) }),
    minimum && t('minimum'),
    own(subscription),
  );
  const wrong = wrongIn(fees);
  const agrees = !wrong.length && fees.some(({ check }) => check) ? [' ', checkBadge('agrees')] : [];
  return [
    folding(
      [cents > 0 ? swatch(index) : null, name, ' ', quiet(about), ...agrees],
      minimum && inside.length ? [...inside, t('up_to_minimum', { amount: minimum.amount })] : inside,
    ),
    ...wrong.map(each => checkNode(each, invoice.currency, fees.length > 1)),
  ];
}

/** One of several fees: its steps, or its units and price; then its amount, unless the one step ends with it. */
function priced({ name, steps, note, amount }) {
  return dotted(name, ...(steps.length ? steps : [note]), steps.length === 1 ? '' : amount);
}

/** One fee: its own name within its charge, what it is in a few words, and the steps of its price. */
function described(fee, fees, invoice, wholePrices) {
  const currency = fee.amount_currency ?? invoice.currency;
  const { item = {} } = fee;
  const group = Object.entries(item.grouped_by ?? {}).map(([key, value]) => own(`${key}: ${value ?? t('none')}`));
  const zone = invoice.customer?.applicable_timezone;
  const its = span(fee.from_date, fee.to_date, zone);
  const minimum = isTrueUp(fee, fees);
  const other = its && its !== spansOf(invoice.fees ?? [], zone)[0] ? its : '';
  return {
    minimum,
    cents: fee.amount_cents,
    amount: money(fee.amount_cents, currency),
    name: dotted(own(item.filter_invoice_display_name), ...group, other),
    note: noteOf(fee, currency, wholePrices),
    steps: minimum ? [] : stepsOf(fee.amount_details ?? {}, currency),
  };
}

function noteOf(fee, currency, wholePrices) {
  const units = quantity(fee.units, 4);
  const whole = wholePrices[fee.svc_charge_id];
  if (whole) return t('part_of_month', { units, price: major(whole, currency) });
  const plan = fee.amount_details?.plan_amount_cents;
  if (plan > fee.amount_cents) return t('part_of_period', { price: money(plan, currency) });
  const isPriced = [fee.units, fee.precise_unit_amount].every(isDecimal) && fee.amount_cents !== 0;
  // One unit at its own price says nothing more than the amount.
  if (!isPriced || Number(fee.units) === 1) return '';
  return t('times', { units, price: major(fee.precise_unit_amount, currency) });
}

/** How usage was priced, one step on each line: tiers, packages, percentages. Amounts have the currency's digits. */
function stepsOf(details, currency) {
  const rounded = decimal => major(decimal, currency, digits[currency] ?? 2);
  const percent = rate => t('percent', { rate: quantity(rate) });
  const ranges = details.graduated_ranges ?? details.graduated_percentage_ranges ?? [];
  const tiers = ranges
    .filter(range => Number(range.units))
    .map(({ units, rate, per_unit_amount: each, flat_unit_amount: flat, total_with_flat_amount: sum }) => {
      const price = rate === undefined ? major(each, currency) : percent(rate);
      const plus = Number(flat) ? t('plus_flat', { amount: major(flat, currency) }) : '';
      return `${t('times', { units: quantity(units, 4), price })}${plus} = ${rounded(sum)}`;
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
    ? `${t('times', { units: quantity(details.paid_units ?? details.units), price: percent(details.rate) })} = ${rounded(details.per_unit_total_amount)}`
    : '';
  const fixed = Number(details.fixed_fee_total_amount)
    ? `${counted('events_at', Number(details.paid_events), { price: major(details.fixed_fee_unit_amount, currency) })} = ${rounded(details.fixed_fee_total_amount)}`
    : '';
  const volume = Number(details.flat_unit_amount) ? t('flat_fee', { amount: rounded(details.flat_unit_amount) }) : '';
  return [rate, fixed, packages, volume, ...free].filter(Boolean);
}
