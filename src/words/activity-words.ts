/** Entries of the log of changes: rows without secrets and long values, and sentences of who changed what. */

import { hiddenText } from '../contract/masked-fields.ts';
import type { ActivityLog } from '../contract/shown.ts';
import { anyRecord, isRecord, isText, type JsonRecord, withJsonTexts } from '../lib/json.ts';
import { codeInWords, inWords, labelOf } from './changes.ts';
import { redactDeep } from './safe-text.ts';
import { clip, code, count, countedKinds, listed, money, named, phrase, quantity } from './summary.ts';
import { momentIn } from './zoned-times.ts';

/** Changes that the summary tells, fields of each, and characters of each value and of a field's name. */
const mostTold = 3;
const mostFields = 4;
const longestValue = 60;
/** Characters of a field's two values in a row, and fields of a row. */
const longestInRow = 240;
const longestAlone = 4000;
const mostInRow = 20;

/** The entry as its row shows it. The only entry of an answer shows long values too. */
export function shownActivity(log: ActivityLog, isAlone: boolean): ActivityLog {
  const changes = Object.entries(changesOf(log));
  const shown = changes.slice(0, mostInRow).map(([field, pair]) => {
    const isLong = JSON.stringify(pair).length > (isAlone ? longestAlone : longestInRow);
    return [clip(field, longestValue), isLong ? 'changed; too long to show here' : pair];
  });
  const more = changes.length > mostInRow ? [['more_fields', changes.length - mostInRow]] : [];
  return { ...log, activity_object_changes: Object.fromEntries([...shown, ...more]) };
}

interface Telling {
  zone: string | null;
  now: Date;
}

/** `Wallet “Prepaid” (prepaid): priority 1 → 2, by nora@example.com, 3 Mar, 10:12 in Europe/Paris`, and what the rest is. */
export function describeActivity(
  newest: readonly ActivityLog[],
  rows: readonly ActivityLog[],
  telling: Telling,
): (string | null)[] {
  const first = newest.slice(0, mostTold);
  const rest = rows.slice(first.length);
  const byKey = rows.filter(row => actorOf(row) === byAnApiKey).length;
  return [
    ...first.map(log => sentenceOf(log, telling)),
    rest.length > 0 ? `${count(rest.length, 'more change')}: ${kindsOf(rest)}` : null,
    byKey > 0 ? `${quantity(byKey)} of ${quantity(rows.length)} used an API key; the log does not say which` : null,
  ];
}

const byAnApiKey = 'by an API key';

function sentenceOf(log: ActivityLog, { zone, now }: Telling): string {
  return [`${subject(log)}: ${whatChanged(log)}`, actorOf(log), momentIn(log.logged_at, zone, now)]
    .filter(part => part !== null)
    .join(', ');
}

/** A change without an email came from a key, or from the service itself. */
function actorOf({ user_email, activity_source }: ActivityLog): string {
  const isNamed = isText(user_email) && user_email !== hiddenText;
  if (isNamed) return `by ${codeInWords(user_email)}`;
  if (activity_source === 'system') return 'by the service itself';
  if (activity_source === 'front') return 'by a user whose email address is not shown';
  return byAnApiKey;
}

function subject(log: ActivityLog): string {
  const { name, number, code: ownCode, external_id } = anyRecord(redactDeep(withJsonTexts(log.activity_object)));
  const kind = kindOf(log);
  const ids = [ownCode, external_id, log.external_subscription_id, log.resource_id];
  const record = named(
    isText(name) ? name : number,
    ids.find(id => isText(id) && id !== hiddenText),
  );
  return record === null ? kind : `${kind} ${record}`;
}

/** `billable metric` for `BillableMetric`. */
function kindOf({ resource_type }: ActivityLog): string {
  const type = resource_type ?? '';
  const kind = /^[\w:]{1,60}$/.test(type) ? (type.split('::').at(-1) ?? '') : 'record';
  return spoken(kind.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase());
}

function spoken(words: string): string {
  return words.replaceAll('_', ' ').replace(/^add on\b/, 'add-on');
}

/** `priority 1 → 2`; of what is no update, `created`. */
function whatChanged(log: ActivityLog): string {
  const changes = Object.entries(changesOf(log));
  if (changes.length === 0) return actionOf(log);
  const object = anyRecord(withJsonTexts(log.activity_object));
  const texts = changes.map(([field, pair]) => changeText(field, pair, currencyOf(field, object, changesOf(log))));
  return listed(texts, mostFields) ?? actionOf(log);
}

function actionOf(log: ActivityLog): string {
  const [resource = '', action = ''] = (code(log.activity_type) ?? '').split('.');
  const isOwn = spoken(resource.replace('entities', 'entity')) === kindOf(log);
  const words = spoken(phrase`${isOwn ? null : `${resource} `}${action}`).trim();
  return words === '' ? 'changed' : words;
}

function changeText(field: string, pair: unknown, currencies: readonly [unknown, unknown]): string {
  const label = clip(labelOf(field), longestValue);
  if (pair === hiddenText) return `${label} (hidden)`;
  if (!Array.isArray(pair) || pair.length !== 2) return `${label} changed`;
  const [was, is] = pair.map((value, side) => valueText(value, field, currencies[side]));
  const isShort = [was, is].every(text => text !== undefined && text.length <= longestValue);
  return isShort ? `${label} ${was} → ${is}` : `${label} changed`;
}

function valueText(value: unknown, field: string, currency: unknown): string {
  if (value === undefined || value === null || value === '') return 'none';
  const amount = field.endsWith('_cents') ? money(value, currency) : null;
  return amount ?? clip(inWords(value, field, currency), longestValue + 1);
}

/** The currency of an amount before and after: of `plan_amount_cents` that in `plan_amount_currency`, else the record's. */
function currencyOf(amount: string, object: JsonRecord, changes: JsonRecord): readonly [unknown, unknown] {
  const names = [amount.replace(/_cents$/, '_currency'), 'amount_currency', 'currency', 'plan_amount_currency'];
  const field = names.find(name => name !== amount && (isText(object[name]) || name in changes));
  if (field === undefined) return [null, null];
  const pair = changes[field];
  return Array.isArray(pair) && pair.length === 2 ? [pair[0], pair[1]] : [object[field], object[field]];
}

/** What differs, by field: pairs also where the service sends them as text. Without keys and portal links. */
function changesOf({ activity_object_changes: changes }: ActivityLog): JsonRecord {
  const safe = redactDeep(withJsonTexts(changes));
  return isRecord(safe) ? safe : {};
}

/** `2 wallet.updated, 1 alert.created`. */
function kindsOf(rows: readonly ActivityLog[]): string {
  return countedKinds(rows.map(row => code(row.activity_type) ?? 'of an unknown kind')) ?? '';
}
