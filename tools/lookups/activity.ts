/** Who changed what, and when (docs/lookups.md §12). */

import * as z from 'zod';
import { activityResourceTypes, activityTypes } from '../../src/contract/enums.ts';
import type { ActivityLog } from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import { customerOrName, fromTime, idText, ofSubscription, paging, toTime } from '../../src/definition/args.ts';
import { defineLookup } from '../../src/definition/define.ts';
import { refuse } from '../../src/definition/failure.ts';
import { nearest } from '../../src/lib/nearest-word.ts';
import { describeActivity, shownActivity } from '../../src/words/activity-words.ts';
import { withLocalTimes } from '../../src/words/list-time-zone.ts';
import { opt, phrase, quoted, say } from '../../src/words/summary.ts';
import { zoneOf } from '../../src/words/zoned-times.ts';
import { shownFields, shownNote } from '../records/list-pages.ts';
import { customerField, customerNote, knownCustomer, sayMade } from '../records/named-customer.ts';
import { zoneOfCustomer } from '../records/one-record.ts';
import { firstInstant, lastInstant, span, spanInWords } from '../records/time-filters.ts';

const resourceType = z.string().refine(value => /^[A-Z][A-Za-z]*(::[A-Z][A-Za-z]*)*$/.test(value), {
  error: issue => {
    const meant = nearest(String(issue.input).replaceAll('_', ''), activityResourceTypes);
    return phrase`must be a kind of record like Wallet or BillableMetric${say`: did you mean ${meant}?`}`;
  },
});
const activityType = z.string().refine(value => /^[a-z_]+\.[a-z_]+$/.test(value), {
  error: 'must be a kind of change like wallet.updated or subscription.terminated',
});

export const listActivity = defineLookup({
  name: 'list_activity',
  title: 'List changes',
  toolset: 'activity',
  endpoint: 'GET /activity_logs',
  description:
    'Lists who changed what in the account and when, newest first, with fields before and after. Filter by customer, subscription, kind of record or user. For the current values, use the get_ tool of the record.',
  input: z
    .strictObject({
      external_customer_id: customerOrName,
      external_subscription_id: ofSubscription.optional(),
      resource_types: z.array(resourceType).describe('e.g. Subscription').optional(),
      resource_ids: z.array(idText()).describe('svc_ids of records').optional(),
      activity_types: z.array(activityType).describe('e.g. wallet.updated').optional(),
      user_email: idText().describe('Email of the user who made the change').optional(),
      from_date: fromTime,
      to_date: toTime,
      ...paging,
    })
    .refine(...span('from_date', 'to_date')),
  async run({ external_customer_id, user_email, from_date, to_date, page, per_page, all, ...filters }, api) {
    if (user_email !== undefined && api.hides('email'))
      return {
        ok: false,
        error: refuse('invalid_arguments', { case: 'emails', tool: api.tool, argument: 'user_email' }),
      };
    // The list of an unknown customer is empty, and no error.
    const known = external_customer_id === undefined ? null : await knownCustomer(api, external_customer_id);
    if (known?.ok === false && known.error.code !== 'customer_not_found') return known;
    const id = known?.ok === true ? known.id : external_customer_id;
    const query = {
      ...filters,
      external_customer_id: id,
      user_emails: user_email === undefined ? undefined : [user_email],
      from_date: from_date && firstInstant(from_date),
      to_date: to_date && lastInstant(to_date),
    };
    const list = await api.list('/activity_logs', { key: 'activity_logs', query }, { page, per_page, all });
    // The log still has what was done to a customer that was deleted.
    if (known?.ok === false && !isAllOf(id, list)) return known;
    if (!list.ok) return list;
    const living = known?.ok === true ? known : null;
    const { rows } = list;
    const zone =
      rows.length === 0 ? null : known === null ? await zoneOfOnly(api, rows) : zoneOf({ customer: living?.record });
    const shown = rows.map(row => shownActivity(row, rows.length === 1));
    const activity_logs = withLocalTimes(shown, ['logged_at'], zone);
    const customer = living?.customer ?? null;
    const note = shownNote(list, 'change');
    const span = spanInWords([from_date, to_date], null, api.now) || null;
    const for_summary = [
      note === null ? `The log has no matching change${opt` ${span}`}` : `${opt`${span}: `}${note}`,
      ...(note === null ? unlistedIn(filters) : []),
      known?.ok === false && 'This customer no longer exists, but the log still has it',
      ...describeActivity(rows.slice(0, 3), activity_logs, { zone, now: api.now }),
      customerNote(customer),
    ];
    return { ok: true, body: { ...customerField(customer), activity_logs, ...shownFields(list), for_summary } };
  },
  result: 'activity_logs',
  answer: 'made list',
  brief: `
    activity_id logged_at activity_type resource_type resource_id activity_object_changes user_email activity_source?api
    external_customer_id external_subscription_id
  `,
  say: sayMade,
});

/** Has the list changes, and each of them this customer? A service that does not know the filter lists those of others. */
function isAllOf(id: string | undefined, list: { ok: boolean; rows?: readonly ActivityLog[] }): boolean {
  const { ok, rows = [] } = list;
  return ok && rows.length > 0 && rows.every(row => row.external_customer_id === id);
}

/** The time zone of the customer whom all rows belong to. */
async function zoneOfOnly(api: Api, rows: readonly ActivityLog[]): Promise<string | null> {
  const ids = new Set(rows.map(row => row.external_customer_id));
  const [id] = ids;
  return ids.size === 1 && id ? zoneOfCustomer(api, id) : null;
}

/** The filters whose words are not known here, with the nearest ones: the service answers these with an empty list. */
function unlistedIn(filters: {
  resource_types?: string[] | undefined;
  activity_types?: string[] | undefined;
}): string[] {
  const { resource_types = [], activity_types = [] } = filters;
  return [
    ...resource_types.map(word => unlisted(word, activityResourceTypes)),
    ...activity_types.map(word => unlisted(word, activityTypes)),
  ].filter(note => note !== null);
}

function unlisted(word: string, known: readonly string[]): string | null {
  if (known.includes(word)) return null;
  const meant = nearest(word, known);
  return phrase`${quoted(word)} is not a known type${say`: did you mean ${meant}?`}`;
}
