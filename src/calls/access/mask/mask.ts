/**
 * Hides personal data in everything that one caller reads (`BILLING_MASK`): tools, lookups, resources, completion, looks
 * before writes and chat pages see answers only as they leave this module. Loaded by the first request that needs it.
 */

import { hiddenNames } from '../../../contract/hidden-names.ts';
import { listFilters, queryNames } from '../../../contract/list-filters.ts';
import { hiddenText, hiddenWords, type MaskedField } from '../../../contract/masked-fields.ts';
import type { UpstreamAnswer } from '../../../definition/api.ts';
import { type OwnError, refuse, type ToolError } from '../../../definition/failure.ts';
import { isObject, mapTexts, ownValue, withJsonTexts } from '../../../lib/json.ts';
import type { SendOptions, Upstream, UpstreamCall } from '../../api/http/client.ts';
import { hiddenBy, hide, textRemover } from './hide.ts';
import { createSearch, searchOf } from './search.ts';

/** The client that neither shows nor searches these fields, nor filters by them. */
export function withMask(upstream: Upstream, hidden: ReadonlySet<MaskedField>): Upstream {
  const search = createSearch(upstream);
  const send = (call: UpstreamCall, options: SendOptions): Promise<UpstreamAnswer> => {
    const searchRequest = hidden.has('email') ? searchOf(call) : undefined;
    return searchRequest === undefined ? upstream.send(call, options) : search(call, searchRequest, options);
  };
  return {
    async send(call, options = {}) {
      const refused = refusalOfFilter(call, hidden);
      if (refused) return { ok: false, error: refused, requestId: options.requestId ?? '', attempts: 0 };
      const answer = await send(call, options);
      // The sellers' own addresses are on every invoice.
      if (isOfSellers(call)) return answer;
      if (!answer.ok) return { ...answer, error: withoutHidden(answer.error, call, hidden) };
      const textOf = isOfLog(call) ? textOfLog(hidden) : undefined;
      return {
        ...answer,
        body: hide(answer.body, hidden, { textOf, isCustomer: isCustomer(call, answer.body) }).value,
      };
    },
  };
}

function isOfLog({ target }: UpstreamCall): boolean {
  return /^\/activity_logs(?:[/?]|$)/.test(target);
}

/** Told by the path: some operations answer billing entities without a wrapper key. */
function isOfSellers({ target }: UpstreamCall): boolean {
  return /^\/billing_entities(?:[/?]|$)/.test(target);
}

/** The record alone: some installations answer it without its wrapper key. */
function isCustomer({ target }: UpstreamCall, body: unknown): boolean {
  return /^\/customers\/[^/?]+(?:\?|$)/.test(target) && isObject(body) && !('customer' in body);
}

/**
 * Why the request is not sent: who is let through a filter by a hidden field, and how many, would tell the field's value.
 * Null where it filters by none.
 */
function refusalOfFilter({ tool, target }: UpstreamCall, hidden: ReadonlySet<MaskedField>): OwnError | null {
  const [path = '', query = ''] = target.split('?');
  const filters = ownValue(listFilters, path.slice(path.lastIndexOf('/') + 1));
  const names = new Set(new URLSearchParams(query).keys());
  for (const [name, filter] of Object.entries(filters ?? {})) {
    if (![name, ...queryNames({ [name]: filter })].some(each => names.has(each))) continue;
    const field = String(filter.is ?? filter.set ?? filter.range);
    const mask = [...hidden].find(each => hiddenNames[each].includes(field));
    if (mask === undefined) continue;
    const hiddenKind = hiddenWords(new Set([mask]));
    return refuse('invalid_arguments', { case: 'filter', tool, argument: name, hidden: hiddenKind });
  }
  return null;
}

/**
 * What a text of the log of changes shows, which holds records as they were, in part as JSON or another notation inside a
 * text, and free texts of whoever wrote them: the record whose JSON it is, so that its fields are hidden by name.
 */
function textOfLog(hidden: ReadonlySet<MaskedField>): (text: string, field: string) => unknown {
  const isHidden = hiddenBy(hidden);
  return (text, field) => {
    const value = withJsonTexts(text);
    if (typeof value !== 'string') return value;
    if ([...text.matchAll(nameInText)].some(([, name = '']) => isHidden(name))) return hiddenText;
    // An id may look like an email address.
    return hidden.has('email') && !/(?:^|_)(?:id|code)$/.test(field) ? withoutEmails(text) : text;
  };
}

/** The name of a field in a notation of records: `"email":`, `:email =>`, `email: `. */
const nameInText = /(?<![\p{L}\p{N}_\p{Cf}])([\p{L}\p{N}_\p{Cf}]{1,60})[\\"']{0,8}\s{0,4}(?:=|:)/gu;

/** Matches from the beginning of a word, so that a long text without `@` is read once. */
const emailAddress = /(?<![^\s"'<>()[\]{},;:“”‘’])[^\s"'<>()[\]{},;:“”‘’@]+@[^\s"'<>()[\]{},;:“”‘’]+/gu;

/**
 * The error without the hidden fields of the request and, where email addresses are hidden, without any address. What the
 * request names in other fields stays: an id may look like an email address.
 */
function withoutHidden(error: ToolError, call: UpstreamCall, hidden: ReadonlySet<MaskedField>): ToolError {
  const sent = hide(call.body, hidden);
  const requestText = `${decodeURIComponent(call.target)} ${Object.values(call.ids ?? {}).join(' ')} ${JSON.stringify(sent.value)}`;
  const remove = textRemover(sent.removed);
  const cleanText = (text: string) => (hidden.has('email') ? withoutEmails(text, requestText) : text);
  const clean = (value: unknown) => mapTexts(remove(value), cleanText);
  const message = clean(error.message) as string;
  const hint = clean(error.hint) as string;
  return { ...error, message, hint, ...(error.details !== undefined && { details: clean(error.details) }) };
}

/** The text without email addresses, but for those that are in the other text. */
function withoutEmails(text: string, known = ''): string {
  // The match may end with the full stop of its sentence.
  const isNamed = (email: string) => known.includes(email) || known.includes(email.replace(/[.!?]+$/, ''));
  return text.replace(emailAddress, email => (isNamed(email) ? email : hiddenText));
}
