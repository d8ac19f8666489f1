/** Which prompts a caller is shown and given: none that names a tool which this caller is not offered. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readRoles } from '../../../src/calls/access/roles/file.ts';
import { inRole } from '../../../src/calls/access/roles/role.ts';
import type { Caller } from '../../../src/definition/caller.ts';
import { createRuntime } from '../../../src/server/runtime.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { environment } from '../../support/settings.ts';
import { connectHere } from './hosts.ts';

const file = join(temporaryFolder(), 'roles.json');
writeFileSync(file, JSON.stringify({ roles: { desk: { toolsets: ['customers', 'invoices'] } } }));
const roles = readRoles(
  file,
  toolDefinitions.map(({ name }) => name),
);

const every = [
  ...['answer_bill_question', 'chase_overdue_invoices', 'close_the_month', 'quote_plan_change'],
  ...['reconcile_payments', 'quote_plan', 'change_subscription_safely', 'customer_briefing'],
];
const changing = 'change_subscription_safely';
const without = (...names: string[]) => every.filter(name => !names.includes(name));

interface Case {
  settings?: Record<string, string>;
  as?: (caller: Caller) => Caller;
  inRoles?: boolean;
  shown: string[];
}

const table: [string, Case][] = [
  ['every caller without restrictions', { shown: every }],
  [
    'a caller bound to customers',
    { as: caller => ({ ...caller, customers: ['a'] }), shown: without('chase_overdue_invoices', 'close_the_month') },
  ],
  ['a server that only reads', { settings: { BILLING_READ_ONLY: 'true' }, shown: without(changing) }],
  [
    'a server without list_plans',
    { settings: { BILLING_EXCLUDE_TOOLS: 'list_plans' }, shown: without('quote_plan_change', 'quote_plan', changing) },
  ],
  [
    'a server without lookups',
    { settings: { BILLING_LOOKUPS: 'false' }, shown: ['answer_bill_question', 'quote_plan', changing] },
  ],
  [
    'a caller that may only read',
    { as: caller => ({ ...caller, scopes: new Set(['billing:read']) }), shown: without(changing) },
  ],
  ['a role', { inRoles: true, as: caller => inRole(caller, roles.get('desk')!), shown: ['answer_bill_question'] }],
  ['a caller without a role', { inRoles: true, shown: [] }],
];

it.each(table)('%s is shown the prompts whose tools it is offered, and given no other', async (_, given) => {
  const { settings = {}, as = caller => caller, inRoles = false, shown } = given;
  const { config } = loadConfig([], environment('http://127.0.0.1:9', settings));
  const runtime = createRuntime({ config, ...(inRoles && { roles }) });
  const client = await connectHere(runtime, '2025-11-25', {}, as(runtime.ownCaller()));
  onTestFinished(async () => {
    await client.close();
    await runtime.close();
  });
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(shown);
  for (const name of every) {
    const ids = { external_customer_id: 'x', external_subscription_id: 'x' };
    const answer = client.getPrompt({ name, arguments: { ...ids, plan_code: 'x', change: 'x', invoice: 'x' } }).then(
      () => 'given',
      error => error.message,
    );
    const list = shown.join(', ') || 'none';
    expect(await answer).toEqual(
      shown.includes(name) ? 'given' : expect.stringContaining(`Unknown prompt "${name}". Known prompts: ${list}.`),
    );
  }
});
