// list_subscription_alerts, get_wallet_alert and create_subscription_alert: each value next to the thresholds it may pass.
import { receiptNodes, startWrite } from '../decision.js';
import { abbreviated, city, counted, dates, dotted, el, labels, money, own, quantity, t } from '../format.js';
import { badge, gauge, head, hero, section } from '../parts.js';

startWrite('usage-billing-alerts', ({ alert, alerts, watched, receipt, question, before }) => {
  const subject = watched ?? before ?? {};
  if (!alerts && !alert) return [];
  const titleOf = ({ name, code }) => t('titled', { name: own(name ?? code) });
  const title = alerts
    ? dotted(t('alerts'), own(nameOf(subject)), own(subject.customer_name))
    : dotted(titleOf(alert), own(nameOf(subject) ?? alert.external_subscription_id ?? alert.wallet_code));
  return [
    head(title, alerts?.length ? counted('count', alerts.length) : null, receipt ? badge(t('created'), 'good') : null),
    ...(alerts?.map(each => section(titleOf(each), ...shown(each, subject))) ?? shown(alert, subject)),
    alerts?.length === 0 ? el('p', {}, t('no_alerts')) : null,
    ...receiptNodes(receipt, question),
  ];
});

function nameOf({ name, code, external_id: id, customer }) {
  return name ?? code ?? id ?? customer?.name;
}

/** The value now, the gauge, and what comes next. */
function shown(alert, subject) {
  const { now, currency, zone } = subject;
  const current = now?.[alert.code];
  const value = Number(current ?? alert.previous_value ?? Number.NaN);
  const checked = current === undefined ? (alert.last_processed_at ?? null) : subject.now_at;
  const falls = alert.direction === 'decreasing' || (alert.wallet_code ?? null) !== null;
  const known = Number.isFinite(value) && (current !== undefined || alert.last_processed_at !== null);
  const words = amount => inUnits(amount, alert, currency);
  const all = (alert.thresholds ?? []).map(({ value, recurring }) => ({ at: Number(value), recurring }));
  const once = all.filter(({ recurring }) => !recurring).sort((a, b) => a.at - b.at);
  const [again] = all.filter(({ recurring }) => recurring);
  const last = once.at(-1)?.at ?? 0;
  const whole = Math.max(1, last * 1.15, known ? value * 1.1 : 0, again && !last ? again.at * 1.5 : 0);
  const marks = once.map(({ at }, index) => ({
    at,
    text: again && index === once.length - 1 ? t('then_each', { at: words(at), step: words(again.at) }) : words(at),
  }));
  if (!once.length && again) marks.push({ at: again.at, text: t('each', { step: words(again.at) }) });
  return [
    hero(
      known ? words(value) : t('not_checked'),
      dotted(
        t(`watches_${watching(alert)}`, { metric: own(alert.billable_metric?.name ?? alert.billable_metric?.code) }),
        known && checked && time(checked, zone),
      ),
    ),
    gauge([{ size: known ? Math.max(0, value) : 0, kind: 'shade s1' }], marks, whole),
    el('p', {}, known ? dotted(...passed(once, value, falls, words), next(once, again, value, falls, words)) : ''),
  ];
}

const isUnits = ({ alert_type: type }) => /units|credits/.test(type ?? '');

function inUnits(amount, alert, currency) {
  if (isUnits(alert) || !currency) return quantity(String(amount));
  return Number.isSafeInteger(amount) ? money(amount, currency) : quantity(String(amount));
}

/** `current_usage_amount`, `billable_metric_lifetime_usage_units`, … in words. */
function watching({ alert_type: type }) {
  return Object.hasOwn(labels.en, `watches_${type}`) ? type : 'other';
}

function passed(once, value, falls, words) {
  const crossed = once.filter(({ at }) => (falls ? value <= at : value >= at)).map(({ at }) => words(at));
  return crossed.length ? [el('b', { class: 'bad' }, t('crossed', { at: crossed.join(', ') }))] : [];
}

function next(once, again, value, falls, words) {
  const open = falls ? once.filter(({ at }) => at < value).at(-1) : once.find(({ at }) => at > value);
  const step = again?.at;
  const from = once.at(-1)?.at ?? 0;
  const at =
    open?.at ?? (step > 0 && !falls ? from + (Math.floor(Math.max(0, value - from) / step) + 1) * step : undefined);
  if (at === undefined) return '';
  return t(falls ? 'next_falls' : 'next', { at: words(at), gap: words(Math.round(Math.abs(at - value) * 1e6) / 1e6) });
}

/** The time where the customer is, if that is known. */
function time(instant, zone) {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  const style = dates(zone ?? 'UTC', { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' });
  const shown = abbreviated(style.format(at));
  return `${shown} ${city(zone)}`;
}
