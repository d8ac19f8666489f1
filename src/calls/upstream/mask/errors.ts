/** Takes personal data out of the errors of the billing API, which may repeat what was sent, or say what is stored. */
import { hiddenText, type MaskedField } from '../../../contract/masked-fields.ts';
import type { ToolError } from '../../../tool/failure.ts';
import type { UpstreamCall } from '../client.ts';
import { hide, remover, replaceIn } from './hide.ts';

/** From the beginning of a word, so that a long text without `@` is read once. */
const address = /(?<![^\s"'<>()[\]{},;:“”‘’])[^\s"'<>()[\]{},;:“”‘’@]+@[^\s"'<>()[\]{},;:“”‘’]+/gu;

/**
 * The error without the hidden fields of the request, and without any e-mail address, where those are hidden. What the
 * request names besides them stays: an id may look like an e-mail address.
 */
export function withoutHidden(error: ToolError, call: UpstreamCall, hidden: ReadonlySet<MaskedField>): ToolError {
  const sent = hide(call.body, hidden);
  const named = `${decodeURIComponent(call.target)} ${Object.values(call.ids ?? {}).join(' ')} ${JSON.stringify(sent.value)}`;
  const addresses = (text: string) =>
    hidden.has('email') ? text.replace(address, found => (isNamed(found, named) ? found : hiddenText)) : text;
  const remove = remover(sent.taken);
  const clean = (value: unknown) => replaceIn(remove(value), addresses);
  const message = clean(error.message) as string;
  const hint = clean(error.hint) as string;
  return { ...error, message, hint, ...(error.details !== undefined && { details: clean(error.details) }) };
}

/** A sentence may end with the address. */
function isNamed(found: string, named: string): boolean {
  return named.includes(found) || named.includes(found.replace(/[.!?]+$/, ''));
}
