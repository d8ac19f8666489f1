/** Completion of plan codes and resource names, in prompts and in resource addresses. */
import type { CompleteRequestParams } from '@modelcontextprotocol/server';
import type { AccountReader } from '../upstream/account-reader.ts';

const most = 100;

type Completion = { values: string[]; total: number; hasMore: boolean };

/** Where the account cannot be read, returns no completion instead of an error. */
export async function complete({ ref, argument }: CompleteRequestParams, reader: AccountReader): Promise<Completion> {
  const candidates = await candidatesFor(ref, argument.name, reader);
  const typed = argument.value.toLowerCase();
  const starting = candidates.filter(value => value.toLowerCase().startsWith(typed));
  const containing = candidates.filter(value => !starting.includes(value) && value.toLowerCase().includes(typed));
  const matches = [...starting, ...containing];
  return { values: matches.slice(0, most), total: matches.length, hasMore: matches.length > most };
}

async function candidatesFor(
  ref: CompleteRequestParams['ref'],
  argument: string,
  reader: AccountReader,
): Promise<string[]> {
  const address = ref.type === 'ref/resource' ? ref.uri : '';
  if (address === 'billing://schema/{resource}' && argument === 'resource') {
    return Object.keys((await import('../model/index.ts')).resourceSchemas).sort();
  }
  const namesPlan =
    address === 'billing://plans/{code}'
      ? argument === 'code'
      : argument === 'plan_code' || argument === 'compare_with';
  return namesPlan ? reader.planCodes() : [];
}
