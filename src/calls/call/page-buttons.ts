/**
 * The tool behind the buttons Approve and Decline of a write's page (MCP Apps). Hosts offer it to pages only; a model
 * that gets it all the same has no token for it, because that is only in the `_meta` of the write's answer.
 */

import type { Decided } from '../../definition/asking.ts';
import type { ListedTool } from '../../definition/listing.ts';
import { isObject, membersOf } from '../../lib/json.ts';

/** Listed where buttons are a way of asking, to clients that show pages and callers that may write something. */
export const decideTool: ListedTool = {
  name: 'decide_write',
  title: 'Decide about a write',
  description:
    'Approves or declines a pending write. Only the buttons of its page call this tool; to change something, call the write tool.',
  inputSchema: {
    type: 'object',
    properties: {
      tool: { type: 'string', description: 'Write tool' },
      arguments: { type: 'object', additionalProperties: true, description: 'Its arguments' },
      confirmation: { type: 'string', description: 'Token of the page' },
      decision: { type: 'string', enum: ['approve', 'decline'], description: 'Decision of the user' },
    },
  },
  annotations: {
    title: 'Decide about a write',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
  _meta: { ui: { visibility: ['app'] } },
};

/** The write's name and arguments, not checked yet, and what was decided; null for anything else. */
export function decisionIn(raw: unknown): { tool: string; args: unknown; decided: Decided } | null {
  if (!isObject(raw)) return null;
  const {
    tool,
    arguments: args,
    confirmation,
    decision,
  } = membersOf<'tool' | 'arguments' | 'confirmation' | 'decision'>(raw);
  if (typeof tool !== 'string' || typeof confirmation !== 'string') return null;
  if (decision !== 'approve' && decision !== 'decline') return null;
  return { tool, args, decided: { decision, confirmation } };
}
