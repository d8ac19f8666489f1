/**
 * The currency and rate of a write's amounts. Read from the billing API before the write, only where
 * `BILLING_MAX_AMOUNT` is set and the arguments do not name them: a record seen earlier may have changed since.
 */

import type { UpstreamAnswer, WriteCall } from '../call/types.ts';
import { isGiven, isRecord, type JsonRecord } from '../lib/json.ts';
import type { ApiRequest } from '../tool/define.ts';
import type { MoneyOwner } from '../tool/field-classes.ts';

/** Sends one read of this endpoint (`GET /wallets/{svc_id}`) for the caller of the write. Never rejects. */
export type Look = (endpoint: `GET /${string}`, request: ApiRequest) => Promise<UpstreamAnswer>;

/** The record, or why it is not known. */
export type KnownMoney = { record: JsonRecord } | { reason: string };

/** The add-on, wallet or subscription (with its plan) that the write is about. */
export async function readMoney(
  owner: MoneyOwner,
  call: Pick<WriteCall, 'args' | 'known'>,
  look: Look | undefined,
): Promise<KnownMoney> {
  const { known } = call;
  // Currency and rate of a wallet never change (service-behaviour §3.1), so a record seen earlier still holds. It has
  // to be this very wallet: another one may have this id as its code.
  const seen = owner === 'wallet' && known?.svc_id === call.args.svc_id;
  if (seen && typeof known?.currency === 'string' && isGiven(known.rate_amount)) return { record: known };
  if (look === undefined) return { reason: 'nothing can be read here' };
  if (owner === 'wallet')
    return one('wallet', look('GET /wallets/{svc_id}', { path: { svc_id: String(call.args.svc_id) } }));
  if (owner === 'plan') return readSubscription(call.args, look);
  return one('add_on', look('GET /add_ons/{code}', { path: { code: String(call.args.code) } }));
}

/** The update takes an external id's only subscription in any status; the read needs a status (§3.2, lookups §3). */
async function readSubscription(args: JsonRecord, look: Look): Promise<KnownMoney> {
  const path = { external_id: String(args.external_id) };
  let found: KnownMoney = { reason: '' };
  for (const status of new Set([args.status ?? 'active', 'active', 'pending', 'terminated', 'canceled'])) {
    const answer = await look('GET /subscriptions/{external_id}', { path, query: { status: String(status) } });
    found = await one('subscription', answer);
    if (answer.ok || answer.error.code !== 'subscription_not_found') return found;
  }
  return found;
}

async function one(resource: string, pending: Promise<UpstreamAnswer> | UpstreamAnswer): Promise<KnownMoney> {
  const answer = await pending;
  if (!answer.ok) return { reason: `the ${resource.replace('_', '-')} could not be read: ${answer.error.code}` };
  const body = answer.body as JsonRecord | null;
  const record = body?.[resource] ?? body;
  return isRecord(record) ? { record } : { reason: `the answer holds no ${resource.replace('_', '-')}` };
}
