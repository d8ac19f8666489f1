/** One id of each kind of record, from the lists of the account: `check` tries with them what takes an id. */
import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { prefixIn } from '../../../calls/api/http/read-answer.ts';
import { compileEndpoint } from '../../../calls/api/http/request.ts';
import type { AnyTool, Arguments } from '../../../definition/define.ts';
import { fieldOf, isObject, isText, jsonOrNothing, membersOf } from '../../../lib/json.ts';
import { type Account, judge, send } from './connection.ts';

/** The first record of each list, by the name of the list; none where the list is empty or cannot be read. */
export type Firsts = ReadonlyMap<string, object>;

// biome-ignore format: names
const lists = [
  'customers', 'subscriptions', 'invoices', 'payments', 'credit_notes', 'webhook_endpoints', 'events', 'plans',
  'add_ons', 'billable_metrics',
] as const;

/** Of so many wallets it looks at what is below them. */
const mostWallets = 5;

/** `learn` gets each body that was read. */
export async function readFirsts(account: Account, learn: (body: unknown) => void): Promise<Firsts> {
  const firsts = new Map<string, object>();
  const read = async (list: string, path: string, most = 1): Promise<object[]> => {
    const exchanged = await send(account, 'GET', `${path}?page=1&per_page=${most}`);
    const judged = judge({ tool: 'check', effect: 'read' }, exchanged, account);
    if ('body' in judged) learn(judged.body);
    const rows = 'body' in judged && isObject(judged.body) ? fieldOf(judged.body, list) : undefined;
    const records = Array.isArray(rows) ? rows.filter(isObject) : [];
    if (records[0] !== undefined) firsts.set(list, records[0]);
    return records;
  };
  for (const list of lists) await read(list, `/${list}`);
  await readBelowWallets(await read('wallets', '/wallets', mostWallets), { firsts, read });
  return firsts;
}

/** Of the first wallet that has any: a transaction, and an alert. */
async function readBelowWallets(
  wallets: readonly object[],
  { firsts, read }: { firsts: Map<string, object>; read: (list: string, path: string) => Promise<object[]> },
): Promise<void> {
  for (const wallet of wallets) {
    const { svc_id, code, external_customer_id } = membersOf<'svc_id' | 'code' | 'external_customer_id'>(wallet);
    if (isText(svc_id) && !firsts.has('wallet_transactions'))
      await read('wallet_transactions', below('GET /wallets/{svc_id}/wallet_transactions', { svc_id }));
    if (isText(code) && isText(external_customer_id) && !firsts.has('alerts')) {
      const path = { external_customer_id, wallet_code: code };
      const alerts = await read(
        'alerts',
        below('GET /customers/{external_customer_id}/wallets/{wallet_code}/alerts', path),
      );
      if (alerts.length > 0) firsts.set('wallets', wallet);
    }
  }
}

function below(endpoint: string, path: Record<string, string>): string {
  return compileEndpoint(endpoint).target({ path });
}

/** `acme_`, as the first record shows it that a list has; null where none does. `plans`: the text of the list of plans. */
export async function prefixShown(account: Account, plans: string): Promise<string | null> {
  let shown = prefixIn(jsonOrNothing(plans));
  for (const list of lists) {
    if (shown !== null) break;
    const exchanged = await send(account, 'GET', `/${list}?page=1&per_page=1`);
    if (exchanged.kind === 'answer') shown = prefixIn(jsonOrNothing(exchanged.text));
  }
  return shown;
}

/**
 * What to call a tool with: the arguments that it needs. `unknown`: with ids that no record has. Null where an id of the
 * account is needed and none is known, or an argument is needed that is no id.
 */
export function argumentsOf(tool: AnyTool, firsts: Firsts, { unknown }: { unknown: boolean }): Arguments | null {
  const idOf = (list: string, field: string): string | null => {
    if (unknown) return randomUUID();
    const value = fieldOf(firsts.get(list) ?? {}, field);
    return isText(value) ? value : null;
  };
  const special = examples[tool.name];
  if (special !== undefined) return special(idOf);
  const args: [string, unknown][] = [];
  for (const [name, schema] of Object.entries<z.ZodType>(tool.input.shape)) {
    if (schema.safeParse(undefined).success) continue;
    const value = choicesOf(schema)[0] ?? idFor(name, tool, idOf);
    if (value === null) return null;
    args.push([name, value]);
  }
  return Object.fromEntries(args);
}

type IdOf = (list: string, field: string) => string | null;

function idFor(name: string, { endpoint }: AnyTool, idOf: IdOf): string | null {
  const [, list = ''] = endpoint.split('/');
  switch (name) {
    case 'external_customer_id':
      return idOf('customers', 'external_id');
    case 'external_subscription_id':
      return idOf('subscriptions', 'external_id');
    case 'external_id':
    case 'svc_id':
    case 'code':
    case 'transaction_id':
      return idOf(list, name);
    default:
      return null;
  }
}

/** Tools whose ids belong together, and those that are about more than one record. */
const examples: Readonly<Record<string, (idOf: IdOf) => Arguments | null>> = {
  get_wallet_alert: idOf =>
    complete({
      external_customer_id: idOf('wallets', 'external_customer_id'),
      wallet_code: idOf('wallets', 'code'),
      code: idOf('alerts', 'code'),
    }),
  check_invoice: idOf => complete({ svc_id: idOf('invoices', 'svc_id') }),
  preview_invoice: idOf => complete({ plan_code: idOf('plans', 'code') }),
  compare_plans: idOf => {
    const code = idOf('plans', 'code');
    return code === null ? null : { plan_codes: [code] };
  },
  estimate_fees: idOf =>
    complete({
      external_subscription_id: idOf('subscriptions', 'external_id'),
      code: idOf('billable_metrics', 'code'),
    }),
  get_usage: idOf =>
    complete({
      external_customer_id: idOf('subscriptions', 'external_customer_id'),
      external_subscription_id: idOf('subscriptions', 'external_id'),
    }),
};

function complete(args: Readonly<Record<string, string | null>>): Arguments | null {
  return Object.values(args).includes(null) ? null : args;
}

export function choicesOf(schema: unknown): readonly unknown[] {
  const { options } = membersOf<'options'>(schema);
  return Array.isArray(options) ? options.filter(isText) : [];
}
