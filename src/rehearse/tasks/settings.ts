/** The settings of the server that a task may set: those that decide what a caller may do and see. */

import { toolDefinitions } from '../../../tools/all-tools.ts';
import { createAccess } from '../../calls/access/access.ts';
import { nearest } from '../../lib/nearest-word.ts';
import { loadConfig } from '../../server/settings/load.ts';
import { ConfigError, settings } from '../../server/settings/settings.ts';

/** Addresses, keys, files, limits of HTTP and the clock are the rehearsal's own. */
const policy = [
  settings.readOnly,
  settings.tools,
  settings.excludeTools,
  settings.lookups,
  settings.customer,
  settings.confirm,
  settings.ask,
  settings.maxWritesPerMinute,
  settings.maxAmount,
  settings.maxResultTokens,
  settings.mask,
].map(({ name }) => name as string);

/** What is wrong with a task's settings, one sentence each. */
export function settingProblems(taskSettings: Readonly<Record<string, string>>): string[] {
  const names = Object.keys(taskSettings).filter(name => !policy.includes(name));
  if (names.length > 0) return names.map(notForTasks);
  if (taskSettings.BILLING_CUSTOMER?.trim() === 'required') {
    return ['BILLING_CUSTOMER: a rehearsal cannot prove customers. List their external IDs.'];
  }
  try {
    const { config } = loadConfig([], { ...taskSettings }, { embedded: true });
    createAccess(config, toolDefinitions);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return [...error.problems];
    throw error;
  }
}

function notForTasks(name: string): string {
  const near = nearest(name, policy);
  const meant = near === null ? `allowed: ${policy.join(', ')}` : `did you mean ${near}?`;
  return `${name.slice(0, 64)} is not a setting that a task can set; ${meant}`;
}
