/** Takes personal data out of the errors of the billing API, which may repeat what was sent, or say what is stored. */
import { hiddenText, type MaskedField } from '../../../contract/masked-fields.ts';
import type { ToolError } from '../../../definition/failure.ts';
import type { UpstreamCall } from '../../api/http/client.ts';
import { hide, replaceTexts, textRemover } from './hide.ts';

/** Matches from the beginning of a word, so that a long text without `@` is read once. */
const emailAddress = /(?<![^\s"'<>()[\]{},;:“”‘’])[^\s"'<>()[\]{},;:“”‘’@]+@[^\s"'<>()[\]{},;:“”‘’]+/gu;

/**
 * The error without the hidden fields of the request and, where email addresses are hidden, without any address. What the
 * request names in other fields stays: an id may look like an email address.
 */
export function withoutHidden(error: ToolError, call: UpstreamCall, hidden: ReadonlySet<MaskedField>): ToolError {
  const sent = hide(call.body, hidden);
  const requestText = `${decodeURIComponent(call.target)} ${Object.values(call.ids ?? {}).join(' ')} ${JSON.stringify(sent.value)}`;
  const remove = textRemover(sent.removed);
  const cleanText = (text: string) => (hidden.has('email') ? withoutEmails(text, requestText) : text);
  const clean = (value: unknown) => replaceTexts(remove(value), cleanText);
  const message = clean(error.message) as string;
  const hint = clean(error.hint) as string;
  return { ...error, message, hint, ...(error.details !== undefined && { details: clean(error.details) }) };
}

/** The text without email addresses, but for those that are in the other text. */
export function withoutEmails(text: string, known = ''): string {
  return text.replace(emailAddress, email => (isNamed(email, known) ? email : hiddenText));
}

/** The match may end with the full stop of its sentence. */
function isNamed(email: string, requestText: string): boolean {
  return requestText.includes(email) || requestText.includes(email.replace(/[.!?]+$/, ''));
}
