/** What the billing API refuses for every call alike, so that it is not asked again and again. */
import type { ToolError } from '../../definition/failure.ts';
import { Kept } from '../../lib/collections.ts';

/** Which key asks which path at which address. */
interface Place {
  baseUrl: string;
  apiKey: string;
  /** With its values in braces: `/customers/{external_customer_id}/invoices`. */
  path: string;
}

const keptForMs = 600_000;
const mostKept = 1000;
/** With these codes the service refuses one call at a path that it has, although no record was missing. */
const ofOneCall: ReadonlySet<string> = new Set(['no_active_subscription', 'full_usage_not_allowed']);

/** `now` gives milliseconds of a clock that never goes back. */
export function createAvailability(now?: () => number) {
  const kept = new Kept<ToolError>(mostKept, now);
  const pathKey = ({ baseUrl, path }: Place) => `${baseUrl}\0${path}`;
  const permissionKey = (place: Place) => `${pathKey(place)}\0${place.apiKey}`;
  return {
    /** What the service said of the path or of the key's permission within the last ten minutes; null when nothing. */
    recall: (place: Place): ToolError | null => kept.get(pathKey(place)) ?? kept.get(permissionKey(place)) ?? null,
    /** Keeps an error that is about the path or the key's permission; any other is left alone. */
    learn(place: Place, error: ToolError): void {
      if (!isMissingPath(error) && error.status !== 403) return;
      kept.set(isMissingPath(error) ? pathKey(place) : permissionKey(place), error, keptForMs);
    },
  };
}

/** A 404 or 405 that is about the path: without the code of a record that was not found. */
export function isMissingPath({ status, code }: Pick<ToolError, 'status' | 'code'>): boolean {
  if (status !== 404 && status !== 405) return false;
  return code === 'resource_not_found' || !(code.endsWith('_not_found') || ofOneCall.has(code));
}
