/** What the billing API refuses for every call alike, so that it is not asked again and again. */
import type { ToolError } from '../../definition/failure.ts';

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
export function createAvailability(now: () => number = () => performance.now()) {
  const kept = new Map<string, { at: number; error: ToolError }>();
  const pathKey = ({ baseUrl, path }: Place) => `${baseUrl}\0${path}`;
  const permissionKey = (place: Place) => `${pathKey(place)}\0${place.apiKey}`;
  return {
    /** What the service said of the path or of the key's permission within the last ten minutes; null when nothing. */
    recall(place: Place): ToolError | null {
      for (const key of [pathKey(place), permissionKey(place)]) {
        const entry = kept.get(key);
        if (entry === undefined) continue;
        if (now() - entry.at < keptForMs) return entry.error;
        kept.delete(key);
      }
      return null;
    },
    /** Keeps an error that is about the path or the key's permission; any other is left alone. */
    learn(place: Place, error: ToolError): void {
      if (!isMissingPath(error) && error.status !== 403) return;
      const key = isMissingPath(error) ? pathKey(place) : permissionKey(place);
      kept.delete(key);
      kept.set(key, { at: now(), error });
      const [oldest] = kept.keys();
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    },
  };
}

/** A 404 or 405 that is about the path: without the code of a record that was not found. */
export function isMissingPath({ status, code }: Pick<ToolError, 'status' | 'code'>): boolean {
  if (status !== 404 && status !== 405) return false;
  return code === 'resource_not_found' || !(code.endsWith('_not_found') || ofOneCall.has(code));
}
