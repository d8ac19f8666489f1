/** What `check` saw of the interface: which known fields records show, how each path answers, and which rights tools need. */

import { endpointMatcher } from '../../../calls/access/bounds/facts/request-target.ts';
import { table } from '../../../calls/access/bounds/facts/table.ts';
import { isMissingPath } from '../../../calls/api/availability.ts';
import type { UpstreamCall } from '../../../calls/api/http/client.ts';
import { fieldNames } from '../../../contract/field-names.ts';
import type { UpstreamAnswer } from '../../../definition/api.ts';
import { type AnyTool, isSet } from '../../../definition/define.ts';
import { isObject } from '../../../lib/json.ts';
import { resourceFields } from '../../../words/default-fields.ts';
import type { Observer } from '../../logs/types.ts';
import { choicesOf } from './ids.ts';

const states = ['forbidden for this key', 'not in the license', 'not there', 'failing', 'not asked'] as const;
type PathState = 'answer' | (typeof states)[number];

export type Sightings = ReturnType<typeof createSightings>;

const endpointOf = endpointMatcher(Object.fromEntries(Object.keys(table).map(endpoint => [endpoint, endpoint])));

export function createSightings() {
  const seenFields = new Map<string, Set<string>>();
  const stateOf = new Map<string, PathState>();
  const askedBy = new Map<string, Set<string>>();

  /** Takes the fields of an answer; `check` reads some itself. */
  const learn = (body: unknown): void => {
    for (const [key, value] of Object.entries(isObject(body) ? body : {})) {
      const records = (Array.isArray(value) ? value : [value]).filter(isObject);
      if (resourceFields(key) === undefined || records.length === 0) continue;
      const resource = singular(key);
      const names = seenFields.get(resource) ?? new Set();
      seenFields.set(resource, names);
      for (const name of records.flatMap(record => Object.keys(record))) names.add(name);
    }
  };

  return {
    learn,
    /** Of the calls of one tool. */
    observerOf: (tool: AnyTool): Pick<Observer, 'answered'> => ({
      answered(request, answer) {
        const endpoint = knownEndpoint(request);
        if (endpoint === undefined) return;
        askedBy.set(tool.name, (askedBy.get(tool.name) ?? new Set()).add(endpoint));
        const state = pathState(answer);
        // A path that answers once is there, whatever it says of another record.
        if (stateOf.get(endpoint) !== 'answer') stateOf.set(endpoint, state);
        if (answer.ok) learn(answer.body);
      },
    }),
    /** Of each kind of record the fields that were not seen, and of each tool the rights. */
    report(tools: readonly AnyTool[]): string[] {
      const width = Math.max(...tools.map(({ name }) => name.length));
      return [
        ...pathLines(stateOf, tools),
        ...fieldLines(seenFields),
        'Permissions that the key needs:',
        ...tools.map(tool => `  ${tool.name.padEnd(width)}  ${rightsOf(tool, tools, askedBy).join(', ')}`),
      ];
    },
  };
}

function pathState(answer: UpstreamAnswer): PathState {
  if (answer.ok) return 'answer';
  const { status, code } = answer.error;
  if (status === 403 || status === 401)
    return /feature|licen[cs]e|premium/.test(code) ? 'not in the license' : 'forbidden for this key';
  if (isMissingPath(answer.error)) return 'not there';
  return status === 400 || status === 404 || status === 405 || status === 422 ? 'answer' : 'failing';
}

function knownEndpoint({ method, target }: Pick<UpstreamCall, 'method' | 'target'>): string | undefined {
  return endpointOf({ method, target, tool: 'check', effect: 'read', body: undefined })?.[0];
}

function pathLines(askedPaths: ReadonlyMap<string, PathState>, tools: readonly AnyTool[]): string[] {
  const offered = tools.flatMap(tool => {
    const [method, target = ''] = tool.endpoint.split(' ');
    return isSet(tool) ? [] : (knownEndpoint({ method: method as 'GET', target }) ?? []);
  });
  const stateOf = new Map<string, PathState>([
    ...offered.map(endpoint => [endpoint, 'not asked'] as const),
    ...askedPaths,
  ]);
  const of = (state: PathState) => [...stateOf].filter(([, each]) => each === state).map(([endpoint]) => endpoint);
  const others = states.flatMap(state =>
    of(state).length === 0 ? [] : [`  ${state}: ${of(state).sort().join(', ')}`],
  );
  return [`Known paths: ${of('answer').length} of ${stateOf.size} answer${others.length > 0 ? ';' : '.'}`, ...others];
}

function fieldLines(seenFields: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const lines = [...seenFields].sort().map(([resource, seen]) => {
    const known = resourceFields(resource) ?? [];
    const unseen = known.filter(name => !seen.has(name));
    const count = `${known.length - unseen.length} of ${known.length} seen`;
    return `  ${resource}: ${count}${unseen.length === 0 ? '' : `; not seen: ${unseen.join(', ')}`}`;
  });
  const unshown = Object.keys(fieldNames).filter(resource => !seenFields.has(resource));
  return ['Known fields:', ...lines, ...(unshown.length > 0 ? [`  no record shown: ${unshown.join(', ')}`] : [])];
}

/** Of its requests, as far as they were asked, and of each kind that it lists; of a write, also of the record before it (§1.1). */
function rightsOf(
  { name, endpoint, effect, input, change }: AnyTool,
  tools: readonly AnyTool[],
  askedBy: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  if (isSet({ effect, change })) return ['those of its changes'];
  const look = tools.find(tool => tool.name === change?.look[0]);
  const kinds = choicesOf(input.shape.kind).map(kind => `GET /${kind}`);
  // A list of several kinds is looked up for the one that the write is about.
  const lookedAt = look && (look.input.shape.kind === undefined ? look.endpoint : endpoint.replace(/^\w+/, 'GET'));
  const endpoints = [...(askedBy.get(name) ?? []), endpoint, ...kinds, ...(lookedAt === undefined ? [] : [lookedAt])];
  return [...new Set(endpoints.map(rightOf))].sort();
}

/** The resource of paths whose last word is not its name (lookups §1). */
const resources: Readonly<Record<string, string>> = {
  current_usage: 'customer usage',
  past_usage: 'customer usage',
  portal_url: 'customer',
  charges: 'subscription',
  fixed_charges: 'subscription',
  preview: 'invoice',
  estimate_fees: 'event',
};

/** `write invoice`, of `POST /invoices/preview`. */
function rightOf(endpoint: string): string {
  const [method, path = ''] = endpoint.split(' ');
  const words = path.split('/').filter(word => word !== '' && !word.startsWith('{'));
  const last = words[0] === 'analytics' ? 'analytics' : (words.at(-1) ?? '');
  return `${method === 'GET' ? 'read' : 'write'} ${resources[last] ?? singular(last).replaceAll('_', ' ')}`;
}

function singular(words: string): string {
  if (words === 'taxes') return 'tax';
  return words.replace(/ies$/, 'y').replace(/s$/, '');
}
