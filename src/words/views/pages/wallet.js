// update_wallet and list_wallets: what is left, what usage will take of it, and when it fills up.
import { balanceChart } from '../chart-balance.js';
import { changedNodes, receiptNodes, startWrite } from '../decision.js';
import { date, digits, dotted, el, isDecimal, major, money, own, quantity, t } from '../format.js';
import { badge, facts, gauge, head, hero, section } from '../parts.js';

startWrite('usage-billing-wallet', content => {
  const { wallet, wallets, receipt, question, before } = content;
  if (wallets) return listed(wallets, content);
  if (!wallet) return [];
  const changes = changedNodes(before, wallet, receipt);
  return [
    head(
      dotted(
        t('titled', { name: own(wallet.name ?? wallet.code ?? t('title')) }),
        own(before?.customer?.name ?? wallet.customer?.name ?? wallet.external_customer_id),
      ),
      null,
      status(wallet),
    ),
    ...balance(wallet),
    changes,
    terms(wallet, before?.customer?.applicable_timezone),
    ...receiptNodes(receipt, changes ? null : question),
  ];
});

function listed(wallets, { customer, customer_name: name, zone, balances = {} }) {
  if (!wallets.length) return [head(t('wallets')), el('p', {}, t('no_wallets'))];
  return [
    head(dotted(t('wallets'), own(name ?? customer?.name ?? customer?.external_id ?? wallets[0].external_customer_id))),
    ...wallets.map(wallet =>
      section(
        [own(wallet.name ?? wallet.code), ' ', status(wallet)],
        ...balance(wallet),
        balanceChart(wallet, balances[wallet.svc_id], zone),
        terms(wallet, zone),
      ),
    ),
  ];
}

/** A list shows active wallets without their status. Usage may have taken more than a wallet holds. */
function status({ status: value, ongoing_balance_cents: left, balance_cents: held }) {
  if (value !== 'terminated' && (left ?? held) < 0) return badge(t('overdrawn'), 'bad');
  return value ? badge(t(`status_${value}`), value === 'active' ? 'good' : 'bad') : null;
}

function balance(wallet) {
  const { currency, balance_cents: held, ongoing_balance_cents: left } = wallet;
  const rules = wallet.recurring_transaction_rules ?? [];
  const known = Number.isSafeInteger(left);
  const cents = credits => Number(credits) * Number(wallet.rate_amount ?? 1) * 10 ** (digits[currency] ?? 2);
  const marks = rules
    .filter(rule => rule.trigger === 'threshold' && isDecimal(rule.threshold_credits))
    .map(rule => ({
      at: cents(rule.threshold_credits),
      text: t(rule.method === 'target' ? 'mark_fills' : 'mark_tops', {
        at: worth(rule.threshold_credits, wallet),
        to: worth(rule.target_ongoing_balance, wallet),
      }),
    }));
  const goals = rules.map(rule => cents(rule.target_ongoing_balance ?? 0)).filter(Number.isFinite);
  const missing = Math.max(0, -(shown(wallet) ?? 0));
  const whole = Math.max(1, Math.max(0, held ?? 0) + missing, ...marks.map(({ at }) => at * 1.2), ...goals);
  return [
    hero(
      money(shown(wallet), currency) || amountOfCredits(wallet.credits_balance),
      dotted(
        t(known ? 'left_after_usage' : 'balance_only'),
        missing > 0 && el('b', { class: 'bad' }, t('missing', { amount: money(missing, currency) })),
        known && t('balance', { amount: money(held, currency) }),
        amountOfCredits(wallet.credits_balance),
      ),
      null,
      missing > 0 ? 'bad' : '',
    ),
    gauge(
      [
        { size: Math.max(0, shown(wallet) ?? 0), kind: 'shade s1' },
        { size: known ? Math.max(0, (held ?? 0) - Math.max(0, left)) : 0, kind: 'shade used' },
        { size: missing, kind: 'late' },
      ],
      marks,
      whole,
    ),
  ];
}

/** What is left after usage, or without it where that is not known. */
const shown = ({ ongoing_balance_cents: left, balance_cents: held }) => (Number.isSafeInteger(left) ? left : held);

function amountOfCredits(decimal) {
  const amount = quantity(decimal);
  return amount && t('credits', { amount });
}

/** Credits as money where one is worth one unit of the currency, else as credits. */
function worth(credits, { rate_amount: rate, currency }) {
  if (!isDecimal(credits)) return '';
  const fraction = String(credits).split('.')[1]?.replace(/0+$/, '') ?? '';
  return Number(rate ?? 1) === 1 && currency
    ? major(credits, currency, Math.max(digits[currency] ?? 2, fraction.length))
    : amountOfCredits(credits);
}

function terms(wallet, zone) {
  const { currency } = wallet;
  const rules = wallet.recurring_transaction_rules ?? [];
  return facts([
    [t('expires'), wallet.expiration_at === null ? t('never') : date(wallet.expiration_at, zone)],
    [t('priority'), wallet.priority === undefined ? '' : t('priority_is', { priority: wallet.priority })],
    [t('rate'), Number(wallet.rate_amount ?? 1) === 1 ? '' : major(wallet.rate_amount, currency)],
    [t('top_ups'), limits(wallet, currency)],
    [t('pays_only'), paysFor(wallet.applies_to)],
    [t('automatic'), rules.length ? rules.map(rule => el('div', {}, describe(rule, wallet))) : ''],
  ]);
}

function paysFor(applies) {
  const types = (applies?.fee_types ?? []).map(type => t(`fee_${type}`));
  return own([...types, ...(applies?.billable_metric_codes ?? [])].join(', '));
}

function limits(wallet, currency) {
  const { paid_top_up_min_amount_cents: least, paid_top_up_max_amount_cents: most } = wallet;
  const values = { least: money(least, currency), most: money(most, currency) };
  if (least && most) return t('limits_both', values);
  return least ? t('limits_least', values) : most ? t('limits_most', values) : '';
}

function describe(rule, wallet) {
  const when =
    rule.trigger === 'threshold'
      ? t('when_below', { at: worth(rule.threshold_credits, wallet) })
      : t(`every_${rule.interval}`);
  const buys = [
    Number(rule.paid_credits) ? t('bought', { amount: worth(rule.paid_credits, wallet) }) : '',
    Number(rule.granted_credits) ? t('granted', { amount: worth(rule.granted_credits, wallet) }) : '',
  ].filter(Boolean);
  const what =
    rule.method === 'target'
      ? t('fills_up', { to: worth(rule.target_ongoing_balance, wallet) })
      : buys.join(', ') || t('tops_up');
  const until = rule.expiration_at ? t('rule_until', { date: date(rule.expiration_at) }) : '';
  return [what, when, until].filter(Boolean).join(' ');
}
