/** Completion of plan codes and resource names, in prompts and in resource addresses. */
import type { CompleteRequestParams } from '@modelcontextprotocol/server';
import type { Runtime } from '../runtime.ts';
import { type Reader, readPlans } from '../upstream/account-reader.ts';

const most = 100;
const keepPlansForMs = 30_000;

type Completion = { values: string[]; total: number; hasMore: boolean };

/** Nothing is completed, rather than an error, where the account cannot be read. */
export async function complete({ ref, argument }: CompleteRequestParams, reader: Reader): Promise<Completion> {
  const candidates = await candidatesFor(ref, argument.name, reader);
  const typed = argument.value.toLowerCase();
  const starting = candidates.filter(value => value.toLowerCase().startsWith(typed));
  const containing = candidates.filter(value => !starting.includes(value) && value.toLowerCase().includes(typed));
  const matches = [...starting, ...containing];
  return { values: matches.slice(0, most), total: matches.length, hasMore: matches.length > most };
}

async function candidatesFor(ref: CompleteRequestParams['ref'], argument: string, reader: Reader): Promise<string[]> {
  const address = ref.type === 'ref/resource' ? ref.uri : '';
  if (address === 'billing://schema/{resource}' && argument === 'resource') {
    return Object.keys((await import('../model/index.ts')).resourceSchemas).sort();
  }
  const namesPlan =
    address === 'billing://plans/{code}'
      ? argument === 'code'
      : argument === 'plan_code' || argument === 'compare_with';
  return namesPlan ? planCodes(reader) : [];
}

/** A person types letter by letter: the codes are kept for half a minute, per caller and key. */
const kept = new WeakMap<Runtime, Map<string, { at: number; codes: Promise<string[]> }>>();

function planCodes(reader: Reader): Promise<string[]> {
  const { caller } = reader.connection;
  const key = `${caller.id}\0${caller.apiKey}`;
  const now = performance.now();
  const known = kept.get(reader.runtime) ?? new Map();
  kept.set(reader.runtime, known);
  const earlier = known.get(key);
  if (earlier && now - earlier.at < keepPlansForMs) return earlier.codes;
  for (const [other, { at }] of known) if (now - at >= keepPlansForMs) known.delete(other);
  const codes = readPlans(reader).then(answer =>
    'plans' in answer ? answer.plans.map(plan => String(plan.code)).sort() : [],
  );
  known.set(key, { at: now, codes });
  return codes;
}
