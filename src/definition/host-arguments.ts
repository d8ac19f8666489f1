/** What chat hosts add to a call by themselves: names of their own, and blanks for arguments that their model left out. */
import type * as z from 'zod';
import type { AnyTool, Arguments } from './define.ts';
import { changesAccount } from './define.ts';

/** Names that hosts add to the arguments, each with where it comes from. They are dropped in reads and writes. */
const addedByHosts: Readonly<Record<string, string>> = {
  toolCallId: 'n8n, MCP Client Tool (n8n-io/n8n issues 21500 and 21716); the Vercel AI SDK has the same name',
  tool_call_id: 'the field of chat completions in which a host keeps the id of the call',
  callId: 'the id of a call in agents whose hosts use camel case',
  call_id: 'the field of the Responses API for the same id',
  sessionId: 'n8n, chat trigger: the id of the conversation',
  session_id: 'the same with underscores',
  requestId: 'hosts that pass their own request id on',
  chatInput: 'n8n, chat trigger: the text of the user',
};

/** The arguments without the names that hosts add, unless the tool has an argument of that name. */
export function withoutHostNames(tool: AnyTool, args: Arguments): Arguments {
  const { shape } = tool.input;
  const added = Object.keys(args).filter(name => Object.hasOwn(addedByHosts, name) && !Object.hasOwn(shape, name));
  return added.length === 0 ? args : without(args, added);
}

/** Arguments that say whose or which records: a blank one must not widen a list to everybody. */
const identity =
  /(^|_)(ids?|codes?|number|email|term)$|^(metadata|group|properties|usage|compared_to)$|customer$|subscriptions?$/;

/** The arguments of a read without optional dates, words, switches and pages that are blank. */
export function withoutBlanks(tool: AnyTool, args: Arguments): Arguments {
  if (changesAccount(tool.effect)) return args;
  const { shape } = tool.input as z.ZodObject;
  const blank = Object.entries(args).filter(
    ([name, value]) =>
      typeof value === 'string' &&
      value.trim() === '' &&
      !identity.test(name) &&
      Object.hasOwn(shape, name) &&
      (shape[name] as z.ZodType)._zod.optin === 'optional',
  );
  return blank.length === 0
    ? args
    : without(
        args,
        blank.map(([name]) => name),
      );
}

function without(args: Arguments, names: readonly string[]): Arguments {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));
}
