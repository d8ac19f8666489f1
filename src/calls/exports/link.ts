/** The address of a file: it holds the call that makes the file, signed, and nothing is stored for it. */
import type { Arguments } from '../../definition/define.ts';
import type { Call } from '../call/call.ts';
import { bindingOf, longestSigned, signedIn, signedText } from '../change/ask/signed-state.ts';

/** What every such address begins with. */
export const exportPrefix = 'billing://export/';
/** How long an address can be read. */
export const linkMinutes = 15;

/** Where a file begins: at a list page, behind the row that the file before it ends with. */
export interface FileStart {
  from: number;
  after?: string | undefined;
}

/** A file from this place on. */
export interface LinkedCall extends FileStart {
  tool: string;
  args: Arguments;
  /** With a byte order mark, by which Excel knows UTF-8. */
  excel?: boolean;
  /** Milliseconds since the epoch. */
  expires: number;
  /** A keyed digest of tool, arguments, account and caller. */
  binding: string;
}

type BoundCall = Pick<Call, 'args' | 'baseUrl' | 'caller'> & { tool: { name: string } };

interface FileAddress {
  uri: string;
  expires_at: string;
}

/** The address; null where the arguments are too long for one. */
export function addressOf(
  call: BoundCall,
  { from, after }: FileStart,
  key: Uint8Array,
  excel = false,
): FileAddress | null {
  const expires = Date.now() + linkMinutes * 60_000;
  const content: LinkedCall = {
    tool: call.tool.name,
    args: call.args,
    from,
    expires,
    binding: digestOf(call, key),
    ...(after !== undefined && { after }),
    ...(excel && { excel }),
  };
  const signed = signedText(content, key, 'export');
  // The links to further rows are a little longer.
  if (signed.length > longestSigned - (from === 1 ? 150 : 0)) return null;
  return { uri: `${exportPrefix}${signed}`, expires_at: new Date(expires).toISOString() };
}

/** The call in an address; or why it is not answered, in words. */
export function linkedCall(uri: string, key: Uint8Array): LinkedCall | { problem: string } {
  const link: LinkedCall | undefined = signedIn(uri.slice(exportPrefix.length), key, 'export');
  if (link === undefined)
    return {
      problem: `This file link is not from this server, was altered, or the server restarted since. ${again('the tool')}`,
    };
  if (link.expires > Date.now()) return link;
  const end = new Date(link.expires).toISOString();
  return { problem: `This file link expired at ${end}: links last ${linkMinutes} minutes. ${again(link.tool)}` };
}

/** Why no one but the caller who got the link may read it, in words; null for that caller, with that account. */
export function problemOfReader(call: BoundCall, { binding }: LinkedCall, key: Uint8Array): string | null {
  if (digestOf(call, key) === binding) return null;
  return `This file link belongs to another caller, other customers or another account. ${again(call.tool.name)}`;
}

function again(tool: string): string {
  return `Call ${tool} with format: csv to get your own link.`;
}

function digestOf(call: BoundCall, key: Uint8Array): string {
  return bindingOf(call, { key, accountOf: ({ baseUrl, caller: { apiKey } }) => ({ baseUrl, apiKey }) });
}
