/** The prefix of the service's own ids, which is `svc_` in the contract and the publisher's own word in a description. */
import type { Operation } from './contract.ts';
import type { Shape } from './shape.ts';

/** The prefix in front of most names of ids that the contract has; `svc_` where no other has more. */
export function idPrefix(document: unknown, idNames: ReadonlySet<string>): string {
  const named = new Map<string, Set<string>>([['svc_', new Set()]]);
  for (const name of fieldNames(document)) {
    const [prefix, rest] = /^([^_]+_)(.+)$/.exec(name)?.slice(1) ?? [];
    if (prefix !== undefined && rest !== undefined && idNames.has(rest))
      named.set(prefix, (named.get(prefix) ?? new Set()).add(rest));
  }
  const [[prefix]] = [...named].sort(([, one], [, other]) => other.size - one.size) as [[string, Set<string>]];
  return prefix;
}

/** All names of fields, wherever they are described. */
function fieldNames(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { properties } = node as { properties?: unknown };
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return [...names, ...Object.values(node).flatMap(fieldNames)];
}

/** The contract's names of ids, without `svc_`. */
export function idNamesOf(operations: readonly Operation[]): ReadonlySet<string> {
  const names = operations.flatMap(({ request, answer }) => [...namesIn(request), ...namesIn(answer)]);
  return new Set(names.filter(name => name.startsWith('svc_')).map(name => name.slice('svc_'.length)));
}

function namesIn(shape: Shape | null | undefined): string[] {
  if (!shape) return [];
  return [...namesIn(shape.entry), ...[...(shape.fields ?? [])].flatMap(([name, field]) => [name, ...namesIn(field)])];
}
