/** What is set up in the account, and fees, by kind (docs/lookups.md §10, §11). */
import * as z from 'zod';
import type { RowOf } from '../../src/contract/answers.ts';
import { lifeStatuses } from '../../src/contract/enums.ts';
import type { Api, Get, ListPageArgs, NoAnswer, ReadAnswer, Rows } from '../../src/definition/api.ts';
import { dayOrTime, idText, ofSubscription, paging, pathText } from '../../src/definition/args.ts';
import { boundListings } from '../../src/definition/argument-fields.ts';
import { defineLookup } from '../../src/definition/define.ts';
import { fieldOf } from '../../src/lib/json.ts';
import { timeZoneNote, withLocalTimes } from '../../src/words/list-time-zone.ts';
import { defaultPageSize } from '../../src/words/paging.ts';
import { code, firstOf, joined, opt, phrase, say } from '../../src/words/summary.ts';
import { listPageOf, ownRecordsOnly, readList, shownFields, shownNote } from '../records/list-pages.ts';
import { customerField, customerNote, readOfCustomer, sayMade } from '../records/named-customer.ts';
import { readOne, zoneOfCustomer } from '../records/one-record.ts';
import { firstInstant, lastInstant, span } from '../records/time-filters.ts';
import { type Kind, type KindName, kindNames, kinds } from './catalogue-kinds.ts';

const kindsOfCustomers: readonly KindName[] = ['applied_coupons', 'fees'];
const external_customer_id = pathText()
  .optional()
  .describe("Customer's external ID or name; applied_coupons and fees only");

export const listCatalogue = defineLookup({
  name: 'list_catalogue',
  title: 'List the catalogue',
  toolset: 'catalogue',
  endpoint: 'GET /add_ons',
  description:
    'Lists what the account has set up, by kind, with the codes that other tools take; also coupons applied to customers, and single fees. For plans, use list_plans; for invoice lines, get_invoice.',
  input: z
    .strictObject({
      kind: z.enum(kindNames).describe('Kind of record'),
      external_customer_id,
      external_subscription_id: ofSubscription.describe('Of fees').optional(),
      billable_metric_code: idText().describe('Of fees').optional(),
      created_at_from: dayOrTime.describe('Of fees: from this day or time').optional(),
      created_at_to: dayOrTime.describe('Of fees: up to this day or time').optional(),
      status: z.enum(lifeStatuses).describe('Of applied_coupons, default all').optional(),
      coupon_code: idText().describe('Of applied_coupons').optional(),
      ...paging,
    })
    .superRefine(filtersFit)
    .refine(...span('created_at_from', 'created_at_to'))
    .refine(({ kind, external_customer_id }) => external_customer_id === undefined || kindsOfCustomers.includes(kind), {
      path: ['external_customer_id'],
      error: 'goes with the kinds applied_coupons and fees only',
    })
    .register(boundListings, {
      description:
        'Lists billable metrics with the codes that other tools take; also coupons applied to customers, and single fees.',
      kinds: ['billable_metrics', ...kindsOfCustomers],
    }),
  run(
    { kind, external_customer_id, page, per_page, all, coupon_code, created_at_from, created_at_to, ...filters },
    api,
  ) {
    const query = {
      ...filters,
      coupon_code: coupon_code === undefined ? undefined : [coupon_code],
      created_at_from: created_at_from && firstInstant(created_at_from),
      created_at_to: created_at_to && lastInstant(created_at_to),
    };
    return listKind(kind, external_customer_id, query, { page, per_page, all }, api);
  },
  result: 'records',
  answer: 'made list',
  brief: `
    svc_id created_at external_customer_id item{type?charge code} external_subscription_id code name?=code
    invoice_display_name?=name coupon_code status rate is_default? applied_to_organization? applied_to_billing_entities_codes aggregation_type
    field_name recurring? expression filters{key values} units?1.0 amount_cents amount_cents_remaining amount_currency
    percentage_rate frequency?once frequency_duration frequency_duration_remaining plan_codes billable_metric_codes
    taxes{code rate} payment_status default_currency country timezone email net_payment_term webhook_url signature_algo
    event_types|null expiration_at terminated_at svc_invoice_id
  `,
  say: sayMade,
});

/** The filters of a kind; the service ignores those of another one. */
const filtersOf = {
  fees: ['external_subscription_id', 'billable_metric_code', 'created_at_from', 'created_at_to'],
  applied_coupons: ['status', 'coupon_code'],
} as const;

function filtersFit(args: { readonly kind: KindName } & object, context: z.core.$RefinementCtx): void {
  for (const [kind, names] of Object.entries(filtersOf))
    for (const name of names)
      if (args.kind !== kind && fieldOf(args, name) !== undefined)
        context.addIssue({ code: 'custom', path: [name], message: `goes with the kind ${kind} only` });
}

async function listKind<Name extends KindName>(
  name: Name,
  idOrName: string | undefined,
  filters: NonNullable<Get['query']>,
  pages: ListPageArgs,
  api: Api,
): Promise<ReadAnswer> {
  const list = await readOfCustomer(api, idOrName, customer => readKind(api, name, { customer, filters }, pages));
  if (!list.ok) return list;
  const kind: Kind<RowOf<Name>> = kinds[name];
  const isFees = name === 'fees';
  const { total, nextPage, stopped, customer } = list;
  const exported = (await kind.complete?.(list.rows, api)) ?? list.rows;
  const owner = customer?.external_id ?? idOrName;
  const moments = kind.fields.filter(field => momentFields.has(field));
  const dated = exported.some(row => moments.some(field => Boolean(row[field])));
  const zone = owner === undefined || !dated ? null : await zoneOfCustomer(api, owner);
  const zonedRows = isFees || zone !== null ? withLocalTimes(exported, moments, zone, isFees) : exported;
  // The customer is known where one was asked for.
  const rows: RowOf<Name>[] =
    idOrName === undefined ? zonedRows : zonedRows.map(row => ({ ...row, external_customer_id: undefined }));
  const matching = shownNote({ ...list, rows }, ...kind.words);
  const of = opt`Customer ${code(owner)}: `;
  const rowLines = rows.map(row => kind.line(row, api.now)).filter(line => line !== null);
  // A line may hold commas of its own.
  const lines = rows.length <= mostLines && rows.length === total ? joined(rowLines, '; ') : firstOf(rowLines, total);
  const { page = 1, per_page = defaultPageSize } = pages;
  const isPart = isFees && nextPage !== null;
  return {
    ok: true,
    body: {
      ...customerField(customer),
      records: rows.map(record => {
        const row = kind.row?.(record) ?? record;
        return Object.fromEntries(kind.fields.map(field => [field, row[field]]));
      }),
      ...shownFields({ ...list, rows }),
      for_summary: [
        customerNote(customer),
        matching === null ? `${of}no ${kind.words[0]}` : phrase`${of}${matching}${!isPart && say`: ${lines}`}`,
        isPart &&
          !stopped &&
          total !== null &&
          `oldest first; the newest are on page ${Math.max(Math.ceil(total / per_page), page)}`,
        rows.length > 0 && kind.note?.(rows, api.now),
        dated && (isFees || owner !== undefined) && timeZoneNote(zone, isFees),
        isFees && api.bound && ownRecordsOnly,
      ],
      for_export: { rows: exported, of: name, fields: ['svc_id', ...kind.fields].join(' ') },
    },
  };
}

/** The fields that hold moments. Of a fee, only the day is told. */
const momentFields: ReadonlySet<string> = new Set(['created_at', 'expiration_at', 'terminated_at']);

type ListRead<Name extends KindName> = Rows<RowOf<Name>> | NoAnswer;

async function readKind<Name extends KindName>(
  api: Api,
  kind: Name,
  { customer, filters }: { customer: string | undefined; filters: NonNullable<Get['query']> },
  pages: ListPageArgs,
): Promise<ListRead<Name>> {
  if (kind === 'billing_entities') {
    // The API answers this list whole, without list pages.
    const answer = await api.get('/billing_entities', { key: 'billing_entities' });
    return answer.ok ? (listPageOf(answer.body.billing_entities ?? [], pages) as Rows<RowOf<Name>>) : answer;
  }
  if (kind !== 'fees') return readList(api, kind, customer, filters, pages);
  // Fees have no path below the customer, and an unknown customer has an empty list.
  const list = await readList(api, kind, undefined, { external_customer_id: customer, ...filters }, pages);
  if (customer === undefined || !list.ok || list.rows.length > 0) return list;
  const answer = await readOne(api, 'customer', customer);
  return !answer.ok && answer.error.code === 'customer_not_found' ? answer : list;
}

/** The summary tells the rows of a whole list of at most so many; of others, the first ones. */
const mostLines = 5;
