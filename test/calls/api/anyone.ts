import type { Viewer } from '../../../src/definition/caller.ts';

/** A caller of that id who sees everything, as the connections to the billing API take one. */
export function anyone(id = ''): [id: string, viewer: Viewer] {
  return [id, { customers: undefined, hidden: undefined, view: '' }];
}
