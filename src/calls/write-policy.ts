/** The policy of this process's writes, from its parts. */
import { settingsDigest } from '../server/settings/digest.ts';
import type { PipelineParts } from './context.ts';
import { createWritePolicy, type WritePolicy } from './policy/write.ts';

export function policyOf(parts: PipelineParts): WritePolicy {
  const { config, durations, account, observer, stateKey, roles, upstreams } = parts;
  const baseUrl = (): string => {
    const current = account.current();
    return current && 'baseUrl' in current ? current.baseUrl : '';
  };
  return createWritePolicy(config, {
    stateKey,
    progressMs: durations.progressMs,
    heard: observer.heard,
    settingsDigest: settingsDigest(config, roles),
    accountOf: ({ caller: { apiKey } }) => ({ baseUrl: baseUrl(), apiKey, ...(account.demo && { name: 'demo' }) }),
    outgoing: upstreams.renaming.outgoing,
  });
}
