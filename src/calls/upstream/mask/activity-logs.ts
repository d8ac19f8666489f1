/**
 * Personal data in the log of changes. It holds records as they were, in part as JSON inside a text, the person who changed
 * them, and columns of the service whose names the interface does not have.
 */
import { hiddenText, type MaskedField } from '../../../contract/masked-fields.ts';
import { isRecord, withJsonTexts } from '../../../lib/json.ts';
import type { UpstreamCall } from '../client.ts';

export function isOfLog({ target }: UpstreamCall): boolean {
  return /^\/activity_logs(?:[/?]|$)/.test(target);
}

/** The body with records in place of their JSON, so that their fields are hidden by name, and without what only the log has. */
export function withoutHiddenInLog(body: unknown, hidden: ReadonlySet<MaskedField>): unknown {
  const names = ownNames.filter(([field]) => hidden.has(field)).map(([, name]) => name);
  return copy(withJsonTexts(body), name => names.some(pattern => pattern.test(name)));
}

const ownNames: readonly [MaskedField, RegExp][] = [
  ['email', /_emails?$/],
  ['address', /^shipping_(?!address$)/],
];

function copy(value: unknown, isHidden: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map(entry => copy(entry, isHidden));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    isHidden(name) ? hiddenText : copy(inner, isHidden),
  ]);
  return Object.fromEntries(entries);
}
