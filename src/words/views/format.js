// Building blocks of the pages. Text only ever enters the document as text nodes and attribute values.
const { keys, ...texts } = pageData.labels;

/** The digits of currencies that do not have two. */
export const { digits } = pageData;

/** Labels by language; English has all of them, the others those that differ. */
export const labels = Object.fromEntries(
  Object.entries(texts).map(([tag, joined]) => {
    const own = joined.split('|');
    return [tag, Object.fromEntries(keys.split('|').flatMap((key, i) => (own[i] ? [[key, own[i]]] : [])))];
  }),
);
/** What the host named. */
export let hostLocale = 'en';
/** Of amounts and dates. */
export let locale = 'en';
export let language = 'en';
// The locale of the setting, for hosts that name none.
setLocale(document.documentElement.lang);

/** Sets the host's locale: labels, amounts and dates follow it where its language has labels, else all are English. */
export function setLocale(tag) {
  try {
    [hostLocale = hostLocale] = Intl.getCanonicalLocales(tag);
  } catch {
    // A host may name what is no locale: then the page stays as it is.
  }
  const named = new Intl.Locale(hostLocale);
  const known = Object.hasOwn(labels, named.language);
  language = known ? named.language : 'en';
  locale = known ? hostLocale : 'en';
  const root = document.documentElement;
  root.lang = hostLocale;
  const { script } = named.maximize();
  root.dir = /^(Arab|Hebr|Thaa|Syrc|Nkoo|Adlm|Rohg|Mand)$/.test(script ?? '') ? 'rtl' : 'ltr';
  for (const id of ['view', 'said']) document.getElementById(id)?.setAttribute('lang', language);
}

/** What `draw` gives in the English of the summaries. */
export function inEnglish(draw) {
  const before = [locale, language];
  [locale, language] = ['en', 'en'];
  try {
    return draw();
  } finally {
    [locale, language] = before;
  }
}

/** A label with its `{places}` filled: a text, or a list of texts and elements where an element was given. */
export function t(key, values = {}) {
  const template = labels[language]?.[key] ?? labels.en[key] ?? key;
  const parts = template
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 ? (values[part] ?? '') : part))
    .filter(part => part !== '');
  return parts.some(part => typeof part === 'object') ? parts.flat() : parts.join('');
}

const formats = new Map();
/** A formatter of `Intl`, made once: making one takes longer than drawing a row. */
function formatOf(Kind, tag, options = {}) {
  const key = `${Kind.name} ${tag} ${JSON.stringify(options)}`;
  if (!formats.has(key)) formats.set(key, new Kind(tag, options));
  return formats.get(key);
}

/** The label for a count: `key_one`, `key_other`. */
export function counted(key, count, values = {}) {
  const form = formatOf(Intl.PluralRules, language).select(count);
  const known = labels[language]?.[`${key}_${form}`] ?? labels.en[`${key}_${form}`];
  return t(known === undefined ? `${key}_other` : `${key}_${form}`, { count: quantity(String(count)), ...values });
}

export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'onclick') element.addEventListener('click', value);
    else if (name === 'style') element.style.cssText = value;
    else if (value !== undefined && value !== null) element.setAttribute(name, String(value));
  }
  const filled = children.flat(9).filter(child => child !== null && child !== undefined && child !== '');
  element.append(...filled.flatMap(child => (typeof child === 'string' ? withFigures(child) : [child])));
  return element;
}

/** The text with each figure in an element that keeps it whole. Dates and amounts have no plain space inside. */
function withFigures(text) {
  return text.split(/((?<![^ \n])[^ \n]*\d[^ \n]*)/).map((part, index) => {
    // A long one is an id: it may break.
    if (index % 2 === 0 || part.length < 2 || part.length > 28) return part;
    const figure = document.createElement('span');
    figure.className = 'n';
    figure.append(part);
    return figure;
  });
}

/** Text of a record: it may run the other way than the page. Empty stays empty. What may be cut has its whole as title. */
export function own(text) {
  if (text === undefined || text === null || text === '' || text === false) return '';
  return el('span', { dir: 'auto', ...(/\S{20}/.test(text) && { class: 'long', title: text }) }, String(text));
}

/** English sentences of the server. The names in them may run the other way. */
export function spoken(text) {
  if (!text) return '';
  // A date stays on its line.
  const whole = String(text).replace(/(\d) (?=[A-Z][a-z]{2}\b)|\b([A-Z][a-z]{2}) (?=\d{4}\b)/g, '$1$2\u00a0');
  const parts = whole.split(/(“[^”]*”)/).map((part, index) => (index % 2 ? el('bdi', {}, part) : part));
  return el('span', { dir: 'ltr', lang: 'en' }, parts);
}

/** The parts that are not empty, with a dot between. */
export function dotted(...parts) {
  const filled = parts.filter(part => part !== null && part !== undefined && part !== false && part.length !== 0);
  return filled.flatMap((part, index) => (index ? [' · ', part] : [part]));
}

/** Parts in small print, with a dot between: within a line, and as a line of their own. */
export const quiet = (...parts) => el('span', { class: 'quiet' }, dotted(...parts));
export const note = (...parts) => el('p', { class: 'quiet' }, dotted(...parts));

/** Cents → text in the currency's own digits, without floating point. A bigint may be of any size. */
export function money(cents, currency) {
  if (typeof cents !== 'bigint' && !Number.isSafeInteger(cents)) return '';
  const [sign, whole] = cents < 0 ? ['-', -BigInt(cents)] : ['', BigInt(cents)];
  if (currency === 'MRO') return `${sign}${whole / 5n}${whole % 5n ? `.${(whole % 5n) * 2n}` : ''}\u00a0MRO`;
  const places = digits[currency] ?? 2;
  const padded = String(whole).padStart(places + 1, '0');
  const decimal = places ? `${padded.slice(0, -places)}.${padded.slice(-places)}` : padded;
  return major(`${sign}${decimal}`, currency, places);
}

/** A decimal text in major units: as many digits as the currency has, more where a price has more, at most six. */
export function major(decimal, currency, places) {
  if (!isDecimal(decimal)) return '';
  const fraction = String(decimal).split('.')[1]?.replace(/0+$/, '') ?? '';
  const least = digits[currency] ?? 2;
  const shown = places ?? Math.max(least, fraction.length);
  // A price from a division has endless digits, and is cut; a price far below a cent needs all of its digits.
  const most = places ?? (fraction.length > 12 ? Math.max(least, 6) : Math.min(shown, 15));
  try {
    const text = formatOf(Intl.NumberFormat, locale, {
      ...{ style: 'currency', currency },
      minimumFractionDigits: Math.min(shown, most),
      maximumFractionDigits: most,
    }).format(asDecimal(decimal));
    // Dinars as the summaries write them.
    return locale === 'en' ? text.replace(/^(-?)([KBJ])[WHO]D\s/, '$1$2D ') : text;
  } catch {
    return `${decimal} ${currency ?? ''}`.trim();
  }
}

export function quantity(decimal, most = 6) {
  if (!isDecimal(decimal)) return '';
  return formatOf(Intl.NumberFormat, locale, { maximumFractionDigits: most }).format(asDecimal(decimal));
}

/** @returns {any} `Intl` takes a decimal text exactly, which the compiler knows only of literals. */
const asDecimal = value => String(value);

export function isDecimal(value) {
  return value !== undefined && value !== null && /^-?\d+(\.\d+)?$/.test(String(value));
}

/**
 * For the locale `en`, dates are written as in the summaries.
 * @param {string} zone
 * @param {Intl.DateTimeFormatOptions} options
 */
export function dates(zone, options = { day: 'numeric', month: 'short', year: 'numeric' }) {
  const tag = locale === 'en' ? 'en-GB' : locale;
  try {
    return formatOf(Intl.DateTimeFormat, tag, { ...options, timeZone: zone === 'GMT+12' ? 'Etc/GMT+12' : zone });
  } catch {
    return formatOf(Intl.DateTimeFormat, tag, { ...options, timeZone: 'UTC' });
  }
}

/** `2026-01-31` or an instant → a date in words. Instants are shown in UTC unless a time zone is given. */
export function day(text, timeZone = 'UTC') {
  const date = new Date(text ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return '';
  return abbreviated(dates(/^\d{4}-\d{2}-\d{2}$/.test(text) ? 'UTC' : timeZone).format(date));
}

/** Two instants → `1 – 30 Nov 2026`: 30 November in New York ends on 1 December in UTC. */
export function span(from, to, timeZone = 'UTC') {
  const [first, last] = [new Date(from ?? Number.NaN), new Date(to ?? Number.NaN)];
  if (Number.isNaN(first.getTime()) || Number.isNaN(last.getTime()) || first > last) return '';
  return abbreviated(dates(timeZone).formatRange(first, last));
}

/** The summaries write `Sep`, and all months with three letters. A line breaks next to the dash of a span alone. */
export function abbreviated(text) {
  return (locale === 'en' ? text.replace(/\bSept\b/, 'Sep') : text).replace(/(?<!–) (?!–)/g, '\u00a0');
}

/** An instant in the customer's time zone and in UTC, or its day in UTC where the zone is not known; empty without one. */
export function date(instant, zone) {
  const shown = day(instant);
  if (!shown || !/T/.test(String(instant))) return shown;
  if (!zone) return t('in_utc', { date: shown });
  const there = `${moment(instant, zone)} ${city(zone)}`;
  return /^(UTC|GMT|Etc\/(UTC|GMT))$/.test(zone) ? there : `${there} (${moment(instant, 'UTC')} UTC)`;
}

function moment(instant, zone) {
  /** @type {Intl.DateTimeFormatOptions} */
  const style = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' };
  return abbreviated(dates(zone, style).format(new Date(instant)));
}

/** `America/New_York` → `New York`. */
export function city(timeZone) {
  return (timeZone ?? 'UTC').split('/').at(-1).replaceAll('_', ' ');
}

/** The summary without “Demo data:”, which the page says in a line of its own, and without the tool's name. */
export function withoutDemo(summary) {
  return String(summary ?? '')
    .replace(/^Demo data: /, '')
    .replace(/^((?:Nothing was changed\.|It is not known whether anything was changed\.) )?[a-z]+(?:_[a-z]+)+: /, '$1')
    .replace(
      /(^|^Nothing was changed\. )([a-z])(?![a-z]*_)/,
      (_, opening, first) => `${opening}${first.toUpperCase()}`,
    );
}
