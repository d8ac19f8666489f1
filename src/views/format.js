// Building blocks of the pages. Text only ever enters the document as text nodes and attribute values.
const digits = {
  /*{{digits}}*/
};
/** The labels of this page by language (src/labels), English whole. */
const labels = {
  /*{{labels}}*/
};
/** The setting's, until the host names one. */
let locale = document.documentElement.lang;

// biome-ignore lint/correctness/noUnusedVariables: called by bridge.js, which is joined to this file
function setLocale(tag) {
  try {
    const [wanted = locale] = Intl.getCanonicalLocales(tag);
    new Intl.NumberFormat(wanted);
    locale = wanted;
  } catch {
    // A host may name what is no locale: then the page stays as it is.
  }
  document.documentElement.lang = locale;
}

/**
 * A label in the reader's language, else in English: `label('total')`, `label('due', { date })`. With a `count` it is the
 * form for that number: `label('lines', { count: 2 })` is `lines_one` or `lines_other`, whose `{count}` it fills in.
 */
function label(key, values = {}) {
  const own = labels[locale] ?? labels[locale.split('-')[0]];
  const form = language => ('count' in values ? `${key}_${new Intl.PluralRules(language).select(values.count)}` : key);
  const text = own?.[form(locale)] ?? own?.[`${key}_other`] ?? labels.en[form('en')] ?? labels.en[`${key}_other`];
  return (text ?? key).replace(/\{(\w+)\}/g, (_, name) => (name === 'count' ? quantity(values[name]) : values[name]));
}

/** The label of a code of the interface, `word('status', 'active')` is `status_active`; a code without one as it is. */
// biome-ignore lint/correctness/noUnusedVariables: called by the other scripts of a page
function word(kind, code) {
  if (code === undefined || code === null || code === '') return '';
  const key = `${kind}_${code}`;
  return Object.hasOwn(labels.en, key) ? label(key) : String(code).replaceAll('_', ' ');
}

function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'onclick') element.addEventListener('click', value);
    else if (name === 'style') element.style.cssText = value;
    else if (value !== undefined && value !== null) element.setAttribute(name, String(value));
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined && child !== ''));
  return element;
}

/** Cents → text in the currency's own digits, from the integer's digits: no floating point. */
// biome-ignore lint/correctness/noUnusedVariables: called by the pages' own scripts
function money(cents, currency) {
  if (!Number.isSafeInteger(cents)) return '';
  if (currency === 'MRO')
    return `${cents < 0 ? '-' : ''}${Math.trunc(Math.abs(cents) / 5)}${cents % 5 ? `.${Math.abs(cents % 5) * 2}` : ''} MRO`;
  const places = digits[currency] ?? 2;
  const padded = String(Math.abs(cents)).padStart(places + 1, '0');
  const decimal = places ? `${padded.slice(0, -places)}.${padded.slice(-places)}` : padded;
  return major(`${cents < 0 ? '-' : ''}${decimal}`, currency, places);
}

/** A decimal text in major units, shown in full. */
function major(decimal, currency, places) {
  if (decimal === undefined || decimal === null || decimal === '' || !/^-?\d+(\.\d+)?$/.test(String(decimal)))
    return '';
  const fraction = String(decimal).replace(/0+$/, '').split('.')[1] ?? '';
  const shown = places ?? Math.max(digits[currency] ?? 2, fraction.length);
  try {
    return new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      minimumFractionDigits: shown,
      maximumFractionDigits: Math.min(shown, 20),
    }).format(String(decimal));
  } catch {
    return `${decimal} ${currency ?? ''}`.trim();
  }
}

function quantity(decimal) {
  if (decimal === undefined || decimal === null || !/^-?\d+(\.\d+)?$/.test(String(decimal))) return '';
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 15 }).format(String(decimal));
}

/** English of no country writes dates as our sentences do: 31 Jan 2026. */
function dateLocale() {
  return locale === 'en' ? 'en-GB' : locale;
}

/** `2026-01-31` or an instant → a date in words. Instants are shown in UTC unless a time zone is given. */
// biome-ignore lint/correctness/noUnusedVariables: called by the pages' own scripts
function day(text, timeZone = 'UTC') {
  const date = new Date(text ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return '';
  const zone = /^\d{4}-\d{2}-\d{2}$/.test(text) ? 'UTC' : timeZone === 'GMT+12' ? 'Etc/GMT+12' : timeZone;
  try {
    return new Intl.DateTimeFormat(dateLocale(), { dateStyle: 'medium', timeZone: zone }).format(date);
  } catch {
    return new Intl.DateTimeFormat(dateLocale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(date);
  }
}

/** The summary without the note that it is of the demo, which the page shows above. */
// biome-ignore lint/correctness/noUnusedVariables: called by the other scripts of a page
function withoutDemo(summary) {
  return String(summary ?? '').replace(/^Demo data: /, '');
}

/** A definition list without its empty entries. */
// biome-ignore lint/correctness/noUnusedVariables: called by the pages' own scripts
function facts(entries) {
  const filled = entries.filter(([, value]) => value !== undefined && value !== null && value !== '');
  return el(
    'dl',
    {},
    filled.map(([term, value]) => el('div', {}, el('dt', {}, term), el('dd', {}, value))),
  );
}

/** A table that scrolls sideways on narrow screens and can be reached by keyboard. */
// biome-ignore lint/correctness/noUnusedVariables: called by the pages' own scripts
function scrolling(label, table) {
  return el('div', { class: 'scroll', role: 'region', 'aria-label': label, tabindex: '0' }, table);
}
