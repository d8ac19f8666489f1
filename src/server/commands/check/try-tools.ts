/** Calls each read and computation as an assistant would, and says of each what came of it. */
import { isMissingPath } from '../../../calls/api/availability.ts';
import { compileEndpoint } from '../../../calls/api/http/request.ts';
import { nobody } from '../../../definition/asking.ts';
import { type AnyTool, type Arguments, changesAccount, isLookup } from '../../../definition/define.ts';
import type { ToolError } from '../../../definition/failure.ts';
import { membersOf } from '../../../lib/json.ts';
import { createCore } from '../../core.ts';
import type { Config } from '../../settings/settings.ts';
import { type Account, judge, send } from './connection.ts';
import { argumentsOf, type Firsts } from './ids.ts';
import type { Sightings } from './sightings.ts';

export interface Tried {
  tool: AnyTool;
  state: 'answers' | 'refused' | 'not there' | 'fails' | 'not tried';
  /** What there is to say besides; empty for nothing. */
  words: string;
  /** The right that the key lacks, e.g. `read payment`; absent where the service does not name it. */
  right?: string;
}

/** Every call has a server of its own, so that no answer is what an earlier one taught. */
export async function tryRead(tool: AnyTool, firsts: Firsts, account: Account, sightings: Sightings): Promise<Tried> {
  const call = (args: Arguments) => callTool(tool, args, account, sightings);
  const known = argumentsOf(tool, firsts, { unknown: false });
  const unknown = argumentsOf(tool, firsts, { unknown: true });
  if (unknown === null) return { tool, state: 'not tried', words: 'no valid test arguments can be generated' };
  const takesIds = JSON.stringify(unknown) !== JSON.stringify(known);
  if (known !== null) {
    const tried = outcome(tool, await call(known));
    if (tried.state !== 'answers' || !takesIds) return tried;
    const none = await call(unknown);
    if (isOfNoRecord(none.error)) return tried;
    return { ...tried, words: joined(tried.words, `for a record that does not exist: ${saidOf(none.error)}`) };
  }
  const { error, missing } = await call(unknown);
  if (!isOfNoRecord(error)) return outcome(tool, { error, missing });
  return { tool, state: 'answers', words: 'that the record does not exist; no list had one to test' };
}

interface Called {
  error: ToolError | null;
  /** How many of its requests got no record, and how many it sent. */
  missing: readonly [refused: number, sent: number];
}

async function callTool(
  tool: AnyTool,
  args: Arguments,
  { base, apiKey, config }: Account,
  sightings: Sightings,
): Promise<Called> {
  const statuses: (number | null)[] = [];
  const core = createCore({
    config: { ...withoutCallers(config), baseUrl: base, apiKey },
    observer: { ...sightings.observerOf(tool), attemptEnded: ({ status }) => void statuses.push(status) },
    limits: { maxRetries: 0 },
  });
  try {
    const outcomeOf = await core.pipeline.call(tool.name, args, { caller: core.ownCaller('check'), client: nobody });
    const missing = [statuses.filter(status => status === 403 || status === 404).length, statuses.length] as const;
    if (outcomeOf.kind !== 'result' || !outcomeOf.answer.isError) return { error: null, missing };
    return { error: errorIn(outcomeOf.answer.summary, outcomeOf.answer.fields), missing };
  } finally {
    await core.close();
  }
}

/** What the account answers to this key: not what callers of the server may see of it. */
function withoutCallers(config: Config): Config {
  const none = { customer: undefined, customerTokenKey: undefined, roles: undefined, auditLog: undefined };
  const all = { tools: undefined, excludeTools: undefined, lookups: true };
  return { ...config, ...none, ...all, demo: false, http: false, exportDir: undefined };
}

function errorIn(message: string, fields: object): ToolError {
  const { error } = membersOf<'error'>(fields);
  return { ...(error as Omit<ToolError, 'message'>), message };
}

function outcome(tool: AnyTool, { error, missing: [refused, sent] }: Called): Tried {
  if (error === null) {
    const words = refused === 0 ? '' : `without ${refused} of its ${sent} reads, which are forbidden or missing`;
    return { tool, state: 'answers', words };
  }
  const { status, code } = error;
  if (status === 401 || status === 403) return refusedBy(tool, code);
  if (isMissingPath(error)) return { tool, state: 'not there', words: tool.endpoint };
  if (status === 400 || status === 404 || status === 422)
    return { tool, state: 'answers', words: `that it refuses the example (${code})` };
  return { tool, state: 'fails', words: saidOf(error) };
}

function refusedBy(tool: AnyTool, code: string): Tried {
  const [, action, resource] = /^(read|write)_action_not_allowed_for_(\w+)$/.exec(code) ?? [];
  if (resource === undefined)
    return { tool, state: 'refused', words: `the service does not name the missing permission (${code})` };
  const right = `${action} ${resource.replaceAll('_', ' ')}`;
  return { tool, state: 'refused', words: `the key lacks “${right}”`, right };
}

function isOfNoRecord(error: ToolError | null): boolean {
  if (error === null || isMissingPath(error)) return false;
  return error.status === 404 || error.status === 422 || error.code === 'no_match';
}

function saidOf(error: ToolError | null): string {
  return error === null
    ? 'it returns a record that does not exist'
    : error.message.replace(/^\w+: /, '').replace(/\.$/, '');
}

function joined(...parts: string[]): string {
  return parts.filter(part => part !== '').join('; ');
}

/** May an empty update of a record that is not there be tried? Of creations and deletions nothing is. */
export function isUpdate({ endpoint, effect }: AnyTool): boolean {
  return effect === 'write' && endpoint.startsWith('PUT /') && endpoint.includes('{');
}

/** Sends an empty update to a random id: the answer is a refusal, and nothing can be changed by it. */
export async function tryUpdate(tool: AnyTool, account: Account): Promise<Tried> {
  const args = argumentsOf(tool, new Map(), { unknown: true });
  if (args === null || !isUpdate(tool)) return untried(tool);
  const { path, body } = tool.change?.request(args) ?? {};
  const sent = Object.fromEntries(Object.keys(body ?? {}).map(key => [key, {}]));
  const exchanged = await send(
    account,
    'PUT',
    compileEndpoint(tool.endpoint).target(path === undefined ? {} : { path }),
    sent,
  );
  const judged = judge({ tool: tool.name, effect: 'read' }, exchanged, account);
  if ('body' in judged) return { tool, state: 'fails', words: 'it accepts an update of a record that does not exist' };
  const { status, code } = judged.error;
  if (status === 400 || status === 422)
    return { tool, state: 'answers', words: `that it refuses an empty update (${code})` };
  if (isOfNoRecord(judged.error)) return { tool, state: 'answers', words: '' };
  return outcome(tool, { error: judged.error, missing: [0, 1] });
}

export function untried(tool: AnyTool, words = ''): Tried {
  return { tool, state: 'not tried', words };
}

/** Reads and computations, lookups, and writes, each in the order of the catalogue. */
export function groupOf(tool: AnyTool): 'reads and computations' | 'lookups' | 'writes' {
  if (changesAccount(tool.effect)) return 'writes';
  return isLookup(tool) ? 'lookups' : 'reads and computations';
}
