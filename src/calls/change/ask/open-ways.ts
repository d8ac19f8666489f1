/** In which ways a write can be confirmed: by the settings, its level, and what the client can do. */
import type { ConfirmLevel } from '../../../contract/confirm-levels.ts';
import type { AskRoute } from '../../../definition/asking.ts';
import type { WriteCall } from '../../../definition/write-call.ts';
import type { WriteParts } from '../parts.ts';
import { ways } from './ways-of-asking.ts';

/** Will someone be shown our question? Else the host asks in its own way, or no one is asked. */
export function isAsked(parts: WriteParts, write: WriteCall, level = usualLevel(parts)): boolean {
  return level === 'always' || level === 'typed' || (level === 'auto' && openWays(parts, write, level).length > 0);
}

/** Of a write that was not read for its answer. */
export const usualLevel = ({ rules }: Pick<WriteParts, 'rules'>): ConfirmLevel => rules.plain ?? 'always';

/** The ways in which this client can be asked; those that brought no answer before only where there is no other. */
export function openWays(parts: WriteParts, write: WriteCall, level: ConfirmLevel): AskRoute[] {
  const fitting = waysInForce(parts, level).filter(route => ways[route].fits(write));
  const untried = fitting.filter(route => !write.client.failed?.has(route));
  return untried.length > 0 ? untried : fitting;
}

/** In `auto`, a host that asks by itself takes the place of the weaker ways. */
export function waysInForce({ settings: { ask: routes } }: WriteParts, level: ConfirmLevel): readonly AskRoute[] {
  if (level === 'never') return [];
  // Neither shows a field that the user alone fills in.
  if (level === 'typed') return routes.filter(route => route !== 'buttons' && route !== 'token');
  return level === 'auto' ? routes.filter(route => route === 'url' || route === 'form') : routes;
}

/** The settings that ask in the ways after this one; undefined where there is none. Under `auto`, some would be left out. */
export function settingsAfter({ settings: { confirm, ask: routes } }: WriteParts, route: AskRoute): string | undefined {
  const others = routes.slice(routes.indexOf(route) + 1);
  if (others.length === 0) return undefined;
  return `${confirm === 'auto' ? 'BILLING_CONFIRM=always with ' : ''}BILLING_ASK=${others.join(',')}`;
}
