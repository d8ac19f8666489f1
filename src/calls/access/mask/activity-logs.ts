/**
 * Personal data in the texts of the log of changes. It holds records as they were, in part as JSON or another notation inside
 * a text, and free texts of whoever wrote them.
 */
import { hiddenText, type MaskedField } from '../../../contract/masked-fields.ts';
import { withJsonTexts } from '../../../lib/json.ts';
import type { UpstreamCall } from '../../api/http/client.ts';
import { hiddenBy } from './hidden-fields.ts';
import { withoutEmails } from './masked-errors.ts';

export function isOfLog({ target }: UpstreamCall): boolean {
  return /^\/activity_logs(?:[/?]|$)/.test(target);
}

/** What a text of the log shows: the record whose JSON it is, so that its fields are hidden by name. */
export function textOfLog(hidden: ReadonlySet<MaskedField>): (text: string, field: string) => unknown {
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
